//! A check of the links between the things in a body, which the API keeps.

use super::{BlockId, Body, OpId, UseId, ValueDefinition, ValueId};

impl Body {
    /// Whether [`broken_links`](Self::broken_links) finds anything.
    pub fn has_broken_links(&self) -> bool {
        !self.broken_links().is_empty()
    }

    /// What is wrong with the lists of operations, blocks and uses, each with the operation nearest to it. They are kept
    /// by the methods of this type, so there is nothing unless one of them is wrong. Linear time; it ends on any body.
    pub fn broken_links(&self) -> Vec<(OpId, String)> {
        let mut checker = Checker { body: self, found: Vec::new() };
        checker.check_regions();
        checker.check_blocks();
        checker.check_operations();
        checker.check_values();
        checker.check_block_uses();
        checker.found
    }
}

struct Checker<'a> {
    body: &'a Body,
    found: Vec<(OpId, String)>,
}

impl Checker<'_> {
    fn report(&mut self, op: OpId, message: String) {
        self.found.push((op, message));
    }

    /// Follows a list from `first` and says whether it is linked both ways, ends at `last`, and holds only what
    /// `belongs`.
    fn is_list<T: Copy + PartialEq>(
        first: Option<T>,
        last: Option<T>,
        limit: usize,
        neighbours: impl Fn(T) -> (Option<T>, Option<T>),
        belongs: impl Fn(T) -> bool,
    ) -> bool {
        let (mut previous, mut current) = (None, first);
        for _ in 0..=limit {
            let Some(item) = current else { return previous == last };
            let (before, after) = neighbours(item);
            if before != previous || !belongs(item) {
                return false;
            }
            (previous, current) = (current, after);
        }
        false
    }

    fn check_regions(&mut self) {
        let body = self.body;
        for (index, region) in body.regions.iter().enumerate().filter(|(_, region)| !region.erased) {
            let neighbours = |block: BlockId| (body.previous_block(block), body.next_block(block));
            let belongs = |block: BlockId| {
                let block = &body.blocks[block.index()];
                block.parent.is_some_and(|parent| parent.index() == index) && !block.erased
            };
            if !Self::is_list(region.first_block, region.last_block, body.blocks.len(), neighbours, belongs) {
                self.report(region.parent, "the list of blocks of a region is broken".to_owned());
            }
            if !body.regions(region.parent).iter().any(|known| known.index() == index) {
                self.report(region.parent, "a region is not among those of the operation that owns it".to_owned());
            }
        }
    }

    fn check_blocks(&mut self) {
        let body = self.body;
        for (index, block) in body.blocks.iter().enumerate().filter(|(_, block)| !block.erased) {
            let id = BlockId::from_index(index);
            let at = block.parent.map_or(body.root(), |region| body.region_parent(region));
            let neighbours = |op: OpId| (body.previous_op(op), body.next_op(op));
            let belongs = |op: OpId| body.parent_block(op) == Some(id) && !body.is_erased(op);
            if !Self::is_list(block.first_op, block.last_op, body.operations.len(), neighbours, belongs) {
                self.report(at, "the list of operations of a block is broken".to_owned());
            }
            for (argument, &value) in block.arguments.iter().enumerate() {
                let expected = ValueDefinition::Argument { block: id, index: argument as u32 };
                if body.definition(value) != expected {
                    self.report(at, format!("argument #{argument} of a block is recorded as something else"));
                }
            }
        }
    }

    fn check_operations(&mut self) {
        let body = self.body;
        for (index, data) in body.operations.iter().enumerate() {
            let op = OpId::from_index(index);
            if body.is_erased(op) {
                continue;
            }
            for (result, value) in body.results(op).enumerate() {
                let expected = ValueDefinition::Result { op, index: result as u32 };
                if body.definition(value) != expected {
                    self.report(op, format!("result #{result} is recorded as something else"));
                }
            }
            let first = data.first_operand as usize;
            for use_data in &body.uses[first..first + data.operand_count as usize] {
                if use_data.owner != op || use_data.value.is_none() {
                    self.report(op, "an operand is recorded as that of another operation, or has no value".to_owned());
                }
            }
        }
    }

    fn check_values(&mut self) {
        let body = self.body;
        let mut listed = 0;
        for (index, data) in body.values.iter().enumerate() {
            let value = ValueId::from_index(index);
            let neighbours = |id: UseId| (body.uses[id.index()].previous, body.uses[id.index()].next);
            let belongs = |id: UseId| body.uses[id.index()].value == Some(value);
            let ends = body.uses.len();
            let last = std::iter::successors(data.first_use, |id| body.uses[id.index()].next).take(ends + 1).last();
            if Self::is_list(data.first_use, last, ends, neighbours, belongs) {
                listed += body.uses(value).count();
            } else {
                let at = body.defining_op(value).unwrap_or(body.root());
                self.report(at, "the list of uses of a value is broken".to_owned());
                return;
            }
        }
        if listed != body.uses.iter().filter(|data| data.value.is_some()).count() {
            self.report(body.root(), "an operand is missing from the list of uses of its value".to_owned());
        }
    }

    fn check_block_uses(&mut self) {
        let body = self.body;
        let mut listed = 0;
        for (index, block) in body.blocks.iter().enumerate() {
            let mut current = block.first_use;
            for _ in 0..=body.block_uses.len() {
                let Some(id) = current else { break };
                let data = &body.block_uses[id.index()];
                if data.block.is_none_or(|named| named.index() != index) {
                    self.report(data.owner, "a successor is in the list of another block".to_owned());
                    return;
                }
                listed += 1;
                current = data.next;
            }
        }
        if listed != body.block_uses.iter().filter(|data| data.block.is_some()).count() {
            self.report(body.root(), "a successor is missing from the list of uses of its block".to_owned());
        }
    }
}
