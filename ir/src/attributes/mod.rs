//! Attributes: interned, immutable constants, compared by handle.
//!
//! [`AttributeKind`] holds MLIR's builtin attributes, and two open cases as [types](crate::types) have.

mod dialect_attribute;
mod dictionary;
mod kind;

use std::num::NonZeroU32;

pub use dialect_attribute::{AttributeDeclaration, DialectAttribute, DialectAttributeObject};
pub use dictionary::Dictionary;
pub use kind::{ArrayElement, AttributeKind, DenseArray, SymbolRef};

use crate::context::Context;
use crate::types::Type;

/// A handle of an attribute in a [`Context`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attribute(NonZeroU32);

impl Attribute {
    pub(crate) fn from_index(index: u32) -> Self {
        Self(NonZeroU32::new(index + 1).expect("a successor of a u32 index below u32::MAX is not zero"))
    }

    pub(crate) fn index(self) -> u32 {
        self.0.get() - 1
    }

    /// What this attribute is.
    pub fn kind(self, context: &Context) -> &AttributeKind {
        context.attribute_kind(self)
    }

    /// This attribute as the declared dialect attribute `T`, if it is one.
    pub fn downcast<T: DialectAttribute>(self, context: &Context) -> Option<&T> {
        match self.kind(context) {
            AttributeKind::Dialect(object) => object.downcast_ref(),
            _ => None,
        }
    }

    /// Whether this attribute is the declared dialect attribute `T`.
    pub fn is<T: DialectAttribute>(self, context: &Context) -> bool {
        self.downcast::<T>(context).is_some()
    }

    /// The unit attribute.
    pub fn unit(context: &Context) -> Self {
        context.intern_attribute(AttributeKind::Unit)
    }

    /// `true` or `false`: an `i1` integer attribute.
    pub fn bool(context: &Context, value: bool) -> Self {
        Self::integer(context, i128::from(value), Type::integer(context, 1))
    }

    /// An integer attribute, reduced to the width of its type as [`AttributeKind::Integer`] says.
    pub fn integer(context: &Context, value: i128, ty: Type) -> Self {
        let value = kind::canonical_integer(value, ty.kind(context));
        context.intern_attribute(AttributeKind::Integer { value, ty })
    }

    /// A floating-point attribute from the bits of its format.
    pub fn float_bits(context: &Context, bits: u128, ty: Type) -> Self {
        context.intern_attribute(AttributeKind::Float { bits, ty })
    }

    /// A string attribute.
    pub fn string(context: &Context, value: &str) -> Self {
        let value = context.identifier(value);
        context.intern_attribute(AttributeKind::String { value, ty: None })
    }

    /// An array attribute.
    pub fn array(context: &Context, elements: &[Attribute]) -> Self {
        context.intern_attribute(AttributeKind::Array(elements.into()))
    }

    /// A dictionary attribute.
    pub fn dictionary(context: &Context, dictionary: Dictionary) -> Self {
        context.intern_attribute(AttributeKind::Dictionary(dictionary))
    }

    /// A type as an attribute.
    pub fn type_attribute(context: &Context, ty: Type) -> Self {
        context.intern_attribute(AttributeKind::Type(ty))
    }

    /// A reference to a top-level symbol.
    pub fn symbol(context: &Context, name: &str) -> Self {
        let root = context.identifier(name);
        context.intern_attribute(AttributeKind::Symbol(SymbolRef { root, nested: Box::new([]) }))
    }

    /// `array<i32: ...>`
    pub fn dense_i32(context: &Context, values: &[i32]) -> Self {
        let values = values.iter().map(|&value| i128::from(value)).collect();
        context.intern_attribute(AttributeKind::DenseArray(DenseArray { element: ArrayElement::I32, values }))
    }

    /// The value of an integer attribute of any type.
    pub fn integer_value(self, context: &Context) -> Option<i128> {
        match *self.kind(context) {
            AttributeKind::Integer { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The value of an `i1` integer attribute.
    pub fn bool_value(self, context: &Context) -> Option<bool> {
        match *self.kind(context) {
            AttributeKind::Integer { value, ty } if ty.integer_width(context) == Some(1) => Some(value != 0),
            _ => None,
        }
    }

    /// The text of a string attribute.
    pub fn string_value(self, context: &Context) -> Option<&str> {
        match *self.kind(context) {
            AttributeKind::String { value, .. } => Some(value.as_str(context)),
            _ => None,
        }
    }

    /// The type in a type attribute.
    pub fn type_value(self, context: &Context) -> Option<Type> {
        match *self.kind(context) {
            AttributeKind::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// The elements of an array attribute.
    pub fn array_elements(self, context: &Context) -> Option<&[Attribute]> {
        match self.kind(context) {
            AttributeKind::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The symbol reference in a symbol attribute.
    pub fn symbol_value(self, context: &Context) -> Option<&SymbolRef> {
        match self.kind(context) {
            AttributeKind::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// The values of `array<i32: ...>`.
    pub fn dense_i32_values(self, context: &Context) -> Option<impl ExactSizeIterator<Item = i32> + '_> {
        match self.kind(context) {
            AttributeKind::DenseArray(array) if array.element == ArrayElement::I32 => {
                Some(array.values.iter().map(|&value| value as i32))
            }
            _ => None,
        }
    }
}
