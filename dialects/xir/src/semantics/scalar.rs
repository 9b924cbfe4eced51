//! The scalar types and how their bits are read.

use fermata_ir::types::{FloatKind, Signedness, TypeKind};
use fermata_ir::{Context, Type};

use super::half;

/// Width of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IntegerWidth {
    /// `i1`
    W1,
    /// `i8`
    W8,
    /// `i16`
    W16,
    /// `i32`
    W32,
    /// `i64`
    W64,
}

impl IntegerWidth {
    /// All widths, ascending.
    pub const ALL: [Self; 5] = [Self::W1, Self::W8, Self::W16, Self::W32, Self::W64];

    /// The width of so many bits.
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|width| width.bits() == bits)
    }

    /// Number of bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::W1 => 1,
            Self::W8 => 8,
            Self::W16 => 16,
            Self::W32 => 32,
            Self::W64 => 64,
        }
    }

    /// All bits of this width set.
    #[must_use]
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// The low bits of `value`, as an unsigned number.
    #[must_use]
    pub const fn truncate(self, value: u64) -> u64 {
        value & self.mask()
    }

    /// The low bits of `value`, as a number in two's complement. The one bit of `i1` reads as -1 when it is set.
    #[must_use]
    pub const fn sign_extend(self, value: u64) -> i64 {
        let unused = 64 - self.bits();
        (value << unused).cast_signed() >> unused
    }

    /// The least signed number.
    #[must_use]
    pub const fn minimum(self) -> i64 {
        i64::MIN >> (64 - self.bits())
    }

    /// The greatest signed number.
    #[must_use]
    pub const fn maximum(self) -> i64 {
        i64::MAX >> (64 - self.bits())
    }
}

/// An IEEE 754 format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatFormat {
    /// binary16, `f16`
    F16,
    /// binary32, `f32`
    F32,
    /// binary64, `f64`
    F64,
}

impl FloatFormat {
    /// All formats, narrow ones first.
    pub const ALL: [Self; 3] = [Self::F16, Self::F32, Self::F64];

    /// Number of bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::F16 => 16,
            Self::F32 => 32,
            Self::F64 => 64,
        }
    }

    /// The bit of the sign.
    #[must_use]
    pub const fn sign_bit(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// All bits of this format set.
    #[must_use]
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// The bits of positive infinity.
    #[must_use]
    pub const fn infinity(self) -> u64 {
        match self {
            Self::F16 => 0x7C00,
            Self::F32 => 0x7F80_0000,
            Self::F64 => 0x7FF0_0000_0000_0000,
        }
    }

    /// The NaN that stands for all: positive, quiet, with no payload.
    #[must_use]
    pub const fn nan(self) -> u64 {
        match self {
            Self::F16 => 0x7E00,
            Self::F32 => 0x7FC0_0000,
            Self::F64 => 0x7FF8_0000_0000_0000,
        }
    }

    /// The bits of one.
    #[must_use]
    pub const fn one(self) -> u64 {
        match self {
            Self::F16 => 0x3C00,
            Self::F32 => 0x3F80_0000,
            Self::F64 => 0x3FF0_0000_0000_0000,
        }
    }

    /// Whether `bits` are a NaN.
    #[must_use]
    pub const fn is_nan(self, bits: u64) -> bool {
        bits & self.mask() & !self.sign_bit() > self.infinity()
    }

    /// The number that `bits` are. Every number of every format is one of binary64, so this is exact.
    #[must_use]
    pub fn to_f64(self, bits: u64) -> f64 {
        match self {
            Self::F16 => half::widen(bits as u16),
            Self::F32 => f64::from(f32::from_bits(bits as u32)),
            Self::F64 => f64::from_bits(bits),
        }
    }

    /// The bits of `value` rounded to this format, to nearest, ties to even. A NaN becomes [`nan`](Self::nan).
    #[must_use]
    pub fn from_f64(self, value: f64) -> u64 {
        if value.is_nan() {
            return self.nan();
        }
        match self {
            Self::F16 => half::narrow(value).into(),
            Self::F32 => (value as f32).to_bits().into(),
            Self::F64 => value.to_bits(),
        }
    }
}

/// A scalar type of the dialect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ScalarType {
    /// `i1`, `i8`, `i16`, `i32`, `i64`
    Integer(IntegerWidth),
    /// `f16`, `f32`, `f64`
    Float(FloatFormat),
}

impl ScalarType {
    /// The scalar type that `ty` is, if it is one of the dialect: a signless integer of one of the widths or a float of
    /// one of the formats.
    #[must_use]
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        match *ty.kind(context) {
            TypeKind::Integer { width, signedness: Signedness::Signless } => {
                IntegerWidth::from_bits(width).map(Self::Integer)
            }
            TypeKind::Float(FloatKind::F16) => Some(Self::Float(FloatFormat::F16)),
            TypeKind::Float(FloatKind::F32) => Some(Self::Float(FloatFormat::F32)),
            TypeKind::Float(FloatKind::F64) => Some(Self::Float(FloatFormat::F64)),
            _ => None,
        }
    }

    /// The type in a context.
    #[must_use]
    pub fn ty(self, context: &Context) -> Type {
        match self {
            Self::Integer(width) => Type::integer(context, width.bits()),
            Self::Float(FloatFormat::F16) => Type::float(context, FloatKind::F16),
            Self::Float(FloatFormat::F32) => Type::float(context, FloatKind::F32),
            Self::Float(FloatFormat::F64) => Type::float(context, FloatKind::F64),
        }
    }

    /// Number of bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Integer(width) => width.bits(),
            Self::Float(format) => format.bits(),
        }
    }

    /// All bits of this type set.
    #[must_use]
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// The width, of an integer type.
    #[must_use]
    pub const fn integer(self) -> Option<IntegerWidth> {
        match self {
            Self::Integer(width) => Some(width),
            Self::Float(_) => None,
        }
    }

    /// The format, of a float type.
    #[must_use]
    pub const fn float(self) -> Option<FloatFormat> {
        match self {
            Self::Float(format) => Some(format),
            Self::Integer(_) => None,
        }
    }
}
