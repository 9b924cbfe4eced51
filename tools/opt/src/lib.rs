//! The driver of an optimizer: reads IR, runs passes on it, writes it.
//!
//! A tool of one's own dialects and passes is a few lines:
//!
//! ```no_run
//! use fermata_ir::DialectRegistry;
//! use fermata_ir::pass::PassRegistry;
//!
//! fn main() -> std::process::ExitCode {
//!     let mut dialects = DialectRegistry::new();
//!     // dialects.register(&MyDialect);
//!     let mut passes = PassRegistry::new();
//!     fermata_ir::passes::register_passes(&mut passes);
//!     fermata_opt::Tool::new("my-opt", "Optimizes my dialect").dialects(dialects).passes(passes).main()
//! }
//! ```
//!
//! Exit status: 0 if all is well, 1 if the input was wrong (diagnostics on standard error), 2 if the call was wrong.

mod arguments;
mod emit;
mod input;
mod module;
mod normalize;
mod output;
mod pipeline;
mod reports;
mod roundtrip;
mod session;
mod tool;

pub use emit::{EmitFailure, Emitter};
pub use tool::{Streams, Tool};
