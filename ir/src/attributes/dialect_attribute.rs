//! Attributes that dialects declare.

use std::any::{Any, TypeId};
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::FxBuildHasher;

use super::{Attribute, AttributeKind};
use crate::context::Context;
use crate::nested_attributes::ParameterMap;
use crate::text::{ParameterDeclaration, ParseResult, Parser, Printer};
use crate::types::Type;

/// An attribute declared by a dialect: a plain Rust value, usually made by `#[attribute_definition]`.
///
/// Equality and hashing are the Rust type's own; two equal values are one [`Attribute`].
pub trait DialectAttribute: fmt::Debug + Clone + Eq + Hash + Send + Sync + 'static {
    /// Name, documentation and parser.
    const DECLARATION: &'static AttributeDeclaration;

    /// Prints the parameters, angle brackets included; nothing if there are none.
    fn print_parameters(&self, printer: &mut Printer<'_>);

    /// Puts each type, attribute and dictionary among the parameters through `map`.
    fn map_parameters(&mut self, _map: &mut dyn ParameterMap) {}

    /// The type of the constant that the attribute is, if it is one.
    fn typed(&self, _context: &Context) -> Option<Type> {
        None
    }

    /// Checks the parameters against each other; an error is what is wrong, in words.
    fn verify(&self, _context: &Context) -> Result<(), String> {
        Ok(())
    }

    /// The attribute of this value.
    fn intern(self, context: &Context) -> Attribute {
        context.intern_attribute(AttributeKind::Dialect(DialectAttributeObject::new(self)))
    }
}

/// What a dialect declares about an attribute, apart from its values.
pub struct AttributeDeclaration {
    /// Full name, `dialect.mnemonic`.
    pub name: &'static str,
    /// Documentation in Markdown; the first paragraph is the summary.
    pub documentation: &'static str,
    /// The parameters in the order of the text.
    pub parameters: &'static [ParameterDeclaration],
    /// Parses the parameters, angle brackets included, and interns the attribute.
    pub parse: fn(&mut Parser<'_, '_>) -> ParseResult<Attribute>,
}

/// The object-safe face of [`DialectAttribute`].
trait Object: fmt::Debug + Any + Send + Sync {
    fn declaration(&self) -> &'static AttributeDeclaration;
    fn print_parameters(&self, printer: &mut Printer<'_>);
    fn map_parameters(&self, map: &mut dyn ParameterMap) -> Box<dyn Object>;
    fn typed(&self, context: &Context) -> Option<Type>;
    fn verify(&self, context: &Context) -> Result<(), String>;
    fn equals(&self, other: &dyn Object) -> bool;
    fn hash_value(&self) -> u64;
    fn clone_object(&self) -> Box<dyn Object>;
    fn as_any(&self) -> &dyn Any;
}

impl<T: DialectAttribute> Object for T {
    fn declaration(&self) -> &'static AttributeDeclaration {
        T::DECLARATION
    }
    fn print_parameters(&self, printer: &mut Printer<'_>) {
        DialectAttribute::print_parameters(self, printer);
    }
    fn map_parameters(&self, map: &mut dyn ParameterMap) -> Box<dyn Object> {
        let mut mapped = self.clone();
        DialectAttribute::map_parameters(&mut mapped, map);
        Box::new(mapped)
    }
    fn typed(&self, context: &Context) -> Option<Type> {
        DialectAttribute::typed(self, context)
    }
    fn verify(&self, context: &Context) -> Result<(), String> {
        DialectAttribute::verify(self, context)
    }
    fn equals(&self, other: &dyn Object) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }
    fn hash_value(&self) -> u64 {
        FxBuildHasher.hash_one((TypeId::of::<T>(), self))
    }
    fn clone_object(&self) -> Box<dyn Object> {
        Box::new(self.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A value of some [`DialectAttribute`].
pub struct DialectAttributeObject(Box<dyn Object>);

impl DialectAttributeObject {
    /// Wraps a value.
    pub fn new<T: DialectAttribute>(value: T) -> Self {
        Self(Box::new(value))
    }
    /// The value, if it is a `T`.
    pub fn downcast_ref<T: DialectAttribute>(&self) -> Option<&T> {
        self.0.as_any().downcast_ref()
    }
    /// What the dialect declares about it.
    pub fn declaration(&self) -> &'static AttributeDeclaration {
        self.0.declaration()
    }
    /// See [`DialectAttribute::print_parameters`].
    pub fn print_parameters(&self, printer: &mut Printer<'_>) {
        self.0.print_parameters(printer);
    }
    /// A copy with its parameters put through `map`; see [`DialectAttribute::map_parameters`].
    pub fn map_parameters(&self, map: &mut dyn ParameterMap) -> Self {
        Self(self.0.map_parameters(map))
    }
    /// See [`DialectAttribute::typed`].
    pub fn typed(&self, context: &Context) -> Option<Type> {
        self.0.typed(context)
    }
    /// See [`DialectAttribute::verify`].
    pub fn verify(&self, context: &Context) -> Result<(), String> {
        self.0.verify(context)
    }
}

impl Clone for DialectAttributeObject {
    fn clone(&self) -> Self {
        Self(self.0.clone_object())
    }
}

impl PartialEq for DialectAttributeObject {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for DialectAttributeObject {}

impl Hash for DialectAttributeObject {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash_value());
    }
}

impl fmt::Debug for DialectAttributeObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
