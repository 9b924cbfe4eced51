//! Regions and blocks.

use rustc_hash::FxHashMap;

use super::custom::UnresolvedOperand;
use super::values::Label;
use super::{ParseFailure, ParseResult, Parser, TokenKind, similar};
use crate::body::{BlockId, RegionId};
use crate::diagnostic::Diagnostic;
use crate::location::Location;
use crate::source::Span;
use crate::types::Type;

impl<'c> Parser<'c, '_> {
    /// Reads a region in braces into the current body; the caller gives it to an operation.
    pub(super) fn region(&mut self, arguments: &[(UnresolvedOperand<'c>, Type)]) -> ParseResult<RegionId> {
        let open = self.span();
        self.expect("{")?;
        self.nested(|parser| parser.region_inside(arguments, open))
    }

    fn region_inside(&mut self, arguments: &[(UnresolvedOperand<'c>, Type)], open: Span) -> ParseResult<RegionId> {
        let mark = self.names_mark();
        let region = self.body_mut().create_detached_region();
        let state = self.state_mut();
        let outer_block = state.block.take();
        state.labels.push(FxHashMap::default());
        let mut result = self.entry_block(region, arguments);
        result = self.blocks(region, open).and(result);
        let labels = self.state_mut().labels.pop().expect("the labels of a region are there until its end");
        result = self.report_undefined_blocks(labels).and(result);
        self.end_names(mark);
        self.state_mut().block = outer_block;
        result.map(|()| region)
    }

    fn entry_block(&mut self, region: RegionId, arguments: &[(UnresolvedOperand<'c>, Type)]) -> ParseResult<()> {
        let labelled = self.is_kind(TokenKind::CaretIdentifier);
        if arguments.is_empty() && (labelled || self.at("}")) {
            return Ok(());
        }
        if labelled {
            let span = self.span();
            self.error(span, "entry-label", "the first block of this region has arguments already and takes no label");
        }
        let body = self.body_mut();
        let block = body.create_block(&[]);
        body.append_block(region, block);
        let mut result = Ok(());
        for (operand, ty) in arguments {
            let value = self.body_mut().add_argument(block, *ty);
            self.body_mut().set_argument_location(value, Location::source(operand.span.start));
            result = self.define(operand.name, Some(value), 1, operand.span).and(result);
        }
        self.state_mut().block = Some(block);
        result
    }

    fn blocks(&mut self, region: RegionId, open: Span) -> ParseResult<()> {
        let mut result = Ok(());
        loop {
            if self.eat("}") {
                return result;
            }
            if self.is_kind(TokenKind::End) {
                self.report(
                    Diagnostic::error("unclosed-region", self.span(), "a region is not closed: expected '}'")
                        .note(open, "the region is opened here"),
                );
                return Err(ParseFailure);
            }
            let outcome = if self.is_kind(TokenKind::CaretIdentifier) {
                self.block_header(region)
            } else {
                self.operation_with_recovery()
            };
            result = outcome.and(result);
        }
    }

    /// Reads `^label(%a: type, ...):`.
    fn block_header(&mut self, region: RegionId) -> ParseResult<()> {
        let (label, span) = (self.name_text(), self.span());
        self.advance();
        let block = self.define_block(label, span, region);
        self.state_mut().block = block.ok().or_else(|| {
            // A second block of the same label still holds its operations, so that they are read and checked.
            let body = self.body_mut();
            let block = body.create_block(&[]);
            body.append_block(region, block);
            Some(block)
        });
        let current = self.state().block.expect("a block was just made the current one");
        let mut result = block.map(|_| ());
        if self.at("(") {
            let arguments = self.comma_list("(", ")", |parser| {
                let operand = parser.parse_operand()?;
                parser.expect(":")?;
                let ty = parser.parse_type();
                let Ok(ty) = ty else {
                    let _ = parser.define(operand.name, None, 1, operand.span);
                    return Err(ParseFailure);
                };
                let value = parser.body_mut().add_argument(current, ty);
                let location = parser.trailing_location()?.unwrap_or(Location::source(operand.span.start));
                parser.body_mut().set_argument_location(value, location);
                parser.define(operand.name, Some(value), 1, operand.span)
            });
            result = arguments.and(result);
            if arguments.is_err() {
                self.skip_to_next_operation(span);
                return Err(ParseFailure);
            }
        }
        self.expect(":").and(result)
    }

    fn define_block(&mut self, label: &'c str, span: Span, region: RegionId) -> ParseResult<BlockId> {
        let state = self.state_mut();
        let labels = state.labels.last_mut().expect("a block is inside of a region");
        match labels.get_mut(label) {
            Some(Label { defined: Some(first), .. }) => {
                let first = *first;
                let message = format!("the block '^{label}' is defined twice in one region");
                let diagnostic = Diagnostic::error("redefined-block", span, message);
                Err(self.report(diagnostic.note(first, "it is defined here first")))
            }
            Some(known) => {
                known.defined = Some(span);
                let block = known.block;
                state.body.append_block(region, block);
                Ok(block)
            }
            None => {
                let block = state.body.create_block(&[]);
                labels.insert(label, Label { block, defined: Some(span), first_use: span });
                state.body.append_block(region, block);
                Ok(block)
            }
        }
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

    fn report_undefined_blocks(&mut self, labels: FxHashMap<&'c str, Label>) -> ParseResult<()> {
        let mut undefined: Vec<_> = labels
            .iter()
            .filter(|(_, label)| label.defined.is_none())
            .map(|(&name, label)| (label.first_use, name))
            .collect();
        undefined.sort_by_key(|&(span, _)| span.start);
        for &(span, name) in &undefined {
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
        if undefined.is_empty() { Ok(()) } else { Err(ParseFailure) }
    }
}
