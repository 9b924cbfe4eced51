//! The worklist of the greedy driver.

use crate::body::OpId;

/// A stack of operations in which each occurs once at most. Only the order of pushes decides the order of pops.
#[derive(Default)]
pub(super) struct Worklist {
    stack: Vec<OpId>,
    /// By operation index: whether it is on the stack.
    contained: Vec<bool>,
}

impl Worklist {
    /// Puts an operation on top if it is not in the list.
    pub(super) fn push(&mut self, op: OpId) {
        if self.contained.len() <= op.index() {
            self.contained.resize(op.index() + 1, false);
        }
        if !std::mem::replace(&mut self.contained[op.index()], true) {
            self.stack.push(op);
        }
    }

    /// Takes the operation on top.
    pub(super) fn pop(&mut self) -> Option<OpId> {
        let op = self.stack.pop()?;
        self.contained[op.index()] = false;
        Some(op)
    }

    /// Takes all operations out.
    pub(super) fn clear(&mut self) {
        while self.pop().is_some() {}
    }
}
