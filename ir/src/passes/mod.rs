//! Transformations that speak interfaces only: any dialect that implements those gets them.
//!
//! None erases, merges or moves across an operation that is not registered, or that does not say what it does.

mod canonicalize;
mod dead_code;
mod sccp;
mod simplify_cfg;

pub use canonicalize::Canonicalize;
pub use dead_code::{DeadCodeElimination, DeadCodeStatistics};
pub use sccp::{Sccp, SccpStatistics};
pub use simplify_cfg::{SimplifyCfg, SimplifyCfgStatistics};

use crate::pass::PassRegistry;

/// Adds all passes of this module to a registry.
pub fn register_passes(registry: &mut PassRegistry) {
    registry
        .register(|| Box::new(Canonicalize::default()))
        .register(|| Box::new(DeadCodeElimination))
        .register(|| Box::new(Sccp))
        .register(|| Box::new(SimplifyCfg));
}
