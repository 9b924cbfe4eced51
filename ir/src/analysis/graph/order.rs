//! Orders in which to visit a graph. All take linear time and no recursion.

use super::{Graph, Node};

const NONE: u32 = u32::MAX;

/// A depth-first search from the roots, in the order of the roots and of the edges.
pub struct DepthFirstSearch {
    preorder: Vec<Node>,
    post_order: Vec<Node>,
    /// For each node, its position in the preorder.
    number: Vec<u32>,
    /// For each position, that of the node from which it was reached.
    parent: Vec<u32>,
    /// For each position, one past the last position in its subtree.
    end: Vec<u32>,
}

impl DepthFirstSearch {
    /// Searches `graph`.
    pub fn new<G: Graph>(graph: &G) -> Self {
        let nodes = graph.node_count();
        let mut search = Self {
            preorder: Vec::with_capacity(nodes),
            post_order: Vec::with_capacity(nodes),
            number: vec![NONE; nodes],
            parent: Vec::with_capacity(nodes),
            end: Vec::with_capacity(nodes),
        };
        let mut path: Vec<(Node, usize)> = Vec::new();
        for &root in graph.roots() {
            search.discover(root, &mut path);
            while let Some((node, edge)) = path.last_mut() {
                let next = graph.successors(*node).get(*edge).copied();
                *edge += 1;
                match next {
                    Some(next) => search.discover(next, &mut path),
                    None => search.finish(&mut path),
                }
            }
        }
        search
    }

    fn discover(&mut self, node: Node, path: &mut Vec<(Node, usize)>) {
        if self.number[node.index()] == NONE {
            self.number[node.index()] = self.preorder.len() as u32;
            self.preorder.push(node);
            self.parent.push(path.last().map_or(NONE, |(parent, _)| self.number[parent.index()]));
            self.end.push(NONE);
            path.push((node, 0));
        }
    }

    fn finish(&mut self, path: &mut Vec<(Node, usize)>) {
        if let Some((node, _)) = path.pop() {
            self.post_order.push(node);
            self.end[self.number[node.index()] as usize] = self.preorder.len() as u32;
        }
    }

    /// The nodes that the roots reach, each before what is first reached through it.
    pub fn preorder(&self) -> &[Node] {
        &self.preorder
    }

    /// The nodes that the roots reach, each after what is first reached through it.
    pub fn post_order(&self) -> &[Node] {
        &self.post_order
    }

    /// Position of a node in the preorder, if a root reaches it.
    pub fn number(&self, node: Node) -> Option<usize> {
        let number = self.number[node.index()];
        (number != NONE).then_some(number as usize)
    }

    /// Position of the node from which the node at a position was reached; nothing for one that is a tree's root.
    pub fn parent_number(&self, number: usize) -> Option<usize> {
        let parent = self.parent[number];
        (parent != NONE).then_some(parent as usize)
    }

    /// Whether `below` was reached through `above`, or is the same node.
    pub fn is_ancestor(&self, above: Node, below: Node) -> bool {
        match (self.number(above), self.number(below)) {
            (Some(above), Some(below)) => above <= below && below < self.end[above] as usize,
            _ => false,
        }
    }
}

/// The nodes that the roots reach, each after what is first reached through it.
pub fn post_order<G: Graph>(graph: &G) -> Vec<Node> {
    DepthFirstSearch::new(graph).post_order
}

/// The nodes that the roots reach, each before its successors but for the edges that close a cycle.
pub fn reverse_post_order<G: Graph>(graph: &G) -> Vec<Node> {
    let mut order = post_order(graph);
    order.reverse();
    order
}
