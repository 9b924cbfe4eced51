//! What operations do to memory, as far as this pass has to know.

use crate::body::{Body, OpId};
use crate::context::Context;
use crate::interfaces::{EffectKind, SuspendPointModel, memory_effects};
use crate::operation::{OpRef, OperationTraits};

/// What an operation does to memory, with all that its regions hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum MemoryUse {
    /// Nothing; another execution of it is as good.
    None,
    /// It reads; another one that reads the same state is as good.
    Read,
    /// It leaves memory that others know as it is, but has to be executed itself.
    Keep,
    /// It may write, or nothing is known about it.
    Write,
}

/// The memory use of all operations of a body, by index.
pub(super) struct Effects {
    uses: Vec<MemoryUse>,
}

impl Effects {
    /// Looks at each operation once; what one holds counts for all around it.
    pub(super) fn new(context: &Context, body: &Body) -> Self {
        let mut uses = vec![MemoryUse::Keep; body.op_capacity()];
        // What a region holds comes after the operation around it.
        for op in body.all_ops().into_iter().rev() {
            let own = own_use(OpRef::new(context, body, op));
            let total = own.max(uses[op.index()]);
            // Without regions an operation has not been written to yet.
            uses[op.index()] = if body.regions(op).is_empty() { own } else { total.max(MemoryUse::Keep) };
            if let Some(parent) = body.parent_op(op) {
                uses[parent.index()] = uses[parent.index()].max(uses[op.index()]);
            }
        }
        Self { uses }
    }

    pub(super) fn of(&self, op: OpId) -> MemoryUse {
        self.uses[op.index()]
    }
}

fn own_use(op: OpRef<'_>) -> MemoryUse {
    if op.interface::<SuspendPointModel>().is_some() || op.body.nested(op.id).is_some() {
        return MemoryUse::Write;
    }
    let Some(effects) = memory_effects(op) else { return MemoryUse::Write };
    let writes = |kind| matches!(kind, EffectKind::Write | EffectKind::Free | EffectKind::Other);
    if effects.iter().any(|effect| writes(effect.kind)) {
        return MemoryUse::Write;
    }
    let traits = op.name().traits(op.context);
    let replaceable = op.result_count() > 0
        && op.successors().len() == 0
        && !traits.intersects(OperationTraits::TERMINATOR | OperationTraits::SYMBOL)
        && effects.iter().all(|effect| effect.kind == EffectKind::Read);
    match (replaceable, effects.is_empty()) {
        (false, _) => MemoryUse::Keep,
        (true, true) => MemoryUse::None,
        (true, false) => MemoryUse::Read,
    }
}
