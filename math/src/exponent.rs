//! Significands and exponents.

use crate::Arithmetic;
use crate::format::power_of_two;

/// A positive number as `significand * 2^exponent`, the significand between the roots of 1/2 and of 2.
pub(crate) struct Decomposed<A: Arithmetic> {
    pub(crate) significand: A::Float,
    pub(crate) exponent: A::Integer,
}

/// Takes a positive normal number apart; anything else gives some numbers.
pub(crate) fn decompose_normal<A: Arithmetic>(a: &A, x: A::Float) -> Decomposed<A> {
    let mantissa_bits = a.integer(a.format().mantissa_bits().into());
    let root_half = a.format().pick(
        std::f32::consts::FRAC_1_SQRT_2.to_bits().into(),
        std::f64::consts::FRAC_1_SQRT_2.to_bits().cast_signed(),
    );
    let bits = a.float_to_bits(x);
    let exponent = a.int_sar(a.int_sub(bits, a.integer(root_half)), mantissa_bits);
    let significand = a.bits_to_float(a.int_sub(bits, a.int_shl(exponent, mantissa_bits)));
    Decomposed { significand, exponent }
}

/// Takes a positive number apart, and gives the exponent as a number; anything else gives some numbers.
pub(crate) fn decompose<A: Arithmetic>(a: &A, x: A::Float) -> (A::Float, A::Float) {
    let precision = a.format().precision();
    let subnormal = a.lt(x, a.float(power_of_two(1 - a.format().bias())));
    let scaled = a.select(subnormal, a.mul(x, a.float(power_of_two(precision.into()))), x);
    let Decomposed { significand, exponent } = decompose_normal(a, scaled);
    let correction = a.select(subnormal, a.float(f64::from(precision)), a.float(0.0));
    (a.sub(a.int_to_float(exponent), correction), significand)
}

/// 2 to the power of an exponent of normal numbers.
pub(crate) fn power_of<A: Arithmetic>(a: &A, exponent: A::Integer) -> A::Float {
    let biased = a.int_add(exponent, a.integer(a.format().bias()));
    a.bits_to_float(a.int_shl(biased, a.integer(a.format().mantissa_bits().into())))
}

/// A number between 1/2 and 2, times 2 to the power of an exponent from twice the least to twice the greatest one of
/// normal numbers, rounded once: the first of two factors leaves the number normal. 9 operations.
pub(crate) fn scale_by_power<A: Arithmetic>(a: &A, x: A::Float, exponent: A::Integer) -> A::Float {
    let half = a.int_sar(exponent, a.integer(1));
    let rest = a.int_sub(exponent, half);
    a.mul(a.mul(x, power_of(a, half)), power_of(a, rest))
}

/// `x` between two bounds; a NaN stays one. 4 operations.
pub(crate) fn clamp<A: Arithmetic>(a: &A, x: A::Float, least: A::Float, greatest: A::Float) -> A::Float {
    let bounded = a.select(a.lt(greatest, x), greatest, x);
    a.select(a.lt(bounded, least), least, bounded)
}

/// `x`, but not more than a bound; a NaN stays one. 2 operations.
pub(crate) fn at_most<A: Arithmetic>(a: &A, x: A::Float, greatest: A::Float) -> A::Float {
    a.select(a.lt(greatest, x), greatest, x)
}
