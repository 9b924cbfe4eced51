//! Random graphs, and the one question that every slow definition is made of.

use fermata_ir::analysis::graph::{EdgeGraph, Graph, Node};

/// SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A graph of up to `most` nodes with any edges: irreducible loops, edges from a node to itself, edges that repeat,
/// nodes that nothing reaches. Node 0 is a root, sometimes others are too.
pub(crate) fn graph(random: &mut Random, most: usize) -> EdgeGraph {
    let nodes = 1 + random.below(most);
    let mut edges = Vec::new();
    let density = 1 + random.below(5);
    for from in 0..nodes {
        for _ in 0..random.below(density + 1) {
            // Most edges are short, so that there are long paths and loops of all sizes.
            let to = if random.chance(60) { (from + 1 + random.below(3)) % nodes } else { random.below(nodes) };
            edges.push((Node::new(from), Node::new(to)));
        }
    }
    let mut roots = vec![Node::new(0)];
    if random.chance(20) {
        let other = random.below(nodes);
        if other != 0 {
            roots.push(Node::new(other));
        }
    }
    EdgeGraph::new(nodes, roots, &edges)
}

/// Which nodes `from` reaches without going through a node for which `blocked` holds.
pub(crate) fn reachable<G: Graph>(graph: &G, from: &[Node], blocked: impl Fn(Node) -> bool) -> Vec<bool> {
    let mut seen = vec![false; graph.node_count()];
    let mut pending: Vec<Node> = from.to_vec();
    while let Some(node) = pending.pop() {
        if !blocked(node) && !std::mem::replace(&mut seen[node.index()], true) {
            pending.extend(graph.successors(node));
        }
    }
    seen
}
