//! Passes, pipelines of passes, and the manager that runs them.
//!
//! * A [`Pass`] transforms or checks one isolated operation, given as a [`PassTarget`]: its body, the analyses of it,
//!   a place for diagnostics and counters.
//! * What a user may set is declared as a table of [`PassOptions`].
//! * A [`PassManager`] is a pipeline; it reads and prints MLIR's pipeline strings, and runs.
//! * A [`PassRegistry`] says which passes there are. It is an object like any other; a tool makes its own.

mod core;
mod manager;
pub mod options;
mod pipeline;
mod printing;
mod registry;
mod reproducer;
mod run;
mod statistics;
mod target;
mod timing;

pub use self::core::{Pass, PassFailure, PassOutcome, PassResult};
pub use manager::{PassManager, PipelineAnchor, WrongAnchor};
pub use options::{KeywordOption, OptionValue, PassOptions};
pub use printing::{IrPrinting, PassFilter};
pub use registry::{OptionInfo, PassInfo, PassPipeline, PassRegistry};
pub use reproducer::ReproducerSettings;
pub use run::{ReproducerScope, RunOptions, RunReport};
pub use statistics::{PassStatistics, Statistics, StatisticsDisplay};
pub use target::{PassTarget, run_pass};
pub use timing::{Timing, TimingDisplay, TimingRow};
