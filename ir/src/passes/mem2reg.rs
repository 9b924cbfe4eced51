//! Promotion of local memory to values.
//!
//! Problem: replace memory that one operation allocates and that is only loaded and stored by the values that are
//! stored, with block arguments where several meet.
//!
//! A slot is promoted if all uses of its pointer agree ([`PromotableAccessModel`]) and lie where the promotion can
//! follow them: directly in the region of the allocation, or in structured regions below if they only read
//! there. A pointer that is compared, stored, passed on, or used at another type or with a dynamic index keeps its slot
//! in memory; so does one whose values would meet where an edge does not say what it passes. Everything is asked
//! before the first change.
//!
//! Meaning: each execution of the allocation begins a new lifetime, so the allocation counts as a definition of its
//! own; in a loop nothing of the iteration before is seen. Reading before writing gives a value that is arbitrary but
//! fixed, made once before the allocation ([`PromotableAllocationModel`]). A suspension is an edge like any other,
//! since values cross it unchanged.
//!
//! Complexity: linear in operations plus the blocks where each slot is live, and near-linear for the dominator tree;
//! each branch is changed once for all slots.
//!
//! [`PromotableAccessModel`]: crate::interfaces::PromotableAccessModel
//! [`PromotableAllocationModel`]: crate::interfaces::PromotableAllocationModel

mod plan;
mod promote;

use rustc_hash::FxHashMap;

use crate::analysis::{ControlFlowGraph, RegionTree};
use crate::body::{Body, OpId, RegionId};
use crate::builder::Builder;
use crate::context::Context;
use crate::interfaces::{MemorySlot, PromotableAllocationModel};
use crate::operation::OpRef;
use crate::pass::{Pass, PassOutcome, PassResult, PassTarget};
use crate::rewrite::erase_all_unreachable_blocks;
use plan::plan_slots;
use promote::promote;

/// The pass `mem2reg`; see the module.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mem2Reg;

/// What a run of [`Mem2Reg`] did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Mem2RegStatistics {
    /// Slots that are values now.
    pub promoted: usize,
    /// Slots that some use keeps in memory.
    pub kept: usize,
    /// Block arguments added.
    pub arguments: usize,
    /// Unreachable blocks erased, since nothing reaches a load in one.
    pub blocks: usize,
}

impl Mem2RegStatistics {
    /// Whether anything was done.
    pub fn changed(self) -> bool {
        self.promoted > 0 || self.blocks > 0
    }
}

impl Pass for Mem2Reg {
    fn name(&self) -> &'static str {
        "mem2reg"
    }

    fn description(&self) -> &'static str {
        "Replaces local memory by values"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        target.for_each_body(&|target| {
            let statistics = self.run_on(target.context(), target.body_mut());
            target.statistic("slots promoted", statistics.promoted as u64);
            target.statistic("slots kept in memory", statistics.kept as u64);
            target.statistic("block arguments added", statistics.arguments as u64);
            Ok(PassOutcome::changed_if(statistics.changed()))
        })
    }
}

impl Mem2Reg {
    /// Promotes the slots of a body, but not those of bodies nested in it.
    pub fn run_on(&self, context: &Context, body: &mut Body) -> Mem2RegStatistics {
        let mut statistics = Mem2RegStatistics::default();
        if allocations(context, body).is_empty() {
            return statistics;
        }
        statistics.blocks = erase_all_unreachable_blocks(&mut Builder::new(context, body));
        for (region, slots) in allocations(context, body) {
            let tree = RegionTree::dominators(ControlFlowGraph::new(body, region));
            let plans = plan_slots(context, body, &tree, &slots);
            statistics.promoted += plans.len();
            statistics.kept += slots.len() - plans.len();
            statistics.arguments += promote(context, body, &tree, &plans);
        }
        statistics
    }
}

/// The slots of each region with the operations that allocate them, in textual order.
fn allocations(context: &Context, body: &Body) -> Vec<(RegionId, Vec<(OpId, MemorySlot)>)> {
    let mut found: Vec<(RegionId, Vec<(OpId, MemorySlot)>)> = Vec::new();
    let mut position = FxHashMap::default();
    for op in body.all_ops() {
        let view = OpRef::new(context, body, op);
        let Some(model) = view.interface::<PromotableAllocationModel>() else { continue };
        let slots = (model.promotable_slots)(view);
        let region = body.parent_block(op).and_then(|block| body.block_parent(block));
        if let Some(region) = region.filter(|_| !slots.is_empty()) {
            let position = *position.entry(region).or_insert_with(|| {
                found.push((region, Vec::new()));
                found.len() - 1
            });
            found[position].1.extend(slots.into_iter().map(|slot| (op, slot)));
        }
    }
    found
}
