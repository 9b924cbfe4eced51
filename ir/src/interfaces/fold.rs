//! Folding.

use crate::attributes::Attribute;
use crate::body::{Body, ValueId};
use crate::context::Context;
use crate::interface;
use crate::operation::{OpRef, OperationTraits};

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

interface! {
    /// An operation whose regions, though not isolated, keep the constants that are used in them: none is moved to
    /// somewhere outside.
    pub trait ConstantScopeInterface => ConstantScopeModel {
        /// Whether the region of this index does so.
        fn keeps_constants(_op: OpRef<'_>, _region: usize) -> bool { true }
    }
}

/// The constant that a value is: the property `value` of the
/// [constant-like](OperationTraits::CONSTANT_LIKE) operation that defines it.
pub fn constant_value(context: &Context, body: &Body, value: ValueId) -> Option<Attribute> {
    let definition = OpRef::new(context, body, body.defining_op(value)?);
    definition.has_trait(OperationTraits::CONSTANT_LIKE).then(|| definition.property("value"))?
}
