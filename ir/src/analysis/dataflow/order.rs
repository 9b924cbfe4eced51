//! Worklists of blocks in a useful order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::analysis::ControlFlowGraph;
use crate::analysis::graph::{Graph, Node, post_order};
use crate::body::{BlockId, Body, OpId, RegionId};

/// The blocks of a body and all its regions: each region in reverse post-order, what an operation holds right after
/// the block that it is in. Blocks that cannot be reached come last in their region.
pub(super) fn block_order(body: &Body) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(body.block_capacity());
    // Blocks and operations that are still to be listed, the next one on top.
    let mut pending: Vec<Item> = Vec::new();
    push_regions(body, body.root(), &mut pending);
    while let Some(item) = pending.pop() {
        match item {
            Item::Region(region) => {
                let start = pending.len();
                pending.extend(region_order(body, region).into_iter().map(Item::Block));
                pending[start..].reverse();
            }
            Item::Block(block) => {
                order.push(block);
                let start = pending.len();
                for op in body.ops(block).filter(|&op| !body.regions(op).is_empty()) {
                    push_regions(body, op, &mut pending);
                }
                pending[start..].reverse();
            }
        }
    }
    order
}

enum Item {
    Region(RegionId),
    Block(BlockId),
}

fn push_regions(body: &Body, op: OpId, pending: &mut Vec<Item>) {
    pending.extend(body.regions(op).iter().map(|&region| Item::Region(region)));
}

fn region_order(body: &Body, region: RegionId) -> Vec<BlockId> {
    if body.entry_block(region) == body.last_block(region) {
        return body.entry_block(region).into_iter().collect();
    }
    let graph = ControlFlowGraph::new(body, region);
    let mut order = post_order(&graph);
    order.reverse();
    let mut listed = vec![false; graph.node_count()];
    order.iter().for_each(|node| listed[node.index()] = true);
    order.extend(graph.nodes().filter(|node: &Node| !listed[node.index()]));
    order.into_iter().map(|node| graph.block(node)).collect()
}

/// Blocks to look at: the first in an order comes out first.
pub(super) struct BlockQueue {
    order: Vec<BlockId>,
    /// Position in `order`, by block.
    position: Vec<u32>,
    queued: Vec<bool>,
    heap: BinaryHeap<Reverse<u32>>,
}

impl BlockQueue {
    /// An empty queue for blocks in this order.
    pub(super) fn new(body: &Body, order: Vec<BlockId>) -> Self {
        let mut position = vec![u32::MAX; body.block_capacity()];
        for (index, block) in order.iter().enumerate() {
            position[block.index()] = index as u32;
        }
        let queued = vec![false; order.len()];
        Self { order, position, queued, heap: BinaryHeap::new() }
    }

    /// Adds a block, unless it is there. A block that is not in the order is left out.
    pub(super) fn push(&mut self, block: BlockId) {
        let position = self.position[block.index()];
        if let Some(queued) = self.queued.get_mut(position as usize)
            && !std::mem::replace(queued, true)
        {
            self.heap.push(Reverse(position));
        }
    }

    /// Takes the first block.
    pub(super) fn pop(&mut self) -> Option<BlockId> {
        let Reverse(position) = self.heap.pop()?;
        self.queued[position as usize] = false;
        Some(self.order[position as usize])
    }
}
