//! Fuzz targets.
//!
//! A target takes any bytes and returns what it found wrong with *us*: input that is refused with diagnostics is fine.
//! Panics, hangs, and whatever the targets check are not. `fuzz/libfuzzer` hands the same functions to libFuzzer.

mod corpus;
mod mutate;
mod pipeline;
mod run;
mod text;
mod verify_then_run;

pub use corpus::Corpus;
pub use mutate::Mutator;
pub use run::{Finding, Limits, fuzz};

/// What a target says about one input: nothing, or what is wrong.
pub type Verdict = Result<(), String>;

/// A named target.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it checks, in one sentence without a full stop.
    pub description: &'static str,
    /// Runs it on one input.
    pub run: fn(&[u8]) -> Verdict,
    /// What inputs look like when there is no corpus.
    pub seeds: &'static [&'static str],
}

/// All targets.
pub const TARGETS: [Target; 3] = [text::TARGET, pipeline::TARGET, verify_then_run::TARGET];

/// The target of a name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}

/// Bytes as text, with replacements for what is none: tools refuse such files before they read them.
fn as_text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}
