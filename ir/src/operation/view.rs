//! The read-only view of an operation.

use std::any::Any;
use std::ops::Range;

use super::{OperationDeclaration, OperationName, OperationTraits};
use crate::attributes::{Attribute, Dictionary};
use crate::body::{BlockId, Body, OpId, RegionId, ValueId};
use crate::context::Context;
use crate::location::Location;
use crate::types::Type;

/// An operation with the body that holds it and the context: what interfaces and passes look at.
#[derive(Clone, Copy)]
pub struct OpRef<'a> {
    /// The context.
    pub context: &'a Context,
    /// The body that holds the operation.
    pub body: &'a Body,
    /// Which operation of the body.
    pub id: OpId,
}

/// A typed view of an operation, made by the `#[operation]` macro.
pub trait OperationView<'a>: Sized {
    /// The declaration behind the view.
    const DECLARATION: &'static OperationDeclaration;

    /// The view of `op`, which must be of this operation.
    fn from_ref_unchecked(op: OpRef<'a>) -> Self;

    /// The untyped view.
    fn op(&self) -> OpRef<'a>;

    /// The view of `op`, if it is of this operation.
    fn cast(op: OpRef<'a>) -> Option<Self> {
        Self::matches(op).then(|| Self::from_ref_unchecked(op))
    }

    /// Whether `op` is of this operation.
    fn matches(op: OpRef<'_>) -> bool {
        op.declaration().is_some_and(|declaration| std::ptr::eq(declaration, Self::DECLARATION))
    }
}

impl<'a> OpRef<'a> {
    /// Looks at an operation of a body.
    pub fn new(context: &'a Context, body: &'a Body, id: OpId) -> Self {
        Self { context, body, id }
    }

    /// Another operation of the same body.
    pub fn at(self, id: OpId) -> Self {
        Self { id, ..self }
    }

    /// The name's handle.
    pub fn name(self) -> OperationName {
        self.body.operation_name(self.id)
    }

    /// The name's text.
    pub fn name_str(self) -> &'a str {
        self.name().as_str(self.context)
    }

    /// What its dialect declares about it, if that is registered.
    pub fn declaration(self) -> Option<&'static OperationDeclaration> {
        self.name().declaration(self.context)
    }

    /// Whether all of `traits` are declared.
    pub fn has_trait(self, traits: OperationTraits) -> bool {
        self.name().traits(self.context).contains(traits)
    }

    /// The model of an interface, if the operation implements it.
    pub fn interface<M: Any>(self) -> Option<&'static M> {
        self.name().interface(self.context)
    }

    /// This operation as a `V`, if it is one.
    pub fn cast<V: OperationView<'a>>(self) -> Option<V> {
        V::cast(self)
    }

    /// Where it comes from.
    pub fn location(self) -> Location {
        self.body.location(self.id)
    }

    /// Number of operands.
    pub fn operand_count(self) -> usize {
        self.body.operand_count(self.id)
    }

    /// Operand `index`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn operand(self, index: usize) -> ValueId {
        self.body.operand(self.id, index)
    }

    /// The operands in order.
    pub fn operands(self) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + 'a {
        self.body.operands(self.id)
    }

    /// Number of results.
    pub fn result_count(self) -> usize {
        self.body.result_count(self.id)
    }

    /// Result `index`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn result(self, index: usize) -> ValueId {
        self.body.result(self.id, index)
    }

    /// The results in order.
    pub fn results(self) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + 'a {
        self.body.results(self.id)
    }

    /// Type of a value of the same body.
    pub fn type_of(self, value: ValueId) -> Type {
        self.body.value_type(value)
    }

    /// Type of operand `index`.
    pub fn operand_type(self, index: usize) -> Type {
        self.type_of(self.operand(index))
    }

    /// Type of result `index`.
    pub fn result_type(self, index: usize) -> Type {
        self.type_of(self.result(index))
    }

    /// The properties.
    pub fn properties(self) -> Dictionary {
        self.body.properties(self.id)
    }

    /// The property under `key`.
    pub fn property(self, key: &str) -> Option<Attribute> {
        self.properties().get(self.context, key)
    }

    /// The discardable attributes.
    pub fn attributes(self) -> Dictionary {
        self.body.attributes(self.id)
    }

    /// The discardable attribute under `key`.
    pub fn attribute(self, key: &str) -> Option<Attribute> {
        self.attributes().get(self.context, key)
    }

    /// The successors in order.
    pub fn successors(self) -> impl ExactSizeIterator<Item = BlockId> + DoubleEndedIterator + 'a {
        self.body.successors(self.id)
    }

    /// The regions in order. An operation that owns a body of its own has none here: look at
    /// [`Body::nested`].
    pub fn regions(self) -> &'a [RegionId] {
        self.body.regions(self.id)
    }

    /// The block that holds it; nothing for the root of a body and for an operation not inserted yet.
    pub fn block(self) -> Option<BlockId> {
        self.body.parent_block(self.id)
    }

    /// The operation whose region holds it, in the same body.
    pub fn parent(self) -> Option<OpRef<'a>> {
        self.body.parent_op(self.id).map(|id| self.at(id))
    }

    /// The operation that defines `value`, if that is a result.
    pub fn defining(self, value: ValueId) -> Option<OpRef<'a>> {
        self.body.defining_op(value).map(|id| self.at(id))
    }

    /// The operands of a declared group, given how the declaration splits them.
    ///
    /// # Panics
    /// If the operation is not registered or `group` is not one of its groups.
    pub fn operand_group(self, group: usize) -> Range<usize> {
        let declaration = self.declaration().expect("only a declared operation has operand groups");
        super::declaration::group_range(declaration.operands, group, self.operand_count(), || {
            self.property("operandSegmentSizes").and_then(|sizes| Some(sizes.dense_i32_values(self.context)?.collect()))
        })
    }

    /// The results of a declared group.
    ///
    /// # Panics
    /// If the operation is not registered or `group` is not one of its groups.
    pub fn result_group(self, group: usize) -> Range<usize> {
        let declaration = self.declaration().expect("only a declared operation has result groups");
        super::declaration::group_range(declaration.results, group, self.result_count(), || None)
    }
}
