//! Going on after an error.

use super::{ParseResult, Parser, TokenKind};
use crate::source::Span;

impl Parser<'_, '_> {
    /// Reads an operation; after an error goes on behind it.
    pub(super) fn operation_with_recovery(&mut self) -> ParseResult<()> {
        let start = self.span();
        let result = self.operation();
        if result.is_err() {
            self.skip_to_next_operation(start);
        }
        result
    }

    /// Skips to where the next operation, block or the end of the region starts: the first token of a line, outside of
    /// all brackets that were opened since `start`, that may begin one.
    ///
    /// Brackets are counted anew from `start`, so it does not matter where inside of the operation the error was. At
    /// least one token is passed, so recovery always makes progress.
    pub(super) fn skip_to_next_operation(&mut self, start: Span) {
        let error_at = self.token.start;
        let mut depth = 0_usize;
        let mut braces = 0_usize;
        let mut first = true;
        self.move_quietly(start.start - self.file.start());
        loop {
            if self.is_kind(TokenKind::End) {
                return;
            }
            let passed = self.token.start >= error_at && !first;
            if passed && depth == 0 && (self.at("}") || self.starts_line() && self.starts_operation()) {
                return;
            }
            // An operation that begins a line right inside of an unclosed parenthesis means that the closing one is
            // what is missing.
            if passed && self.starts_line() && braces == 0 && self.is_certain_start() {
                return;
            }
            match self.token_text() {
                _ if self.token.kind != TokenKind::Punctuation => {}
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "{" => (depth, braces) = (depth + 1, braces + 1),
                "}" => (depth, braces) = (depth.saturating_sub(1), braces.saturating_sub(1)),
                _ => {}
            }
            first = false;
            self.skip_token();
        }
    }

    fn starts_line(&self) -> bool {
        let before = &self.text.as_bytes()[..self.token.start as usize];
        before
            .iter()
            .rev()
            .take_while(|&&byte| byte != b'\n')
            .all(|&byte| byte == b' ' || byte == b'\t' || byte == b'\r')
    }

    fn starts_operation(&self) -> bool {
        matches!(
            self.token.kind,
            TokenKind::PercentIdentifier | TokenKind::CaretIdentifier | TokenKind::String | TokenKind::BareIdentifier
        )
    }

    /// Whether an operation or block surely starts here: `%a =`, `%a:2 =`, `%a, %b`, `^label`, `"name"(`, `dialect.op`.
    fn is_certain_start(&self) -> bool {
        let rest = self.text.as_bytes().get(self.token.end as usize..self.limit).unwrap_or(&[]);
        let next = rest.iter().find(|&&byte| byte != b' ').copied();
        match self.token.kind {
            TokenKind::PercentIdentifier => next == Some(b'='),
            TokenKind::String => next == Some(b'('),
            TokenKind::CaretIdentifier => true,
            TokenKind::BareIdentifier => self.token_text().contains('.'),
            _ => false,
        }
    }

    /// Goes to the next token without reporting what is none: it was reported when it was first met, or will be.
    fn skip_token(&mut self) {
        let seen = self.token.end;
        self.move_quietly(seen);
    }

    fn move_quietly(&mut self, position: u32) {
        self.previous_end = position;
        self.token = super::next_token(self.text.as_bytes(), position as usize, self.limit);
    }
}
