//! Runs a kernel of a `.xir` file.
//!
//! Exit status: 0 if all is well, 1 if the input was wrong, 2 if the call was wrong.

mod arguments;
mod call;
mod npy;
mod output;
mod picture;
mod program;
mod run;
mod spec;

use std::process::ExitCode;

fn main() -> ExitCode {
    run::main()
}
