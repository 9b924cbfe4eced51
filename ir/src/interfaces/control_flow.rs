//! Control flow between blocks, between regions, and across suspensions.

use std::ops::Range;

use crate::attributes::{Attribute, Dictionary};
use crate::body::ValueId;
use crate::interface;
use crate::interfaces::branch::resized_segments;
use crate::operation::OpRef;

/// What an edge of a branch passes to the arguments of its block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuccessorOperands {
    /// So many leading arguments are produced by the operation itself, such as what an extension of a suspension
    /// writes. No operand stands for them.
    pub produced: usize,
    /// The operands forwarded to the arguments after those.
    pub forwarded: Range<usize>,
}

interface! {
    /// A terminator that leads to other blocks of its region.
    pub trait BranchInterface => BranchModel {
        /// What the edge to successor `index` passes. The ranges of different successors are disjoint and in the order
        /// of the successors.
        fn successor_operands(op: OpRef<'_>, index: usize) -> SuccessorOperands;

        /// The properties that the operation has once its edges forward so many operands each, the leading arguments
        /// that it produces itself not counted. Unless this is overridden, the last operand groups of the declaration
        /// are what the successors get, one group for each, and `operandSegmentSizes` follows the counts; an operation
        /// with a variadic successor group keeps its own sizes here.
        fn properties_for_counts(op: OpRef<'_>, counts: &[usize]) -> Dictionary { resized_segments(op, counts) }

        /// The successor that is taken when the operands have these constant values (nothing where a value is not
        /// constant), if that can be told.
        fn taken_successor(_op: OpRef<'_>, _operands: &[Option<Attribute>]) -> Option<usize> { None }
    }
}

/// A place between regions of a structured operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegionPoint {
    /// Before the operation, or after it.
    Parent,
    /// The start of its region of this index.
    Region(usize),
}

/// Where control may go from a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionSuccessor {
    /// Where.
    pub point: RegionPoint,
    /// The values that receive what is passed: arguments of the region's entry block, or results of the operation.
    pub inputs: Vec<ValueId>,
}

interface! {
    /// An operation with regions between which control flows.
    pub trait RegionBranchInterface => RegionBranchModel {
        /// Where control may go from the start of the operation, given constant values of its operands where known.
        fn entry_successors(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Vec<RegionSuccessor>;

        /// Where control may go from the terminator `terminator` of one of the regions; nowhere if it leaves `op`
        /// for a place that `op` does not know, such as the end of a loop around it.
        fn terminator_successors(op: OpRef<'_>, terminator: OpRef<'_>) -> Vec<RegionSuccessor>;

        /// The operands of `from` (the operation itself at its start, or a terminator inside) that are passed to
        /// `point`.
        fn passed_operands(op: OpRef<'_>, from: OpRef<'_>, point: RegionPoint) -> Range<usize>;
    }
}

interface! {
    /// An operation whose region runs again and again.
    pub trait LoopInterface => LoopModel {
        /// Indices of the regions that are executed repeatedly.
        fn loop_regions(op: OpRef<'_>) -> Range<usize>;

        /// Whether the loop is known to end. One that may run for ever is never erased, even if it computes nothing.
        fn always_ends(_op: OpRef<'_>) -> bool { false }
    }
}

interface! {
    /// A terminator at which execution may leave this thread and resume later, perhaps on another one.
    ///
    /// Along its edges SSA values stay what they are. Nothing read from memory that others share and no identity of
    /// thread or warp may be moved across; see [`MemoryEffect`](super::MemoryEffect).
    pub trait SuspendPointInterface => SuspendPointModel {
        /// Index of the successor at which execution resumes.
        fn resume_successor(op: OpRef<'_>) -> usize;
    }
}
