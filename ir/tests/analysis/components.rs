//! Strongly connected components: nodes that reach each other.

use fermata_ir::analysis::graph::{Graph, Node, StronglyConnectedComponents};

use crate::random::{Random, graph, reachable};

#[test]
fn components_hold_what_reaches_each_other_and_are_in_order() {
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let graph = graph(&mut random, 14);
        let left_out: Vec<bool> = graph.nodes().map(|_| random.chance(15)).collect();
        let inside = |node: Node| !left_out[node.index()];
        let components = StronglyConnectedComponents::of_part(&graph, inside);
        let reach: Vec<Vec<bool>> = graph.nodes().map(|node| reachable(&graph, &[node], |n| !inside(n))).collect();
        for a in graph.nodes() {
            assert_eq!(components.contains(a), inside(a));
            for b in graph.nodes().filter(|&b| inside(a) && inside(b)) {
                let mutual = reach[a.index()][b.index()] && reach[b.index()][a.index()];
                assert_eq!(components.component(a) == components.component(b), mutual);
                if graph.successors(a).contains(&b) {
                    assert!(components.component(a) >= components.component(b), "edges lead to smaller numbers");
                }
            }
        }
        for component in 0..components.count() {
            let members = components.members(component);
            assert!(members.iter().all(|&member| components.component(member) == component));
            let on_cycle = |&node: &Node| {
                graph.successors(node).iter().any(|&next| inside(next) && reach[next.index()][node.index()])
            };
            assert_eq!(components.is_cyclic(&graph, component), members.iter().all(on_cycle));
        }
        let all: usize = (0..components.count()).map(|component| components.members(component).len()).sum();
        assert_eq!(all, graph.nodes().filter(|&node| inside(node)).count());
    }
}
