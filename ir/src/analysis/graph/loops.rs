//! Loops of any graph, reducible or not, and how they nest.

use super::{DepthFirstSearch, Graph, Node};

/// A loop of a [`LoopForest`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopId(u32);

impl LoopId {
    /// The index, for side tables: outer loops have smaller ones than the loops in them.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The loops of the part of a graph that its roots reach, and how they nest.
///
/// The outermost loops are the strongly connected components that have an edge. The *header* of a loop is the node of
/// it that a depth-first search finds first; the loops directly in it are those of what is left of it without its
/// header. The *entries* are the nodes to which an edge leads from outside, or that are roots. A loop whose only entry
/// is its header is a *natural* loop; a graph is reducible if all its loops are natural.
///
/// The search of P. Havlak, "Nesting of Reducible and Irreducible Loops", 1997, with loops merged by union-find:
/// near-linear if loops are natural. The entries of a loop that has several are looked at once for each loop around it.
pub struct LoopForest {
    /// The innermost loop of each node.
    innermost: Vec<Option<LoopId>>,
    loops: Vec<LoopData>,
    /// The nodes of all loops: those of one are side by side, its header first.
    nodes: Vec<Node>,
}

struct LoopData {
    parent: Option<LoopId>,
    depth: u32,
    /// The header first.
    entries: Vec<Node>,
    start: u32,
    end: u32,
}

impl LoopForest {
    /// Finds the loops of `graph`.
    pub fn new<G: Graph>(graph: &G) -> Self {
        let search = DepthFirstSearch::new(graph);
        let mut finder = Finder {
            graph,
            search: &search,
            is_root: vec![false; graph.node_count()],
            innermost: vec![None; graph.node_count()],
            loops: Vec::new(),
            pending: Vec::new(),
        };
        for root in graph.roots() {
            finder.is_root[root.index()] = true;
        }
        for &header in search.preorder().iter().rev() {
            finder.find_loop_of(header);
        }
        let Finder { innermost, loops, .. } = finder;
        Self::lay_out(&search, &innermost, loops)
    }

    /// Numbers the loops so that outer ones come first, and puts the nodes of each side by side.
    fn lay_out(search: &DepthFirstSearch, innermost: &[Option<u32>], found: Vec<FoundLoop>) -> Self {
        let count = found.len();
        // Loops were found in the reverse order of their headers, and a header comes before all else in its loop.
        let id = |found: u32| LoopId(count as u32 - 1 - found);
        let mut loops: Vec<LoopData> = Vec::with_capacity(count);
        for found in found.into_iter().rev() {
            let parent = found.parent.map(id);
            let depth = parent.map_or(1, |parent: LoopId| loops[parent.index()].depth + 1);
            loops.push(LoopData { parent, depth, entries: found.entries, start: 0, end: 0 });
        }
        let innermost: Vec<Option<LoopId>> = innermost.iter().map(|found| found.map(id)).collect();
        let mut size = vec![0_u32; count];
        let in_loops = || search.preorder().iter().filter_map(|&node| Some((node, innermost[node.index()]?)));
        in_loops().for_each(|(_, inner)| size[inner.index()] += 1);
        for index in (0..count).rev() {
            if let Some(parent) = loops[index].parent {
                size[parent.index()] += size[index];
            }
        }
        let mut next = vec![0_u32; count];
        let mut end = 0;
        for index in 0..count {
            let cursor = loops[index].parent.map_or(&mut end, |parent| &mut next[parent.index()]);
            let start = *cursor;
            *cursor += size[index];
            next[index] = start + 1;
            (loops[index].start, loops[index].end) = (start, start + size[index]);
        }
        let mut nodes = vec![Node(0); end as usize];
        for (node, inner) in in_loops() {
            let data = &loops[inner.index()];
            let cursor = &mut next[inner.index()];
            let slot = if data.entries[0] == node { data.start } else { std::mem::replace(cursor, *cursor + 1) };
            nodes[slot as usize] = node;
        }
        Self { innermost, loops, nodes }
    }

    /// The loops, outer before inner.
    pub fn loops(&self) -> impl DoubleEndedIterator<Item = LoopId> + use<> {
        (0..self.loops.len() as u32).map(LoopId)
    }

    /// The innermost loop that holds a node.
    pub fn innermost(&self, node: Node) -> Option<LoopId> {
        self.innermost[node.index()]
    }

    /// The loop around a loop.
    pub fn parent(&self, inner: LoopId) -> Option<LoopId> {
        self.loops[inner.index()].parent
    }

    /// How many loops hold a loop's nodes: 1 for an outermost loop.
    pub fn depth(&self, inner: LoopId) -> usize {
        self.loops[inner.index()].depth as usize
    }

    /// How many loops hold a node.
    pub fn node_depth(&self, node: Node) -> usize {
        self.innermost(node).map_or(0, |inner| self.depth(inner))
    }

    /// The header.
    pub fn header(&self, id: LoopId) -> Node {
        self.loops[id.index()].entries[0]
    }

    /// Where the loop is entered, the header first.
    pub fn entries(&self, id: LoopId) -> &[Node] {
        &self.loops[id.index()].entries
    }

    /// Whether the header is the only entry.
    pub fn is_natural(&self, id: LoopId) -> bool {
        self.entries(id).len() == 1
    }

    /// Whether all loops are natural.
    pub fn is_reducible(&self) -> bool {
        self.loops().all(|id| self.is_natural(id))
    }

    /// The nodes of a loop with those of the loops in it, the header first.
    pub fn nodes(&self, id: LoopId) -> &[Node] {
        let data = &self.loops[id.index()];
        &self.nodes[data.start as usize..data.end as usize]
    }

    /// Whether a loop holds a node. Takes time linear in the depth of the node.
    pub fn contains(&self, id: LoopId, node: Node) -> bool {
        let around = std::iter::successors(self.innermost(node), |&inner| self.parent(inner));
        around.take_while(|inner| inner.0 >= id.0).any(|inner| inner == id)
    }
}

struct FoundLoop {
    parent: Option<u32>,
    /// A loop that holds this one, near the outermost; itself if there is none.
    outermost: u32,
    entries: Vec<Node>,
}

struct Finder<'a, G> {
    graph: &'a G,
    search: &'a DepthFirstSearch,
    is_root: Vec<bool>,
    innermost: Vec<Option<u32>>,
    loops: Vec<FoundLoop>,
    pending: Vec<Node>,
}

impl<G: Graph> Finder<'_, G> {
    /// Makes the loop whose header is `header`, if there is one, of what reaches it from below it in the search tree.
    /// All loops with headers found later by the search are there already.
    fn find_loop_of(&mut self, header: Node) {
        let graph = self.graph;
        let closing = graph.predecessors(header).iter().filter(|&&node| self.search.is_ancestor(header, node));
        self.pending.extend(closing);
        if self.pending.is_empty() {
            return;
        }
        let own = self.loops.len() as u32;
        self.loops.push(FoundLoop { parent: None, outermost: own, entries: vec![header] });
        self.innermost[header.index()] = Some(own);
        while let Some(node) = self.pending.pop() {
            match self.innermost[node.index()].map(|inner| self.outermost(inner)) {
                Some(outer) if outer == own => {}
                Some(outer) => {
                    let merged = &mut self.loops[outer as usize];
                    (merged.parent, merged.outermost) = (Some(own), own);
                    let entries = std::mem::take(&mut merged.entries);
                    entries.iter().for_each(|&entry| self.look_at_predecessors(own, header, entry));
                    self.loops[outer as usize].entries = entries;
                }
                None => {
                    self.innermost[node.index()] = Some(own);
                    self.look_at_predecessors(own, header, node);
                }
            }
        }
    }

    fn look_at_predecessors(&mut self, own: u32, header: Node, node: Node) {
        let mut entered = self.is_root[node.index()];
        for &predecessor in self.graph.predecessors(node) {
            if self.search.is_ancestor(header, predecessor) {
                self.pending.push(predecessor);
            } else {
                entered |= self.search.number(predecessor).is_some();
            }
        }
        if entered {
            self.loops[own as usize].entries.push(node);
        }
    }

    /// The outermost loop so far that holds a loop.
    fn outermost(&mut self, inner: u32) -> u32 {
        let mut top = inner;
        while self.loops[top as usize].outermost != top {
            top = self.loops[top as usize].outermost;
        }
        let mut current = inner;
        while current != top {
            current = std::mem::replace(&mut self.loops[current as usize].outermost, top);
        }
        top
    }
}
