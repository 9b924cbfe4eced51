//! What custom forms are read with.

use std::str::FromStr;

use super::{ParseResult, Parser, TokenKind};
use crate::attributes::{Attribute, Dictionary, SymbolRef};
use crate::body::{BlockId, OpId, OperationState, RegionId, ValueId};
use crate::location::Location;
use crate::source::Span;
use crate::text::quote::unescape;
use crate::types::Type;

/// An operand as written: a name that is not looked up yet.
#[derive(Clone, Copy, Debug)]
pub struct UnresolvedOperand<'c> {
    pub(super) name: &'c str,
    pub(super) index: u32,
    /// Where it is written.
    pub span: Span,
}

impl<'c> Parser<'c, '_> {
    /// Whether the current token is this punctuation.
    pub fn at(&self, punctuation: &str) -> bool {
        self.at_punctuation(punctuation)
    }

    /// Whether the current token is this keyword.
    pub fn at_keyword(&self, keyword: &str) -> bool {
        self.is_kind(TokenKind::BareIdentifier) && self.token_text() == keyword
    }

    /// Whether an operand starts here.
    pub fn at_operand(&self) -> bool {
        self.is_kind(TokenKind::PercentIdentifier)
    }

    /// Whether a symbol starts here.
    pub fn at_symbol(&self) -> bool {
        self.is_kind(TokenKind::AtIdentifier)
    }

    /// Whether a successor starts here.
    pub fn at_successor(&self) -> bool {
        self.is_kind(TokenKind::CaretIdentifier)
    }

    /// Whether a string starts here.
    pub fn at_string(&self) -> bool {
        self.is_kind(TokenKind::String)
    }

    /// Whether a number starts here, with a minus sign or without.
    pub fn at_number(&self) -> bool {
        self.is_kind(TokenKind::Integer) || self.at("-")
    }

    /// Whether a type starts here.
    pub fn at_type(&self) -> bool {
        self.starts_type()
    }

    /// Whether an attribute starts here.
    pub fn at_attribute(&self) -> bool {
        self.starts_attribute()
    }

    /// Reads punctuation.
    ///
    /// # Errors
    /// If something else stands here; reported, as with all methods below.
    pub fn expect(&mut self, punctuation: &str) -> ParseResult<()> {
        if self.eat(punctuation) { Ok(()) } else { Err(self.expected(&format!("'{punctuation}'"))) }
    }

    /// Reads punctuation if it stands here.
    pub fn optional(&mut self, punctuation: &str) -> bool {
        self.eat(punctuation)
    }

    /// Reads a keyword.
    pub fn keyword(&mut self, keyword: &str) -> ParseResult<()> {
        if self.optional_keyword(keyword) { Ok(()) } else { Err(self.expected(&format!("'{keyword}'"))) }
    }

    /// Reads a keyword if it stands here.
    pub fn optional_keyword(&mut self, keyword: &str) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    /// Reads any keyword.
    pub fn any_keyword(&mut self) -> ParseResult<&'c str> {
        if !self.is_kind(TokenKind::BareIdentifier) {
            return Err(self.expected("a keyword"));
        }
        let text = self.token_text();
        self.advance();
        Ok(text)
    }

    /// Reads one of these keywords.
    pub fn one_of(&mut self, keywords: &[&'static str]) -> ParseResult<&'static str> {
        let text = if self.is_kind(TokenKind::BareIdentifier) { self.token_text() } else { "" };
        if let Some(&found) = keywords.iter().find(|&&keyword| keyword == text) {
            self.advance();
            return Ok(found);
        }
        let list = match keywords {
            [.., _, _] if keywords.len() > 8 => "a keyword of the set".to_owned(),
            _ => keywords.iter().map(|keyword| format!("'{keyword}'")).collect::<Vec<_>>().join(" or "),
        };
        let hint =
            crate::nearest::nearest(text, keywords.iter().copied()).map(|near| format!("; did you mean '{near}'?"));
        Err(self.expected(&(list + &hint.unwrap_or_default())))
    }

    /// Reads a decimal or hexadecimal number without sign.
    pub fn parse_unsigned<T: FromStr + TryFrom<u128>>(&mut self) -> ParseResult<T> {
        if !self.is_kind(TokenKind::Integer) {
            return Err(self.expected("a number"));
        }
        let span = self.span();
        let value = self.integer_token().and_then(|value| T::try_from(value).ok());
        self.advance();
        value.ok_or_else(|| self.error(span, "number-range", "this number is too large here"))
    }

    /// Reads a number with an optional minus sign.
    pub fn parse_signed<T: TryFrom<i128>>(&mut self) -> ParseResult<T> {
        let start = self.span();
        let negative = self.eat("-");
        let magnitude: u64 = self.parse_unsigned()?;
        let value = if negative { -i128::from(magnitude) } else { i128::from(magnitude) };
        let span = self.span_from(start);
        T::try_from(value).map_err(|_| self.error(span, "number-range", "this number is out of range here"))
    }

    /// Reads a string.
    pub fn parse_string(&mut self) -> ParseResult<String> {
        if !self.is_kind(TokenKind::String) {
            return Err(self.expected("a string"));
        }
        let token = self.token;
        self.advance();
        self.unquote(token)
    }

    /// The text of a string token, or of an at-identifier with a quoted name.
    pub(super) fn unquote(&mut self, token: super::Token) -> ParseResult<String> {
        let text = self.text_of(token);
        let text = text.strip_prefix('@').unwrap_or(text);
        let inside = text.strip_prefix('"').unwrap_or(text);
        let inside = inside.strip_suffix('"').unwrap_or(inside);
        unescape(inside).map_err(|(offset, length)| {
            let start = self.file.start() + token.end - 1 - (inside.len() - offset) as u32;
            let span = Span { start, end: start + length as u32 };
            let message = "this is no escape: there are \\\\, \\\", \\n, \\t and two hexadecimal digits";
            self.error(span, "unknown-escape", message)
        })
    }

    /// Reads `@name`.
    pub fn parse_symbol_name(&mut self) -> ParseResult<String> {
        if !self.is_kind(TokenKind::AtIdentifier) {
            return Err(self.expected("a symbol such as '@name'"));
        }
        let token = self.token;
        self.advance();
        let quoted = self.text_of(token).starts_with("@\"");
        if quoted { self.unquote(token) } else { Ok(self.text_of(token)[1..].to_owned()) }
    }

    /// Reads `@name::@nested`.
    pub fn parse_symbol_ref(&mut self) -> ParseResult<SymbolRef> {
        let root = self.parse_symbol_name()?;
        let mut nested = Vec::new();
        while self.eat("::") {
            let name = self.parse_symbol_name()?;
            nested.push(self.context.identifier(&name));
        }
        Ok(SymbolRef { root: self.context.identifier(&root), nested: nested.into() })
    }

    /// Reads an attribute if one starts here.
    pub fn optional_attribute(&mut self) -> ParseResult<Option<Attribute>> {
        if self.at_attribute() { self.parse_attribute().map(Some) } else { Ok(None) }
    }

    /// Reads a type if one starts here.
    pub fn optional_type(&mut self) -> ParseResult<Option<Type>> {
        if self.at_type() { self.parse_type().map(Some) } else { Ok(None) }
    }

    /// Reads a list between two brackets, elements separated by commas.
    pub fn comma_list(
        &mut self,
        open: &str,
        close: &str,
        mut element: impl FnMut(&mut Self) -> ParseResult<()>,
    ) -> ParseResult<()> {
        self.expect(open)?;
        if self.eat(close) {
            return Ok(());
        }
        loop {
            element(self)?;
            if self.eat(",") {
                continue;
            }
            return if self.eat(close) { Ok(()) } else { Err(self.expected(&format!("',' or '{close}'"))) };
        }
    }

    /// Reads `%name` or `%name#1`.
    pub fn parse_operand(&mut self) -> ParseResult<UnresolvedOperand<'c>> {
        if !self.is_kind(TokenKind::PercentIdentifier) {
            return Err(self.expected("an operand such as '%0'"));
        }
        let (name, start) = (self.name_text(), self.span());
        self.advance();
        let mut operand = UnresolvedOperand { name, index: 0, span: start };
        // The number that follows a value, as in `%0#1`, is written without a blank.
        if self.is_kind(TokenKind::HashIdentifier) && self.token.start == self.previous_end {
            let number = self.name_text().parse();
            let span = self.span();
            self.advance();
            operand.index =
                number.map_err(|_| self.error(span, "result-number", "expected a result number after '#'"))?;
            operand.span = self.span_from(start);
        }
        Ok(operand)
    }

    /// The value that an operand names, which must have this type. A value defined further on is fine.
    ///
    /// # Errors
    /// None today: a mistake is reported, and reading goes on with a value that stands for the right one.
    pub fn resolve(&mut self, operand: &UnresolvedOperand<'c>, ty: Type) -> ParseResult<ValueId> {
        Ok(self.resolve_value(operand, ty))
    }

    /// Whether an operand names a result of an operation that could not be read. Then nothing is known of its type, and
    /// what does not work out for that reason should fail silently.
    pub fn is_unreadable(&self, operand: &UnresolvedOperand<'c>) -> bool {
        self.is_poisoned(operand)
    }

    /// The type of the value that an operand names, if it is defined already.
    pub fn known_type(&self, operand: &UnresolvedOperand<'c>) -> Option<Type> {
        self.defined_value(operand).map(|value| self.body().value_type(value))
    }

    /// Reads `^label`.
    pub fn parse_successor(&mut self) -> ParseResult<BlockId> {
        if !self.is_kind(TokenKind::CaretIdentifier) || self.is_next_block() {
            return Err(self.expected("a block such as '^bb1'"));
        }
        let (label, span) = (self.name_text(), self.span());
        self.advance();
        self.block_reference(label, span)
    }

    /// Reads a region in braces. Its entry block gets these arguments, under these names.
    pub fn parse_region(&mut self, arguments: &[(UnresolvedOperand<'c>, Type)]) -> ParseResult<RegionId> {
        self.region(arguments)
    }

    /// Reads a region in braces that has a block even if nothing is in it.
    pub fn parse_block_region(&mut self) -> ParseResult<RegionId> {
        let region = self.region(&[])?;
        let body = self.body_mut();
        if body.entry_block(region).is_none() {
            let block = body.create_block(&[]);
            body.append_block(region, block);
        }
        Ok(region)
    }

    /// Sets the locations of the first arguments of a region's entry block, those that are given.
    pub fn set_argument_locations(&mut self, region: RegionId, locations: impl IntoIterator<Item = Option<Location>>) {
        let body = self.body_mut();
        let Some(entry) = body.entry_block(region) else { return };
        let arguments = body.arguments(entry).to_vec();
        for (argument, location) in arguments.into_iter().zip(locations) {
            if let Some(location) = location {
                body.set_argument_location(argument, location);
            }
        }
    }

    /// A region without blocks.
    pub fn empty_region(&mut self) -> RegionId {
        self.body_mut().create_detached_region()
    }

    /// Reads `{key = value, ...}`.
    pub fn parse_attribute_dictionary(&mut self) -> ParseResult<Dictionary> {
        let entries = self.dictionary_entries()?;
        Ok(Dictionary::new(self.context, &entries))
    }

    /// Reads `{key = value, ...}` if it stands here; else the empty dictionary.
    pub fn optional_attribute_dictionary(&mut self) -> ParseResult<Dictionary> {
        if self.at("{") { self.parse_attribute_dictionary() } else { Ok(Dictionary::EMPTY) }
    }

    /// Splits a dictionary that a custom form has read into inherent properties, by the declaration of the current
    /// operation, and discardable attributes.
    pub fn split_properties(&self, dictionary: Dictionary) -> (Dictionary, Dictionary) {
        self.split_inherent(self.current_operation.0, dictionary)
    }

    /// Creates an operation with regions that were read before.
    ///
    /// # Errors
    /// None today; the result allows a custom form to end in this call.
    pub fn create_op(&mut self, state: OperationState) -> ParseResult<OpId> {
        Ok(self.body_mut().create_op(state))
    }

    /// Creates an operation with regions that were read before.
    pub fn create_op_with_regions(&mut self, state: OperationState, regions: &[RegionId]) -> ParseResult<OpId> {
        let op = self.body_mut().create_op(state);
        for &region in regions {
            self.body_mut().attach_region(op, region);
        }
        Ok(op)
    }

    /// Reads an isolated operation: `parse` runs with a fresh body as the current one, and gives the properties,
    /// attributes and regions of its root. Values and blocks of outer bodies are not visible inside.
    pub fn isolated(
        &mut self,
        parse: impl FnOnce(&mut Self) -> ParseResult<(Dictionary, Dictionary, Vec<RegionId>)>,
    ) -> ParseResult<OpId> {
        let (name, location) = self.current_operation;
        self.begin_body(name, location);
        let result = parse(self);
        let finished = self.finish_body(result);
        finished.map(|body| self.body_mut().create_anchor(body))
    }
}
