//! Types that dialects declare.

use std::any::{Any, TypeId};
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::FxBuildHasher;

use super::{Type, TypeKind};
use crate::context::Context;
use crate::nested_attributes::ParameterMap;
use crate::text::{ParameterDeclaration, ParseResult, Parser, Printer};

/// A type declared by a dialect: a plain Rust value, usually made by `#[type_definition]`.
///
/// Equality and hashing are the Rust type's own; two equal values are one [`Type`].
pub trait DialectType: fmt::Debug + Clone + Eq + Hash + Send + Sync + 'static {
    /// Name, documentation and parser.
    const DECLARATION: &'static TypeDeclaration;

    /// Prints the parameters, angle brackets included; nothing if there are none.
    fn print_parameters(&self, printer: &mut Printer<'_>);

    /// Puts each type, attribute and dictionary among the parameters through `map`.
    fn map_parameters(&mut self, _map: &mut dyn ParameterMap) {}

    /// The types of the parts that a value of this type in memory consists of, in order, if it can be taken apart.
    /// What scalar replacement of aggregates asks.
    fn destructure(&self, _context: &Context) -> Option<Vec<Type>> {
        None
    }

    /// Checks the parameters against each other; an error is what is wrong, in words.
    fn verify(&self, _context: &Context) -> Result<(), String> {
        Ok(())
    }

    /// The type of this value.
    fn intern(self, context: &Context) -> Type {
        context.intern_type(TypeKind::Dialect(DialectTypeObject::new(self)))
    }
}

/// What a dialect declares about a type, apart from its values.
pub struct TypeDeclaration {
    /// Full name, `dialect.mnemonic`.
    pub name: &'static str,
    /// Documentation in Markdown; the first paragraph is the summary.
    pub documentation: &'static str,
    /// The parameters in the order of the text.
    pub parameters: &'static [ParameterDeclaration],
    /// Parses the parameters, angle brackets included, and interns the type.
    pub parse: fn(&mut Parser<'_, '_>) -> ParseResult<Type>,
}

/// The object-safe face of [`DialectType`].
trait Object: fmt::Debug + Any + Send + Sync {
    fn declaration(&self) -> &'static TypeDeclaration;
    fn print_parameters(&self, printer: &mut Printer<'_>);
    fn map_parameters(&self, map: &mut dyn ParameterMap) -> Box<dyn Object>;
    fn destructure(&self, context: &Context) -> Option<Vec<Type>>;
    fn verify(&self, context: &Context) -> Result<(), String>;
    fn equals(&self, other: &dyn Object) -> bool;
    fn hash_value(&self) -> u64;
    fn clone_object(&self) -> Box<dyn Object>;
    fn as_any(&self) -> &dyn Any;
}

impl<T: DialectType> Object for T {
    fn declaration(&self) -> &'static TypeDeclaration {
        T::DECLARATION
    }
    fn print_parameters(&self, printer: &mut Printer<'_>) {
        DialectType::print_parameters(self, printer);
    }
    fn map_parameters(&self, map: &mut dyn ParameterMap) -> Box<dyn Object> {
        let mut mapped = self.clone();
        DialectType::map_parameters(&mut mapped, map);
        Box::new(mapped)
    }
    fn destructure(&self, context: &Context) -> Option<Vec<Type>> {
        DialectType::destructure(self, context)
    }
    fn verify(&self, context: &Context) -> Result<(), String> {
        DialectType::verify(self, context)
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

/// A value of some [`DialectType`].
pub struct DialectTypeObject(Box<dyn Object>);

impl DialectTypeObject {
    /// Wraps a value.
    pub fn new<T: DialectType>(value: T) -> Self {
        Self(Box::new(value))
    }
    /// The value, if it is a `T`.
    pub fn downcast_ref<T: DialectType>(&self) -> Option<&T> {
        self.0.as_any().downcast_ref()
    }
    /// What the dialect declares about it.
    pub fn declaration(&self) -> &'static TypeDeclaration {
        self.0.declaration()
    }
    /// See [`DialectType::print_parameters`].
    pub fn print_parameters(&self, printer: &mut Printer<'_>) {
        self.0.print_parameters(printer);
    }
    /// A copy with its parameters put through `map`; see [`DialectType::map_parameters`].
    pub fn map_parameters(&self, map: &mut dyn ParameterMap) -> Self {
        Self(self.0.map_parameters(map))
    }
    /// See [`DialectType::destructure`].
    pub fn destructure(&self, context: &Context) -> Option<Vec<Type>> {
        self.0.destructure(context)
    }
    /// See [`DialectType::verify`].
    pub fn verify(&self, context: &Context) -> Result<(), String> {
        self.0.verify(context)
    }
}

impl Clone for DialectTypeObject {
    fn clone(&self) -> Self {
        Self(self.0.clone_object())
    }
}

impl PartialEq for DialectTypeObject {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for DialectTypeObject {}

impl Hash for DialectTypeObject {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash_value());
    }
}

impl fmt::Debug for DialectTypeObject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
