//! sin, cos, tan.
//!
//! The angle is reduced to `quadrant * pi/2 + r` with `|r| <= pi/4`, `r` a pair. Sine and cosine of `r` are polynomials
//! whose rounding errors in the leading terms are kept; the quadrant decides which of them is wanted, and with what sign.

use crate::Arithmetic;
use crate::format::Polynomial;
use crate::nan::nan;
use crate::pair::{self, Pair, fast_two_sum};
use crate::reduction::{Angle, reduce};

/// `(sin(r) / r - 1) / r^2` in `r^2`, `r` up to pi/4; minimax with coefficients in the format, relative error of the sine
/// 2^-32.3 and 2^-58.0.
const SINE: Polynomial = Polynomial {
    single: &[-0.16666667, 0.008333373, -0.00019850302, 2.8045024e-06],
    double: &[
        -0.16666666666666632,
        0.008333333333322488,
        -0.00019841269829854998,
        2.7557313705596196e-06,
        -2.5050759961515515e-08,
        1.5896889928331178e-10,
    ],
};

/// `(cos(r) - 1 + r^2/2) / r^4` in `r^2`, `r` up to pi/4; minimax, error of the cosine 2^-33.1 and 2^-64.2.
const COSINE: Polynomial = Polynomial {
    single: &[0.041666646, -0.0013887314, 2.443317e-05],
    double: &[
        0.0416666666666666,
        -0.0013888888888874478,
        2.4801587289675016e-05,
        -2.755731440201029e-07,
        2.0875729395041473e-09,
        -1.135993874153831e-11,
    ],
};

struct Parts<F> {
    sine: Pair<F>,
    cosine: Pair<F>,
}

/// Sine and cosine of an angle of at most pi/4. The low part of the sine may be 8 % of it.
fn parts<A: Arithmetic>(a: &A, angle: Pair<A::Float>) -> Parts<A::Float> {
    let square = a.mul(angle.high, angle.high);
    let half = a.mul(square, a.float(0.5));
    let one = a.float(1.0);

    let cube = a.mul(square, angle.high);
    let turned = a.fma(a.neg(half), angle.low, angle.low);
    let sine = Pair { high: angle.high, low: a.fma(cube, SINE.at(a, square), turned) };

    let high = a.sub(one, half);
    let error = a.sub(a.sub(one, high), half);
    let square_error = a.fma(angle.high, angle.high, a.neg(square));
    let error = a.fma(a.float(-0.5), square_error, error);
    let error = a.fma(a.neg(angle.high), angle.low, error);
    let cosine = Pair { high, low: a.fma(a.mul(square, square), COSINE.at(a, square), error) };
    Parts { sine, cosine }
}

/// `result`, or NaN if `x` is infinite or NaN.
fn finite_only<A: Arithmetic>(a: &A, x: A::Float, result: A::Float) -> A::Float {
    a.select(a.lt(a.abs(x), a.float(f64::INFINITY)), result, nan(a))
}

/// Whether the quadrant is 0 or 2.
fn is_even<A: Arithmetic>(a: &A, quadrant: A::Integer) -> A::Boolean {
    a.int_eq(a.int_and(quadrant, a.integer(1)), a.integer(0))
}

/// `magnitude` with its sign changed in quadrants 2 and 3, and once more if `sign` has its sign bit set.
fn with_sign<A: Arithmetic>(a: &A, magnitude: A::Float, quadrant: A::Integer, sign: A::Integer) -> A::Float {
    let width = i64::from(a.format().width());
    let half_turn = a.int_shl(quadrant, a.integer(width - 2));
    let sign_bit = a.int_and(a.int_xor(half_turn, sign), a.integer(1 << (width - 1)));
    a.bits_to_float(a.int_xor(a.float_to_bits(magnitude), sign_bit))
}

fn sine_of<A: Arithmetic>(a: &A, x: A::Float, quadrant: A::Integer, parts: &Parts<A::Float>) -> A::Float {
    let magnitude = pair::round(a, pair::select(a, is_even(a, quadrant), parts.sine, parts.cosine));
    finite_only(a, x, with_sign(a, magnitude, quadrant, a.float_to_bits(x)))
}

fn cosine_of<A: Arithmetic>(a: &A, x: A::Float, quadrant: A::Integer, parts: &Parts<A::Float>) -> A::Float {
    let magnitude = pair::round(a, pair::select(a, is_even(a, quadrant), parts.cosine, parts.sine));
    let shifted = a.int_add(quadrant, a.integer(1));
    finite_only(a, x, with_sign(a, magnitude, shifted, a.integer(0)))
}

/// The sine of an angle in radians. NaN for infinities.
pub fn sin<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let Angle { quadrant, rest } = reduce(a, a.abs(x));
    sine_of(a, x, quadrant, &parts(a, rest))
}

/// The cosine of an angle in radians. NaN for infinities.
pub fn cos<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let Angle { quadrant, rest } = reduce(a, a.abs(x));
    cosine_of(a, x, quadrant, &parts(a, rest))
}

/// [`sin`] and [`cos`] at once; they share the reduction.
pub fn sin_cos<A: Arithmetic>(a: &A, x: A::Float) -> (A::Float, A::Float) {
    let Angle { quadrant, rest } = reduce(a, a.abs(x));
    let parts = parts(a, rest);
    (sine_of(a, x, quadrant, &parts), cosine_of(a, x, quadrant, &parts))
}

/// The tangent of an angle in radians. NaN for infinities.
pub fn tan<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let Angle { quadrant, rest } = reduce(a, a.abs(x));
    let Parts { sine, cosine } = parts(a, rest);
    let even = is_even(a, quadrant);
    let sine = fast_two_sum(a, sine.high, sine.low);
    let cosine = fast_two_sum(a, cosine.high, cosine.low);
    let numerator = pair::select(a, even, sine, cosine);
    let denominator = pair::select(a, even, cosine, sine);
    let magnitude = pair::round(a, pair::divide(a, numerator, denominator));
    // The sign changes in odd quadrants: the lowest bit moves to where the half turns are.
    let turned = a.int_shl(quadrant, a.integer(1));
    finite_only(a, x, with_sign(a, magnitude, turned, a.float_to_bits(x)))
}
