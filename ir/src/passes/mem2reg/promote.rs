//! Carrying out the plans.

use rustc_hash::FxHashMap;

use super::plan::Plan;
use crate::analysis::RegionTree;
use crate::body::{Body, ValueId};
use crate::builder::Builder;
use crate::context::Context;
use crate::interfaces::{PromotableAccessModel, PromotableAllocationModel};
use crate::rewrite::{Definition, JoinArguments, Reaching};

/// Promotes all planned slots of one region; returns the number of block arguments added.
pub(super) fn promote(context: &Context, body: &mut Body, tree: &RegionTree, plans: &[Plan]) -> usize {
    let arguments = JoinArguments::add(body, plans.iter().map(|plan| (plan.slot.ty, &*plan.joins)));
    let mut builder = Builder::new(context, body);
    let mut promotion = Promotion { plans, unwritten: vec![None; plans.len()], replaced: FxHashMap::default() };
    let mut reaching: Vec<Reaching<'_>> = Vec::with_capacity(plans.len());
    for index in 0..plans.len() {
        let mut values = Reaching::new(tree, arguments.of_variable(index));
        promotion.rewrite_accesses(&mut builder, index, &mut values);
        reaching.push(values);
    }
    let count = arguments.connect(&mut builder, |builder, index, block| {
        let definition = reaching[index].at_end(block);
        promotion.resolve(builder, index, definition)
    });
    for plan in plans {
        let body = builder.body();
        if !body.is_erased(plan.allocation) && body.results(plan.allocation).all(|result| body.is_unused(result)) {
            builder.erase_op(plan.allocation);
        }
    }
    count
}

struct Promotion<'p> {
    plans: &'p [Plan],
    /// By plan: the value of the slot before it is written.
    unwritten: Vec<Option<ValueId>>,
    /// Results of accesses that are gone, with what replaced them. Only looked into, never walked through.
    replaced: FxHashMap<ValueId, ValueId>,
}

impl Promotion<'_> {
    /// Replaces the accesses of one slot, and tells `values` what the slot holds at the end of each block.
    fn rewrite_accesses(&mut self, builder: &mut Builder<'_>, index: usize, values: &mut Reaching<'_>) {
        let plan = &self.plans[index];
        values.set_end(plan.block, Definition::Undefined);
        let mut current = None;
        let mut block = None;
        for planned in &plan.accesses {
            if block != Some(planned.block) {
                block = Some(planned.block);
                current = (planned.block == plan.block).then_some(Definition::Undefined);
            }
            let reaching = planned.access.reads.then(|| {
                let definition = *current.get_or_insert_with(|| values.at_entry(planned.block));
                self.resolve(builder, index, definition)
            });
            let model = builder.op(planned.op).interface::<PromotableAccessModel>();
            let model = model.expect("the operation was asked how it accesses the slot");
            builder.before(planned.op);
            let promoted = (model.promote)(builder, planned.op, &plan.slot, reaching);
            for (result, &value) in builder.body().results(planned.op).zip(&promoted.results) {
                self.replaced.insert(result, value);
            }
            builder.replace_op(planned.op, &promoted.results);
            if planned.access.writes {
                let stored = promoted.stored.expect("an access that writes says what it stores");
                current = Some(Definition::Value(stored));
                values.set_end(planned.block, Definition::Value(stored));
            }
        }
    }

    /// The value that a definition stands for now.
    fn resolve(&mut self, builder: &mut Builder<'_>, index: usize, definition: Definition) -> ValueId {
        match definition {
            Definition::Value(value) => self.latest(value),
            Definition::Undefined => match self.unwritten[index] {
                Some(value) => value,
                None => self.make_unwritten(builder, index),
            },
        }
    }

    /// What has replaced a value, if it was the result of a promoted access. The way there is shortened.
    fn latest(&mut self, value: ValueId) -> ValueId {
        let mut latest = value;
        while let Some(&next) = self.replaced.get(&latest) {
            latest = next;
        }
        let mut current = value;
        while let Some(next) = self.replaced.get_mut(&current) {
            current = std::mem::replace(next, latest);
        }
        latest
    }

    fn make_unwritten(&mut self, builder: &mut Builder<'_>, index: usize) -> ValueId {
        let plan = &self.plans[index];
        let model = builder.op(plan.allocation).interface::<PromotableAllocationModel>();
        let model = model.expect("the operation was asked for its slots");
        builder.before(plan.allocation);
        *self.unwritten[index].insert((model.uninitialized_value)(builder, &plan.slot))
    }
}
