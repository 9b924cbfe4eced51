//! Types: interned, immutable, compared by handle.
//!
//! [`TypeKind`] holds MLIR's builtin types as an enumeration, so that code may match on them, and two open cases: a
//! [`DialectType`], which a registered dialect declares, and an opaque type of an unregistered dialect, kept verbatim.

mod dialect_type;
mod kind;

use std::num::NonZeroU32;

pub use dialect_type::{DialectType, DialectTypeObject, TypeDeclaration};
pub use kind::{Dimension, FloatKind, Signedness, TypeKind};

use crate::context::Context;

/// A handle of a type in a [`Context`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(NonZeroU32);

impl Type {
    pub(crate) fn from_index(index: u32) -> Self {
        Self(NonZeroU32::new(index + 1).expect("a successor of a u32 index below u32::MAX is not zero"))
    }

    pub(crate) fn index(self) -> u32 {
        self.0.get() - 1
    }

    /// What this type is.
    pub fn kind(self, context: &Context) -> &TypeKind {
        context.type_kind(self)
    }

    /// This type as the declared dialect type `T`, if it is one.
    pub fn downcast<T: DialectType>(self, context: &Context) -> Option<&T> {
        match self.kind(context) {
            TypeKind::Dialect(object) => object.downcast_ref(),
            _ => None,
        }
    }

    /// Whether this type is the declared dialect type `T`.
    pub fn is<T: DialectType>(self, context: &Context) -> bool {
        self.downcast::<T>(context).is_some()
    }

    /// The signless integer type of `width` bits.
    pub fn integer(context: &Context, width: u32) -> Self {
        context.intern_type(TypeKind::Integer { width, signedness: Signedness::Signless })
    }

    /// The floating-point type of a kind.
    pub fn float(context: &Context, kind: FloatKind) -> Self {
        context.intern_type(TypeKind::Float(kind))
    }

    /// The index type.
    pub fn index_type(context: &Context) -> Self {
        context.intern_type(TypeKind::Index)
    }

    /// A function type.
    pub fn function(context: &Context, inputs: &[Type], results: &[Type]) -> Self {
        context.intern_type(TypeKind::Function { inputs: inputs.into(), results: results.into() })
    }

    /// A vector type of one fixed dimension.
    pub fn vector(context: &Context, lanes: u64, element: Type) -> Self {
        context.intern_type(TypeKind::Vector {
            shape: [Dimension::Fixed(lanes)].into(),
            scalable: [false].into(),
            element,
        })
    }

    /// The width in bits of an integer type of any signedness.
    pub fn integer_width(self, context: &Context) -> Option<u32> {
        match *self.kind(context) {
            TypeKind::Integer { width, .. } => Some(width),
            _ => None,
        }
    }

    /// The kind of a floating-point type.
    pub fn float_kind(self, context: &Context) -> Option<FloatKind> {
        match *self.kind(context) {
            TypeKind::Float(kind) => Some(kind),
            _ => None,
        }
    }

    /// Lane count and element of a vector type of one fixed, not scalable dimension.
    pub fn vector_parts(self, context: &Context) -> Option<(u64, Type)> {
        match self.kind(context) {
            TypeKind::Vector { shape, scalable, element } => match (&**shape, &**scalable) {
                ([Dimension::Fixed(lanes)], [false]) => Some((*lanes, *element)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Inputs and results of a function type.
    pub fn function_parts(self, context: &Context) -> Option<(&[Type], &[Type])> {
        match self.kind(context) {
            TypeKind::Function { inputs, results } => Some((inputs, results)),
            _ => None,
        }
    }
}
