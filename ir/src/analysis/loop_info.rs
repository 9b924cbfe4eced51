//! Loops in the regions of a body.

use rustc_hash::FxHashMap;

use super::graph::{Graph, LoopForest, LoopId};
use super::{Analyses, Analysis, ControlFlowGraph};
use crate::body::{BlockId, Body, RegionId};

/// The loops of a region: [`LoopForest`] in terms of blocks.
pub struct RegionLoops {
    graph: ControlFlowGraph,
    forest: LoopForest,
}

impl RegionLoops {
    /// Finds the loops of a graph.
    pub fn new(graph: ControlFlowGraph) -> Self {
        let forest = LoopForest::new(&graph);
        Self { graph, forest }
    }

    /// The graph.
    pub fn graph(&self) -> &ControlFlowGraph {
        &self.graph
    }

    /// How the loops nest.
    pub fn forest(&self) -> &LoopForest {
        &self.forest
    }

    /// The innermost loop that holds a block.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.forest.innermost(self.graph.node(block)?)
    }

    /// How many loops hold a block.
    pub fn depth(&self, block: BlockId) -> usize {
        self.innermost(block).map_or(0, |inner| self.forest.depth(inner))
    }

    /// The block that comes first in a loop.
    pub fn header(&self, id: LoopId) -> BlockId {
        self.graph.block(self.forest.header(id))
    }

    /// Where a loop is entered, its header first. A natural loop has one entry.
    pub fn entries(&self, id: LoopId) -> impl ExactSizeIterator<Item = BlockId> + '_ {
        self.forest.entries(id).iter().map(|&node| self.graph.block(node))
    }

    /// The blocks of a loop with those of the loops in it, its header first.
    pub fn blocks(&self, id: LoopId) -> impl ExactSizeIterator<Item = BlockId> + '_ {
        self.forest.nodes(id).iter().map(|&node| self.graph.block(node))
    }

    /// Whether a loop holds a block.
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        self.graph.node(block).is_some_and(|node| self.forest.contains(id, node))
    }

    /// The edges that leave a loop, from the block inside to the block outside, in the order of
    /// [`blocks`](Self::blocks).
    pub fn exits(&self, id: LoopId) -> impl Iterator<Item = (BlockId, BlockId)> + '_ {
        let outside = move |&(_, to): &(_, _)| !self.forest.contains(id, to);
        let edges = self.forest.nodes(id).iter().flat_map(|&from| {
            let successors = self.graph.successors(from).iter();
            successors.map(move |&to| (from, to))
        });
        edges.filter(outside).map(|(from, to)| (self.graph.block(from), self.graph.block(to)))
    }

    /// The edges inside a loop that lead to its header, from the block that they leave.
    pub fn latches(&self, id: LoopId) -> impl Iterator<Item = BlockId> + '_ {
        let predecessors = self.graph.predecessors(self.forest.header(id)).iter();
        let inside = predecessors.filter(move |&&from| self.forest.contains(id, from));
        inside.map(|&node| self.graph.block(node))
    }
}

/// The loops of each region of a body that has more than one block, or one that leads to itself.
pub struct LoopInfo {
    regions: FxHashMap<RegionId, RegionLoops>,
}

impl Analysis for LoopInfo {
    const NAME: &'static str = "loops";

    fn compute(analyses: &Analyses<'_>) -> Self {
        Self::new(analyses.body())
    }
}

impl LoopInfo {
    /// Finds the loops of all regions of a body, in time linear in its regions, blocks and edges if they are natural.
    pub fn new(body: &Body) -> Self {
        let has_edge =
            |region: &RegionId| body.blocks(*region).any(|block| body.block_successors(block).next().is_some());
        let regions = body.all_regions().into_iter().filter(has_edge);
        Self {
            regions: regions.map(|region| (region, RegionLoops::new(ControlFlowGraph::new(body, region)))).collect(),
        }
    }

    /// The loops of a region, if any of its blocks leads to another.
    pub fn region(&self, region: RegionId) -> Option<&RegionLoops> {
        self.regions.get(&region)
    }
}
