//! pow.
//!
//! `|x|^y = exp(y log |x|)`, the logarithm and its product with `y` being pairs: in the result's exponent an error is
//! multiplied by up to 128 (`f32`) or 1024 (`f64`). With `x = m * 2^e` as for the logarithm, `s = 2 (m - 1) / (m + 1)` is a
//! pair and `log m = s + s^3 / 12 + s^5 q(s^2)`, all terms but the last ones pairs.

use crate::Arithmetic;
use crate::exponent::{clamp, decompose};
use crate::exponential::{LN_2_STEP, Reduced, bounded, finish, reduce_natural};
use crate::format::{Constant, PairConstant, Polynomial, power_of_two};
use crate::nan::nan;
use crate::pair::{self, Pair, fast_two_sum};

/// `(2 artanh(s/2) - s - s^3/12) / s^5` in `s^2`, `s` up to 0.3432; minimax with coefficients in the format, relative error
/// of the logarithm 2^-36.8 and 2^-73.5.
const QUINTIC: Polynomial = Polynomial {
    single: &[0.012500048, 0.002230242, 0.00045740997],
    double: &[
        0.012499999999999994,
        0.002232142857144048,
        0.00043402777769139346,
        8.877841231773698e-05,
        1.8779978663961666e-05,
        4.069903851285008e-06,
        8.907967581481652e-07,
        2.2852297404030688e-07,
    ],
};

const TWELFTH: PairConstant = PairConstant {
    high: Constant { single: 0.083333336, double: 0.08333333333333333 },
    low: Constant { single: -2.483527e-09, double: 4.625929269271486e-18 },
};

/// The natural logarithm of a positive finite number, as a pair.
fn log_pair<A: Arithmetic>(a: &A, x: A::Float) -> Pair<A::Float> {
    let one = a.float(1.0);
    let (exponent, significand) = decompose(a, x);
    let f = a.sub(significand, one);
    let numerator = Pair { high: a.add(f, f), low: a.float(0.0) };
    let s = pair::divide(a, numerator, fast_two_sum(a, one, significand));

    let square = pair::multiply(a, s, s);
    let twelfth = TWELFTH.of(a);
    let factor = fast_two_sum(a, twelfth.high, a.mul(square.high, QUINTIC.at(a, square.high)));
    let factor = Pair { high: factor.high, low: a.add(factor.low, twelfth.low) };
    let cubic = pair::multiply(a, s, pair::multiply(a, square, factor));
    let sum = fast_two_sum(a, s.high, cubic.high);
    let low = a.add(a.add(sum.low, cubic.low), s.low);

    let unit = LN_2_STEP.of(a);
    let total = fast_two_sum(a, a.mul(exponent, unit.high), sum.high);
    let low = a.fma(exponent, unit.low, a.add(total.low, low));
    fast_two_sum(a, total.high, low)
}

/// `exp(y log x)` for a positive finite `x`.
fn power_of_positive<A: Arithmetic>(a: &A, x: A::Float, y: A::Float) -> A::Float {
    // Every x but 1 gives infinity or 0 at these exponents, and 1 gives 1.
    let greatest = power_of_two(a.format().pick(32, 66));
    let y = clamp(a, y, a.float(-greatest), a.float(greatest));
    let product = pair::scale(a, log_pair(a, x), y);
    let high = bounded(a, product.high, (-105.0, -746.0), (89.0, 710.0));
    let low = a.select(a.eq(high, product.high), product.low, a.float(0.0));
    let Reduced { count, rest } = reduce_natural(a, high);
    let rest = fast_two_sum(a, rest.high, a.add(rest.low, low));
    finish(a, Reduced { count, rest })
}

/// `x` to the power of `y`, with the special cases of IEEE 754's `pow`: 1 if `x` is 1 or `y` is 0, be the other one a NaN;
/// negative numbers have powers with integers alone, and the sign of `x` counts if `y` is odd.
pub fn pow<A: Arithmetic>(a: &A, x: A::Float, y: A::Float) -> A::Float {
    let (zero, one, infinity) = (a.float(0.0), a.float(1.0), a.float(f64::INFINITY));
    let magnitude = a.abs(x);
    let regular = power_of_positive(a, magnitude, y);

    let x_zero = a.eq(magnitude, zero);
    let x_infinite = a.eq(magnitude, infinity);
    let at_zero = a.select(a.lt(y, zero), infinity, zero);
    let at_infinity = a.select(a.lt(y, zero), zero, infinity);
    let power = a.select(x_zero, at_zero, regular);
    let power = a.select(x_infinite, at_infinity, power);

    let integer = a.eq(a.round_even(y), y);
    let half = a.mul(y, a.float(0.5));
    let odd = a.and(integer, a.not(a.eq(a.round_even(half), half)));
    let signed = a.and(odd, a.int_lt(a.float_to_bits(x), a.integer(0)));
    let power = a.select(signed, a.neg(power), power);

    let finite_below_zero = a.and(a.lt(x, zero), a.not(x_infinite));
    let undefined = a.or(a.and(finite_below_zero, a.not(integer)), a.unordered(x, y));
    let power = a.select(undefined, nan(a), power);
    a.select(a.or(a.eq(x, one), a.eq(y, zero)), one, power)
}
