//! The reference interpreter.
//!
//! It runs kernels and coroutines at every level of the pipeline, slowly and plainly, by the semantics that
//! `fermata_xir::semantics` states, and is the oracle for everything else.
//!
//! * A [`Machine`] holds the functions of a module and the buffers.
//! * [`Machine::run`] runs a whole dispatch of a kernel, of a coroutine whose suspended instances resume in an order of
//!   the caller's choice, or of a split coroutine by its graph.
//!
//! Memory remembers what has been written: reading what was not gives zero and counts as a finding. A trap, an access that
//! the program promised would not happen, or too many steps end the run with an [`InterpreterError`] that names the place.

mod composite;
mod error;
mod execute;
mod frame;
mod instance;
mod machine;
mod memory;
mod program;
mod value;

pub use error::{ErrorKind, InterpreterError};
pub use machine::{Argument, Finding, Machine, Options, Report, Resume, Store};
pub use memory::BufferMemory;
pub use value::Value;
