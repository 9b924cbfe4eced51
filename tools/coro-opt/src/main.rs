//! Fermata's optimizer.

use std::process::ExitCode;

fn main() -> ExitCode {
    coro_opt::tool().main()
}
