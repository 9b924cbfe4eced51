//! Constraints on types and attributes.
//!
//! A constraint is a Rust type with associated functions, so that constraints compose as generics do; declarations
//! keep them as rules, tables of those functions.

use crate::attributes::Attribute;
use crate::context::Context;
use crate::text::{ParseResult, Parser, Printer};
use crate::types::Type;

/// A set of types, named in words.
pub trait TypeConstraint {
    /// What a type of the set is called in a message, such as `integer or vector of integers`.
    const DESCRIPTION: &'static str;

    /// Whether `ty` is in the set.
    fn accepts(context: &Context, ty: Type) -> bool;

    /// The only type of the set, if it has just one: it then need not be written.
    fn only(_context: &Context) -> Option<Type> {
        None
    }
}

/// The functions of one [`TypeConstraint`].
#[derive(Clone, Copy)]
pub struct TypeRule {
    /// See [`TypeConstraint::DESCRIPTION`].
    pub description: &'static str,
    /// See [`TypeConstraint::accepts`].
    pub accepts: fn(&Context, Type) -> bool,
    /// See [`TypeConstraint::only`].
    pub only: fn(&Context) -> Option<Type>,
}

impl TypeRule {
    /// The rule of a constraint.
    #[must_use]
    pub const fn of<C: TypeConstraint>() -> Self {
        Self { description: C::DESCRIPTION, accepts: C::accepts, only: C::only }
    }
}

/// A set of attributes together with the Rust value that each of them stands for.
///
/// A property's declared type implements this; accessors and builders then speak that type.
pub trait AttributeConstraint: Sized {
    /// What accessors return; often `Self`.
    type Value<'c>;

    /// What an attribute of the set is called in a message, such as `32-bit integer`.
    const DESCRIPTION: &'static str;

    /// The value of an attribute of the set; nothing for an attribute outside.
    fn decode(context: &Context, attribute: Attribute) -> Option<Self::Value<'_>>;

    /// The attribute of a value.
    fn encode(context: &Context, value: Self::Value<'_>) -> Attribute;

    /// Whether the current token can begin an attribute of the set in the custom form of an operation.
    fn starts(parser: &Parser<'_, '_>) -> bool {
        parser.at_attribute()
    }

    /// Reads an attribute of the set as the custom form of an operation writes it.
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        parser.parse_attribute()
    }

    /// Writes an attribute in the custom form of an operation.
    fn print(attribute: Attribute, printer: &mut Printer<'_>) {
        printer.attribute(attribute);
    }
}

/// The functions of one [`AttributeConstraint`] that need no value type.
#[derive(Clone, Copy)]
pub struct AttributeRule {
    /// See [`AttributeConstraint::DESCRIPTION`].
    pub description: &'static str,
    /// Whether an attribute is in the set.
    pub accepts: fn(&Context, Attribute) -> bool,
    /// See [`AttributeConstraint::starts`].
    pub starts: fn(&Parser<'_, '_>) -> bool,
    /// See [`AttributeConstraint::parse`].
    pub parse: fn(&mut Parser<'_, '_>) -> ParseResult<Attribute>,
    /// See [`AttributeConstraint::print`].
    pub print: fn(Attribute, &mut Printer<'_>),
}

impl AttributeRule {
    /// The rule of a constraint.
    #[must_use]
    pub const fn of<C: AttributeConstraint>() -> Self {
        Self {
            description: C::DESCRIPTION,
            accepts: |context, attribute| C::decode(context, attribute).is_some(),
            starts: C::starts,
            parse: C::parse,
            print: C::print,
        }
    }
}
