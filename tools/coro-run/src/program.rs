//! The program to run: read, checked, and brought into the form that the device takes.

use std::io::Read;

use fermata_coro::{CoroDialect, Func, Graph};
use fermata_ir::pass::{PassManager, PassPipeline, RunOptions, run_pass};
use fermata_ir::text::{ParseOptions, parse_module};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Body, Context, Diagnostics, DialectRegistry, OpRef, OperationView, Type};
use fermata_passes::{CoroEraseSuspends, CoroPipeline};
use fermata_runtime::build_state_machine;
use fermata_xir::XirDialect;
use fermata_xir::ops::Kernel;

use crate::call::{Call, Device};

/// A kernel that is ready to run.
pub(crate) struct Program {
    pub(crate) module: Body,
    pub(crate) kernel: String,
    /// Names and types of the parameters, as the file has them.
    pub(crate) parameters: Vec<(String, Type)>,
    pub(crate) frame: Option<FrameReport>,
}

/// What is known of a coroutine's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameReport {
    pub(crate) bytes: u64,
    pub(crate) lower_bound: u64,
    pub(crate) suspensions: u64,
}

/// The context of the tool.
pub(crate) fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&XirDialect).register(&CoroDialect);
    Context::new(registry)
}

/// Reads the text of a file or of standard input.
pub(crate) fn read(call: &Call) -> Result<String, String> {
    let mut bytes = Vec::new();
    if call.file == "-" {
        std::io::stdin().read_to_end(&mut bytes).map_err(|error| format!("cannot read standard input: {error}"))?;
    } else {
        bytes = std::fs::read(call.path()).map_err(|error| format!("cannot open '{}': {error}", call.file))?;
    }
    String::from_utf8(bytes).map_err(|_| format!("'{}' is not UTF-8 text", call.file))
}

/// Parses and verifies the text, finds the kernel, and prepares it for the device. An error that is not about the IR is
/// in words; those about the IR are among the diagnostics.
pub(crate) fn prepare(
    context: &Context,
    call: &Call,
    text: String,
    diagnostics: &mut Diagnostics,
) -> Result<Program, Option<String>> {
    let name = if call.file == "-" { "<stdin>" } else { &call.file };
    let file = context.sources().add(name, text).map_err(|error| Some(error.to_string()))?;
    let module = parse_module(context, file, &ParseOptions::default(), diagnostics).ok_or(None)?;
    verify(context, &module, &VerifyOptions::default(), diagnostics);
    if diagnostics.has_errors() {
        return Err(None);
    }
    let (kernel, is_coroutine) = find(context, &module, call.kernel.as_deref()).map_err(Some)?;
    let parameters = parameters(context, &module, &kernel);
    let mut program = Program { module, kernel, parameters, frame: None };
    if is_coroutine && call.erase_suspends {
        run_pass(&mut CoroEraseSuspends, context, &mut program.module, diagnostics).map_err(|_| None)?;
        optimize(context, &mut program, diagnostics)?;
    } else if is_coroutine && call.device == Device::Host {
        program.frame = Some(split(context, &mut program, diagnostics)?);
    } else if call.device == Device::Host {
        optimize(context, &mut program, diagnostics)?;
    }
    Ok(program)
}

/// The passes that a coroutine gets before it is split, for kernels.
fn optimize(context: &Context, program: &mut Program, diagnostics: &mut Diagnostics) -> Result<(), Option<String>> {
    let mut manager = PassManager::new("builtin.module");
    CoroPipeline.build(context, &mut manager).map_err(|error| Some(error.to_string()))?;
    let options = RunOptions::default();
    let report = manager.run(context, &mut program.module, &options, &mut std::io::sink(), diagnostics);
    report.result.map(drop).map_err(|_| None)
}

fn split(
    context: &Context,
    program: &mut Program,
    diagnostics: &mut Diagnostics,
) -> Result<FrameReport, Option<String>> {
    let mut manager = PassManager::new("builtin.module");
    CoroPipeline.build(context, &mut manager).map_err(|error| Some(error.to_string()))?;
    let options = RunOptions::default();
    let report = manager.run(context, &mut program.module, &options, &mut std::io::sink(), diagnostics);
    report.result.map_err(|_| None)?;
    build_state_machine(context, &mut program.module, &program.kernel).map_err(|error| Some(error.to_string()))?;
    let passes = report.statistics.by_name();
    let counted = |name: &str| passes.iter().filter_map(|pass| pass.counters.get(name)).sum();
    let graph = program.module.all_ops().into_iter().find(|&op| {
        OpRef::new(context, &program.module, op).cast::<Graph<'_>>().is_some_and(|graph| graph.root() == program.kernel)
    });
    let edges = graph.map_or(0, |graph| {
        let inside = program.module.ops_inside(graph).into_iter();
        inside.filter(|&op| fermata_coro::Edge::matches(OpRef::new(context, &program.module, op))).count()
    });
    Ok(FrameReport {
        bytes: counted("frame bytes"),
        lower_bound: counted("frame bytes, lower bound"),
        suspensions: edges as u64,
    })
}

/// The kernel or coroutine of a name, or the only one; and whether it is a coroutine.
fn find(context: &Context, module: &Body, wanted: Option<&str>) -> Result<(String, bool), String> {
    let functions = module.all_ops().into_iter().filter_map(|op| module.nested(op)).filter_map(|function| {
        let view = OpRef::new(context, function, function.root());
        let is_coroutine = Func::matches(view);
        let name = view.property("sym_name").and_then(|name| name.string_value(context))?;
        (is_coroutine || Kernel::matches(view)).then(|| (name.to_owned(), is_coroutine))
    });
    let functions: Vec<(String, bool)> = functions.collect();
    let names = functions.iter().map(|(name, _)| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    match (wanted, &functions[..]) {
        (Some(wanted), _) => {
            let found = functions.iter().find(|(name, _)| name == wanted).cloned();
            found.ok_or_else(|| format!("there is no kernel or coroutine '{wanted}'; the file has {names}"))
        }
        (None, [only]) => Ok(only.clone()),
        (None, []) => Err("the file has no kernel and no coroutine".to_owned()),
        (None, _) => Err(format!("the file has several kernels ({names}); choose one with --kernel")),
    }
}

/// Names in the text are not kept, so a parameter is known by its number, and by the name that its place in the text has.
fn parameters(context: &Context, module: &Body, kernel: &str) -> Vec<(String, Type)> {
    let function = module.all_ops().into_iter().filter_map(|op| module.nested(op)).find(|function| {
        let name = function.properties(function.root()).get(context, "sym_name");
        name.and_then(|name| name.string_value(context)) == Some(kernel)
    });
    let Some(function) = function else { return Vec::new() };
    let entry = function.regions(function.root()).first().and_then(|&region| function.entry_block(region));
    let arguments = entry.map_or(&[][..], |entry| function.arguments(entry));
    let named = arguments.iter().enumerate().map(|(index, &argument)| {
        let name = written_name(context, function, argument).unwrap_or_else(|| index.to_string());
        (name, function.value_type(argument))
    });
    named.collect()
}

/// The name after the percent sign at the place where an argument comes from.
fn written_name(context: &Context, function: &Body, argument: fermata_ir::ValueId) -> Option<String> {
    let span = function.argument_location(argument).span(context)?;
    let file = context.sources().file_at(span.start)?;
    let text = file.text().get((span.start - file.start()) as usize..(span.end - file.start()) as usize)?;
    text.strip_prefix('%').map(str::to_owned)
}
