//! Putting the body of a callee in the place of a call.

use super::legality::returns;
use crate::body::{BlockId, Body, IrMapping, OpId, ValueId};
use crate::builder::Builder;
use crate::context::Context;
use crate::dialect::Dialect;
use crate::interfaces::CallModel;
use crate::location::Location;
use crate::operation::{OpRef, OperationTraits};
use crate::rewrite::as_jump;

/// Replaces a call that fits by the body of its callee; `false`, with nothing changed, if a return cannot become a
/// jump.
pub(super) fn inline_call(context: &Context, body: &mut Body, call: OpId, callee: &Body) -> bool {
    let head = body.parent_block(call).expect("a call that is inlined is in a block");
    let region = callee.regions(callee.root())[0];
    let single_block = callee.entry_block(region) == callee.last_block(region);
    if !single_block && !returns_can_jump(context, body, callee, head) {
        return false;
    }
    let blocks = import(context, body, call, callee);
    let view = OpRef::new(context, body, call);
    let model = view.interface::<CallModel>().expect("what is inlined is a call");
    let passed: Vec<ValueId> = (model.arguments)(view).map(|operand| body.operand(call, operand)).collect();
    for (argument, value) in body.arguments(blocks[0]).to_vec().into_iter().zip(passed) {
        body.replace_all_uses(argument, value);
    }
    if single_block {
        splice_block(context, body, call, blocks[0]);
    } else {
        splice_blocks(context, body, call, &blocks);
    }
    true
}

/// Copies the callee's blocks to the end of the call's region; their operations are located at the call.
fn import(context: &Context, body: &mut Body, call: OpId, callee: &Body) -> Vec<BlockId> {
    let region = body.parent_block(call).and_then(|block| body.block_parent(block));
    let region = region.expect("a call that is inlined is in a region");
    let source = callee.regions(callee.root())[0];
    let mut mapping = IrMapping::new();
    body.import_region(callee, source, region, &mut mapping);
    let blocks: Vec<BlockId> = callee.blocks(source).map(|block| mapping.block(block)).collect();
    let caller = body.location(call);
    for &block in &blocks {
        let ops: Vec<OpId> = body.ops(block).collect();
        for op in ops {
            for inner in body.ops_inside(op).into_iter().chain([op]) {
                let location = Location::call_site(context, body.location(inner), caller);
                body.set_location(inner, location);
            }
        }
    }
    blocks
}

/// Puts the operations of a block before the call and its returned values, if it returns, in place of the results.
fn splice_block(context: &Context, body: &mut Body, call: OpId, block: BlockId) {
    let last = body.last_op(block).expect("a block of a function that is inlined has a terminator");
    if OpRef::new(context, body, last).has_trait(OperationTraits::RETURN_LIKE) {
        let returned: Vec<ValueId> = body.operands(last).collect();
        body.erase_op(last);
        while let Some(op) = body.first_op(block) {
            body.remove_op(op);
            body.insert_op_before(call, op);
        }
        for (result, value) in body.results(call).zip(returned) {
            body.replace_all_uses(result, value);
        }
        body.erase_op(call);
        body.erase_blocks(&[block]);
    } else {
        // The callee never comes back, so what follows the call is never reached.
        splice_blocks(context, body, call, &[block]);
    }
}

/// Splits the call's block, and puts the callee's blocks between the halves.
fn splice_blocks(context: &Context, body: &mut Body, call: OpId, blocks: &[BlockId]) {
    let head = body.parent_block(call).expect("a call that is inlined is in a block");
    let tail = body.split_block(call);
    for result in body.results(call) {
        let argument = body.add_argument(tail, body.value_type(result));
        body.replace_all_uses(result, argument);
    }
    body.erase_op(call);
    for &block in blocks {
        body.remove_block(block);
        body.insert_block_before(tail, block);
    }
    for &block in blocks {
        let last = body.last_op(block).expect("a block of a function that is inlined has a terminator");
        let view = OpRef::new(context, body, last);
        if view.has_trait(OperationTraits::RETURN_LIKE) {
            let dialect = dialect_of(view).expect("it was asked whether the return can become a jump");
            let returned: Vec<ValueId> = view.operands().collect();
            let mut builder = Builder::new(context, body);
            builder.before(last);
            let jump = dialect.materialize_branch(&mut builder, tail, &returned);
            jump.expect("it was asked whether the return can become a jump");
            builder.erase_op(last);
        }
    }
    let entry = blocks[0];
    while let Some(op) = body.first_op(entry) {
        body.remove_op(op);
        body.append_op(head, op);
    }
    body.erase_blocks(&[entry]);
}

fn dialect_of(op: OpRef<'_>) -> Option<&'static dyn Dialect> {
    op.context.dialect(op.name().dialect(op.context))
}

/// Tries whether the dialects of a callee's returns make jumps, on jumps that are put nowhere and erased.
fn returns_can_jump(context: &Context, body: &mut Body, callee: &Body, block: BlockId) -> bool {
    let mut names: Vec<&str> = Vec::new();
    for op in returns(context, callee) {
        let view = OpRef::new(context, callee, op);
        let name = view.name().dialect(context);
        if names.contains(&name) {
            continue;
        }
        names.push(name);
        let mut builder = Builder::new(context, body);
        let jump = dialect_of(view).and_then(|dialect| dialect.materialize_branch(&mut builder, block, &[]));
        let Some(jump) = jump else { return false };
        let sound = as_jump(builder.op(jump)).is_some_and(|made| made.destination == block);
        builder.erase_op(jump);
        if !sound {
            return false;
        }
    }
    true
}
