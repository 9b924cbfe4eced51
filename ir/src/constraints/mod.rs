//! Stock constraints on types and attributes.

mod attributes;
mod description;
mod numbers;
mod types;

pub use attributes::{
    AnyAttribute, ArrayAttribute, BoolAttribute, DenseI32Attribute, DictionaryAttribute, FloatAttribute,
    IntegerAttribute, StringAttribute, SymbolName, SymbolReference, TypeAttribute, TypedAttribute, UnitFlag,
};
pub use numbers::{I32Attribute, I64Attribute, U32Attribute, U64Attribute};
pub use types::{
    AnyFloat, AnyInteger, AnyOf, AnyType, AnyVector, BooleanLike, F32, F64, FloatLike, FunctionType, I1, I8, I16, I32,
    I64, Index, IntegerLike, SignlessInteger, TypeIs, VectorOf, element_or_self,
};
