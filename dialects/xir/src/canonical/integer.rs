//! Integer arithmetic.

use fermata_ir::builder::Builder;
use fermata_ir::rewrite::{NoMatch, PatternSet, RewriteResult};
use fermata_ir::{OpId, OpRef, OperationView};

use super::{constant_lanes, function_of, make_constant, replace_by};
use crate::constant::{Lanes, lanes_attribute, splat};
use crate::ops::{AddI, CmpI, SubI, XorI};
use crate::semantics::{IntegerBinary, IntegerWidth, ScalarFunction};
use crate::types::ElementwiseType;

/// Adds the patterns of an operation on two integers.
pub(crate) fn integer_patterns(name: &'static str, patterns: &mut PatternSet) {
    patterns.add_function("combine-constants", name, combine_constants);
    patterns.add_function("combine-shifts", name, combine_shifts);
    if name == SubI::DECLARATION.name {
        patterns.add_function("subtract-constant", name, subtract_constant);
    }
    if name == XorI::DECLARATION.name {
        patterns.add_function("negate-comparison", name, negate_comparison);
    }
}

fn binary_of(op: OpRef<'_>) -> Option<(IntegerBinary, IntegerWidth)> {
    match function_of(op)? {
        ScalarFunction::IntegerBinary(operation, width) => Some((operation, width)),
        _ => None,
    }
}

/// Whether `(x op y) op z = x op (y op z)`.
fn is_associative(operation: IntegerBinary) -> bool {
    use IntegerBinary::{Add, And, MaximumSigned, MaximumUnsigned, MinimumSigned, MinimumUnsigned, Multiply, Or, Xor};
    matches!(
        operation,
        Add | Multiply | And | Or | Xor | MinimumSigned | MinimumUnsigned | MaximumSigned | MaximumUnsigned
    )
}

/// `(x op c) op d` is `x op (c op d)`.
fn combine_constants(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let (operation, width) = binary_of(view).ok_or(NoMatch("it is no operation on two integers"))?;
    if !is_associative(operation) {
        return Err(NoMatch("the operation is not associative"));
    }
    let inner = inner_of_same_name(view)?;
    let no_constant = NoMatch("there are no two constants");
    let (first, second) = (constant_lanes(inner, 1).ok_or(no_constant)?, constant_lanes(view, 1).ok_or(no_constant)?);
    if constant_lanes(inner, 0).is_some() {
        return Err(NoMatch("the inner operation is a constant"));
    }
    let combined: Lanes = first.iter().zip(&second).map(|(&c, &d)| operation.evaluate(width, c, d)).collect();
    rewrite_operands(op, inner.operand(0), &combined, builder)
}

fn inner_of_same_name(view: OpRef<'_>) -> Result<OpRef<'_>, NoMatch> {
    view.defining(view.operand(0))
        .filter(|inner| inner.name() == view.name() && inner.id != view.id)
        .ok_or(NoMatch("the left operand is something else"))
}

/// Makes the operands a value and a constant.
fn rewrite_operands(
    op: OpId,
    value: fermata_ir::ValueId,
    constant: &Lanes,
    builder: &mut Builder<'_>,
) -> RewriteResult {
    let context = builder.context();
    let ty = builder.body().value_type(value);
    let ty = ElementwiseType::of(context, ty).ok_or(NoMatch("the operand is no elementwise value"))?;
    let constant = make_constant(builder, lanes_attribute(context, ty, constant));
    builder.modify(op, |body| body.set_operands(op, &[value, constant]));
    Ok(())
}

/// Shifts one after the other are one shift. Amounts are modulo the width, their sum is not: what is shifted so far is
/// zero, or all copies of the sign.
fn combine_shifts(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let (operation, width) = binary_of(view).ok_or(NoMatch("it is no operation on two integers"))?;
    let inner = inner_of_same_name(view)?;
    let amount = |op| {
        let lanes = constant_lanes(op, 1)?;
        let first = *lanes.first()?;
        lanes.iter().all(|&lane| lane == first).then(|| first % u64::from(width.bits()))
    };
    let no_constant = NoMatch("there are no two constant amounts");
    let sum = amount(inner).ok_or(no_constant)? + amount(view).ok_or(no_constant)?;
    let bits = u64::from(width.bits());
    let ty = ElementwiseType::of(view.context, view.result_type(0)).ok_or(NoMatch("it is no elementwise value"))?;
    let all = |lane: u64| -> Lanes { smallvec::smallvec![lane; ty.lanes() as usize] };
    let amount = match operation {
        IntegerBinary::RotateLeft | IntegerBinary::RotateRight => sum % bits,
        IntegerBinary::ShiftRightSigned => sum.min(bits - 1),
        IntegerBinary::ShiftLeft | IntegerBinary::ShiftRightUnsigned if sum < bits => sum,
        IntegerBinary::ShiftLeft | IntegerBinary::ShiftRightUnsigned => {
            let zero = make_constant(builder, lanes_attribute(builder.context(), ty, &all(0)));
            builder.replace_op(op, &[zero]);
            return Ok(());
        }
        _ => return Err(NoMatch("it is no shift")),
    };
    let value = inner.operand(0);
    rewrite_operands(op, value, &all(amount), builder)
}

/// `x - c` is `x + -c`.
fn subtract_constant(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let (_, width) = binary_of(view).ok_or(NoMatch("it is no operation on two integers"))?;
    let constant = constant_lanes(view, 1).ok_or(NoMatch("the right operand is no constant"))?;
    let ty = ElementwiseType::of(view.context, view.result_type(0)).ok_or(NoMatch("it is no elementwise value"))?;
    let value = view.operand(0);
    let negated: Lanes = constant.iter().map(|&lane| IntegerBinary::Subtract.evaluate(width, 0, lane)).collect();
    let negated = make_constant(builder, lanes_attribute(builder.context(), ty, &negated));
    let sum = AddI::build(builder, value, negated);
    replace_by(builder, op, sum);
    Ok(())
}

/// The negation of a comparison is the opposite comparison.
fn negate_comparison(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let (_, width) = binary_of(view).ok_or(NoMatch("it is no operation on two integers"))?;
    let ones = super::constant_operand(view, 1).and_then(|ones| splat(view.context, ones));
    if width != IntegerWidth::W1 || ones != Some(1) {
        return Err(NoMatch("it is no negation"));
    }
    let compared = view.operand(0);
    let comparison = view.defining(compared).ok_or(NoMatch("what is negated is no comparison"))?;
    if !view.body.has_one_use(compared) {
        return Err(NoMatch("the comparison itself is used too"));
    }
    let negated = if let Some(compare) = CmpI::cast(comparison) {
        let (left, right, predicate) = (compare.left(), compare.right(), compare.predicate().negated());
        CmpI::build(builder, left, right, predicate)
    } else if let Some(compare) = crate::ops::CmpF::cast(comparison) {
        let (left, right, predicate) = (compare.left(), compare.right(), compare.predicate().negated());
        crate::ops::CmpF::build(builder, left, right, predicate)
    } else {
        return Err(NoMatch("what is negated is no comparison"));
    };
    replace_by(builder, op, negated);
    Ok(())
}
