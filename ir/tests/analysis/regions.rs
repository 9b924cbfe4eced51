//! Dominance, post-dominance and loops of whole bodies.

use fermata_ir::analysis::{ControlFlowGraph, DominanceInfo, LoopInfo, PostDominanceInfo, RegionTree};
use fermata_ir::body::ValueDefinition;
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{BlockId, Body, Diagnostics, OpId, RegionId};

use crate::dialect::context;
use crate::program::{careless_program, program};
use crate::random::Random;

/// Whether a way leads from one of `from` to `to`, through blocks of the same region other than `without`.
fn leads(body: &Body, from: &[BlockId], to: BlockId, without: Option<BlockId>) -> bool {
    let mut seen = vec![false; body.block_capacity()];
    let mut pending = from.to_vec();
    while let Some(block) = pending.pop() {
        if Some(block) != without && !std::mem::replace(&mut seen[block.index()], true) {
            pending.extend(body.block_successors(block));
        }
    }
    seen[to.index()]
}

fn dominates(body: &Body, region: RegionId, a: BlockId, b: BlockId) -> bool {
    let entry = body.entry_block(region).expect("it has a block");
    a == b || !leads(body, &[entry], b, None) || leads(body, &[entry], a, None) && !leads(body, &[entry], b, Some(a))
}

/// The blocks and operations around an operation, itself first.
fn around(body: &Body, op: OpId) -> Vec<(OpId, BlockId)> {
    let ops = std::iter::successors(Some(op), |&op| body.parent_op(op));
    ops.filter_map(|op| Some((op, body.parent_block(op)?))).collect()
}

/// Whether a value may be used, by the definition: the operation that holds the use in the region of the definition
/// comes after it, or is in a block that the definition's block dominates.
fn may_use(body: &Body, definition: ValueDefinition, user: OpId) -> bool {
    let (block, op) = match definition {
        ValueDefinition::Result { op, .. } => (body.parent_block(op).expect("it is in a block"), Some(op)),
        ValueDefinition::Argument { block, .. } => (block, None),
    };
    let region = body.block_parent(block).expect("blocks are in regions");
    let in_region = around(body, user).into_iter().find(|&(_, around)| body.block_parent(around) == Some(region));
    let Some((user, user_block)) = in_region else { return false };
    if user_block != block {
        return dominates(body, region, block, user_block);
    }
    let before: Vec<OpId> = body.ops(block).take_while(|&other| other != user).collect();
    op.is_none_or(|op| before.contains(&op))
}

#[test]
fn values_dominate_what_comes_after_them_on_every_way() {
    let context = context();
    let mut faults = 0;
    for seed in 0..300 {
        let body = careless_program(&context, &mut Random::new(seed), 40);
        let info = DominanceInfo::new(&context, &body);
        let mut wrong = 0;
        for op in body.all_ops() {
            for value in body.operands(op) {
                let expected = may_use(&body, body.definition(value), op);
                assert_eq!(info.value_dominates(&body, value, op), expected, "{value:?} at {op:?}, seed {seed}");
                wrong += usize::from(!expected);
            }
        }
        // The verifier has its own way to find out, which leaves out what is used in unreachable blocks.
        let mut diagnostics = Diagnostics::new();
        verify(&context, &body, &VerifyOptions::default(), &mut diagnostics);
        assert_eq!(diagnostics.as_slice().iter().filter(|fault| fault.code == "dominance").count(), wrong);
        faults += wrong;
    }
    assert!(faults > 500, "only {faults} uses are wrong");
}

#[test]
fn post_dominance_is_what_no_way_out_avoids() {
    let context = context();
    for seed in 0..200 {
        let body = program(&context, &mut Random::new(seed), 40);
        let info = PostDominanceInfo::new(&body);
        for region in body.all_regions() {
            let blocks: Vec<BlockId> = body.blocks(region).collect();
            // Ways end where no edge leaves, or in a circle of blocks that is never left.
            let is_end = |block: BlockId| {
                let after = blocks.iter().filter(|&&other| leads(&body, &[block], other, None));
                after.clone().all(|&other| leads(&body, &[other], block, None))
            };
            for &a in &blocks {
                for &b in &blocks {
                    let escapes = blocks.iter().any(|&end| is_end(end) && leads(&body, &[b], end, Some(a)));
                    assert_eq!(info.block_post_dominates(&body, a, b), a == b || !escapes, "{a:?} {b:?} seed {seed}");
                }
            }
        }
    }
}

#[test]
fn edges_of_loops() {
    let context = context();
    let mut count = 0;
    for seed in 0..400 {
        let body = program(&context, &mut Random::new(seed), 60);
        let info = LoopInfo::new(&body);
        for region in body.all_regions() {
            let Some(loops) = info.region(region) else { continue };
            for id in loops.forest().loops() {
                let blocks: Vec<BlockId> = loops.blocks(id).collect();
                let edges = || blocks.iter().flat_map(|&from| body.block_successors(from).map(move |to| (from, to)));
                let exits: Vec<_> = edges().filter(|(_, to)| !blocks.contains(to)).collect();
                assert_eq!(loops.exits(id).collect::<Vec<_>>(), exits);
                let mut latches: Vec<_> =
                    edges().filter(|&(_, to)| to == loops.header(id)).map(|(from, _)| from).collect();
                let mut found: Vec<_> = loops.latches(id).collect();
                latches.sort();
                found.sort();
                assert_eq!(found, latches);
                assert!(blocks.iter().all(|&block| loops.contains(id, block) && loops.depth(block) >= 1));
                count += 1;
            }
        }
    }
    assert!(count > 100, "only {count} loops");
}

#[test]
fn a_part_of_a_graph_has_only_the_edges_that_are_kept() {
    let context = context();
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let body = program(&context, &mut random, 40);
        let region = body.regions(body.root())[0];
        let blocks: Vec<BlockId> = body.blocks(region).collect();
        let cut: Vec<bool> = (0..body.op_capacity() * 4).map(|_| random.chance(40)).collect();
        let keep = |op: OpId, index: usize| !cut[op.index() * 4 + index];
        let roots: Vec<BlockId> = blocks.iter().copied().filter(|_| random.chance(30)).collect();
        let tree = RegionTree::dominators(ControlFlowGraph::of_part(&body, region, &roots, keep));
        let next = |block: BlockId| {
            let last = body.last_op(block).expect("blocks have a terminator");
            body.successors(last).enumerate().filter(move |&(index, _)| keep(last, index)).map(|(_, to)| to)
        };
        let mut reached = vec![false; body.block_capacity()];
        let mut pending = roots.clone();
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut reached[block.index()], true) {
                pending.extend(next(block));
            }
        }
        for &block in &blocks {
            assert_eq!(tree.is_reachable(block), reached[block.index()]);
        }
    }
}
