//! The order of operations in a block.
//!
//! Each operation carries a number that grows along its block. Appending gives the next number; inserting elsewhere
//! only marks the block, and the next question renumbers it, so a run of insertions costs one renumbering. The
//! numbers are a cache: atomics let a shared body refresh them, and two threads that do so write the same values.

use std::sync::atomic::Ordering;

use super::{BlockId, Body, OpId};

const STRIDE: u32 = 8;

impl Body {
    /// Whether `a` stands before `b` in their block.
    ///
    /// # Panics
    /// If they are not in one block.
    pub fn is_before_in_block(&self, a: OpId, b: OpId) -> bool {
        let block = self.parent_block(a).expect("order is asked of operations that are in a block");
        assert_eq!(Some(block), self.parent_block(b), "order is asked of operations in one block");
        if !self.blocks[block.index()].order_valid.load(Ordering::Acquire) {
            self.renumber(block);
        }
        let order = |op: OpId| self.operations[op.index()].order.load(Ordering::Relaxed);
        order(a) < order(b)
    }

    fn renumber(&self, block: BlockId) {
        for (index, op) in self.ops(block).enumerate() {
            self.operations[op.index()].order.store(index as u32, Ordering::Relaxed);
        }
        self.blocks[block.index()].order_valid.store(true, Ordering::Release);
    }

    /// Keeps the numbers right after `op` was inserted.
    pub(super) fn number_inserted(&mut self, block: BlockId, op: OpId) {
        let data = &self.operations[op.index()];
        let number = |id: Option<OpId>| id.map(|id| self.operations[id.index()].order.load(Ordering::Relaxed));
        let number = match (number(data.previous), number(data.next)) {
            (None, None) => Some(STRIDE),
            (Some(previous), None) => previous.checked_add(STRIDE),
            (None, Some(next)) => next.checked_sub(1),
            (Some(previous), Some(next)) if next.saturating_sub(previous) > 1 => Some(previous.midpoint(next)),
            _ => None,
        };
        match number {
            Some(number) => *self.operations[op.index()].order.get_mut() = number,
            None => *self.blocks[block.index()].order_valid.get_mut() = false,
        }
    }
}
