//! Passes, pipelines of passes, and the manager that runs them.
//!
//! * A [`Pass`] transforms or checks one isolated operation, given as a [`PassTarget`]: its body, the analyses of it,
//!   a place for diagnostics and counters.
//! * What a user may set is declared as a table of [`PassOptions`].
//! * A [`PassRegistry`] says which passes there are. It is an object like any other; a tool makes its own.

mod core;
pub mod options;
mod registry;
mod target;

pub use self::core::{Pass, PassFailure, PassOutcome, PassResult};
pub use options::{KeywordOption, OptionValue, PassOptions};
pub use registry::{PassInfo, PassRegistry};
pub use target::{PassTarget, run_pass};
