//! sinh, cosh, tanh.
//!
//! With `x = n * ln 2 + r`, `U = 2^(n-1) + 2^(-n-1)` and `D = 2^(n-1) - 2^(-n-1)`:
//! `sinh(x) = D cosh(r) + U sinh(r)` and `cosh(x) = U cosh(r) + D sinh(r)`. Nothing cancels, and `n = 0` needs no case of
//! its own: `D` is 0 there and `U` is 1.

use crate::Arithmetic;
use crate::exponent::{at_most, power_of};
use crate::exponential::{Reduced, reduce_natural};
use crate::format::Polynomial;
use crate::nan::one_nan;
use crate::pair::{self, Pair, fast_two_sum};

/// `(cosh(r) - 1) / r^2` in `r^2`, `r` up to 0.347; minimax, error of `cosh` 2^-33.1 and 2^-70.0.
const COSH: Polynomial = Polynomial {
    single: &[0.5, 0.04166645, 0.0013936117],
    double: &[
        0.5,
        0.041666666666666685,
        0.001388888888887329,
        2.4801587349176655e-05,
        2.7557251851173686e-07,
        2.0921757466629065e-09,
    ],
};

/// `(sinh(r) / r - 1) / r^2` in `r^2`, `r` up to 0.347; minimax, relative error of `sinh` 2^-34.1 and 2^-61.7.
const SINH: Polynomial = Polynomial {
    single: &[0.16666667, 0.008333192, 0.00019958447],
    double: &[
        0.16666666666666677,
        0.008333333333321423,
        0.00019841269886655265,
        2.75572436690917e-06,
        2.5109228857460862e-08,
    ],
};

struct Parts<F> {
    /// U.
    sum: Pair<F>,
    /// D.
    difference: Pair<F>,
    /// r.
    rest: Pair<F>,
    /// `cosh(r) - 1`
    cosh_low: F,
    /// `sinh(r) - r.high`
    sinh_low: F,
}

/// The parts for these exponents, `n - 1` and `-n - 1`.
fn parts<A: Arithmetic>(a: &A, rest: Pair<A::Float>, upper: A::Float, lower: A::Float) -> Parts<A::Float> {
    let up = power_of(a, a.float_to_int(upper));
    let down = power_of(a, a.float_to_int(lower));
    let square = a.mul(rest.high, rest.high);
    let cosh_low = a.mul(square, COSH.at(a, square));
    let cube = a.mul(square, rest.high);
    let sinh_low = a.fma(cube, SINH.at(a, square), rest.low);
    let difference = fast_two_sum(a, up, a.neg(down));
    Parts { sum: fast_two_sum(a, up, down), difference, rest, cosh_low, sinh_low }
}

/// The parts for the magnitude of a number, and the factor that the result is to be multiplied with: 2 where `n` is so
/// great that U, halved, stays in range.
fn parts_in_range<A: Arithmetic>(a: &A, x: A::Float) -> (Parts<A::Float>, A::Float) {
    let format = a.format();
    // Beyond, the result is infinity, as it is here.
    let magnitude = at_most(a, a.abs(x), a.float(format.pick(89.5, 710.6)));
    let Reduced { count, rest } = reduce_natural(a, magnitude);
    let great = a.lt(a.float(format.pick(100.0, 1000.0)), count);
    let factor = a.select(great, a.float(2.0), a.float(1.0));
    let negligible = a.float(format.pick(-100.0, -1000.0));
    let lower = a.select(great, negligible, a.sub(a.float(-1.0), count));
    (parts(a, rest, a.sub(count, factor), lower), factor)
}

/// `even * cosh(r) + odd * sinh(r)`
fn combine<A: Arithmetic>(a: &A, parts: &Parts<A::Float>, even: Pair<A::Float>, odd: Pair<A::Float>) -> Pair<A::Float> {
    let product = pair::scale(a, odd, parts.rest.high);
    let sum = fast_two_sum(a, even.high, product.high);
    let low = a.add(a.add(sum.low, even.low), product.low);
    let low = a.fma(even.high, parts.cosh_low, a.fma(odd.high, parts.sinh_low, low));
    Pair { high: sum.high, low }
}

/// The hyperbolic sine.
pub fn sinh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (parts, factor) = parts_in_range(a, x);
    let magnitude = pair::round(a, combine(a, &parts, parts.difference, parts.sum));
    one_nan(a, a.copysign(a.mul(magnitude, factor), x))
}

/// The hyperbolic cosine.
pub fn cosh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (parts, factor) = parts_in_range(a, x);
    let magnitude = pair::round(a, combine(a, &parts, parts.sum, parts.difference));
    one_nan(a, a.mul(magnitude, factor))
}

/// The hyperbolic tangent.
pub fn tanh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    // Beyond, the result is 1, as it is here.
    let magnitude = at_most(a, a.abs(x), a.float(a.format().pick(10.0, 20.0)));
    let Reduced { count, rest } = reduce_natural(a, magnitude);
    let minus_one = a.float(-1.0);
    let parts = parts(a, rest, a.add(count, minus_one), a.sub(minus_one, count));
    let sinh = combine(a, &parts, parts.difference, parts.sum);
    let cosh = combine(a, &parts, parts.sum, parts.difference);
    let cosh = fast_two_sum(a, cosh.high, cosh.low);
    one_nan(a, a.copysign(pair::round(a, pair::divide(a, sinh, cosh)), x))
}
