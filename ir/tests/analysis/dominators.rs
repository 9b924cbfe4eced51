//! Dominators: take a node away and see what can no longer be reached.

use fermata_ir::analysis::graph::{Dominators, EdgeGraph, Graph, Node, Reversed, reverse_post_order};

use crate::random::{Random, graph, reachable};

/// For each pair: whether the second node is unreachable, or becomes so without the first.
fn dominance<G: Graph>(graph: &G) -> Vec<Vec<bool>> {
    let reached = reachable(graph, graph.roots(), |_| false);
    let without = |removed: Node| reachable(graph, graph.roots(), |node| node == removed);
    let row = |removed: Node| {
        let rest = without(removed);
        let dominated = |node: Node| !reached[node.index()] || reached[removed.index()] && !rest[node.index()];
        graph.nodes().map(dominated).collect()
    };
    graph.nodes().map(row).collect()
}

fn check<G: Graph>(graph: &G) {
    let (dominators, expected) = (Dominators::new(graph), dominance(graph));
    let reached = reachable(graph, graph.roots(), |_| false);
    for b in graph.nodes() {
        assert_eq!(dominators.is_reachable(b), reached[b.index()]);
        for a in graph.nodes() {
            assert_eq!(dominators.dominates(a, b), expected[a.index()][b.index()], "{a:?} over {b:?}");
        }
        // The immediate dominator is the proper dominator that all other proper dominators dominate.
        let proper = |a: &Node| reached[b.index()] && *a != b && expected[a.index()][b.index()];
        let nearest = graph
            .nodes()
            .filter(proper)
            .find(|a| graph.nodes().filter(proper).all(|other| expected[other.index()][a.index()]));
        assert_eq!(dominators.immediate_dominator(b), nearest);
        assert_eq!(dominators.depth(b), graph.nodes().filter(proper).count());
        let children: Vec<Node> = dominators.children(b).collect();
        assert!(children.iter().all(|&child| dominators.immediate_dominator(child) == Some(b)));
        assert_eq!(children.len(), graph.nodes().filter(|&n| dominators.immediate_dominator(n) == Some(b)).count());
        let subtree = dominators.dominated(b);
        assert_eq!(
            subtree.len(),
            graph.nodes().filter(|n| reached[n.index()] && expected[b.index()][n.index()]).count()
        );
        assert!(subtree.iter().all(|n| expected[b.index()][n.index()]));
    }
}

fn common_dominator_is_the_deepest(graph: &EdgeGraph) {
    let dominators = Dominators::new(graph);
    for a in graph.nodes() {
        for b in graph.nodes() {
            let both = |n: &Node| [a, b].iter().all(|&of| dominators.is_reachable(of) && dominators.dominates(*n, of));
            let deepest = graph.nodes().filter(both).max_by_key(|&n| dominators.depth(n));
            assert_eq!(dominators.nearest_common_dominator(a, b), deepest);
        }
    }
}

#[test]
fn dominators_are_what_paths_cannot_avoid() {
    for seed in 0..4000 {
        let graph = graph(&mut Random::new(seed), 14);
        check(&graph);
        common_dominator_is_the_deepest(&graph);
    }
    for seed in 0..60 {
        check(&graph(&mut Random::new(seed), 90));
    }
}

#[test]
fn post_dominators_are_dominators_of_the_reversed_graph() {
    for seed in 0..2000 {
        let graph = graph(&mut Random::new(seed), 14);
        let reversed = Reversed::from_exits(&graph);
        // The definition of the exits: nodes from which every node that can be reached leads back.
        let from = |node: Node| reachable(&graph, &[node], |_| false);
        for node in graph.nodes() {
            let is_exit = graph.nodes().filter(|n| from(node)[n.index()]).all(|n| from(n)[node.index()]);
            assert_eq!(reversed.roots().contains(&node), is_exit);
        }
        check(&reversed);
        assert!(graph.nodes().all(|node| Dominators::new(&reversed).is_reachable(node)));
    }
}

#[test]
fn each_node_comes_before_what_it_dominates() {
    for seed in 0..1000 {
        let graph = graph(&mut Random::new(seed), 20);
        let dominators = Dominators::new(&graph);
        let order = reverse_post_order(&graph);
        let place = |node: Node| order.iter().position(|&other| other == node);
        for a in graph.nodes().filter(|&a| dominators.is_reachable(a)) {
            for &b in dominators.dominated(a) {
                assert!(place(a) <= place(b));
                assert!(dominators.position(a) <= dominators.position(b));
            }
        }
    }
}

#[test]
fn a_million_nodes_take_no_recursion() {
    let nodes = 1_000_000;
    let mut edges: Vec<(Node, Node)> = (1..nodes).map(|n| (Node::new(n - 1), Node::new(n))).collect();
    edges.extend((10..nodes).step_by(10).map(|n| (Node::new(n), Node::new(n - 7))));
    let graph = EdgeGraph::new(nodes, vec![Node::new(0)], &edges);
    let dominators = Dominators::new(&graph);
    assert_eq!(dominators.depth(Node::new(nodes - 1)), nodes - 1);
    assert!(dominators.dominates(Node::new(5), Node::new(nodes - 1)));
}
