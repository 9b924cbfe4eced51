//! A framework for dataflow analyses.
//!
//! An analysis says what is known in a [`Lattice`] and how operations change it; a solver finds the least solution.
//!
//! | solver | knows something of | flows |
//! |---|---|---|
//! | [`SparseForward`] | each value | from operands to results, along edges that may be taken |
//! | [`SparseBackward`] | each value | from results to operands |
//! | [`DenseForward`] | each place between operations | with execution |
//! | [`DenseBackward`] | each place between operations | against execution |
//!
//! All go through branches, and through the regions of structured operations, as the interfaces say; where these say
//! nothing, a solver assumes the worst that the analysis can name. They look at one body. What a call does is for the
//! analysis to say, which sees the call as any operation.
//!
//! Termination: what is known at a place only ever rises in the lattice, a place is looked at again only after
//! something that it depends on rose, and no chain in the lattice is infinite.
//!
//! Complexity: each operation (sparse) or block (dense) is looked at as often as something that flows into it rises: at
//! most inputs times the height of the lattice. Blocks are taken in an order in which most of what flows into a block
//! is final before the block is looked at.

mod dense_backward;
mod dense_forward;
mod order;
mod sparse_backward;
mod sparse_forward;

pub use dense_backward::{DenseBackward, DenseBackwardAnalysis};
pub use dense_forward::{DenseForward, DenseForwardAnalysis};
pub use sparse_backward::{SparseBackward, SparseBackwardAnalysis};
pub use sparse_forward::{Decision, SparseForward, SparseForwardAnalysis};

/// What may be known: a join-semilattice without infinite ascending chains, whose least element is the default.
pub trait Lattice: Clone + PartialEq + Default {
    /// Raises `self` to the least element that is above it and `other`. Returns whether it changed.
    fn join(&mut self, other: &Self) -> bool;
}

/// Nothing yet, one thing, or too many things: a lattice of height 2 over any set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Flat<T> {
    /// Nothing is known to get here.
    #[default]
    Bottom,
    /// Always this.
    Only(T),
    /// Different things, or who knows.
    Top,
}

impl<T: Clone + PartialEq> Lattice for Flat<T> {
    fn join(&mut self, other: &Self) -> bool {
        let joined = match (&*self, other) {
            (_, Self::Bottom) | (Self::Top, _) => return false,
            (Self::Bottom, other) => other.clone(),
            (Self::Only(own), Self::Only(other)) if own == other => return false,
            (Self::Only(_), _) => Self::Top,
        };
        *self = joined;
        true
    }
}

/// False below true: "may be".
impl Lattice for bool {
    fn join(&mut self, other: &Self) -> bool {
        let changed = !*self && *other;
        *self |= *other;
        changed
    }
}

/// Sets under union. Their height is the number of things that may be in them.
impl<T: Clone + Ord> Lattice for std::collections::BTreeSet<T> {
    fn join(&mut self, other: &Self) -> bool {
        let before = self.len();
        self.extend(other.iter().cloned());
        self.len() != before
    }
}
