//! Elimination of common subexpressions.

use fermata_ir::analysis::DominanceInfo;
use fermata_ir::passes::{Cse, CseStatistics};
use fermata_ir::{Attribute, BlockId, OpId, ValueId};

use crate::evaluate::ops_named;
use crate::generate::{Shape, check_meaning};
use crate::support::{Function, function, module};
use crate::toy::context;

fn run(f: &mut Function<'_>) -> CseStatistics {
    let dominance = DominanceInfo::new(f.context, &f.body);
    Cse.run_on(f.context, &mut f.body, &dominance)
}

fn count(f: &Function<'_>, name: &str) -> usize {
    ops_named(f.context, &f.body, name).len()
}

#[test]
fn equal_computations_become_one() {
    let context = context();
    let mut f = Function::new(&context, 2);
    let (x, y) = (f.argument(0), f.argument(1));
    let operations = [("toy.add", x, y), ("toy.add", y, x), ("toy.sub", x, y), ("toy.sub", y, x), ("toy.sub", x, y)];
    let values = operations.map(|(name, a, b)| f.number(name, &[a, b]));
    let (one, two, other_one) = (f.constant(1), f.constant(2), f.constant(1));
    f.print(&values);
    f.print(&[one, two, other_one]);
    f.ret(&[]);
    assert_eq!(run(&mut f), CseStatistics { computations: 3, reads: 0 });
    let prints = ops_named(&context, &f.body, "toy.print");
    let operands = |index: usize| f.body.operands(prints[index]).collect::<Vec<_>>();
    assert_eq!(operands(0), [values[0], values[0], values[2], values[3], values[2]]);
    assert_eq!(operands(1), [one, two, one]);
}

#[test]
fn attributes_and_result_types_count() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let x = f.argument(0);
    let marked = f.number("toy.neg", &[x]);
    let op = f.body.defining_op(marked).unwrap();
    f.body.set_attribute(&context, op, "note", Some(Attribute::unit(&context)));
    let plain = f.number("toy.neg", &[x]);
    let i1 = fermata_ir::Type::integer(&context, 1);
    let (a, b) = (f.i32, i1);
    for ty in [a, b] {
        f.op("toy.neg", &[x], &[ty], &[]);
    }
    f.ret(&[marked, plain]);
    assert_eq!(run(&mut f).computations, 1);
}

/// `x + x` in two blocks side by side and in their join.
#[test]
fn blocks_that_do_not_dominate_give_nothing() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (a, b, join) = (f.new_block(0), f.new_block(0), f.new_block(0));
    let x = f.argument(0);
    f.cond_br(x, (a, &[]), (b, &[]));
    for block in [a, b, join] {
        f.at(block);
        let value = f.add(x, x);
        f.print(&[value]);
        if block == join {
            f.ret(&[]);
        } else {
            f.br(join, &[]);
        }
    }
    assert!(!run(&mut f).changed());
    // With one above all of them, all go.
    let mut f = Function { block: f.block, ..f };
    let branch = f.body.last_op(f.entry()).unwrap();
    let above = f.add(x, x);
    let op = f.body.defining_op(above).unwrap();
    f.body.remove_op(op);
    f.body.insert_op_before(branch, op);
    assert_eq!(run(&mut f).computations, 3);
}

fn read_and(f: &mut Function<'_>, between: impl FnOnce(&mut Function<'_>)) -> usize {
    let first = f.read(0);
    between(f);
    let second = f.read(0);
    f.print(&[first, second]);
    f.ret(&[]);
    run(f).reads
}

#[test]
fn reads_are_shared_only_while_nothing_may_write() {
    let context = context();
    let shared = |between: &dyn Fn(&mut Function<'_>)| {
        let mut f = Function::new(&context, 1);
        read_and(&mut f, between)
    };
    assert_eq!(shared(&|_| {}), 1);
    assert_eq!(
        shared(&|f| {
            let x = f.argument(0);
            f.add(x, x);
            f.alloc(f.i32);
        }),
        1
    );
    assert_eq!(
        shared(&|f| {
            let x = f.argument(0);
            f.write(3, x);
        }),
        0
    );
    for name in ["toy.opaque", "elsewhere.thing", "toy.print"] {
        let write = |f: &mut Function<'_>| {
            f.op(name, &[], &[], &[]);
        };
        assert_eq!(shared(&write), 0, "{name}");
    }
    // A region that reads only, and one that writes deep inside.
    for (writes, expected) in [(false, 2), (true, 0)] {
        let reads = shared(&|f| {
            let (x, here) = (f.argument(0), f.block);
            let (_, blocks) = f.structured("toy.if", &[x], 0, &[0, 0]);
            f.at(blocks[0]);
            let (_, inner) = f.structured("toy.if", &[x], 0, &[0, 0]);
            f.at(inner[0]);
            if writes {
                f.write(0, x);
            }
            let value = f.read(0);
            f.op("toy.yield", &[value], &[], &[]);
            for block in [inner[1], blocks[0], blocks[1]] {
                f.at(block).op("toy.yield", &[], &[], &[]);
            }
            f.at(here);
        });
        assert_eq!(reads, expected);
    }
}

#[test]
fn reads_follow_straight_edges_but_no_joins_loops_or_suspensions() {
    let context = context();
    let in_next_block = |connect: &dyn Fn(&mut Function<'_>, BlockId, ValueId) -> OpId| {
        let mut f = Function::new(&context, 1);
        let (first, x) = (f.read(0), f.argument(0));
        let next = f.new_block(1);
        connect(&mut f, next, x);
        f.at(next);
        let second = f.read(0);
        f.print(&[first, second]);
        f.ret(&[]);
        run(&mut f).reads
    };
    assert_eq!(in_next_block(&|f, next, x| f.br(next, &[x])), 1);
    assert_eq!(in_next_block(&|f, next, x| f.suspend(&[x], next, &[])), 0);
    // Two edges from one block: the block is entered by more than one.
    assert_eq!(in_next_block(&|f, next, x| f.cond_br(x, (next, &[x]), (next, &[x]))), 0);
    assert_eq!(
        in_next_block(&|f, next, x| {
            let other = f.new_block(0);
            f.cond_br(x, (next, &[x]), (other, &[]));
            f.at(other).write(0, x);
            f.br(next, &[x])
        }),
        0
    );
    // A loop that writes behind its read.
    let mut f = Function::new(&context, 1);
    let (header, x) = (f.new_block(0), f.argument(0));
    let before = f.read(0);
    f.br(header, &[]);
    f.at(header);
    let inside = f.read(0);
    f.print(&[before, inside]);
    f.write(0, x);
    f.br(header, &[]);
    assert_eq!(run(&mut f).reads, 0);
}

#[test]
fn pure_values_cross_a_suspension_and_a_thread_identity_does_not() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (x, resume) = (f.argument(0), f.new_block(1));
    let (sum, lane) = (f.add(x, x), f.number("toy.lane", &[]));
    f.suspend(&[sum, lane], resume, &[]);
    f.at(resume);
    let (again, other_lane) = (f.add(x, x), f.number("toy.lane", &[]));
    f.print(&[again, other_lane]);
    f.ret(&[]);
    assert_eq!(run(&mut f), CseStatistics { computations: 1, reads: 0 });
    let print = ops_named(&context, &f.body, "toy.print")[0];
    assert_eq!(f.body.operands(print).collect::<Vec<_>>(), [sum, other_lane]);
}

#[test]
fn unregistered_and_unknown_operations_are_kept() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (x, ty) = (f.argument(0), f.i32);
    for name in ["elsewhere.thing", "toy.opaque", "toy.lane", "toy.alloc"] {
        for _ in 0..2 {
            f.op(name, &[x], &[ty], &[]);
        }
    }
    f.ret(&[]);
    assert!(!run(&mut f).changed());
}

#[test]
fn bodies_do_not_share() {
    let context = context();
    let with_sum = |name: &str| {
        let mut f = Function::named(&context, name, 1, 1);
        let x = f.argument(0);
        let (a, b) = (f.add(x, x), f.add(x, x));
        f.ret(&[a, b]);
        f.body
    };
    let mut module = module(&context, vec![with_sum("a"), with_sum("b")]);
    let mut diagnostics = fermata_ir::Diagnostics::new();
    fermata_ir::pass::run_pass(&mut Cse, &context, &mut module, &mut diagnostics).unwrap();
    for name in ["a", "b"] {
        assert_eq!(ops_named(&context, function(&context, &module, name), "toy.add").len(), 1);
    }
}

#[test]
fn a_long_chain_of_blocks_is_no_trouble() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let x = f.argument(0);
    let length = 20_000;
    for _ in 0..length {
        let sum = f.add(x, x);
        f.print(&[sum]);
        let next = f.new_block(0);
        f.br(next, &[]);
        f.at(next);
    }
    f.ret(&[]);
    assert_eq!(run(&mut f).computations, length - 1);
    assert_eq!(count(&f, "toy.add"), 1);
}

#[test]
fn random_functions_keep_their_meaning_and_a_second_run_changes_nothing() {
    for (seeds, shape) in [
        (0..400, Shape { blocks: 8, ops: 12, locals: true, structured: false }),
        (400..600, Shape { blocks: 5, ops: 14, locals: true, structured: true }),
    ] {
        check_meaning(seeds, shape, |_, f, seed| {
            run(f);
            let again = run(f);
            assert!(!again.changed(), "seed {seed}: a second run erases {again:?}");
        });
    }
}
