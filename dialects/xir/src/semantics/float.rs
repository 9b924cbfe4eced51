//! Floating-point arithmetic by IEEE 754: each result is the exact one, rounded once to the format, to nearest, ties to
//! even. Nothing is flushed to zero.
//!
//! NaNs are one value: which one an operation gives is not told apart. What is computed here is always
//! [`FloatFormat::nan`], except that negation, absolute value and copied signs work on the bits of any operand.

use super::FloatFormat;

/// Computes in the format: binary16 in binary64 with one rounding (see `half.rs`), the others natively.
macro_rules! in_format {
    ($format:expr, [$($operand:ident),*], $compute:expr) => {
        match $format {
            FloatFormat::F32 => {
                fn compute($($operand: f32),*) -> f32 {
                    $compute
                }
                let result = compute($(f32::from_bits($operand as u32)),*);
                if result.is_nan() { $format.nan() } else { result.to_bits().into() }
            }
            FloatFormat::F16 | FloatFormat::F64 => {
                fn compute($($operand: f64),*) -> f64 {
                    $compute
                }
                $format.from_f64(compute($($format.to_f64($operand)),*))
            }
        }
    };
}

/// An operation on one floating-point number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatUnary {
    /// The sign bit inverted, that of a NaN too.
    Negate,
    /// The sign bit cleared, that of a NaN too.
    Absolute,
    /// Square root; NaN for negative numbers, -0 for -0.
    SquareRoot,
    /// 1 divided by the square root, each rounded; infinity of the sign of a zero.
    ReciprocalSquareRoot,
    /// The greatest integer that is not greater; a zero result has the sign of the operand.
    Floor,
    /// The least integer that is not less; a zero result has the sign of the operand.
    Ceil,
    /// The integer next to it toward zero; a zero result has the sign of the operand.
    Truncate,
    /// The nearest integer, of two the one away from zero; a zero result has the sign of the operand.
    Round,
    /// The nearest integer, of two the even one; a zero result has the sign of the operand.
    RoundEven,
    /// `x - floor(x)`, rounded: 1 for negative numbers close to zero, NaN for infinities.
    Fraction,
    /// 1 or -1 by the sign; zeros and NaN are themselves.
    Sign,
}

impl FloatUnary {
    /// All operations.
    pub const ALL: [Self; 11] = [
        Self::Negate,
        Self::Absolute,
        Self::SquareRoot,
        Self::ReciprocalSquareRoot,
        Self::Floor,
        Self::Ceil,
        Self::Truncate,
        Self::Round,
        Self::RoundEven,
        Self::Fraction,
        Self::Sign,
    ];

    /// The result, in the format of the operand.
    #[must_use]
    pub fn evaluate(self, format: FloatFormat, operand: u64) -> u64 {
        let x = operand & format.mask();
        match self {
            Self::Negate => x ^ format.sign_bit(),
            Self::Absolute => x & !format.sign_bit(),
            Self::SquareRoot => in_format!(format, [x], x.sqrt()),
            Self::ReciprocalSquareRoot => {
                let root = Self::SquareRoot.evaluate(format, x);
                FloatBinary::Divide.evaluate(format, format.one(), root)
            }
            Self::Floor => in_format!(format, [x], x.floor()),
            Self::Ceil => in_format!(format, [x], x.ceil()),
            Self::Truncate => in_format!(format, [x], x.trunc()),
            Self::Round => in_format!(format, [x], x.round()),
            Self::RoundEven => in_format!(format, [x], x.round_ties_even()),
            Self::Fraction => in_format!(format, [x], x - x.floor()),
            Self::Sign => in_format!(format, [x], if x == 0.0 { x } else { x.signum() }),
        }
    }
}

/// An operation on two floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatBinary {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient.
    Divide,
    /// `x - y * trunc(x / y)` without any rounding; a zero result has the sign of `x`. NaN if `y` is zero or `x` is
    /// infinite.
    Remainder,
    /// minimumNumber of IEEE 754-2019: a NaN loses against a number, -0 is less than +0.
    Minimum,
    /// maximumNumber of IEEE 754-2019: a NaN loses against a number, -0 is less than +0.
    Maximum,
    /// The left operand with the sign bit of the right one.
    CopySign,
}

impl FloatBinary {
    /// All operations.
    pub const ALL: [Self; 8] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Remainder,
        Self::Minimum,
        Self::Maximum,
        Self::CopySign,
    ];

    /// The result, in the format of the operands.
    #[must_use]
    pub fn evaluate(self, format: FloatFormat, left: u64, right: u64) -> u64 {
        let (x, y) = (left & format.mask(), right & format.mask());
        match self {
            Self::Add => in_format!(format, [x, y], x + y),
            Self::Subtract => in_format!(format, [x, y], x - y),
            Self::Multiply => in_format!(format, [x, y], x * y),
            Self::Divide => in_format!(format, [x, y], x / y),
            Self::Remainder => in_format!(format, [x, y], x % y),
            Self::Minimum => lesser(format, x, y, false),
            Self::Maximum => lesser(format, x, y, true),
            Self::CopySign => x & !format.sign_bit() | y & format.sign_bit(),
        }
    }
}

/// The lesser of two numbers, or the greater one if `reverse`, where the sign decides between zeros and a NaN loses.
fn lesser(format: FloatFormat, x: u64, y: u64, reverse: bool) -> u64 {
    match (format.is_nan(x), format.is_nan(y)) {
        (true, true) => format.nan(),
        (true, false) => y,
        (false, true) => x,
        (false, false) => {
            // Numbers are ordered as their bits are, read as sign and magnitude.
            let key = |bits: u64| {
                let magnitude = (bits & !format.sign_bit()).cast_signed();
                if bits & format.sign_bit() == 0 { magnitude } else { -1 - magnitude }
            };
            if (key(x) <= key(y)) != reverse { x } else { y }
        }
    }
}

/// An operation on three floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatTernary {
    /// `x * y + z`, rounded once.
    FusedMultiplyAdd,
    /// `minimum(maximum(x, y), z)`
    Clamp,
}

impl FloatTernary {
    /// All operations.
    pub const ALL: [Self; 2] = [Self::FusedMultiplyAdd, Self::Clamp];

    /// The result, in the format of the operands.
    #[must_use]
    pub fn evaluate(self, format: FloatFormat, first: u64, second: u64, third: u64) -> u64 {
        let (x, y, z) = (first & format.mask(), second & format.mask(), third & format.mask());
        match self {
            Self::FusedMultiplyAdd => in_format!(format, [x, y, z], x.mul_add(y, z)),
            Self::Clamp => FloatBinary::Minimum.evaluate(format, FloatBinary::Maximum.evaluate(format, x, y), z),
        }
    }
}
