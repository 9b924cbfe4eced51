//! Regions and blocks.

use rustc_hash::FxHashMap;

use super::bodies::Label;
use super::custom::UnresolvedOperand;
use super::{ParseResult, Parser, Token, TokenKind, similar, with_room};
use crate::body::{BlockId, RegionId};
use crate::diagnostic::Diagnostic;
use crate::location::Location;
use crate::source::Span;
use crate::types::Type;

impl<'c> Parser<'c, '_> {
    /// Reads a region in braces into the current body; the caller gives it to an operation. Errors inside are reported
    /// and do not make it fail, but for a missing end.
    pub(super) fn region(&mut self, arguments: &[(UnresolvedOperand<'c>, Type)]) -> ParseResult<RegionId> {
        let open = self.token;
        let is_open = self.at("{");
        if !is_open {
            let failure = self.expected("'{'");
            if !self.skip_to_contents() {
                return Err(failure);
            }
        }
        if self.level as usize > self.options.max_region_nesting {
            let message = format!("regions nest more than {} deep here", self.options.max_region_nesting);
            let failure = self.error(self.span(), "nesting-too-deep", message);
            self.skip_braces();
            return Err(failure);
        }
        if is_open {
            self.advance();
        } else {
            self.brackets.count(b'{');
        }
        self.level += 1;
        let outer = (self.braces.open.replace(open), self.braces.contents.take());
        let result = with_room(|| self.region_inside(arguments, open));
        (self.braces.open, self.braces.contents) = outer;
        self.braces.last_end = self.previous_end;
        self.level -= 1;
        result
    }

    fn region_inside(&mut self, arguments: &[(UnresolvedOperand<'c>, Type)], open: Token) -> ParseResult<RegionId> {
        let mark = self.names.mark();
        let region = self.body_mut().create_detached_region();
        let state = self.state_mut();
        let outer_block = state.block.take();
        let outer_lost = std::mem::take(&mut state.labels_lost);
        state.labels.push(FxHashMap::default());
        self.entry_block(region, arguments);
        let result = self.blocks(region, open);
        let labels = self.state_mut().labels.pop().expect("the labels of a region are there until its end");
        self.report_undefined_blocks(&labels);
        self.end_names(mark);
        let state = self.state_mut();
        state.block = outer_block;
        state.labels_lost = outer_lost;
        result.map(|()| region)
    }

    fn entry_block(&mut self, region: RegionId, arguments: &[(UnresolvedOperand<'c>, Type)]) {
        let labelled = self.is_kind(TokenKind::CaretIdentifier);
        if arguments.is_empty() && (labelled || self.at("}")) {
            return;
        }
        if labelled {
            let span = self.span();
            self.error(span, "entry-label", "the first block of this region has arguments already and takes no label");
        }
        let body = self.body_mut();
        let block = body.create_block(&[]);
        body.append_block(region, block);
        self.state_mut().block = Some(block);
        for (operand, ty) in arguments {
            self.define_argument(block, operand, *ty, None);
        }
    }

    fn define_argument(
        &mut self,
        block: BlockId,
        operand: &UnresolvedOperand<'c>,
        ty: Type,
        location: Option<Location>,
    ) {
        let location = location.unwrap_or(Location::source(operand.span.start));
        let body = self.body_mut();
        let value = body.add_argument(block, ty);
        body.set_argument_location(value, location);
        self.define(operand.name, value, 1, operand.span);
    }

    fn blocks(&mut self, region: RegionId, open: Token) -> ParseResult<()> {
        loop {
            if self.is_kind(TokenKind::End) || self.is_outside(open) {
                return Err(self.unclosed_region(open));
            }
            if self.at("}") {
                if self.is_too_deep_to_close(open) {
                    self.unmatched_brace();
                    continue;
                }
                self.advance();
                return Ok(());
            }
            match self.token.kind {
                TokenKind::CaretIdentifier if self.may_be_block_header() => self.block_header(region),
                TokenKind::String | TokenKind::PercentIdentifier | TokenKind::BareIdentifier => {
                    if self.lacks_opening_brace(open) {
                        self.region_without_brace();
                    } else {
                        self.operation_with_recovery();
                    }
                }
                _ => {
                    if self.damage(region, open) {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Reads `^label(%a: type, ...):`.
    fn block_header(&mut self, region: RegionId) {
        let start = self.start();
        let (label, span) = (self.name_text(), self.span());
        self.advance();
        let block = self.define_block(label, span, region);
        self.state_mut().block = Some(block);
        if self.at("(") {
            let arguments = self.comma_list("(", ")", |parser| {
                if !parser.at_operand() {
                    parser.lose_definition();
                }
                let operand = parser.parse_operand()?;
                let ty = parser.expect(":").and_then(|()| parser.parse_type());
                let Ok(ty) = ty else {
                    parser.define_poisoned(operand.name, operand.span);
                    return ty.map(|_| ());
                };
                let location = parser.optional_location()?;
                parser.define_argument(block, &operand, ty, location);
                Ok(())
            });
            if arguments.is_err() {
                return self.skip_block_header(start);
            }
        }
        if self.expect(":").is_err() {
            self.skip_block_header(start);
        }
    }

    /// Goes behind the header of a block. Arguments on the way are defined as poisoned.
    pub(super) fn skip_block_header(&mut self, start: super::recovery::Start) {
        while !self.is_kind(TokenKind::End) && (self.is_at(start) || !self.is_boundary(start)) {
            if self.is_kind(TokenKind::PercentIdentifier) {
                self.define_poisoned(self.name_text(), self.span());
            }
            let closes = self.at(")");
            self.pass(start);
            if closes && self.at(":") {
                self.advance();
                break;
            }
        }
        self.end_of_recovery(start);
    }

    /// The block of a label that is defined here. After a second definition the operations go to a block of their own,
    /// so that they are read and checked.
    fn define_block(&mut self, label: &'c str, span: Span, region: RegionId) -> BlockId {
        let state = self.state_mut();
        let labels = state.labels.last_mut().expect("a block is inside of a region");
        let known = labels.get_mut(label);
        let (block, first) = match known {
            Some(known) => match known.defined.replace(span) {
                None => (known.block, None),
                Some(first) => (state.body.create_block(&[]), Some(first)),
            },
            None => {
                let block = state.body.create_block(&[]);
                labels.insert(label, Label { block, defined: Some(span), first_use: span });
                (block, None)
            }
        };
        state.body.append_block(region, block);
        if let Some(first) = first {
            let message = format!("the block '^{label}' is defined twice in one region");
            let diagnostic = Diagnostic::error("redefined-block", span, message);
            self.report(diagnostic.note(first, "it is defined here first"));
        }
        block
    }

    /// The block that a label names in the current region, perhaps one that is defined further on.
    pub(super) fn block_reference(&mut self, label: &'c str, span: Span) -> ParseResult<BlockId> {
        let state = self.state_mut();
        let Some(labels) = state.labels.last_mut() else {
            return Err(self.error(span, "misplaced-successor", "there are no blocks outside of a region"));
        };
        if let Some(known) = labels.get(label) {
            return Ok(known.block);
        }
        let block = state.body.create_block(&[]);
        labels.insert(label, Label { block, defined: None, first_use: span });
        Ok(block)
    }

    fn report_undefined_blocks(&mut self, labels: &FxHashMap<&'c str, Label>) {
        if self.state().tolerant {
            return;
        }
        let mut undefined: Vec<_> = labels
            .iter()
            .filter(|(_, label)| label.defined.is_none())
            .map(|(&name, label)| (label.first_use, name))
            .collect();
        undefined.sort_by_key(|&(span, _)| span.start);
        // A header whose label is missing explains one of them.
        let lost = self.state().labels_lost;
        for (span, name) in undefined.into_iter().skip(lost) {
            let diagnostic = Diagnostic::error(
                "undefined-block",
                span,
                format!("the block '^{name}' is not defined in this region"),
            );
            let defined = labels.iter().filter(|(_, label)| label.defined.is_some()).map(|(&name, _)| name);
            self.report(match similar(name, defined) {
                Some(near) => diagnostic.help(format!("there is a block with a similar name: '^{near}'")),
                None => diagnostic,
            });
        }
    }
}
