//! The control-flow graph of a region.

use rustc_hash::FxHashMap;

use super::graph::{Adjacency, Graph, Node};
use crate::body::{BlockId, Body, OpId, RegionId};

/// The blocks of a region and the edges between them, as a [`Graph`]: nodes are the blocks in their order, edges the
/// successors of the last operation of each block. An edge that leads out of the region, which the verifier reports, is
/// left out.
///
/// It is a picture of the moment; a body that changes does not change it.
pub struct ControlFlowGraph {
    blocks: Vec<BlockId>,
    numbers: BlockNumbers,
    roots: Vec<Node>,
    successors: Adjacency,
    predecessors: Adjacency,
}

impl ControlFlowGraph {
    /// The graph of a region; its root is the entry block.
    pub fn new(body: &Body, region: RegionId) -> Self {
        let roots: Vec<BlockId> = body.entry_block(region).into_iter().collect();
        Self::of_part(body, region, &roots, |_, _| true)
    }

    /// The graph of those edges of a region for which `keep` holds, given a terminator and the index of its
    /// successor, with roots of one's own. With the edges of suspensions left out and entry and resume blocks as
    /// roots, this is what runs without suspending.
    pub fn of_part(
        body: &Body,
        region: RegionId,
        roots: &[BlockId],
        mut keep: impl FnMut(OpId, usize) -> bool,
    ) -> Self {
        let blocks: Vec<BlockId> = body.blocks(region).collect();
        let numbers = BlockNumbers::new(&blocks);
        let mut edges = Vec::with_capacity(blocks.len());
        for (index, &block) in blocks.iter().enumerate() {
            let Some(last) = body.last_op(block) else { continue };
            for (successor, target) in body.successors(last).enumerate() {
                if let Some(target) = numbers.get(target)
                    && keep(last, successor)
                {
                    edges.push((Node::new(index), target));
                }
            }
        }
        let successors = Adjacency::new(blocks.len(), &edges);
        edges.iter_mut().for_each(|edge| *edge = (edge.1, edge.0));
        let predecessors = Adjacency::new(blocks.len(), &edges);
        let roots = roots.iter().filter_map(|&root| numbers.get(root)).collect();
        Self { blocks, numbers, roots, successors, predecessors }
    }

    /// The block that a node stands for.
    pub fn block(&self, node: Node) -> BlockId {
        self.blocks[node.index()]
    }

    /// The blocks in order.
    pub fn blocks(&self) -> &[BlockId] {
        &self.blocks
    }

    /// The node that stands for a block; nothing for a block of another region.
    pub fn node(&self, block: BlockId) -> Option<Node> {
        self.numbers.get(block)
    }
}

impl Graph for ControlFlowGraph {
    fn node_count(&self) -> usize {
        self.blocks.len()
    }
    fn roots(&self) -> &[Node] {
        &self.roots
    }
    fn successors(&self, node: Node) -> &[Node] {
        self.successors.of(node)
    }
    fn predecessors(&self, node: Node) -> &[Node] {
        self.predecessors.of(node)
    }
}

/// The nodes of blocks, in a plain table where ids lie close together, as they do in a body that was just parsed.
enum BlockNumbers {
    Table { first: usize, nodes: Vec<Option<Node>> },
    Map(FxHashMap<BlockId, Node>),
}

/// A table may have so many times more entries than there are blocks.
const TABLE_SLACK: usize = 4;

impl BlockNumbers {
    fn new(blocks: &[BlockId]) -> Self {
        let ids = blocks.iter().map(|block| block.index());
        let (first, last) = (ids.clone().min().unwrap_or(0), ids.max().unwrap_or(0));
        let nodes = blocks.iter().enumerate().map(|(index, &block)| (block, Node::new(index)));
        if (last - first) / TABLE_SLACK > blocks.len() {
            return Self::Map(nodes.collect());
        }
        let mut table = vec![None; last - first + 1];
        nodes.for_each(|(block, node)| table[block.index() - first] = Some(node));
        Self::Table { first, nodes: table }
    }

    fn get(&self, block: BlockId) -> Option<Node> {
        match self {
            Self::Table { first, nodes } => *nodes.get(block.index().checked_sub(*first)?)?,
            Self::Map(map) => map.get(&block).copied(),
        }
    }
}
