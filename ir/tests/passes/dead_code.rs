//! Dead code elimination.

use fermata_ir::passes::DeadCodeElimination;

use crate::evaluate::ops_named;
use crate::generate::{Shape, check_meaning};
use crate::support::Function;
use crate::toy::context;

#[test]
fn a_value_that_only_feeds_itself_around_a_loop_goes() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (header, exit) = (f.new_block(2), f.new_block(0));
    let x = f.argument(0);
    f.br(header, &[x, x]);
    f.at(header);
    let (counter, idle) = (f.body.arguments(header)[0], f.body.arguments(header)[1]);
    let one = f.constant(1);
    let next = f.number("toy.sub", &[counter, one]);
    let more = f.add(idle, counter);
    f.cond_br(next, (header, &[next, more]), (exit, &[]));
    f.at(exit);
    f.ret(&[]);
    let statistics = DeadCodeElimination.run_on(&context, &mut f.body);
    assert_eq!((statistics.operations, statistics.arguments, statistics.blocks), (1, 1, 0));
    assert_eq!(f.body.arguments(header), [counter]);
    assert_eq!(f.names(header), ["constant", "sub", "cond_br"]);
    let branch = f.body.last_op(header).unwrap();
    assert_eq!(f.body.operands(branch).collect::<Vec<_>>(), [next, next]);
    assert!(!DeadCodeElimination.run_on(&context, &mut f.body).changed());
}

#[test]
fn an_argument_that_a_suspension_delivers_stays_and_one_that_it_forwards_goes() {
    let context = context();
    let mut f = Function::new(&context, 2);
    let resume = f.new_block(3);
    let (x, y) = (f.argument(0), f.argument(1));
    f.suspend(&[x], resume, &[x, y]);
    f.at(resume);
    let last = f.body.arguments(resume)[2];
    f.ret(&[last]);
    assert_eq!(DeadCodeElimination.run_on(&context, &mut f.body).arguments, 1);
    assert_eq!(f.body.arguments(resume).len(), 2);
    let suspend = f.body.last_op(f.entry()).unwrap();
    assert_eq!(f.body.operands(suspend).collect::<Vec<_>>(), [x, y]);
}

#[test]
fn arguments_of_a_switch_go_from_all_of_its_edges() {
    let context = context();
    let mut f = Function::new(&context, 2);
    let (a, b) = (f.new_block(2), f.new_block(1));
    let (x, y) = (f.argument(0), f.argument(1));
    f.switch_br(x, &[(a, vec![x, y]), (b, vec![y]), (a, vec![y, x])]);
    f.at(a);
    let kept = f.body.arguments(a)[1];
    f.ret(&[kept]);
    f.at(b);
    f.ret(&[]);
    assert_eq!(DeadCodeElimination.run_on(&context, &mut f.body).arguments, 2);
    let switch = f.body.last_op(f.entry()).unwrap();
    assert_eq!(f.body.operands(switch).collect::<Vec<_>>(), [x, y, x]);
    let sizes = f.body.properties(switch).get(&context, "sizes").unwrap();
    assert_eq!(sizes.dense_i32_values(&context).unwrap().collect::<Vec<_>>(), [1, 0, 1]);
}

#[test]
fn arguments_stay_where_an_edge_does_not_say_what_it_passes() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (other, target) = (f.new_block(0), f.new_block(1));
    let x = f.argument(0);
    let doubled = f.add(x, x);
    f.cond_br(x, (target, &[doubled]), (other, &[]));
    f.at(other);
    f.terminator("elsewhere.br", &[x], &[target], &[]);
    f.at(target);
    f.ret(&[]);
    assert!(!DeadCodeElimination.run_on(&context, &mut f.body).changed());
    assert_eq!(f.body.arguments(target).len(), 1);
}

#[test]
fn regions_that_do_nothing_go_and_those_that_may_not_end_stay() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let x = f.argument(0);
    let build_loop = |f: &mut Function<'_>, ends: bool| {
        let here = f.block;
        let (op, blocks) = f.structured("toy.loop", &[x], 1, &[1]);
        if ends {
            let unit = fermata_ir::Attribute::unit(f.context);
            f.body.set_property(f.context, op, "ends", Some(unit));
        }
        f.at(blocks[0]);
        let argument = f.body.arguments(blocks[0])[0];
        f.op("toy.next", &[argument, argument], &[], &[]);
        f.at(here);
        op
    };
    let ending = build_loop(&mut f, true);
    let endless = build_loop(&mut f, false);
    let (leaving, blocks) = f.structured("toy.if", &[x], 0, &[0, 0]);
    let here = f.block;
    f.at(blocks[0]).op("toy.leave", &[], &[], &[]);
    f.at(blocks[1]).op("toy.yield", &[], &[], &[]);
    f.at(here).ret(&[]);
    assert_eq!(DeadCodeElimination.run_on(&context, &mut f.body).operations, 2);
    assert!(f.body.is_erased(ending));
    assert!(!f.body.is_erased(endless) && !f.body.is_erased(leaving));
}

#[test]
fn a_loop_that_does_nothing_is_not_assumed_to_end() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (spin, exit) = (f.new_block(0), f.new_block(0));
    let x = f.argument(0);
    f.br(spin, &[]);
    f.at(spin);
    f.cond_br(x, (spin, &[]), (exit, &[]));
    f.at(exit).ret(&[]);
    assert!(!DeadCodeElimination.run_on(&context, &mut f.body).changed());
}

#[test]
fn random_functions_keep_their_meaning() {
    let shape = Shape { blocks: 9, ops: 6, locals: true, structured: true };
    check_meaning(0..300, shape, |context, f, seed| {
        let unknown = ["elsewhere.thing", "toy.opaque", "toy.print", "toy.write"];
        let reachable = |f: &Function<'_>| unknown.map(|name| ops_named(context, &f.body, name).len());
        fermata_ir::rewrite::erase_all_unreachable_blocks(&mut f.builder());
        let before = reachable(f);
        DeadCodeElimination.run_on(context, &mut f.body);
        assert_eq!(before, reachable(f), "seed {seed}: an operation with an effect is gone");
        let again = DeadCodeElimination.run_on(context, &mut f.body);
        assert!(!again.changed(), "seed {seed}: a second run erases {again:?}");
    });
}
