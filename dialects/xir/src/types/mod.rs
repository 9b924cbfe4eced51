//! The types of the dialect.
//!
//! Scalars and vectors are builtin types. A *value type* is what memory can hold: a scalar, a vector of 2 to 4 scalars, a
//! matrix, an array or a structure. References and resources are no value types.

mod aggregate;
mod classes;
mod reference;
mod resource;

pub use aggregate::{
    ArrayType, LARGEST_DESTRUCTURED, MatrixType, StructType, part_count, part_type, parts, uniform_part_type,
};
pub use classes::{ElementwiseType, is_resource, is_value_type};
pub use reference::{AddressSpace, RefType};
pub use resource::{AccelType, BindlessArrayType, BufferType, RayQueryKind, RayQueryType, TextureType};

use fermata_ir::types::{DialectType, TypeDeclaration};

/// All types, in the order of the reference page.
pub(crate) static TYPES: &[&TypeDeclaration] = &[
    MatrixType::DECLARATION,
    ArrayType::DECLARATION,
    StructType::DECLARATION,
    RefType::DECLARATION,
    BufferType::DECLARATION,
    TextureType::DECLARATION,
    BindlessArrayType::DECLARATION,
    AccelType::DECLARATION,
    RayQueryType::DECLARATION,
];
