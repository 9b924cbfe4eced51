//! The formats, and constants that differ by format.

use crate::Arithmetic;

/// A floating-point format of IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// binary32
    F32,
    /// binary64
    F64,
}

impl Format {
    /// Both formats.
    pub const ALL: [Self; 2] = [Self::F32, Self::F64];

    /// The width in bits.
    #[must_use]
    pub const fn width(self) -> u32 {
        match self {
            Self::F32 => 32,
            Self::F64 => 64,
        }
    }

    /// The number of bits of a significand, the leading one included.
    #[must_use]
    pub const fn precision(self) -> u32 {
        match self {
            Self::F32 => f32::MANTISSA_DIGITS,
            Self::F64 => f64::MANTISSA_DIGITS,
        }
    }

    /// The number of bits that store a significand.
    pub(crate) const fn mantissa_bits(self) -> u32 {
        self.precision() - 1
    }

    /// What is added to an exponent where it is stored.
    pub(crate) const fn bias(self) -> i64 {
        match self {
            Self::F32 => 127,
            Self::F64 => 1023,
        }
    }

    /// Picks by format.
    pub(crate) fn pick<T>(self, single: T, double: T) -> T {
        match self {
            Self::F32 => single,
            Self::F64 => double,
        }
    }
}

/// 2 to the power of an exponent from -1022 to 1023.
pub(crate) const fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// A number, as it is in each format.
#[derive(Clone, Copy)]
pub(crate) struct Constant {
    pub(crate) single: f32,
    pub(crate) double: f64,
}

impl Constant {
    pub(crate) fn of<A: Arithmetic>(self, a: &A) -> A::Float {
        a.float(a.format().pick(self.single.into(), self.double))
    }
}

/// A number that is the sum of two.
pub(crate) struct PairConstant {
    pub(crate) high: Constant,
    pub(crate) low: Constant,
}

/// The coefficients of a polynomial, from the constant one upward.
pub(crate) struct Polynomial {
    pub(crate) single: &'static [f32],
    pub(crate) double: &'static [f64],
}

impl Polynomial {
    /// The value at `x`, by Horner's rule: one fused operation per coefficient but the first.
    pub(crate) fn at<A: Arithmetic>(&self, a: &A, x: A::Float) -> A::Float {
        match a.format() {
            Format::F32 => horner(a, x, self.single.iter().map(|&coefficient| coefficient.into())),
            Format::F64 => horner(a, x, self.double.iter().copied()),
        }
    }
}

fn horner<A: Arithmetic>(a: &A, x: A::Float, coefficients: impl DoubleEndedIterator<Item = f64>) -> A::Float {
    let mut downward = coefficients.rev().map(|coefficient| a.float(coefficient));
    let leading = downward.next().unwrap_or_else(|| a.float(0.0));
    downward.fold(leading, |sum, coefficient| a.fma(sum, x, coefficient))
}
