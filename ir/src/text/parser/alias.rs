//! Aliases.
//!
//! Aliases of types and attributes are defined before they are used. Those of locations usually follow the module, so
//! the first unknown one makes the parser look through the line starts of the text for all of them, once.

use rustc_hash::FxHashMap;

use super::{ParseFailure, ParseResult, Parser, TokenKind};
use crate::attributes::AttributeKind;
use crate::diagnostic::Diagnostic;
use crate::location::Location;
use crate::types::Type;

/// What is known of location aliases.
#[derive(Default)]
pub(super) struct LocationAliases<'c> {
    /// Where the value of each alias starts; filled when it is first needed.
    places: Option<FxHashMap<&'c str, usize>>,
    /// Values that have been read; nothing while one is being read.
    values: FxHashMap<&'c str, Option<Location>>,
}

impl<'c> Parser<'c, '_> {
    /// Reads `#alias` inside of `loc(...)`.
    pub(super) fn location_alias(&mut self) -> ParseResult<Location> {
        let (name, span) = (self.name_text(), self.span());
        self.advance();
        match self.attribute_aliases.get(name) {
            Some(Some(attribute)) => match *attribute.kind(self.context) {
                AttributeKind::Location(location) => return Ok(location),
                _ => {
                    let message = format!("the alias '#{name}' is not that of a location");
                    return Err(self.error(span, "location-alias", message));
                }
            },
            Some(None) => return Err(ParseFailure),
            None => {}
        }
        match self.location_aliases.values.get(name) {
            Some(Some(location)) => return Ok(*location),
            Some(None) => {
                let message = format!("the location alias '#{name}' refers to itself");
                return Err(self.error(span, "cyclic-alias", message));
            }
            None => {}
        }
        let Some(place) = self.location_place(name) else {
            let diagnostic =
                Diagnostic::error("undefined-alias", span, format!("the location alias '#{name}' is not defined"));
            return Err(self.report(diagnostic.help(format!("define it on a line of its own: #{name} = loc(...)"))));
        };
        self.location_aliases.values.insert(name, None);
        let (token, previous_end, brackets) = (self.token, self.previous_end, self.brackets);
        self.move_to(place);
        let result = self.keyword("loc").and_then(|()| self.location_in_parentheses());
        (self.token, self.previous_end, self.brackets) = (token, previous_end, brackets);
        match result {
            Ok(location) => {
                self.location_aliases.values.insert(name, Some(location));
                Ok(location)
            }
            Err(failure) => {
                // It has been reported; later uses are fine as far as anybody can tell.
                self.location_aliases.values.insert(name, Some(Location::UNKNOWN));
                Err(failure)
            }
        }
    }

    fn location_place(&mut self, name: &str) -> Option<usize> {
        let (text, limit) = (self.text, self.limit);
        let places = self.location_aliases.places.get_or_insert_with(|| {
            let text = &text[..limit];
            let mut places = FxHashMap::default();
            let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
            for start in starts {
                let Some(rest) = text[start..].strip_prefix('#') else { continue };
                let length = rest.find(|character: char| !character.is_alphanumeric() && character != '_');
                let (name, value) = rest.split_at(length.unwrap_or(rest.len()));
                let trimmed = value.trim_start();
                if let Some(value) = trimmed.strip_prefix('=').filter(|value| value.trim_start().starts_with("loc")) {
                    places.entry(name).or_insert(start + text[start..].len() - value.len());
                }
            }
            places
        });
        places.get(name).copied()
    }

    /// Reads `#name = attribute` at the top level.
    pub(super) fn attribute_alias_definition(&mut self) -> ParseResult<()> {
        let (name, span) = (self.name_text(), self.span());
        self.advance();
        self.check_alias(name, '#', self.attribute_aliases.contains_key(name), span)?;
        let attribute = self.expect("=").and_then(|()| self.parse_attribute());
        self.attribute_aliases.insert(name, attribute.ok());
        attribute.map(|_| ())
    }

    /// Reads `!name = type` at the top level.
    pub(super) fn type_alias_definition(&mut self) -> ParseResult<()> {
        let (name, span) = (self.name_text(), self.span());
        self.advance();
        self.check_alias(name, '!', self.type_aliases.contains_key(name), span)?;
        let ty = self.expect("=").and_then(|()| self.aliased_type(name));
        self.type_aliases.insert(name, ty.ok());
        ty.map(|_| ())
    }

    fn aliased_type(&mut self, name: &str) -> ParseResult<Type> {
        if self.is_kind(TokenKind::BareIdentifier) && self.token_text() == "type" {
            let diagnostic = Diagnostic::error("syntax", self.span(), "a type alias is written without 'type'");
            return Err(self.report(diagnostic.help(format!("!{name} = ..."))));
        }
        self.parse_type()
    }

    fn check_alias(&mut self, name: &str, sigil: char, known: bool, span: crate::source::Span) -> ParseResult<()> {
        if name.contains('.') {
            let message = format!("the name of an alias must not contain a dot, since '{sigil}{name}' is of a dialect");
            return Err(self.error(span, "alias-name", message));
        }
        if known {
            return Err(self.error(span, "redefined-alias", format!("the alias '{sigil}{name}' is defined twice")));
        }
        Ok(())
    }
}
