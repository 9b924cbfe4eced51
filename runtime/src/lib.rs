//! What runs kernels.
//!
//! * [`Value`] and [`Buffer`] hold arguments in the layout that kernels see.
//! * [`HostDevice`] compiles the kernels of a module for this process and runs dispatches on all cores.

mod buffer;
mod dispatch;
mod encode;
mod host;
mod scheduler;

pub use buffer::Buffer;
pub use dispatch::{Argument, Dispatch, DispatchError};
pub use encode::{Number, Shape, Value};
pub use host::{HostDevice, HostKernel};
pub use scheduler::{SchedulerError, build_state_machine};
