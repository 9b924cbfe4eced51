//! Atomic operations.

use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    EffectKind, MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel, VerifyInterface, VerifyModel,
};
use fermata_ir::operation::AttributeConstraint;
use fermata_ir::{OpRef, operation};

use super::memory::pointee;
use crate::attributes::AtomicKind;
use crate::constraints::{Reference, Scalar};
use crate::semantics::ScalarType;
use crate::types::{AddressSpace, RefType};

/// Replaces the value behind a reference by what the kind makes of it and the operand, in one step, and gives the value
/// that was there.
///
/// The memory is in the space `buffer` or `shared`; the value is an `i32` or `i64`, or for the kinds on floats and
/// `exchange` an `f32` or `f64`. Steps on one location happen one after the other, in an order on which all threads agree;
/// they do not order other accesses.
///
/// ```mlir
/// %0 = xir.atomic_rmw addi %r, %x : !xir.ref<i32, buffer>
/// ```
#[operation(
    name = "xir.atomic_rmw",
    interfaces = [MemoryEffects, Verify],
    rules = [
        derived(value from reference, pointee, "the type behind"),
        derived(result from reference, pointee, "the type behind")
    ],
    format = "$kind $reference `,` $value attr-dict `:` type($reference)",
)]
pub struct AtomicRmw {
    #[operand]
    reference: Reference,
    #[operand]
    value: Scalar,
    /// The value that was there.
    #[result]
    result: Scalar,
    /// What is made of the value and the operand.
    #[property]
    kind: AtomicKind,
}

/// Replaces the value behind a reference if its bits are those of `expected`, in one step, and gives the value that was
/// there.
///
/// The memory is in the space `buffer` or `shared`; the value is an `i32`, `i64`, `f32` or `f64`.
///
/// ```mlir
/// %0 = xir.atomic_compare_exchange %r, %expected, %new : !xir.ref<i32, buffer>
/// ```
#[operation(
    name = "xir.atomic_compare_exchange",
    interfaces = [MemoryEffects, Verify],
    rules = [
        derived(expected from reference, pointee, "the type behind"),
        derived(desired from reference, pointee, "the type behind"),
        derived(result from reference, pointee, "the type behind")
    ],
    format = "$reference `,` $expected `,` $desired attr-dict `:` type($reference)",
)]
pub struct AtomicCompareExchange {
    #[operand]
    reference: Reference,
    /// What the value must be for the exchange to happen.
    #[operand]
    expected: Scalar,
    /// What the value then becomes.
    #[operand]
    desired: Scalar,
    /// The value that was there.
    #[result]
    result: Scalar,
}

fn read_and_write(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
    let value = Some(op.operand(0));
    effects.push(MemoryEffect { kind: EffectKind::Read, value });
    effects.push(MemoryEffect { kind: EffectKind::Write, value });
}

impl MemoryEffectsInterface for AtomicRmw<'_> {
    fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        read_and_write(op, effects);
    }
}

impl MemoryEffectsInterface for AtomicCompareExchange<'_> {
    fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        read_and_write(op, effects);
    }
}

/// Checks the space, and gives the scalar behind the reference if that is one on which atomics work.
fn verify_memory(op: OpRef<'_>, diagnostics: &mut Diagnostics) -> Option<ScalarType> {
    let reference = op.operand_type(0).downcast::<RefType>(op.context)?;
    let mut report = |code, message: &str| {
        diagnostics.report(Diagnostic::error(code, op.location(), format!("'{}' op {message}", op.name_str())));
    };
    if !matches!(reference.space, AddressSpace::Buffer | AddressSpace::Shared) {
        report("atomic-space", "atomics work on memory of the space buffer or shared");
    }
    let scalar = ScalarType::of(op.context, reference.pointee)?;
    if !matches!(scalar.bits(), 32 | 64) {
        report("atomic-type", "atomics work on values of 32 or 64 bits");
        return None;
    }
    Some(scalar)
}

impl VerifyInterface for AtomicRmw<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let Some(scalar) = verify_memory(op, diagnostics) else { return };
        let kind = op.property("kind").and_then(|kind| AtomicKind::decode(op.context, kind));
        if kind.is_some_and(|kind| kind.apply(scalar, 0, 0).is_none()) {
            let message = "'xir.atomic_rmw' op the kind does not work on values of this type";
            diagnostics.report(Diagnostic::error("atomic-kind", op.location(), message));
        }
    }
}

impl VerifyInterface for AtomicCompareExchange<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        verify_memory(op, diagnostics);
    }
}
