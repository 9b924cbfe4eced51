//! Folds of elementwise operations.

use fermata_ir::interfaces::FoldResult;
use fermata_ir::{Attribute, OpRef};
use smallvec::SmallVec;

use super::identities::{Simplified, simplify};
use crate::constant::{Lanes, lanes, lanes_attribute, splat, splat_attribute};
use crate::semantics::ScalarFunction;
use crate::types::ElementwiseType;

/// What an elementwise operation folds to: what it gives for constant operands, or what can be told from some of them.
pub(crate) fn fold_elementwise(
    op: OpRef<'_>,
    function: ScalarFunction,
    constants: &[Option<Attribute>],
) -> Option<Vec<FoldResult>> {
    let context = op.context;
    let result = ElementwiseType::of(context, op.result_type(0))?;
    if constants.iter().all(Option::is_some) {
        let operands: SmallVec<[Lanes; 3]> =
            constants.iter().flatten().map(|&constant| lanes(context, constant)).collect::<Option<_>>()?;
        let value: Lanes = (0..result.lanes() as usize)
            .map(|lane| {
                // A scalar among vectors stands for all lanes.
                let operands: Lanes =
                    operands.iter().map(|lanes| lanes[if lanes.len() == 1 { 0 } else { lane }]).collect();
                function.evaluate(&operands)
            })
            .collect();
        return Some(vec![FoldResult::Constant(lanes_attribute(context, result, &value))]);
    }
    let known: SmallVec<[Option<u64>; 3]> =
        constants.iter().map(|constant| constant.and_then(|constant| splat(context, constant))).collect();
    let count = op.operand_count();
    let same = count >= 2 && op.operand(count - 2) == op.operand(count - 1);
    Some(vec![match simplify(function, &known, same)? {
        Simplified::Operand(index) => FoldResult::Value(op.operand(index)),
        Simplified::Bits(bits) => FoldResult::Constant(splat_attribute(context, result, bits)),
    }])
}
