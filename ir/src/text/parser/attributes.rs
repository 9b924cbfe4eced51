//! Attributes.

use super::{ParseResult, Parser, TokenKind, similar};
use crate::attributes::{Attribute, AttributeKind};
use crate::diagnostic::Diagnostic;
use crate::identifier::Identifier;
use crate::source::Span;
use rustc_hash::FxHashMap;

impl<'c> Parser<'c, '_> {
    /// Whether an attribute may start here.
    pub(super) fn starts_attribute(&self) -> bool {
        match self.token.kind {
            TokenKind::Integer
            | TokenKind::Float
            | TokenKind::String
            | TokenKind::AtIdentifier
            | TokenKind::HashIdentifier => true,
            TokenKind::Punctuation => matches!(self.token_text(), "-" | "[" | "{"),
            TokenKind::BareIdentifier if is_attribute_keyword(self.token_text()) => true,
            _ => self.starts_type(),
        }
    }

    /// Reads an attribute.
    ///
    /// # Errors
    /// If there is none; reported.
    pub fn parse_attribute(&mut self) -> ParseResult<Attribute> {
        match self.token.kind {
            TokenKind::Integer | TokenKind::Float => self.number_attribute(),
            TokenKind::String => self.string_attribute(),
            TokenKind::AtIdentifier => {
                let symbol = self.parse_symbol_ref()?;
                Ok(self.context.intern_attribute(AttributeKind::Symbol(symbol)))
            }
            TokenKind::HashIdentifier => self.nested(Self::named_attribute),
            TokenKind::Punctuation if self.at("-") => self.number_attribute(),
            TokenKind::Punctuation if self.at("[") => self.nested(|parser| {
                let mut elements = Vec::new();
                parser.comma_list("[", "]", |parser| {
                    elements.push(parser.parse_attribute()?);
                    Ok(())
                })?;
                Ok(Attribute::array(parser.context, &elements))
            }),
            TokenKind::Punctuation if self.at("{") => {
                let dictionary = self.parse_attribute_dictionary()?;
                Ok(Attribute::dictionary(self.context, dictionary))
            }
            TokenKind::BareIdentifier if is_attribute_keyword(self.token_text()) => self.keyword_attribute(),
            _ if self.starts_type() => {
                let ty = self.parse_type()?;
                Ok(Attribute::type_attribute(self.context, ty))
            }
            TokenKind::BareIdentifier => {
                let text = self.token_text();
                let diagnostic =
                    Diagnostic::error("unknown-attribute", self.span(), format!("'{text}' is no attribute"));
                let near = crate::nearest::nearest(text, KEYWORDS.iter().copied());
                Err(self.report(match near {
                    Some(near) => diagnostic.help(format!("an attribute with a similar name exists: '{near}'")),
                    None => diagnostic,
                }))
            }
            _ => Err(self.expected("an attribute")),
        }
    }

    fn string_attribute(&mut self) -> ParseResult<Attribute> {
        let text = self.parse_string()?;
        let ty = if self.eat(":") { Some(self.parse_type()?) } else { None };
        let value = self.context.identifier(&text);
        Ok(self.context.intern_attribute(AttributeKind::String { value, ty }))
    }

    fn keyword_attribute(&mut self) -> ParseResult<Attribute> {
        let (keyword, start) = (self.token_text(), self.span());
        match keyword {
            "affine_map" | "affine_set" | "strided" | "sparse" | "dense_resource" => {
                return self.verbatim_attribute(keyword, start);
            }
            _ => self.advance(),
        }
        match keyword {
            "unit" => Ok(Attribute::unit(self.context)),
            "true" | "false" => Ok(Attribute::bool(self.context, keyword == "true")),
            "dense" => self.dense_attribute(),
            "array" => self.array_attribute(),
            "loc" => {
                let location = self.location_in_parentheses()?;
                Ok(self.context.intern_attribute(AttributeKind::Location(location)))
            }
            _ => {
                let message = format!("'{keyword}' attributes are not supported");
                Err(self.error(start, "unknown-attribute", message))
            }
        }
    }

    fn verbatim_attribute(&mut self, keyword: &'c str, start: Span) -> ParseResult<Attribute> {
        if !self.next_is_adjacent_angle() {
            self.advance();
            return Err(self.error(start, "syntax", format!("expected '<' after '{keyword}'")));
        }
        let body = self.opaque_inside_brackets()?;
        let needs_type = matches!(keyword, "sparse" | "dense_resource");
        let ty = if needs_type {
            self.expect(":")?;
            Some(self.parse_type()?)
        } else {
            None
        };
        let keyword = self.context.identifier(keyword);
        Ok(self.context.intern_attribute(AttributeKind::Verbatim { keyword, body, ty }))
    }

    /// Reads `#alias` or `#dialect.attribute<...>`.
    fn named_attribute(&mut self) -> ParseResult<Attribute> {
        let (name, span) = (self.name_text(), self.span());
        if let Some(&attribute) = self.attribute_aliases.get(name) {
            self.advance();
            return attribute.ok_or(super::ParseFailure);
        }
        let dotted = name.split_once('.');
        if dotted.is_none() && !self.next_is_adjacent_angle() {
            self.advance();
            if self.aliases_lost {
                return Err(super::ParseFailure);
            }
            let message = format!("the attribute alias '#{name}' is not defined here");
            let diagnostic = Diagnostic::error("undefined-alias", span, message);
            let near = similar(name, self.attribute_aliases.keys().copied());
            return Err(self.report(match near {
                Some(near) => diagnostic.help(format!("an alias with a similar name is defined: '#{near}'")),
                None => diagnostic.help("attribute aliases must be defined before they are used"),
            }));
        }
        let dialect = dotted.map_or(name, |(dialect, _)| dialect);
        if self.context.dialect(dialect).is_some() {
            return self.declared_attribute(name, span);
        }
        self.check_dialect(dialect, span)?;
        let body = if dotted.is_some() { self.opaque_body(dialect)? } else { self.opaque_inside_brackets()? };
        let ty = if self.eat(":") { Some(self.parse_type()?) } else { None };
        let dialect = self.context.identifier(dialect);
        Ok(self.context.intern_attribute(AttributeKind::Opaque { dialect, body, ty }))
    }

    fn declared_attribute(&mut self, name: &'c str, span: Span) -> ParseResult<Attribute> {
        self.advance();
        if let Some(declaration) = self.context.registry().attribute_declaration(name) {
            return (declaration.parse)(self);
        }
        let diagnostic = Diagnostic::error("unknown-attribute", span, format!("there is no attribute '#{name}'"));
        let dialects = self.context.registry().dialects();
        let known = dialects.iter().flat_map(|dialect| dialect.attributes()).map(|declaration| declaration.name);
        Err(self.report(match crate::nearest::nearest(name, known) {
            Some(near) => diagnostic.help(format!("an attribute with a similar name exists: '#{near}'")),
            None => diagnostic,
        }))
    }

    /// Reads the entries of a dictionary in braces.
    pub(super) fn dictionary_entries(&mut self) -> ParseResult<Vec<(Identifier, Attribute)>> {
        self.nested(|parser| {
            let mut entries: Vec<(Identifier, Attribute)> = Vec::new();
            let mut seen: FxHashMap<Identifier, Span> = FxHashMap::default();
            parser.comma_list("{", "}", |parser| {
                let span = parser.span();
                let key = parser.dictionary_key()?;
                if let Some(&first) = seen.get(&key) {
                    let text = key.as_str(parser.context);
                    let message = format!("the key '{text}' stands twice in one dictionary");
                    let diagnostic = Diagnostic::error("duplicate-key", span, message);
                    parser.report(diagnostic.note(first, "it stands here first"));
                }
                let value = if parser.eat("=") { parser.parse_attribute()? } else { Attribute::unit(parser.context) };
                // The duplicate is read to its end, so that the error is the only one.
                if seen.insert(key, span).is_some() {
                    return Err(super::ParseFailure);
                }
                entries.push((key, value));
                Ok(())
            })?;
            Ok(entries)
        })
    }

    fn dictionary_key(&mut self) -> ParseResult<Identifier> {
        match self.token.kind {
            TokenKind::BareIdentifier => {
                let key = self.context.identifier(self.token_text());
                self.advance();
                Ok(key)
            }
            TokenKind::String => {
                let span = self.span();
                let text = self.parse_string()?;
                if text.is_empty() {
                    return Err(self.error(span, "empty-key", "a key must not be empty"));
                }
                Ok(self.context.identifier(&text))
            }
            _ => Err(self.expected("a key")),
        }
    }
}

const KEYWORDS: &[&str] = &[
    "unit",
    "true",
    "false",
    "dense",
    "array",
    "loc",
    "affine_map",
    "affine_set",
    "strided",
    "sparse",
    "dense_resource",
    "distinct",
    "opaque",
];

fn is_attribute_keyword(text: &str) -> bool {
    KEYWORDS.contains(&text)
}
