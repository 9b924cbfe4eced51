//! Canonicalization.
//!
//! Problem: bring operations to the form that other passes expect: folded, constants once and at the front, constant
//! operands last, no dead operations or unreachable blocks, and whatever the dialects' patterns say
//! ([`CanonicalizeInterface`](crate::rewrite::CanonicalizeInterface)).
//!
//! Invariant: what comes out is a fixed point; canonicalizing again changes nothing. Should patterns undo each other
//! the pass ends all the same, with a warning that names them.
//!
//! Complexity: that of the [greedy driver](crate::rewrite::apply_greedily), linear for each scan.

use std::sync::Arc;

use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::pass::{Pass, PassOptions, PassOutcome, PassResult, PassTarget};
use crate::rewrite::{FrozenPatternSet, GreedyOptions, PatternSet, apply_greedily};

/// The pass `canonicalize`; see the module.
#[derive(Clone, Default)]
pub struct Canonicalize {
    /// How the driver works.
    pub greedy: GreedyOptions,
    /// Names of patterns that are not applied.
    pub disabled_patterns: Vec<String>,
    /// Names of the only patterns that are applied; all if empty.
    pub enabled_patterns: Vec<String>,
    patterns: Option<Arc<FrozenPatternSet>>,
}

impl Canonicalize {
    fn patterns(&self, context: &Context) -> FrozenPatternSet {
        let mut patterns = PatternSet::canonicalization(context);
        let named = |list: &[String], name: &str| list.iter().any(|entry| entry == name);
        patterns.retain(|name| {
            !named(&self.disabled_patterns, name)
                && (self.enabled_patterns.is_empty() || named(&self.enabled_patterns, name))
        });
        patterns.freeze()
    }
}

impl Pass for Canonicalize {
    fn name(&self) -> &'static str {
        "canonicalize"
    }

    fn description(&self) -> &'static str {
        "Brings operations to their canonical form: folding, dialect patterns, dead operations"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(self.clone())
    }

    fn options(&mut self) -> PassOptions<'_> {
        let greedy = &mut self.greedy;
        PassOptions::new()
            .with("fold", &mut greedy.fold, "fold operations and share constants")
            .with("region-simplify", &mut greedy.simplify_regions, "erase unreachable blocks and decide branches")
            .with("bottom-up", &mut greedy.bottom_up, "visit operations from the last to the first")
            .with("max-iterations", &mut greedy.max_scans, "scans over the operations after which to stop")
            .with("max-changes-per-op", &mut greedy.changes_per_op, "changes per operation after which to stop")
            .with("expensive-checks", &mut greedy.expensive_checks, "check what each pattern says about its changes")
            .with("disable-patterns", &mut self.disabled_patterns, "names of patterns that are not applied")
            .with("enable-patterns", &mut self.enabled_patterns, "names of the only patterns that are applied")
    }

    fn initialize(&mut self, context: &Context) {
        self.patterns = Some(Arc::new(self.patterns(context)));
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        let patterns = match &self.patterns {
            Some(patterns) => Arc::clone(patterns),
            None => Arc::new(self.patterns(target.context())),
        };
        target.for_each_body(&|target| self.run_on(target, &patterns))
    }
}

impl Canonicalize {
    fn run_on(&self, target: &mut PassTarget<'_>, patterns: &FrozenPatternSet) -> PassResult {
        let context = target.context();
        let location = target.op().location();
        let report = match apply_greedily(context, target.body_mut(), patterns, &self.greedy) {
            Ok(report) => report,
            Err(fault) => return Err(target.fail(Diagnostic::error("pattern-fault", location, fault.to_string()))),
        };
        target.statistic("operations folded", report.folded);
        target.statistic("patterns applied", report.applied);
        target.statistic("dead operations erased", report.erased);
        if !report.converged() {
            let message = format!("canonicalization {report}");
            let help = "some patterns undo each other, or the limits are too low for this input";
            target.diagnostics().report(Diagnostic::warning("no-convergence", location, message).help(help));
        }
        Ok(PassOutcome::changed_if(report.changed()))
    }
}
