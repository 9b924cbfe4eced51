//! What a pass runs on.

use std::sync::Arc;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::run::{Executor, Place, RunLog, Scope};
use super::{Pass, PassFailure, PassManager, PassOutcome, PassResult, RunOptions};
use crate::analysis::{Analyses, Analysis, AnalysisCache, PreservedAnalyses};
use crate::body::{Body, OpId};
use crate::builder::Builder;
use crate::context::Context;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::operation::OpRef;

/// An isolated operation that a pass runs on, with its analyses and a place for diagnostics and counters.
pub struct PassTarget<'a> {
    context: &'a Context,
    body: &'a mut Body,
    cache: &'a mut AnalysisCache,
    log: &'a mut RunLog,
    executor: &'a Executor<'a>,
    /// Where the pass stands, for reports.
    place: &'a Place,
    preserved: PreservedAnalyses,
    /// The cache is up to date already: whoever changed the body dropped what the change made wrong.
    settled: bool,
}

impl<'a> PassTarget<'a> {
    pub(crate) fn new(
        executor: &'a Executor<'a>,
        body: &'a mut Body,
        cache: &'a mut AnalysisCache,
        log: &'a mut RunLog,
        place: &'a Place,
    ) -> Self {
        let preserved = PreservedAnalyses::none();
        Self { context: executor.context, body, cache, log, executor, place, preserved, settled: false }
    }

    /// The context.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// The body of the operation.
    pub fn body(&self) -> &Body {
        self.body
    }

    /// The body of the operation, to change.
    pub fn body_mut(&mut self) -> &mut Body {
        self.settled = false;
        self.body
    }

    /// The operation itself.
    pub fn op(&self) -> OpRef<'_> {
        OpRef::new(self.context, self.body, self.body.root())
    }

    /// A builder that inserts nowhere yet.
    pub fn builder(&mut self) -> Builder<'_> {
        self.settled = false;
        Builder::new(self.context, self.body)
    }

    /// Context, body and diagnostics at once, for code that needs more than one of them.
    pub fn parts(&mut self) -> (&'a Context, &mut Body, &mut Diagnostics) {
        self.settled = false;
        (self.context, self.body, &mut self.log.diagnostics)
    }

    /// The analysis `A` of the body as it is now: the one that is known, or a new one. It stays what it was when the
    /// body changes; after a change of its own a pass calls [`PassTarget::invalidate`] before it asks again.
    pub fn analysis<A: Analysis>(&mut self) -> Arc<A> {
        let analyses = Analyses::new(self.context, self.body, self.cache);
        let found = analyses.get::<A>();
        self.log.analyses.extend(analyses.into_computed());
        found
    }

    /// The analysis `A`, if it is known.
    pub fn cached_analysis<A: Analysis>(&self) -> Option<Arc<A>> {
        self.cache.get::<A>()
    }

    /// The analysis `A` of the body that `anchor` owns.
    ///
    /// # Panics
    /// If `anchor` does not own a body.
    pub fn nested_analysis<A: Analysis>(&mut self, anchor: OpId) -> Arc<A> {
        let body = self.body.nested(anchor).expect("only the anchor of an isolated operation owns a body");
        let analyses = Analyses::new(self.context, body, self.cache.nested(anchor));
        let found = analyses.get::<A>();
        self.log.analyses.extend(analyses.into_computed());
        found
    }

    /// Drops all analyses that are not [preserved](PassTarget::preserve), because the body changed in the middle of a
    /// pass.
    pub fn invalidate(&mut self) {
        self.cache.invalidate(&self.preserved);
    }

    /// Says that what this pass changes leaves the analysis `A` valid.
    pub fn preserve<A: Analysis>(&mut self) {
        self.preserved.preserve::<A>();
    }

    /// Says that what this pass changes leaves all analyses valid.
    pub fn preserve_all(&mut self) {
        self.preserved.preserve_all();
    }

    /// Where to report.
    pub fn diagnostics(&mut self) -> &mut Diagnostics {
        &mut self.log.diagnostics
    }

    /// Reports an error and gives the failure to return: `return Err(target.fail(..))`.
    pub fn fail(&mut self, diagnostic: Diagnostic) -> PassFailure {
        self.log.diagnostics.report(diagnostic);
        PassFailure
    }

    /// Adds to a counter that `--pass-statistics` shows. The name is words, such as `operations erased`.
    pub fn statistic(&mut self, name: &'static str, amount: u64) {
        self.log.count(name, amount);
    }

    /// Runs `visit` on this operation and then on each isolated operation nested in it, outer before inner; siblings
    /// run at the same time if the manager may use threads. For passes that treat every nested body alike.
    ///
    /// # Errors
    /// If `visit` fails anywhere. Siblings of what failed have still been visited.
    pub fn for_each_body(&mut self, visit: &(dyn Fn(&mut PassTarget<'_>) -> PassResult + Sync)) -> PassResult {
        let own = visit(self)?;
        let mut preserved: Option<PreservedAnalyses> = None;
        if own == PassOutcome::Changed {
            self.cache.invalidate_own(&self.preserved);
            preserved = Some(self.preserved.clone());
        }
        let (executor, place) = (self.executor, self.place);
        let work = take_nested(self.body, self.cache);
        let run = |(anchor, body, mut cache): NestedWork<'_>| {
            let mut log = RunLog::default();
            let mut target = PassTarget::new(executor, body, &mut cache, &mut log, place);
            let result = target.for_each_body(visit);
            let preserved = target.preserved;
            NestedDone { anchor, cache, log, result, preserved }
        };
        let done: Vec<NestedDone> = if executor.parallel {
            work.into_par_iter().map(run).collect()
        } else {
            work.into_iter().map(run).collect()
        };
        let mut failed = false;
        for nested in done {
            self.cache.put_nested(nested.anchor, nested.cache);
            self.log.extend(nested.log);
            match nested.result {
                Ok(PassOutcome::Unchanged) => {}
                Ok(PassOutcome::Changed) => {
                    self.cache.invalidate_own(&nested.preserved);
                    match &mut preserved {
                        Some(common) => common.intersect(&nested.preserved),
                        None => preserved = Some(nested.preserved),
                    }
                }
                Err(PassFailure) => failed = true,
            }
        }
        self.settled = true;
        let outcome = PassOutcome::changed_if(preserved.is_some());
        self.preserved = preserved.unwrap_or_default();
        if failed { Err(PassFailure) } else { Ok(outcome) }
    }

    /// Runs a pipeline on the operation, as a part of this pass. Its printed IR, times and statistics are shown below
    /// those of the pass.
    ///
    /// # Errors
    /// If a pass of it fails, or it is for other operations.
    pub fn run_pipeline(&mut self, pipeline: &PassManager) -> PassResult {
        let mut pipeline = pipeline.clone();
        pipeline.initialize(self.context);
        let mut part = RunLog::default();
        let mut scope = Scope::new(self.body, self.cache, self.place.clone(), false);
        let result = self.executor.run_checked(&pipeline, &mut scope, &mut part);
        self.log.extend(part);
        Ok(PassOutcome::changed_if(result?.is_some()))
    }

    /// Works on the body that `anchor` owns as on a target of its own.
    ///
    /// # Errors
    /// If `visit` does.
    ///
    /// # Panics
    /// If `anchor` does not own a body.
    pub fn with_nested(&mut self, anchor: OpId, visit: impl FnOnce(&mut PassTarget<'_>) -> PassResult) -> PassResult {
        self.settled = false;
        let cache = self.cache.nested(anchor);
        let body = self.body.nested_mut(anchor).expect("only the anchor of an isolated operation owns a body");
        let mut target = PassTarget::new(self.executor, body, cache, self.log, self.place);
        let result = visit(&mut target);
        target.settle(result);
        result
    }

    /// Brings the cache up to date after the run and returns what the change left valid.
    pub(crate) fn settle(self, result: PassResult) -> PreservedAnalyses {
        if result == Ok(PassOutcome::Unchanged) {
            return PreservedAnalyses::all();
        }
        if !self.settled {
            self.cache.invalidate(&self.preserved);
        }
        self.preserved
    }
}
/// A nested body to work on, with its cache.
pub(crate) type NestedWork<'b> = (OpId, &'b mut Body, AnalysisCache);

struct NestedDone {
    anchor: OpId,
    cache: AnalysisCache,
    log: RunLog,
    result: PassResult,
    preserved: PreservedAnalyses,
}

/// The bodies owned by operations of `body`, in textual order, each with its cache.
fn take_nested<'b>(body: &'b mut Body, cache: &mut AnalysisCache) -> Vec<NestedWork<'b>> {
    let mut position = vec![usize::MAX; body.op_capacity()];
    for (index, op) in body.all_ops().into_iter().enumerate() {
        position[op.index()] = index;
    }
    let mut work: Vec<NestedWork<'b>> = body
        .nested_bodies_mut()
        .filter(|(anchor, _)| position[anchor.index()] != usize::MAX)
        .map(|(anchor, body)| (anchor, body, cache.take_nested(anchor)))
        .collect();
    work.sort_by_key(|(anchor, ..)| position[anchor.index()]);
    work
}

/// Runs a pass on a body once, with no manager around it: no verifier, one thread.
///
/// # Errors
/// If the pass fails; `diagnostics` says why.
pub fn run_pass(pass: &mut dyn Pass, context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) -> PassResult {
    pass.initialize(context);
    let options = RunOptions::default();
    let executor = Executor { context, options: &options, parallel: false, dumps: None };
    let place = Place::default();
    let mut cache = AnalysisCache::new();
    let mut log = RunLog::default();
    let mut target = PassTarget::new(&executor, body, &mut cache, &mut log, &place);
    let result = pass.run(&mut target);
    let failed = log.diagnostics.has_errors();
    diagnostics.extend(log.diagnostics);
    if failed { Err(PassFailure) } else { result }
}
