//! The dominator tree.

use super::{DepthFirstSearch, Graph, Node};

const NONE: u32 = u32::MAX;

/// The dominator tree of a graph. A node *a* dominates a node *b* if every path from a root to *b* goes through *a*.
///
/// With several roots the tree is that of a graph with one more node above them, so two roots share no dominator. A
/// node that no root reaches is dominated by every node, and dominates no node that a root reaches, as in LLVM.
///
/// Built in near-linear time by the semi-NCA algorithm (L. Georgiadis, "Linear-Time Algorithms for Dominators and
/// Related Problems", 2005). Questions of dominance compare positions in a preorder of the tree: constant time.
pub struct Dominators {
    /// For each node, its position in `preorder`; `NONE` if no root reaches it.
    enter: Vec<u32>,
    /// For each node, one past the last position of its subtree.
    leave: Vec<u32>,
    /// For each node, its immediate dominator's index; `NONE` for a root and for what no root reaches.
    parent: Vec<u32>,
    /// For each node, its distance from a root of the tree.
    depth: Vec<u32>,
    /// The reachable nodes, each before what it dominates.
    preorder: Vec<Node>,
}

impl Dominators {
    /// Computes the tree of `graph`.
    pub fn new<G: Graph>(graph: &G) -> Self {
        let search = Search::new(graph);
        let immediate = search.immediate_dominators(graph);
        search.tree(graph.node_count(), &immediate)
    }

    /// Whether a root reaches `node`.
    pub fn is_reachable(&self, node: Node) -> bool {
        self.enter[node.index()] != NONE
    }

    /// Whether `a` dominates `b`; every node dominates itself.
    pub fn dominates(&self, a: Node, b: Node) -> bool {
        let (position, end) = (self.enter[b.index()], self.leave[a.index()]);
        position == NONE || self.enter[a.index()] <= position && position < end
    }

    /// Whether `a` dominates `b` and is another node.
    pub fn properly_dominates(&self, a: Node, b: Node) -> bool {
        a != b && self.dominates(a, b)
    }

    /// The nearest node that dominates `node` and is not `node`; nothing for a root and for what no root reaches.
    pub fn immediate_dominator(&self, node: Node) -> Option<Node> {
        let parent = self.parent[node.index()];
        (parent != NONE).then_some(Node(parent))
    }

    /// The dominators of `node` from itself up.
    pub fn dominators(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        std::iter::successors(Some(node), |&node| self.immediate_dominator(node))
    }

    /// The nearest node that dominates both, if they are reachable from one root.
    pub fn nearest_common_dominator(&self, a: Node, b: Node) -> Option<Node> {
        if !self.is_reachable(a) || !self.is_reachable(b) {
            return None;
        }
        self.dominators(a).find(|&above| self.dominates(above, b))
    }

    /// Distance from the tree's root; 0 for what no root reaches.
    pub fn depth(&self, node: Node) -> usize {
        self.depth[node.index()] as usize
    }

    /// The reachable nodes, each before what it dominates, in an order that depends on the graph alone.
    pub fn preorder(&self) -> &[Node] {
        &self.preorder
    }

    /// The place of a node in [`preorder`](Self::preorder); nothing if no root reaches it.
    pub fn position(&self, node: Node) -> Option<usize> {
        let position = self.enter[node.index()];
        (position != NONE).then_some(position as usize)
    }

    /// The nodes that `node` dominates, itself first, each before what it dominates; nothing if no root reaches it.
    pub fn dominated(&self, node: Node) -> &[Node] {
        match self.enter[node.index()] {
            NONE => &[],
            start => &self.preorder[start as usize..self.leave[node.index()] as usize],
        }
    }

    /// The nodes whose immediate dominator is `node`.
    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let inside = self.dominated(node).get(1..).unwrap_or(&[]);
        let start = self.enter[node.index()].wrapping_add(1);
        let at = move |position: u32| inside.get(position.wrapping_sub(start) as usize).copied();
        std::iter::successors(at(start), move |child| at(self.leave[child.index()]))
    }
}

/// A depth-first search, as the computation numbers it: a node's number is one more than its place in the preorder,
/// and number 0 is the node above the roots.
struct Search {
    /// Node of each number; of number 0, nothing of use.
    nodes: Vec<Node>,
    /// Number of each node, 0 if it is not reached.
    numbers: Vec<u32>,
    /// Number of the node from which each number was reached.
    parents: Vec<u32>,
}

impl Search {
    fn new<G: Graph>(graph: &G) -> Self {
        let search = DepthFirstSearch::new(graph);
        let reached = search.preorder().len();
        let above = (0..reached).map(|number| search.parent_number(number).map_or(0, |parent| parent as u32 + 1));
        Self {
            nodes: std::iter::once(Node(0)).chain(search.preorder().iter().copied()).collect(),
            numbers: graph.nodes().map(|node| search.number(node).map_or(0, |number| number as u32 + 1)).collect(),
            parents: std::iter::once(0).chain(above).collect(),
        }
    }

    /// The immediate dominator of each number, as a number.
    fn immediate_dominators<G: Graph>(&self, graph: &G) -> Vec<u32> {
        let count = self.nodes.len();
        let mut is_root = vec![false; count];
        for root in graph.roots() {
            is_root[self.numbers[root.index()] as usize] = true;
        }
        let mut semi: Vec<u32> = (0..count as u32).collect();
        let mut forest = LinkForest { ancestor: self.parents.clone(), label: semi.clone(), path: Vec::new() };
        for number in (1..count).rev() {
            let mut best = if is_root[number] { 0 } else { self.parents[number] };
            for predecessor in graph.predecessors(self.nodes[number]) {
                let predecessor = self.numbers[predecessor.index()];
                if predecessor != 0 {
                    best = best.min(semi[forest.evaluate(predecessor, number as u32, &semi) as usize]);
                }
            }
            semi[number] = best;
        }
        let mut immediate = self.parents.clone();
        for number in 1..count {
            let mut candidate = immediate[number];
            while candidate > semi[number] {
                candidate = immediate[candidate as usize];
            }
            immediate[number] = candidate;
        }
        immediate
    }

    /// Lays out the tree. A dominator has a smaller number than what it dominates, so two passes over the numbers do.
    fn tree(self, node_count: usize, immediate: &[u32]) -> Dominators {
        let count = self.nodes.len();
        let mut size = vec![1_u32; count];
        for number in (1..count).rev() {
            size[immediate[number] as usize] += size[number];
        }
        let mut tree = Dominators {
            enter: vec![NONE; node_count],
            leave: vec![0; node_count],
            parent: vec![NONE; node_count],
            depth: vec![0; node_count],
            preorder: vec![Node(0); count - 1],
        };
        // Where the next child of each number goes.
        let mut next = vec![0_u32; count];
        for number in 1..count {
            let (node, above) = (self.nodes[number], immediate[number] as usize);
            let start = next[above];
            next[above] += size[number];
            next[number] = start + 1;
            tree.enter[node.index()] = start;
            tree.leave[node.index()] = start + size[number];
            tree.preorder[start as usize] = node;
            if above != 0 {
                tree.parent[node.index()] = self.nodes[above].0;
                tree.depth[node.index()] = tree.depth[self.nodes[above].index()] + 1;
            }
        }
        tree
    }
}

/// The forest of the numbers that were looked at, with compressed paths.
struct LinkForest {
    ancestor: Vec<u32>,
    label: Vec<u32>,
    path: Vec<u32>,
}

impl LinkForest {
    /// The number of least semidominator on the path from `number` up to, and without, the root of its tree. Numbers
    /// above `last` are linked to their ancestors, all others are roots.
    fn evaluate(&mut self, number: u32, last: u32, semi: &[u32]) -> u32 {
        let mut top = number;
        while self.ancestor[top as usize] > last {
            self.path.push(top);
            top = self.ancestor[top as usize];
        }
        while let Some(below) = self.path.pop() {
            self.ancestor[below as usize] = self.ancestor[top as usize];
            if semi[self.label[top as usize] as usize] < semi[self.label[below as usize] as usize] {
                self.label[below as usize] = self.label[top as usize];
            }
            top = below;
        }
        self.label[number as usize]
    }
}
