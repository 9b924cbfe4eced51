//! Conversion between binary16 and binary64, each rounded once.
//!
//! All arithmetic on binary16 is done in binary64 and rounded by [`narrow`]. This gives the correctly rounded result:
//! sums and products of two binary16 numbers are exact in binary64. So is `a * b + c`, except where one of the two terms
//! is so small beside the other (by more than 2^30) that it cannot decide a rounding to binary16. For quotients and
//! square roots a first rounding to at least 2p + 2 bits does no harm to a second one to p bits (S. Figueroa, "When is
//! double rounding innocuous?", 1995): p is 11 and binary64 has 53.

const FRACTION_BITS: u32 = 10;
const MINIMUM_EXPONENT: i32 = -14;
const INFINITY: u16 = 0x7C00;

/// The value of a binary16 number. A NaN stays a NaN.
pub(super) fn widen(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3FF);
    let magnitude = match bits >> FRACTION_BITS & 0x1F {
        0 => fraction * exp2(MINIMUM_EXPONENT - FRACTION_BITS as i32),
        0x1F if fraction == 0.0 => f64::INFINITY,
        0x1F => f64::NAN,
        biased => (fraction + 1024.0) * exp2(i32::from(biased) - 15 - FRACTION_BITS as i32),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}

/// `value`, which is not a NaN, rounded to nearest, ties to even.
pub(super) fn narrow(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    let exponent = (bits >> 52 & 0x7FF) as i32 - 1023;
    if exponent > 15 {
        return sign | INFINITY;
    }
    if exponent < MINIMUM_EXPONENT - FRACTION_BITS as i32 - 1 {
        return sign;
    }
    // `significand` counts units of 2^(exponent - 52); the result counts units of 2^(lowest - 10).
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    let lowest = exponent.max(MINIMUM_EXPONENT);
    let shift = 52 - FRACTION_BITS as i32 + (lowest - exponent);
    let kept = significand >> shift;
    let rest = significand & ((1 << shift) - 1);
    let half = 1 << (shift - 1);
    let rounded = kept + u64::from(rest > half || rest == half && kept & 1 == 1);
    // The hidden bit of `rounded` adds one to the exponent field, and so does a carry out of the fraction: what is over
    // the largest number is infinity, and a subnormal number has neither.
    let field = ((lowest - MINIMUM_EXPONENT) as u64) << FRACTION_BITS;
    sign | (field + rounded) as u16
}

/// 2 to a power that is a normal number of binary64.
fn exp2(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
