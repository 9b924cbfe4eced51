//! IR that the verifier accepts must go through the passes and stay valid.

use fermata_ir::pass::{PassManager, RunOptions};
use fermata_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Body, Context, Diagnostics};

use crate::text::reads_back;
use crate::{Target, Verdict, as_text};

pub(crate) const TARGET: Target = Target {
    name: "verify_then_run",
    description: "Runs passes on what the verifier accepts; they break nothing, and refuse without a trace",
    run,
    seeds: crate::text::TARGET.seeds,
};

/// What is run. The first byte of an input says which.
const PIPELINES: [&str; 6] = [
    "builtin.module(canonicalize)",
    "builtin.module(dce)",
    "builtin.module(sccp,canonicalize)",
    "builtin.module(simplify-cfg,dce)",
    "builtin.module(inline,symbol-dce)",
    "builtin.module(canonicalize,sccp,simplify-cfg,inline,dce,canonicalize)",
];

fn run(data: &[u8]) -> Verdict {
    let choice = data.iter().fold(0usize, |sum, &byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    let pipeline = PIPELINES[choice % PIPELINES.len()];
    let text = as_text(data);
    let context = Context::new(coro_opt::dialects());
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let file = context.sources().add("fuzz", text).map_err(|error| error.to_string())?;
    let Some(mut body) = parse_module(&context, file, &options, &mut Diagnostics::new()) else {
        return Ok(());
    };
    if !is_valid(&context, &body) {
        return Ok(());
    }
    let before = print_module(&context, &body, &PrintOptions::default());
    let mut diagnostics = Diagnostics::new();
    let source = context.sources().add("pipeline", pipeline).map_err(|error| error.to_string())?;
    let manager = PassManager::parse(&context, &coro_opt::passes(), source, &mut diagnostics);
    let mut manager = manager.ok_or_else(|| format!("{pipeline} is refused"))?;
    // Validity is checked below, with what is wrong and after what.
    let run = RunOptions { threads: 1, allow_unregistered: true, verify_each: true, ..RunOptions::default() };
    let report = manager.run(&context, &mut body, &run, &mut Vec::new(), &mut diagnostics);
    if report.result.is_ok() {
        return reads_back(&context, &body, PrintOptions::default(), &options);
    }
    let first =
        diagnostics.as_slice().iter().find(|diagnostic| diagnostic.severity == fermata_ir::diagnostic::Severity::Error);
    let first = first.ok_or_else(|| format!("{pipeline} failed without an error"))?;
    let after = first.notes.iter().any(|note| note.message.starts_with("found after the pass"));
    if after || first.code == "internal-error" {
        return Err(format!("{pipeline}: {}\n{before}", first.message));
    }
    if pipeline.matches(',').count() == 0 && print_module(&context, &body, &PrintOptions::default()) != before {
        return Err(format!("{pipeline} refused its input and left it changed:\n{before}"));
    }
    Ok(())
}

fn is_valid(context: &Context, body: &Body) -> bool {
    let mut faults = Diagnostics::new();
    verify(context, body, &VerifyOptions { allow_unregistered: true, ..VerifyOptions::default() }, &mut faults);
    !faults.has_errors()
}
