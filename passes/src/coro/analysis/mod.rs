//! What crosses the suspensions of a coroutine.
//!
//! **Problem.** A continuation starts at a token with nothing but the arguments of the coroutine and the frame. Find
//! for each token the least set of values that the frame must hold, and for each suspension the values that must be
//! written because the frame does not hold them already.
//!
//! **Terms.** A *scope* is the entry or a resume block with all blocks that can be reached from it without crossing a
//! suspension; scopes may overlap. A *transfer* is one suspension seen from one scope. An *item* is a value, or the
//! contents of a local allocation, that crosses; its *atoms* are the scalars that it consists of.
//!
//! **Algorithm.** A suspension is an ordinary edge, so what is live at a resume block is plain SSA liveness. From that
//! set, values that can be computed again from arguments, constants, and the point of the dispatch are left out; a
//! reference, which no frame can hold, is replaced by the indices it was computed from. What a local allocation holds
//! is live where a path leads to a read with no full overwrite in between.
//!
//! An item that a scope neither defines nor uses stays where it is: it is neither read nor written there.
//!
//! **Invariants.** The frame holds every atom of `live(t)` while the coroutine waits for `t`; an atom keeps its slot
//! for good. So an atom in `live(s)` that scope `s` does not redefine need not be written on the way out of `s`.
//!
//! **Complexity.** Linear in the sum of the lengths of live ranges (in blocks) and of the sizes of the scopes.

mod build;
mod items;
mod liveness;
mod memory;
mod scopes;

use std::ops::Range;

use fermata_ir::{BlockId, OpId, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use build::analyze;
pub(crate) use items::{Item, Recipe, Recipes};
pub(crate) use scopes::Region;

/// Everything known about one coroutine.
pub(crate) struct CoroutineAnalysis {
    /// The entry first, then by token.
    pub(crate) scopes: Vec<Scope>,
    /// By source scope, then in textual order of the suspensions.
    pub(crate) transfers: Vec<Transfer>,
    /// Grouped by item: values and memory in textual order, then snapshots.
    pub(crate) atoms: Vec<Atom>,
    /// The atoms of each item.
    pub(crate) ranges: FxHashMap<Item, Range<u32>>,
}

/// A continuation to be.
pub(crate) struct Scope {
    pub(crate) token: u32,
    pub(crate) name: String,
    pub(crate) region: Region,
    /// Atoms in the frame while the coroutine waits for this scope, ascending.
    pub(crate) live: Vec<u32>,
    /// Those of them that the scope reads, ascending.
    pub(crate) loads: Vec<u32>,
    /// Values that are live at the start of the scope and computed again there.
    pub(crate) recomputed: FxHashSet<ValueId>,
}

/// A suspension as one scope reaches it.
pub(crate) struct Transfer {
    /// Index of the scope that suspends.
    pub(crate) from: usize,
    /// Index of the scope that resumes.
    pub(crate) to: usize,
    pub(crate) suspend: OpId,
    /// Atoms to write, ascending.
    pub(crate) stores: Vec<u32>,
    /// What exports and bindings read, in the order of the suspension's operands; all of it is in the frame during the
    /// suspension.
    pub(crate) designated: Vec<Item>,
}

/// A scalar, or an aggregate that is not taken apart, of an item.
#[derive(Clone)]
pub(crate) struct Atom {
    pub(crate) item: Item,
    /// Indices that lead from the item to the atom.
    pub(crate) path: Vec<u32>,
    pub(crate) ty: Type,
}

impl CoroutineAnalysis {
    /// The items that a list of atoms belongs to, in order.
    pub(crate) fn items(&self, atoms: &[u32]) -> Vec<Item> {
        let mut items: Vec<Item> = atoms.iter().map(|&atom| self.atoms[atom as usize].item).collect();
        items.dedup();
        items
    }

    /// The atoms that exports and extensions of a transfer read, ascending.
    pub(crate) fn designated_atoms(&self, transfer: &Transfer) -> Vec<u32> {
        let mut atoms: Vec<u32> = transfer.designated.iter().flat_map(|item| self.ranges[item].clone()).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// The suspended states as sets of atoms that must not share room: for each transfer, what the target needs and
    /// what is designated.
    pub(crate) fn states(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        self.transfers.iter().map(|transfer| {
            let mut state = self.scopes[transfer.to].live.clone();
            state.extend(self.designated_atoms(transfer));
            state.sort_unstable();
            state.dedup();
            state
        })
    }
}

/// The block of the coroutine's own region in which an operation is, through regions nested in it.
pub(crate) fn top_level_block(body: &fermata_ir::Body, op: OpId) -> Option<BlockId> {
    let mut block = body.parent_block(op)?;
    while body.block_parent_op(block)? != body.root() {
        block = body.parent_block(body.block_parent_op(block)?)?;
    }
    Some(block)
}

/// The top-level block in which a value is defined.
pub(crate) fn top_level_definition(body: &fermata_ir::Body, value: ValueId) -> Option<BlockId> {
    match body.definition(value) {
        fermata_ir::body::ValueDefinition::Result { op, .. } => top_level_block(body, op),
        fermata_ir::body::ValueDefinition::Argument { block, .. } => match body.block_parent_op(block)? {
            parent if parent == body.root() => Some(block),
            parent => top_level_block(body, parent),
        },
    }
}
