//! The store of analyses.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::Analysis;
use crate::body::{Body, OpId};
use crate::context::Context;

type Shared = Arc<dyn Any + Send + Sync>;

/// The analyses of one body that are known, and those of the bodies nested in it.
#[derive(Default)]
pub struct AnalysisCache {
    /// Behind a lock, so that an analysis may be asked for while others look at the body too.
    known: Mutex<FxHashMap<TypeId, Shared>>,
    nested: FxHashMap<OpId, AnalysisCache>,
}

impl AnalysisCache {
    /// A cache that knows nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The analysis `A`, if it is known.
    pub fn get<A: Analysis>(&self) -> Option<Arc<A>> {
        let found = self.lock().get(&TypeId::of::<A>()).cloned()?;
        Some(found.downcast().expect("an analysis is stored under its own type"))
    }

    /// The cache of the body that `anchor` owns.
    pub fn nested(&mut self, anchor: OpId) -> &mut AnalysisCache {
        self.nested.entry(anchor).or_default()
    }

    /// Takes the cache of the body that `anchor` owns out, for work on another thread.
    pub fn take_nested(&mut self, anchor: OpId) -> AnalysisCache {
        self.nested.remove(&anchor).unwrap_or_default()
    }

    /// Puts back what [`AnalysisCache::take_nested`] took.
    pub fn put_nested(&mut self, anchor: OpId, cache: AnalysisCache) {
        self.nested.insert(anchor, cache);
    }

    /// Drops what is not preserved, of this body and of all nested ones.
    pub fn invalidate(&mut self, preserved: &PreservedAnalyses) {
        if preserved.all {
            return;
        }
        let mut pending = vec![self];
        while let Some(cache) = pending.pop() {
            cache.invalidate_own(preserved);
            pending.extend(cache.nested.values_mut());
        }
    }

    /// Drops what is not preserved, of this body alone.
    pub fn invalidate_own(&mut self, preserved: &PreservedAnalyses) {
        self.lock().retain(|id, _| preserved.contains(*id));
    }

    fn lock(&self) -> MutexGuard<'_, FxHashMap<TypeId, Shared>> {
        self.known.lock().expect("no thread panics while it looks into the cache")
    }
}

impl Drop for AnalysisCache {
    /// Caches nest as deep as bodies do; dropping them one inside the other would use up the stack.
    fn drop(&mut self) {
        let mut pending: Vec<AnalysisCache> = self.nested.drain().map(|(_, cache)| cache).collect();
        while let Some(mut cache) = pending.pop() {
            pending.extend(cache.nested.drain().map(|(_, inner)| inner));
        }
    }
}

/// A body and the analyses of it: what [`Analysis::compute`] works from.
pub struct Analyses<'a> {
    context: &'a Context,
    body: &'a Body,
    cache: &'a AnalysisCache,
    computed: RefCell<Vec<(&'static str, Duration)>>,
}

impl<'a> Analyses<'a> {
    /// Looks at `body`, whose known analyses are in `cache`.
    pub fn new(context: &'a Context, body: &'a Body, cache: &'a AnalysisCache) -> Self {
        Self { context, body, cache, computed: RefCell::default() }
    }

    /// The context.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// The body.
    pub fn body(&self) -> &'a Body {
        self.body
    }

    /// The analysis `A`; it is computed if it is not known.
    pub fn get<A: Analysis>(&self) -> Arc<A> {
        if let Some(known) = self.cache.get::<A>() {
            return known;
        }
        let start = Instant::now();
        let fresh = Arc::new(A::compute(self));
        self.computed.borrow_mut().push((A::NAME, start.elapsed()));
        self.cache.lock().insert(TypeId::of::<A>(), fresh.clone());
        fresh
    }

    /// The names of the analyses that were computed, and the time that each took, those it asked for included.
    pub(crate) fn into_computed(self) -> Vec<(&'static str, Duration)> {
        self.computed.into_inner()
    }
}

/// Which analyses a change of a body leaves valid.
#[derive(Clone, Default, Debug)]
pub struct PreservedAnalyses {
    all: bool,
    types: Vec<TypeId>,
}

impl PreservedAnalyses {
    /// None.
    pub fn none() -> Self {
        Self::default()
    }

    /// All.
    pub fn all() -> Self {
        Self { all: true, types: Vec::new() }
    }

    /// Adds the analysis `A`.
    pub fn preserve<A: Analysis>(&mut self) -> &mut Self {
        if !self.contains(TypeId::of::<A>()) {
            self.types.push(TypeId::of::<A>());
        }
        self
    }

    /// Adds all analyses.
    pub fn preserve_all(&mut self) -> &mut Self {
        self.all = true;
        self
    }

    /// Keeps only what `other` preserves too.
    pub fn intersect(&mut self, other: &Self) {
        if self.all {
            *self = other.clone();
        } else {
            self.types.retain(|&id| other.contains(id));
        }
    }

    fn contains(&self, id: TypeId) -> bool {
        self.all || self.types.contains(&id)
    }
}
