//! Transformations that speak interfaces only: any dialect that implements those gets them.
//!
//! None erases, merges or moves across an operation that is not registered, or that does not say what it does.

pub mod canonicalize;
pub mod cse;
pub mod dead_code;
pub mod inline;
pub mod mem2reg;
pub mod sccp;
pub mod simplify_cfg;
pub mod sroa;
pub mod symbol_dce;

pub use canonicalize::Canonicalize;
pub use cse::{Cse, CseStatistics};
pub use dead_code::{DeadCodeElimination, DeadCodeStatistics};
pub use inline::{Inline, InlineStatistics};
pub use mem2reg::{Mem2Reg, Mem2RegStatistics};
pub use sccp::{Sccp, SccpStatistics};
pub use simplify_cfg::{SimplifyCfg, SimplifyCfgStatistics};
pub use sroa::{Sroa, SroaStatistics};
pub use symbol_dce::SymbolDce;

use crate::pass::PassRegistry;

/// Adds all passes of this module to a registry.
pub fn register_passes(registry: &mut PassRegistry) {
    registry
        .register(|| Box::new(Canonicalize::default()))
        .register(|| Box::new(Cse))
        .register(|| Box::new(DeadCodeElimination))
        .register(|| Box::new(Inline::default()))
        .register(|| Box::new(Mem2Reg))
        .register(|| Box::new(Sccp))
        .register(|| Box::new(SimplifyCfg))
        .register(|| Box::new(Sroa::default()))
        .register(|| Box::new(SymbolDce));
}
