//! cbrt, rsqrt.

use crate::Arithmetic;
use crate::format::{Format, power_of_two};
use crate::nan::one_nan;

/// `result` if `x` is positive and finite, else the other one.
fn if_positive_finite<A: Arithmetic>(a: &A, x: A::Float, result: A::Float, other: A::Float) -> A::Float {
    let regular = a.and(a.lt(a.float(0.0), x), a.lt(x, a.float(f64::INFINITY)));
    a.select(regular, result, other)
}

/// The cube root.
///
/// The bits of `x`, divided by -3, are a first guess at `x^(-1/3)`, 3.5 % off at most. One step of fourth order (`f64`: and
/// one of second order) makes it 10^-5 (10^-9); the cube root that follows from it takes a step of Newton's with an exact
/// residual.
pub fn cbrt<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let format = a.format();
    let power = |single: i64, double: i64| a.float(power_of_two(format.pick(single, double)));
    let magnitude = a.abs(x);
    let small = a.lt(magnitude, power(-60, -500));
    let value = a.select(small, a.mul(magnitude, power(90, 600)), magnitude);

    let third_of_bits =
        a.int_mul_high(a.float_to_bits(value), a.integer(format.pick(0x5555_5556, 0x5555_5555_5555_5556)));
    let guess = a.int_sub(a.integer(format.pick(0x54a1_f000, 0x553e_e8aa_aaaa_aa00)), third_of_bits);
    let mut inverse = a.bits_to_float(guess);
    let constant = |single: f32, double: f64| a.float(format.pick(single.into(), double));
    // With d = 1 - x w^3: x^(-1/3) = w (1 - d)^(-1/3) = w (1 + d/3 + 2 d^2/9 + 14 d^3/81 + ...).
    let third = constant(1.0 / 3.0, 1.0 / 3.0);
    let deviation = |inverse| a.fma(a.neg(a.mul(value, inverse)), a.mul(inverse, inverse), a.float(1.0));
    let d = deviation(inverse);
    let series = a.fma(d, constant(14.0 / 81.0, 14.0 / 81.0), constant(2.0 / 9.0, 2.0 / 9.0));
    inverse = a.fma(a.mul(inverse, d), a.fma(d, series, third), inverse);
    if format == Format::F64 {
        inverse = a.fma(a.mul(inverse, deviation(inverse)), third, inverse);
    }

    let inverse_square = a.mul(inverse, inverse);
    let root = a.mul(value, inverse_square);
    let square = a.mul(root, root);
    let square_error = a.fma(root, root, a.neg(square));
    let opposite = a.neg(root);
    let residual = a.fma(opposite, square_error, a.fma(opposite, square, value));
    let root = a.fma(residual, a.mul(inverse_square, third), root);

    let unscaled = a.mul(root, a.select(small, power(-30, -200), a.float(1.0)));
    one_nan(a, a.copysign(if_positive_finite(a, magnitude, unscaled, magnitude), x))
}

/// The reciprocal of the square root. NaN for negative numbers, infinity of the sign of a zero.
///
/// `y = 1 / sqrt(x)`, rounded twice, becomes `y + y (1 - x y^2) / 2`.
pub fn rsqrt<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let one = a.float(1.0);
    let guess = a.div(one, a.sqrt(x));
    let root = a.mul(x, guess);
    let root_error = a.fma(x, guess, a.neg(root));
    let opposite = a.neg(guess);
    let deviation = a.fma(opposite, root_error, a.fma(opposite, root, one));
    let result = a.fma(a.mul(guess, a.float(0.5)), deviation, guess);
    one_nan(a, if_positive_finite(a, x, result, guess))
}
