//! Local memory that passes may turn into values.
//!
//! A *slot* is memory that one operation allocates and that is reached only through one of its results. Each
//! execution of the allocation begins a new lifetime of its slots, so an allocation in a loop holds nothing of what the
//! iteration before has stored. Reading a slot before it is written gives a value that is arbitrary but fixed: two
//! such reads of one lifetime agree.
//!
//! `mem2reg` replaces a slot by values if every use of its pointer is a [`PromotableAccessInterface`] that agrees;
//! `sroa` replaces a slot by one slot for each part if every use is a [`DestructurableAccessInterface`] that agrees.
//! Both ask first and change afterwards, so an implementor may rely on having agreed.

use crate::body::{OpId, ValueId};
use crate::builder::Builder;
use crate::interface;
use crate::operation::OpRef;
use crate::types::Type;

/// Memory that an operation allocates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemorySlot {
    /// The result through which it is reached.
    pub pointer: ValueId,
    /// What it holds.
    pub ty: Type,
}

/// What an operation does with the whole or a part of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SlotAccess {
    /// It needs the value that the slot has before: a load, or a store of a part.
    pub reads: bool,
    /// The slot has a new value afterwards.
    pub writes: bool,
}

/// What takes the place of an operation that accessed a promoted slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PromotedAccess {
    /// What replaces the operation's results, one for each.
    pub results: Vec<ValueId>,
    /// The value of the slot afterwards, if the operation writes it.
    pub stored: Option<ValueId>,
}

interface! {
    /// An operation that allocates slots which may become values.
    pub trait PromotableAllocationInterface => PromotableAllocationModel {
        /// The slots; none if the memory must stay memory.
        fn promotable_slots(op: OpRef<'_>) -> Vec<MemorySlot>;

        /// Makes the value that reads of the slot give before it is written, at the builder's insertion point.
        /// It must be one for which [`promotable_slots`](PromotableAllocationInterface::promotable_slots) has vouched.
        fn uninitialized_value(builder: &mut Builder<'_>, slot: &MemorySlot) -> ValueId;
    }
}

interface! {
    /// An operation that may stop accessing a slot because the slot became a value.
    pub trait PromotableAccessInterface => PromotableAccessModel {
        /// How the operation accesses the slot. Nothing if it cannot do without the memory: it stores or compares the
        /// pointer, reads at another type, is volatile or atomic.
        fn slot_access(op: OpRef<'_>, slot: &MemorySlot) -> Option<SlotAccess>;

        /// Makes what replaces the operation, before it; the caller then erases it. `reaching` is the value of the
        /// slot before the operation, given if the access reads.
        fn promote(builder: &mut Builder<'_>, op: OpId, slot: &MemorySlot, reaching: Option<ValueId>)
            -> PromotedAccess;
    }
}

/// Slots of the parts of a slot, after it was taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartSlots {
    /// The part's index with its slot, ascending; parts that nothing accesses are left out.
    pub parts: Vec<(usize, MemorySlot)>,
}

impl PartSlots {
    /// The slot of a part.
    ///
    /// # Panics
    /// If nobody said that the part is accessed.
    pub fn slot(&self, part: usize) -> MemorySlot {
        let found = self.parts.binary_search_by_key(&part, |&(index, _)| index);
        self.parts[found.expect("a part is asked for that an access has named")].1
    }
}

interface! {
    /// An operation that allocates slots which may be taken apart.
    pub trait DestructurableAllocationInterface => DestructurableAllocationModel {
        /// The slots, each with the types of its parts in order; none if the memory must stay whole.
        fn destructurable_slots(op: OpRef<'_>) -> Vec<(MemorySlot, Vec<Type>)>;

        /// Allocates a slot for a part of a slot of `op`, at the builder's insertion point.
        fn allocate_part(builder: &mut Builder<'_>, op: OpId, slot: &MemorySlot, part: Type) -> MemorySlot;
    }
}

interface! {
    /// An operation that may access slots of parts instead of the whole slot.
    pub trait DestructurableAccessInterface => DestructurableAccessModel {
        /// The indices of the parts that the operation accesses through the slot's pointer. Nothing if it cannot do
        /// without the whole: an index that is not constant or is out of range, a pointer that escapes.
        fn accessed_parts(op: OpRef<'_>, slot: &MemorySlot, parts: &[Type]) -> Option<Vec<usize>>;

        /// Makes what replaces the results of the operation, before it; the caller then erases it.
        fn rewire(builder: &mut Builder<'_>, op: OpId, slot: &MemorySlot, parts: &PartSlots) -> Vec<ValueId>;
    }
}
