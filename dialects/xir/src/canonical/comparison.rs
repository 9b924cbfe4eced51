//! Comparison and selection.

use fermata_ir::builder::Builder;
use fermata_ir::rewrite::{NoMatch, PatternSet, RewriteResult};
use fermata_ir::{OpId, OperationView, ValueId};

use super::{constant_operand, make_constant, replace_by};
use crate::constant::{splat, splat_attribute};
use crate::fold::identities::self_comparison;
use crate::ops::{CmpF, CmpI, Select, XorI, negated};
use crate::semantics::{IntegerPredicate, IntegerWidth, ScalarType};
use crate::types::ElementwiseType;

/// Adds the patterns of a comparison.
pub(crate) fn comparison_patterns(name: &'static str, patterns: &mut PatternSet) {
    patterns.add_function("compare-with-constant", name, constant_to_the_right);
    if name == CmpI::DECLARATION.name {
        patterns.add_function("compare-bits", name, compare_bits);
    } else {
        patterns.add_function("compare-with-itself", name, compare_with_itself);
    }
}

/// Adds the patterns of a selection.
pub(crate) fn select_patterns(patterns: &mut PatternSet) {
    patterns.add_function("select-by-negation", "xir.select", select_by_negation);
    patterns.add_function("select-negation", "xir.select", select_negation);
    patterns.add_function("select-of-select", "xir.select", select_of_select);
}

/// A constant stands on the right.
fn constant_to_the_right(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    if constant_operand(view, 0).is_none() || constant_operand(view, 1).is_some() {
        return Err(NoMatch("no constant stands on the left alone"));
    }
    let (left, right) = (view.operand(0), view.operand(1));
    let replacement = if let Some(compare) = CmpI::cast(view) {
        let predicate = compare.predicate().exchanged();
        CmpI::build(builder, right, left, predicate)
    } else if let Some(compare) = CmpF::cast(view) {
        let predicate = compare.predicate().exchanged();
        CmpF::build(builder, right, left, predicate)
    } else {
        return Err(NoMatch("it is no comparison"));
    };
    replace_by(builder, op, replacement);
    Ok(())
}

/// A bit that is compared with a constant is that bit or its negation; the former is a fold.
fn compare_bits(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let compare = CmpI::cast(view).ok_or(NoMatch("it is no comparison"))?;
    let ty = ElementwiseType::of(view.context, view.operand_type(0)).ok_or(NoMatch("it is no elementwise value"))?;
    let constant = constant_operand(view, 1).and_then(|constant| splat(view.context, constant));
    let is_negation =
        matches!((compare.predicate(), constant), (IntegerPredicate::Eq, Some(0)) | (IntegerPredicate::Ne, Some(1)));
    if ty.scalar != ScalarType::Integer(IntegerWidth::W1) || !is_negation {
        return Err(NoMatch("it is no negation of bits"));
    }
    let value = compare.left();
    let replacement = make_negation(builder, value, ty);
    replace_by(builder, op, replacement);
    Ok(())
}

fn make_negation(builder: &mut Builder<'_>, value: ValueId, ty: ElementwiseType) -> OpId {
    let ones = make_constant(builder, splat_attribute(builder.context(), ty, 1));
    XorI::build(builder, value, ones)
}

/// Only a NaN is told from a comparison with itself.
fn compare_with_itself(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let compare = CmpF::cast(view).ok_or(NoMatch("it is no comparison"))?;
    let (value, predicate) = (compare.left(), self_comparison(compare.predicate()));
    if value != compare.right() || predicate == compare.predicate() {
        return Err(NoMatch("it compares two values, or has the canonical predicate"));
    }
    let replacement = CmpF::build(builder, value, value, predicate);
    replace_by(builder, op, replacement);
    Ok(())
}

/// By a negated condition the other value is selected.
fn select_by_negation(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let select = Select::cast(view).ok_or(NoMatch("it is no selection"))?;
    let condition = negated(view, select.condition()).ok_or(NoMatch("the condition is no negation"))?;
    let operands = [condition, select.on_false(), select.on_true()];
    builder.modify(op, |body| body.set_operands(op, &operands));
    Ok(())
}

/// A bit that is 0 if the condition is 1 is its negation.
fn select_negation(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let select = Select::cast(view).ok_or(NoMatch("it is no selection"))?;
    let bits = |index| constant_operand(view, index).and_then(|constant| splat(view.context, constant));
    let condition = select.condition();
    if view.type_of(condition) != view.result_type(0) || bits(1) != Some(0) || bits(2) != Some(1) {
        return Err(NoMatch("it does not select the negation of its condition"));
    }
    let ty = ElementwiseType::of(view.context, view.result_type(0)).ok_or(NoMatch("it is no elementwise value"))?;
    let replacement = make_negation(builder, condition, ty);
    replace_by(builder, op, replacement);
    Ok(())
}

/// What was selected by the same condition before is known.
fn select_of_select(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let select = Select::cast(view).ok_or(NoMatch("it is no selection"))?;
    let condition = select.condition();
    let inner = |value: ValueId| {
        view.defining(value)
            .and_then(Select::cast)
            .filter(|inner| inner.op().id != op && inner.condition() == condition)
    };
    let on_true = inner(select.on_true()).map_or(select.on_true(), |inner| inner.on_true());
    let on_false = inner(select.on_false()).map_or(select.on_false(), |inner| inner.on_false());
    if (on_true, on_false) == (select.on_true(), select.on_false()) {
        return Err(NoMatch("the condition selected nothing before"));
    }
    builder.modify(op, |body| body.set_operands(op, &[condition, on_true, on_false]));
    Ok(())
}
