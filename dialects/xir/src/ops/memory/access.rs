//! Loads and stores.

use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    DestructurableAccessModel, EffectKind, MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel,
    PromotableAccessModel, VerifyInterface, VerifyModel,
};
use fermata_ir::{OpRef, operation};

use super::pointee;
use crate::constraints::{Reference, Value};
use crate::types::{AddressSpace, RefType};

/// Reads the value behind a reference.
///
/// ```mlir
/// %x = xir.load %p : !xir.ref<f32, local>
/// ```
#[operation(
    name = "xir.load",
    interfaces = [MemoryEffects, PromotableAccess, DestructurableAccess],
    rules = [derived(result from reference, pointee, "the type behind")],
    format = "$reference attr-dict `:` type($reference)",
)]
pub struct Load {
    #[operand]
    reference: Reference,
    #[result]
    result: Value,
}

impl MemoryEffectsInterface for Load<'_> {
    fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        effects.push(MemoryEffect { kind: EffectKind::Read, value: Some(op.operand(0)) });
    }
}

/// Writes a value to where a reference leads, which is not in the space `constant`.
///
/// ```mlir
/// xir.store %x, %p : !xir.ref<f32, local>
/// ```
#[operation(
    name = "xir.store",
    interfaces = [MemoryEffects, PromotableAccess, DestructurableAccess, Verify],
    rules = [derived(value from reference, pointee, "the type behind")],
    format = "$value `,` $reference attr-dict `:` type($reference)",
)]
pub struct Store {
    #[operand]
    value: Value,
    #[operand]
    reference: Reference,
}

impl MemoryEffectsInterface for Store<'_> {
    fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        effects.push(MemoryEffect { kind: EffectKind::Write, value: Some(op.operand(1)) });
    }
}

impl VerifyInterface for Store<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let reference = op.operand_type(1).downcast::<RefType>(op.context);
        if reference.is_some_and(|reference| reference.space == AddressSpace::Constant) {
            let message = "'xir.store' op memory of the space constant is not written";
            diagnostics.report(Diagnostic::error("constant-memory", op.location(), message));
        }
    }
}
