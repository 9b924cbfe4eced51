//! The one NaN of all results.
//!
//! IEEE 754 leaves open which NaN an operation gives, and targets differ: x86 makes negative ones and keeps an operand's
//! payload, PTX gives 0x7fffffff. So a function must not pass on one that came out of an operation.

use crate::Arithmetic;

/// The positive quiet NaN without payload.
pub(crate) fn nan<A: Arithmetic>(a: &A) -> A::Float {
    // A constant of bits, as a conversion of a floating-point constant need not keep them.
    a.bits_to_float(a.integer(a.format().pick(0x7fc0_0000, 0x7ff8_0000_0000_0000)))
}

/// `x`, or the NaN if it is any. 2 operations.
pub(crate) fn one_nan<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    a.select(a.unordered(x, x), nan(a), x)
}
