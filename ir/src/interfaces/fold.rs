//! Folding.

use crate::attributes::Attribute;
use crate::body::ValueId;
use crate::interface;
use crate::operation::OpRef;

/// What a result folds to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldResult {
    /// A constant, which the dialect of the operation can materialize.
    Constant(Attribute),
    /// A value that is there already.
    Value(ValueId),
}

interface! {
    /// An operation whose results can sometimes be had without executing it.
    pub trait FoldInterface => FoldModel {
        /// What all results fold to, given the constant values of the operands where they are known. The operation
        /// is not changed; constants must have the types of the results. Nothing if it does not fold.
        fn fold(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Option<Vec<FoldResult>>;
    }
}
