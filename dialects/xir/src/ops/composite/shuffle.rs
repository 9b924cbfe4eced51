//! Lanes of two vectors.

use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{FoldInterface, FoldModel, FoldResult, VerifyInterface, VerifyModel};
use fermata_ir::{Attribute, OpRef, OperationView, operation};

use crate::constant::{Lanes, lanes, lanes_attribute};
use crate::constraints::{Numbers, Vector};
use crate::types::{ElementwiseType, part_count};

/// A vector of lanes of two vectors of one type: the mask names a lane for each lane of the result, where those of the
/// right operand count on from those of the left.
///
/// ```mlir
/// %0 = xir.shuffle %u, %v [0, 1, 5] : vector<3xf32> to vector<3xf32>
/// ```
#[operation(
    name = "xir.shuffle",
    traits = [PURE],
    interfaces = [Fold, Verify],
    rules = [same(left, right)],
    format = "$left `,` $right $mask attr-dict `:` type($left) `to` type($result)",
)]
pub struct Shuffle {
    #[operand]
    left: Vector,
    #[operand]
    right: Vector,
    #[result]
    result: Vector,
    /// Numbers of lanes.
    #[property]
    mask: Numbers,
}

impl VerifyInterface for Shuffle<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let of = |ty| ElementwiseType::of(op.context, ty);
        let (Some(shuffle), Some(operand), Some(result)) =
            (Shuffle::cast(op), of(op.operand_type(0)), of(op.result_type(0)))
        else {
            return;
        };
        let mask = shuffle.mask();
        let mut report = |code, message: &str| {
            diagnostics.report(Diagnostic::error(code, op.location(), format!("'xir.shuffle' op {message}")));
        };
        if operand.scalar != result.scalar {
            report("part-type", "the lanes of the result are of the type that those of the operands have");
        }
        if mask.len() as u64 != result.lanes() {
            report("part-count", "the mask has a number for each lane of the result");
        }
        if !mask.iter().all(|&lane| u64::try_from(lane).is_ok_and(|lane| lane < 2 * operand.lanes())) {
            report("part-index", "the mask names lanes of the two operands");
        }
    }
}

impl FoldInterface for Shuffle<'_> {
    fn fold(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let shuffle = Shuffle::cast(op)?;
        let mask = shuffle.mask();
        let count = i64::try_from(part_count(op.context, op.operand_type(0))?).ok()?;
        if op.result_type(0) == op.operand_type(0) {
            if mask.iter().copied().eq(0..count) {
                return Some(vec![FoldResult::Value(op.operand(0))]);
            }
            if mask.iter().copied().eq(count..2 * count) {
                return Some(vec![FoldResult::Value(op.operand(1))]);
            }
        }
        let [left, right] = *constants else { return None };
        let sources = [left, right].map(|constant| constant.and_then(|constant| lanes(op.context, constant)));
        // A lane of an operand that is not constant may still not be asked for.
        let value: Lanes = mask
            .iter()
            .map(|&lane| {
                let (source, lane) = if lane < count { (&sources[0], lane) } else { (&sources[1], lane - count) };
                source.as_ref()?.get(usize::try_from(lane).ok()?).copied()
            })
            .collect::<Option<_>>()?;
        let ty = ElementwiseType::of(op.context, op.result_type(0))?;
        (value.len() as u64 == ty.lanes()).then(|| vec![FoldResult::Constant(lanes_attribute(op.context, ty, &value))])
    }
}
