//! The operations that the algorithms are made of.

use crate::Format;

/// Arithmetic of one floating-point format, on numbers or on something that stands for them.
///
/// The algorithms of this crate are written once, over this trait. [`EvaluateF32`](crate::EvaluateF32) and
/// [`EvaluateF64`](crate::EvaluateF64) compute; another implementation can emit an operation of an IR per call and return
/// the value that it defines. No algorithm looks at a value other than through these operations, so the calls (which, in
/// which order, on which values) depend on the function and on [`format`](Self::format) alone.
///
/// What each operation means is fixed to the bit:
/// * Floating-point results are the exact result, rounded once to the format, to nearest, ties to even. Subnormal numbers
///   are kept, as operands and as results. Nothing is contracted or regrouped.
/// * Which NaN an operation gives is left open, as IEEE 754 leaves it. No algorithm depends on it: a result that is a NaN
///   always is the positive quiet one without payload.
/// * Integers have the width of the format; they wrap. The operations say where they read them as signed or unsigned.
/// * Methods take `&self`, so that calls can be nested; an implementation that collects operations needs a cell inside.
pub trait Arithmetic {
    /// A floating-point number of the format.
    type Float: Copy;
    /// An integer as wide as the format.
    type Integer: Copy;
    /// A truth value.
    type Boolean: Copy;

    /// The format of [`Float`](Self::Float).
    fn format(&self) -> Format;

    /// A constant. The value is a number of the format (never rounded) or an infinity.
    fn float(&self, value: f64) -> Self::Float;
    /// A constant: the low bits of `value`, as many as the format has.
    fn integer(&self, value: i64) -> Self::Integer;

    /// `x + y`
    fn add(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x - y`
    fn sub(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x * y`
    fn mul(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x / y`
    fn div(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x * y + z`, rounded once.
    fn fma(&self, x: Self::Float, y: Self::Float, z: Self::Float) -> Self::Float;
    /// The square root; NaN for negative numbers, -0 for -0.
    fn sqrt(&self, x: Self::Float) -> Self::Float;
    /// The nearest integer, ties to even. A zero result has the sign of the operand; infinities are themselves.
    fn round_even(&self, x: Self::Float) -> Self::Float;
    /// `x` with the sign bit inverted.
    fn neg(&self, x: Self::Float) -> Self::Float;
    /// `x` with the sign bit cleared.
    fn abs(&self, x: Self::Float) -> Self::Float;
    /// `magnitude` with the sign bit of `sign`.
    fn copysign(&self, magnitude: Self::Float, sign: Self::Float) -> Self::Float;

    /// `x < y`; false if one is a NaN.
    fn lt(&self, x: Self::Float, y: Self::Float) -> Self::Boolean;
    /// `x = y`; false if one is a NaN. Zeros of both signs are equal.
    fn eq(&self, x: Self::Float, y: Self::Float) -> Self::Boolean;
    /// Whether one of the operands is a NaN.
    fn unordered(&self, x: Self::Float, y: Self::Float) -> Self::Boolean;
    /// `x` if the condition holds, else `y`. The other one has no influence, be it a NaN.
    fn select(&self, condition: Self::Boolean, x: Self::Float, y: Self::Float) -> Self::Float;

    /// The bits of a number, as an integer.
    fn float_to_bits(&self, x: Self::Float) -> Self::Integer;
    /// The number that has these bits.
    fn bits_to_float(&self, x: Self::Integer) -> Self::Float;
    /// A signed integer, rounded to nearest, ties to even.
    fn int_to_float(&self, x: Self::Integer) -> Self::Float;
    /// A number rounded toward zero to a signed integer. One that is out of range gives the integer next to it, NaN gives 0.
    fn float_to_int(&self, x: Self::Float) -> Self::Integer;

    /// The sum.
    fn int_add(&self, x: Self::Integer, y: Self::Integer) -> Self::Integer;
    /// The difference.
    fn int_sub(&self, x: Self::Integer, y: Self::Integer) -> Self::Integer;
    /// The low half of the product.
    fn int_mul(&self, x: Self::Integer, y: Self::Integer) -> Self::Integer;
    /// The high half of the product of unsigned numbers.
    fn int_mul_high(&self, x: Self::Integer, y: Self::Integer) -> Self::Integer;
    /// Bitwise and.
    fn int_and(&self, x: Self::Integer, y: Self::Integer) -> Self::Integer;
    /// Bitwise or.
    fn int_or(&self, x: Self::Integer, y: Self::Integer) -> Self::Integer;
    /// Bitwise exclusive or.
    fn int_xor(&self, x: Self::Integer, y: Self::Integer) -> Self::Integer;
    /// `x` moved to the left by `amount` modulo the width.
    fn int_shl(&self, x: Self::Integer, amount: Self::Integer) -> Self::Integer;
    /// `x` moved to the right by `amount` modulo the width; zeros move in.
    fn int_shr(&self, x: Self::Integer, amount: Self::Integer) -> Self::Integer;
    /// `x` moved to the right by `amount` modulo the width; copies of the sign bit move in.
    fn int_sar(&self, x: Self::Integer, amount: Self::Integer) -> Self::Integer;
    /// Whether the bits are the same.
    fn int_eq(&self, x: Self::Integer, y: Self::Integer) -> Self::Boolean;
    /// `x < y` for signed numbers.
    fn int_lt(&self, x: Self::Integer, y: Self::Integer) -> Self::Boolean;
    /// `x < y` for unsigned numbers.
    fn int_lt_unsigned(&self, x: Self::Integer, y: Self::Integer) -> Self::Boolean;
    /// `x` if the condition holds, else `y`.
    fn int_select(&self, condition: Self::Boolean, x: Self::Integer, y: Self::Integer) -> Self::Integer;

    /// Whether both hold.
    fn and(&self, x: Self::Boolean, y: Self::Boolean) -> Self::Boolean;
    /// Whether one of them holds, or both.
    fn or(&self, x: Self::Boolean, y: Self::Boolean) -> Self::Boolean;
    /// Whether it does not hold.
    fn not(&self, x: Self::Boolean) -> Self::Boolean;
}
