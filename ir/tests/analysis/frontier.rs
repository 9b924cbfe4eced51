//! Dominance frontiers, from their definitions.

use fermata_ir::analysis::graph::{
    DominanceFrontiers, Dominators, EdgeGraph, Graph, Node, iterated_dominance_frontier,
};

use crate::random::{Random, graph};

fn frontier(graph: &EdgeGraph, dominators: &Dominators, node: Node) -> Vec<Node> {
    let dominated =
        |predecessor: &Node| dominators.is_reachable(*predecessor) && dominators.dominates(node, *predecessor);
    let in_frontier =
        |&join: &Node| graph.predecessors(join).iter().any(dominated) && !dominators.properly_dominates(node, join);
    let is_reachable = |node: &Node| dominators.is_reachable(*node);
    if is_reachable(&node) { graph.nodes().filter(is_reachable).filter(in_frontier).collect() } else { Vec::new() }
}

#[test]
fn frontiers_are_where_dominance_ends() {
    for seed in 0..3000 {
        let graph = graph(&mut Random::new(seed), 14);
        let dominators = Dominators::new(&graph);
        let frontiers = DominanceFrontiers::new(&graph, &dominators);
        for node in graph.nodes() {
            assert_eq!(frontiers.of(node), frontier(&graph, &dominators, node));
        }
    }
}

#[test]
fn the_iterated_frontier_is_the_closure_of_frontiers() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let graph = graph(&mut random, 16);
        let dominators = Dominators::new(&graph);
        let definitions: Vec<Node> = graph.nodes().filter(|_| random.chance(25)).collect();
        let dead: Vec<bool> = graph.nodes().map(|_| random.chance(20)).collect();
        for prune in [false, true] {
            let wanted = |node: Node| !prune || !dead[node.index()];
            let mut expected: Vec<Node> = Vec::new();
            let mut pending = definitions.clone();
            while let Some(node) = pending.pop() {
                for join in frontier(&graph, &dominators, node).into_iter().filter(|&join| wanted(join)) {
                    if !expected.contains(&join) {
                        expected.push(join);
                        pending.push(join);
                    }
                }
            }
            expected.sort_by_key(|&node| dominators.position(node));
            assert_eq!(iterated_dominance_frontier(&graph, &dominators, &definitions, wanted), expected);
        }
    }
}
