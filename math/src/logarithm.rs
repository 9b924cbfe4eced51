//! log, log2, log10, log1p.
//!
//! `x` is `m * 2^e` with `m` between the roots of 1/2 and of 2, and `f = m - 1` is exact. Then
//! `log(x) = e * log(2) + f - f^2/2 + f^3 p(f)`, `p` a polynomial: no division. The other bases multiply the logarithm of
//! `m`, a pair, by a pair.

use std::f32::consts as single;
use std::f64::consts as double;

use crate::Arithmetic;
use crate::exponent::{Decomposed, decompose, decompose_normal, power_of};
use crate::exponential::{LN_2_STEP, LOG10_2_STEP};
use crate::format::{Constant, PairConstant, Polynomial};
use crate::nan::{nan, one_nan};
use crate::pair::{self, Pair, fast_two_sum};

/// `2 (log(1 + f) - f + f^2/2) / f^3` on [sqrt(1/2) - 1, sqrt(2) - 1], minimax with coefficients in the format, for the
/// least relative error of `log(1 + f)`: 2^-30.4 and 2^-59.3.
const CUBIC: Polynomial = Polynomial {
    single: &[
        0.6666662,
        -0.49999973,
        0.4000445,
        -0.33338502,
        0.28437352,
        -0.24768685,
        0.23745778,
        -0.23579755,
        0.13831237,
    ],
    double: &[
        0.6666666666666694,
        -0.4999999999999847,
        0.399999999998807,
        -0.3333333333366063,
        0.2857142858891278,
        -0.24999999980971757,
        0.22222220974592777,
        -0.19999999895338635,
        0.1818186814923551,
        -0.16666717122296565,
        0.15383429809686375,
        -0.14283556125970806,
        0.13349849345367462,
        -0.1254400601447808,
        0.11643646362182329,
        -0.10632054116311393,
        0.10770432102881794,
        -0.12570904478657233,
        0.11571541096498547,
        -0.049924065166281936,
    ],
};

const LOG2_E: PairConstant = PairConstant {
    high: Constant { single: single::LOG2_E, double: double::LOG2_E },
    low: Constant { single: 1.925963e-08, double: 2.0355273740931033e-17 },
};

const LOG10_E: PairConstant = PairConstant {
    high: Constant { single: single::LOG10_E, double: double::LOG10_E },
    low: Constant { single: -1.010305e-08, double: 1.098319650216765e-17 },
};

/// `start + log(1 + f) - f`, for a start that is `f` or much greater.
fn with_higher_terms<A: Arithmetic>(a: &A, start: A::Float, f: A::Float) -> Pair<A::Float> {
    let half_square = pair::two_product(a, a.mul(f, a.float(0.5)), f);
    let sum = fast_two_sum(a, start, a.neg(half_square.high));
    let half_cube = a.mul(f, half_square.high);
    let low = a.fma(half_cube, CUBIC.at(a, f), a.sub(sum.low, half_square.low));
    Pair { high: sum.high, low }
}

/// The result for a positive finite `x`; else infinity for infinity, minus infinity for zeros, and NaN.
fn with_domain<A: Arithmetic>(a: &A, x: A::Float, result: A::Float) -> A::Float {
    let (zero, infinity) = (a.float(0.0), a.float(f64::INFINITY));
    let undefined = a.select(a.eq(x, infinity), x, nan(a));
    let special = a.select(a.eq(x, zero), a.float(f64::NEG_INFINITY), undefined);
    a.select(a.and(a.lt(zero, x), a.lt(x, infinity)), result, special)
}

/// `exponent * log(2) + log(1 + f) + rest`
fn natural<A: Arithmetic>(a: &A, exponent: A::Float, f: A::Float, rest: Option<A::Float>) -> A::Float {
    let unit = LN_2_STEP.of(a);
    let low = match rest {
        Some(rest) => a.fma(exponent, unit.low, rest),
        None => a.mul(exponent, unit.low),
    };
    let start = fast_two_sum(a, a.mul(exponent, unit.high), f);
    let terms = with_higher_terms(a, start.high, f);
    a.add(terms.high, a.add(terms.low, a.add(start.low, low)))
}

/// The natural logarithm.
pub fn log<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (exponent, significand) = decompose(a, x);
    let f = a.sub(significand, a.float(1.0));
    with_domain(a, x, natural(a, exponent, f, None))
}

/// The logarithm of a number between the roots of 1/2 and of 2 to the base whose logarithm has this reciprocal.
fn of_significand<A: Arithmetic>(a: &A, significand: A::Float, factor: &PairConstant) -> Pair<A::Float> {
    let f = a.sub(significand, a.float(1.0));
    pair::multiply(a, with_higher_terms(a, f, f), factor.of(a))
}

/// The logarithm to base 2.
pub fn log2<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (exponent, significand) = decompose(a, x);
    let sum = pair::add_to(a, exponent, of_significand(a, significand, &LOG2_E));
    with_domain(a, x, pair::round(a, sum))
}

/// The logarithm to base 10.
pub fn log10<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (exponent, significand) = decompose(a, x);
    let unit = LOG10_2_STEP.of(a);
    let logarithm = of_significand(a, significand, &LOG10_E);
    let sum = pair::add_to(a, a.mul(exponent, unit.high), logarithm);
    with_domain(a, x, a.add(sum.high, a.fma(exponent, unit.low, sum.low)))
}

/// `log(1 + y)` for a pair that is greater than -1, finite, and may be as small as it likes; for greater ones infinity or
/// some number. `more` is added to the exponent of `1 + y`.
pub(crate) fn log1p_of_pair<A: Arithmetic>(a: &A, y: Pair<A::Float>, more: A::Float) -> A::Float {
    let one = a.float(1.0);
    let sum = pair::two_sum(a, one, y.high);
    let Decomposed { significand, exponent } = decompose_normal(a, sum.high);
    // The rest is negligible when 1 + y is great; then its power of 2 need not be exact, only in range.
    let greatest = a.integer(a.format().bias() - 1);
    let bounded = a.int_select(a.int_lt(greatest, exponent), greatest, exponent);
    let inverse_power = power_of(a, a.int_sub(a.integer(0), bounded));
    let low = a.mul(a.add(sum.low, y.low), inverse_power);
    // With the exponent 0, y itself is more exact than 1 + y without its 1.
    let near = a.int_eq(exponent, a.integer(0));
    let f = a.select(near, y.high, a.sub(significand, one));
    let f_low = a.select(near, y.low, low);
    // log(1 + f + f_low) = log(1 + f) + f_low / (1 + f), and 1 / (1 + f) = 1 - f + f^2 - ...
    let opposite = a.neg(f);
    let rest = a.fma(opposite, a.fma(opposite, f_low, f_low), f_low);
    natural(a, a.add(a.int_to_float(exponent), more), f, Some(rest))
}

/// `log(1 + x)`, without cancellation near 0.
pub fn log1p<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let zero = a.float(0.0);
    let result = log1p_of_pair(a, Pair { high: x, low: zero }, zero);
    one_nan(a, a.copysign(with_domain(a, a.add(x, a.float(1.0)), result), x))
}
