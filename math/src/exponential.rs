//! exp, exp2, exp10, expm1.
//!
//! `x` is `n * ln 2 + r` with `|r| <= ln 2 / 2` (Cody and Waite: the part of ln 2 that `n` multiplies exactly, and the
//! rest), `r` a pair; then `exp(x) = 2^n * (1 + r + r^2 q(r))`. The other bases reduce in their own unit, exactly, and
//! turn the rest into a natural exponent.

use std::f32::consts as single;
use std::f64::consts as double;

use crate::Arithmetic;
use crate::exponent::{clamp, power_of, scale_by_power};
use crate::format::{Constant, PairConstant, Polynomial};
use crate::nan::one_nan;
use crate::pair::{self, Pair, fast_two_sum};

/// `(exp(r) - 1 - r) / r^2` on [-0.347, 0.347], minimax with coefficients in the format, for the least relative error of
/// `exp(r) - 1`: 2^-31.0 and 2^-64.7.
const REST: Polynomial = Polynomial {
    single: &[0.5, 0.16666667, 0.041666478, 0.008333191, 0.0013933715, 0.00019959314],
    double: &[
        0.5,
        0.16666666666666666,
        0.04166666666666668,
        0.008333333333334213,
        0.0013888888888877427,
        0.00019841269838342005,
        2.4801587340687274e-05,
        2.7557323661395614e-06,
        2.7557259116992704e-07,
        2.5048967217835408e-08,
        2.091953685095819e-09,
        1.6911963668615095e-10,
    ],
};

/// ln 2, the high part with so many zero bits that its product with any exponent is exact.
pub(crate) const LN_2_STEP: PairConstant = PairConstant {
    high: Constant { single: 0.69314575, double: 0.6931471805598903 },
    low: Constant { single: 1.4286068e-06, double: 5.497923018708371e-14 },
};

/// log10 2, the high part with as many zero bits.
pub(crate) const LOG10_2_STEP: PairConstant = PairConstant {
    high: Constant { single: 0.30103302, double: 0.30102999566395283 },
    low: Constant { single: -3.0243555e-06, double: 2.8363394551044964e-14 },
};

const LN_2: PairConstant = PairConstant {
    high: Constant { single: single::LN_2, double: double::LN_2 },
    low: Constant { single: -1.9046542e-09, double: 2.3190468138462996e-17 },
};

const LN_10: PairConstant = PairConstant {
    high: Constant { single: single::LN_10, double: double::LN_10 },
    low: Constant { single: -3.1975436e-08, double: -2.1707562233822494e-16 },
};

const LOG2_E: Constant = Constant { single: single::LOG2_E, double: double::LOG2_E };
const LOG2_10: Constant = Constant { single: single::LOG2_10, double: double::LOG2_10 };

/// `x` as `count * unit + rest`.
pub(crate) struct Reduced<F> {
    pub(crate) count: F,
    pub(crate) rest: Pair<F>,
}

/// Reduces by a unit whose reciprocal is given. 7 operations.
pub(crate) fn reduce<A: Arithmetic>(
    a: &A,
    x: A::Float,
    reciprocal: Constant,
    unit: &PairConstant,
) -> Reduced<A::Float> {
    let count = a.round_even(a.mul(x, reciprocal.of(a)));
    let opposite = a.neg(count);
    let unit = unit.of(a);
    let exact = a.fma(opposite, unit.high, x);
    let high = a.fma(opposite, unit.low, exact);
    let low = a.fma(opposite, unit.low, a.sub(exact, high));
    Reduced { count, rest: Pair { high, low } }
}

/// Reduces by ln 2.
pub(crate) fn reduce_natural<A: Arithmetic>(a: &A, x: A::Float) -> Reduced<A::Float> {
    reduce(a, x, LOG2_E, &LN_2_STEP)
}

/// `exp(r) - 1 - r.high`, for `r` up to ln 2 / 2.
fn beyond_linear<A: Arithmetic>(a: &A, r: Pair<A::Float>) -> A::Float {
    let square = a.mul(r.high, r.high);
    a.fma(square, REST.at(a, r.high), a.fma(r.high, r.low, r.low))
}

/// `exp(r) * 2^count`
pub(crate) fn finish<A: Arithmetic>(a: &A, reduced: Reduced<A::Float>) -> A::Float {
    let low = beyond_linear(a, reduced.rest);
    let linear = fast_two_sum(a, a.float(1.0), reduced.rest.high);
    let significand = a.add(linear.high, a.add(linear.low, low));
    scale_by_power(a, significand, a.float_to_int(reduced.count))
}

/// Operands outside of these bounds give infinity and 0, as the bounds do.
pub(crate) fn bounded<A: Arithmetic>(a: &A, x: A::Float, least: (f64, f64), greatest: (f64, f64)) -> A::Float {
    let format = a.format();
    clamp(a, x, a.float(format.pick(least.0, least.1)), a.float(format.pick(greatest.0, greatest.1)))
}

/// e to the power of `x`.
pub fn exp<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let x = bounded(a, x, (-105.0, -746.0), (89.0, 710.0));
    one_nan(a, finish(a, reduce_natural(a, x)))
}

/// 2 to the power of `x`.
pub fn exp2<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let x = bounded(a, x, (-151.0, -1076.0), (128.0, 1024.0));
    let count = a.round_even(x);
    let rest = a.sub(x, count);
    let factor = LN_2.of(a);
    let product = pair::two_product(a, rest, factor.high);
    let rest = Pair { high: product.high, low: a.fma(rest, factor.low, product.low) };
    one_nan(a, finish(a, Reduced { count, rest }))
}

/// 10 to the power of `x`.
pub fn exp10<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let x = bounded(a, x, (-46.0, -324.0), (39.0, 309.0));
    let Reduced { count, rest } = reduce(a, x, LOG2_10, &LOG10_2_STEP);
    let rest = pair::multiply(a, rest, LN_10.of(a));
    one_nan(a, finish(a, Reduced { count, rest }))
}

/// `exp(x) - 1`, without cancellation near 0.
pub fn expm1<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let one = a.float(1.0);
    let bounded = bounded(a, x, (-25.0, -45.0), (89.0, 710.0));
    let Reduced { count, rest } = reduce_natural(a, bounded);
    // The power of 2 of the greatest results is out of range: half of it is used.
    let great = a.lt(a.float(a.format().pick(100.0, 1000.0)), count);
    let exponent = a.float_to_int(a.select(great, a.sub(count, one), count));
    let factor = a.select(great, a.float(2.0), one);

    let power = power_of(a, exponent);
    let constant = fast_two_sum(a, power, a.float(-1.0));
    let linear = fast_two_sum(a, constant.high, a.mul(power, rest.high));
    let low = a.fma(power, beyond_linear(a, rest), a.add(linear.low, constant.low));
    one_nan(a, a.copysign(a.mul(a.add(linear.high, low), factor), x))
}
