//! Analyses: facts about a body that are computed once and shared.
//!
//! An [`Analysis`] is computed from a body as it is. The pass manager keeps it (see [`crate::pass`]) and drops it when
//! a pass changes the body and does not say that it preserves it; [`Analyses::new`] serves code outside passes.

mod cache;
mod control_flow_graph;
pub mod dataflow;
mod dominance;
pub mod graph;
pub mod liveness;
mod loop_info;
mod region_flow;

use std::any::Any;

pub use cache::{Analyses, AnalysisCache, PreservedAnalyses};
pub use control_flow_graph::ControlFlowGraph;
pub use dominance::{DominanceInfo, PostDominanceInfo, RegionTree, ancestor_in_block, ancestor_in_region};
pub use liveness::Liveness;
pub use loop_info::{LoopInfo, RegionLoops};

/// A fact about one body. What it finds out about nested bodies is its own business; the cache keeps one of a type
/// for each body, and drops it when the body itself or one nested in it changes.
pub trait Analysis: Any + Send + Sync + Sized {
    /// The name that timing reports show, such as `dominance`.
    const NAME: &'static str;

    /// Computes it. `analyses` gives the context, the body, and other analyses of the same body to build on.
    fn compute(analyses: &Analyses<'_>) -> Self;
}
