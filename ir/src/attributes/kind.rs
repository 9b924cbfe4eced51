//! The kinds of attribute.

use super::{Attribute, DialectAttributeObject, Dictionary};
use crate::identifier::Identifier;
use crate::location::Location;
use crate::types::{Signedness, Type, TypeKind};

/// A reference to a symbol: `@root::@nested::...`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SymbolRef {
    /// The name to look for in the nearest symbol table.
    pub root: Identifier,
    /// Names to look for in the table of the symbol before.
    pub nested: Box<[Identifier]>,
}

/// Element type of a [`DenseArray`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayElement {
    /// `i1`
    I1,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `f32`; values are the bits
    F32,
    /// `f64`; values are the bits
    F64,
}

/// `array<i32: 1, 2>`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DenseArray {
    /// What the elements are.
    pub element: ArrayElement,
    /// Integers sign-extended (`i1` as 0 or 1), floats as bits.
    pub values: Box<[i128]>,
}

/// What an attribute is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each field is named by its role in MLIR's attribute of the same name")]
pub enum AttributeKind {
    /// `unit`
    Unit,
    /// An integer, signless, signed or unsigned, of at most 128 bits, or an index. `value` is reduced to the type's
    /// width: zero-extended for unsigned types and `i1`, sign-extended for all others (128-bit unsigned values keep
    /// their bits).
    Integer { value: i128, ty: Type },
    /// A floating-point number by the bits of its format, zero-extended.
    Float { bits: u128, ty: Type },
    /// A string, with a type after a colon if it has one.
    String { value: Identifier, ty: Option<Type> },
    /// `[a, b]`
    Array(Box<[Attribute]>),
    /// `{key = value}`
    Dictionary(Dictionary),
    /// A type.
    Type(Type),
    /// `@symbol`
    Symbol(SymbolRef),
    /// `array<i32: 1, 2>`
    DenseArray(DenseArray),
    /// `dense<...> : type`: elements in row-major order, one if all are equal (a splat).
    DenseElements { ty: Type, elements: Box<[Attribute]> },
    /// `affine_map<...>`, `affine_set<...>`, `sparse<...>`, `dense_resource<...>`, `strided<...>`: `keyword` names
    /// which, `body` is the text between the brackets, verbatim.
    Verbatim { keyword: Identifier, body: Identifier, ty: Option<Type> },
    /// A location.
    Location(Location),
    /// An attribute of a dialect that is not registered: `#dialect.body`, with a type after a colon if it has one.
    Opaque { dialect: Identifier, body: Identifier, ty: Option<Type> },
    /// An attribute that a registered dialect declares.
    Dialect(DialectAttributeObject),
}

/// `value` reduced to the width of `ty`; see [`AttributeKind::Integer`].
pub(super) fn canonical_integer(value: i128, ty: &TypeKind) -> i128 {
    match *ty {
        TypeKind::Integer { width: 0, .. } => 0,
        TypeKind::Integer { width, signedness } if width < 128 => {
            let shift = 128 - width;
            if signedness == Signedness::Unsigned || width == 1 && signedness == Signedness::Signless {
                ((value as u128) << shift >> shift) as i128
            } else {
                value << shift >> shift
            }
        }
        _ => value,
    }
}
