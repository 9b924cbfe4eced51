//! Transformations that speak interfaces only: any dialect that implements those gets them.
//!
//! None erases, merges or moves across an operation that is not registered, or that does not say what it does.

mod dead_code;
mod simplify_cfg;

pub use dead_code::{DeadCodeElimination, DeadCodeStatistics};
pub use simplify_cfg::{SimplifyCfg, SimplifyCfgStatistics};
