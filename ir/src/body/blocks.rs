//! Blocks and regions.

use std::sync::atomic::AtomicBool;

use smallvec::SmallVec;

use super::{BlockData, BlockId, Body, OpId, RegionData, RegionId, ValueData, ValueDefinition, ValueId};
use crate::location::Location;
use crate::types::Type;

impl Body {
    /// Adds an empty region to an operation.
    pub fn add_region(&mut self, op: OpId) -> RegionId {
        let region = RegionId::from_index(self.regions.len());
        self.regions.push(RegionData { parent: op, first_block: None, last_block: None, erased: false });
        self.extra_mut(op).regions.push(region);
        region
    }

    /// Adds an empty region that no operation owns yet, for a reader that meets regions before it knows all of their
    /// operation. Until it is given to one it counts as the root's.
    pub(crate) fn create_detached_region(&mut self) -> RegionId {
        let region = RegionId::from_index(self.regions.len());
        let parent = self.root();
        self.regions.push(RegionData { parent, first_block: None, last_block: None, erased: false });
        region
    }

    /// Gives a detached region to an operation, as its last one.
    pub(crate) fn attach_region(&mut self, op: OpId, region: RegionId) {
        self.regions[region.index()].parent = op;
        self.extra_mut(op).regions.push(region);
    }

    /// Where a block argument comes from.
    pub fn argument_location(&self, argument: ValueId) -> Location {
        self.argument_locations.get(&argument).copied().unwrap_or(Location::UNKNOWN)
    }

    /// Sets where a block argument comes from.
    pub fn set_argument_location(&mut self, argument: ValueId, location: Location) {
        self.argument_locations.insert(argument, location);
    }

    /// The operation that owns a region.
    pub fn region_parent(&self, region: RegionId) -> OpId {
        self.regions[region.index()].parent
    }

    /// The first block of a region.
    pub fn entry_block(&self, region: RegionId) -> Option<BlockId> {
        self.regions[region.index()].first_block
    }

    /// The last block of a region.
    pub fn last_block(&self, region: RegionId) -> Option<BlockId> {
        self.regions[region.index()].last_block
    }

    /// The blocks of a region in order.
    pub fn blocks(&self, region: RegionId) -> impl Iterator<Item = BlockId> + '_ {
        std::iter::successors(self.entry_block(region), |block| self.next_block(*block))
    }

    /// Creates a block with arguments of these types, in no region yet.
    pub fn create_block(&mut self, arguments: &[Type]) -> BlockId {
        let block = BlockId::from_index(self.blocks.len());
        self.blocks.push(BlockData {
            parent: None,
            previous: None,
            next: None,
            first_op: None,
            last_op: None,
            arguments: SmallVec::new(),
            first_use: None,
            order_valid: AtomicBool::new(true),
            erased: false,
        });
        for &ty in arguments {
            self.add_argument(block, ty);
        }
        block
    }

    /// Puts a block that is in no region at the end of one.
    pub fn append_block(&mut self, region: RegionId, block: BlockId) {
        self.insert_block(region, self.last_block(region), None, block);
    }

    /// Puts a block that is in no region after another.
    ///
    /// # Panics
    /// If `anchor` is in no region.
    pub fn insert_block_after(&mut self, anchor: BlockId, block: BlockId) {
        let region = self.block_parent(anchor).expect("a block is inserted next to one that is in a region");
        self.insert_block(region, Some(anchor), self.next_block(anchor), block);
    }

    /// Puts a block that is in no region before another.
    ///
    /// # Panics
    /// If `anchor` is in no region.
    pub fn insert_block_before(&mut self, anchor: BlockId, block: BlockId) {
        let region = self.block_parent(anchor).expect("a block is inserted next to one that is in a region");
        self.insert_block(region, self.previous_block(anchor), Some(anchor), block);
    }

    fn insert_block(&mut self, region: RegionId, previous: Option<BlockId>, next: Option<BlockId>, block: BlockId) {
        assert!(self.block_parent(block).is_none(), "a block is inserted while it is in a region");
        match previous {
            Some(previous) => self.blocks[previous.index()].next = Some(block),
            None => self.regions[region.index()].first_block = Some(block),
        }
        match next {
            Some(next) => self.blocks[next.index()].previous = Some(block),
            None => self.regions[region.index()].last_block = Some(block),
        }
        let data = &mut self.blocks[block.index()];
        (data.parent, data.previous, data.next) = (Some(region), previous, next);
    }

    /// Takes a block out of its region without erasing it.
    pub fn remove_block(&mut self, block: BlockId) {
        let data = &mut self.blocks[block.index()];
        let Some(region) = data.parent.take() else {
            return;
        };
        let (previous, next) = (data.previous.take(), data.next.take());
        match previous {
            Some(previous) => self.blocks[previous.index()].next = next,
            None => self.regions[region.index()].first_block = next,
        }
        match next {
            Some(next) => self.blocks[next.index()].previous = previous,
            None => self.regions[region.index()].last_block = previous,
        }
    }

    /// Erases blocks with all that they hold. They may refer to each other.
    ///
    /// # Panics
    /// If anything outside still uses one of them, or a value defined in them.
    pub fn erase_blocks(&mut self, blocks: &[BlockId]) {
        for &block in blocks {
            let ops: Vec<OpId> = self.ops(block).collect();
            for op in ops {
                self.drop_all_references(op);
            }
        }
        for &block in blocks {
            let ops: Vec<OpId> = self.ops(block).collect();
            for op in ops.into_iter().rev() {
                self.erase_op(op);
            }
        }
        for &block in blocks {
            assert!(self.blocks[block.index()].first_use.is_none(), "a block is erased while it is a successor");
            for &argument in &self.blocks[block.index()].arguments {
                assert!(self.is_unused(argument), "a block is erased while an argument of it is used");
            }
            self.remove_block(block);
            self.blocks[block.index()].erased = true;
        }
    }

    /// Whether a block was erased.
    pub fn is_block_erased(&self, block: BlockId) -> bool {
        self.blocks[block.index()].erased
    }

    /// The region that holds a block.
    pub fn block_parent(&self, block: BlockId) -> Option<RegionId> {
        self.blocks[block.index()].parent
    }

    /// The operation whose region holds a block.
    pub fn block_parent_op(&self, block: BlockId) -> Option<OpId> {
        self.block_parent(block).map(|region| self.region_parent(region))
    }

    /// The block after this one in its region.
    pub fn next_block(&self, block: BlockId) -> Option<BlockId> {
        self.blocks[block.index()].next
    }

    /// The block before this one in its region.
    pub fn previous_block(&self, block: BlockId) -> Option<BlockId> {
        self.blocks[block.index()].previous
    }

    /// Whether a block is the first of its region.
    pub fn is_entry_block(&self, block: BlockId) -> bool {
        self.block_parent(block).is_some() && self.previous_block(block).is_none()
    }

    /// The operations of a block in order.
    pub fn ops(&self, block: BlockId) -> impl Iterator<Item = OpId> + '_ {
        std::iter::successors(self.first_op(block), |op| self.next_op(*op))
    }

    /// The operations of a block from the last to the first.
    pub fn ops_reversed(&self, block: BlockId) -> impl Iterator<Item = OpId> + '_ {
        std::iter::successors(self.last_op(block), |op| self.previous_op(*op))
    }

    /// The first operation of a block.
    pub fn first_op(&self, block: BlockId) -> Option<OpId> {
        self.blocks[block.index()].first_op
    }

    /// The last operation of a block: its terminator, in a block that has one.
    pub fn last_op(&self, block: BlockId) -> Option<OpId> {
        self.blocks[block.index()].last_op
    }

    /// The arguments of a block.
    pub fn arguments(&self, block: BlockId) -> &[ValueId] {
        &self.blocks[block.index()].arguments
    }

    /// Adds an argument at the end.
    pub fn add_argument(&mut self, block: BlockId, ty: Type) -> ValueId {
        self.insert_argument(block, self.arguments(block).len(), ty)
    }

    /// Inserts an argument before the one that has this index.
    ///
    /// # Panics
    /// If `index` is larger than the number of arguments.
    pub fn insert_argument(&mut self, block: BlockId, index: usize, ty: Type) -> ValueId {
        let value = ValueId::from_index(self.values.len());
        let definition = ValueDefinition::Argument { block, index: index as u32 };
        self.values.push(ValueData { ty, definition, first_use: None });
        self.blocks[block.index()].arguments.insert(index, value);
        self.renumber_arguments(block, index + 1);
        value
    }

    /// Removes an argument. What the predecessors forward is the caller's to change.
    ///
    /// # Panics
    /// If the argument is used.
    pub fn erase_argument(&mut self, block: BlockId, index: usize) {
        let value = self.blocks[block.index()].arguments.remove(index);
        assert!(self.is_unused(value), "a block argument is erased while it is used");
        self.renumber_arguments(block, index);
    }

    fn renumber_arguments(&mut self, block: BlockId, from: usize) {
        for index in from..self.blocks[block.index()].arguments.len() {
            let value = self.blocks[block.index()].arguments[index];
            self.values[value.index()].definition = ValueDefinition::Argument { block, index: index as u32 };
        }
    }

    /// The operations that have a block as a successor, with the successor's index, latest first, once for each edge.
    pub fn predecessor_edges(&self, block: BlockId) -> impl Iterator<Item = (OpId, usize)> + '_ {
        let first = self.blocks[block.index()].first_use;
        std::iter::successors(first, |id| self.block_uses[id.index()].next).map(|id| {
            let owner = self.block_uses[id.index()].owner;
            let extra = self.extra(owner).expect("an operation that has successors has extra data");
            (owner, id.index() - extra.first_successor as usize)
        })
    }

    /// The blocks that end in an edge to `block`, latest first, once for each edge.
    pub fn predecessors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.predecessor_edges(block).filter_map(|(op, _)| self.parent_block(op))
    }

    /// Whether no edge leads to a block.
    pub fn has_no_predecessors(&self, block: BlockId) -> bool {
        self.blocks[block.index()].first_use.is_none()
    }

    /// The blocks to which the last operation of `block` leads.
    pub fn block_successors(&self, block: BlockId) -> impl DoubleEndedIterator<Item = BlockId> + '_ {
        self.last_op(block).into_iter().flat_map(|op| self.successors(op))
    }

    /// Makes every edge to `old` an edge to `new`.
    pub fn replace_all_block_uses(&mut self, old: BlockId, new: BlockId) {
        let edges: Vec<(OpId, usize)> = self.predecessor_edges(old).collect();
        for (op, index) in edges.into_iter().rev() {
            self.set_successor(op, index, new);
        }
    }

    /// Moves `op` and all operations after it into a new block right after theirs, and returns that block.
    ///
    /// # Panics
    /// If `op` is in no block.
    pub fn split_block(&mut self, op: OpId) -> BlockId {
        let block = self.parent_block(op).expect("a block is split before an operation that is in it");
        let tail = self.create_block(&[]);
        self.insert_block_after(block, tail);
        let moved: Vec<OpId> = std::iter::successors(Some(op), |op| self.next_op(*op)).collect();
        for op in moved {
            self.remove_op(op);
            self.append_op(tail, op);
        }
        tail
    }

    /// Moves all blocks of a region to the end of another.
    pub fn move_blocks(&mut self, from: RegionId, to: RegionId) {
        let blocks: Vec<BlockId> = self.blocks(from).collect();
        for block in blocks {
            self.remove_block(block);
            self.append_block(to, block);
        }
    }
}
