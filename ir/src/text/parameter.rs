//! Parameters of types and attributes.

use super::{ParseResult, Parser, Printer};
use crate::attributes::{Attribute, AttributeKind, Dictionary};
use crate::nested_attributes::ParameterMap;
use crate::types::Type;

/// A parameter of a dialect's type or attribute: how it is read and written inside the angle brackets.
pub trait Parameter: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// If the text is something else; the diagnostic has been reported.
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self>;

    /// Writes it.
    fn print(&self, printer: &mut Printer<'_>);

    /// Puts the types, attributes and dictionaries in it through `map`.
    fn map(&mut self, _map: &mut dyn ParameterMap) {}
}

impl Parameter for Type {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
        parser.parse_type()
    }
    fn print(&self, printer: &mut Printer<'_>) {
        printer.ty(*self);
    }
    fn map(&mut self, map: &mut dyn ParameterMap) {
        *self = map.ty(*self);
    }
}

impl Parameter for Attribute {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
        parser.parse_attribute()
    }
    fn print(&self, printer: &mut Printer<'_>) {
        printer.attribute(*self);
    }
    fn map(&mut self, map: &mut dyn ParameterMap) {
        *self = map.attribute(*self);
    }
}

impl Parameter for Dictionary {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
        let start = parser.span();
        let attribute = parser.parse_attribute()?;
        match *attribute.kind(parser.context()) {
            AttributeKind::Dictionary(dictionary) => Ok(dictionary),
            _ => Err(parser.error(start, "expected-dictionary", "expected a dictionary")),
        }
    }
    fn print(&self, printer: &mut Printer<'_>) {
        printer.dictionary(*self);
    }
    fn map(&mut self, map: &mut dyn ParameterMap) {
        *self = map.dictionary(*self);
    }
}

impl Parameter for String {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
        parser.parse_string()
    }
    fn print(&self, printer: &mut Printer<'_>) {
        printer.string(self);
    }
}

impl Parameter for bool {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
        Ok(parser.one_of(&["true", "false"])? == "true")
    }
    fn print(&self, printer: &mut Printer<'_>) {
        printer.write(if *self { "true" } else { "false" });
    }
}

macro_rules! integers {
    ($($ty:ty => $parse:ident),*) => {$(
        impl Parameter for $ty {
            fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
                parser.$parse()
            }
            fn print(&self, printer: &mut Printer<'_>) {
                printer.display(self);
            }
        }
    )*};
}
integers!(u32 => parse_unsigned, u64 => parse_unsigned, i64 => parse_signed);

impl<T: Parameter> Parameter for Vec<T> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
        let mut elements = Vec::new();
        parser.comma_list("[", "]", |parser| {
            elements.push(T::parse(parser)?);
            Ok(())
        })?;
        Ok(elements)
    }
    fn print(&self, printer: &mut Printer<'_>) {
        printer.write("[");
        for (index, element) in self.iter().enumerate() {
            printer.write(if index == 0 { "" } else { ", " });
            element.print(printer);
        }
        printer.write("]");
    }
    fn map(&mut self, map: &mut dyn ParameterMap) {
        for element in self {
            element.map(map);
        }
    }
}
