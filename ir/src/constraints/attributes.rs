//! Stock constraints on attributes.

use crate::attributes::{ArrayElement, Attribute, AttributeKind, Dictionary, SymbolRef};
use crate::context::Context;
use crate::operation::AttributeConstraint;
use crate::text::{ParseResult, Parser, Printer};
use crate::types::Type;

/// Any attribute.
pub struct AnyAttribute;

impl AttributeConstraint for AnyAttribute {
    type Value<'c> = Attribute;
    const DESCRIPTION: &'static str = "any attribute";

    fn decode(_context: &Context, attribute: Attribute) -> Option<Attribute> {
        Some(attribute)
    }

    fn encode(_context: &Context, value: Attribute) -> Attribute {
        value
    }
}

/// A number or dense elements: an attribute that has a type.
pub struct TypedAttribute;

impl AttributeConstraint for TypedAttribute {
    type Value<'c> = Attribute;
    const DESCRIPTION: &'static str = "attribute that has a type";

    fn decode(context: &Context, attribute: Attribute) -> Option<Attribute> {
        let is_type = attribute.type_value(context).is_some();
        (!is_type && crate::operation::type_of_attribute(context, attribute).is_some()).then_some(attribute)
    }

    fn encode(_context: &Context, value: Attribute) -> Attribute {
        value
    }
}

/// A type.
pub struct TypeAttribute;

impl AttributeConstraint for TypeAttribute {
    type Value<'c> = Type;
    const DESCRIPTION: &'static str = "type";

    fn decode(context: &Context, attribute: Attribute) -> Option<Type> {
        attribute.type_value(context)
    }

    fn encode(context: &Context, value: Type) -> Attribute {
        Attribute::type_attribute(context, value)
    }

    fn starts(parser: &Parser<'_, '_>) -> bool {
        parser.at_type()
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        let ty = parser.parse_type()?;
        Ok(Attribute::type_attribute(parser.context(), ty))
    }
}

/// A string.
pub struct StringAttribute;

impl AttributeConstraint for StringAttribute {
    type Value<'c> = &'c str;
    const DESCRIPTION: &'static str = "string";

    fn decode(context: &Context, attribute: Attribute) -> Option<&str> {
        attribute.string_value(context)
    }

    fn encode(context: &Context, value: &str) -> Attribute {
        Attribute::string(context, value)
    }

    fn starts(parser: &Parser<'_, '_>) -> bool {
        parser.at_string()
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        let text = parser.parse_string()?;
        Ok(Attribute::string(parser.context(), &text))
    }
}

/// The name of a symbol: a string that is not empty, written `@name`.
pub struct SymbolName;

impl AttributeConstraint for SymbolName {
    type Value<'c> = &'c str;
    const DESCRIPTION: &'static str = "symbol name (a string that is not empty)";

    fn decode(context: &Context, attribute: Attribute) -> Option<&str> {
        attribute.string_value(context).filter(|name| !name.is_empty())
    }

    fn encode(context: &Context, value: &str) -> Attribute {
        Attribute::string(context, value)
    }

    fn starts(parser: &Parser<'_, '_>) -> bool {
        parser.at_symbol()
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        let name = parser.parse_symbol_name()?;
        Ok(Attribute::string(parser.context(), &name))
    }

    fn print(attribute: Attribute, printer: &mut Printer<'_>) {
        match attribute.string_value(printer.context()) {
            Some(name) => printer.symbol(name),
            None => printer.attribute(attribute),
        }
    }
}

/// A reference to a symbol.
pub struct SymbolReference;

impl AttributeConstraint for SymbolReference {
    type Value<'c> = Attribute;
    const DESCRIPTION: &'static str = "symbol reference";

    fn decode(context: &Context, attribute: Attribute) -> Option<Attribute> {
        attribute.symbol_value(context).map(|_| attribute)
    }

    fn encode(_context: &Context, value: Attribute) -> Attribute {
        value
    }

    fn starts(parser: &Parser<'_, '_>) -> bool {
        parser.at_symbol()
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        let symbol: SymbolRef = parser.parse_symbol_ref()?;
        Ok(parser.context().intern_attribute(AttributeKind::Symbol(symbol)))
    }
}

/// A flag: `unit` if it is set, absent if not. In a format it has no text of its own: the literals of its optional
/// group say it, as in `` (`volatile` $volatile^)? ``.
pub struct UnitFlag;

impl AttributeConstraint for UnitFlag {
    type Value<'c> = ();
    const DESCRIPTION: &'static str = "flag (unit)";

    fn decode(context: &Context, attribute: Attribute) -> Option<()> {
        matches!(attribute.kind(context), AttributeKind::Unit).then_some(())
    }

    fn encode(context: &Context, (): ()) -> Attribute {
        Attribute::unit(context)
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        Ok(Attribute::unit(parser.context()))
    }

    fn print(_attribute: Attribute, _printer: &mut Printer<'_>) {}
}

/// `true` or `false`.
pub struct BoolAttribute;

impl AttributeConstraint for BoolAttribute {
    type Value<'c> = bool;
    const DESCRIPTION: &'static str = "true or false";

    fn decode(context: &Context, attribute: Attribute) -> Option<bool> {
        attribute.bool_value(context)
    }

    fn encode(context: &Context, value: bool) -> Attribute {
        Attribute::bool(context, value)
    }

    fn starts(parser: &Parser<'_, '_>) -> bool {
        parser.at_keyword("true") || parser.at_keyword("false")
    }
}

/// An integer of any type.
pub struct IntegerAttribute;

impl AttributeConstraint for IntegerAttribute {
    type Value<'c> = Attribute;
    const DESCRIPTION: &'static str = "integer";

    fn decode(context: &Context, attribute: Attribute) -> Option<Attribute> {
        attribute.integer_value(context).map(|_| attribute)
    }

    fn encode(_context: &Context, value: Attribute) -> Attribute {
        value
    }
}

/// A floating-point number of any type.
pub struct FloatAttribute;

impl AttributeConstraint for FloatAttribute {
    type Value<'c> = Attribute;
    const DESCRIPTION: &'static str = "floating-point number";

    fn decode(context: &Context, attribute: Attribute) -> Option<Attribute> {
        matches!(attribute.kind(context), AttributeKind::Float { .. }).then_some(attribute)
    }

    fn encode(_context: &Context, value: Attribute) -> Attribute {
        value
    }
}

/// `[a, b, ...]`
pub struct ArrayAttribute;

impl AttributeConstraint for ArrayAttribute {
    type Value<'c> = &'c [Attribute];
    const DESCRIPTION: &'static str = "array";

    fn decode(context: &Context, attribute: Attribute) -> Option<&[Attribute]> {
        attribute.array_elements(context)
    }

    fn encode(context: &Context, value: &[Attribute]) -> Attribute {
        Attribute::array(context, value)
    }
}

/// `array<i32: 1, 2>`
pub struct DenseI32Attribute;

impl AttributeConstraint for DenseI32Attribute {
    type Value<'c> = std::borrow::Cow<'c, [i32]>;
    const DESCRIPTION: &'static str = "array of i32 (array<i32: ...>)";

    fn decode(context: &Context, attribute: Attribute) -> Option<std::borrow::Cow<'_, [i32]>> {
        Some(std::borrow::Cow::Owned(attribute.dense_i32_values(context)?.collect()))
    }

    fn encode(context: &Context, value: std::borrow::Cow<'_, [i32]>) -> Attribute {
        Attribute::dense_i32(context, &value)
    }

    fn starts(parser: &Parser<'_, '_>) -> bool {
        parser.at("[")
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        let mut values: Vec<i32> = Vec::new();
        parser.comma_list("[", "]", |parser| {
            values.push(parser.parse_signed()?);
            Ok(())
        })?;
        Ok(Attribute::dense_i32(parser.context(), &values))
    }

    fn print(attribute: Attribute, printer: &mut Printer<'_>) {
        match attribute.kind(printer.context()) {
            AttributeKind::DenseArray(array) if array.element == ArrayElement::I32 => {
                printer.write("[");
                printer.list(array.values.iter().copied(), |printer, value| printer.display(value));
                printer.write("]");
            }
            _ => printer.attribute(attribute),
        }
    }
}

/// `{key = value, ...}`
pub struct DictionaryAttribute;

impl AttributeConstraint for DictionaryAttribute {
    type Value<'c> = Dictionary;
    const DESCRIPTION: &'static str = "dictionary";

    fn decode(context: &Context, attribute: Attribute) -> Option<Dictionary> {
        match *attribute.kind(context) {
            AttributeKind::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        }
    }

    fn encode(context: &Context, value: Dictionary) -> Attribute {
        Attribute::dictionary(context, value)
    }
}
