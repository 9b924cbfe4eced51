//! Building on values that may be scalars or vectors.

use inkwell::builder::Builder;
use inkwell::values::{AggregateValueEnum, AnyValue, BasicValueEnum, FloatValue, IntValue, VectorValue};
use inkwell::{FloatPredicate, IntPredicate};

/// Calls a builder method of integers on scalars or vectors of them.
macro_rules! integer_binary {
    ($builder:expr, $method:ident, $left:expr, $right:expr) => {
        match ($left, $right) {
            (BasicValueEnum::IntValue(left), BasicValueEnum::IntValue(right)) => {
                $crate::values::built($builder.$method(left, right, "")).into()
            }
            (BasicValueEnum::VectorValue(left), BasicValueEnum::VectorValue(right)) => {
                $crate::values::built($builder.$method(left, right, "")).into()
            }
            _ => unreachable!("both operands are integers, or vectors of as many"),
        }
    };
}

/// Calls a builder method of floats on scalars or vectors of them.
macro_rules! float_binary {
    ($builder:expr, $method:ident, $left:expr, $right:expr) => {
        match ($left, $right) {
            (BasicValueEnum::FloatValue(left), BasicValueEnum::FloatValue(right)) => {
                $crate::values::built($builder.$method(left, right, "")).into()
            }
            (BasicValueEnum::VectorValue(left), BasicValueEnum::VectorValue(right)) => {
                $crate::values::built($builder.$method(left, right, "")).into()
            }
            _ => unreachable!("both operands are floats, or vectors of as many"),
        }
    };
}

pub(crate) use {float_binary, integer_binary};

/// The result of a builder call. It fails only if the builder has no position or the operands are of wrong types, which
/// the callers rule out.
pub(crate) fn built<T>(result: Result<T, inkwell::builder::BuilderError>) -> T {
    result.expect("a positioned builder builds an instruction on operands of the right types")
}

/// Signed or unsigned, shift right.
pub(crate) fn shift_right<'l>(
    builder: &Builder<'l>,
    value: BasicValueEnum<'l>,
    amount: BasicValueEnum<'l>,
    signed: bool,
) -> BasicValueEnum<'l> {
    match (value, amount) {
        (BasicValueEnum::IntValue(value), BasicValueEnum::IntValue(amount)) => {
            built(builder.build_right_shift(value, amount, signed, "")).into()
        }
        (BasicValueEnum::VectorValue(value), BasicValueEnum::VectorValue(amount)) => {
            built(builder.build_right_shift(value, amount, signed, "")).into()
        }
        _ => unreachable!("both operands are integers, or vectors of as many"),
    }
}

/// Comparison of integers or vectors of them.
pub(crate) fn compare_integers<'l>(
    builder: &Builder<'l>,
    predicate: IntPredicate,
    left: BasicValueEnum<'l>,
    right: BasicValueEnum<'l>,
) -> BasicValueEnum<'l> {
    match (left, right) {
        (BasicValueEnum::IntValue(left), BasicValueEnum::IntValue(right)) => {
            built(builder.build_int_compare(predicate, left, right, "")).into()
        }
        (BasicValueEnum::VectorValue(left), BasicValueEnum::VectorValue(right)) => {
            let compared: VectorValue<'l> = built(builder.build_int_compare(predicate, left, right, ""));
            compared.into()
        }
        _ => unreachable!("both operands are integers, or vectors of as many"),
    }
}

/// Comparison of floats or vectors of them.
pub(crate) fn compare_floats<'l>(
    builder: &Builder<'l>,
    predicate: FloatPredicate,
    left: BasicValueEnum<'l>,
    right: BasicValueEnum<'l>,
) -> BasicValueEnum<'l> {
    match (left, right) {
        (BasicValueEnum::FloatValue(left), BasicValueEnum::FloatValue(right)) => {
            built(builder.build_float_compare(predicate, left, right, "")).into()
        }
        (BasicValueEnum::VectorValue(left), BasicValueEnum::VectorValue(right)) => {
            let compared: VectorValue<'l> = built(builder.build_float_compare(predicate, left, right, ""));
            compared.into()
        }
        _ => unreachable!("both operands are floats, or vectors of as many"),
    }
}

/// `condition ? left : right`, lane by lane if the condition is a vector.
pub(crate) fn select<'l>(
    builder: &Builder<'l>,
    condition: BasicValueEnum<'l>,
    left: BasicValueEnum<'l>,
    right: BasicValueEnum<'l>,
) -> BasicValueEnum<'l> {
    match condition {
        BasicValueEnum::IntValue(condition) => built(builder.build_select(condition, left, right, "")),
        BasicValueEnum::VectorValue(condition) => built(builder.build_select(condition, left, right, "")),
        _ => unreachable!("a condition is an i1, or a vector of them"),
    }
}

/// The same bits as another type.
pub(crate) fn bitcast<'l>(
    builder: &Builder<'l>,
    value: BasicValueEnum<'l>,
    ty: inkwell::types::BasicTypeEnum<'l>,
) -> BasicValueEnum<'l> {
    if value.get_type() == ty { value } else { built(builder.build_bit_cast(value, ty, "")) }
}

/// A value that is an integer.
pub(crate) fn integer(value: BasicValueEnum<'_>) -> IntValue<'_> {
    match value {
        BasicValueEnum::IntValue(value) => value,
        other => unreachable!("an integer was verified, not {}", other.print_to_string()),
    }
}

/// A value that is a float.
pub(crate) fn float(value: BasicValueEnum<'_>) -> FloatValue<'_> {
    match value {
        BasicValueEnum::FloatValue(value) => value,
        other => unreachable!("a float was verified, not {}", other.print_to_string()),
    }
}

/// A part of a vector or aggregate.
pub(crate) fn extract_part<'l>(builder: &Builder<'l>, whole: BasicValueEnum<'l>, index: u32) -> BasicValueEnum<'l> {
    match whole {
        BasicValueEnum::VectorValue(whole) => {
            let index = whole.get_type().get_context().i32_type().const_int(index.into(), false);
            built(builder.build_extract_element(whole, index, ""))
        }
        BasicValueEnum::ArrayValue(whole) => built(builder.build_extract_value(whole, index, "")),
        BasicValueEnum::StructValue(whole) => built(builder.build_extract_value(whole, index, "")),
        _ => unreachable!("only vectors and aggregates have parts"),
    }
}

/// A vector or aggregate with one part replaced.
pub(crate) fn insert_part<'l>(
    builder: &Builder<'l>,
    whole: BasicValueEnum<'l>,
    part: BasicValueEnum<'l>,
    index: u32,
) -> BasicValueEnum<'l> {
    let aggregate = match whole {
        BasicValueEnum::VectorValue(whole) => {
            let index = whole.get_type().get_context().i32_type().const_int(index.into(), false);
            return built(builder.build_insert_element(whole, part, index, "")).into();
        }
        BasicValueEnum::ArrayValue(whole) => built(builder.build_insert_value(whole, part, index, "")),
        BasicValueEnum::StructValue(whole) => built(builder.build_insert_value(whole, part, index, "")),
        _ => unreachable!("only vectors and aggregates have parts"),
    };
    match aggregate {
        AggregateValueEnum::ArrayValue(value) => value.into(),
        AggregateValueEnum::StructValue(value) => value.into(),
    }
}
