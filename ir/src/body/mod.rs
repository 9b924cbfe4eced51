//! Bodies: the storage of operations.
//!
//! A [`Body`] is an operation that is isolated from above (a module, a function) with all that it contains: arenas of
//! operations, blocks, regions and values under dense ids. Its root is the isolated operation itself. An isolated
//! operation nested in it is one entry in the outer arena (its *anchor*), which owns the inner `Body`; name,
//! location, properties and attributes of the pair live in the inner root and are reached through either.
//!
//! Why: dense ids make side tables cheap; passes run on different bodies at the same time without locks; a function is
//! cloned, replaced or dropped as a whole.
//!
//! Invariants, kept by the API:
//! * every operand is in the use list of its value, every successor in that of its block;
//! * an operation is in at most one block, a block in at most one region;
//! * ids are never used again; an erased thing stays erased ([`Body::is_erased`]);
//! * isolated operations have no operands, results or successors.
//!
//! Methods that take an id panic if it is of another body and out of range; that is a mistake in a program, never in
//! its input.

mod blocks;
mod clone;
mod id;
mod links;
mod operations;
mod order;
mod uses;
mod walk;

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU32};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub use clone::IrMapping;
pub use id::{BlockId, BlockUseId, OpId, RegionId, UseId, ValueId};
pub use operations::OperationState;
pub use uses::ValueDefinition;

use crate::attributes::Dictionary;
use crate::location::Location;
use crate::operation::OperationName;
use crate::types::Type;

/// An isolated operation and all that it contains; see the [module](self).
pub struct Body {
    operations: Vec<OperationData>,
    extras: Vec<OperationExtra>,
    blocks: Vec<BlockData>,
    regions: Vec<RegionData>,
    values: Vec<ValueData>,
    uses: Vec<UseData>,
    block_uses: Vec<BlockUseData>,
    /// Where block arguments come from; those that are not in it come from nowhere known.
    argument_locations: FxHashMap<ValueId, Location>,
}

/// 52 bytes for an operation; what few operations have is in [`OperationExtra`].
struct OperationData {
    name: OperationName,
    location: Location,
    properties: Dictionary,
    attributes: Dictionary,
    parent: Option<BlockId>,
    previous: Option<OpId>,
    next: Option<OpId>,
    order: AtomicU32,
    first_operand: u32,
    operand_count: u32,
    first_result: u32,
    result_count: u32,
    /// Index into `extras`, or one of the two marks.
    extra: u32,
}

const NO_EXTRA: u32 = u32::MAX;
const ERASED: u32 = u32::MAX - 1;

#[derive(Default)]
struct OperationExtra {
    first_successor: u32,
    successor_count: u32,
    regions: SmallVec<[RegionId; 1]>,
    nested: Option<Box<Body>>,
}

struct BlockData {
    parent: Option<RegionId>,
    previous: Option<BlockId>,
    next: Option<BlockId>,
    first_op: Option<OpId>,
    last_op: Option<OpId>,
    arguments: SmallVec<[ValueId; 2]>,
    first_use: Option<BlockUseId>,
    order_valid: AtomicBool,
    erased: bool,
}

struct RegionData {
    parent: OpId,
    first_block: Option<BlockId>,
    last_block: Option<BlockId>,
    erased: bool,
}

#[derive(Clone)]
struct ValueData {
    ty: Type,
    definition: ValueDefinition,
    first_use: Option<UseId>,
}

#[derive(Clone)]
struct UseData {
    value: Option<ValueId>,
    owner: OpId,
    previous: Option<UseId>,
    next: Option<UseId>,
}

#[derive(Clone)]
struct BlockUseData {
    block: Option<BlockId>,
    owner: OpId,
    previous: Option<BlockUseId>,
    next: Option<BlockUseId>,
}

impl Body {
    /// A body whose root is an operation of this name, with so many empty regions.
    pub fn new(name: OperationName, location: Location, regions: usize) -> Self {
        let mut body = Self {
            operations: Vec::new(),
            extras: Vec::new(),
            blocks: Vec::new(),
            regions: Vec::new(),
            values: Vec::new(),
            uses: Vec::new(),
            block_uses: Vec::new(),
            argument_locations: FxHashMap::default(),
        };
        let root = body.create_op(OperationState { regions, ..OperationState::new(name, location) });
        debug_assert_eq!(root, body.root(), "the first operation of a body is its root");
        body
    }

    /// The isolated operation that this body is.
    pub fn root(&self) -> OpId {
        OpId::from_index(0)
    }

    /// The body that a nested isolated operation owns.
    pub fn nested(&self, anchor: OpId) -> Option<&Body> {
        self.extra(anchor)?.nested.as_deref()
    }

    /// The body that a nested isolated operation owns, to change.
    pub fn nested_mut(&mut self, anchor: OpId) -> Option<&mut Body> {
        let extra = self.operations[anchor.index()].extra;
        self.extras.get_mut(extra as usize)?.nested.as_deref_mut()
    }

    /// Replaces the body of an anchor and returns the old one.
    ///
    /// # Panics
    /// If `anchor` does not own a body.
    pub fn replace_nested(&mut self, anchor: OpId, body: Body) -> Body {
        let nested = self.nested_mut(anchor).expect("only the anchor of an isolated operation owns a body");
        std::mem::replace(nested, body)
    }

    /// The anchors directly in this body with their bodies, in order of creation, for work on many at a time.
    pub fn nested_bodies_mut(&mut self) -> impl Iterator<Item = (OpId, &mut Body)> {
        let mut anchors = vec![None; self.extras.len()];
        for (index, data) in self.operations.iter().enumerate() {
            if let Some(anchor) = anchors.get_mut(data.extra as usize) {
                *anchor = Some(OpId::from_index(index));
            }
        }
        let extras = self.extras.iter_mut().zip(anchors);
        extras.filter_map(|(extra, anchor)| Some((anchor?, extra.nested.as_deref_mut()?)))
    }

    /// Whether an operation of this body, erased ones aside, owns a body.
    pub fn has_nested(&self) -> bool {
        self.extras.iter().any(|extra| extra.nested.is_some())
    }

    /// One more than the largest operation index, for side tables.
    pub fn op_capacity(&self) -> usize {
        self.operations.len()
    }

    /// One more than the largest block index, for side tables.
    pub fn block_capacity(&self) -> usize {
        self.blocks.len()
    }

    /// One more than the largest region index, for side tables.
    pub fn region_capacity(&self) -> usize {
        self.regions.len()
    }

    /// One more than the largest value index, for side tables.
    pub fn value_capacity(&self) -> usize {
        self.values.len()
    }

    /// Gives back memory that growth has reserved and nothing uses.
    pub fn shrink_to_fit(&mut self) {
        self.operations.shrink_to_fit();
        self.extras.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.regions.shrink_to_fit();
        self.values.shrink_to_fit();
        self.uses.shrink_to_fit();
        self.block_uses.shrink_to_fit();
    }

    fn extra(&self, op: OpId) -> Option<&OperationExtra> {
        self.extras.get(self.operations[op.index()].extra as usize)
    }

    fn extra_mut(&mut self, op: OpId) -> &mut OperationExtra {
        let slot = &mut self.operations[op.index()].extra;
        if *slot == NO_EXTRA {
            *slot = self.extras.len() as u32;
            self.extras.push(OperationExtra::default());
        }
        &mut self.extras[*slot as usize]
    }
}
