//! What the driver learns from the changes that it sees.

use crate::body::{Body, OpId, ValueId};
use crate::builder::Listener;
use crate::rewrite::worklist::Worklist;

/// Follows changes and remembers which operations to visit.
#[derive(Default)]
pub(super) struct DriverState {
    pub(super) worklist: Worklist,
}

impl DriverState {
    /// The operations that define the operands of `op`: they may be dead soon, or may fold now.
    fn push_operand_definitions(&mut self, body: &Body, op: OpId) {
        for operand in body.operands(op) {
            if let Some(definition) = body.defining_op(operand) {
                self.worklist.push(definition);
            }
        }
    }
}

impl Listener for DriverState {
    fn inserted(&mut self, body: &Body, op: OpId) {
        for inner in body.ops_inside(op) {
            self.worklist.push(inner);
        }
        self.worklist.push(op);
    }

    fn modifying(&mut self, body: &Body, op: OpId) {
        self.push_operand_definitions(body, op);
    }

    fn replacing_uses(&mut self, body: &Body, value: ValueId) {
        if let Some(definition) = body.defining_op(value) {
            self.worklist.push(definition);
        }
    }

    fn modified(&mut self, body: &Body, op: OpId) {
        // The root holds everything and is not itself rewritten.
        if op != body.root() {
            self.worklist.push(op);
        }
    }

    fn replaced(&mut self, body: &Body, op: OpId, _values: &[ValueId]) {
        for result in body.results(op) {
            for user in body.users(result) {
                self.worklist.push(user);
            }
        }
    }

    fn erased(&mut self, body: &Body, op: OpId) {
        self.push_operand_definitions(body, op);
    }
}
