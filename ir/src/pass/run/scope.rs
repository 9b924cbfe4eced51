//! Where a pipeline runs.

use crate::analysis::AnalysisCache;
use crate::body::{Body, OpId};
use crate::context::Context;

/// The body that a pipeline runs on, reached through the body that holds it.
pub(crate) struct Scope<'b> {
    top: &'b mut Body,
    /// Anchors from `top` to the body.
    pub(super) path: Vec<OpId>,
    /// Cache of `top`.
    cache: &'b mut AnalysisCache,
    pub(super) place: Place,
    /// Nothing else runs at the same time, so what is printed may be written at once.
    pub(super) alone: bool,
}

/// Where a pipeline or pass stands.
#[derive(Clone, Default)]
pub(crate) struct Place {
    /// Index in its pipeline, after those of the pipelines around it.
    pub(super) indices: Vec<u32>,
    /// Names of the folders for the operations around and for the one it runs on, if printed IR goes to folders.
    pub(super) folders: Vec<String>,
}

impl<'b> Scope<'b> {
    pub(crate) fn new(top: &'b mut Body, cache: &'b mut AnalysisCache, place: Place, alone: bool) -> Self {
        Self { top, path: Vec::new(), cache, place, alone }
    }

    pub(super) fn body(&self) -> &Body {
        self.path.iter().fold(&*self.top, |body, &anchor| body.nested(anchor).expect(ANCHOR_STAYS))
    }

    /// The body that holds the one that the pipeline runs on, itself if that is all that can be seen.
    pub(super) fn top(&self) -> &Body {
        self.top
    }

    /// Names of the operations from the top to the body.
    pub(super) fn anchor_names<'c>(&self, context: &'c Context) -> Vec<&'c str> {
        let mut names = vec![root_name(context, self.top)];
        let mut body = &*self.top;
        for &anchor in &self.path {
            body = body.nested(anchor).expect(ANCHOR_STAYS);
            names.push(root_name(context, body));
        }
        names
    }

    pub(super) fn parts(&mut self) -> (&mut Body, &mut AnalysisCache) {
        let body = self.path.iter().fold(&mut *self.top, |body, &anchor| body.nested_mut(anchor).expect(ANCHOR_STAYS));
        let cache = self.path.iter().fold(&mut *self.cache, |cache, &anchor| cache.nested(anchor));
        (body, cache)
    }
}

pub(super) const ANCHOR_STAYS: &str = "an anchor stays while passes run on the body that it owns";

fn root_name<'c>(context: &'c Context, body: &Body) -> &'c str {
    body.operation_name(body.root()).as_str(context)
}
