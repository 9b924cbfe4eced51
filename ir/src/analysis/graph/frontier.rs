//! Dominance frontiers.

use super::{Dominators, Graph, Node};

/// For each node, where its dominance ends: the nodes that it does not properly dominate though it dominates a
/// predecessor of theirs.
///
/// Turned around, with post-dominators, the frontier of a node is what it is control dependent on. The sizes of all
/// frontiers together may grow with the square of the graph (in a ladder of nested branches to one end); where only
/// the places of block arguments are wanted, [`iterated_dominance_frontier`] takes near-linear time.
pub struct DominanceFrontiers {
    frontiers: super::Adjacency,
}

impl DominanceFrontiers {
    /// Computes all frontiers, in time linear in their sizes (R. Cytron et al., "Efficiently Computing Static Single
    /// Assignment Form and the Control Dependence Graph", 1991; in the form of K. Cooper, T. Harvey, K. Kennedy).
    pub fn new<G: Graph>(graph: &G, dominators: &Dominators) -> Self {
        let mut edges = Vec::new();
        let mut last: Vec<Option<Node>> = vec![None; graph.node_count()];
        for join in graph.nodes().filter(|&node| dominators.is_reachable(node)) {
            let stop = dominators.immediate_dominator(join);
            for &predecessor in graph.predecessors(join).iter().filter(|&&node| dominators.is_reachable(node)) {
                let path = dominators.dominators(predecessor).take_while(|&node| Some(node) != stop);
                for node in path.take_while(|node| last[node.index()] != Some(join)).collect::<Vec<_>>() {
                    last[node.index()] = Some(join);
                    edges.push((node, join));
                }
            }
        }
        Self { frontiers: super::Adjacency::new(graph.node_count(), &edges) }
    }

    /// The frontier of a node, in the order of the nodes.
    pub fn of(&self, node: Node) -> &[Node] {
        self.frontiers.of(node)
    }
}

/// The nodes where definitions of one variable in `definitions` meet: their frontier, the frontier of that, and so
/// on; in the order of [`Dominators::preorder`]. `wanted` leaves out nodes where the variable is not live, and what
/// only follows from them.
///
/// Takes time linear in the part of the graph that the definitions dominate (V. Sreedhar, G. Gao, "A Linear Time
/// Algorithm for Placing Phi-Nodes", 1995).
pub fn iterated_dominance_frontier<G: Graph>(
    graph: &G,
    dominators: &Dominators,
    definitions: &[Node],
    wanted: impl Fn(Node) -> bool,
) -> Vec<Node> {
    // Nodes that define the variable, in a bucket for each depth. The deepest is taken first, so a subtree is searched
    // for edges that leave it upwards before the subtree around it is.
    let mut buckets: Vec<Vec<Node>> = Vec::new();
    let mut defines = vec![false; graph.node_count()];
    let mut add = |node: Node, buckets: &mut Vec<Vec<Node>>| {
        if dominators.is_reachable(node) && !std::mem::replace(&mut defines[node.index()], true) {
            let depth = dominators.depth(node);
            buckets.resize_with(buckets.len().max(depth + 1), Vec::new);
            buckets[depth].push(node);
        }
    };
    for &node in definitions {
        add(node, &mut buckets);
    }
    let mut found = Vec::new();
    let mut in_frontier = vec![false; graph.node_count()];
    let mut searched = vec![false; graph.node_count()];
    let mut pending = Vec::new();
    while let Some(bucket) = buckets.last_mut() {
        let Some(top) = bucket.pop() else {
            buckets.pop();
            continue;
        };
        let depth = dominators.depth(top);
        searched[top.index()] = true;
        pending.push(top);
        while let Some(node) = pending.pop() {
            for &next in graph.successors(node) {
                let leaves = dominators.immediate_dominator(next) != Some(node) && dominators.depth(next) <= depth;
                if leaves && wanted(next) && !std::mem::replace(&mut in_frontier[next.index()], true) {
                    found.push(next);
                    add(next, &mut buckets);
                }
            }
            for child in dominators.children(node) {
                if !std::mem::replace(&mut searched[child.index()], true) {
                    pending.push(child);
                }
            }
        }
    }
    found.sort_by_key(|&node| dominators.position(node));
    found
}
