//! Floating-point arithmetic by IEEE 754.

use fermata_ir::OpRef;

use super::elementwise::{binary_float_operations, operand_format, ternary_float_operations, unary_float_operations};
use crate::semantics::{FloatBinary, FloatTernary, FloatUnary, ScalarFunction};

fn unary(op: OpRef<'_>, operation: FloatUnary) -> Option<ScalarFunction> {
    Some(ScalarFunction::FloatUnary(operation, operand_format(op, 0)?))
}

fn binary(op: OpRef<'_>, operation: FloatBinary) -> Option<ScalarFunction> {
    Some(ScalarFunction::FloatBinary(operation, operand_format(op, 0)?))
}

fn ternary(op: OpRef<'_>, operation: FloatTernary) -> Option<ScalarFunction> {
    Some(ScalarFunction::FloatTernary(operation, operand_format(op, 0)?))
}

unary_float_operations! { unary;
    /// The operand with its sign bit inverted.
    "xir.negf" => NegF, FloatUnary::Negate, [INVOLUTION];
    /// The operand with its sign bit cleared.
    "xir.absf" => AbsF, FloatUnary::Absolute, [IDEMPOTENT];
    /// The square root, correctly rounded. NaN for negative numbers, -0 for -0.
    "xir.sqrt" => Sqrt, FloatUnary::SquareRoot, [];
    /// `1 / sqrt(x)`, both operations correctly rounded. Infinity of the sign of a zero.
    "xir.rsqrt" => Rsqrt, FloatUnary::ReciprocalSquareRoot, [];
    /// The greatest integer that is not greater.
    "xir.floor" => Floor, FloatUnary::Floor, [IDEMPOTENT];
    /// The least integer that is not less.
    "xir.ceil" => Ceil, FloatUnary::Ceil, [IDEMPOTENT];
    /// The nearest integer toward zero.
    "xir.trunc" => Trunc, FloatUnary::Truncate, [IDEMPOTENT];
    /// The nearest integer, of two the one away from zero.
    "xir.round" => Round, FloatUnary::Round, [IDEMPOTENT];
    /// The nearest integer, of two the even one.
    "xir.round_even" => RoundEven, FloatUnary::RoundEven, [IDEMPOTENT];
    /// `x - floor(x)`, rounded. It is 1 for negative numbers close to zero.
    "xir.fract" => Fract, FloatUnary::Fraction, [];
    /// 1 or -1 by the sign; zeros and NaN are themselves.
    "xir.sign" => Sign, FloatUnary::Sign, [IDEMPOTENT];
}

binary_float_operations! { binary;
    /// The sum of two floats.
    "xir.addf" => AddF, FloatBinary::Add, [COMMUTATIVE];
    /// The difference of two floats.
    "xir.subf" => SubF, FloatBinary::Subtract, [];
    /// The product of two floats.
    "xir.mulf" => MulF, FloatBinary::Multiply, [COMMUTATIVE];
    /// The quotient of two floats.
    "xir.divf" => DivF, FloatBinary::Divide, [];
    /// `x - y * trunc(x / y)` without any rounding; a zero result has the sign of `x`. NaN if `y` is zero or `x` is
    /// infinite.
    "xir.remf" => RemF, FloatBinary::Remainder, [];
    /// The lesser of two floats. A NaN loses against a number, and -0 is less than +0.
    "xir.minf" => MinF, FloatBinary::Minimum, [COMMUTATIVE];
    /// The greater of two floats. A NaN loses against a number, and -0 is less than +0.
    "xir.maxf" => MaxF, FloatBinary::Maximum, [COMMUTATIVE];
    /// The left operand with the sign bit of the right one.
    "xir.copysign" => CopySign, FloatBinary::CopySign, [];
}

ternary_float_operations! { ternary;
    /// `x * y + z`, rounded once.
    "xir.fma" => Fma, FloatTernary::FusedMultiplyAdd, [];
    /// `minf(maxf(x, low), high)`
    "xir.clampf" => ClampF, FloatTernary::Clamp, [];
}
