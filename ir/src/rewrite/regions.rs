//! Simplifications of control flow that need no dialect: unreachable blocks, and branches that have one way to go.

use crate::body::{BlockId, Body, OpId, RegionId, ValueId};
use crate::builder::Builder;
use crate::interfaces::{BranchModel, SuspendPointModel, constant_value, memory_effects};
use crate::operation::{OpRef, OperationTraits};

/// Which blocks of a region can be reached from its entry, as a table over block indices. Edges count whatever
/// operation they belong to. Linear in blocks and edges; no recursion.
pub fn mark_reachable(body: &Body, region: RegionId, reachable: &mut [bool]) {
    let mut pending: Vec<BlockId> = body.entry_block(region).into_iter().collect();
    while let Some(block) = pending.pop() {
        if !std::mem::replace(&mut reachable[block.index()], true) {
            pending.extend(body.block_successors(block));
        }
    }
}

/// Erases the blocks of a region that cannot be reached from its entry, and returns how many there were.
pub fn erase_unreachable_blocks(builder: &mut Builder<'_>, region: RegionId) -> usize {
    let body = builder.body();
    if body.entry_block(region) == body.last_block(region) {
        return 0;
    }
    let mut reachable = vec![false; body.block_capacity()];
    mark_reachable(body, region, &mut reachable);
    let dead: Vec<BlockId> = body.blocks(region).filter(|block| !reachable[block.index()]).collect();
    if !dead.is_empty() {
        builder.erase_blocks(&dead);
    }
    dead.len()
}

/// Erases the unreachable blocks of all regions of a body, and returns how many there were. Linear in its size.
pub fn erase_all_unreachable_blocks(builder: &mut Builder<'_>) -> usize {
    let body = builder.body();
    let mut reachable = vec![false; body.block_capacity()];
    let mut dead = Vec::new();
    let mut pending = vec![body.root()];
    while let Some(op) = pending.pop() {
        for &region in body.regions(op) {
            mark_reachable(body, region, &mut reachable);
            for block in body.blocks(region) {
                if reachable[block.index()] {
                    pending.extend(body.ops(block).filter(|&op| !body.regions(op).is_empty()));
                } else {
                    dead.push(block);
                }
            }
        }
    }
    if !dead.is_empty() {
        builder.erase_blocks(&dead);
    }
    dead.len()
}

/// The only way that a branch goes: where, and with what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Jump {
    /// The block.
    pub destination: BlockId,
    /// The values of its arguments.
    pub arguments: Vec<ValueId>,
}

/// Whether a terminator does nothing but choose an edge: it has no effects, results or regions, it is not a suspend
/// point, and it produces no arguments itself.
pub fn is_plain_branch(op: OpRef<'_>) -> bool {
    let produces = |model: &BranchModel| {
        (0..op.successors().len()).any(|index| (model.successor_operands)(op, index).produced > 0)
    };
    op.has_trait(OperationTraits::TERMINATOR)
        && op.result_count() == 0
        && op.regions().is_empty()
        && op.body.nested(op.id).is_none()
        && op.interface::<SuspendPointModel>().is_none()
        && op.interface::<BranchModel>().is_some_and(|model| !produces(model))
        && memory_effects(op).is_some_and(|effects| effects.is_empty())
}

/// Where a terminator goes if it does nothing but go to one block: it has one successor, and no operands but what
/// it forwards.
pub fn as_jump(op: OpRef<'_>) -> Option<Jump> {
    if op.successors().len() != 1 || !is_plain_branch(op) {
        return None;
    }
    let jump = edge(op, 0)?;
    (jump.arguments.len() == op.operand_count()).then_some(jump)
}

/// An edge of a plain branch as a jump.
pub fn edge(op: OpRef<'_>, index: usize) -> Option<Jump> {
    let model = op.interface::<BranchModel>()?;
    let forwarded = (model.successor_operands)(op, index).forwarded;
    let arguments = forwarded.map(|operand| op.operand(operand)).collect();
    Some(Jump { destination: op.body.successor(op.id, index), arguments })
}

/// Where a plain branch that is not a jump yet always goes: the constants among its operands decide, or all its edges
/// are the same.
pub fn decided_branch(op: OpRef<'_>) -> Option<Jump> {
    if op.successors().len() == 0 || !is_plain_branch(op) || as_jump(op).is_some() {
        return None;
    }
    let model = op.interface::<BranchModel>()?;
    let constants: Vec<_> = op.operands().map(|operand| constant_value(op.context, op.body, operand)).collect();
    if let Some(taken) = (model.taken_successor)(op, &constants).filter(|&taken| taken < op.successors().len()) {
        return edge(op, taken);
    }
    let first = edge(op, 0)?;
    (1..op.successors().len()).all(|index| edge(op, index).as_ref() == Some(&first)).then_some(first)
}

/// Replaces the terminator `op` by a jump that its dialect makes; `false`, with nothing changed, if it makes none.
pub fn replace_by_jump(builder: &mut Builder<'_>, op: OpId, jump: &Jump) -> bool {
    let context = builder.context();
    let Some(dialect) = context.dialect(builder.op(op).name().dialect(context)) else {
        return false;
    };
    builder.before(op);
    let Some(made) = dialect.materialize_branch(builder, jump.destination, &jump.arguments) else {
        return false;
    };
    if as_jump(builder.op(made)).as_ref() != Some(jump) {
        builder.erase_op(made);
        return false;
    }
    builder.erase_op(op);
    true
}
