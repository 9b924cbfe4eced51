//! asin, acos, atan, atan2.

use crate::Arithmetic;
use crate::exponent::at_most;
use crate::format::{Constant, PairConstant, Polynomial, power_of_two};
use crate::nan::{nan, one_nan};
use crate::pair::{self, Pair, fast_two_sum};

/// `(atan(t) / t - 1) / t^2` in `t^2`, `t` up to sqrt(2) - 1; minimax with coefficients in the format, relative error of
/// the arc tangent 2^-30.5 and 2^-59.5.
const ARC_TANGENT: Polynomial = Polynomial {
    single: &[-0.33333316, 0.19998533, -0.1424451, 0.10600167, -0.06092717],
    double: &[
        -0.333333333333332,
        0.19999999999953894,
        -0.14285714280232742,
        0.11111110785451604,
        -0.0909089781874683,
        0.07692061348721865,
        -0.06663117335979052,
        0.05847988061118398,
        -0.05039756359678126,
        0.03807615682722445,
        -0.017920001955233595,
    ],
};

/// `(asin(s) / s - 1) / s^2` in `s^2`, `s` up to 1/2; minimax, relative error of the arc sine 2^-31.7 and 2^-59.8.
const ARC_SINE: Polynomial = Polynomial {
    single: &[0.1666666, 0.07500518, 0.044514574, 0.031825937, 0.014374405, 0.03760137],
    double: &[
        0.16666666666666763,
        0.07499999999970164,
        0.04464285717520085,
        0.030381942680181375,
        0.022372215749398065,
        0.017351598590570925,
        0.013980978563891223,
        0.011397641502546785,
        0.010787258724284618,
        0.003680357563241655,
        0.021769891973379724,
        -0.02108618245230479,
        0.03268237108146823,
    ],
};

const QUARTER_PI: PairConstant = PairConstant {
    high: Constant { single: std::f32::consts::FRAC_PI_4, double: std::f64::consts::FRAC_PI_4 },
    low: Constant { single: -2.1855694e-08, double: 3.061616997868383e-17 },
};

/// sqrt(2) - 1, the tangent of pi/8.
const TANGENT_OF_EIGHTH: Constant = Constant { single: 0.41421357, double: 0.41421356237309503 };

/// `quarters * pi/4 + factor * (high + low)`, the quarters 0 to 4, the factor a power of 2 with a sign.
fn turned<A: Arithmetic>(a: &A, quarters: A::Float, factor: A::Float, angle: Pair<A::Float>) -> A::Float {
    let base = pair::scale(a, QUARTER_PI.of(a), quarters);
    let sum = fast_two_sum(a, base.high, a.mul(angle.high, factor));
    let low = a.fma(angle.low, factor, a.add(sum.low, base.low));
    a.add(sum.high, low)
}

/// An arc as `quarters * pi/4 + sign * angle`.
struct Arc<F> {
    quarters: F,
    sign: F,
    angle: Pair<F>,
}

/// The arc tangent of `numerator / denominator`, from 0 to 1.
fn arc_of_ratio<A: Arithmetic>(a: &A, numerator: A::Float, denominator: A::Float) -> Arc<A::Float> {
    // Beyond pi/8: pi/4 - atan((d - n) / (d + n)).
    let (zero, one) = (a.float(0.0), a.float(1.0));
    let beyond = a.lt(a.mul(denominator, TANGENT_OF_EIGHTH.of(a)), numerator);
    let difference = fast_two_sum(a, denominator, a.neg(numerator));
    let sum = fast_two_sum(a, denominator, numerator);
    let numerator = pair::select(a, beyond, difference, Pair { high: numerator, low: zero });
    let denominator = pair::select(a, beyond, sum, Pair { high: denominator, low: zero });
    let ratio = pair::divide(a, numerator, denominator);

    let square = a.mul(ratio.high, ratio.high);
    let cube = a.mul(square, ratio.high);
    // The low part of the ratio counts times the derivative, 1 / (1 + t^2).
    let error = a.fma(a.neg(square), ratio.low, ratio.low);
    let low = a.fma(cube, ARC_TANGENT.at(a, square), error);
    Arc {
        quarters: a.select(beyond, one, zero),
        sign: a.select(beyond, a.float(-1.0), one),
        angle: Pair { high: ratio.high, low },
    }
}

/// `quarters - arc`, if the condition holds.
fn mirrored<A: Arithmetic>(a: &A, condition: A::Boolean, quarters: f64, arc: Arc<A::Float>) -> Arc<A::Float> {
    Arc {
        quarters: a.select(condition, a.sub(a.float(quarters), arc.quarters), arc.quarters),
        sign: a.select(condition, a.neg(arc.sign), arc.sign),
        angle: arc.angle,
    }
}

/// The arc tangent, from -pi/2 to pi/2.
pub fn atan<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    // Beyond the bound the result stays the same.
    let magnitude = at_most(a, a.abs(x), a.float(power_of_two(60)));
    let one = a.float(1.0);
    let great = a.lt(one, magnitude);
    let arc = arc_of_ratio(a, a.select(great, one, magnitude), a.select(great, magnitude, one));
    let Arc { quarters, sign, angle } = mirrored(a, great, 2.0, arc);
    one_nan(a, a.copysign(turned(a, quarters, sign, angle), x))
}

/// The angle from the positive x-axis to the point (x, y), from -pi to pi. Signed zeros are limits, and so are infinities:
/// of two the angle is an odd multiple of pi/4.
pub fn atan2<A: Arithmetic>(a: &A, y: A::Float, x: A::Float) -> A::Float {
    let one = a.float(1.0);
    let (x_magnitude, y_magnitude) = (a.abs(x), a.abs(y));
    let steep = a.lt(x_magnitude, y_magnitude);
    let less = a.select(steep, x_magnitude, y_magnitude);
    let greater = a.select(steep, y_magnitude, x_magnitude);
    let (less, greater) = in_range(a, less, greater);

    // A tiny ratio is its own arc tangent. It may be subnormal, so it must be rounded once.
    let tiny = a.lt(less, a.mul(greater, a.float(power_of_two(-60))));
    let numerator = a.select(tiny, a.div(less, greater), less);
    let infinite = a.eq(numerator, a.float(f64::INFINITY));
    let numerator = a.select(infinite, one, numerator);
    let unit = a.or(a.or(tiny, infinite), a.eq(greater, a.float(0.0)));
    let arc = arc_of_ratio(a, numerator, a.select(unit, one, greater));

    let left = a.int_lt(a.float_to_bits(x), a.integer(0));
    let Arc { quarters, sign, angle } = mirrored(a, left, 4.0, mirrored(a, steep, 2.0, arc));
    let result = a.copysign(turned(a, quarters, sign, angle), y);
    a.select(a.unordered(x, y), nan(a), result)
}

/// Two magnitudes times a power of 2 that keeps sums and products of the greater one from leaving the range of normal
/// numbers. What the lesser one may lose is less than the ratio can tell.
fn in_range<A: Arithmetic>(a: &A, less: A::Float, greater: A::Float) -> (A::Float, A::Float) {
    let power = |single: i64, double: i64| a.float(power_of_two(a.format().pick(single, double)));
    let great = a.lt(power(100, 1000), greater);
    let small = a.lt(greater, power(-40, -400));
    let down = a.select(great, power(-28, -200), a.float(1.0));
    let factor = a.select(small, power(110, 900), down);
    (a.mul(less, factor), a.mul(greater, factor))
}

/// An arc sine, or half the complement of one: of a number from 0 to 1/2 itself, beyond of `sqrt((1 - x) / 2)`.
fn half_arc<A: Arithmetic>(a: &A, magnitude: A::Float) -> (A::Boolean, Pair<A::Float>) {
    let half = a.float(0.5);
    let beyond = a.lt(half, magnitude);
    let complement = a.fma(a.neg(half), magnitude, half);
    let square = a.select(beyond, complement, a.mul(magnitude, magnitude));
    let root = a.sqrt(complement);
    // The small number changes the divisor only where it was 0, and the rest is 0 there.
    let divisor = a.fma(root, a.float(2.0), a.float(power_of_two(-100)));
    let root_error = a.div(a.fma(a.neg(root), root, complement), divisor);

    let high = a.select(beyond, root, magnitude);
    let error = a.select(beyond, root_error, a.float(0.0));
    let low = a.fma(a.mul(square, high), ARC_SINE.at(a, square), error);
    (beyond, Pair { high, low })
}

/// The arc sine, from -pi/2 to pi/2. NaN outside of -1 to 1.
pub fn asin<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (beyond, arc) = half_arc(a, a.abs(x));
    let quarters = a.select(beyond, a.float(2.0), a.float(0.0));
    let factor = a.select(beyond, a.float(-2.0), a.float(1.0));
    one_nan(a, a.copysign(turned(a, quarters, factor, arc), x))
}

/// The arc cosine, from 0 to pi. NaN outside of -1 to 1.
pub fn acos<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (beyond, arc) = half_arc(a, a.abs(x));
    let negative = a.lt(x, a.float(0.0));
    let two = a.float(2.0);
    let far = a.select(negative, a.float(4.0), a.float(0.0));
    let quarters = a.select(beyond, far, two);
    let size = a.select(beyond, two, a.float(1.0));
    // The angle is subtracted where x is positive and near 0, or negative and far from it.
    let outward = a.select(negative, a.neg(size), size);
    let factor = a.select(beyond, outward, a.neg(outward));
    one_nan(a, turned(a, quarters, factor, arc))
}
