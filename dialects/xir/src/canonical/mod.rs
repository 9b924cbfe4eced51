//! Canonical forms of elementwise operations.
//!
//! A pattern may only say what holds for all operands; the tests evaluate each before and after. None undoes another:
//! constants move to the right and together, negations move out of conditions and into comparisons, conversions become
//! fewer.

mod cast;
mod comparison;
mod float;
mod integer;

pub(crate) use cast::cast_patterns;
pub(crate) use comparison::{comparison_patterns, select_patterns};
pub(crate) use float::{binary_float_patterns, unary_float_patterns};
pub(crate) use integer::integer_patterns;

use fermata_ir::builder::Builder;
use fermata_ir::interfaces::constant_value;
use fermata_ir::{Attribute, OpId, OpRef, ValueId};

use crate::constant::{Lanes, lanes};
use crate::interfaces::ElementwiseModel;
use crate::ops::Constant;
use crate::semantics::ScalarFunction;

/// What an operation does to a lane.
fn function_of(op: OpRef<'_>) -> Option<ScalarFunction> {
    (op.interface::<ElementwiseModel>()?.function)(op)
}

/// The constant that an operand is.
fn constant_operand(op: OpRef<'_>, index: usize) -> Option<Attribute> {
    constant_value(op.context, op.body, op.operand(index))
}

/// The bits of the lanes of the constant that an operand is.
fn constant_lanes(op: OpRef<'_>, index: usize) -> Option<Lanes> {
    lanes(op.context, constant_operand(op, index)?)
}

/// Makes a constant.
fn make_constant(builder: &mut Builder<'_>, value: Attribute) -> ValueId {
    let op = Constant::build(builder, value);
    builder.body().result(op, 0)
}

/// Replaces the only result of an operation by that of another.
fn replace_by(builder: &mut Builder<'_>, op: OpId, replacement: OpId) {
    let result = builder.body().result(replacement, 0);
    builder.replace_op(op, &[result]);
}
