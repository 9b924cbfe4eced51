//! Sparse conditional constant propagation.
//!
//! Problem: find values that are the same constant whenever they are computed, and edges that are never taken,
//! together: a constant condition closes an edge, and a closed edge keeps values out of block arguments. Then replace
//! the values by constants, make decided branches jumps, and erase what cannot be reached.
//!
//! Algorithm: Wegman and Zadeck, "Constant propagation with conditional branches" (1991), over block arguments
//! instead of phis, and over the edges between regions that [`RegionBranchModel`] describes. Everything starts as not
//! executed and unknown; operations fold with the constants that are known. The rounds are [`SparseForward`]'s.
//!
//! Invariants: what nothing is known about (arguments of functions, of blocks reached by edges that do not say what
//! they pass, of regions of unknown operations, results of operations that do not fold, what a suspension delivers)
//! is no constant. A terminator that leaves its region for a place the operation around it does not know makes
//! everything that encloses it unknown.
//!
//! Complexity: linear in operations and operands, each value being lowered twice at most; terminators between
//! regions look at all they pass for each operand that changes.
//!
//! [`RegionBranchModel`]: crate::interfaces::RegionBranchModel
//! [`SparseForward`]: crate::analysis::dataflow::SparseForward

mod constants;

use crate::body::{Body, OpId, ValueDefinition, ValueId};
use crate::builder::Builder;
use crate::context::Context;
use crate::interfaces::is_trivially_dead;
use crate::operation::OperationTraits;
use crate::pass::{Pass, PassOutcome, PassResult, PassTarget};
use crate::rewrite::{ConstantTable, decided_branch, erase_all_unreachable_blocks, replace_by_jump};
use constants::{Known, find_constants};

/// The pass `sccp`; see the module.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sccp;

/// What a run of [`Sccp`] did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SccpStatistics {
    /// Values replaced by constants.
    pub constants: usize,
    /// Branches that became jumps.
    pub decided: usize,
    /// Blocks that could not be reached.
    pub blocks: usize,
}

impl SccpStatistics {
    /// Whether anything was done.
    pub fn changed(self) -> bool {
        self != Self::default()
    }
}

impl Sccp {
    /// Propagates constants in a body, but not in bodies nested in it.
    pub fn run_on(&self, context: &Context, body: &mut Body) -> SccpStatistics {
        let constants = find_constants(context, body);
        let mut builder = Builder::new(context, body);
        let replaced = replace_constants(&mut builder, &constants);
        let decided = decide_branches(&mut builder);
        let blocks = erase_all_unreachable_blocks(&mut builder);
        SccpStatistics { constants: replaced, decided, blocks }
    }
}

impl Pass for Sccp {
    fn name(&self) -> &'static str {
        "sccp"
    }

    fn description(&self) -> &'static str {
        "Propagates constants through branches, taking only edges that can be taken"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        target.for_each_body(&|target| {
            let statistics = self.run_on(target.context(), target.body_mut());
            target.statistic("values replaced", statistics.constants as u64);
            target.statistic("branches decided", statistics.decided as u64);
            target.statistic("unreachable blocks erased", statistics.blocks as u64);
            Ok(PassOutcome::changed_if(statistics.changed()))
        })
    }
}

/// Replaces values by the constants that they are, where a dialect can make those; returns how many.
fn replace_constants(builder: &mut Builder<'_>, constants: &[(ValueId, Known)]) -> usize {
    let context = builder.context();
    let mut table = ConstantTable::new();
    let mut replaced = 0;
    let mut maybe_dead: Vec<OpId> = Vec::new();
    for &(value, known) in constants {
        let body = builder.body();
        let user = match body.definition(value) {
            ValueDefinition::Result { op, .. } => Some(op),
            ValueDefinition::Argument { block, .. } => body.first_op(block),
        };
        let Some(user) = user.filter(|_| !body.is_unused(value)) else { continue };
        let Some(dialect) = context.dialect(known.source.dialect(context)) else { continue };
        let ty = body.value_type(value);
        let Some(constant) = table.get(builder, user, dialect, known.value, ty) else { continue };
        builder.replace_all_uses(value, constant);
        replaced += 1;
        maybe_dead.extend(builder.body().defining_op(value));
    }
    for op in maybe_dead {
        if !builder.body().is_erased(op) && is_trivially_dead(builder.op(op)) {
            builder.erase_op(op);
        }
    }
    replaced
}

/// Makes branches with constant conditions jumps; returns how many.
fn decide_branches(builder: &mut Builder<'_>) -> usize {
    let mut decided = 0;
    for op in builder.body().all_ops() {
        let view = builder.op(op);
        let jump = if view.has_trait(OperationTraits::TERMINATOR) { decided_branch(view) } else { None };
        if let Some(jump) = jump {
            decided += usize::from(replace_by_jump(builder, op, &jump));
        }
    }
    decided
}
