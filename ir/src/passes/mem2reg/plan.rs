//! Deciding which slots can be promoted, and how.

use crate::analysis::{RegionTree, ancestor_in_block, ancestor_in_region};
use crate::body::{BlockId, Body, OpId};
use crate::context::Context;
use crate::interfaces::{MemorySlot, PromotableAccessModel, RegionBranchModel, SlotAccess};
use crate::operation::OpRef;
use crate::rewrite::{JoinFinder, check_joins};

/// How a slot will be promoted.
pub(super) struct Plan {
    pub(super) allocation: OpId,
    /// The block of the allocation.
    pub(super) block: BlockId,
    pub(super) slot: MemorySlot,
    /// All accesses: blocks before those that they dominate, and in the order of execution in a block.
    pub(super) accesses: Vec<PlannedAccess>,
    /// Blocks that need an argument.
    pub(super) joins: Vec<BlockId>,
}

pub(super) struct PlannedAccess {
    pub(super) op: OpId,
    /// The block of the slot's region that holds it.
    pub(super) block: BlockId,
    pub(super) access: SlotAccess,
    /// What stands directly in that block: the operation itself, or what it is nested in.
    anchor: OpId,
}

/// Plans for those of the slots that can be promoted. All of them are allocated directly in the region of the tree,
/// where every block is reachable.
pub(super) fn plan_slots(context: &Context, body: &Body, tree: &RegionTree, slots: &[(OpId, MemorySlot)]) -> Vec<Plan> {
    let mut finder = JoinFinder::new(tree);
    slots
        .iter()
        .filter_map(|&(allocation, slot)| plan_slot(context, body, tree, &mut finder, allocation, slot))
        .collect()
}

fn plan_slot(
    context: &Context,
    body: &Body,
    tree: &RegionTree,
    finder: &mut JoinFinder<'_>,
    allocation: OpId,
    slot: MemorySlot,
) -> Option<Plan> {
    let block = body.parent_block(allocation)?;
    let mut accesses = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for user in body.users(slot.pointer) {
        if seen.insert(user) {
            accesses.push(plan_access(OpRef::new(context, body, user), block, &slot)?);
        }
    }
    let position = |block: BlockId| tree.graph().node(block).and_then(|node| tree.tree().position(node));
    accesses.sort_by(|a, b| {
        position(a.block).cmp(&position(b.block)).then_with(|| match a.anchor == b.anchor {
            // Accesses nested in one operation only read.
            true => a.op.cmp(&b.op),
            false if body.is_before_in_block(a.anchor, b.anchor) => std::cmp::Ordering::Less,
            false => std::cmp::Ordering::Greater,
        })
    });
    let (mut definitions, mut exposed) = (vec![block], Vec::new());
    for group in accesses.chunk_by(|a, b| a.block == b.block) {
        let here = group[0].block;
        let written = group.iter().position(|access| access.access.writes);
        let read = group.iter().position(|access| access.access.reads);
        if here != block {
            // An access that does both reads first.
            if read.is_some_and(|read| written.is_none_or(|written| read <= written)) {
                exposed.push(here);
            }
            if written.is_some() {
                definitions.push(here);
            }
        }
    }
    let joins = finder.find(&definitions, &exposed);
    check_joins(context, body, &joins).ok()?;
    Some(Plan { allocation, block, slot, accesses, joins })
}

/// How an operation that uses the pointer is promoted, if it can be.
fn plan_access(user: OpRef<'_>, allocated_in: BlockId, slot: &MemorySlot) -> Option<PlannedAccess> {
    let body = user.body;
    let access = (user.interface::<PromotableAccessModel>()?.slot_access)(user, slot)?;
    let region = body.block_parent(allocated_in)?;
    let block = ancestor_in_region(body, user.block()?, region)?;
    let anchor = ancestor_in_block(body, user.id, block)?;
    if anchor != user.id && (access.writes || !is_structured(user, anchor)) {
        return None;
    }
    Some(PlannedAccess { op: user.id, block, access, anchor })
}

/// Whether all operations from the one around `op` up to `outermost` run their regions there and then.
fn is_structured(op: OpRef<'_>, outermost: OpId) -> bool {
    let mut around = op;
    while let Some(parent) = around.parent() {
        if parent.interface::<RegionBranchModel>().is_none() {
            return false;
        }
        if parent.id == outermost {
            return true;
        }
        around = parent;
    }
    false
}
