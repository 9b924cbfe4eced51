//! Which blocks need an argument.

use crate::analysis::RegionTree;
use crate::analysis::graph::{Graph, Node};
use crate::body::BlockId;

/// Finds the blocks of a region where definitions of a variable meet. One finder serves many variables: what it
/// remembers about blocks is marked with the number of the variable, so nothing has to be cleared.
pub struct JoinFinder<'t> {
    tree: &'t RegionTree,
    variable: u32,
    /// By node: the last variable that is live at its start.
    live: Vec<u32>,
    /// The last variable defined in it.
    defined: Vec<u32>,
    /// The last variable for which its dominated blocks were searched.
    searched: Vec<u32>,
    /// The last variable for which it needs an argument.
    joined: Vec<u32>,
}

impl<'t> JoinFinder<'t> {
    /// For the region of a dominator tree.
    pub fn new(tree: &'t RegionTree) -> Self {
        let table = || vec![0; tree.graph().node_count()];
        Self { tree, variable: 0, live: table(), defined: table(), searched: table(), joined: table() }
    }

    /// The blocks that need an argument for a variable that is defined in some blocks and, in the blocks `exposed`,
    /// needed before the block defines it; each before what it dominates.
    pub fn find(&mut self, definitions: &[BlockId], exposed: &[BlockId]) -> Vec<BlockId> {
        self.variable += 1;
        let nodes = |blocks: &[BlockId]| -> Vec<Node> {
            blocks.iter().filter_map(|&block| self.tree.graph().node(block)).collect()
        };
        let (definitions, exposed) = (nodes(definitions), nodes(exposed));
        for &node in &definitions {
            self.defined[node.index()] = self.variable;
        }
        self.mark_live(exposed);
        let mut joins = self.frontier(definitions);
        joins.sort_unstable_by_key(|&node| self.tree.tree().position(node));
        joins.into_iter().map(|node| self.tree.graph().block(node)).collect()
    }

    /// Marks the blocks at whose start the variable is needed.
    fn mark_live(&mut self, exposed: Vec<Node>) {
        let mut pending = exposed;
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut self.live[node.index()], self.variable) != self.variable {
                let predecessors = self.tree.graph().predecessors(node).iter().copied();
                pending.extend(predecessors.filter(|before| self.defined[before.index()] != self.variable));
            }
        }
    }

    /// The iterated dominance frontier of the definitions in the live part of the graph. Blocks that define the
    /// variable are taken deepest first; from each, the blocks that it dominates are searched for edges that leave
    /// upwards, as far as the variable is live: behind a block where it is not, another definition comes first.
    fn frontier(&mut self, definitions: Vec<Node>) -> Vec<Node> {
        let tree = self.tree.tree();
        // The position breaks ties, so the order depends on the graph alone.
        let key = |node: Node| Some((tree.depth(node), tree.position(node)?, node));
        let mut heap: std::collections::BinaryHeap<_> = definitions.into_iter().filter_map(key).collect();
        let mut found = Vec::new();
        let mut pending = Vec::new();
        while let Some((depth, _, top)) = heap.pop() {
            self.searched[top.index()] = self.variable;
            pending.push(top);
            while let Some(node) = pending.pop() {
                for &next in self.tree.graph().successors(node) {
                    let leaves = tree.immediate_dominator(next) != Some(node) && tree.depth(next) <= depth;
                    if leaves
                        && self.live[next.index()] == self.variable
                        && std::mem::replace(&mut self.joined[next.index()], self.variable) != self.variable
                    {
                        found.push(next);
                        if self.defined[next.index()] != self.variable {
                            heap.extend(key(next));
                        }
                    }
                }
                for child in tree.children(node) {
                    let index = child.index();
                    if self.live[index] == self.variable
                        && std::mem::replace(&mut self.searched[index], self.variable) != self.variable
                    {
                        pending.push(child);
                    }
                }
            }
        }
        found
    }
}
