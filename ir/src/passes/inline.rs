//! Inlining.
//!
//! Problem: replace calls of functions of a symbol table by copies of their bodies, where that is small or the only
//! call.
//!
//! Functions are treated callees first, in the order of the strongly connected components of the call graph; a callee
//! is final when it is copied, and each call is looked at once. A call inside its own component is recursive and stays. So does a call of a function that may suspend, since a suspension is a place
//! between functions of a coroutine; of one that is only declared, says that it must not be inlined, or holds
//! an operation about which nothing is known or that may leave the function from inside a region.
//! Everything is asked before the first change of a caller.
//!
//! Inlined operations get the location `callsite(callee at caller)`. The functions themselves stay; `symbol-dce`
//! erases those that nothing calls any more.
//!
//! Complexity: linear in the size of the module plus the operations that are copied, which the thresholds bound for
//! each call.

mod legality;
mod splice;

use rustc_hash::FxHashMap;

use crate::body::{Body, OpId};
use crate::context::Context;
use crate::operation::{OpRef, OperationTraits};
use crate::pass::{Pass, PassOptions, PassOutcome, PassResult, PassTarget};
use crate::symbols::{CallGraph, FunctionId};

/// The pass `inline`; see the module.
#[derive(Clone, Copy, Debug)]
pub struct Inline {
    /// Largest number of operations of a callee that is copied.
    pub threshold: usize,
    /// The same for a private function that is called once.
    pub single_call_threshold: usize,
}

impl Default for Inline {
    fn default() -> Self {
        Self { threshold: 64, single_call_threshold: 1024 }
    }
}

/// What a run of [`Inline`] did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct InlineStatistics {
    /// Calls replaced.
    pub inlined: usize,
    /// Calls that stay since they are recursive.
    pub recursive: usize,
    /// Calls that stay since the callee is too large.
    pub too_large: usize,
    /// Calls that stay since the callee, or the place of the call, does not allow it.
    pub refused: usize,
}

impl Pass for Inline {
    fn name(&self) -> &'static str {
        "inline"
    }

    fn description(&self) -> &'static str {
        "Replaces calls by copies of the functions that they call"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn options(&mut self) -> PassOptions<'_> {
        PassOptions::new()
            .with("threshold", &mut self.threshold, "largest number of operations of a callee that is inlined")
            .with(
                "single-call-threshold",
                &mut self.single_call_threshold,
                "the same for a private function that is called once",
            )
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        target.for_each_body(&|target| {
            if !target.op().has_trait(OperationTraits::SYMBOL_TABLE) {
                return Ok(PassOutcome::Unchanged);
            }
            let statistics = self.run_on(target.context(), target.body_mut());
            target.statistic("calls inlined", statistics.inlined as u64);
            target.statistic("recursive calls kept", statistics.recursive as u64);
            target.statistic("calls of large functions kept", statistics.too_large as u64);
            target.statistic("calls refused", statistics.refused as u64);
            Ok(PassOutcome::changed_if(statistics.inlined > 0))
        })
    }
}

impl Inline {
    /// Inlines calls between the functions directly in a symbol table.
    pub fn run_on(&self, context: &Context, table: &mut Body) -> InlineStatistics {
        let graph = CallGraph::new(context, table);
        let mut inliner = Inliner {
            options: *self,
            context,
            graph: &graph,
            callees: FxHashMap::default(),
            statistics: <_>::default(),
        };
        for function in graph.callees_first() {
            inliner.inline_into(table, function);
        }
        inliner.statistics
    }
}

/// What is known about a function once all calls in it were looked at.
#[derive(Clone, Copy)]
struct Callee {
    size: usize,
    allowed: bool,
}

struct Inliner<'a> {
    options: Inline,
    context: &'a Context,
    graph: &'a CallGraph,
    /// Only looked into, never walked through.
    callees: FxHashMap<FunctionId, Callee>,
    statistics: InlineStatistics,
}

impl Inliner<'_> {
    fn inline_into(&mut self, table: &mut Body, caller: FunctionId) {
        let anchor = self.graph.anchor(caller);
        let calls: Vec<(OpId, FunctionId)> =
            self.graph.calls(caller).iter().copied().filter(|&(_, callee)| self.wants(caller, callee)).collect();
        if !calls.is_empty() {
            // The caller is taken out while it changes, so that the table can be looked at.
            let nested = table.nested(anchor).expect("a function of the call graph owns a body");
            let stand_in = Body::new(nested.operation_name(nested.root()), nested.location(nested.root()), 0);
            let mut body = table.replace_nested(anchor, stand_in);
            // The last one first: what follows a call in its block moves once only.
            for (call, callee) in calls.into_iter().rev() {
                let source = table.nested(self.graph.anchor(callee)).expect("a callee is not its own caller");
                let done = legality::call_fits(OpRef::new(self.context, &body, call), source)
                    && splice::inline_call(self.context, &mut body, call, source);
                let count = if done { &mut self.statistics.inlined } else { &mut self.statistics.refused };
                *count += 1;
            }
            table.replace_nested(anchor, body);
        }
        let body = table.nested(anchor).expect("a function of the call graph owns a body");
        let callee = Callee { size: body.all_ops().len(), allowed: legality::may_be_copied(self.context, body) };
        self.callees.insert(caller, callee);
    }

    /// Whether to try to inline a call, as far as the two functions go.
    fn wants(&mut self, caller: FunctionId, callee: FunctionId) -> bool {
        if self.graph.component(caller) == self.graph.component(callee) {
            self.statistics.recursive += 1;
            return false;
        }
        let known = self.callees[&callee];
        if !known.allowed {
            self.statistics.refused += 1;
            return false;
        }
        let single = self.graph.is_private(callee) && self.graph.call_count(callee) == 1;
        let threshold = if single { self.options.single_call_threshold } else { self.options.threshold };
        if known.size > threshold {
            self.statistics.too_large += 1;
            return false;
        }
        true
    }
}
