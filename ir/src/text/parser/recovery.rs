//! Going on after an error.
//!
//! After an operation that could not be read the parser goes on at the next place where an operation or a block
//! surely starts, or where the region ends. Regions on the way are read as well, for the mistakes in them; since what
//! would define their names may be what could not be read, undefined names in them are not reported.
//!
//! A region without an end swallows all that follows, and one brace too many ends what should go on. A text with one or
//! the other is read again with an eye on the indentation: a line that stands no deeper than the line that opened a
//! region is not in it, and a closing brace that stands deeper does not close it. If that reading has more errors than
//! the first, because the text is not indented in this way, it does not count.

use super::{ParseFailure, ParseResult, Parser, Token, TokenKind, next_token};
use crate::diagnostic::Diagnostic;

/// Brackets that are open at a token.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Brackets {
    /// Parentheses and square brackets.
    flat: i32,
    braces: i32,
}

impl Brackets {
    /// Counts the first byte of a punctuation token.
    pub(super) fn count(&mut self, byte: u8) {
        match byte {
            b'(' | b'[' => self.flat += 1,
            b')' | b']' => self.flat -= 1,
            b'{' => self.braces += 1,
            b'}' => self.braces -= 1,
            _ => {}
        }
    }
}

/// What is known of how braces match.
#[derive(Default)]
pub(super) struct Braces {
    /// Whether the indentation decides; else what does not match is only noticed.
    pub(super) by_indentation: bool,
    /// Whether some brace has no partner.
    pub(super) mismatched: bool,
    /// The token with which an operation outside of an unclosed region goes on.
    resume: Option<u32>,
    /// By the indentation: how deep the operations of the region around the current token stand.
    pub(super) contents: Option<usize>,
    /// The token that opens the region around the current one.
    pub(super) open: Option<Token>,
    /// Where the last region ended.
    pub(super) last_end: u32,
}

/// Where an operation starts, to go on after it.
#[derive(Clone, Copy)]
pub(super) struct Start {
    token: Token,
    brackets: Brackets,
}

impl Braces {
    /// Nothing is known yet.
    pub(super) fn new(by_indentation: bool) -> Self {
        Self { by_indentation, ..Self::default() }
    }
}

impl<'c> Parser<'c, '_> {
    /// The start of what is read next.
    pub(super) fn start(&self) -> Start {
        Start { token: self.token, brackets: self.brackets }
    }

    /// Reads an operation; after an error goes on behind it.
    pub(super) fn operation_with_recovery(&mut self) {
        let start = self.start();
        if self.operation().is_err() {
            self.recover(start);
        }
    }

    /// Goes to where the next operation, block or the end of the region starts. At least one token is passed since
    /// `start`.
    pub(super) fn recover(&mut self, start: Start) {
        if self.braces.resume.take() == Some(self.token.start) && self.token.start > start.token.start {
            self.brackets = start.brackets;
            return;
        }
        if self.back_to_line_start(start) {
            self.brackets = start.brackets;
            return;
        }
        while !self.is_kind(TokenKind::End) && (self.is_at(start) || !self.is_boundary(start)) {
            self.pass(start);
        }
        self.end_of_recovery(start);
    }

    /// What was opened in the operation counts no longer; a token that is none is reported before it is read.
    pub(super) fn end_of_recovery(&mut self, start: Start) {
        self.brackets = start.brackets;
        self.read_token(self.token.start as usize);
    }

    /// Whether nothing has been passed since a start.
    pub(super) fn is_at(&self, start: Start) -> bool {
        self.token.start == start.token.start
    }

    /// Goes back to the start of the line if an operation surely starts there: it was taken for a part of the one
    /// before, whose end is missing.
    fn back_to_line_start(&mut self, start: Start) -> bool {
        // What is in a region of the operation is not looked at again.
        let (begin, end) = (start.token.start.max(self.braces.last_end) as usize, self.token.start as usize);
        let searched = self.text.as_bytes().get(begin..end).unwrap_or(&[]);
        let Some(newline) = memchr::memrchr(b'\n', searched) else { return false };
        let first = next_token(self.text.as_bytes(), begin + newline + 1, self.limit);
        if first.start >= self.token.start || !self.is_certain_start(first) {
            return false;
        }
        self.token = first;
        self.previous_end = first.start;
        true
    }

    pub(super) fn is_boundary(&self, start: Start) -> bool {
        if self.at("}") {
            let closes_last = self.brackets.braces <= start.brackets.braces;
            return match self.braces.open.filter(|&open| self.spans_lines(open)) {
                // The brace that closes a region over several lines begins a line, and stands as deep as the line that
                // opens the region.
                Some(open) => {
                    self.starts_line(self.token)
                        && (closes_last || self.indentation(self.token.start) <= self.indentation(open.start))
                }
                None => closes_last && (self.braces.open.is_some() || self.starts_line(self.token)),
            };
        }
        if !self.starts_line(self.token) {
            return false;
        }
        if self.is_certain_start(self.token) {
            return true;
        }
        // What may be one is one if no bracket is open and it stands no deeper than the operation before.
        !matches!(self.token_text(), ")" | "]" | ">" | "," | ":" | "->")
            && self.brackets.flat <= start.brackets.flat
            && self.brackets.braces <= start.brackets.braces
            && self.indentation(self.token.start) <= self.indentation(start.token.start)
    }

    /// Passes a token of an operation that could not be read, or a whole region of it.
    pub(super) fn pass(&mut self, start: Start) {
        let rest = self.token.end as usize;
        match self.token.kind {
            TokenKind::PercentIdentifier => {
                let next = next_token(self.text.as_bytes(), rest, self.limit);
                // The next operation on the same line, most likely: its results must not count as undefined.
                if self.text_of(next) == "=" && self.token.start > start.token.start {
                    self.define_poisoned(self.name_text(), self.span());
                }
            }
            TokenKind::Punctuation if self.at("{") => {
                let next = next_token(self.text.as_bytes(), rest, self.limit);
                if self.text_of(next) == "}" || self.is_certain_start(next) {
                    // Its failure means that its end is missing, which has been reported.
                    let _ = self.tolerant_region();
                    return;
                }
            }
            _ => {}
        }
        if self.token.kind == TokenKind::Punctuation {
            self.brackets.count(self.text.as_bytes()[self.token.start as usize]);
        }
        self.previous_end = self.token.end;
        self.token = next_token(self.text.as_bytes(), rest, self.limit);
    }

    /// Reads a region of an operation that could not be read.
    pub(super) fn tolerant_region(&mut self) -> ParseResult<()> {
        let (name, location) = self.current_operation;
        self.begin_body(name, location);
        self.state_mut().tolerant = true;
        let result = self.region(&[]);
        self.bodies.pop();
        result.map(|_| ())
    }

    /// Skips a region that is too deep to be read, from its opening brace to its end.
    pub(super) fn skip_braces(&mut self) {
        let outside = self.brackets.braces;
        loop {
            let is_brace = self.at("{") || self.at("}");
            if self.is_kind(TokenKind::End) {
                return;
            }
            self.brackets.count(if is_brace { self.text.as_bytes()[self.token.start as usize] } else { b' ' });
            self.previous_end = self.token.end;
            self.token = next_token(self.text.as_bytes(), self.token.end as usize, self.limit);
            if is_brace && self.brackets.braces <= outside {
                return;
            }
        }
    }

    /// Reports that a region has no end, once for the innermost one.
    pub(super) fn unclosed_region(&mut self, open: Token) -> ParseFailure {
        if self.is_kind(TokenKind::End) && std::mem::replace(&mut self.braces.mismatched, true) {
            return ParseFailure;
        }
        let (place, here) = (self.span_of(open), self.span());
        let message = match self.is_kind(TokenKind::End) {
            true => "the text ends here",
            false => "a closing brace should come before this",
        };
        self.braces.resume = Some(self.token.start);
        self.report(Diagnostic::error("unclosed-region", place, "this region is not closed").note(here, message))
    }

    /// Reports a closing brace that closes nothing, and goes on after what belongs to it.
    pub(super) fn unmatched_brace(&mut self) {
        let start = self.start();
        self.braces.mismatched = true;
        if self.starts_line(self.token) || !self.is_line_reported() {
            self.error(self.span(), "unmatched-brace", "this brace closes nothing");
        }
        self.pass(start);
        self.skip_rest_of_line(start);
    }

    /// Goes to the next line, or to a brace before it.
    pub(super) fn skip_rest_of_line(&mut self, start: Start) {
        self.brackets = start.brackets;
        while !self.is_kind(TokenKind::End) && !self.starts_line(self.token) && !self.at("}") {
            self.pass(start);
        }
        self.end_of_recovery(start);
    }

    /// By the indentation: whether the current token is not in a region although that has no end yet.
    pub(super) fn is_outside(&self, open: Token) -> bool {
        self.braces.by_indentation && self.starts_line(self.token) && self.spans_lines(open) && {
            let (here, opener) = (self.indentation(self.token.start), self.indentation(open.start));
            // A label stands as deep as the line that opens the region, and so does the brace that closes it.
            let may_be_level = self.is_kind(TokenKind::CaretIdentifier) || self.at("}");
            here < opener || here == opener && !may_be_level
        }
    }

    /// By the indentation: whether the current token is a brace that does not close a region although it is open.
    pub(super) fn is_too_deep_to_close(&self, open: Token) -> bool {
        self.braces.by_indentation
            && self.at("}")
            && self.spans_lines(open)
            && (!self.starts_line(self.token) || self.indentation(self.token.start) > self.indentation(open.start))
    }

    /// Whether a brace is the last token on its line.
    pub(super) fn spans_lines(&self, open: Token) -> bool {
        let next = next_token(self.text.as_bytes(), open.end as usize, self.limit);
        self.text.as_bytes()[open.end as usize..next.start as usize].contains(&b'\n')
    }

    /// The number of blanks at the start of the line that holds a byte.
    pub(super) fn indentation(&self, position: u32) -> usize {
        let before = &self.text.as_bytes()[..position as usize];
        let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        let line = &self.text.as_bytes()[start..self.limit];
        line.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count()
    }

    pub(super) fn starts_line(&self, token: Token) -> bool {
        let before = &self.text.as_bytes()[..token.start as usize];
        let last = before.iter().rev().find(|&&byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        matches!(last, None | Some(b'\n'))
    }

    /// Whether the last error is on the line of the current token.
    pub(super) fn is_line_reported(&self) -> bool {
        let between = self.text.as_bytes().get(self.last_error as usize..self.token.start as usize);
        self.last_error > 0 && between.is_some_and(|between| !between.contains(&b'\n'))
    }

    /// Whether the last error is on the line before that of the current token, or later.
    pub(super) fn is_line_before_reported(&self) -> bool {
        let before = &self.text.as_bytes()[..self.previous_end as usize];
        let line = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        self.last_error as usize >= line && self.last_error > 0
    }

    /// Whether an operation or block surely starts with a token: `%a =`, `%a:2, %b =`, `^label:`, `^label(...):`,
    /// `"name"(`, `dialect.op`.
    pub(super) fn is_certain_start(&self, token: Token) -> bool {
        match token.kind {
            TokenKind::PercentIdentifier => self.are_result_names(token),
            TokenKind::String => self.text_of(self.token_after(token)) == "(",
            TokenKind::CaretIdentifier => self.is_block_header(token),
            TokenKind::BareIdentifier => self.is_operation_name(token),
            TokenKind::HashIdentifier | TokenKind::ExclamationIdentifier => {
                self.level == 1 && self.text_of(self.token_after(token)) == "="
            }
            _ => false,
        }
    }

    pub(super) fn token_after(&self, token: Token) -> Token {
        next_token(self.text.as_bytes(), token.end as usize, self.limit)
    }

    fn are_result_names(&self, first: Token) -> bool {
        let mut token = first;
        for _ in 0..LOOK_AHEAD {
            token = self.token_after(token);
            match token.kind {
                TokenKind::Punctuation => match self.text_of(token) {
                    "=" => return true,
                    "," | ":" => {}
                    _ => return false,
                },
                TokenKind::PercentIdentifier | TokenKind::Integer => {}
                _ => return false,
            }
        }
        false
    }

    pub(super) fn is_block_header(&self, label: Token) -> bool {
        let token = self.token_after(label);
        if self.text_of(token) == ":" {
            return true;
        }
        self.text_of(token) == "(" && self.is_block_header_from(token)
    }

    /// Whether a parenthesis opens the arguments of a block: a colon follows the one that closes it.
    pub(super) fn is_block_header_from(&self, parenthesis: Token) -> bool {
        let mut token = parenthesis;
        let mut open = Brackets::default();
        for _ in 0..LOOK_AHEAD {
            if token.kind == TokenKind::End {
                return false;
            }
            open.count(self.text.as_bytes()[token.start as usize]);
            token = self.token_after(token);
            if open.flat <= 0 {
                return self.text_of(token) == ":";
            }
        }
        false
    }

    fn is_operation_name(&self, token: Token) -> bool {
        let text = self.text_of(token);
        let next = self.token_after(token);
        let registry = self.context.registry();
        match text.split_once('.') {
            Some(_) if registry.operation(text).is_some() => self.text_of(next) != "=",
            Some((dialect, _)) => {
                let is_key = matches!(self.text_of(next), "=" | "," | "}" | ">" | "]" | ")" | ":");
                self.context.dialect(dialect).is_some() && !is_key
            }
            None => {
                registry.operation(&format!("builtin.{text}")).is_some()
                    && (next.kind == TokenKind::AtIdentifier || matches!(self.text_of(next), "{" | "attributes"))
            }
        }
    }
}

/// How many tokens are looked at to tell what starts at a line.
const LOOK_AHEAD: usize = 256;
