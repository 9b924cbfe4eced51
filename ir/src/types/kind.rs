//! The kinds of type.

use super::{DialectTypeObject, Type};
use crate::attributes::Attribute;
use crate::identifier::Identifier;

/// Whether an integer type says how its bits are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Signedness {
    /// `iN`: the operation decides.
    Signless,
    /// `siN`
    Signed,
    /// `uiN`
    Unsigned,
}

/// The floating-point formats that MLIR 19 names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    /// `f8E5M2`
    F8E5M2,
    /// `f8E4M3`
    F8E4M3,
    /// `f8E4M3FN`
    F8E4M3Fn,
    /// `f8E5M2FNUZ`
    F8E5M2Fnuz,
    /// `f8E4M3FNUZ`
    F8E4M3Fnuz,
    /// `f8E4M3B11FNUZ`
    F8E4M3B11Fnuz,
    /// `f8E3M4`
    F8E3M4,
    /// `f6E3M2FN`
    F6E3M2Fn,
    /// `f6E2M3FN`
    F6E2M3Fn,
    /// `f4E2M1FN`
    F4E2M1Fn,
    /// `bf16`
    BF16,
    /// IEEE binary16, `f16`
    F16,
    /// `tf32`
    TF32,
    /// IEEE binary32, `f32`
    F32,
    /// IEEE binary64, `f64`
    F64,
    /// x87 extended, `f80`
    F80,
    /// IEEE binary128, `f128`
    F128,
}

impl FloatKind {
    /// Width of the stored form in bits.
    pub fn width(self) -> u32 {
        match self {
            Self::F4E2M1Fn => 4,
            Self::F6E3M2Fn | Self::F6E2M3Fn => 6,
            Self::F8E5M2
            | Self::F8E4M3
            | Self::F8E4M3Fn
            | Self::F8E5M2Fnuz
            | Self::F8E4M3Fnuz
            | Self::F8E4M3B11Fnuz
            | Self::F8E3M4 => 8,
            Self::BF16 | Self::F16 => 16,
            Self::TF32 => 19,
            Self::F32 => 32,
            Self::F64 => 64,
            Self::F80 => 80,
            Self::F128 => 128,
        }
    }
}

/// One dimension of a shaped type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dimension {
    /// So many elements.
    Fixed(u64),
    /// `?`
    Dynamic,
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each field is named by its role in MLIR's type of the same name")]
pub enum TypeKind {
    /// `i32`, `si8`, `ui64`
    Integer { width: u32, signedness: Signedness },
    /// `f32` and its kin
    Float(FloatKind),
    /// `index`
    Index,
    /// `none`
    None,
    /// `complex<f32>`
    Complex(Type),
    /// `(i32) -> f32`
    Function { inputs: Box<[Type]>, results: Box<[Type]> },
    /// `tuple<i32, f32>`
    Tuple(Box<[Type]>),
    /// `vector<4x[8]xf32>`; `scalable` has an entry for each dimension
    Vector { shape: Box<[Dimension]>, scalable: Box<[bool]>, element: Type },
    /// `tensor<4x?xf32, #encoding>`
    RankedTensor { shape: Box<[Dimension]>, element: Type, encoding: Option<Attribute> },
    /// `tensor<*xf32>`
    UnrankedTensor(Type),
    /// `memref<4x?xf32, layout, space>`
    MemRef { shape: Box<[Dimension]>, element: Type, layout: Option<Attribute>, space: Option<Attribute> },
    /// `memref<*xf32, space>`
    UnrankedMemRef { element: Type, space: Option<Attribute> },
    /// A type of a dialect that is not registered: `!dialect.body`. `body` is everything after the dialect's dot,
    /// verbatim, brackets included.
    Opaque { dialect: Identifier, body: Identifier },
    /// A type that a registered dialect declares.
    Dialect(DialectTypeObject),
}
