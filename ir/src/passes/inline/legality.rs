//! What may be inlined where.

use crate::body::{Body, OpId};
use crate::context::Context;
use crate::interfaces::{CallModel, FunctionModel, SuspendPointModel, only_ends_region};
use crate::operation::{OpRef, OperationTraits};

/// Whether calls of a function may be replaced by copies of its body, as far as the function itself goes.
pub(super) fn may_be_copied(context: &Context, body: &Body) -> bool {
    let root = OpRef::new(context, body, body.root());
    let allowed = root.interface::<FunctionModel>().is_some_and(|model| (model.is_inlinable)(root));
    let &[region] = root.regions() else { return false };
    allowed
        && body.entry_block(region).is_some()
        && body.blocks(region).all(|block| body.last_op(block).is_some())
        && body.all_ops().into_iter().all(|op| op_may_be_copied(root.at(op)))
}

fn op_may_be_copied(op: OpRef<'_>) -> bool {
    let is_nested = op.parent().is_some_and(|parent| parent.id != op.body.root());
    // A terminator that leaves the function from inside a region would leave the caller.
    let leaves =
        is_nested && op.has_trait(OperationTraits::TERMINATOR) && op.successors().len() == 0 && !only_ends_region(op);
    op.name().is_registered(op.context)
        && op.body.nested(op.id).is_none()
        && !op.has_trait(OperationTraits::SYMBOL)
        && op.interface::<SuspendPointModel>().is_none()
        && !leaves
}

/// Whether the body of a callee that [`may_be_copied`] fits in the place of a call: the types agree, several blocks
/// are allowed there if it has several, and returns can become jumps.
pub(super) fn call_fits(call: OpRef<'_>, callee: &Body) -> bool {
    let Some(model) = call.interface::<CallModel>() else { return false };
    let region = callee.regions(callee.root())[0];
    let Some(entry) = callee.entry_block(region) else { return false };
    let passed = (model.arguments)(call).map(|operand| call.operand_type(operand));
    let expected = callee.arguments(entry).iter().map(|&argument| callee.value_type(argument));
    let returns = returns(call.context, callee);
    let returns_fit = returns.iter().all(|&op| {
        callee.operands(op).map(|value| callee.value_type(value)).eq(call.results().map(|value| call.type_of(value)))
    });
    let stays_one_block = callee.entry_block(region) == callee.last_block(region) && !returns.is_empty();
    let room = stays_one_block || may_have_blocks(call);
    passed.eq(expected) && returns_fit && room && call.successors().len() == 0 && call.regions().is_empty()
}

/// Whether the region around an operation may have more than one block.
fn may_have_blocks(op: OpRef<'_>) -> bool {
    let Some(region) = op.block().and_then(|block| op.body.block_parent(block)) else { return false };
    let parent = op.at(op.body.region_parent(region));
    parent.id == op.body.root() && !parent.has_trait(OperationTraits::SINGLE_BLOCK)
        || op.body.entry_block(region) != op.body.last_block(region)
}

/// The terminators that return from a function.
pub(super) fn returns(context: &Context, body: &Body) -> Vec<OpId> {
    let region = body.regions(body.root())[0];
    let last = body.blocks(region).filter_map(|block| body.last_op(block));
    last.filter(|&op| OpRef::new(context, body, op).has_trait(OperationTraits::RETURN_LIKE)).collect()
}
