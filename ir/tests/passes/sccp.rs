//! Sparse conditional constant propagation.

use fermata_ir::passes::{Sccp, SccpStatistics};
use fermata_ir::{ValueId, interfaces::constant_value};

use crate::evaluate::ops_named;
use crate::generate::{Shape, check_meaning};
use crate::support::Function;
use crate::toy::{context, number};

fn run(f: &mut Function<'_>) -> SccpStatistics {
    Sccp.run_on(f.context, &mut f.body)
}

fn returned(f: &Function<'_>) -> ValueId {
    f.body.operand(ops_named(f.context, &f.body, "toy.return")[0], 0)
}

fn constant(f: &Function<'_>, value: ValueId) -> Option<i32> {
    number(f.context, constant_value(f.context, &f.body, value)?)
}

/// The example that simple constant propagation cannot do: a loop that changes its variable only if that has changed.
#[test]
fn a_loop_that_never_takes_the_edge_that_would_change_its_variable() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (header, changed, latch, exit) = (f.new_block(1), f.new_block(0), f.new_block(1), f.new_block(0));
    let (one, two) = (f.constant(1), f.constant(2));
    f.br(header, &[one]);
    f.at(header);
    let x = f.body.arguments(header)[0];
    // x < 2 holds as long as x is 1.
    let small = f.number("toy.lt", &[x, two]);
    f.cond_br(small, (latch, &[x]), (changed, &[]));
    f.at(changed);
    let more = f.add(x, two);
    f.br(latch, &[more]);
    f.at(latch);
    let next = f.body.arguments(latch)[0];
    let go_on = f.number("toy.lane", &[]);
    f.cond_br(go_on, (header, &[next]), (exit, &[]));
    f.at(exit).ret(&[x]);
    let statistics = run(&mut f);
    assert_eq!(constant(&f, returned(&f)), Some(1));
    assert!(f.body.is_block_erased(changed));
    assert_eq!((statistics.decided, statistics.blocks), (1, 1));
    assert!(!run(&mut f).changed());
}

#[test]
fn different_constants_meet_and_equal_ones_stay() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (a, b, join) = (f.new_block(0), f.new_block(0), f.new_block(2));
    let x = f.argument(0);
    f.cond_br(x, (a, &[]), (b, &[]));
    f.at(a);
    let (one, seven) = (f.constant(1), f.constant(7));
    f.br(join, &[one, seven]);
    f.at(b);
    let (three, four) = (f.constant(3), f.constant(4));
    let sum = f.add(three, four);
    f.br(join, &[three, sum]);
    f.at(join);
    let (varying, same) = (f.body.arguments(join)[0], f.body.arguments(join)[1]);
    f.ret(&[same, varying]);
    run(&mut f);
    let ret = ops_named(&context, &f.body, "toy.return")[0];
    assert_eq!(constant(&f, f.body.operand(ret, 0)), Some(7));
    assert_eq!(f.body.operand(ret, 1), varying);
}

#[test]
fn a_switch_takes_the_edge_of_its_constant() {
    let context = context();
    let mut f = Function::new(&context, 0);
    let (a, b) = (f.new_block(1), f.new_block(1));
    let one = f.constant(1);
    let two = f.add(one, one);
    let unknown = f.number("toy.lane", &[]);
    f.switch_br(two, &[(a, vec![unknown]), (a, vec![unknown]), (b, vec![one]), (a, vec![one])]);
    f.at(a).ret(&[unknown]);
    f.at(b);
    let argument = f.body.arguments(b)[0];
    f.ret(&[argument]);
    run(&mut f);
    assert!(f.body.is_block_erased(a));
    assert_eq!(constant(&f, returned(&f)), Some(1));
}

#[test]
fn a_suspension_forwards_constants_and_delivers_what_nobody_knows() {
    let context = context();
    let mut f = Function::new(&context, 0);
    let resume = f.new_block(2);
    let five = f.constant(5);
    f.suspend(&[], resume, &[five]);
    f.at(resume);
    let arguments = f.body.arguments(resume).to_vec();
    f.ret(&[arguments[1], arguments[0]]);
    assert_eq!(run(&mut f).constants, 1);
    assert_eq!(constant(&f, returned(&f)), Some(5));
    let ret = ops_named(&context, &f.body, "toy.return")[0];
    assert_eq!(f.body.operand(ret, 1), arguments[0]);
}

#[test]
fn constants_pass_through_regions() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (zero, four) = (f.constant(0), f.constant(4));
    // Only the second region runs, so the result is 8.
    let (conditional, blocks) = f.structured("toy.if", &[zero], 1, &[0, 0]);
    let here = f.block;
    let x = f.argument(0);
    f.at(blocks[0]).op("toy.yield", &[x], &[], &[]);
    f.at(blocks[1]);
    let eight = f.add(four, four);
    f.op("toy.yield", &[eight], &[], &[]);
    f.at(here);
    let eight = f.body.result(conditional, 0);
    // A loop keeps the first of its two values.
    let (repeat, blocks) = f.structured("toy.loop", &[eight, x], 2, &[2]);
    f.at(blocks[0]);
    let arguments = f.body.arguments(blocks[0]).to_vec();
    let less = f.number("toy.sub", &[arguments[1], arguments[0]]);
    f.op("toy.next", &[less, arguments[0], less], &[], &[]);
    f.at(here);
    let results: Vec<_> = f.body.results(repeat).collect();
    f.ret(&results);
    run(&mut f);
    let ret = ops_named(&context, &f.body, "toy.return")[0];
    assert_eq!(constant(&f, f.body.operand(ret, 0)), Some(8));
    assert_eq!(f.body.operand(ret, 1), results[1]);
    let difference = f.body.defining_op(less).unwrap();
    assert_eq!(constant(&f, f.body.operand(difference, 1)), Some(8));
}

#[test]
fn a_region_left_for_somewhere_else_makes_what_is_around_it_unknown() {
    let context = context();
    for leaving in ["toy.leave", "elsewhere.break"] {
        let mut f = Function::new(&context, 1);
        let x = f.argument(0);
        let four = f.constant(4);
        let (repeat, blocks) = f.structured("toy.loop", &[four], 1, &[1]);
        let here = f.block;
        f.at(blocks[0]);
        let (_, inner) = f.structured("toy.if", &[x], 0, &[0, 0]);
        f.at(inner[0]).op(leaving, &[], &[], &[]);
        f.at(inner[1]).op("toy.yield", &[], &[], &[]);
        f.at(blocks[0]);
        let argument = f.body.arguments(blocks[0])[0];
        f.op("toy.next", &[x, argument], &[], &[]);
        f.at(here);
        let result = f.body.result(repeat, 0);
        f.ret(&[result]);
        run(&mut f);
        assert_eq!(returned(&f), result, "after {leaving}");
    }
}

#[test]
fn values_passed_by_unknown_terminators_are_not_constant() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (other, target) = (f.new_block(0), f.new_block(1));
    let x = f.argument(0);
    let one = f.constant(1);
    f.cond_br(x, (target, &[one]), (other, &[]));
    f.at(other).terminator("elsewhere.br", &[x], &[target], &[]);
    f.at(target);
    let argument = f.body.arguments(target)[0];
    f.ret(&[argument]);
    assert!(!run(&mut f).changed());
}

#[test]
fn a_jump_with_many_arguments_is_not_looked_at_once_for_each() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let count = 3000;
    let header = f.new_block(count);
    let exit = f.new_block(0);
    let one = f.constant(1);
    f.br(header, &vec![one; count]);
    f.at(header);
    let arguments = f.body.arguments(header).to_vec();
    // Each argument is passed to the next one: one after the other stops being constant.
    let mut passed = vec![f.argument(0)];
    passed.extend(&arguments[..count - 1]);
    f.cond_br(arguments[0], (header, &passed), (exit, &[]));
    f.at(exit).ret(&[arguments[count - 1]]);
    assert_eq!(run(&mut f).constants, 0);
}

#[test]
fn random_functions_keep_their_meaning_and_a_second_run_changes_nothing() {
    for (seeds, shape) in [
        (0..400, Shape { blocks: 10, ops: 5, locals: false, structured: false }),
        (400..600, Shape { blocks: 5, ops: 8, locals: true, structured: true }),
    ] {
        check_meaning(seeds, shape, |context, f, seed| {
            Sccp.run_on(context, &mut f.body);
            let again = Sccp.run_on(context, &mut f.body);
            assert!(!again.changed(), "seed {seed}: a second run does {again:?}");
        });
    }
}
