//! The programs that are compared, and how each is called.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::text::{Form, UPSTREAM, XIR};

/// A program that reads, verifies and prints a text.
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    pub(crate) form: Form,
    program: PathBuf,
    /// Before the output and the input.
    arguments: &'static [&'static str],
}

/// Which contender a bar compares.
#[derive(Clone, Copy)]
pub(crate) enum Rank {
    Own,
    MlirOpt,
    MlirOptUnregistered,
    Opt,
}

/// All of them, in the order of `Rank`.
pub(crate) fn contenders(coro_opt: PathBuf, llvm_programs: &Path) -> [Contender; 4] {
    [
        Contender {
            name: "coro-opt",
            form: Form::Generic(&XIR),
            program: coro_opt,
            arguments: &["-j", "1", "--verify-each", "--print-op-generic"],
        },
        Contender {
            name: "mlir-opt",
            form: Form::Generic(&UPSTREAM),
            program: llvm_programs.join("mlir-opt"),
            arguments: &["--mlir-disable-threading", "--mlir-print-op-generic"],
        },
        Contender {
            name: "mlir-opt, unregistered",
            form: Form::Generic(&XIR),
            program: llvm_programs.join("mlir-opt"),
            arguments: &["--mlir-disable-threading", "--mlir-print-op-generic", "--allow-unregistered-dialect"],
        },
        Contender {
            name: "opt",
            form: Form::Llvm,
            program: llvm_programs.join("opt"),
            arguments: &["-passes=verify", "-S"],
        },
    ]
}

impl Contender {
    /// The call that reads one file and writes another.
    pub(crate) fn command(&self, input: &Path, output: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.arguments).arg("-o").arg(output).arg(input);
        command
    }

    /// The call in words.
    pub(crate) fn call(&self) -> String {
        format!("{} {}", self.program.display(), self.arguments.join(" "))
    }

    /// What the program says of its version and build, in one line.
    pub(crate) fn version(&self) -> Result<String, String> {
        let output = Command::new(&self.program).arg("--version").output();
        let output = output.map_err(|error| format!("{}: {error}", self.program.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        let telling = lines.iter().filter(|line| line.contains("version") || line.contains("build"));
        let telling = telling.copied().collect::<Vec<_>>().join(", ");
        Ok(if telling.is_empty() { lines.first().copied().unwrap_or_default().to_owned() } else { telling })
    }
}
