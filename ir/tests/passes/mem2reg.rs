//! Promotion of local memory, and scalar replacement of aggregates.

use fermata_ir::passes::{Mem2Reg, Mem2RegStatistics, Sroa, SroaStatistics};
use fermata_ir::{Context, Type, TypeKind};

use crate::evaluate::{End, Value, ops_named, run};
use crate::generate::{Shape, check_meaning};
use crate::support::Function;
use crate::toy::context;

fn promote(f: &mut Function<'_>) -> Mem2RegStatistics {
    Mem2Reg.run_on(f.context, &mut f.body)
}

fn take_apart(f: &mut Function<'_>) -> SroaStatistics {
    Sroa::default().run_on(f.context, &mut f.body)
}

fn count(f: &Function<'_>, name: &str) -> usize {
    ops_named(f.context, &f.body, name).len()
}

fn tuple(context: &Context, parts: &[Type]) -> Type {
    context.intern_type(TypeKind::Tuple(parts.into()))
}

fn returns(f: &Function<'_>, arguments: &[i32]) -> Vec<Value> {
    match run(f.context, &f.body, arguments, 5000).end {
        End::Return(values) => values,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_variable_that_a_loop_counts_becomes_an_argument() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (header, exit) = (f.new_block(0), f.new_block(0));
    let sum = f.alloc(f.i32);
    let zero = f.constant(0);
    f.store(zero, sum);
    let left = f.alloc(f.i32);
    let x = f.argument(0);
    f.store(x, left);
    f.br(header, &[]);
    f.at(header);
    let (ty, now) = (f.i32, f.load(left, f.i32));
    let so_far = f.load(sum, ty);
    let more = f.add(so_far, now);
    f.store(more, sum);
    let one = f.constant(1);
    let next = f.number("toy.sub", &[now, one]);
    f.store(next, left);
    f.cond_br(next, (header, &[]), (exit, &[]));
    f.at(exit);
    let result = f.load(sum, ty);
    f.ret(&[result]);
    let statistics = promote(&mut f);
    assert_eq!((statistics.promoted, statistics.kept, statistics.arguments), (2, 0, 2));
    assert_eq!(f.names(header), ["add", "constant", "sub", "cond_br"]);
    assert_eq!(count(&f, "toy.alloc"), 0);
    // 4 + 3 + 2 + 1
    assert_eq!(returns(&f, &[4]), [Value::Number(10)]);
}

#[test]
fn an_allocation_in_a_loop_starts_anew_each_time() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (header, write, join, exit) = (f.new_block(1), f.new_block(0), f.new_block(0), f.new_block(0));
    let x = f.argument(0);
    f.br(header, &[x]);
    f.at(header);
    let counter = f.body.arguments(header)[0];
    let slot = f.alloc(f.i32);
    // Written in the first round only; the second reads memory of its own.
    f.print(&[counter]);
    let different = f.number("toy.sub", &[counter, x]);
    f.cond_br(different, (join, &[]), (write, &[]));
    f.at(write);
    let value = f.constant(99);
    f.store(value, slot);
    f.br(join, &[]);
    f.at(join);
    let ty = f.i32;
    let (first, second) = (f.load(slot, ty), f.load(slot, ty));
    f.print(&[first, second]);
    let one = f.constant(1);
    let next = f.number("toy.sub", &[counter, one]);
    f.cond_br(next, (header, &[next]), (exit, &[]));
    f.at(exit).ret(&[]);
    let before = run(&context, &f.body, &[2], 500);
    let statistics = promote(&mut f);
    // Nothing meets at the head of the loop: what the round before wrote is gone.
    assert_eq!((statistics.promoted, f.body.arguments(header).len()), (1, 1));
    assert_eq!(f.body.arguments(join).len(), 1);
    assert_eq!(before.difference(&run(&context, &f.body, &[2], 500)), None);
}

#[test]
fn memory_read_before_it_is_written_has_one_value() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (slot, ty) = (f.alloc(f.i32), f.i32);
    let (a, b) = (f.load(slot, ty), f.load(slot, ty));
    f.ret(&[a, b]);
    assert_eq!(promote(&mut f).promoted, 1);
    let ret = ops_named(&context, &f.body, "toy.return")[0];
    assert_eq!(f.body.operand(ret, 0), f.body.operand(ret, 1));
    assert_eq!(f.names(f.entry()), ["constant", "return"]);
}

#[test]
fn a_store_of_a_part_reads_the_rest() {
    let context = context();
    let mut f = Function::new(&context, 2);
    let pair = tuple(&context, &[f.i32, f.i32]);
    let slot = f.alloc(pair);
    let (x, y) = (f.argument(0), f.argument(1));
    for (index, value) in [(0, x), (1, y), (0, y)] {
        let index = f.integer(index);
        f.op("toy.store_part", &[value, slot], &[], &[("index", index)]);
    }
    let whole = f.load(slot, pair);
    let part = |f: &mut Function<'_>, index: i32| {
        let (index, ty) = (f.integer(index), f.i32);
        let op = f.op("toy.extract", &[whole], &[ty], &[("index", index)]);
        f.body.result(op, 0)
    };
    let parts = [part(&mut f, 0), part(&mut f, 1)];
    f.ret(&parts);
    assert_eq!(promote(&mut f).promoted, 1);
    assert_eq!(returns(&f, &[5, 6]), [Value::Number(6), Value::Number(6)]);
    assert_eq!(count(&f, "toy.insert"), 3);
}

#[test]
fn addresses_that_are_compared_stored_or_passed_on_stay() {
    let context = context();
    for keep in ["toy.same", "toy.store", "elsewhere.escape", "toy.print"] {
        let mut f = Function::new(&context, 0);
        let ty = f.i32;
        let (a, b) = (f.alloc(ty), f.alloc(ty));
        let one = f.constant(1);
        f.store(one, a);
        let pointer = f.body.value_type(b);
        let holder = f.alloc(pointer);
        let (operands, results) = match keep {
            "toy.same" => (vec![a, b], vec![ty]),
            "toy.store" => (vec![a, holder], vec![]),
            _ => (vec![a], vec![]),
        };
        f.op(keep, &operands, &results, &[]);
        let value = f.load(a, ty);
        f.ret(&[value]);
        promote(&mut f);
        assert!(!f.body.is_erased(f.body.defining_op(a).unwrap()), "{keep}");
        assert_eq!(count(&f, "toy.load"), 1, "{keep}");
    }
}

#[test]
fn a_graph_without_loop_headers_is_no_obstacle() {
    let context = context();
    let mut f = Function::new(&context, 1);
    // Two blocks that lead to each other, both entered from outside.
    let (a, b, exit) = (f.new_block(0), f.new_block(0), f.new_block(0));
    let (slot, ty) = (f.alloc(f.i32), f.i32);
    let x = f.argument(0);
    f.store(x, slot);
    f.cond_br(x, (a, &[]), (b, &[]));
    for (here, there) in [(a, b), (b, a)] {
        f.at(here);
        let value = f.load(slot, ty);
        let one = f.constant(1);
        let less = f.number("toy.sub", &[value, one]);
        f.store(less, slot);
        f.cond_br(less, (there, &[]), (exit, &[]));
    }
    f.at(exit);
    let value = f.load(slot, ty);
    f.ret(&[value]);
    let statistics = promote(&mut f);
    assert_eq!((statistics.promoted, statistics.arguments), (1, 3));
    assert_eq!(returns(&f, &[7]), [Value::Number(0)]);
}

#[test]
fn values_live_through_a_suspension() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let resume = f.new_block(1);
    let (slot, ty) = (f.alloc(f.i32), f.i32);
    let x = f.argument(0);
    f.store(x, slot);
    f.suspend(&[], resume, &[]);
    f.at(resume);
    let value = f.load(slot, ty);
    let delivered = f.body.arguments(resume)[0];
    f.ret(&[value, delivered]);
    assert_eq!(promote(&mut f).promoted, 1);
    let ret = ops_named(&context, &f.body, "toy.return")[0];
    assert_eq!(f.body.operand(ret, 0), x);
}

#[test]
fn structured_regions_may_read_but_not_write() {
    let context = context();
    for writes in [false, true] {
        let mut f = Function::new(&context, 2);
        let (slot, ty) = (f.alloc(f.i32), f.i32);
        let (x, y) = (f.argument(0), f.argument(1));
        f.store(y, slot);
        let (op, blocks) = f.structured("toy.if", &[x], 1, &[0, 0]);
        let here = f.block;
        f.at(blocks[0]);
        let value = f.load(slot, ty);
        if writes {
            f.store(x, slot);
        }
        f.op("toy.yield", &[value], &[], &[]);
        f.at(blocks[1]);
        f.op("toy.yield", &[x], &[], &[]);
        f.at(here);
        let result = f.body.result(op, 0);
        f.store(x, slot);
        let after = f.load(slot, ty);
        f.ret(&[result, after]);
        assert_eq!(promote(&mut f).promoted, usize::from(!writes));
        assert_eq!(returns(&f, &[3, 4]), [Value::Number(4), Value::Number(3)]);
    }
    // What an unknown operation does with its region is not known either.
    let mut f = Function::new(&context, 1);
    let (slot, ty) = (f.alloc(f.i32), f.i32);
    let (_, blocks) = f.structured("elsewhere.region", &[], 0, &[0]);
    let here = f.block;
    f.at(blocks[0]).load(slot, ty);
    f.at(here).ret(&[]);
    assert_eq!(promote(&mut f).kept, 1);
}

#[test]
fn slots_are_kept_where_an_edge_does_not_say_what_it_passes() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (a, join) = (f.new_block(0), f.new_block(0));
    let (slot, ty) = (f.alloc(f.i32), f.i32);
    let x = f.argument(0);
    f.store(x, slot);
    f.cond_br(x, (a, &[]), (join, &[]));
    f.at(a);
    let one = f.constant(1);
    f.store(one, slot);
    f.terminator("elsewhere.br", &[], &[join], &[]);
    f.at(join);
    let value = f.load(slot, ty);
    f.ret(&[value]);
    let statistics = promote(&mut f);
    assert_eq!((statistics.promoted, statistics.kept), (0, 1));
    assert_eq!((count(&f, "toy.load"), count(&f, "toy.store")), (1, 2));
}

#[test]
fn aggregates_of_aggregates_come_apart() {
    let context = context();
    let mut f = Function::new(&context, 2);
    let number = f.i32;
    let pair = tuple(&context, &[number, number]);
    let nested = tuple(&context, &[number, pair]);
    let slot = f.alloc(nested);
    let (x, y) = (f.argument(0), f.argument(1));
    let first = f.part(slot, 0, number);
    f.store(x, first);
    let inner = f.part(slot, 1, pair);
    let second = f.part(inner, 1, number);
    f.store(y, second);
    let whole = f.load(inner, pair);
    let index = f.integer(1);
    let op = f.op("toy.extract", &[whole], &[number], &[("index", index)]);
    let (a, b) = (f.load(first, number), f.body.result(op, 0));
    f.ret(&[a, b]);
    let statistics = take_apart(&mut f);
    // Two slots are replaced: the outer one by two, one of these by two.
    assert_eq!((statistics.slots, statistics.parts, statistics.kept), (2, 4, 0));
    assert_eq!(promote(&mut f).promoted, 3);
    assert_eq!(count(&f, "toy.alloc"), 0);
    assert_eq!(returns(&f, &[8, 9]), [Value::Number(8), Value::Number(9)]);
}

#[test]
fn aggregates_with_dynamic_or_wrong_indices_stay_whole() {
    let context = context();
    for case in ["dynamic", "out of range", "too many parts"] {
        let mut f = Function::new(&context, 1);
        let number = f.i32;
        let count_of_parts = if case == "too many parts" { 100 } else { 2 };
        let slot = f.alloc(tuple(&context, &vec![number; count_of_parts]));
        let x = f.argument(0);
        let good = f.part(slot, 0, number);
        f.store(x, good);
        let ty = f.body.value_type(good);
        match case {
            "dynamic" => drop(f.op("toy.part_at", &[slot, x], &[ty], &[])),
            "out of range" => drop(f.part(slot, 5, number)),
            _ => {}
        }
        f.ret(&[]);
        assert_eq!(take_apart(&mut f), SroaStatistics { slots: 0, parts: 0, kept: 1 }, "{case}");
        assert_eq!(count(&f, "toy.alloc"), 1, "{case}");
    }
}

#[test]
fn many_slots_in_many_blocks() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (slots, ty) = ((0..1000).map(|_| f.alloc(f.i32)).collect::<Vec<_>>(), f.i32);
    let x = f.argument(0);
    for &slot in &slots {
        f.store(x, slot);
    }
    for chunk in slots.chunks(2) {
        let (side, join) = (f.new_block(0), f.new_block(0));
        f.cond_br(x, (side, &[]), (join, &[]));
        f.at(side);
        let one = f.constant(1);
        f.store(one, chunk[0]);
        f.br(join, &[]);
        f.at(join);
    }
    let loaded: Vec<_> = slots.iter().map(|&slot| f.load(slot, ty)).collect();
    f.ret(&loaded);
    let statistics = promote(&mut f);
    assert_eq!((statistics.promoted, statistics.arguments), (1000, 500));
}

#[test]
fn random_functions_keep_their_meaning() {
    for (seeds, shape) in [
        (0..400, Shape { blocks: 10, ops: 10, locals: true, structured: false }),
        (400..600, Shape { blocks: 6, ops: 12, locals: true, structured: true }),
    ] {
        check_meaning(seeds, shape, |context, f, seed| {
            Sroa::default().run_on(context, &mut f.body);
            let statistics = Mem2Reg.run_on(context, &mut f.body);
            // What is left is what a print sees, or an unused address of a part, or meets at an edge that says nothing.
            let unknown_edges = count(f, "elsewhere.br") > 0;
            for op in ops_named(context, &f.body, "toy.alloc") {
                let mut users = f.body.users(f.body.result(op, 0));
                let kept = users.any(|user| {
                    let name = f.body.operation_name(user).as_str(context);
                    name != "toy.load" && name != "toy.store"
                });
                assert!(kept || unknown_edges, "seed {seed}: a slot stays for no reason");
            }
            let again = Mem2Reg.run_on(context, &mut f.body);
            assert!(!again.changed(), "seed {seed}: {statistics:?}, then {again:?}");
        });
    }
}
