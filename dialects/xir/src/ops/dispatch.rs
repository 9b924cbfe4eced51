//! Where a thread is, and barriers.

use fermata_ir::interfaces::{
    EffectKind, FoldInterface, FoldModel, FoldResult, MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel,
};
use fermata_ir::{Attribute, OpRef, OperationView, operation};

use crate::constant::lanes_attribute;
use crate::constraints::Coordinates;
use crate::ops::Kernel;
use crate::semantics::{IntegerWidth, ScalarType};
use crate::types::ElementwiseType;

/// The thread's place in the dispatch. It stays the same for the whole life of a coroutine.
///
/// ```mlir
/// %0 = xir.dispatch_id
/// ```
#[operation(name = "xir.dispatch_id", traits = [PURE], format = "attr-dict")]
pub struct DispatchId {
    #[result(only)]
    result: Coordinates,
}

/// The number of threads of the dispatch in each dimension.
///
/// ```mlir
/// %0 = xir.dispatch_size
/// ```
#[operation(name = "xir.dispatch_size", traits = [PURE], format = "attr-dict")]
pub struct DispatchSize {
    #[result(only)]
    result: Coordinates,
}

/// The thread's place in its block. It may be another after a suspension, so it counts as a read of memory that a
/// suspension writes.
///
/// ```mlir
/// %0 = xir.thread_id
/// ```
#[operation(name = "xir.thread_id", interfaces = [MemoryEffects], format = "attr-dict")]
pub struct ThreadId {
    #[result(only)]
    result: Coordinates,
}

/// The block's place among the blocks of the dispatch. It may be another after a suspension, so it counts as a read of
/// memory that a suspension writes.
///
/// ```mlir
/// %0 = xir.block_id
/// ```
#[operation(name = "xir.block_id", interfaces = [MemoryEffects], format = "attr-dict")]
pub struct BlockId {
    #[result(only)]
    result: Coordinates,
}

/// The number of threads of a block in each dimension: that of the kernel which runs.
///
/// ```mlir
/// %0 = xir.block_size
/// ```
#[operation(name = "xir.block_size", traits = [PURE], interfaces = [Fold], format = "attr-dict")]
pub struct BlockSize {
    #[result(only)]
    result: Coordinates,
}

/// Waits for all threads of the block, and makes what they wrote before it seen by all of them after it. All threads of
/// the block must reach the same barrier.
///
/// ```mlir
/// xir.barrier
/// ```
#[operation(name = "xir.barrier", interfaces = [MemoryEffects], format = "attr-dict")]
pub struct Barrier {}

fn read_of_the_thread(effects: &mut Vec<MemoryEffect>) {
    effects.push(MemoryEffect { kind: EffectKind::Read, value: None });
}

impl MemoryEffectsInterface for ThreadId<'_> {
    fn effects(_op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        read_of_the_thread(effects);
    }
}

impl MemoryEffectsInterface for BlockId<'_> {
    fn effects(_op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        read_of_the_thread(effects);
    }
}

impl MemoryEffectsInterface for Barrier<'_> {
    fn effects(_op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        // Other threads run meanwhile.
        for kind in [EffectKind::Read, EffectKind::Write, EffectKind::Other] {
            effects.push(MemoryEffect { kind, value: None });
        }
    }
}

impl FoldInterface for BlockSize<'_> {
    /// In a kernel itself it is known.
    fn fold(op: OpRef<'_>, _constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let root = op.at(op.body.root());
        let kernel = Kernel::cast(root)?;
        let size = kernel.block_size().map(u64::from);
        let ty = ElementwiseType { scalar: ScalarType::Integer(IntegerWidth::W32), vector: Some(3) };
        let constant = lanes_attribute(op.context, ty, &size);
        Some(vec![FoldResult::Constant(constant)])
    }
}
