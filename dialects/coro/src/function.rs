//! Coroutines before and after splitting.

use fermata_ir::body::Body;
use fermata_ir::constraints::{StringAttribute, SymbolName, TypeAttribute};
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    FunctionInterface, FunctionModel, SyntaxInterface, SyntaxModel, VerifyInterface, VerifyModel,
};
use fermata_ir::text::{ParseResult, Parser, Printer, parse_function, print_function};
use fermata_ir::{BlockId, Location, OpId, OpRef, OperationView, Type, operation};
use rustc_hash::FxHashMap;

use crate::frame::FrameType;
use crate::suspend::Suspend;
use crate::token::{TOKEN_DONE, Token};

/// A coroutine: a function without results, run once for each point of a dispatch, that may suspend.
///
/// Blocks may end in `coro.suspend`. Tokens are unique in one coroutine. The arguments are uniform: they keep their
/// values across suspensions and take no room in the frame.
///
/// ```mlir
/// coro.func @count(%out: !xir.buffer<i32>) {
///   coro.suspend token(1) name("half way") to ^bb1
/// ^bb1:
///   xir.return
/// }
/// ```
#[operation(name = "coro.func", traits = [ISOLATED_FROM_ABOVE, SYMBOL], interfaces = [Function, Syntax, Verify])]
pub struct Func {
    #[property]
    sym_name: SymbolName,
    #[property]
    function_type: TypeAttribute,
    #[property(optional)]
    sym_visibility: StringAttribute,
    #[region]
    body: AnyRegion,
}

impl FunctionInterface for Func<'_> {
    fn function_type(op: OpRef<'_>) -> Option<Type> {
        op.property("function_type")?.type_value(op.context)
    }

    fn is_inlinable(_op: OpRef<'_>) -> bool {
        false
    }
}

impl SyntaxInterface for Func<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        parse_function(parser)
    }

    fn print(op: OpRef<'_>, printer: &mut Printer<'_>) {
        print_function(op, printer);
    }
}

impl VerifyInterface for Func<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        verify_no_results(op, diagnostics);
        if op.body.entry_block(op.regions()[0]).is_none() {
            let message = "'coro.func' op must have a body";
            diagnostics.report(Diagnostic::error("coroutine-body", op.location(), message));
        }
        let mut tokens: FxHashMap<u32, Location> = FxHashMap::default();
        for inner in op.body.ops_inside(op.id) {
            let Some(suspend) = op.at(inner).cast::<Suspend<'_>>() else { continue };
            let location = op.at(inner).location();
            if let Some(&first) = tokens.get(&suspend.token()) {
                let message = format!("'coro.suspend' op token {} is used twice in one coroutine", suspend.token());
                diagnostics.report(
                    Diagnostic::error("duplicate-token", location, message)
                        .note(first, "the token is used here first")
                        .help("give every suspension of a coroutine a token of its own"),
                );
            } else {
                tokens.insert(suspend.token(), location);
            }
        }
    }
}

/// The part of a coroutine from one token to the next suspensions.
///
/// Its first argument is the frame; the arguments of the coroutine follow. Every path ends in `coro.transition`.
#[operation(name = "coro.continuation", traits = [ISOLATED_FROM_ABOVE, SYMBOL], interfaces = [Function, Syntax, Verify])]
pub struct Continuation {
    #[property]
    sym_name: SymbolName,
    #[property]
    function_type: TypeAttribute,
    #[property(optional)]
    sym_visibility: StringAttribute,
    /// The coroutine that it is a part of; it may be gone.
    #[property]
    root: StringAttribute,
    /// The token at which it starts.
    #[property]
    token: Token,
    #[region]
    body: AnyRegion,
}

impl FunctionInterface for Continuation<'_> {
    fn function_type(op: OpRef<'_>) -> Option<Type> {
        op.property("function_type")?.type_value(op.context)
    }

    fn is_inlinable(_op: OpRef<'_>) -> bool {
        false
    }
}

impl SyntaxInterface for Continuation<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        parse_function(parser)
    }

    fn print(op: OpRef<'_>, printer: &mut Printer<'_>) {
        print_function(op, printer);
    }
}

impl VerifyInterface for Continuation<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        verify_no_results(op, diagnostics);
        let first = <Self as FunctionInterface>::function_type(op)
            .and_then(|ty| ty.function_parts(op.context)?.0.first().copied());
        if !first.is_some_and(|ty| ty.is::<FrameType>(op.context)) {
            let message = "'coro.continuation' op must have a !coro.frame as its first argument";
            diagnostics.report(Diagnostic::error("continuation-frame", op.location(), message));
        }
    }
}

fn verify_no_results(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
    let ty = op.property("function_type").and_then(|ty| ty.type_value(op.context));
    let Some((_, results)) = ty.and_then(|ty| ty.function_parts(op.context)) else {
        let message = format!("'{}' op property 'function_type' must be a function type", op.name_str());
        diagnostics.report(Diagnostic::error("function-type", op.location(), message));
        return;
    };
    if !results.is_empty() {
        let message = format!("'{}' op must not have results, but its type has {}", op.name_str(), results.len());
        diagnostics.report(
            Diagnostic::error("coroutine-results", op.location(), message)
                .help("pass a buffer and store the results there"),
        );
    }
}

/// Ends a continuation: the frame now holds what the continuation at `token` needs. The token 4294967295 says that
/// the coroutine is done.
#[operation(
    name = "coro.transition",
    traits = [TERMINATOR, RETURN_LIKE],
    interfaces = [Verify],
    format = "$token attr-dict",
)]
pub struct Transition {
    #[property]
    token: Token,
}

impl VerifyInterface for Transition<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        if !op.parent().is_some_and(|parent| Continuation::matches(parent)) {
            let message = "'coro.transition' op must be in a 'coro.continuation'";
            diagnostics.report(Diagnostic::error("misplaced-transition", op.location(), message));
        }
    }
}

impl Transition<'_> {
    /// Whether it ends the coroutine.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.token() == TOKEN_DONE
    }
}

impl Func<'_> {
    /// The suspensions of a coroutine, given the body that it is, in textual order.
    #[must_use]
    pub fn suspends(context: &fermata_ir::Context, body: &Body) -> Vec<OpId> {
        let is_suspend = |&op: &OpId| Suspend::matches(OpRef::new(context, body, op));
        body.all_ops().into_iter().filter(is_suspend).collect()
    }

    /// The entry block of a coroutine, given the body that it is.
    #[must_use]
    pub fn entry(body: &Body) -> Option<BlockId> {
        body.regions(body.root()).first().and_then(|&region| body.entry_block(region))
    }
}
