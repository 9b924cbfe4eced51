//! The parser.
//!
//! A hand-written recursive descent over the bytes of a source text. Nesting is limited and the stack grows with it, so
//! that no text can use it up. Errors are reported and then recovered from at the next operation: an operation that
//! could not be read still defines its names, as *poisoned* ones whose uses are silent, so that one mistake is one
//! message. A text whose braces do not match is read once more, by its indentation; see `recovery`.
//!
//! Custom forms read through the methods of [`Parser`] in `custom`; the rest of this module reads the generic form.

mod alias;
mod attributes;
mod bodies;
mod custom;
mod damage;
mod dense;
mod file;
mod literals;
mod location;
mod names;
mod operation;
mod recovery;
mod region;
mod shaped;
mod types;
mod values;

use rustc_hash::FxHashMap;

pub use custom::UnresolvedOperand;
pub use file::{FileMetadata, ParseOptions, Parsed, parse_file, parse_module};

use super::lexer::{LexicalFault, Token, TokenKind, next_token};
use super::stack::with_room;
use crate::attributes::Attribute;
use crate::context::Context;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Severity};
use crate::location::Location;
use crate::operation::OperationName;
use crate::source::{SourceFile, Span};
use crate::types::Type;
use bodies::BodyState;
use names::Names;
use recovery::{Braces, Brackets};

/// Something could not be parsed; the diagnostic has been reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseFailure;

/// The outcome of parsing something.
pub type ParseResult<T> = Result<T, ParseFailure>;

/// Reads a text into bodies; see the [module](super).
pub struct Parser<'c, 'd> {
    context: &'c Context,
    file: &'c SourceFile,
    text: &'c str,
    limit: usize,
    token: Token,
    /// End of the token before the current one.
    previous_end: u32,
    options: ParseOptions,
    diagnostics: &'d mut Diagnostics,
    bodies: Vec<BodyState<'c>>,
    names: Names<'c>,
    /// How many regions enclose the current token.
    level: u32,
    /// How deep types and attributes nest around the current token.
    depth: usize,
    /// Aliases; those whose definition is wrong have no value.
    type_aliases: FxHashMap<&'c str, Option<Type>>,
    attribute_aliases: FxHashMap<&'c str, Option<Attribute>>,
    location_aliases: alias::LocationAliases<'c>,
    /// Name and position of the operation whose custom form is being read.
    current_operation: (OperationName, Location),
    operation_names: FxHashMap<&'c str, OperationName>,
    last_function_type: Option<(&'c str, Vec<Type>, Vec<Type>)>,
    scratch: operation::Scratch<'c>,
    brackets: Brackets,
    braces: Braces,
    /// Where the last error that something else was expected is: what follows from it is not said again.
    last_expectation: Option<u32>,
    /// Where the last error is, as an offset in the text.
    last_error: u32,
    /// A definition at the top level has lost its name, so undefined aliases are not reported.
    aliases_lost: bool,
    /// End of the last token that was reported as none.
    last_fault: u32,
    /// There were too many errors to go on.
    stopped: bool,
}

impl<'c> Parser<'c, '_> {
    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// Where the current token is.
    pub fn span(&self) -> Span {
        self.span_of(self.token)
    }

    /// The location of the operation whose custom form is being read.
    pub fn location(&self) -> Location {
        self.current_operation.1
    }

    /// Name of the operation whose custom form is being read.
    pub fn operation_name(&self) -> OperationName {
        self.current_operation.0
    }

    /// How many errors have been reported.
    pub(in crate::text) fn error_count(&self) -> usize {
        self.diagnostics.error_count()
    }

    /// Reports an error and gives the failure to return.
    pub fn error(&mut self, span: Span, code: &'static str, message: impl Into<String>) -> ParseFailure {
        self.report(Diagnostic::error(code, span, message))
    }

    /// Reports a diagnostic and gives the failure to return.
    pub fn report(&mut self, diagnostic: Diagnostic) -> ParseFailure {
        if self.stopped {
            return ParseFailure;
        }
        let (is_error, place) = (diagnostic.severity == Severity::Error, diagnostic.place);
        if let Place::Span(span) = place {
            self.last_error = span.start.saturating_sub(self.file.start());
        }
        self.diagnostics.report(diagnostic);
        if is_error && self.diagnostics.error_count() >= self.options.max_errors {
            let message = format!("stopped after {} errors", self.diagnostics.error_count());
            self.diagnostics.report(Diagnostic::error("too-many-errors", place, message));
            self.stopped = true;
            self.limit = self.token.end as usize;
        }
        ParseFailure
    }

    fn span_of(&self, token: Token) -> Span {
        Span { start: self.file.start() + token.start, end: self.file.start() + token.end }
    }

    /// The span from a start to the end of the token before the current one.
    fn span_from(&self, start: Span) -> Span {
        start.to(Span { start: start.start, end: self.file.start() + self.previous_end })
    }

    fn token_text(&self) -> &'c str {
        self.text_of(self.token)
    }

    fn text_of(&self, token: Token) -> &'c str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    /// The text of the current token without its sigil.
    fn name_text(&self) -> &'c str {
        self.token_text().get(1..).unwrap_or("")
    }

    fn is_kind(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    /// Goes to the next token.
    fn advance(&mut self) {
        if self.token.kind == TokenKind::Punctuation {
            self.brackets.count(self.text.as_bytes()[self.token.start as usize]);
        }
        self.previous_end = self.token.end;
        self.read_token(self.token.end as usize);
    }

    /// Makes the token that starts at or after a byte of the text the current one. What is none is reported; it then
    /// fails whatever meets it.
    fn read_token(&mut self, position: usize) {
        self.token = next_token(self.text.as_bytes(), position, self.limit);
        if let TokenKind::Error(fault) = self.token.kind
            && self.token.end > self.last_fault
        {
            self.last_fault = self.token.end;
            self.lexical_error(fault);
        }
    }

    /// As [`advance`](Self::advance) over what was read in another way than by tokens.
    fn move_to(&mut self, position: usize) {
        self.previous_end = position as u32;
        self.read_token(position);
    }

    #[cold]
    fn lexical_error(&mut self, fault: LexicalFault) {
        let span = self.span();
        match fault {
            LexicalFault::Character => {
                let text: String = self.token_text().escape_debug().take(16).collect();
                self.error(span, "unexpected-character", format!("unexpected character '{text}'"));
            }
            LexicalFault::MissingName => {
                let sigil = self.token_text();
                self.error(span, "missing-name", format!("expected a name after '{sigil}'"));
            }
            LexicalFault::UnterminatedString => {
                let diagnostic =
                    Diagnostic::error("unterminated-string", span, "a string has no closing quote on its line");
                self.report(diagnostic.help("write a newline in a string as \\n"));
            }
        }
    }

    fn at_punctuation(&self, text: &str) -> bool {
        self.token.kind == TokenKind::Punctuation && self.token_text() == text
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.at_punctuation(text);
        if found {
            self.advance();
        }
        found
    }

    /// What the current token is, in words.
    fn describe_token(&self) -> String {
        match self.token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            _ => {
                let text = self.token_text();
                let short: String = text.chars().take(40).collect();
                if short.len() < text.len() { format!("'{short}...'") } else { format!("'{short}'") }
            }
        }
    }

    /// Reports that something else should stand here, or before the end of the line before.
    #[cold]
    fn expected(&mut self, what: &str) -> ParseFailure {
        let span = self.span();
        // At the end, and for something missing at the end of a line, the place is right after what came before.
        let between = self.text.as_bytes().get(self.previous_end as usize..self.token.start as usize);
        let on_next_line = between.is_some_and(|between| between.contains(&b'\n'));
        let span = if (on_next_line || self.is_kind(TokenKind::End)) && self.previous_end > 0 {
            let end = self.file.start() + self.previous_end;
            Span { start: end - 1, end }
        } else {
            span
        };
        self.expected_at(span, what)
    }

    /// As [`expected`](Self::expected), where it does not belong to the line before.
    #[cold]
    fn expected_here(&mut self, what: &str) -> ParseFailure {
        self.expected_at(self.span(), what)
    }

    fn expected_at(&mut self, span: Span, what: &str) -> ParseFailure {
        if matches!(self.token.kind, TokenKind::Error(_)) || self.last_expectation == Some(self.token.start) {
            return ParseFailure;
        }
        self.last_expectation = Some(self.token.start);
        let found = self.describe_token();
        self.error(span, "syntax", format!("expected {what}, found {found}"))
    }

    /// Runs `parse` one level deeper in types and attributes, or reports that they nest too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        if self.depth >= self.options.max_nesting {
            let limit = self.options.max_nesting;
            let span = self.span();
            return Err(self.error(
                span,
                "nesting-too-deep",
                format!("types and attributes nest more than {limit} deep here"),
            ));
        }
        self.depth += 1;
        let result = with_room(|| parse(self));
        self.depth -= 1;
        result
    }
}

/// The name of a set that is nearest to `name`, whatever the order in which the set gives its names.
fn similar<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut names: Vec<&str> = names.take(values::MOST_CANDIDATES + 1).collect();
    if names.len() > values::MOST_CANDIDATES {
        return None;
    }
    names.sort_unstable();
    crate::nearest::nearest(name, names)
}
