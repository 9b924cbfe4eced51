//! Numbers of about twice the precision, as unevaluated sums of two.
//!
//! Error-free transformations after Dekker (1971) and Knuth, with fused operations for products; see Muller et al.,
//! *Handbook of Floating-Point Arithmetic*, second edition, chapters 4 and 5.

use crate::Arithmetic;
use crate::format::PairConstant;

/// The sum of a number and a much smaller one.
#[derive(Clone, Copy)]
pub(crate) struct Pair<F> {
    pub(crate) high: F,
    pub(crate) low: F,
}

impl PairConstant {
    pub(crate) fn of<A: Arithmetic>(&self, a: &A) -> Pair<A::Float> {
        Pair { high: self.high.of(a), low: self.low.of(a) }
    }
}

/// The exact sum, if `x` is 0 or its exponent is not less than that of `y`. 3 operations.
pub(crate) fn fast_two_sum<A: Arithmetic>(a: &A, x: A::Float, y: A::Float) -> Pair<A::Float> {
    let high = a.add(x, y);
    Pair { high, low: a.sub(y, a.sub(high, x)) }
}

/// The exact sum. 6 operations.
pub(crate) fn two_sum<A: Arithmetic>(a: &A, x: A::Float, y: A::Float) -> Pair<A::Float> {
    let high = a.add(x, y);
    let y_part = a.sub(high, x);
    let x_part = a.sub(high, y_part);
    Pair { high, low: a.add(a.sub(x, x_part), a.sub(y, y_part)) }
}

/// The exact product, unless its low part is too small for the format. 2 operations.
pub(crate) fn two_product<A: Arithmetic>(a: &A, x: A::Float, y: A::Float) -> Pair<A::Float> {
    let high = a.mul(x, y);
    Pair { high, low: a.fma(x, y, a.neg(high)) }
}

/// The product with a number. 4 operations.
pub(crate) fn scale<A: Arithmetic>(a: &A, x: Pair<A::Float>, y: A::Float) -> Pair<A::Float> {
    let product = two_product(a, x.high, y);
    Pair { high: product.high, low: a.fma(x.low, y, product.low) }
}

/// The product. 5 operations.
pub(crate) fn multiply<A: Arithmetic>(a: &A, x: Pair<A::Float>, y: Pair<A::Float>) -> Pair<A::Float> {
    let product = scale(a, x, y.high);
    Pair { high: product.high, low: a.fma(x.high, y.low, product.low) }
}

/// The quotient. 7 operations, one of them a division.
pub(crate) fn divide<A: Arithmetic>(a: &A, x: Pair<A::Float>, y: Pair<A::Float>) -> Pair<A::Float> {
    let reciprocal = a.div(a.float(1.0), y.high);
    let high = a.mul(x.high, reciprocal);
    let opposite = a.neg(high);
    let rest = a.fma(opposite, y.low, a.add(a.fma(opposite, y.high, x.high), x.low));
    Pair { high, low: a.mul(rest, reciprocal) }
}

/// The pair with a number added that is 0 or has an exponent not less than that of the high part. 4 operations.
pub(crate) fn add_to<A: Arithmetic>(a: &A, number: A::Float, x: Pair<A::Float>) -> Pair<A::Float> {
    let sum = fast_two_sum(a, number, x.high);
    Pair { high: sum.high, low: a.add(sum.low, x.low) }
}

/// The pair as one number. 1 operation.
pub(crate) fn round<A: Arithmetic>(a: &A, x: Pair<A::Float>) -> A::Float {
    a.add(x.high, x.low)
}

/// One pair or the other. 2 operations.
pub(crate) fn select<A: Arithmetic>(
    a: &A,
    condition: A::Boolean,
    x: Pair<A::Float>,
    y: Pair<A::Float>,
) -> Pair<A::Float> {
    Pair { high: a.select(condition, x.high, y.high), low: a.select(condition, x.low, y.low) }
}
