//! Allocation.

use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    DestructurableAllocationModel, EffectKind, MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel,
    PromotableAllocationModel, VerifyInterface, VerifyModel,
};
use fermata_ir::{OpRef, OperationView, operation};

use crate::constraints::Reference;
use crate::ops::Kernel;
use crate::types::{AddressSpace, RefType};

/// Memory for a value, and the reference to it.
///
/// In the space `local` it is the thread's own. Each execution of the operation begins a new lifetime: nothing of what
/// was stored before is there. In the space `shared` it is the block's; it lives as long as the block runs, and is
/// allocated in the entry block of a kernel. Reading memory before it is written gives a value that is arbitrary but
/// fixed.
///
/// ```mlir
/// %p = xir.alloca : !xir.ref<!xir.array<f32, 4>, local>
/// ```
#[operation(
    name = "xir.alloca",
    interfaces = [MemoryEffects, PromotableAllocation, DestructurableAllocation, Verify],
    format = "attr-dict `:` type($result)",
)]
pub struct Alloca {
    #[result]
    result: Reference,
}

impl MemoryEffectsInterface for Alloca<'_> {
    fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        effects.push(MemoryEffect { kind: EffectKind::Allocate, value: Some(op.result(0)) });
    }
}

impl VerifyInterface for Alloca<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let Some(reference) = op.result_type(0).downcast::<RefType>(op.context) else { return };
        let message = match reference.space {
            AddressSpace::Local => return,
            AddressSpace::Shared if is_in_entry_block_of_kernel(op) => return,
            AddressSpace::Shared => {
                "'xir.alloca' op memory of the space shared is allocated in the entry block of a kernel"
            }
            AddressSpace::Buffer | AddressSpace::Constant => {
                "'xir.alloca' op memory is allocated in the space local or shared"
            }
        };
        diagnostics.report(Diagnostic::error("allocation-space", op.location(), message));
    }
}

fn is_in_entry_block_of_kernel(op: OpRef<'_>) -> bool {
    let Some(parent) = op.parent().filter(|&parent| Kernel::matches(parent)) else { return false };
    op.block().is_some_and(|block| parent.regions().iter().any(|&region| op.body.entry_block(region) == Some(block)))
}
