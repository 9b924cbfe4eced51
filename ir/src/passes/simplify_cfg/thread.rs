//! Blocks that hold nothing but a jump, and the edges that skip them.

use crate::body::{BlockId, OpId, ValueDefinition, ValueId};
use crate::builder::Builder;
use crate::interfaces::edit_forwarded_operands;
use crate::operation::OpRef;
use crate::rewrite::{Jump, as_jump, is_plain_branch};

/// By how many operands the edges that skip a block may grow.
const ALLOWED_GROWTH: usize = 16;

/// The jump that all edges to `block` can take themselves: `block` holds nothing else, its arguments are used there
/// only, and every edge to it belongs to a plain branch, so that the block goes away. `view` is any operation of the
/// body.
pub(super) fn find(view: OpRef<'_>, block: BlockId) -> Option<Jump> {
    let body = view.body;
    let op = body.first_op(block)?;
    if body.is_entry_block(block) || body.next_op(op).is_some() {
        return None;
    }
    let jump = as_jump(view.at(op))?;
    let only_forwarded = |&argument: &ValueId| body.users(argument).all(|user| user == op);
    if jump.destination == block || !body.arguments(block).iter().all(only_forwarded) {
        return None;
    }
    let mut edges = 0;
    for (branch, _) in body.predecessor_edges(block) {
        if !is_plain_branch(view.at(branch)) {
            return None;
        }
        edges += 1;
    }
    let (before, after) = (body.arguments(block).len(), jump.arguments.len());
    (edges > 0 && edges * after <= edges * before + after + ALLOWED_GROWTH).then_some(jump)
}

/// Leads all edges past `block`, and erases it.
pub(super) fn apply(builder: &mut Builder<'_>, block: BlockId, jump: &Jump) {
    let context = builder.context();
    let definitions: Vec<ValueDefinition> =
        jump.arguments.iter().map(|&value| builder.body().definition(value)).collect();
    let mut branches: Vec<OpId> = builder.body().predecessor_edges(block).map(|(branch, _)| branch).collect();
    branches.sort_unstable();
    branches.dedup();
    for branch in branches {
        let targets: Vec<BlockId> = builder.body().successors(branch).collect();
        builder.modify(branch, |body| {
            edit_forwarded_operands(context, body, branch, |index, forwarded| {
                if targets[index] == block {
                    let resolve = |(&value, definition): (&ValueId, &ValueDefinition)| match *definition {
                        ValueDefinition::Argument { block: of, index } if of == block => forwarded[index as usize],
                        _ => value,
                    };
                    *forwarded = jump.arguments.iter().zip(&definitions).map(resolve).collect();
                }
            });
            for (index, &target) in targets.iter().enumerate() {
                if target == block {
                    body.set_successor(branch, index, jump.destination);
                }
            }
        });
    }
    builder.erase_blocks(&[block]);
}
