//! Transformations that speak interfaces only: any dialect that implements those gets them.
//!
//! None erases, merges or moves across an operation that is not registered, or that does not say what it does.

mod dead_code;

pub use dead_code::{DeadCodeElimination, DeadCodeStatistics};
