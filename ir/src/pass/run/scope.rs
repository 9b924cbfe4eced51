//! Where a pipeline runs.

use crate::analysis::AnalysisCache;
use crate::body::{Body, OpId};

/// The body that a pipeline runs on, reached through the body that holds it.
pub(crate) struct Scope<'b> {
    top: &'b mut Body,
    /// Anchors from `top` to the body.
    pub(super) path: Vec<OpId>,
    /// Cache of `top`.
    cache: &'b mut AnalysisCache,
    /// Where the pipeline stands: indices in the pipelines around it.
    pub(super) place: Vec<u32>,
    /// Nothing else runs at the same time, so what is printed may be written at once.
    pub(super) alone: bool,
}

impl<'b> Scope<'b> {
    pub(crate) fn new(top: &'b mut Body, cache: &'b mut AnalysisCache, place: Vec<u32>, alone: bool) -> Self {
        Self { top, path: Vec::new(), cache, place, alone }
    }

    pub(super) fn body(&self) -> &Body {
        self.path.iter().fold(&*self.top, |body, &anchor| body.nested(anchor).expect(ANCHOR_STAYS))
    }

    pub(super) fn parts(&mut self) -> (&mut Body, &mut AnalysisCache) {
        let body = self.path.iter().fold(&mut *self.top, |body, &anchor| body.nested_mut(anchor).expect(ANCHOR_STAYS));
        let cache = self.path.iter().fold(&mut *self.cache, |cache, &anchor| cache.nested(anchor));
        (body, cache)
    }
}

pub(super) const ANCHOR_STAYS: &str = "an anchor stays while passes run on the body that it owns";
