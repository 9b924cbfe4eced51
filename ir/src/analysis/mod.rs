//! Analyses: facts about a body that are computed once and shared.
//!
//! An [`Analysis`] is computed from a body as it is. The pass manager keeps it (see [`crate::pass`]) and drops it when
//! a pass changes the body and does not say that it preserves it; [`Analyses::new`] serves code outside passes.

mod cache;

use std::any::Any;

pub use cache::{Analyses, AnalysisCache, PreservedAnalyses};

/// A fact about one body. What it finds out about nested bodies is its own business; the cache keeps one of a type
/// for each body, and drops it when the body itself or one nested in it changes.
pub trait Analysis: Any + Send + Sync + Sized {
    /// The name that timing reports show, such as `dominance`.
    const NAME: &'static str;

    /// Computes it. `analyses` gives the context, the body, and other analyses of the same body to build on.
    fn compute(analyses: &Analyses<'_>) -> Self;
}
