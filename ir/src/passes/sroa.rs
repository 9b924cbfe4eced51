//! Scalar replacement of aggregates.
//!
//! Problem: replace local memory that holds an aggregate by memory for each part that is accessed, so that `mem2reg`
//! can promote the parts.
//!
//! A slot is taken apart if every use of its pointer agrees ([`DestructurableAccessModel`]): an address of a part with a
//! constant index in range, a load or store of the whole. A dynamic index, an address that is compared or escapes,
//! or an access of a type that does not fit keeps the slot whole, and everything is asked before the first change. The
//! parts are allocated where the whole was, so a lifetime begins there each time, in a loop as well. Parts that are
//! aggregates themselves are taken apart in turn.
//!
//! Complexity: linear in operations and parts; a slot of more parts than the limit stays whole, so an access of the
//! whole becomes a bounded number of operations.
//!
//! [`DestructurableAccessModel`]: crate::interfaces::DestructurableAccessModel

use crate::body::{Body, OpId};
use crate::builder::Builder;
use crate::context::Context;
use crate::interfaces::{
    DestructurableAccessModel, DestructurableAllocationModel, MemorySlot, PartSlots, is_trivially_dead,
};
use crate::operation::OpRef;
use crate::pass::{Pass, PassOptions, PassOutcome, PassResult, PassTarget};
use crate::types::Type;

/// The pass `sroa`; see the module.
#[derive(Clone, Copy, Debug)]
pub struct Sroa {
    /// Largest number of parts of a slot that is taken apart.
    pub max_parts: usize,
}

impl Default for Sroa {
    fn default() -> Self {
        Self { max_parts: 64 }
    }
}

/// What a run of [`Sroa`] did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SroaStatistics {
    /// Slots taken apart.
    pub slots: usize,
    /// Slots of parts that took their places.
    pub parts: usize,
    /// Slots of aggregates that stay.
    pub kept: usize,
}

impl Pass for Sroa {
    fn name(&self) -> &'static str {
        "sroa"
    }

    fn description(&self) -> &'static str {
        "Takes local memory of aggregates apart"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn options(&mut self) -> PassOptions<'_> {
        PassOptions::new().with("max-parts", &mut self.max_parts, "largest number of parts of a slot taken apart")
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        target.for_each_body(&|target| {
            let statistics = self.run_on(target.context(), target.body_mut());
            target.statistic("slots taken apart", statistics.slots as u64);
            target.statistic("slots of parts", statistics.parts as u64);
            target.statistic("aggregates kept", statistics.kept as u64);
            Ok(PassOutcome::changed_if(statistics.slots > 0))
        })
    }
}

impl Sroa {
    /// Takes the slots of a body apart, but not those of bodies nested in it.
    pub fn run_on(&self, context: &Context, body: &mut Body) -> SroaStatistics {
        let mut statistics = SroaStatistics::default();
        let mut builder = Builder::new(context, body);
        let mut pending = builder.body().all_ops();
        pending.reverse();
        while let Some(op) = pending.pop() {
            if builder.body().is_erased(op) {
                continue;
            }
            let view = builder.op(op);
            let Some(model) = view.interface::<DestructurableAllocationModel>() else { continue };
            let before = statistics.slots;
            for (slot, parts) in (model.destructurable_slots)(view) {
                match self.used_parts(builder.op(op), &slot, &parts) {
                    None => statistics.kept += 1,
                    Some(used) => {
                        let made = take_apart(&mut builder, op, model, &slot, &parts, &used);
                        statistics.slots += 1;
                        statistics.parts += made.parts.len();
                        let definitions =
                            made.parts.iter().filter_map(|(_, slot)| builder.body().defining_op(slot.pointer));
                        pending.extend(definitions.collect::<Vec<_>>().into_iter().rev());
                    }
                }
            }
            if statistics.slots > before && is_trivially_dead(builder.op(op)) {
                builder.erase_op(op);
            }
        }
        statistics
    }

    /// The parts that are accessed, ascending, if every access agrees; nothing if the slot stays whole or is not
    /// accessed at all.
    fn used_parts(&self, allocation: OpRef<'_>, slot: &MemorySlot, parts: &[Type]) -> Option<Vec<usize>> {
        if parts.len() > self.max_parts || allocation.body.is_unused(slot.pointer) {
            return None;
        }
        let mut used = Vec::new();
        for user in allocation.body.users(slot.pointer) {
            let view = allocation.at(user);
            let model = view.interface::<DestructurableAccessModel>()?;
            used.extend((model.accessed_parts)(view, slot, parts)?);
            if used.len() > 2 * parts.len() {
                used.sort_unstable();
                used.dedup();
            }
        }
        used.sort_unstable();
        used.dedup();
        used.last().is_none_or(|&last| last < parts.len()).then_some(used)
    }
}

fn take_apart(
    builder: &mut Builder<'_>,
    allocation: OpId,
    model: &DestructurableAllocationModel,
    slot: &MemorySlot,
    parts: &[Type],
    used: &[usize],
) -> PartSlots {
    let mut made = PartSlots { parts: Vec::with_capacity(used.len()) };
    for &part in used {
        builder.before(allocation);
        made.parts.push((part, (model.allocate_part)(builder, allocation, slot, parts[part])));
    }
    let mut users: Vec<OpId> = builder.body().users(slot.pointer).collect();
    users.sort_unstable();
    users.dedup();
    for user in users {
        let access = builder.op(user).interface::<DestructurableAccessModel>();
        let access = access.expect("the operation was asked which parts it accesses");
        builder.before(user);
        let results = (access.rewire)(builder, user, slot, &made);
        builder.replace_op(user, &results);
    }
    made
}
