//! Whether operands name values that may be used where they are used.

use super::body::{BodyVerifier, Frame};
use crate::analysis::{ControlFlowGraph, RegionTree};
use crate::body::{BlockId, Body, OpId, ValueDefinition, ValueId};
use crate::diagnostic::Diagnostic;

impl BodyVerifier<'_, '_> {
    /// Checks all operands of an operation at which the walk is.
    pub(super) fn check_operands(&mut self, op: OpId) {
        let body = self.body;
        let block = self.innermost().block;
        for (index, value) in body.operands(op).enumerate() {
            let in_order = match body.definition(value) {
                ValueDefinition::Result { op: definition, .. } => {
                    body.parent_block(definition) == Some(block) && body.is_before_in_block(definition, op)
                }
                ValueDefinition::Argument { block: definition, index } => {
                    definition == block && body.arguments(block).get(index as usize) == Some(&value)
                }
            };
            if !in_order {
                self.check_operand_closely(op, index, value);
            }
        }
    }

    /// Checks an operand that is not simply defined earlier in the same block.
    fn check_operand_closely(&mut self, op: OpId, index: usize, value: ValueId) {
        let body = self.body;
        let Some(definition) = existing_definition(body, value) else {
            let error = self.operand_error("dangling-operand", op, index, "names a value that is not in the body");
            self.faults.report_broken(op, error);
            return;
        };
        let Some(level) = self.level_of(definition) else {
            let (code, what) = if body.block_parent_op(definition).is_some_and(|holder| body.is_attached(holder)) {
                ("value-out-of-scope", "names a value of a region that does not hold this operation")
            } else {
                ("dangling-operand", "names a value that is not in the body")
            };
            let error = self.operand_error(code, op, index, what);
            let error = self.note_definition(error, value);
            self.faults.report_broken(op, error);
            return;
        };
        let frame = &mut self.frames[level];
        let (code, what) = if definition == frame.block {
            let Some(defining_op) = body.defining_op(value) else { return };
            let user = frame.current.expect("the walk is at or in an operation of the block");
            if !frame.is_ordered || defining_op != user && body.is_before_in_block(defining_op, user) {
                return;
            }
            let what = if defining_op != user {
                "is used before it is defined"
            } else if user == op {
                "is a result of the same operation"
            } else {
                "is a result of an operation around this one"
            };
            ("use-before-definition", what)
        } else {
            ("dominance", "does not dominate this use")
        };
        // Only a region with several blocks has blocks that cannot be reached, where anything goes.
        if code == "dominance" && dominates(body, frame, definition) || !is_reachable(body, frame) {
            return;
        }
        let error = self.operand_error(code, op, index, what);
        let mut error = self.note_definition(error, value);
        if code == "dominance" {
            error = error.help("pass the value to an argument of this block along the edges that lead here");
        }
        self.faults.report(op, error);
    }

    /// Which of the open regions holds a block directly.
    fn level_of(&self, block: BlockId) -> Option<usize> {
        let region = self.body.block_parent(block)?;
        let level = self.depths[region.index()] as usize;
        (self.frames.get(level)?.region == region).then_some(level)
    }

    fn operand_error(&self, code: &'static str, op: OpId, index: usize, what: &str) -> Diagnostic {
        self.error(code, op, &format!("operand #{index} {what}"))
    }

    fn note_definition(&self, error: Diagnostic, value: ValueId) -> Diagnostic {
        match self.body.definition(value) {
            ValueDefinition::Result { op, .. } if self.body.is_erased(op) => error,
            ValueDefinition::Result { op, .. } => error.note(self.body.location(op), "it is defined here"),
            ValueDefinition::Argument { block, index } => match self.body.block_parent_op(block) {
                Some(holder) => {
                    error.note(self.body.location(holder), format!("it is argument #{index} of a block in here"))
                }
                None => error,
            },
        }
    }
}

/// The block that really holds the definition of a value: ids of erased things still resolve, so the lists are asked.
fn existing_definition(body: &Body, value: ValueId) -> Option<BlockId> {
    let block = match body.definition(value) {
        ValueDefinition::Result { op, .. } => body.parent_block(op).filter(|_| !body.is_erased(op))?,
        ValueDefinition::Argument { block, index } => {
            let known = body.arguments(block).get(index as usize) == Some(&value);
            Some(block).filter(|_| known)?
        }
    };
    (!body.is_block_erased(block)).then_some(block)
}

fn has_one_block(body: &Body, frame: &Frame) -> bool {
    body.entry_block(frame.region) == body.last_block(frame.region)
}

fn tree<'f>(body: &Body, frame: &'f mut Frame) -> &'f RegionTree {
    frame.tree.get_or_insert_with(|| RegionTree::dominators(ControlFlowGraph::new(body, frame.region)))
}

fn dominates(body: &Body, frame: &mut Frame, definition: BlockId) -> bool {
    let block = frame.block;
    tree(body, frame).is_above(definition, block)
}

fn is_reachable(body: &Body, frame: &mut Frame) -> bool {
    let block = frame.block;
    has_one_block(body, frame) || tree(body, frame).is_reachable(block)
}
