//! Dominance and post-dominance in the regions of a body.

use rustc_hash::FxHashMap;

use super::graph::{Dominators, Node, Reversed};
use super::{Analyses, Analysis, ControlFlowGraph};
use crate::body::{BlockId, Body, OpId, RegionId, ValueDefinition, ValueId};
use crate::context::Context;
use crate::operation::OperationTraits;

/// A region's graph with a tree of its nodes.
pub struct RegionTree {
    graph: ControlFlowGraph,
    tree: Dominators,
}

impl RegionTree {
    /// The graph and its dominator tree.
    pub fn dominators(graph: ControlFlowGraph) -> Self {
        let tree = Dominators::new(&graph);
        Self { graph, tree }
    }

    /// The graph and its post-dominator tree; see [`Reversed::from_exits`] for loops that never end.
    pub fn post_dominators(graph: ControlFlowGraph) -> Self {
        let tree = Dominators::new(&Reversed::from_exits(&graph));
        Self { graph, tree }
    }

    /// The graph.
    pub fn graph(&self) -> &ControlFlowGraph {
        &self.graph
    }

    /// The tree.
    pub fn tree(&self) -> &Dominators {
        &self.tree
    }

    /// Whether `a` is above `b` in the tree, or the same.
    pub fn is_above(&self, a: BlockId, b: BlockId) -> bool {
        a == b || self.tree.dominates(self.node(a), self.node(b))
    }

    /// Whether the tree's roots reach a block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.tree.is_reachable(self.node(block))
    }

    /// The block right above one in the tree.
    pub fn parent(&self, block: BlockId) -> Option<BlockId> {
        self.tree.immediate_dominator(self.node(block)).map(|node| self.graph.block(node))
    }

    /// The nearest block above both, or one of them.
    pub fn nearest_common(&self, a: BlockId, b: BlockId) -> Option<BlockId> {
        if a == b {
            return Some(a);
        }
        self.tree.nearest_common_dominator(self.node(a), self.node(b)).map(|node| self.graph.block(node))
    }

    /// The blocks right below one in the tree.
    pub fn children(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.tree.children(self.node(block)).map(|node| self.graph.block(node))
    }

    /// The blocks of the tree, each before what is below it.
    pub fn preorder(&self) -> impl DoubleEndedIterator<Item = BlockId> + '_ {
        self.tree.preorder().iter().map(|&node| self.graph.block(node))
    }

    fn node(&self, block: BlockId) -> Node {
        self.graph.node(block).expect("a block is looked up in the region that it was in when the graph was made")
    }
}

/// Trees of all regions of a body that have more than one block; in the others there is nothing to know.
#[derive(Default)]
struct RegionTrees {
    trees: FxHashMap<RegionId, RegionTree>,
}

impl RegionTrees {
    fn new(body: &Body, make: fn(ControlFlowGraph) -> RegionTree) -> Self {
        let several = |region: &RegionId| body.entry_block(*region) != body.last_block(*region);
        let trees = body.all_regions().into_iter().filter(several);
        Self { trees: trees.map(|region| (region, make(ControlFlowGraph::new(body, region)))).collect() }
    }

    fn is_above(&self, body: &Body, a: BlockId, b: BlockId) -> bool {
        let Some(region) = body.block_parent(a) else { return false };
        let Some(b) = ancestor_in_region(body, b, region) else { return false };
        a == b || self.trees.get(&region).is_some_and(|tree| tree.is_above(a, b))
    }
}

/// The block of `region` that holds `block`, directly or in nested regions.
pub fn ancestor_in_region(body: &Body, block: BlockId, region: RegionId) -> Option<BlockId> {
    let mut current = block;
    while body.block_parent(current)? != region {
        current = body.parent_block(body.block_parent_op(current)?)?;
    }
    Some(current)
}

/// The operation in `block` that is `op` or holds it in nested regions.
pub fn ancestor_in_block(body: &Body, op: OpId, block: BlockId) -> Option<OpId> {
    let mut current = op;
    while body.parent_block(current)? != block {
        current = body.parent_op(current)?;
    }
    Some(current)
}

/// Which blocks, operations and values of a body dominate which, through nested regions.
///
/// It holds the trees of the blocks and nothing about operations, so it stays valid while operations are added, moved
/// and erased, as long as blocks and the edges between them stay.
pub struct DominanceInfo {
    trees: RegionTrees,
    /// Regions in which a value may be used before it is defined, by index.
    unordered: Vec<bool>,
}

impl Analysis for DominanceInfo {
    const NAME: &'static str = "dominance";

    fn compute(analyses: &Analyses<'_>) -> Self {
        Self::new(analyses.context(), analyses.body())
    }
}

impl DominanceInfo {
    /// Computes it, in time near-linear in blocks and edges, and linear in operations.
    pub fn new(context: &Context, body: &Body) -> Self {
        let mut unordered = vec![false; body.region_capacity()];
        for region in body.all_regions() {
            let traits = body.operation_name(body.region_parent(region)).traits(context);
            unordered[region.index()] = traits.contains(OperationTraits::GRAPH_REGION);
        }
        Self { trees: RegionTrees::new(body, RegionTree::dominators), unordered }
    }

    /// The graph and the dominator tree of a region, if it has more than one block.
    pub fn region(&self, region: RegionId) -> Option<&RegionTree> {
        self.trees.trees.get(&region)
    }

    /// Whether every way to `b`, or to the operation that holds it if it is nested deeper, goes through `a`.
    pub fn block_dominates(&self, body: &Body, a: BlockId, b: BlockId) -> bool {
        self.trees.is_above(body, a, b)
    }

    /// Whether the entry of its region leads to a block.
    pub fn is_reachable(&self, body: &Body, block: BlockId) -> bool {
        let tree = body.block_parent(block).and_then(|region| self.region(region));
        tree.is_none_or(|tree| tree.is_reachable(block))
    }

    /// Whether `a` is executed before `b` whenever `b` is, and does not hold it. In a region that has no order, as a
    /// module's, every operation is before the others.
    pub fn properly_dominates(&self, body: &Body, a: OpId, b: OpId) -> bool {
        let Some(block) = body.parent_block(a) else { return false };
        let Some(region) = body.block_parent(block) else { return false };
        let unordered = self.unordered.get(region.index()).copied().unwrap_or(false);
        match ancestor_in_block(body, b, block) {
            Some(ancestor) if ancestor == a => unordered,
            Some(ancestor) => unordered || body.is_before_in_block(a, ancestor),
            None => body.parent_block(b).is_some_and(|b| self.block_dominates(body, block, b)),
        }
    }

    /// Whether `value` may be used by `user`, or in its regions.
    pub fn value_dominates(&self, body: &Body, value: ValueId, user: OpId) -> bool {
        match body.definition(value) {
            ValueDefinition::Result { op, .. } => self.properly_dominates(body, op, user),
            ValueDefinition::Argument { block, .. } => {
                body.parent_block(user).is_some_and(|user| self.block_dominates(body, block, user))
            }
        }
    }
}

/// Which blocks of a body post-dominate which: *a* post-dominates *b* if every way from *b* to where its region is left,
/// or to a loop that is never left, goes through *a*.
pub struct PostDominanceInfo {
    trees: RegionTrees,
}

impl Analysis for PostDominanceInfo {
    const NAME: &'static str = "post-dominance";

    fn compute(analyses: &Analyses<'_>) -> Self {
        Self::new(analyses.body())
    }
}

impl PostDominanceInfo {
    /// Computes it, in time near-linear in blocks and edges, and linear in operations.
    pub fn new(body: &Body) -> Self {
        Self { trees: RegionTrees::new(body, RegionTree::post_dominators) }
    }

    /// The graph and the post-dominator tree of a region, if it has more than one block.
    pub fn region(&self, region: RegionId) -> Option<&RegionTree> {
        self.trees.trees.get(&region)
    }

    /// Whether every way on from `b`, or from the operation that holds it if it is nested deeper, goes through `a`.
    pub fn block_post_dominates(&self, body: &Body, a: BlockId, b: BlockId) -> bool {
        self.trees.is_above(body, a, b)
    }
}
