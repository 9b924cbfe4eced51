//! Elimination of common subexpressions.
//!
//! Problem: erase an operation if the same one has been executed before wherever it is, and use that one's results.
//!
//! Blocks are visited in the order of the dominator tree, with a table of what is available: what a block computes is
//! known in the blocks that it dominates and in regions nested in it, and forgotten afterwards. So
//! nothing is taken from a block that was merely visited earlier.
//!
//! Two kinds of operation are looked at, both without regions and registered:
//! * those without effects are the same if name, operands (in any order if they commute), properties, attributes and
//!   result types are. They may be taken from before a suspension, since values cross it;
//! * those that only read memory have to read the same state of it. States are numbered; whatever may write, whatever
//!   says nothing about its effects, a suspension, and the start of a block that more than its dominator leads to, begin
//!   a new one.
//!
//! Operations with other effects (the identity of a thread is one) are neither erased nor taken.
//!
//! Complexity: linear in operations and operands, near-linear for the dominator tree.

mod available;
mod effects;

use std::sync::Arc;

use crate::analysis::DominanceInfo;
use crate::body::{BlockId, Body, OpId, RegionId, ValueId};
use crate::context::Context;
use crate::interfaces::{ConstantScopeModel, RegionBranchModel};
use crate::operation::{OpRef, OperationTraits};
use crate::pass::{Pass, PassOutcome, PassResult, PassTarget};
use available::{Available, Expression};
use effects::{Effects, MemoryUse};

/// The pass `cse`; see the module.
#[derive(Clone, Copy, Default, Debug)]
pub struct Cse;

/// What a run of [`Cse`] did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CseStatistics {
    /// Operations without effects that were erased.
    pub computations: usize,
    /// Operations that read memory and were erased.
    pub reads: usize,
}

impl CseStatistics {
    /// Whether anything was erased.
    pub fn changed(self) -> bool {
        self != Self::default()
    }
}

impl Pass for Cse {
    fn name(&self) -> &'static str {
        "cse"
    }

    fn description(&self) -> &'static str {
        "Erases operations that have been executed before"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        target.for_each_body(&|target| {
            let dominance: Arc<DominanceInfo> = target.analysis();
            let statistics = self.run_on(target.context(), target.body_mut(), &dominance);
            target.preserve::<DominanceInfo>();
            target.statistic("computations erased", statistics.computations as u64);
            target.statistic("reads erased", statistics.reads as u64);
            Ok(PassOutcome::changed_if(statistics.changed()))
        })
    }
}

impl Cse {
    /// Erases common subexpressions of a body, but not of bodies nested in it.
    pub fn run_on(&self, context: &Context, body: &mut Body, dominance: &DominanceInfo) -> CseStatistics {
        let effects = Effects::new(context, body);
        let mut walk = Walk {
            context,
            body,
            dominance,
            effects,
            available: Available::default(),
            states: 0,
            scopes: 0,
            pending: Vec::new(),
            statistics: CseStatistics::default(),
        };
        walk.run();
        walk.statistics
    }
}

/// A state of memory, by number.
type MemoryState = u32;

/// Work to do, the next at the end of the list.
#[derive(Clone, Copy)]
enum Step {
    /// Visit a block, whose memory is in this state at its start.
    Block { block: BlockId, state: MemoryState, scope: u32 },
    /// Go on in a block with this operation.
    Resume { op: Option<OpId>, block: BlockId, state: MemoryState, scope: u32 },
    /// Forget what became available since the table had this length.
    Forget(usize),
}

struct Walk<'a> {
    context: &'a Context,
    body: &'a mut Body,
    dominance: &'a DominanceInfo,
    effects: Effects,
    available: Available,
    /// Number of memory states so far.
    states: MemoryState,
    /// Number of regions so far that keep their constants.
    scopes: u32,
    pending: Vec<Step>,
    statistics: CseStatistics,
}

impl Walk<'_> {
    fn run(&mut self) {
        let regions = self.body.regions(self.body.root()).to_vec();
        for region in regions {
            self.enter_region(region, None, 0);
            while let Some(step) = self.pending.pop() {
                match step {
                    Step::Block { block, state, scope } => {
                        self.pending.push(Step::Forget(self.available.len()));
                        let op = self.body.first_op(block);
                        self.visit_from(op, block, state, scope);
                    }
                    Step::Resume { op, block, state, scope } => self.visit_from(op, block, state, scope),
                    Step::Forget(length) => self.available.truncate(length),
                }
            }
        }
    }

    fn new_state(&mut self) -> MemoryState {
        self.states += 1;
        self.states
    }

    /// Will visit the blocks of a region, in a state of memory if that is known.
    fn enter_region(&mut self, region: RegionId, state: Option<MemoryState>, scope: u32) {
        if let Some(block) = self.body.entry_block(region) {
            let state = state.unwrap_or_else(|| self.new_state());
            self.pending.push(Step::Block { block, state, scope });
        }
    }

    fn visit_from(&mut self, first: Option<OpId>, block: BlockId, mut state: MemoryState, scope: u32) {
        let mut next = first;
        while let Some(op) = next {
            next = self.body.next_op(op);
            if !self.body.regions(op).is_empty() {
                let after = if self.effects.of(op) == MemoryUse::Write { self.new_state() } else { state };
                self.pending.push(Step::Resume { op: next, block, state: after, scope });
                self.visit_regions(op, state, scope);
                return;
            }
            match self.effects.of(op) {
                MemoryUse::None => {
                    self.statistics.computations += usize::from(self.visit_expression(op, None, scope));
                }
                MemoryUse::Read if self.is_ordered(block) => {
                    self.statistics.reads += usize::from(self.visit_expression(op, Some(state), scope));
                }
                MemoryUse::Read | MemoryUse::Keep => {}
                MemoryUse::Write => state = self.new_state(),
            }
        }
        self.visit_dominated(block, state, scope);
    }

    fn visit_regions(&mut self, op: OpId, state: MemoryState, scope: u32) {
        let view = OpRef::new(self.context, self.body, op);
        let keeps = view.interface::<ConstantScopeModel>();
        let keeps: Vec<bool> = (0..view.regions().len())
            .map(|index| keeps.is_some_and(|model| (model.keeps_constants)(view, index)))
            .collect();
        // If nothing inside writes, memory is as it was however often and in whatever order the regions run.
        let unchanged = view.interface::<RegionBranchModel>().is_some() && self.effects.of(op) != MemoryUse::Write;
        let regions = view.regions().to_vec();
        for (region, keeps) in regions.into_iter().zip(keeps).rev() {
            let inner_scope = if keeps {
                self.scopes += 1;
                self.scopes
            } else {
                scope
            };
            self.enter_region(region, unchanged.then_some(state), inner_scope);
        }
    }

    /// Will visit the blocks right below one in the dominator tree.
    fn visit_dominated(&mut self, block: BlockId, state: MemoryState, scope: u32) {
        let tree = self.body.block_parent(block).and_then(|region| self.dominance.region(region));
        let Some(tree) = tree else { return };
        let children: Vec<BlockId> = tree.children(block).collect();
        for child in children.into_iter().rev() {
            let mut edges = self.body.predecessors(child);
            let follows = edges.next() == Some(block) && edges.next().is_none();
            drop(edges);
            let state = if follows { state } else { self.new_state() };
            self.pending.push(Step::Block { block: child, state, scope });
        }
    }

    /// Whether the operations of a block are executed in their order.
    fn is_ordered(&self, block: BlockId) -> bool {
        let parent = self.body.block_parent_op(block).map(|op| OpRef::new(self.context, self.body, op));
        parent.is_some_and(|op| op.name().is_registered(self.context) && !op.has_trait(OperationTraits::GRAPH_REGION))
    }

    /// Replaces an operation by one that is available, or makes it available; whether it was replaced.
    fn visit_expression(&mut self, op: OpId, state: Option<MemoryState>, scope: u32) -> bool {
        let view = OpRef::new(self.context, self.body, op);
        let scope = if view.has_trait(OperationTraits::CONSTANT_LIKE) { scope } else { 0 };
        let expression = Expression { op, state, scope };
        let Some(known) = self.available.find_or_insert(self.context, self.body, expression) else { return false };
        let pairs: Vec<(ValueId, ValueId)> = self.body.results(op).zip(self.body.results(known)).collect();
        for (old, new) in pairs {
            self.body.replace_all_uses(old, new);
        }
        self.body.erase_op(op);
        true
    }
}
