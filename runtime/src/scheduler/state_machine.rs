//! The state machine: each thread runs one instance of the coroutine from its start to its end.
//!
//! ```text
//! frame := local memory
//! token := entry
//! loop: switch token { done: return; t: token := continuation t (frame, arguments) }
//! ```
//!
//! The frame never leaves the thread, so a compiler may keep it in registers.

use std::fmt;

use fermata_coro::{Graph, Node, TOKEN_ENTRY};
use fermata_ir::{Attribute, BlockId, Body, Builder, Context, OpRef, Type, ValueId};
use fermata_xir::ops::{Alloca, Br, Call, Constant, Kernel, Return, SwitchBr, SwitchCase};

/// Why a scheduler cannot be built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SchedulerError {
    /// The module has no graph of a coroutine of this name.
    NoGraph(String),
    /// The graph names a continuation that is not there, or is not materialized.
    BadContinuation(String),
}

impl fmt::Display for SchedulerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGraph(name) => write!(formatter, "the module has no graph of a coroutine '{name}'"),
            Self::BadContinuation(name) => write!(formatter, "'@{name}' is no materialized continuation"),
        }
    }
}

impl std::error::Error for SchedulerError {}

/// Adds a kernel of the coroutine's name to a module, beside its materialized continuations and its graph.
///
/// # Errors
/// If the module does not hold such a coroutine.
pub fn build_state_machine(context: &Context, module: &mut Body, coroutine: &str) -> Result<(), SchedulerError> {
    let continuations = continuations(context, module, coroutine)?;
    let types = parameter_types(context, module, &continuations[0].1)?;
    let kernel = build_kernel(context, coroutine, &continuations, &types);
    let block = module.regions(module.root()).first().and_then(|&region| module.entry_block(region));
    let block = block.expect("a module that holds a graph has a block");
    Builder::new(context, module).at_end(block).create_anchor(kernel);
    Ok(())
}

/// Tokens and symbols of the continuations, by token.
fn continuations(context: &Context, module: &Body, coroutine: &str) -> Result<Vec<(u32, String)>, SchedulerError> {
    let graph = module
        .all_ops()
        .into_iter()
        .find(|&op| OpRef::new(context, module, op).cast::<Graph<'_>>().is_some_and(|graph| graph.root() == coroutine));
    let graph = graph.ok_or_else(|| SchedulerError::NoGraph(coroutine.to_owned()))?;
    let nodes = module.ops_inside(graph).into_iter();
    let nodes = nodes.filter_map(|op| OpRef::new(context, module, op).cast::<Node<'_>>());
    let mut found: Vec<(u32, String)> = nodes
        .filter_map(|node| {
            let symbol = node.continuation().symbol_value(context)?.root.as_str(context);
            Some((node.token(), symbol.to_owned()))
        })
        .collect();
    found.sort_unstable();
    match found.first() {
        Some(&(TOKEN_ENTRY, _)) => Ok(found),
        _ => Err(SchedulerError::NoGraph(coroutine.to_owned())),
    }
}

/// Types of the parameters of a continuation: the frame, then the coroutine's own.
fn parameter_types(context: &Context, module: &Body, symbol: &str) -> Result<Vec<Type>, SchedulerError> {
    let bad = || SchedulerError::BadContinuation(symbol.to_owned());
    let function = module.all_ops().into_iter().filter_map(|op| module.nested(op)).find(|function| {
        let name = function.properties(function.root()).get(context, "sym_name");
        name.and_then(|name| name.string_value(context)) == Some(symbol)
    });
    let function = function.ok_or_else(bad)?;
    let ty = function.properties(function.root()).get(context, "function_type");
    let parts = ty.and_then(|ty| ty.type_value(context)).and_then(|ty| ty.function_parts(context));
    match parts {
        Some((inputs, [result])) if !inputs.is_empty() && result.integer_width(context) == Some(32) => {
            Ok(inputs.to_vec())
        }
        _ => Err(bad()),
    }
}

fn build_kernel(context: &Context, name: &str, continuations: &[(u32, String)], types: &[Type]) -> Body {
    let (&frame_type, arguments) = types.split_first().expect("a materialized continuation has the frame");
    let ty = Type::function(context, arguments, &[]);
    let mut body = Kernel::create_body(context, fermata_ir::Location::UNKNOWN, name, ty);
    let region = body.regions(body.root())[0];
    let i32_type = Type::integer(context, 32);
    let mut builder = Builder::new(context, &mut body);
    let entry = builder.create_block(region, arguments);
    let dispatch = builder.create_block(region, &[i32_type]);
    let done = builder.create_block(region, &[]);
    let steps: Vec<BlockId> = continuations.iter().map(|_| builder.create_block(region, &[])).collect();
    let parameters: Vec<ValueId> = builder.body().arguments(entry).to_vec();
    builder.at_end(entry);
    let frame = Alloca::build(&mut builder, frame_type);
    let frame = builder.body().result(frame, 0);
    let start = Constant::build(&mut builder, Attribute::integer(context, i128::from(TOKEN_ENTRY), i32_type));
    let start = builder.body().result(start, 0);
    Br::build(&mut builder, &[start], dispatch);
    builder.at_end(dispatch);
    let token = builder.body().arguments(dispatch)[0];
    let cases: Vec<SwitchCase> = continuations
        .iter()
        .zip(&steps)
        .map(|(&(token, _), &block)| SwitchCase { value: token.cast_signed().into(), block, operands: Vec::new() })
        .collect();
    SwitchBr::with_cases(&mut builder, token, done, &[], &cases);
    for ((_, symbol), &step) in continuations.iter().zip(&steps) {
        builder.at_end(step);
        let passed: Vec<ValueId> = std::iter::once(frame).chain(parameters.iter().copied()).collect();
        let call = Call::build(&mut builder, &passed, Some(i32_type), Attribute::symbol(context, symbol));
        let next = builder.body().result(call, 0);
        Br::build(&mut builder, &[next], dispatch);
    }
    builder.at_end(done);
    Return::build(&mut builder, &[]);
    body
}
