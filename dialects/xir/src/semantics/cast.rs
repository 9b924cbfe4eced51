//! Conversions between scalar types.

use super::{FloatFormat, IntegerWidth, ScalarType};

/// A conversion of one scalar to another type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cast {
    /// A signed integer in a greater width; set `i1` is -1.
    ExtendSigned {
        /// Width of the operand.
        from: IntegerWidth,
        /// Width of the result.
        to: IntegerWidth,
    },
    /// An unsigned integer in a greater width.
    ExtendUnsigned {
        /// Width of the operand.
        from: IntegerWidth,
        /// Width of the result.
        to: IntegerWidth,
    },
    /// The low bits of an integer.
    Truncate {
        /// Width of the operand.
        from: IntegerWidth,
        /// Width of the result.
        to: IntegerWidth,
    },
    /// A signed integer rounded to nearest, ties to even; infinity if it is out of range.
    SignedToFloat {
        /// Width of the operand.
        from: IntegerWidth,
        /// Format of the result.
        to: FloatFormat,
    },
    /// An unsigned integer rounded to nearest, ties to even; infinity if it is out of range.
    UnsignedToFloat {
        /// Width of the operand.
        from: IntegerWidth,
        /// Format of the result.
        to: FloatFormat,
    },
    /// A number rounded toward zero; the nearest signed integer if that is out of range, 0 for a NaN.
    FloatToSigned {
        /// Format of the operand.
        from: FloatFormat,
        /// Width of the result.
        to: IntegerWidth,
    },
    /// A number rounded toward zero; the nearest unsigned integer if that is out of range, 0 for a NaN.
    FloatToUnsigned {
        /// Format of the operand.
        from: FloatFormat,
        /// Width of the result.
        to: IntegerWidth,
    },
    /// A number in another format, rounded to nearest, ties to even; infinity if it is out of range.
    Float {
        /// Format of the operand.
        from: FloatFormat,
        /// Format of the result.
        to: FloatFormat,
    },
    /// The same bits as another type of the same width.
    Bits {
        /// Type of the operand.
        from: ScalarType,
        /// Type of the result.
        to: ScalarType,
    },
}

impl Cast {
    /// The result.
    #[must_use]
    pub fn evaluate(self, operand: u64) -> u64 {
        match self {
            Self::ExtendSigned { from, to } => to.truncate(from.sign_extend(operand).cast_unsigned()),
            Self::ExtendUnsigned { from, to } | Self::Truncate { from, to } => to.truncate(from.truncate(operand)),
            Self::SignedToFloat { from, to } => {
                let value = from.sign_extend(operand);
                match to {
                    FloatFormat::F32 => (value as f32).to_bits().into(),
                    // What binary64 cannot hold exactly is out of range of binary16.
                    FloatFormat::F16 | FloatFormat::F64 => to.from_f64(value as f64),
                }
            }
            Self::UnsignedToFloat { from, to } => {
                let value = from.truncate(operand);
                match to {
                    FloatFormat::F32 => (value as f32).to_bits().into(),
                    FloatFormat::F16 | FloatFormat::F64 => to.from_f64(value as f64),
                }
            }
            Self::FloatToSigned { from, to } => {
                let value = from.to_f64(operand) as i64;
                to.truncate(value.clamp(to.minimum(), to.maximum()).cast_unsigned())
            }
            Self::FloatToUnsigned { from, to } => (from.to_f64(operand) as u64).min(to.mask()),
            Self::Float { from, to } => to.from_f64(from.to_f64(operand)),
            Self::Bits { from, to } => operand & from.mask() & to.mask(),
        }
    }

    /// Type of the operand.
    #[must_use]
    pub fn source(self) -> ScalarType {
        match self {
            Self::ExtendSigned { from, .. }
            | Self::ExtendUnsigned { from, .. }
            | Self::Truncate { from, .. }
            | Self::SignedToFloat { from, .. }
            | Self::UnsignedToFloat { from, .. } => ScalarType::Integer(from),
            Self::FloatToSigned { from, .. } | Self::FloatToUnsigned { from, .. } | Self::Float { from, .. } => {
                ScalarType::Float(from)
            }
            Self::Bits { from, .. } => from,
        }
    }

    /// Type of the result.
    #[must_use]
    pub fn target(self) -> ScalarType {
        match self {
            Self::ExtendSigned { to, .. }
            | Self::ExtendUnsigned { to, .. }
            | Self::Truncate { to, .. }
            | Self::FloatToSigned { to, .. }
            | Self::FloatToUnsigned { to, .. } => ScalarType::Integer(to),
            Self::SignedToFloat { to, .. } | Self::UnsignedToFloat { to, .. } | Self::Float { to, .. } => {
                ScalarType::Float(to)
            }
            Self::Bits { to, .. } => to,
        }
    }
}

/// The lanes of a vector read as lanes of another width. All lanes in a row are one number, the first lane its lowest
/// bits. Lanes that the result has in part, when the widths do not divide, are filled with zeros.
#[must_use]
pub fn bitcast_lanes(lanes: &[u64], from_bits: u32, to_bits: u32) -> Vec<u64> {
    let total = lanes.len() * from_bits as usize;
    let bit = |position: usize| {
        position < total && lanes[position / from_bits as usize] >> (position % from_bits as usize) & 1 == 1
    };
    (0..total.div_ceil(to_bits as usize))
        .map(|lane| {
            (0..to_bits as usize)
                .fold(0, |value, index| value | u64::from(bit(lane * to_bits as usize + index)) << index)
        })
        .collect()
}
