//! Strongly connected components.

use super::{Graph, Node};

/// The strongly connected components of all nodes of a graph, reachable or not: two nodes are in one component if
/// each reaches the other.
///
/// Components are numbered so that an edge between two of them leads to the smaller number: callees before callers,
/// exits before entries. Linear time, after R. Tarjan, "Depth-first search and linear graph algorithms", 1972.
pub struct StronglyConnectedComponents {
    component: Vec<u32>,
    members: Vec<Node>,
    ends: Vec<u32>,
}

const UNSEEN: u32 = u32::MAX;

impl StronglyConnectedComponents {
    /// Finds the components of `graph`.
    pub fn new<G: Graph>(graph: &G) -> Self {
        Self::of_part(graph, |_| true)
    }

    /// Finds the components of the part of `graph` that consists of the nodes for which `inside` holds. Other nodes
    /// are in no component.
    pub fn of_part<G: Graph>(graph: &G, inside: impl Fn(Node) -> bool) -> Self {
        let nodes = graph.node_count();
        let mut found = Self { component: vec![UNSEEN; nodes], members: Vec::with_capacity(nodes), ends: Vec::new() };
        // `low` is the node's number in order of discovery, lowered to that of the oldest open node it reaches.
        let (mut low, mut discovered) = (vec![UNSEEN; nodes], 0_u32);
        let mut open: Vec<Node> = Vec::new();
        let mut path: Vec<(Node, u32, usize)> = Vec::new();
        for start in graph.nodes().filter(|&node| inside(node)) {
            if low[start.index()] != UNSEEN {
                continue;
            }
            path.push((start, discovered, 0));
            while let Some(&mut (node, number, ref mut edge)) = path.last_mut() {
                if *edge == 0 {
                    low[node.index()] = number;
                    discovered = number + 1;
                    open.push(node);
                }
                let next = graph.successors(node).get(*edge).copied();
                *edge += 1;
                match next {
                    Some(next) if !inside(next) || found.component[next.index()] != UNSEEN => {}
                    Some(next) if low[next.index()] == UNSEEN => path.push((next, discovered, 0)),
                    Some(next) => low[node.index()] = low[node.index()].min(low[next.index()]),
                    None => {
                        path.pop();
                        let reached = low[node.index()];
                        if let Some(&(parent, ..)) = path.last() {
                            low[parent.index()] = low[parent.index()].min(reached);
                        }
                        if reached == number {
                            found.close(&mut open, node);
                        }
                    }
                }
            }
        }
        found
    }

    /// Makes the open nodes from `first` on a component.
    fn close(&mut self, open: &mut Vec<Node>, first: Node) {
        let number = self.ends.len() as u32;
        let start = open.iter().rposition(|&node| node == first).expect("a node is open until its component is closed");
        for node in open.drain(start..) {
            self.component[node.index()] = number;
            self.members.push(node);
        }
        self.ends.push(self.members.len() as u32);
    }

    /// Number of components.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The component of a node.
    ///
    /// # Panics
    /// If the node is in none, since it was left out.
    pub fn component(&self, node: Node) -> usize {
        let component = self.component[node.index()];
        assert!(component != UNSEEN, "a component is asked for of a node that was left out");
        component as usize
    }

    /// Whether a node is in a component.
    pub fn contains(&self, node: Node) -> bool {
        self.component[node.index()] != UNSEEN
    }

    /// The nodes of a component, in order of discovery.
    pub fn members(&self, component: usize) -> &[Node] {
        let start = component.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.members[start as usize..self.ends[component] as usize]
    }

    /// Whether a node can reach itself: its component has several nodes, or an edge leads from the node to itself.
    pub fn is_cyclic<G: Graph>(&self, graph: &G, component: usize) -> bool {
        match self.members(component) {
            [single] => graph.successors(*single).contains(single),
            _ => true,
        }
    }
}
