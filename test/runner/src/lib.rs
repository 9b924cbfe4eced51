//! Runs lit test files from `cargo test`.
//!
//! LLVM's own `lit` is the reference for what a test file means. This runner understands a small part of its language, so
//! that `cargo test` alone reaches every test; what lies outside that part makes the test fail, since a guess could turn a
//! broken test into one that passes. LLVM's `FileCheck` decides about output in both.
//!
//! # The subset
//!
//! * `RUN:` lines, joined by a trailing `\`: commands joined by `|`, each with an optional leading `not`, words in plain,
//!   single or double quotes, and the redirections `> FILE`, `2> FILE` and `2>&1`.
//! * Programs: `%coro-opt`, `%coro-run`, `%mlir-opt`, LLVM's tools, a few of the system's, and scripts beside the test (`%S/…`).
//! * Substitutions: those three, `%s` (the file), `%S` (its folder), `%t` (a path that belongs to this test alone).
//! * `REQUIRES: a, b` with the features `gpu`, `mlir-opt` and `nvptx`; `XFAIL: *` or a list of features.
//!
//! A pipeline passes only when every command in it does (pipefail).
//!
//! # Stricter than lit
//!
//! The runner also refuses what lit lets through in silence: a check line that no `FileCheck` of the file reads (a misspelt
//! prefix), a `FileCheck` whose only lines are `CHECK-NOT`, and, under `not`, a program that dies by a signal or by a Rust
//! panic (exit status 101).

mod checks;
mod command;
mod directives;
mod discovery;
mod execute;
mod lit;
mod substitution;
mod test_file;
mod tools;

pub use discovery::{find_tests, repository_root};
pub use lit::{LitVerdicts, run_lit};
pub use test_file::{Verdict, missing_feature, run_test_file};
pub use tools::{Feature, Toolbox, llvm_prefix};

/// Why a test file cannot be run as it stands: it is outside the subset, or it could not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// One-based line in the test file.
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}
