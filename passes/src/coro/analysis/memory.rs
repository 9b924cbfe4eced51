//! What local allocations hold across suspensions.

use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::{BlockId, Body, Context, OpId, OpRef, OperationTraits, ValueId};
use fermata_xir::types::RefType;

use super::top_level_block;
use crate::coro::xir;

/// A local allocation and everything that reaches its memory.
pub(crate) struct LocalMemory {
    /// The reference that the allocation gives.
    pub(crate) reference: ValueId,
    /// Each access in no particular order; the allocation itself is one.
    pub(crate) accesses: Vec<(OpId, Access)>,
}

/// What an operation does to the memory of an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// Begins a new life, with nothing worth keeping, or overwrites all of it.
    Overwrite,
    /// Reads some of it.
    Read,
    /// Writes some of it, so that what was there before counts as well.
    PartialWrite,
    /// May do anything.
    Other,
}

impl Access {
    /// Whether it looks at what was there before.
    fn reads(self) -> bool {
        matches!(self, Self::Read | Self::Other)
    }

    /// Whether it may change what is there.
    pub(crate) fn writes(self) -> bool {
        self != Self::Read
    }
}

/// The local allocations of a coroutine in textual order, or errors where a reference to one is passed on in a way
/// that a frame cannot follow.
pub(crate) fn local_memories(context: &Context, body: &Body, diagnostics: &mut Diagnostics) -> Vec<LocalMemory> {
    let ops = body.all_ops().into_iter().map(|op| OpRef::new(context, body, op));
    ops.filter(|&op| xir::is_local_allocation(op)).map(|op| collect(op, diagnostics)).collect()
}

fn collect(op: OpRef<'_>, diagnostics: &mut Diagnostics) -> LocalMemory {
    let reference = op.result(0);
    let mut memory = LocalMemory { reference, accesses: vec![(op.id, Access::Overwrite)] };
    let mut pending = vec![reference];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(derived) = pending.pop() {
        for user in op.body.users(derived) {
            let user = op.at(user);
            let derives = user.has_trait(OperationTraits::PURE)
                && user.results().any(|result| user.type_of(result).is::<RefType>(user.context));
            if derives {
                pending.extend(user.results().filter(|&result| seen.insert(result)));
                continue;
            }
            if user.has_trait(OperationTraits::TERMINATOR) {
                diagnostics.report(
                    Diagnostic::error(
                        "reference-to-block",
                        user.location(),
                        "a reference to local memory is passed to a block of a coroutine",
                    )
                    .note(op.location(), "the memory is allocated here")
                    .help("pass the indices that the reference is computed from, and compute it where it is used"),
                );
            }
            let access = access(user, derived, reference);
            // Inside a nested region it may not happen at all.
            let certain = user.parent().is_some_and(|parent| parent.id == op.body.root());
            let overwrites = access == Access::Overwrite && !certain;
            memory.accesses.push((user.id, if overwrites { Access::PartialWrite } else { access }));
        }
    }
    memory
}

fn access(user: OpRef<'_>, derived: ValueId, whole: ValueId) -> Access {
    if xir::is_load(user) {
        return Access::Read;
    }
    match xir::stored_value(user) {
        Some(value) if value == derived => Access::Other,
        Some(_) if derived == whole => Access::Overwrite,
        Some(_) => Access::PartialWrite,
        None => Access::Other,
    }
}

/// Calls back for every block at whose start the contents are live.
///
/// Linear in the accesses and in the blocks where they are live.
pub(crate) fn live_blocks(body: &Body, memory: &LocalMemory, mut found: impl FnMut(BlockId)) {
    let mut by_block: rustc_hash::FxHashMap<BlockId, Vec<(OpId, Access)>> = rustc_hash::FxHashMap::default();
    for &(op, access) in &memory.accesses {
        if let Some(block) = top_level_block(body, op) {
            by_block.entry(block).or_default().push((op, access));
        }
    }
    let overwrites = |block: BlockId| {
        by_block.get(&block).is_some_and(|list| list.iter().any(|&(_, access)| access == Access::Overwrite))
    };
    let mut pending: Vec<BlockId> =
        by_block.iter().filter(|(_, list)| reads_before_overwriting(body, list)).map(|(&block, _)| block).collect();
    // Only the set of blocks matters, so the order in which the map gives them does not reach the result.
    let mut visited = rustc_hash::FxHashSet::default();
    while let Some(block) = pending.pop() {
        if !visited.insert(block) {
            continue;
        }
        found(block);
        pending.extend(body.predecessors(block).filter(|&predecessor| !overwrites(predecessor)));
    }
}

/// Whether the block that holds these accesses may look at what was there when it started.
fn reads_before_overwriting(body: &Body, accesses: &[(OpId, Access)]) -> bool {
    let overwrites = accesses.iter().filter(|(_, access)| *access == Access::Overwrite).map(|&(op, _)| op);
    let first_overwrite = overwrites.reduce(|a, b| if body.is_before_in_block(b, a) { b } else { a });
    accesses.iter().filter(|(_, access)| access.reads()).any(|&(op, _)| {
        first_overwrite.is_none_or(|first| body.is_before_in_block(top_level_ancestor(body, op), first))
    })
}

/// The operation of the coroutine's own region that holds `op`.
fn top_level_ancestor(body: &Body, op: OpId) -> OpId {
    let mut current = op;
    while let Some(parent) = body.parent_op(current).filter(|&parent| parent != body.root()) {
        current = parent;
    }
    current
}
