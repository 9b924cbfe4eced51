//! Effects on memory and on what lies outside.

use crate::body::ValueId;
use crate::interface;
use crate::interfaces::{LoopModel, RegionBranchModel, SuspendPointModel};
use crate::operation::{OpRef, OperationTraits};

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EffectKind {
    /// Memory comes to be.
    Allocate,
    /// Memory is read.
    Read,
    /// Memory is written.
    Write,
    /// Memory ceases to be.
    Free,
    /// Something outside is done or observed that may not be repeated, dropped or reordered: a barrier, an output, a
    /// trap, the identity of the executing thread.
    Other,
}

/// One effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryEffect {
    /// What is done.
    pub kind: EffectKind,
    /// To the memory behind this operand or result; to any memory if nothing is said.
    pub value: Option<ValueId>,
}

interface! {
    /// An operation that says what its effects are. One that neither implements this nor is
    /// [`PURE`](OperationTraits::PURE) may do anything.
    pub trait MemoryEffectsInterface => MemoryEffectsModel {
        /// Appends all effects of the operation itself, without those of operations in its regions.
        fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>);
    }
}

/// The effects of an operation itself, without what its regions hold; nothing if they are not known.
pub fn memory_effects(op: OpRef<'_>) -> Option<Vec<MemoryEffect>> {
    if op.has_trait(OperationTraits::PURE) {
        return Some(Vec::new());
    }
    let model = op.interface::<MemoryEffectsModel>()?;
    let mut effects = Vec::new();
    (model.effects)(op, &mut effects);
    Some(effects)
}

/// Whether an operation may be executed where it was not before: it is pure and ends, with all that its regions hold.
pub fn is_speculatable(op: OpRef<'_>) -> bool {
    let pure = |op: OpRef<'_>| op.has_trait(OperationTraits::PURE) && is_erasable_alone(op);
    pure(op) && op.body.ops_inside(op.id).into_iter().all(|inner| pure(op.at(inner)) || only_ends_region(op.at(inner)))
}

/// Whether an operation can be erased since no result is used and it does nothing but read or allocate.
pub fn is_trivially_dead(op: OpRef<'_>) -> bool {
    op.results().all(|result| op.body.is_unused(result)) && would_be_dead_if_unused(op)
}

/// Whether erasing an operation whose results are not used would change nothing.
pub fn would_be_dead_if_unused(op: OpRef<'_>) -> bool {
    is_erasable_alone(op)
        && op.body.ops_inside(op.id).into_iter().all(|inner| {
            let inner = op.at(inner);
            is_erasable_alone(inner) || only_ends_region(inner)
        })
}

/// Whether erasing an operation whose results are not used would change nothing, as far as the operation itself goes
/// and not what its regions hold. One that may run for ever is kept: a loop that does not promise to end, and an
/// operation with a region of several blocks, which may hold a cycle.
pub fn is_erasable_alone(op: OpRef<'_>) -> bool {
    !op.has_trait(OperationTraits::TERMINATOR)
        && !op.has_trait(OperationTraits::SYMBOL)
        && op.body.nested(op.id).is_none()
        && op.interface::<SuspendPointModel>().is_none()
        && op.interface::<LoopModel>().is_none_or(|model| (model.always_ends)(op))
        && op.regions().iter().all(|&region| op.body.entry_block(region) == op.body.last_block(region))
        && memory_effects(op).is_some_and(|effects| {
            effects.iter().all(|effect| match effect.kind {
                EffectKind::Read | EffectKind::Allocate => true,
                // Writing to memory that this very operation allocates is seen by nobody once it is erased.
                EffectKind::Write => effect.value.is_some_and(|value| op.body.defining_op(value) == Some(op.id)),
                EffectKind::Free | EffectKind::Other => false,
            })
        })
}

/// Whether a terminator in a region only ends that region: it has no effect, and control does not go to somewhere
/// outside of the operation around it, as that of a `break` in a conditional does.
pub fn only_ends_region(op: OpRef<'_>) -> bool {
    let stays = |parent: OpRef<'_>| match parent.interface::<RegionBranchModel>() {
        Some(model) => !(model.terminator_successors)(parent, op).is_empty(),
        None => op.has_trait(OperationTraits::RETURN_LIKE),
    };
    op.has_trait(OperationTraits::TERMINATOR)
        && memory_effects(op).is_some_and(|effects| effects.is_empty())
        && op.parent().is_some_and(stays)
}
