//! The greedy driver: applies patterns, folds and erases dead operations until nothing changes.
//!
//! A scan visits every operation and whatever its changes touch. Scans repeat until one changes nothing, so that what
//! comes out is a fixed point. Two limits make the driver end whatever the patterns do: a number of changes
//! proportional to the size of the body, and a number of scans. When one is hit the body is sound, and the
//! [report](GreedyReport) says so and names the patterns that kept firing.
//!
//! Order: operations are first visited in textual order (or its reverse), then those that a change touched, the
//! latest first. Nothing depends on hashing, so two runs do the same.
//!
//! Complexity: linear in the size of the body for each scan, apart from what the patterns do.

mod report;
mod state;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use report::{BuiltinRewrite, Tally};
pub use report::{FaultKind, GreedyEnd, GreedyFault, GreedyReport};
use state::DriverState;

use super::constants::{Adoption, ConstantTable};
use super::fingerprint::fingerprint;
use super::fold::{constants_last, fold};
use super::pattern::FrozenPatternSet;
use super::regions::{decided_branch, erase_all_unreachable_blocks, replace_by_jump};
use crate::body::{Body, OpId, ValueId};
use crate::builder::Builder;
use crate::context::Context;
use crate::diagnostic::{Diagnostics, Severity};
use crate::interfaces::{FoldResult, is_trivially_dead};
use crate::operation::{OperationName, OperationTraits};
use crate::verifier::{VerifyOptions, verify};

/// How the greedy driver works.
#[derive(Clone, Debug)]
pub struct GreedyOptions {
    /// Fold operations, and put constants where they are shared.
    pub fold: bool,
    /// Erase unreachable blocks, and replace branches that have one way to go.
    pub simplify_regions: bool,
    /// Visit operations from the last to the first.
    pub bottom_up: bool,
    /// Scans after which to stop.
    pub max_scans: u32,
    /// Changes for each operation of the body after which to stop; a small body gets some more.
    pub changes_per_op: u32,
    /// Check after every pattern that it changed the body exactly if it says so, and after every change that the body
    /// verifies if it did at the start. Takes time linear in the body for each pattern that is tried.
    pub expensive_checks: bool,
}

impl Default for GreedyOptions {
    fn default() -> Self {
        Self {
            fold: true,
            simplify_regions: true,
            bottom_up: false,
            max_scans: 10,
            changes_per_op: 64,
            expensive_checks: false,
        }
    }
}

/// What even the smallest body may spend.
const BASE_BUDGET: u64 = 1024;

/// Applies patterns to all operations inside a body, but not in bodies nested in it, until nothing changes.
///
/// # Errors
/// With [expensive checks](GreedyOptions::expensive_checks), the first pattern that broke its contract.
pub fn apply_greedily(
    context: &Context,
    body: &mut Body,
    patterns: &FrozenPatternSet,
    options: &GreedyOptions,
) -> Result<GreedyReport, GreedyFault> {
    let budget = BASE_BUDGET + u64::from(options.changes_per_op) * body.all_ops().len() as u64;
    let verify_changes = options.expensive_checks && first_fault(context, body).is_none();
    let driver = Driver {
        context,
        body,
        patterns,
        options,
        candidates: FxHashMap::default(),
        constants: ConstantTable::new(),
        state: DriverState::default(),
        tally: Tally::new(patterns, budget),
        verify_changes,
    };
    driver.run()
}

struct Driver<'a> {
    context: &'a Context,
    body: &'a mut Body,
    patterns: &'a FrozenPatternSet,
    options: &'a GreedyOptions,
    /// Only looked into, never walked through.
    candidates: FxHashMap<OperationName, SmallVec<[u32; 8]>>,
    constants: ConstantTable,
    state: DriverState,
    tally: Tally<'a>,
    verify_changes: bool,
}

/// What the verifier says first about a body, if anything. Operations that are not registered are none of its faults.
fn first_fault(context: &Context, body: &Body) -> Option<String> {
    let options = VerifyOptions { allow_unregistered: true, check_links: true, ..VerifyOptions::default() };
    let mut diagnostics = Diagnostics::new();
    verify(context, body, &options, &mut diagnostics);
    let errors = diagnostics.into_vec().into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|diagnostic| diagnostic.message).next()
}

impl Driver<'_> {
    fn run(mut self) -> Result<GreedyReport, GreedyFault> {
        for scan in 1.. {
            let before = self.tally.total();
            if self.options.simplify_regions {
                let erased = erase_all_unreachable_blocks(&mut self.builder());
                if erased > 0 {
                    self.tally.builtin(BuiltinRewrite::UnreachableBlock);
                }
            }
            self.seed();
            while let Some(op) = self.state.worklist.pop() {
                if self.tally.is_exhausted() {
                    self.state.worklist.clear();
                    return Ok(self.tally.report(scan, GreedyEnd::BudgetExhausted));
                }
                if !self.body.is_erased(op) && self.body.parent_block(op).is_some() {
                    self.visit(op)?;
                }
            }
            if self.tally.total() == before {
                return Ok(self.tally.report(scan, GreedyEnd::Converged));
            }
            if scan >= self.options.max_scans {
                return Ok(self.tally.report(scan, GreedyEnd::ScansExhausted));
            }
            self.tally.begin_scan();
        }
        unreachable!("the loop over scans has no end of its own")
    }

    fn builder(&mut self) -> Builder<'_> {
        Builder::with_listener(self.context, self.body, &mut self.state)
    }

    /// Fills the worklist so that operations are popped in the order of the scan.
    fn seed(&mut self) {
        let ops = self.body.all_ops();
        if self.options.bottom_up {
            ops.into_iter().for_each(|op| self.state.worklist.push(op));
        } else {
            ops.into_iter().rev().for_each(|op| self.state.worklist.push(op));
        }
    }

    fn visit(&mut self, op: OpId) -> Result<(), GreedyFault> {
        if is_trivially_dead(self.builder().op(op)) {
            self.builder().erase_op(op);
            self.tally.builtin(BuiltinRewrite::DeadOperation);
            return Ok(());
        }
        if self.options.fold && self.fold(op) {
            return self.check_body(|driver| driver.body.operation_name(op).as_str(driver.context).to_owned());
        }
        if self.options.simplify_regions && self.decide_branch(op) {
            return Ok(());
        }
        self.apply_patterns(op)
    }

    /// With expensive checks, verifies after a change by the pattern of this name.
    fn check_body(&self, pattern: impl FnOnce(&Self) -> String) -> Result<(), GreedyFault> {
        match self.verify_changes.then(|| first_fault(self.context, self.body)).flatten() {
            Some(fault) => Err(GreedyFault { pattern: pattern(self), kind: FaultKind::BrokenBody(fault) }),
            None => Ok(()),
        }
    }

    /// Folds an operation; whether it is gone, or waits to be visited again.
    fn fold(&mut self, op: OpId) -> bool {
        let Self { context, body, state, constants, tally, .. } = self;
        let mut builder = Builder::with_listener(context, body, state);
        if builder.op(op).has_trait(OperationTraits::CONSTANT_LIKE) {
            let adoption = constants.adopt(&mut builder, op);
            if adoption != Adoption::Kept {
                tally.builtin(BuiltinRewrite::Constant);
            }
            return adoption == Adoption::Replaced;
        }
        if let Some(operands) = constants_last(builder.op(op)) {
            builder.modify(op, |body| body.set_operands(op, &operands));
            tally.builtin(BuiltinRewrite::OperandOrder);
            return true;
        }
        let Some(folded) = fold(builder.op(op)) else {
            return false;
        };
        let Some(values) = materialize(&mut builder, constants, op, &folded) else {
            return false;
        };
        builder.replace_op(op, &values);
        tally.builtin(BuiltinRewrite::Fold);
        true
    }

    fn decide_branch(&mut self, op: OpId) -> bool {
        let mut builder = self.builder();
        let Some(jump) = decided_branch(builder.op(op)) else {
            return false;
        };
        let replaced = replace_by_jump(&mut builder, op, &jump);
        if replaced {
            self.tally.builtin(BuiltinRewrite::DecidedBranch);
        }
        replaced
    }

    fn apply_patterns(&mut self, op: OpId) -> Result<(), GreedyFault> {
        let (context, patterns) = (self.context, self.patterns);
        let name = self.body.operation_name(op);
        let candidates = self.candidates.entry(name).or_insert_with(|| patterns.candidates(context, name)).clone();
        let mut before = self.options.expensive_checks.then(|| fingerprint(self.body));
        for index in candidates {
            let pattern = &*patterns.patterns()[index as usize];
            let mut builder = self.builder();
            builder.before(op);
            let applied = pattern.match_and_rewrite(op, &mut builder).is_ok();
            if let Some(before) = &mut before {
                let after = fingerprint(self.body);
                let kind = match (applied, after == *before) {
                    (true, true) => Some(FaultKind::ClaimedChange),
                    (false, false) => Some(FaultKind::HiddenChange),
                    _ => None,
                };
                if let Some(kind) = kind {
                    return Err(GreedyFault { pattern: pattern.name().to_owned(), kind });
                }
                *before = after;
            }
            if applied {
                self.tally.pattern(index);
                // The pattern may have changed the operation without changing what the listener is told about.
                if !self.body.is_erased(op) {
                    self.state.worklist.push(op);
                }
                return self.check_body(|_| pattern.name().to_owned());
            }
        }
        Ok(())
    }
}

/// The values for what an operation folds to; nothing, with nothing changed, if a constant cannot be made.
fn materialize(
    builder: &mut Builder<'_>,
    constants: &mut ConstantTable,
    op: OpId,
    folded: &[FoldResult],
) -> Option<Vec<ValueId>> {
    let context = builder.context();
    let dialect = context.dialect(builder.op(op).name().dialect(context))?;
    let mut values = Vec::with_capacity(folded.len());
    for (index, &result) in folded.iter().enumerate() {
        let value = match result {
            FoldResult::Value(value) => Some(value),
            FoldResult::Constant(value) => {
                let ty = builder.op(op).result_type(index);
                constants.get(builder, op, dialect, value, ty)
            }
        };
        let Some(value) = value else {
            erase_unused_constants(builder, &values, &folded[..index]);
            return None;
        };
        values.push(value);
    }
    Some(values)
}

/// Erases constants that were made for nothing.
fn erase_unused_constants(builder: &mut Builder<'_>, values: &[ValueId], folded: &[FoldResult]) {
    for (&value, result) in values.iter().zip(folded) {
        let constant = builder.body().defining_op(value).filter(|_| matches!(result, FoldResult::Constant(_)));
        // The same constant may be there for two results.
        let living = constant.filter(|&op| !builder.body().is_erased(op) && builder.body().is_unused(value));
        if let Some(constant) = living {
            builder.erase_op(constant);
        }
    }
}
