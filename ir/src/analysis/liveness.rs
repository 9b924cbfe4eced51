//! Liveness of values at the starts and ends of blocks.
//!
//! Problem: for each block, the values defined elsewhere that are used after its start.
//!
//! A value is *live in* at a block if a way leads from the block's start to a use of the value, not past its
//! definition, and without leaving the operation that holds the block. A use in a nested region is one by the operation
//! that holds the region, and counts in the nested blocks that lead to it as well. What an operation's regions need is
//! thus found in their blocks; whether a value is used after the operation is asked of the block that the operation is
//! in. Where control goes between regions is what their interfaces say; where they say nothing, any region may be
//! executed after any other. A terminator that leaves for somewhere unknown may go back to the start of any region
//! around it, and what is live there counts too. Operations are taken to end, and any of
//! their regions to be executed first.
//!
//! The arguments of a block are defined at its start, so they are live in nowhere on their own account; what a branch
//! passes is used at the branch.
//!
//! Algorithm: from each use up to the definition, one value at a time (B. Boissinot et al., "Computing Liveness Sets
//! for SSA-Form Programs", 2011). The sets are lists that ascend by the values' indices.
//!
//! Complexity: time and memory are linear in the operands and in what comes out: the sizes of the sets, times the
//! predecessors of their blocks. Bit sets would take blocks times values, however few are live.

use rustc_hash::FxHashMap;

use super::region_flow::{RegionFlow, entries, entry_at, flow_out_of};
use super::{Analyses, Analysis, ancestor_in_block};
use crate::body::{BlockId, Body, OpId, ValueId};
use crate::context::Context;
use crate::operation::OpRef;

/// See the [module](self). It stays valid while operations move within their blocks; [`Liveness::is_live_after`] looks at
/// the body as it is.
pub struct Liveness {
    /// By block.
    live_in: Vec<Vec<ValueId>>,
    /// What is live at the end of a block because another region, or the same one again, is executed next.
    carried: FxHashMap<BlockId, Vec<ValueId>>,
}

impl Analysis for Liveness {
    const NAME: &'static str = "liveness";

    fn compute(analyses: &Analyses<'_>) -> Self {
        Self::new(analyses.context(), analyses.body())
    }
}

impl Liveness {
    /// Computes it.
    pub fn new(context: &Context, body: &Body) -> Self {
        let mut solver = Solver {
            body,
            returns: region_returns(context, body),
            live: Self { live_in: vec![Vec::new(); body.block_capacity()], carried: FxHashMap::default() },
            pending: Vec::new(),
        };
        for index in 0..body.value_capacity() {
            solver.follow(ValueId::from_index(index));
        }
        solver.live
    }

    /// The values that are live in at a block, by ascending index.
    pub fn live_in(&self, block: BlockId) -> &[ValueId] {
        self.live_in.get(block.index()).map_or(&[], Vec::as_slice)
    }

    /// Whether a value is live in at a block.
    pub fn is_live_in(&self, value: ValueId, block: BlockId) -> bool {
        self.live_in(block).binary_search(&value).is_ok()
    }

    /// The values that are live at the end of a block, by ascending index: live in at a successor, or at a region that
    /// is executed next. Values defined in the block are among them.
    pub fn live_out(&self, body: &Body, block: BlockId) -> Vec<ValueId> {
        let mut live: Vec<ValueId> = self.carried(block).to_vec();
        for successor in body.block_successors(block) {
            live.extend_from_slice(self.live_in(successor));
        }
        live.sort_unstable();
        live.dedup();
        live
    }

    /// Whether a value is live at the end of a block.
    pub fn is_live_out(&self, body: &Body, value: ValueId, block: BlockId) -> bool {
        self.carried(block).binary_search(&value).is_ok()
            || body.block_successors(block).any(|successor| self.is_live_in(value, successor))
    }

    /// Whether a value is used after an operation, in its block or where that leads. Takes time linear in the uses of
    /// the value.
    pub fn is_live_after(&self, body: &Body, value: ValueId, op: OpId) -> bool {
        let Some(block) = body.parent_block(op) else { return false };
        let is_later = |user: OpId| {
            let user = ancestor_in_block(body, user, block);
            user.is_some_and(|user| user != op && body.is_before_in_block(op, user))
        };
        self.is_live_out(body, value, block) || body.users(value).any(is_later)
    }

    fn carried(&self, block: BlockId) -> &[ValueId] {
        self.carried.get(&block).map_or(&[], Vec::as_slice)
    }
}

/// For the first block of each region, the blocks from whose ends control may come back to it: of the same operation's
/// regions, or nested in them if they leave for somewhere unknown.
fn region_returns(context: &Context, body: &Body) -> FxHashMap<BlockId, Vec<BlockId>> {
    let mut returns: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
    for region in body.all_regions() {
        for block in body.blocks(region) {
            let view = OpRef::new(context, body, body.region_parent(region));
            let Some((holder, flow)) = flow_out_of(view, block) else { continue };
            let known = match &flow {
                RegionFlow::Known(successors) => &**successors,
                _ => &[],
            };
            let known = known.iter().filter_map(|successor| entry_at(holder, successor.point));
            let unknown = flow.unknown_targets(holder);
            for target in known.chain(unknown.into_iter().flat_map(entries)) {
                returns.entry(target).or_default().push(block);
            }
        }
    }
    returns
}

struct Solver<'a> {
    body: &'a Body,
    returns: FxHashMap<BlockId, Vec<BlockId>>,
    live: Liveness,
    /// Blocks at which the value that is followed is live in.
    pending: Vec<BlockId>,
}

impl Solver<'_> {
    /// Finds all blocks at which a value is live in.
    fn follow(&mut self, value: ValueId) {
        let body = self.body;
        let Some(definition) = body.defining_block(value) else { return };
        for user in body.users(value) {
            let block = body.parent_block(user);
            block.into_iter().for_each(|block| self.add(value, definition, block));
        }
        while let Some(block) = self.pending.pop() {
            for predecessor in body.predecessors(block) {
                self.add(value, definition, predecessor);
            }
            if body.is_entry_block(block) && body.block_parent(block) != body.block_parent(definition) {
                self.enter(value, definition, block);
            }
        }
    }

    /// The value is live in at the first block of a region, and defined outside of it.
    fn enter(&mut self, value: ValueId, definition: BlockId, block: BlockId) {
        let body = self.body;
        let holder = body.block_parent_op(block).and_then(|holder| body.parent_block(holder));
        holder.into_iter().for_each(|around| self.add(value, definition, around));
        let count = self.returns.get(&block).map_or(0, Vec::len);
        for index in 0..count {
            let from = self.returns[&block][index];
            let carried = self.live.carried.entry(from).or_default();
            if carried.last() != Some(&value) {
                carried.push(value);
            }
            self.add(value, definition, from);
        }
    }

    /// The value is used in a block or after it.
    fn add(&mut self, value: ValueId, definition: BlockId, block: BlockId) {
        let live_in = &mut self.live.live_in[block.index()];
        if block != definition && live_in.last() != Some(&value) {
            live_in.push(value);
            self.pending.push(block);
        }
    }
}
