//! Checks, promises and output.

use fermata_ir::constraints::StringAttribute;
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    EffectKind, MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel, VerifyInterface, VerifyModel, constant_value,
};
use fermata_ir::rewrite::{CanonicalizeInterface, CanonicalizeModel, NoMatch, PatternSet, RewriteResult};
use fermata_ir::{Builder, OpId, OpRef, operation};

use crate::constant;
use crate::constraints::{Bool, ScalarOrVector};

/// Stops the program with a message if the condition is 0.
///
/// ```mlir
/// xir.assert %c, "the index is in range"
/// ```
#[operation(
    name = "xir.assert",
    interfaces = [MemoryEffects, Canonicalize],
    format = "$condition `,` $message attr-dict",
)]
pub struct Assert {
    #[operand(only)]
    condition: Bool,
    /// What the error says.
    #[property]
    message: StringAttribute,
}

/// A promise of the front end that the condition is 1. If it is 0, nothing is said about what the program does; the
/// interpreter reports it.
///
/// ```mlir
/// xir.assume %c
/// ```
#[operation(name = "xir.assume", interfaces = [MemoryEffects, Canonicalize], format = "$condition attr-dict")]
pub struct Assume {
    #[operand(only)]
    condition: Bool,
}

/// Writes a line: the format with each `{}` replaced by the next argument. `{{` and `}}` stand for single braces. The
/// lines of different threads come in any order.
///
/// ```mlir
/// xir.print "a = {}, b = {}", %a, %b : i32, vector<2xf32>
/// ```
#[operation(
    name = "xir.print",
    interfaces = [MemoryEffects, Verify],
    format = "$format (`,` $arguments^ `:` type($arguments))? attr-dict",
)]
pub struct Print {
    #[operand(variadic)]
    arguments: ScalarOrVector,
    /// The line.
    #[property]
    format: StringAttribute,
}

/// A piece of the format of [`Print`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatPiece<'a> {
    /// Text as it is.
    Text(&'a str),
    /// The next argument.
    Argument,
}

/// The pieces of a format; nothing if it has a brace that is neither doubled nor one of `{}`.
#[must_use]
pub fn format_pieces(format: &str) -> Option<Vec<FormatPiece<'_>>> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some(brace) = rest.find(['{', '}']) {
        let (text, tail) = rest.split_at(brace);
        if !text.is_empty() {
            pieces.push(FormatPiece::Text(text));
        }
        pieces.push(match tail.get(..2)? {
            "{}" => FormatPiece::Argument,
            "{{" | "}}" => FormatPiece::Text(&tail[..1]),
            _ => return None,
        });
        rest = &tail[2..];
    }
    if !rest.is_empty() {
        pieces.push(FormatPiece::Text(rest));
    }
    Some(pieces)
}

fn seen_outside(effects: &mut Vec<MemoryEffect>) {
    effects.push(MemoryEffect { kind: EffectKind::Other, value: None });
}

macro_rules! seen_outside {
    ($($Op:ident),*) => {$(
        impl MemoryEffectsInterface for $Op<'_> {
            fn effects(_op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
                seen_outside(effects);
            }
        }
    )*};
}
seen_outside!(Assert, Assume, Print);

impl VerifyInterface for Print<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let Some(format) = op.property("format").and_then(|format| format.string_value(op.context)) else { return };
        let mut report = |message: String| {
            diagnostics.report(Diagnostic::error("print-format", op.location(), format!("'xir.print' op {message}")));
        };
        let Some(pieces) = format_pieces(format) else {
            return report("a brace in the format is one of '{}', '{{' and '}}'".to_owned());
        };
        let places = pieces.iter().filter(|&&piece| piece == FormatPiece::Argument).count();
        if places != op.operand_count() {
            report(format!(
                "the number of places in the format is {places}, but that of arguments is {}",
                op.operand_count()
            ));
        }
    }
}

impl CanonicalizeInterface for Assert<'_> {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("assert-of-truth", "xir.assert", erase_if_true);
    }
}

impl CanonicalizeInterface for Assume<'_> {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("assume-of-truth", "xir.assume", erase_if_true);
    }
}

/// What is known to hold need not be said.
fn erase_if_true(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let condition = constant_value(view.context, view.body, view.operand(0));
    if condition.and_then(|condition| constant::scalar(view.context, condition)) != Some(1) {
        return Err(NoMatch("the condition is not known to hold"));
    }
    builder.erase_op(op);
    Ok(())
}
