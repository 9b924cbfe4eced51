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

    /// What it is, in words, for the reference page.
    fn describe() -> String {
        "parameter".to_owned()
    }
}

/// What is in a parameter that may be left out. A definition reads and writes the mark before it: it must be the last.
impl<T: Parameter> Parameter for Option<T> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
        T::parse(parser).map(Some)
    }
    fn print(&self, printer: &mut Printer<'_>) {
        if let Some(value) = self {
            value.print(printer);
        }
    }
    fn map(&mut self, map: &mut dyn ParameterMap) {
        if let Some(value) = self {
            value.map(map);
        }
    }
    fn describe() -> String {
        T::describe()
    }
}

/// A parameter of a declared type or attribute.
pub struct ParameterDeclaration {
    /// Its name.
    pub name: &'static str,
    /// See [`Parameter::describe`].
    pub describe: fn() -> String,
    /// Whether it may be left out.
    pub is_optional: bool,
    /// What it is for, in Markdown; may be empty.
    pub documentation: &'static str,
}

impl ParameterDeclaration {
    /// The declaration of a parameter of type `T`.
    pub const fn of<T: Parameter>(name: &'static str, documentation: &'static str) -> Self {
        Self { name, describe: T::describe, is_optional: false, documentation }
    }

    /// The same of a parameter that may be left out.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }
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
    fn describe() -> String {
        "type".to_owned()
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
    fn describe() -> String {
        "attribute".to_owned()
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
    fn describe() -> String {
        "dictionary".to_owned()
    }
}

impl Parameter for String {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
        parser.parse_string()
    }
    fn print(&self, printer: &mut Printer<'_>) {
        printer.string(self);
    }
    fn describe() -> String {
        "string".to_owned()
    }
}

impl Parameter for bool {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
        Ok(parser.one_of(&["true", "false"])? == "true")
    }
    fn print(&self, printer: &mut Printer<'_>) {
        printer.write(if *self { "true" } else { "false" });
    }
    fn describe() -> String {
        "`true` or `false`".to_owned()
    }
}

macro_rules! integers {
    ($($ty:ty => $parse:ident, $description:literal;)*) => {$(
        impl Parameter for $ty {
            fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
                parser.$parse()
            }
            fn print(&self, printer: &mut Printer<'_>) {
                printer.display(self);
            }
            fn describe() -> String {
                $description.to_owned()
            }
        }
    )*};
}
integers! {
    u32 => parse_unsigned, "unsigned 32-bit number";
    u64 => parse_unsigned, "unsigned 64-bit number";
    i32 => parse_signed, "signed 32-bit number";
    i64 => parse_signed, "signed 64-bit number";
}

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
    fn describe() -> String {
        format!("list of {}, in square brackets", T::describe())
    }
}
