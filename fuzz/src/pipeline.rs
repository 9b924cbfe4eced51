//! Pipeline strings that are read must print as ones that read back the same.

use fermata_ir::pass::PassManager;
use fermata_ir::{Context, Diagnostics};

use crate::{Target, Verdict, as_text};

pub(crate) const TARGET: Target = Target {
    name: "pipeline",
    description: "Reads a pipeline string; what was read prints, reads back and prints the same",
    run,
    seeds: &[
        "builtin.module(canonicalize{max-iterations=2 disable-patterns=a,b},any(dce,sccp))",
        "builtin.module(coro.func(simplify-cfg), inline{threshold=0x10},symbol-dce)",
        "any( canonicalize { fold=false top-down } , any() )",
        "builtin.module(canonicalize{enable-patterns={a b},'c' disable-patterns=\"x\"})",
    ],
};

fn run(data: &[u8]) -> Verdict {
    let text = as_text(data);
    let context = Context::new(coro_opt::dialects());
    let Some(manager) = parse(&context, &text)? else {
        return Ok(());
    };
    let printed = manager.to_string();
    match parse(&context, &printed)? {
        Some(again) if again.to_string() == printed => Ok(()),
        Some(again) => Err(format!("a pipeline reads back as another one:\n{printed}\n{again}")),
        // No quotes can hold both kinds of quotes and braces that do not match.
        None if text.contains('"') && text.contains('\'') => Ok(()),
        None => Err(format!("a printed pipeline cannot be read: {printed}")),
    }
}

fn parse(context: &Context, text: &str) -> Result<Option<PassManager>, String> {
    let source = context.sources().add("fuzz", text).map_err(|error| error.to_string())?;
    let mut diagnostics = Diagnostics::new();
    let manager = PassManager::parse(context, &coro_opt::passes(), source, &mut diagnostics);
    match (manager.is_some(), diagnostics.has_errors()) {
        (true, true) => Err("a pipeline with errors was accepted".to_owned()),
        (false, false) => Err("a pipeline was refused without an error".to_owned()),
        _ => Ok(manager),
    }
}
