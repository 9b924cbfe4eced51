//! asinh, acosh, atanh, by the logarithm of 1 and a pair.

use crate::Arithmetic;
use crate::format::power_of_two;
use crate::logarithm::log1p_of_pair;
use crate::nan::{nan, one_nan};
use crate::pair::{self, Pair, fast_two_sum, two_sum};

/// `sqrt(x^2 + c)` for `c` of 1 or -1; `x` is not negative, and not less than 1 if `c` is -1.
fn root_of_square_and<A: Arithmetic>(a: &A, x: A::Float, constant: f64) -> Pair<A::Float> {
    let square = pair::two_product(a, x, x);
    let sum = two_sum(a, square.high, a.float(constant));
    let sum = fast_two_sum(a, sum.high, a.add(sum.low, square.low));
    let root = a.sqrt(sum.high);
    let rest = a.add(a.fma(a.neg(root), root, sum.high), sum.low);
    // The small number changes the divisor only where it was 0, and the rest is 0 there.
    let divisor = a.fma(root, a.float(2.0), a.float(power_of_two(-100)));
    Pair { high: root, low: a.div(rest, divisor) }
}

/// `log(1 + y)`, or `log(2 x)` if `x` is so great that this is the result.
fn log1p_or_great<A: Arithmetic>(a: &A, y: Pair<A::Float>, x: A::Float) -> A::Float {
    let zero = a.float(0.0);
    let great = a.lt(a.float(power_of_two(60)), x);
    let y = pair::select(a, great, Pair { high: x, low: zero }, y);
    log1p_of_pair(a, y, a.select(great, a.float(1.0), zero))
}

/// The inverse hyperbolic sine.
pub fn asinh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    // log(x + sqrt(x^2 + 1))
    let magnitude = a.abs(x);
    let root = root_of_square_and(a, magnitude, 1.0);
    let y = two_sum(a, magnitude, a.sub(root.high, a.float(1.0)));
    let y = Pair { high: y.high, low: a.add(y.low, root.low) };
    let result = log1p_or_great(a, y, magnitude);
    let finite = a.lt(magnitude, a.float(f64::INFINITY));
    one_nan(a, a.select(finite, a.copysign(result, x), x))
}

/// The inverse hyperbolic cosine; NaN below 1.
pub fn acosh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    // log(x + sqrt(x^2 - 1))
    let root = root_of_square_and(a, x, -1.0);
    let y = two_sum(a, a.sub(x, a.float(1.0)), root.high);
    let y = Pair { high: y.high, low: a.add(y.low, root.low) };
    let result = log1p_or_great(a, y, x);
    let undefined = a.select(a.eq(x, a.float(f64::INFINITY)), x, nan(a));
    let defined = a.and(a.not(a.lt(x, a.float(1.0))), a.lt(x, a.float(f64::INFINITY)));
    a.select(defined, result, undefined)
}

/// The inverse hyperbolic tangent; NaN outside of -1 to 1.
pub fn atanh<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    // log(1 + 2 x / (1 - x)) / 2
    let (one, zero) = (a.float(1.0), a.float(0.0));
    let magnitude = a.abs(x);
    let numerator = Pair { high: a.add(magnitude, magnitude), low: zero };
    let denominator = fast_two_sum(a, one, a.neg(magnitude));
    let y = pair::divide(a, numerator, denominator);
    let result = a.mul(log1p_of_pair(a, y, zero), a.float(0.5));
    let special = a.select(a.eq(magnitude, one), a.float(f64::INFINITY), nan(a));
    one_nan(a, a.copysign(a.select(a.lt(magnitude, one), result, special), x))
}
