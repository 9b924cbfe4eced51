//! The run itself.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use fermata_interp::{Argument as InterpArgument, BufferMemory, Machine, Options, Value as InterpValue};
use fermata_ir::diagnostic::Diagnostic;
use fermata_ir::render::{RenderOptions, render};
use fermata_ir::{Context, Diagnostics};
use fermata_lowering::{LlvmContext, OptimizationLevel};
use fermata_runtime::{Argument, Dispatch, HostDevice};
use indicatif::{ProgressBar, ProgressStyle};

use crate::arguments::{Owned, make};
use crate::call::{Call, Device, Stats};
use crate::output;
use crate::program::{Program, context, prepare, read};

/// The input was wrong.
const WRONG_INPUT: u8 = 1;
/// The call was wrong.
const WRONG_CALL: u8 = 2;

/// A fault in words, with the exit status that it means.
struct Fault(u8, String);

/// The whole program.
pub(crate) fn main() -> ExitCode {
    let call = match Call::try_parse() {
        Ok(call) => call,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { WRONG_CALL } else { 0 });
        }
    };
    let context = context();
    let mut diagnostics = Diagnostics::new();
    let result = execute(&context, &call, &mut diagnostics);
    if !diagnostics.as_slice().is_empty() {
        eprint!("{}", render(&context, &diagnostics, RenderOptions::default()));
    }
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Fault(status, message)) => {
            if !message.is_empty() {
                eprintln!("error: {message}");
            }
            ExitCode::from(status)
        }
    }
}

fn execute(context: &Context, call: &Call, diagnostics: &mut Diagnostics) -> Result<(), Fault> {
    let text = read(call).map_err(|message| Fault(WRONG_INPUT, message))?;
    let program = prepare(context, call, text, diagnostics);
    let program = program.map_err(|message| Fault(WRONG_INPUT, message.unwrap_or_default()))?;
    check_names(call, &program)?;
    let llvm = LlvmContext::create();
    let mut times = Vec::new();
    let mut owned = Vec::new();
    for _ in 0..call.repeat {
        owned = make_arguments(context, call, &program)?;
        times.push(match call.device {
            Device::Host => run_on_host(context, call, &program, &llvm, &mut owned, diagnostics)?,
            Device::Interp => run_in_interpreter(context, call, &program, &mut owned, diagnostics)?,
        });
    }
    for (name, target) in &call.outputs {
        let index = index_of(&program, name).expect("names of outputs were checked before the run");
        let Owned::Buffer(buffer) = &owned[index] else {
            return Err(Fault(WRONG_CALL, format!("'{name}' is a value, so there is nothing to write")));
        };
        output::write(target, name, buffer, call.grid).map_err(|message| Fault(WRONG_INPUT, message))?;
    }
    report(call, &program, &mut times);
    Ok(())
}

fn index_of(program: &Program, name: &str) -> Option<usize> {
    let by_name = program.parameters.iter().position(|(known, _)| known == name);
    by_name.or_else(|| name.parse().ok().filter(|&index: &usize| index < program.parameters.len()))
}

fn check_names(call: &Call, program: &Program) -> Result<(), Fault> {
    let names = call.arguments.iter().map(|(name, _)| name).chain(call.outputs.iter().map(|(name, _)| name));
    for name in names {
        if index_of(program, name).is_none() {
            let known: Vec<&str> = program.parameters.iter().map(|(name, _)| name.as_str()).collect();
            let message = format!("'{}' has no parameter '{name}'; it has {}", program.kernel, known.join(", "));
            return Err(Fault(WRONG_CALL, message));
        }
    }
    Ok(())
}

fn make_arguments(context: &Context, call: &Call, program: &Program) -> Result<Vec<Owned>, Fault> {
    let mut owned = Vec::with_capacity(program.parameters.len());
    for (index, (name, ty)) in program.parameters.iter().enumerate() {
        let spec = call.arguments.iter().rev().find(|(given, _)| index_of(program, given) == Some(index));
        let Some((_, spec)) = spec else {
            return Err(Fault(WRONG_CALL, format!("the argument '{name}' is missing: give it with --arg {name}=...")));
        };
        let argument = make(context, *ty, spec);
        owned.push(argument.map_err(|message| Fault(WRONG_CALL, format!("argument '{name}': {message}")))?);
    }
    Ok(owned)
}

fn run_on_host(
    context: &Context,
    call: &Call,
    program: &Program,
    llvm: &LlvmContext,
    owned: &mut [Owned],
    diagnostics: &mut Diagnostics,
) -> Result<Duration, Fault> {
    let device = HostDevice::compile(context, &program.module, llvm, OptimizationLevel::O2, diagnostics);
    let device = device.map_err(|error| Fault(WRONG_INPUT, error.to_string()))?;
    let kernel = device.kernel(context, &program.module, &program.kernel).ok_or_else(|| {
        Fault(WRONG_INPUT, format!("'{}' was compiled, but has no code that can be called", program.kernel))
    })?;
    let bar = call.progress.then(|| {
        let style = ProgressStyle::with_template("{bar:40} {percent:>3}% {elapsed} (left: {eta})");
        let bar = ProgressBar::new(kernel.block_count(call.grid));
        bar.set_style(style.expect("the template is one that the library knows"));
        bar
    });
    let progress = |done: u64| {
        if let Some(bar) = &bar {
            bar.set_position(done);
        }
    };
    let dispatch = Dispatch {
        threads: call.threads.map(|threads| threads as usize),
        progress: call.progress.then_some(&progress),
        ..Dispatch::new(call.grid)
    };
    let mut arguments: Vec<Argument<'_>> = owned
        .iter_mut()
        .map(|argument| match argument {
            Owned::Value(value) => Argument::Value(value),
            Owned::Buffer(buffer) => Argument::Buffer(buffer),
        })
        .collect();
    let start = Instant::now();
    kernel.run(&mut arguments, &dispatch).map_err(|error| Fault(WRONG_CALL, error.to_string()))?;
    let time = start.elapsed();
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(time)
}

fn run_in_interpreter(
    context: &Context,
    call: &Call,
    program: &Program,
    owned: &mut [Owned],
    diagnostics: &mut Diagnostics,
) -> Result<Duration, Fault> {
    let mut arguments = Vec::with_capacity(owned.len());
    for (argument, (name, ty)) in owned.iter().zip(&program.parameters) {
        arguments.push(match argument {
            Owned::Value(value) => {
                let value = InterpValue::from_bytes(context, *ty, value.bytes());
                let value = value.ok_or_else(|| Fault(WRONG_CALL, format!("argument '{name}' is of no value type")))?;
                InterpArgument::Value(value)
            }
            Owned::Buffer(buffer) => {
                let memory = BufferMemory::new(context, buffer.element(), buffer.bytes().to_vec());
                InterpArgument::Buffer(memory.expect("a buffer's bytes are whole elements"))
            }
        });
    }
    let start = Instant::now();
    let machine = Machine::new(context, &program.module, Options::default());
    let report = machine.run(&program.kernel, call.grid, arguments).map_err(|error| {
        diagnostics.report(Diagnostic::error("interpreter", error.location, error.to_string()));
        Fault(WRONG_INPUT, String::new())
    })?;
    let time = start.elapsed();
    let mut memories = report.buffers.into_iter();
    for argument in owned {
        if let Owned::Buffer(buffer) = argument {
            let memory = memories.next().expect("the interpreter gives back each buffer");
            buffer.bytes_mut().copy_from_slice(memory.bytes());
        }
    }
    Ok(time)
}

fn report(call: &Call, program: &Program, times: &mut [Duration]) {
    let Some(form) = call.stats else { return };
    times.sort_unstable();
    let median = times[times.len() / 2].as_secs_f64();
    match form {
        Stats::Text => {
            if let Some(frame) = program.frame {
                println!("frame: {} bytes (lower bound {})", frame.bytes, frame.lower_bound);
                println!("suspensions: {}", frame.suspensions);
            }
            println!("time: {median:.3} s (median of {})", times.len());
        }
        Stats::Json => {
            let frame = program.frame.map(|frame| {
                serde_json::json!({
                    "bytes": frame.bytes, "lower_bound": frame.lower_bound, "suspensions": frame.suspensions,
                })
            });
            let json = serde_json::json!({
                "kernel": program.kernel, "seconds_median": median, "runs": times.len(), "frame": frame,
            });
            println!("{json}");
        }
    }
}
