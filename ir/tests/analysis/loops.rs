//! Loops, from their definition: components, without their headers, again.

use fermata_ir::analysis::graph::{DepthFirstSearch, EdgeGraph, Graph, LoopForest, LoopId, Node};

use crate::random::{Random, graph, reachable};

/// A loop as the definition gives it.
struct Expected {
    header: Node,
    nodes: Vec<Node>,
    depth: usize,
}

/// The loops of the nodes for which `inside` holds.
fn expected_loops(
    graph: &EdgeGraph,
    search: &DepthFirstSearch,
    inside: &[bool],
    depth: usize,
    found: &mut Vec<Expected>,
) {
    let reach = |from: Node| {
        let next: Vec<Node> = graph.successors(from).to_vec();
        reachable(graph, &next, |node| !inside[node.index()])
    };
    let mut done = vec![false; graph.node_count()];
    for node in graph.nodes().filter(|node| inside[node.index()]) {
        if done[node.index()] || !reach(node)[node.index()] {
            continue;
        }
        let from = reach(node);
        let members: Vec<Node> =
            graph.nodes().filter(|&other| from[other.index()] && reach(other)[node.index()]).collect();
        members.iter().for_each(|member| done[member.index()] = true);
        let header = *members.iter().min_by_key(|member| search.number(**member)).expect("a loop has a node");
        let mut rest = vec![false; graph.node_count()];
        members.iter().for_each(|member| rest[member.index()] = *member != header);
        found.push(Expected { header, nodes: members, depth });
        expected_loops(graph, search, &rest, depth + 1, found);
    }
}

#[test]
fn loops_are_components_without_their_headers_again() {
    let mut irreducible = 0;
    for seed in 0..4000 {
        let graph = graph(&mut Random::new(seed), if seed < 3900 { 12 } else { 40 });
        let search = DepthFirstSearch::new(&graph);
        let reached: Vec<bool> = graph.nodes().map(|node| search.number(node).is_some()).collect();
        let mut expected = Vec::new();
        expected_loops(&graph, &search, &reached, 1, &mut expected);
        expected.sort_by_key(|found| search.number(found.header));
        let forest = LoopForest::new(&graph);
        assert_eq!(forest.loops().count(), expected.len());
        for (id, expected) in forest.loops().zip(&expected) {
            assert_eq!((forest.header(id), forest.depth(id)), (expected.header, expected.depth));
            check_nodes(&graph, &forest, id, expected);
            check_entries(&graph, &forest, id, &reached);
            irreducible += usize::from(!forest.is_natural(id));
        }
        for node in graph.nodes() {
            let depth = expected.iter().filter(|found| found.nodes.contains(&node)).count();
            assert_eq!(forest.node_depth(node), depth);
        }
    }
    assert!(irreducible > 500, "only {irreducible} loops have several entries");
}

fn check_nodes(graph: &EdgeGraph, forest: &LoopForest, id: LoopId, expected: &Expected) {
    let mut nodes = forest.nodes(id).to_vec();
    assert_eq!(nodes[0], expected.header);
    nodes.sort();
    assert_eq!(nodes, expected.nodes);
    for node in graph.nodes() {
        assert_eq!(forest.contains(id, node), expected.nodes.contains(&node));
    }
}

fn check_entries(graph: &EdgeGraph, forest: &LoopForest, id: LoopId, reached: &[bool]) {
    let is_entry = |node: &Node| {
        let outside = |from: &Node| reached[from.index()] && !forest.contains(id, *from);
        *node == forest.header(id) || graph.roots().contains(node) || graph.predecessors(*node).iter().any(outside)
    };
    let mut expected: Vec<Node> = forest.nodes(id).iter().copied().filter(is_entry).collect();
    let mut entries = forest.entries(id).to_vec();
    assert_eq!(entries[0], forest.header(id));
    expected.sort();
    entries.sort();
    assert_eq!(entries, expected);
}
