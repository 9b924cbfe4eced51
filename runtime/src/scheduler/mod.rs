//! Schedulers: what runs the continuations of a coroutine in turn.
//!
//! A scheduler's kernels are XIR, compiled as any other kernel.

mod state_machine;

pub use state_machine::{SchedulerError, build_state_machine};
