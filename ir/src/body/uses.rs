//! Values, operands and use lists.

use super::{BlockId, BlockUseId, Body, OpId, UseData, UseId, ValueId};
use crate::types::Type;

/// What defines a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueDefinition {
    /// A result of an operation.
    Result {
        /// The operation.
        op: OpId,
        /// Which of its results.
        index: u32,
    },
    /// An argument of a block.
    Argument {
        /// The block.
        block: BlockId,
        /// Which of its arguments.
        index: u32,
    },
}

impl Body {
    /// Type of a value.
    pub fn value_type(&self, value: ValueId) -> Type {
        self.values[value.index()].ty
    }

    /// Changes the type of a value. Its uses are not looked at.
    pub fn set_value_type(&mut self, value: ValueId, ty: Type) {
        self.values[value.index()].ty = ty;
    }

    /// What defines a value.
    pub fn definition(&self, value: ValueId) -> ValueDefinition {
        self.values[value.index()].definition
    }

    /// The operation that defines a value, if it is a result.
    pub fn defining_op(&self, value: ValueId) -> Option<OpId> {
        match self.definition(value) {
            ValueDefinition::Result { op, .. } => Some(op),
            ValueDefinition::Argument { .. } => None,
        }
    }

    /// The block in which a value is defined; nothing if its operation is in no block.
    pub fn defining_block(&self, value: ValueId) -> Option<BlockId> {
        match self.definition(value) {
            ValueDefinition::Result { op, .. } => self.parent_block(op),
            ValueDefinition::Argument { block, .. } => Some(block),
        }
    }

    /// Number of operands.
    pub fn operand_count(&self, op: OpId) -> usize {
        self.operations[op.index()].operand_count as usize
    }

    /// Operand `index`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn operand(&self, op: OpId, index: usize) -> ValueId {
        let data = &self.operations[op.index()];
        assert!(index < data.operand_count as usize, "operand {index} of an operation that has {}", data.operand_count);
        self.used_value(UseId::from_index(data.first_operand as usize + index))
    }

    /// The operands in order.
    pub fn operands(&self, op: OpId) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + '_ {
        let data = &self.operations[op.index()];
        let first = data.first_operand as usize;
        self.uses[first..first + data.operand_count as usize]
            .iter()
            .map(|data| data.value.expect("an operand that is not erased has a value"))
    }

    /// Sets operand `index`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn set_operand(&mut self, op: OpId, index: usize, value: ValueId) {
        let data = &self.operations[op.index()];
        assert!(index < data.operand_count as usize, "operand {index} of an operation that has {}", data.operand_count);
        let id = UseId::from_index(data.first_operand as usize + index);
        self.unlink_use(id);
        self.link_use(id, value);
    }

    /// Sets all operands. Segment sizes, if the operation has them, are the caller's to keep.
    pub fn set_operands(&mut self, op: OpId, values: &[ValueId]) {
        let data = &self.operations[op.index()];
        let (first, count) = (data.first_operand as usize, data.operand_count as usize);
        for index in first..first + count {
            self.unlink_use(UseId::from_index(index));
        }
        let first = if values.len() <= count {
            first
        } else {
            let fresh = self.uses.len();
            let unlinked = UseData { value: None, owner: op, previous: None, next: None };
            self.uses.resize(fresh + values.len(), unlinked);
            fresh
        };
        for (index, &value) in values.iter().enumerate() {
            self.link_use(UseId::from_index(first + index), value);
        }
        let data = &mut self.operations[op.index()];
        (data.first_operand, data.operand_count) = (first as u32, values.len() as u32);
    }

    /// The uses of a value, latest first.
    pub fn uses(&self, value: ValueId) -> impl Iterator<Item = UseId> + '_ {
        std::iter::successors(self.values[value.index()].first_use, |id| self.uses[id.index()].next)
    }

    /// The operations that use a value, latest use first, once for each use.
    pub fn users(&self, value: ValueId) -> impl Iterator<Item = OpId> + '_ {
        self.uses(value).map(|id| self.uses[id.index()].owner)
    }

    /// Whether nothing uses a value.
    pub fn is_unused(&self, value: ValueId) -> bool {
        self.values[value.index()].first_use.is_none()
    }

    /// Whether a value has exactly one use.
    pub fn has_one_use(&self, value: ValueId) -> bool {
        self.uses(value).take(2).count() == 1
    }

    /// The operation whose operand a use is.
    pub fn use_owner(&self, id: UseId) -> OpId {
        self.uses[id.index()].owner
    }

    /// Which operand of its operation a use is.
    pub fn use_index(&self, id: UseId) -> usize {
        id.index() - self.operations[self.use_owner(id).index()].first_operand as usize
    }

    /// The value that a use names.
    pub fn used_value(&self, id: UseId) -> ValueId {
        self.uses[id.index()].value.expect("an operand that is not erased has a value")
    }

    /// Points one use at another value.
    pub fn set_use(&mut self, id: UseId, value: ValueId) {
        self.unlink_use(id);
        self.link_use(id, value);
    }

    /// Makes every use of `old` a use of `new`, in time linear in the uses.
    pub fn replace_all_uses(&mut self, old: ValueId, new: ValueId) {
        if old == new {
            return;
        }
        let mut last = None;
        let mut next = self.values[old.index()].first_use.take();
        let first = next;
        while let Some(id) = next {
            let data = &mut self.uses[id.index()];
            data.value = Some(new);
            (last, next) = (Some(id), data.next);
        }
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        let head = self.values[new.index()].first_use.replace(first);
        self.uses[last.index()].next = head;
        if let Some(head) = head {
            self.uses[head.index()].previous = Some(last);
        }
    }

    /// Makes those uses of `old` for which `select` says so uses of `new`.
    pub fn replace_uses_if(&mut self, old: ValueId, new: ValueId, mut select: impl FnMut(&Body, UseId) -> bool) {
        let selected: Vec<UseId> = self.uses(old).filter(|&id| select(self, id)).collect();
        for id in selected {
            self.set_use(id, new);
        }
    }

    pub(super) fn link_use(&mut self, id: UseId, value: ValueId) {
        let head = self.values[value.index()].first_use.replace(id);
        let data = &mut self.uses[id.index()];
        (data.value, data.previous, data.next) = (Some(value), None, head);
        if let Some(head) = head {
            self.uses[head.index()].previous = Some(id);
        }
    }

    pub(super) fn unlink_use(&mut self, id: UseId) {
        let data = &mut self.uses[id.index()];
        let Some(value) = data.value.take() else {
            return;
        };
        let (previous, next) = (data.previous.take(), data.next.take());
        match previous {
            Some(previous) => self.uses[previous.index()].next = next,
            None => self.values[value.index()].first_use = next,
        }
        if let Some(next) = next {
            self.uses[next.index()].previous = previous;
        }
    }

    pub(super) fn link_block_use(&mut self, id: BlockUseId, block: BlockId) {
        let head = self.blocks[block.index()].first_use.replace(id);
        let data = &mut self.block_uses[id.index()];
        (data.block, data.previous, data.next) = (Some(block), None, head);
        if let Some(head) = head {
            self.block_uses[head.index()].previous = Some(id);
        }
    }

    pub(super) fn unlink_block_use(&mut self, id: BlockUseId) {
        let data = &mut self.block_uses[id.index()];
        let Some(block) = data.block.take() else {
            return;
        };
        let (previous, next) = (data.previous.take(), data.next.take());
        match previous {
            Some(previous) => self.block_uses[previous.index()].next = next,
            None => self.blocks[block.index()].first_use = next,
        }
        if let Some(next) = next {
            self.block_uses[next.index()].previous = previous;
        }
    }
}
