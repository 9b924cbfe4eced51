//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::output::Target;
use crate::spec::Spec;

/// What runs the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Device {
    /// The reference interpreter.
    Interp,
    /// Compiled code on all cores.
    Host,
}

/// How suspended instances of a coroutine are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Scheduler {
    /// Each thread runs one instance from its start to its end.
    StateMachine,
}

/// How statistics are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Stats {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Runs a kernel or coroutine of a .xir file over a grid, and writes what it leaves in its buffers.
#[derive(Parser, Debug)]
#[command(name = "coro-run", version)]
pub(crate) struct Call {
    /// The file; `-` is standard input.
    pub(crate) file: String,
    /// The kernel or coroutine; may be left out if the file has just one.
    #[arg(long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// Points of the grid: N, N,M or N,M,K.
    #[arg(long, value_name = "N[,M[,K]]", value_parser = grid)]
    pub(crate) grid: [u32; 3],
    /// What runs it.
    #[arg(long, value_enum, default_value_t = Device::Host)]
    pub(crate) device: Device,
    /// How suspended instances of a coroutine are run.
    #[arg(long, value_enum, default_value_t = Scheduler::StateMachine)]
    pub(crate) scheduler: Scheduler,
    /// An argument: a number, a list `[1,2,3]`, zeros:N, fill:V:N, iota:N, random:SEED:N or a .npy file. NAME is that of the
    /// parameter, or its number.
    #[arg(long = "arg", value_name = "NAME=SPEC", value_parser = named::<Spec>)]
    pub(crate) arguments: Vec<(String, Spec)>,
    /// A buffer to write after the run: a .npy or .png file, or `-` for text.
    #[arg(long = "out", value_name = "NAME=PATH", value_parser = named::<Target>)]
    pub(crate) outputs: Vec<(String, Target)>,
    /// Runs a coroutine straight through, as coro-erase-suspends leaves it.
    #[arg(long)]
    pub(crate) erase_suspends: bool,
    /// Prints statistics.
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) stats: Option<Stats>,
    /// Runs it so many times, each on fresh arguments.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
    /// Threads of the host; all cores if not given.
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: Option<u32>,
    /// Shows how far the run has come.
    #[arg(long)]
    pub(crate) progress: bool,
}

fn grid(text: &str) -> Result<[u32; 3], String> {
    let mut size = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("a grid has at most three dimensions".to_owned());
    }
    for (axis, part) in parts.into_iter().enumerate() {
        size[axis] = part.trim().parse().map_err(|_| format!("'{part}' is no number of points"))?;
    }
    Ok(size)
}

fn named<T: std::str::FromStr<Err = String>>(text: &str) -> Result<(String, T), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("'{text}' lacks a name: expected NAME=VALUE"))?;
    Ok((name.to_owned(), value.parse()?))
}

impl Call {
    /// The file as a path, for messages and for reading.
    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(&self.file)
    }
}
