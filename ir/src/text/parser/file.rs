//! Whole files.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::alias::LocationAliases;
use super::names::Names;
use super::operation::Scratch;
use super::recovery::{Braces, Brackets};
use super::{ParseResult, Parser, Token, TokenKind};
use crate::attributes::Dictionary;
use crate::body::Body;
use crate::context::Context;
use crate::diagnostic::{Diagnostic, Diagnostics, Place};
use crate::location::Location;
use crate::source::{SourceFile, Span};

/// How a text is read.
#[derive(Clone, Debug)]
pub struct ParseOptions {
    /// Whether operations, types and attributes of dialects that are not registered are accepted.
    pub allow_unregistered: bool,
    /// How deep types and attributes may nest.
    pub max_nesting: usize,
    /// How deep regions may nest.
    pub max_region_nesting: usize,
    /// After so many errors the rest of the text is not read.
    pub max_errors: usize,
    /// Whether a module is put around a text that does not consist of just one.
    pub implicit_module: bool,
    /// The part of the text to read, as offsets in it; all of it if not given.
    pub range: Option<Range<usize>>,
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self {
            allow_unregistered: false,
            max_nesting: 256,
            max_region_nesting: 1000,
            max_errors: 200,
            implicit_module: true,
            range: None,
        }
    }
}

/// A text that was read without errors.
pub struct Parsed {
    /// The module, or whatever single isolated operation stands at the top.
    pub body: Body,
    /// The inside of `{-# ... #-}`, if there is such a section.
    pub metadata: Option<FileMetadata>,
}

/// A section `{-# ... #-}`: data about the file, such as how to reproduce a crash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileMetadata {
    /// The text between the marks.
    pub text: String,
    /// Where it is.
    pub span: Span,
}

/// Reads a text. All errors are reported; there is a body only if there was none.
pub fn parse_module(
    context: &Context,
    file: &SourceFile,
    options: &ParseOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Body> {
    parse_file(context, file, options, diagnostics).map(|parsed| parsed.body)
}

/// As [`parse_module`], with the file's metadata.
pub fn parse_file(
    context: &Context,
    file: &SourceFile,
    options: &ParseOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Parsed> {
    // The file is borrowed for as long as the context is, since it lives in its source map.
    let file = context.sources().file_at(file.start())?;
    let (mut parsed, mut found, mismatched) = read(context, file, options, false);
    if mismatched {
        let (second, by_indentation, _) = read(context, file, options, true);
        if by_indentation.error_count() <= found.error_count() {
            (parsed, found) = (second, by_indentation);
        }
    }
    let failed = found.has_errors();
    let mut sorted = found.into_vec();
    sorted.sort_by_key(|diagnostic| match diagnostic.place {
        Place::Span(span) => span.start,
        Place::Location(location) => location.position(context).unwrap_or(0),
    });
    sorted.dedup();
    sorted.into_iter().for_each(|diagnostic| diagnostics.report(diagnostic));
    parsed.ok().filter(|_| !failed)
}

/// Reads a text, and tells whether its braces match.
fn read(
    context: &Context,
    file: &SourceFile,
    options: &ParseOptions,
    by_indentation: bool,
) -> (ParseResult<Parsed>, Diagnostics, bool) {
    let text = file.text();
    let range = options.range.clone().unwrap_or(0..text.len());
    let (start, limit) = (range.start.min(text.len()), range.end.min(text.len()));
    let mut diagnostics = Diagnostics::new();
    let mut parser = Parser {
        context,
        file,
        text,
        limit: limit.max(start),
        token: Token { kind: TokenKind::End, start: start as u32, end: start as u32 },
        previous_end: start as u32,
        options: options.clone(),
        diagnostics: &mut diagnostics,
        bodies: Vec::new(),
        names: Names::new(limit.saturating_sub(start)),
        level: 0,
        depth: 0,
        type_aliases: FxHashMap::default(),
        attribute_aliases: FxHashMap::default(),
        location_aliases: LocationAliases::default(),
        current_operation: (context.operation_name("builtin.module"), Location::UNKNOWN),
        operation_names: FxHashMap::default(),
        last_function_type: None,
        scratch: Scratch::default(),
        brackets: Brackets::default(),
        braces: Braces::new(by_indentation),
        last_expectation: None,
        last_error: 0,
        aliases_lost: false,
        last_fault: 0,
        stopped: false,
    };
    if start == 0 && text.starts_with('\u{feff}') {
        let span = Span { start: file.start(), end: file.start() + 3 };
        parser.error(span, "unexpected-character", "the text begins with a byte order mark, which is no part of it");
        parser.token.end = 3;
    }
    let parsed = parser.top_level();
    let mismatched = parser.braces.mismatched;
    (parsed, diagnostics, mismatched)
}

impl Parser<'_, '_> {
    fn top_level(&mut self) -> ParseResult<Parsed> {
        let module = self.context.operation_name("builtin.module");
        let start = Location::source(self.file.start() + self.token.start);
        self.begin_body(module, start);
        self.level = 1;
        let region = self.body_mut().create_detached_region();
        let block = self.body_mut().create_block(&[]);
        self.body_mut().append_block(region, block);
        self.state_mut().block = Some(block);
        self.advance();
        let mut metadata = None;
        while !self.is_kind(TokenKind::End) {
            let start = self.start();
            let result = match self.token.kind {
                TokenKind::HashIdentifier => self.attribute_alias_definition(),
                TokenKind::ExclamationIdentifier => self.type_alias_definition(),
                _ if self.at("{-#") => self.file_metadata(&mut metadata),
                _ if self.at("}") => {
                    self.unmatched_brace();
                    continue;
                }
                _ => self.operation(),
            };
            if result.is_err() {
                self.recover(start);
            }
        }
        self.end_names(0);
        self.level = 0;
        let body = self.finish_body(Ok((Dictionary::EMPTY, Dictionary::EMPTY, vec![region])))?;
        let body = self.unwrap_module(body)?;
        Ok(Parsed { body, metadata })
    }

    /// The single module of a text, or the module that is put around what else it holds.
    fn unwrap_module(&mut self, mut holder: Body) -> ParseResult<Body> {
        let region = holder.regions(holder.root())[0];
        let block = holder.entry_block(region).expect("the implicit module has its block");
        let ops: Vec<_> = holder.ops(block).collect();
        let is_module = |op| holder.operation_name(op) == holder.operation_name(holder.root());
        match ops[..] {
            [only] if is_module(only) && holder.nested(only).is_some() => Ok(holder.take_nested(only)),
            [only] if !self.options.implicit_module && holder.nested(only).is_some() => Ok(holder.take_nested(only)),
            _ if self.options.implicit_module => Ok(holder),
            _ => {
                let span = Span { start: self.file.start(), end: self.file.start() };
                let message = "without an implicit module, a text holds exactly one isolated operation";
                Err(self.report(Diagnostic::error("top-level", span, message)))
            }
        }
    }

    fn file_metadata(&mut self, metadata: &mut Option<FileMetadata>) -> ParseResult<()> {
        let open = self.span();
        let start = self.token.end as usize;
        let inside = &self.text[start..self.limit];
        let Some(length) = inside.find("#-}") else {
            self.move_to(self.limit);
            return Err(self.error(open, "unclosed-metadata", "a section '{-#' has no end '#-}'"));
        };
        let span = Span { start: open.start, end: open.end + length as u32 + 3 };
        if metadata.replace(FileMetadata { text: inside[..length].to_owned(), span }).is_some() {
            self.error(span, "duplicate-metadata", "a text has at most one section '{-# ... #-}'");
        }
        self.move_to(start + length + 3);
        Ok(())
    }
}
