//! Tests of a body's invariants against a plain model.

use super::{Body, OpId, OperationState, ValueId};
use crate::context::Context;
use crate::diagnostic::Diagnostics;
use crate::dialect::DialectRegistry;
use crate::location::Location;
use crate::types::Type;
use crate::verifier::{VerifyOptions, verify};

fn context() -> Context {
    Context::new(DialectRegistry::new())
}

fn state(context: &Context, operands: &[ValueId], results: usize) -> OperationState {
    let i32_type = Type::integer(context, 32);
    OperationState {
        operands: operands.into(),
        results: std::iter::repeat_n(i32_type, results).collect(),
        ..OperationState::new(context.operation_name("test.op"), Location::UNKNOWN)
    }
}

fn body_with_block(context: &Context) -> (Body, super::BlockId) {
    let mut body = Body::new(context.operation_name("test.root"), Location::UNKNOWN, 1);
    let block = body.create_block(&[]);
    let region = body.regions(body.root())[0];
    body.append_block(region, block);
    (body, block)
}

#[test]
fn order_follows_insertion_wherever_it_happens() {
    let context = context();
    let (mut body, block) = body_with_block(&context);
    let mut model: Vec<OpId> = Vec::new();
    let mut seed = 12345_u32;
    for _ in 0..500 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let op = body.create_op(state(&context, &[], 0));
        let at = (seed >> 8) as usize % (model.len() + 1);
        match model.get(at) {
            Some(&next) => body.insert_op_before(next, op),
            None => body.append_op(block, op),
        }
        model.insert(at, op);
        let (a, b) = ((seed >> 16) as usize % model.len(), (seed >> 4) as usize % model.len());
        assert_eq!(body.is_before_in_block(model[a], model[b]), a < b);
    }
    assert_eq!(body.ops(block).collect::<Vec<_>>(), model);
}

#[test]
fn replacing_all_uses_moves_every_use_and_no_other() {
    let context = context();
    let (mut body, block) = body_with_block(&context);
    let op = body.create_op(state(&context, &[], 3));
    body.append_op(block, op);
    let [a, b, c] = [0, 1, 2].map(|index| body.result(op, index));
    let user = body.create_op(state(&context, &[a, b, a, c, b], 0));
    body.append_op(block, user);
    body.replace_all_uses(a, b);
    assert_eq!(body.operands(user).collect::<Vec<_>>(), [b, b, b, c, b]);
    assert!(body.is_unused(a));
    assert_eq!(body.uses(b).count(), 4);
    body.set_operands(user, &[c, c]);
    assert_eq!((body.uses(b).count(), body.uses(c).count()), (0, 2));
    body.erase_op(user);
    assert!(body.is_unused(c) && body.is_erased(user));
}

#[test]
fn erasing_blocks_that_refer_to_each_other_leaves_no_use() {
    let context = context();
    let (mut body, entry) = body_with_block(&context);
    let outer = body.create_op(state(&context, &[], 1));
    body.append_op(entry, outer);
    let outer_value = body.result(outer, 0);
    let region = body.regions(body.root())[0];
    let [first, second] = [0, 1].map(|_| {
        let block = body.create_block(&[Type::integer(&context, 32)]);
        body.append_block(region, block);
        block
    });
    for (from, to) in [(first, second), (second, first)] {
        let argument = body.arguments(to)[0];
        let branch = body.create_op(OperationState {
            successors: [to].into_iter().collect(),
            ..state(&context, &[argument, outer_value], 0)
        });
        body.append_op(from, branch);
    }
    assert_eq!(body.predecessors(first).collect::<Vec<_>>(), [second]);
    body.erase_blocks(&[first, second]);
    assert!(body.is_unused(outer_value));
    assert_eq!(body.blocks(region).collect::<Vec<_>>(), [entry]);
}

#[test]
fn a_copy_refers_to_its_own_values() {
    let context = context();
    let (mut body, block) = body_with_block(&context);
    let outer = body.create_op(OperationState { regions: 1, ..state(&context, &[], 0) });
    body.append_op(block, outer);
    let region = body.regions(outer)[0];
    let inner = body.create_block(&[Type::integer(&context, 32)]);
    body.append_block(region, inner);
    let argument = body.arguments(inner)[0];
    let user = body.create_op(state(&context, &[argument], 1));
    body.append_op(inner, user);
    let copy = body.clone_op(outer, &mut super::IrMapping::new());
    let copied_block = body.entry_block(body.regions(copy)[0]).expect("the region was copied with its block");
    let copied_user = body.first_op(copied_block).expect("the block was copied with its operation");
    assert_eq!(body.operand(copied_user, 0), body.arguments(copied_block)[0]);
    assert_eq!(body.uses(argument).count(), 1);
}

#[test]
fn bodies_nested_100000_deep_are_dropped() {
    let context = context();
    let name = context.operation_name("test.root");
    let mut body = Body::new(name, Location::UNKNOWN, 1);
    for _ in 0..100_000 {
        let mut outer = Body::new(name, Location::UNKNOWN, 1);
        let anchor = outer.create_anchor(body);
        let block = outer.create_block(&[]);
        let region = outer.regions(outer.root())[0];
        outer.append_block(region, block);
        outer.append_op(block, anchor);
        body = outer;
    }
    drop(body);
}

#[test]
fn an_operation_is_52_bytes() {
    assert_eq!(size_of::<super::OperationData>(), 52);
    assert_eq!((size_of::<super::UseData>(), size_of::<super::ValueData>()), (16, 20));
}

/// A body with lists of every kind.
fn linked_body(context: &Context) -> Body {
    let (mut body, first) = body_with_block(context);
    let region = body.regions(body.root())[0];
    let second = body.create_block(&[Type::integer(context, 32); 2]);
    body.append_block(region, second);
    let op = body.create_op(state(context, &[], 2));
    body.append_op(first, op);
    let [a, b] = [0, 1].map(|index| body.result(op, index));
    let argument = body.arguments(second)[1];
    for operands in [vec![a, b, a], vec![argument, a]] {
        let user = body.create_op(state(context, &operands, 1));
        body.append_op(second, user);
    }
    for from in [first, second] {
        let branch = body.create_op(OperationState {
            successors: [second, second].into_iter().collect(),
            ..state(context, &[a], 0)
        });
        body.append_op(from, branch);
    }
    body
}

#[test]
fn a_body_that_its_methods_made_has_no_broken_link() {
    let context = context();
    let mut body = linked_body(&context);
    assert_eq!(body.broken_links(), []);
    let region = body.regions(body.root())[0];
    let second = body.last_block(region).expect("it has blocks");
    let users: Vec<OpId> = body.ops(second).collect();
    body.erase_op(users[1]);
    body.split_block(users[2]);
    assert_eq!(body.broken_links(), []);
}

#[test]
fn every_broken_link_is_found() {
    use super::{BlockId, UseId};
    type Damage = (&'static str, fn(&mut Body));
    let damages: [Damage; 14] = [
        ("next operation", |body| body.operations[2].next = Some(OpId::from_index(2))),
        ("previous operation", |body| body.operations[3].previous = None),
        ("block of an operation", |body| body.operations[2].parent = Some(BlockId::from_index(0))),
        ("last operation", |body| body.blocks[1].last_op = Some(OpId::from_index(2))),
        ("first operation", |body| body.blocks[1].first_op = None),
        ("next block", |body| body.blocks[0].next = None),
        ("region of a block", |body| body.blocks[1].parent = None),
        ("owner of a region", |body| body.regions[0].parent = OpId::from_index(1)),
        ("definition of a result", |body| body.values.swap(0, 2)),
        ("owner of an operand", |body| body.uses[1].owner = OpId::from_index(1)),
        ("value of an operand", |body| body.uses[1].value = Some(ValueId::from_index(2))),
        ("next use", |body| body.uses[0].next = Some(UseId::from_index(2))),
        ("block of a successor", |body| body.block_uses[0].block = Some(BlockId::from_index(0))),
        ("first use of a block", |body| body.blocks[1].first_use = None),
    ];
    let context = context();
    for (what, damage) in damages {
        let mut body = linked_body(&context);
        damage(&mut body);
        assert!(body.has_broken_links(), "the {what} is wrong and goes unseen");
        // The verifier goes no further, however the lists run.
        let options = VerifyOptions { check_links: true, ..VerifyOptions::default() };
        let mut diagnostics = Diagnostics::new();
        verify(&context, &body, &options, &mut diagnostics);
        assert!(diagnostics.as_slice().iter().all(|found| found.code == "broken-link") && diagnostics.has_errors());
    }
    let mut body = linked_body(&context);
    body.blocks[1].erased = true;
    assert!(body.has_broken_links(), "an erased block is still in its region");
}
