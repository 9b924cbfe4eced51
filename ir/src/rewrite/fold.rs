//! Folding one operation: through its fold interface, and through what its traits imply.

use crate::body::ValueId;
use crate::interfaces::{FoldModel, FoldResult, constant_value};
use crate::operation::{OpRef, OperationTraits};

/// What all results of an operation fold to, or nothing if it does not fold.
///
/// Operations that are constants themselves do not fold. An answer that has the wrong number of results, another
/// type, or a result of the operation itself (which happens in unreachable code, where a value may depend on itself)
/// counts as none.
pub fn fold(op: OpRef<'_>) -> Option<Vec<FoldResult>> {
    if op.result_count() == 0 || op.has_trait(OperationTraits::CONSTANT_LIKE) {
        return None;
    }
    let by_interface = || {
        let model = op.interface::<FoldModel>()?;
        let constants: Vec<_> = op.operands().map(|operand| constant_value(op.context, op.body, operand)).collect();
        (model.fold)(op, &constants)
    };
    let folded = by_interface().or_else(|| fold_by_traits(op))?;
    let fits = |(result, folded): (ValueId, &FoldResult)| match *folded {
        FoldResult::Constant(_) => true,
        FoldResult::Value(value) => {
            op.type_of(value) == op.type_of(result) && op.body.defining_op(value) != Some(op.id)
        }
    };
    (folded.len() == op.result_count() && op.results().zip(&folded).all(fits)).then_some(folded)
}

/// `f(f(x)) = x` and `f(f(x)) = f(x)` for operations of one operand that declare it.
fn fold_by_traits(op: OpRef<'_>) -> Option<Vec<FoldResult>> {
    let traits = op.name().traits(op.context);
    if !traits.intersects(OperationTraits::INVOLUTION | OperationTraits::IDEMPOTENT)
        || op.operand_count() != 1
        || op.result_count() != 1
    {
        return None;
    }
    let inner = op.defining(op.operand(0))?;
    if inner.name() != op.name() || inner.properties() != op.properties() || inner.operand_count() != 1 {
        return None;
    }
    let value = if traits.contains(OperationTraits::INVOLUTION) { inner.operand(0) } else { op.operand(0) };
    Some(vec![FoldResult::Value(value)])
}

/// The operands of a commutative operation with constants behind all others, otherwise in their order; nothing if
/// they are so already.
pub fn constants_last(op: OpRef<'_>) -> Option<Vec<ValueId>> {
    if !op.has_trait(OperationTraits::COMMUTATIVE) {
        return None;
    }
    let is_constant = |&value: &ValueId| constant_value(op.context, op.body, value).is_some();
    let operands: Vec<ValueId> = op.operands().collect();
    let (constants, mut ordered): (Vec<ValueId>, Vec<ValueId>) = operands.iter().partition(|value| is_constant(value));
    ordered.extend(constants);
    (ordered != operands).then_some(ordered)
}
