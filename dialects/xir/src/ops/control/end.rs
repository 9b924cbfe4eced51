//! Terminators without successors.

use fermata_ir::constraints::StringAttribute;
use fermata_ir::interfaces::{EffectKind, MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel};
use fermata_ir::{OpRef, operation};

use crate::constraints::Value;

/// Ends the function with a value or with nothing.
///
/// ```mlir
/// xir.return %x : f32
/// ```
#[operation(
    name = "xir.return",
    traits = [PURE, TERMINATOR, RETURN_LIKE],
    format = "($operands^ `:` type($operands))? attr-dict",
)]
pub struct Return {
    #[operand(variadic)]
    operands: Value,
}

/// Stops the program with an error, since it should not come here.
///
/// ```mlir
/// xir.unreachable
/// xir.unreachable "no such case"
/// ```
#[operation(
    name = "xir.unreachable",
    traits = [TERMINATOR],
    interfaces = [MemoryEffects],
    format = "($message^)? attr-dict",
)]
pub struct Unreachable {
    /// What the error says.
    #[property(optional)]
    message: StringAttribute,
}

impl MemoryEffectsInterface for Unreachable<'_> {
    fn effects(_op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        effects.push(MemoryEffect { kind: EffectKind::Other, value: None });
    }
}
