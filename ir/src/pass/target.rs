//! What a pass runs on.

use std::sync::Arc;
use std::time::Duration;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{Pass, PassFailure, PassOutcome, PassResult};
use crate::analysis::{Analyses, Analysis, AnalysisCache, PreservedAnalyses};
use crate::body::{Body, OpId};
use crate::builder::Builder;
use crate::context::Context;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::operation::OpRef;

/// What one run of a pass leaves behind beside the changed body.
#[derive(Default)]
pub(crate) struct PassRecord {
    pub(crate) diagnostics: Diagnostics,
    /// Counters, in order of first use.
    pub(crate) statistics: Vec<(&'static str, u64)>,
    /// Analyses that were computed and the time that each took.
    pub(crate) analyses: Vec<(&'static str, Duration)>,
}

impl PassRecord {
    pub(crate) fn extend(&mut self, other: PassRecord) {
        self.diagnostics.extend(other.diagnostics);
        for (name, amount) in other.statistics {
            self.count(name, amount);
        }
        self.analyses.extend(other.analyses);
    }

    fn count(&mut self, name: &'static str, amount: u64) {
        match self.statistics.iter_mut().find(|(known, _)| *known == name) {
            Some((_, total)) => *total += amount,
            None => self.statistics.push((name, amount)),
        }
    }
}

/// An isolated operation that a pass runs on, with its analyses and a place for diagnostics and counters.
pub struct PassTarget<'a> {
    context: &'a Context,
    body: &'a mut Body,
    cache: &'a mut AnalysisCache,
    record: &'a mut PassRecord,
    parallel: bool,
    preserved: PreservedAnalyses,
    /// The cache is up to date already: whoever changed the body dropped what the change made wrong.
    settled: bool,
}

impl<'a> PassTarget<'a> {
    pub(crate) fn new(
        context: &'a Context,
        body: &'a mut Body,
        cache: &'a mut AnalysisCache,
        record: &'a mut PassRecord,
        parallel: bool,
    ) -> Self {
        Self { context, body, cache, record, parallel, preserved: PreservedAnalyses::none(), settled: false }
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
        (self.context, self.body, &mut self.record.diagnostics)
    }

    /// The analysis `A` of the body as it is now: the one that is known, or a new one. It stays what it was when the
    /// body changes; after a change of its own a pass calls [`PassTarget::invalidate`] before it asks again.
    pub fn analysis<A: Analysis>(&mut self) -> Arc<A> {
        let analyses = Analyses::new(self.context, self.body, self.cache);
        let found = analyses.get::<A>();
        self.record.analyses.extend(analyses.into_computed());
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
        self.record.analyses.extend(analyses.into_computed());
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
        &mut self.record.diagnostics
    }

    /// Reports an error and gives the failure to return: `return Err(target.fail(..))`.
    pub fn fail(&mut self, diagnostic: Diagnostic) -> PassFailure {
        self.record.diagnostics.report(diagnostic);
        PassFailure
    }

    /// Adds to a counter that `--pass-statistics` shows. The name is words, such as `operations erased`.
    pub fn statistic(&mut self, name: &'static str, amount: u64) {
        self.record.count(name, amount);
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
        let (context, parallel) = (self.context, self.parallel);
        let work = take_nested(self.body, self.cache);
        let run = |(anchor, body, mut cache): NestedWork<'_>| {
            let mut record = PassRecord::default();
            let mut target = PassTarget::new(context, body, &mut cache, &mut record, parallel);
            let result = target.for_each_body(visit);
            let preserved = target.preserved;
            NestedDone { anchor, cache, record, result, preserved }
        };
        let done: Vec<NestedDone> =
            if parallel { work.into_par_iter().map(run).collect() } else { work.into_iter().map(run).collect() };
        let mut failed = false;
        for nested in done {
            self.cache.put_nested(nested.anchor, nested.cache);
            self.record.extend(nested.record);
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
}

/// A nested body to work on, with its cache.
pub(crate) type NestedWork<'b> = (OpId, &'b mut Body, AnalysisCache);

struct NestedDone {
    anchor: OpId,
    cache: AnalysisCache,
    record: PassRecord,
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
    let mut cache = AnalysisCache::new();
    let mut record = PassRecord::default();
    let mut target = PassTarget::new(context, body, &mut cache, &mut record, false);
    let result = pass.run(&mut target);
    let failed = record.diagnostics.has_errors();
    diagnostics.extend(record.diagnostics);
    if failed { Err(PassFailure) } else { result }
}
