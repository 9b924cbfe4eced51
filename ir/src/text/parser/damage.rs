//! Regions whose braces, parentheses or labels are missing or wrong.
//!
//! What stands around such a place usually tells what was meant. Then that is reported, and reading goes on as if it
//! stood there.

use super::{Parser, Token, TokenKind};
use crate::body::RegionId;

impl Parser<'_, '_> {
    /// Deals with a token in a region that begins neither an operation nor a block. Tells whether the region ends here.
    #[cold]
    pub(super) fn damage(&mut self, region: RegionId, open: Token) -> bool {
        if let Some(after) = self.after_missing_brace(open) {
            self.expected_here("'}'");
            self.brackets.count(b'}');
            self.move_to(after);
            return true;
        }
        if self.is_header_without_label() {
            self.header_without_label(region);
        } else if self.at("{") && self.previous_end == open.end && !self.starts_line(self.token) {
            self.expected_here("an operation");
            self.move_to(self.token.end as usize);
        } else {
            self.operation_with_recovery();
        }
        false
    }

    /// Whether a label begins a block here: those of other blocks stand inside of lines.
    pub(super) fn may_be_block_header(&self) -> bool {
        self.is_block_header(self.token) || self.starts_line(self.token)
    }

    /// Whether a label that should name a successor begins the next block, so that the successor is missing.
    pub(super) fn is_next_block(&self) -> bool {
        self.starts_line(self.token) && self.is_block_header(self.token)
    }

    /// Where a brace should open a region: whether the rest of the line is short and the next line is clearly inside, so
    /// that only the brace is missing. If so, goes there.
    pub(super) fn skip_to_contents(&mut self) -> bool {
        let mut token = self.token;
        for _ in 0..4 {
            if self.starts_line(token) {
                let is_inside = self.is_certain_start(token) || self.text_of(token) == "}";
                if is_inside {
                    self.token = token;
                }
                return is_inside;
            }
            token = self.token_after(token);
        }
        false
    }

    /// Where what follows a region starts, if that comes next although the brace that ends the region is missing, or
    /// something else stands in its place.
    fn after_missing_brace(&self, open: Token) -> Option<usize> {
        if !self.starts_line(self.token) && self.spans_lines(open) {
            return None;
        }
        let next = self.token_after(self.token);
        let goes_on = |token| match self.text_of(token) {
            ")" => true,
            "," => self.text_of(self.token_after(token)) == "{",
            _ => false,
        };
        if goes_on(self.token) {
            return Some(self.token.start as usize);
        }
        let is_alone = self.starts_line(self.token)
            && self.starts_line(next)
            && self.indentation(self.token.start) <= self.indentation(open.start);
        (self.is_junk(self.token) && (goes_on(next) || is_alone)).then_some(next.start as usize)
    }

    /// Whether a token is nothing that begins an operation or opens a bracket.
    fn is_junk(&self, token: Token) -> bool {
        matches!(token.kind, TokenKind::Punctuation | TokenKind::Error(_))
            && !matches!(self.text_of(token), "(" | "[" | "{" | "}")
    }

    /// Whether `(%a: ...):` starts the line, perhaps after something that is no label.
    fn is_header_without_label(&self) -> bool {
        if !self.starts_line(self.token) {
            return false;
        }
        let parenthesis = if self.is_junk(self.token) { self.token_after(self.token) } else { self.token };
        let argument = self.token_after(parenthesis);
        self.text_of(parenthesis) == "("
            && argument.kind == TokenKind::PercentIdentifier
            && self.text_of(self.token_after(argument)) == ":"
            && self.is_block_header_from(parenthesis)
    }

    /// Reads `(%a: type, ...):` at the start of a line, which can only be a block's header.
    fn header_without_label(&mut self, region: RegionId) {
        let start = self.start();
        self.expected_here("a label such as '^bb1'");
        self.state_mut().labels_lost += 1;
        let body = self.body_mut();
        let block = body.create_block(&[]);
        body.append_block(region, block);
        self.state_mut().block = Some(block);
        self.skip_block_header(start);
    }

    /// By the indentation: whether the current operation stands deeper than those before it in its region, as if it were
    /// in a region of the last one.
    pub(super) fn lacks_opening_brace(&mut self, open: Token) -> bool {
        if !self.braces.by_indentation || !self.starts_line(self.token) || !self.spans_lines(open) {
            return false;
        }
        let here = self.indentation(self.token.start);
        match self.braces.contents {
            Some(contents) => here > contents,
            None => {
                self.braces.contents = Some(here);
                false
            }
        }
    }

    /// Reads the rest of a region whose opening brace is missing, and what is left of its operation.
    #[cold]
    pub(super) fn region_without_brace(&mut self) {
        let start = self.start();
        if !self.is_line_before_reported() {
            self.expected("'{'");
        }
        self.last_expectation = Some(self.token.start);
        // Its failure means that its end is missing as well, which has been reported.
        let _ = self.tolerant_region();
        self.skip_rest_of_line(start);
    }
}
