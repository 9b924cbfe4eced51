//! Reads, verifies and prints generated modules with coro-opt, mlir-opt and opt, and compares their CPU time and memory.
//!
//! The modules: functions of 500 operations, ten blocks of fifty, six binary operations on integers with operands among the
//! last values of the block, branches with two block arguments. Programs run one at a time and in turn, so that a change in the
//! machine's speed meets all alike; figures are medians of user plus system time and of peak resident memory.
//!
//! Exit status 1 when a bar is missed, 2 when something does not run. Nothing is written outside a temporary folder.

mod contender;
mod measure;
mod program;
mod report;
mod text;

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use crate::contender::{Contender, contenders};
use crate::measure::measure;
use crate::program::FUNCTION_OPERATIONS;
use crate::report::{Row, Table, judge};

/// Compares coro-opt with mlir-opt and opt on generated modules.
#[derive(Parser)]
struct Options {
    /// Runs of each program at each size
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Operations of the modules, rounded to whole functions of 500
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000, 1_000_000])]
    sizes: Vec<usize>,
    /// The coro-opt to measure; by default the one built beside this program
    #[arg(long)]
    coro_opt: Option<PathBuf>,
    /// LLVM's folder
    #[arg(long, env = "LLVM_SYS_191_PREFIX", default_value = "/usr/lib/llvm-19")]
    llvm_prefix: PathBuf,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<bool, String> {
    let own = options.coro_opt.clone().map_or_else(beside_this_program, Ok)?;
    let contenders = contenders(own, &options.llvm_prefix.join("bin"));
    describe(&contenders)?;
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let mut tables = Vec::new();
    for &size in &options.sizes {
        let function_count = (size / FUNCTION_OPERATIONS).max(1);
        let table = compare(&contenders, function_count, options.runs.max(1), folder.path())?;
        table.print();
        tables.push(table);
    }
    Ok(judge(&tables))
}

fn beside_this_program() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| format!("where this program lies: {error}"))?;
    Ok(own.with_file_name("coro-opt"))
}

/// Says what is compared, and on what machine.
fn describe(contenders: &[Contender]) -> Result<(), String> {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown");
    println!("{}, load {load}", model.map_or("unknown processor", |(_, model)| model));
    for contender in contenders {
        println!("{:24}{} ({})", contender.name, contender.call(), contender.version()?);
    }
    Ok(())
}

/// Measures all at one size, after a run of each whose output is checked.
fn compare(contenders: &[Contender], function_count: usize, runs: usize, folder: &Path) -> Result<Table, String> {
    let operations = function_count * FUNCTION_OPERATIONS;
    let mut rows = Vec::new();
    let mut inputs = Vec::new();
    for (index, contender) in contenders.iter().enumerate() {
        let input = folder.join(format!("{index}-{operations}"));
        let input_bytes = generate(contender, function_count, &input)?;
        check_output(contender, function_count, &input, folder)?;
        let empty = folder.join("empty");
        generate(contender, 0, &empty)?;
        let start_up_memory = measure(&mut contender.command(&empty, Path::new("/dev/null")))?.peak_memory;
        rows.push(Row { name: contender.name, runs: Vec::new(), operations, input_bytes, start_up_memory });
        inputs.push(input);
    }
    for _ in 0..runs {
        for ((contender, input), row) in contenders.iter().zip(&inputs).zip(&mut rows) {
            row.runs.push(measure(&mut contender.command(input, Path::new("/dev/null")))?);
        }
    }
    Ok(Table { operations, rows })
}

/// Writes the contender's text of the program; gives its length.
fn generate(contender: &Contender, function_count: usize, path: &Path) -> Result<u64, String> {
    let fail = |error| format!("{}: {error}", path.display());
    let mut out = BufWriter::new(File::create(path).map_err(fail)?);
    contender.form.write(function_count, &mut out).map_err(fail)?;
    out.flush().map_err(fail)?;
    Ok(fs::metadata(path).map_err(fail)?.len())
}

/// A program that prints nothing would be fast: what it prints must hold every operation.
fn check_output(contender: &Contender, function_count: usize, input: &Path, folder: &Path) -> Result<(), String> {
    let output = folder.join("output");
    let fail = |error| format!("{}: {error}", output.display());
    measure(&mut contender.command(input, &output))?;
    let text = BufReader::new(File::open(&output).map_err(fail)?);
    let printed = contender.form.count_operations(text).map_err(fail)?;
    let expected = contender.form.expected_operations(function_count);
    if printed != expected {
        return Err(format!("{} printed {printed} operations of {expected}", contender.name));
    }
    fs::remove_file(&output).map_err(fail)
}
