//! Floating-point arithmetic.

use fermata_ir::builder::Builder;
use fermata_ir::rewrite::{NoMatch, PatternSet, RewriteResult};
use fermata_ir::{Attribute, OpId, OpRef, OperationView, ValueId};

use super::{constant_lanes, function_of, make_constant, replace_by};
use crate::constant::{Lanes, lanes_attribute};
use crate::ops::{AddF, MulF, NegF, SubF};
use crate::semantics::{FloatBinary, FloatFormat, FloatUnary, ScalarFunction};
use crate::types::ElementwiseType;

/// Adds the patterns of an operation on two floats.
pub(crate) fn binary_float_patterns(name: &'static str, patterns: &mut PatternSet) {
    patterns.add_function("add-negation", name, add_negation);
    patterns.add_function("divide-by-power-of-two", name, divide_by_power_of_two);
    patterns.add_function("multiply-by-minus-one", name, multiply_by_minus_one);
}

/// Adds the patterns of an operation on one float.
pub(crate) fn unary_float_patterns(name: &'static str, patterns: &mut PatternSet) {
    patterns.add_function("absolute-of-negation", name, absolute_of_negation);
}

fn binary_of(op: OpRef<'_>) -> Result<(FloatBinary, FloatFormat), NoMatch> {
    match function_of(op) {
        Some(ScalarFunction::FloatBinary(operation, format)) => Ok((operation, format)),
        _ => Err(NoMatch("it is no operation on two floats")),
    }
}

/// The value of which an operand is the negation.
fn negated_operand(op: OpRef<'_>, index: usize) -> Option<ValueId> {
    op.defining(op.operand(index)).and_then(NegF::cast).map(|negation| negation.operand())
}

/// Replaces an operation by another one that gets its flags.
fn replace_with_flags(builder: &mut Builder<'_>, op: OpId, flags: Option<Attribute>, replacement: OpId) {
    if flags.is_some() {
        let context = builder.context();
        builder.modify(replacement, |body| body.set_property(context, replacement, "fastmath", flags));
    }
    replace_by(builder, op, replacement);
}

/// `x + -y` is `x - y`, and `x - -y` is `x + y`.
fn add_negation(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let (operation, _) = binary_of(view)?;
    let flags = view.property("fastmath");
    let no_negation = NoMatch("no operand is a negation");
    let left = view.operand(0);
    let replacement = match operation {
        FloatBinary::Add => {
            if let Some(value) = negated_operand(view, 1) {
                SubF::build(builder, left, value)
            } else {
                let value = negated_operand(view, 0).ok_or(no_negation)?;
                let right = view.operand(1);
                SubF::build(builder, right, value)
            }
        }
        FloatBinary::Subtract => {
            let value = negated_operand(view, 1).ok_or(no_negation)?;
            AddF::build(builder, left, value)
        }
        _ => return Err(NoMatch("it is no sum or difference")),
    };
    replace_with_flags(builder, op, flags, replacement);
    Ok(())
}

/// `x / c` is `x * (1 / c)` if both `c` and `1 / c` are powers of two: both are the same number, rounded once.
fn divide_by_power_of_two(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let (operation, format) = binary_of(view)?;
    if operation != FloatBinary::Divide {
        return Err(NoMatch("it is no quotient"));
    }
    let divisor = constant_lanes(view, 1).ok_or(NoMatch("the divisor is no constant"))?;
    let ty = ElementwiseType::of(view.context, view.result_type(0)).ok_or(NoMatch("it is no elementwise value"))?;
    let reciprocals: Lanes = divisor
        .iter()
        .map(|&lane| {
            let reciprocal = FloatBinary::Divide.evaluate(format, format.one(), lane);
            (is_power_of_two(format, lane) && is_power_of_two(format, reciprocal)).then_some(reciprocal)
        })
        .collect::<Option<_>>()
        .ok_or(NoMatch("the divisor has no exact reciprocal"))?;
    let (value, flags) = (view.operand(0), view.property("fastmath"));
    let constant = make_constant(builder, lanes_attribute(builder.context(), ty, &reciprocals));
    let product = MulF::build(builder, value, constant);
    replace_with_flags(builder, op, flags, product);
    Ok(())
}

/// Whether bits are a normal power of two of either sign.
fn is_power_of_two(format: FloatFormat, bits: u64) -> bool {
    let magnitude = bits & format.mask() & !format.sign_bit();
    let fraction_bits = format.infinity().trailing_zeros();
    magnitude != 0 && magnitude < format.infinity() && magnitude.trailing_zeros() >= fraction_bits
}

/// `x * -1` is `-x`.
fn multiply_by_minus_one(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let (operation, format) = binary_of(view)?;
    let minus_one = format.one() | format.sign_bit();
    let factor = constant_lanes(view, 1).ok_or(NoMatch("the factor is no constant"))?;
    if operation != FloatBinary::Multiply || factor.iter().any(|&lane| lane != minus_one) {
        return Err(NoMatch("it is no product with -1"));
    }
    let (value, flags) = (view.operand(0), view.property("fastmath"));
    let negation = NegF::build(builder, value);
    replace_with_flags(builder, op, flags, negation);
    Ok(())
}

/// `|-x|` is `|x|`.
fn absolute_of_negation(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    if !matches!(function_of(view), Some(ScalarFunction::FloatUnary(FloatUnary::Absolute, _))) {
        return Err(NoMatch("it is no absolute value"));
    }
    let value = negated_operand(view, 0).ok_or(NoMatch("the operand is no negation"))?;
    builder.modify(op, |body| body.set_operand(op, 0, value));
    Ok(())
}
