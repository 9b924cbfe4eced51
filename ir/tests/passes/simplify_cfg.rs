//! Simplification of the control-flow graph.

use fermata_ir::passes::{SimplifyCfg, SimplifyCfgStatistics};
use fermata_ir::{BlockId, Type};

use crate::evaluate::ops_named;
use crate::generate::{Shape, check_meaning};
use crate::support::Function;
use crate::toy::context;

fn run(f: &mut Function<'_>) -> SimplifyCfgStatistics {
    SimplifyCfg.run_on(f.context, &mut f.body)
}

fn blocks(f: &Function<'_>) -> Vec<BlockId> {
    f.body.blocks(f.region()).collect()
}

#[test]
fn a_constant_condition_leaves_one_block() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (yes, no, join) = (f.new_block(0), f.new_block(0), f.new_block(1));
    let x = f.argument(0);
    let zero = f.constant(0);
    f.cond_br(zero, (yes, &[]), (no, &[]));
    f.at(yes).print(&[x]);
    f.br(join, &[x]);
    f.at(no);
    let doubled = f.add(x, x);
    f.br(join, &[doubled]);
    f.at(join);
    let result = f.body.arguments(join)[0];
    f.ret(&[result]);
    run(&mut f);
    assert_eq!(f.names(f.entry()), ["constant", "add", "return"]);
    assert_eq!(blocks(&f).len(), 1);
    let ret = f.body.last_op(f.entry()).unwrap();
    assert_eq!(f.body.operand(ret, 0), doubled);
}

#[test]
fn conditions_that_become_constant_through_arguments_cascade() {
    let context = context();
    let mut f = Function::new(&context, 1);
    // Each block passes its constant condition on to the next one through an argument.
    let count = 50;
    let blocks_made: Vec<BlockId> = (0..count).map(|_| f.new_block(1)).collect();
    let exit = f.new_block(0);
    let one = f.constant(1);
    f.cond_br(one, (blocks_made[0], &[one]), (exit, &[]));
    for (index, &block) in blocks_made.iter().enumerate() {
        f.at(block);
        let condition = f.body.arguments(block)[0];
        f.print(&[condition]);
        match blocks_made.get(index + 1) {
            Some(&next) => f.cond_br(condition, (next, &[condition]), (exit, &[])),
            None => f.ret(&[condition]),
        };
    }
    f.at(exit).ret(&[]);
    run(&mut f);
    assert_eq!(blocks(&f).len(), 1);
    assert_eq!(ops_named(&context, &f.body, "toy.print").len(), count);
}

#[test]
fn empty_blocks_are_skipped_with_the_values_that_they_pass() {
    let context = context();
    let mut f = Function::new(&context, 2);
    let (left, right, join) = (f.new_block(1), f.new_block(0), f.new_block(2));
    let (x, y) = (f.argument(0), f.argument(1));
    f.cond_br(x, (left, &[y]), (right, &[]));
    f.at(left);
    let passed = f.body.arguments(left)[0];
    f.br(join, &[passed, x]);
    f.at(right).br(join, &[x, y]);
    f.at(join);
    let arguments = f.body.arguments(join).to_vec();
    f.ret(&arguments);
    let statistics = run(&mut f);
    assert_eq!(statistics.threaded, 2);
    assert_eq!(blocks(&f), [f.entry(), join]);
    let branch = f.body.last_op(f.entry()).unwrap();
    assert_eq!(f.body.operands(branch).collect::<Vec<_>>(), [x, y, x, x, y]);
}

#[test]
fn a_block_with_an_argument_used_further_on_is_not_skipped() {
    let context = context();
    let mut f = Function::new(&context, 2);
    let (a, b, header, body) = (f.new_block(0), f.new_block(0), f.new_block(1), f.new_block(0));
    let (x, y) = (f.argument(0), f.argument(1));
    f.cond_br(x, (a, &[]), (b, &[]));
    f.at(a).print(&[x]);
    f.br(header, &[x]);
    f.at(b).print(&[y]);
    f.br(header, &[y]);
    f.at(header).br(body, &[]);
    f.at(body);
    let carried = f.body.arguments(header)[0];
    f.cond_br(x, (body, &[]), (a, &[]));
    f.body.erase_op(f.body.last_op(body).unwrap());
    f.print(&[carried]);
    f.cond_br(carried, (body, &[]), (a, &[]));
    run(&mut f);
    assert!(!f.body.is_block_erased(header));
    assert_eq!(f.body.arguments(header), [carried]);
}

#[test]
fn a_loop_without_an_exit_stays() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (first, second) = (f.new_block(0), f.new_block(0));
    let x = f.argument(0);
    let exit = f.new_block(0);
    f.cond_br(x, (first, &[]), (exit, &[]));
    f.at(first).br(second, &[]);
    f.at(second).br(first, &[]);
    f.at(exit).ret(&[]);
    run(&mut f);
    let spinning = blocks(&f).into_iter().filter(|&block| f.body.block_successors(block).any(|next| next == block));
    assert_eq!(spinning.count(), 1);
    assert_eq!(ops_named(&context, &f.body, "toy.cond_br").len(), 1);
}

#[test]
fn edges_that_are_all_the_same_become_a_jump() {
    let context = context();
    let mut f = Function::new(&context, 2);
    let join = f.new_block(1);
    let (x, y) = (f.argument(0), f.argument(1));
    f.switch_br(x, &[(join, vec![y]), (join, vec![y]), (join, vec![y])]);
    f.at(join);
    let argument = f.body.arguments(join)[0];
    f.ret(&[argument]);
    run(&mut f);
    assert_eq!(f.names(f.entry()), ["return"]);
}

#[test]
fn arguments_that_always_agree_become_one() {
    let context = context();
    let mut f = Function::new(&context, 2);
    let (header, exit) = (f.new_block(3), f.new_block(0));
    let (x, y) = (f.argument(0), f.argument(1));
    f.br(header, &[x, y, x]);
    f.at(header);
    let arguments = f.body.arguments(header).to_vec();
    let next = f.number("toy.sub", &[arguments[0], arguments[2]]);
    // The second is always y; the third always equals the first.
    f.cond_br(next, (header, &[next, arguments[1], next]), (exit, &[]));
    f.at(exit).ret(&arguments);
    assert_eq!(run(&mut f).arguments, 2);
    assert_eq!(f.body.arguments(header), [arguments[0]]);
    let ret = ops_named(&context, &f.body, "toy.return")[0];
    assert_eq!(f.body.operands(ret).collect::<Vec<_>>(), [arguments[0], y, arguments[0]]);
}

#[test]
fn a_suspension_stays_an_edge_to_its_own_resume_block() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (first, second, join) = (f.new_block(1), f.new_block(2), f.new_block(0));
    let suspended = f.new_block(0);
    let x = f.argument(0);
    let empty = f.constant(0);
    f.cond_br(x, (suspended, &[]), (first, &[empty]));
    f.at(suspended);
    let suspend = f.suspend(&[], first, &[]);
    f.at(first).br(join, &[]);
    f.at(second);
    f.br(join, &[]);
    f.at(join).print(&[x]);
    f.ret(&[]);
    run(&mut f);
    // The unreachable block is gone; the resume block, empty as it is, is still what the suspension leads to. Its
    // argument is delivered and stays.
    assert!(f.body.is_block_erased(second) && !f.body.is_block_erased(first));
    assert_eq!(f.body.successor(suspend, 0), first);
    assert_eq!(f.body.arguments(first).len(), 1);
    assert_eq!(f.names(first), ["print", "return"]);
}

#[test]
fn a_suspension_in_a_straight_line_is_no_place_to_merge() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (resume, rest) = (f.new_block(1), f.new_block(0));
    let x = f.argument(0);
    f.suspend(&[x], resume, &[]);
    f.at(resume).br(rest, &[]);
    f.at(rest).ret(&[x]);
    run(&mut f);
    assert_eq!(blocks(&f), [f.entry(), resume]);
    assert_eq!(f.names(resume), ["return"]);
}

#[test]
fn edges_of_unregistered_terminators_are_left_alone() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (middle, end) = (f.new_block(1), f.new_block(0));
    let x = f.argument(0);
    f.terminator("elsewhere.br", &[x], &[middle], &[]);
    f.at(middle).br(end, &[]);
    f.at(end).ret(&[]);
    let kept = f.body.arguments(middle).len();
    run(&mut f);
    assert_eq!(f.body.arguments(middle).len(), kept);
    assert_eq!(f.names(f.entry()), ["elsewhere.br"]);
    assert_eq!(f.names(middle), ["return"]);
}

#[test]
fn skipping_a_block_does_not_multiply_what_it_passes() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let x = f.argument(0);
    let many = 64;
    let (hub, wide) = (f.new_block(0), f.new_block(many));
    let cases: Vec<_> = (0..many).map(|_| f.new_block(0)).collect();
    let passed: Vec<_> = (0..many).map(|_| f.number("toy.lane", &[])).collect();
    let mut edges: Vec<_> = cases.iter().map(|&case| (case, vec![])).collect();
    edges.push((wide, passed.iter().rev().copied().collect()));
    f.switch_br(x, &edges);
    for &case in &cases {
        f.at(case).print(&[x]);
        f.br(hub, &[]);
    }
    f.at(hub).br(wide, &passed);
    f.at(wide);
    let values = f.body.arguments(wide).to_vec();
    f.print(&values);
    f.ret(&[]);
    run(&mut f);
    assert!(!f.body.is_block_erased(hub), "64 edges would have passed 64 values each");
}

#[test]
fn many_blocks_in_reverse_order_are_merged_in_one_go() {
    let context = context();
    let mut f = Function::new(&context, 0);
    let count = 20_000;
    let ty = Type::integer(&context, 32);
    let made: Vec<BlockId> = (0..count).map(|_| f.new_block(0)).collect();
    f.br(made[count - 1], &[]);
    for (index, &block) in made.iter().enumerate() {
        f.at(block).op("toy.lane", &[], &[ty], &[]);
        match index.checked_sub(1) {
            Some(before) => f.br(made[before], &[]),
            None => f.ret(&[]),
        };
    }
    assert_eq!(run(&mut f).merged, count);
    assert_eq!(f.names(f.entry()).len(), count + 1);
}

#[test]
fn random_functions_keep_their_meaning_and_a_second_run_changes_nothing() {
    for (seeds, shape) in [
        (0..300, Shape { blocks: 12, ops: 3, locals: false, structured: false }),
        (300..500, Shape { blocks: 16, ops: 0, locals: false, structured: false }),
        (500..600, Shape { blocks: 8, ops: 5, locals: true, structured: true }),
    ] {
        check_meaning(seeds, shape, |context, f, seed| {
            SimplifyCfg.run_on(context, &mut f.body);
            let again = SimplifyCfg.run_on(context, &mut f.body);
            assert!(!again.changed(), "seed {seed}: a second run does {again:?}");
        });
    }
}
