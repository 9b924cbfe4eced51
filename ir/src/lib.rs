//! The core of Fermata: an intermediate representation in MLIR's shape.
//!
//! * [`Context`] owns what is shared: interned types, attributes, locations, names, the registered dialects.
//! * [`Body`] owns the operations of one isolated operation, such as a function.
//! * [`OpRef`] looks at an operation, [`Builder`] creates and changes operations.
//! * [`interface!`] declares what generic code may ask of an operation without knowing its dialect.
//! * [`Diagnostics`] holds what is wrong with the input, as data.

// The declaration macros name this crate by its full name, here as elsewhere.
extern crate self as fermata_ir;

pub mod analysis;
pub mod attributes;
pub mod body;
pub mod builder;
pub mod builtin;
pub mod constraints;
pub mod context;
pub mod diagnostic;
pub mod dialect;
pub mod expected;
pub mod identifier;
pub mod interfaces;
mod intern;
pub mod location;
pub mod nearest;
pub mod nested_attributes;
pub mod operation;
pub mod pass;
pub mod passes;
pub mod reference;
pub mod render;
pub mod rewrite;
pub mod source;
pub mod symbols;
pub mod text;
pub mod types;
pub mod verifier;

pub use attributes::{Attribute, AttributeKind, Dictionary};
pub use body::{BlockId, Body, OpId, RegionId, ValueId};
pub use builder::Builder;
pub use context::Context;
pub use diagnostic::{Diagnostic, Diagnostics};
pub use dialect::{Dialect, DialectRegistry};
pub use identifier::Identifier;
pub use location::Location;
pub use operation::{OpRef, OperationName, OperationTraits, OperationView};
pub use text::Parameter;
pub use types::{Type, TypeKind};

pub use fermata_derive::{Keyword, attribute_definition, operation, type_definition};
