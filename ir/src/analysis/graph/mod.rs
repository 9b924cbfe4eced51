//! Directed graphs as analyses see them.
//!
//! A [`Graph`] has nodes `0..n`, some of which are roots, where execution may begin. Algorithms are written against it
//! once and run on the [control-flow graph](crate::analysis::ControlFlowGraph) of a region, on a part of one (with the
//! edges of suspensions cut, say), or on one turned [around](Reversed).
//!
//! Why not a graph crate: nodes are dense already, so side tables are plain vectors; the crates at hand keep
//! dominators and components in hash maps, which takes several times as long.

mod components;
mod dominators;
mod frontier;
mod loops;
mod order;

use std::fmt;

pub use components::StronglyConnectedComponents;
pub use dominators::Dominators;
pub use frontier::{DominanceFrontiers, iterated_dominance_frontier};
pub use loops::{LoopForest, LoopId};
pub use order::{DepthFirstSearch, post_order, reverse_post_order};

/// A node of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);

impl Node {
    /// The node of an index.
    ///
    /// # Panics
    /// If the index does not fit in 32 bits.
    #[must_use]
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("a graph has fewer than 2^32 nodes"))
    }

    /// The index, for side tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "n{}", self.0)
    }
}

/// A directed graph with roots. Edges may repeat and may lead back to the node that they leave.
pub trait Graph {
    /// Number of nodes.
    fn node_count(&self) -> usize;

    /// Where execution may begin, each once.
    fn roots(&self) -> &[Node];

    /// The ends of the edges that leave `node`, in order.
    fn successors(&self, node: Node) -> &[Node];

    /// The starts of the edges that lead to `node`, in order.
    fn predecessors(&self, node: Node) -> &[Node];

    /// All nodes in order.
    fn nodes(&self) -> impl Iterator<Item = Node> + use<Self> {
        (0..self.node_count()).map(Node::new)
    }
}

/// A graph with all edges turned around, and roots of its own.
pub struct Reversed<'g, G> {
    graph: &'g G,
    roots: Vec<Node>,
}

impl<'g, G: Graph> Reversed<'g, G> {
    /// `graph` turned around, with these roots.
    pub fn new(graph: &'g G, roots: Vec<Node>) -> Self {
        Self { graph, roots }
    }

    /// `graph` turned around, with the places where execution ends as roots: nodes without successors, and every node
    /// of a strongly connected component that no edge leaves (an infinite loop). So each node reaches a root.
    pub fn from_exits(graph: &'g G) -> Self {
        let components = StronglyConnectedComponents::new(graph);
        let mut leaves = vec![false; components.count()];
        for node in graph.nodes() {
            let own = components.component(node);
            leaves[own] |= graph.successors(node).iter().any(|&next| components.component(next) != own);
        }
        let roots = graph.nodes().filter(|&node| !leaves[components.component(node)]).collect();
        Self { graph, roots }
    }
}

impl<G: Graph> Graph for Reversed<'_, G> {
    fn node_count(&self) -> usize {
        self.graph.node_count()
    }
    fn roots(&self) -> &[Node] {
        &self.roots
    }
    fn successors(&self, node: Node) -> &[Node] {
        self.graph.predecessors(node)
    }
    fn predecessors(&self, node: Node) -> &[Node] {
        self.graph.successors(node)
    }
}

/// Lists of nodes, one for each node, in two vectors.
#[derive(Clone, Default)]
pub(crate) struct Adjacency {
    offsets: Vec<u32>,
    targets: Vec<Node>,
}

impl Adjacency {
    /// The lists of the edges `(from, to)`, each in the order of the edges.
    pub(crate) fn new(nodes: usize, edges: &[(Node, Node)]) -> Self {
        let mut offsets = vec![0_u32; nodes + 1];
        for (from, _) in edges {
            offsets[from.index() + 1] += 1;
        }
        for index in 0..nodes {
            offsets[index + 1] += offsets[index];
        }
        let mut next = offsets.clone();
        let mut targets = vec![Node(0); edges.len()];
        for &(from, to) in edges {
            let slot = &mut next[from.index()];
            targets[*slot as usize] = to;
            *slot += 1;
        }
        Self { offsets, targets }
    }

    /// The list of a node.
    pub(crate) fn of(&self, node: Node) -> &[Node] {
        &self.targets[self.offsets[node.index()] as usize..self.offsets[node.index() + 1] as usize]
    }
}

/// A graph given by its edges.
#[derive(Clone, Default)]
pub struct EdgeGraph {
    nodes: usize,
    roots: Vec<Node>,
    successors: Adjacency,
    predecessors: Adjacency,
}

impl EdgeGraph {
    /// The graph of `nodes` nodes with these edges.
    ///
    /// # Panics
    /// If an edge or a root names a node that is not there.
    pub fn new(nodes: usize, roots: Vec<Node>, edges: &[(Node, Node)]) -> Self {
        assert!(roots.iter().all(|root| root.index() < nodes), "a root is a node of the graph");
        let turned: Vec<(Node, Node)> = edges.iter().map(|&(from, to)| (to, from)).collect();
        let (successors, predecessors) = (Adjacency::new(nodes, edges), Adjacency::new(nodes, &turned));
        Self { nodes, roots, successors, predecessors }
    }
}

impl Graph for EdgeGraph {
    fn node_count(&self) -> usize {
        self.nodes
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
