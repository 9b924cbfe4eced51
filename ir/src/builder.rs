//! Building and rewriting operations.
//!
//! A [`Builder`] creates operations at an insertion point and tells a [`Listener`] about every change, so that a
//! driver can follow what patterns do. It is the one way in which passes change a body, apart from the raw methods of
//! [`Body`], which tell nobody.

use smallvec::SmallVec;

use crate::attributes::{Attribute, Dictionary};
use crate::body::{BlockId, Body, IrMapping, OpId, OperationState, RegionId, ValueId};
use crate::context::Context;
use crate::location::Location;
use crate::operation::OpRef;
use crate::types::Type;

/// Where the next operation goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertionPoint {
    /// Nowhere: operations are created but not inserted.
    Detached,
    /// The end of a block.
    End(BlockId),
    /// Before an operation.
    Before(OpId),
}

/// Is told about changes. Each call comes with the body as it is: after an insertion, before an erasure.
pub trait Listener {
    /// An operation was inserted.
    fn inserted(&mut self, _body: &Body, _op: OpId) {}
    /// Operands, properties, attributes, successors or the place of an operation are about to change.
    fn modifying(&mut self, _body: &Body, _op: OpId) {}
    /// All uses of a value are about to become uses of another; each user is [modified](Listener::modified) then.
    fn replacing_uses(&mut self, _body: &Body, _value: ValueId) {}
    /// Operands, properties, attributes, successors or the place of an operation changed.
    fn modified(&mut self, _body: &Body, _op: OpId) {}
    /// All uses of the results of an operation are about to become uses of these values.
    fn replaced(&mut self, _body: &Body, _op: OpId, _values: &[ValueId]) {}
    /// An operation is about to be erased, alone or with what holds it.
    fn erased(&mut self, _body: &Body, _op: OpId) {}
    /// A block was created and inserted.
    fn block_inserted(&mut self, _body: &Body, _block: BlockId) {}
    /// A block got or lost an argument, or moved.
    fn block_modified(&mut self, _body: &Body, _block: BlockId) {}
    /// A block is about to be erased.
    fn block_erased(&mut self, _body: &Body, _block: BlockId) {}
}

/// Creates and changes operations of one body.
pub struct Builder<'a> {
    context: &'a Context,
    body: &'a mut Body,
    point: InsertionPoint,
    location: Location,
    listener: Option<&'a mut dyn Listener>,
}

impl<'a> Builder<'a> {
    /// A builder that inserts nowhere yet and whose operations have an unknown location.
    pub fn new(context: &'a Context, body: &'a mut Body) -> Self {
        Self { context, body, point: InsertionPoint::Detached, location: Location::UNKNOWN, listener: None }
    }

    /// A builder that reports to a listener.
    pub fn with_listener(context: &'a Context, body: &'a mut Body, listener: &'a mut dyn Listener) -> Self {
        Self { listener: Some(listener), ..Self::new(context, body) }
    }

    /// The context.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// The body.
    pub fn body(&self) -> &Body {
        self.body
    }

    /// The body, for changes that the listener need not know.
    pub fn body_mut(&mut self) -> &mut Body {
        self.body
    }

    /// The view of an operation.
    pub fn op(&self, op: OpId) -> OpRef<'_> {
        OpRef::new(self.context, self.body, op)
    }

    /// Where the next operation goes.
    pub fn insertion_point(&self) -> InsertionPoint {
        self.point
    }

    /// Sets where the next operation goes.
    pub fn set_insertion_point(&mut self, point: InsertionPoint) {
        self.point = point;
    }

    /// The next operation goes to the end of a block.
    pub fn at_end(&mut self, block: BlockId) -> &mut Self {
        self.point = InsertionPoint::End(block);
        self
    }

    /// The next operation goes to the start of a block.
    pub fn at_start(&mut self, block: BlockId) -> &mut Self {
        self.point = self.body.first_op(block).map_or(InsertionPoint::End(block), InsertionPoint::Before);
        self
    }

    /// The next operation goes before this one, and has its location.
    pub fn before(&mut self, op: OpId) -> &mut Self {
        self.point = InsertionPoint::Before(op);
        self.location = self.body.location(op);
        self
    }

    /// The next operation goes after this one, and has its location.
    ///
    /// # Panics
    /// If `op` is in no block.
    pub fn after(&mut self, op: OpId) -> &mut Self {
        let block = self.body.parent_block(op).expect("a builder is put after an operation that is in a block");
        self.point = self.body.next_op(op).map_or(InsertionPoint::End(block), InsertionPoint::Before);
        self.location = self.body.location(op);
        self
    }

    /// The location that new operations get.
    pub fn location(&self) -> Location {
        self.location
    }

    /// Sets the location that new operations get.
    pub fn set_location(&mut self, location: Location) -> &mut Self {
        self.location = location;
        self
    }

    /// The description of an operation of a name, at the current location.
    pub fn state(&self, name: &str) -> OperationState {
        OperationState::new(self.context.operation_name(name), self.location)
    }

    /// Creates an operation at the insertion point.
    pub fn create(&mut self, state: OperationState) -> OpId {
        let op = self.body.create_op(state);
        self.insert(op);
        op
    }

    /// Creates an operation from its parts at the insertion point.
    pub fn create_op(
        &mut self,
        name: &str,
        operands: &[ValueId],
        results: &[Type],
        properties: &[(&str, Attribute)],
    ) -> OpId {
        let entries: SmallVec<[_; 4]> =
            properties.iter().map(|&(key, value)| (self.context.identifier(key), value)).collect();
        let state = OperationState {
            operands: operands.into(),
            results: results.into(),
            properties: Dictionary::new(self.context, &entries),
            ..self.state(name)
        };
        self.create(state)
    }

    /// Creates the anchor of an isolated operation at the insertion point.
    pub fn create_anchor(&mut self, body: Body) -> OpId {
        let op = self.body.create_anchor(body);
        self.insert(op);
        op
    }

    /// Inserts an operation that is in no block.
    pub fn insert(&mut self, op: OpId) {
        match self.point {
            InsertionPoint::Detached => return,
            InsertionPoint::End(block) => self.body.append_op(block, op),
            InsertionPoint::Before(anchor) => self.body.insert_op_before(anchor, op),
        }
        if let Some(listener) = &mut self.listener {
            listener.inserted(self.body, op);
        }
    }

    /// Copies an operation to the insertion point.
    pub fn clone_op(&mut self, op: OpId, mapping: &mut IrMapping) -> OpId {
        let copy = self.body.clone_op(op, mapping);
        self.insert(copy);
        copy
    }

    /// Creates a block at the end of a region.
    pub fn create_block(&mut self, region: RegionId, arguments: &[Type]) -> BlockId {
        let block = self.body.create_block(arguments);
        self.body.append_block(region, block);
        if let Some(listener) = &mut self.listener {
            listener.block_inserted(self.body, block);
        }
        block
    }

    /// Changes an operation in place through `change`, and tells the listener.
    pub fn modify<R>(&mut self, op: OpId, change: impl FnOnce(&mut Body) -> R) -> R {
        if let Some(listener) = &mut self.listener {
            listener.modifying(self.body, op);
        }
        let result = change(self.body);
        if let Some(listener) = &mut self.listener {
            listener.modified(self.body, op);
        }
        result
    }

    /// Sets or removes one property.
    pub fn set_property(&mut self, op: OpId, key: &str, value: Option<Attribute>) {
        let context = self.context;
        self.modify(op, |body| body.set_property(context, op, key, value));
    }

    /// Replaces the operands of a declared group by others, however many, and keeps the recorded sizes of the groups
    /// right.
    ///
    /// # Panics
    /// If the operation is not registered or `group` is not one of its groups.
    pub fn set_operand_group(&mut self, op: OpId, group: usize, values: &[ValueId]) {
        let context = self.context;
        self.modify(op, |body| crate::operation::set_operand_group(context, body, op, group, values));
    }

    /// Makes every use of a value a use of another; the users count as modified.
    pub fn replace_all_uses(&mut self, old: ValueId, new: ValueId) {
        let Some(listener) = &mut self.listener else {
            self.body.replace_all_uses(old, new);
            return;
        };
        let users: SmallVec<[OpId; 4]> = self.body.users(old).collect();
        listener.replacing_uses(self.body, old);
        self.body.replace_all_uses(old, new);
        for user in users {
            listener.modified(self.body, user);
        }
    }

    /// Moves an operation before another, which may be in a different block.
    ///
    /// # Panics
    /// If `anchor` is `op`, or is in no block.
    pub fn move_op_before(&mut self, op: OpId, anchor: OpId) {
        assert_ne!(op, anchor, "an operation is moved before another one");
        self.step_over(op);
        self.modify(op, |body| {
            body.remove_op(op);
            body.insert_op_before(anchor, op);
        });
    }

    /// Moves an operation to the end of a block.
    pub fn move_op_to_end(&mut self, op: OpId, block: BlockId) {
        self.step_over(op);
        self.modify(op, |body| {
            body.remove_op(op);
            body.append_op(block, op);
        });
    }

    /// Keeps the insertion point where it is while `op` goes away from it.
    fn step_over(&mut self, op: OpId) {
        if self.point == InsertionPoint::Before(op) {
            let block = self.body.parent_block(op).expect("a builder is put before an operation that is in a block");
            self.point = self.body.next_op(op).map_or(InsertionPoint::End(block), InsertionPoint::Before);
        }
    }

    /// Adds an argument to the end of a block's. What the edges forward is the caller's to change.
    pub fn add_argument(&mut self, block: BlockId, ty: Type) -> ValueId {
        let value = self.body.add_argument(block, ty);
        if let Some(listener) = &mut self.listener {
            listener.block_modified(self.body, block);
        }
        value
    }

    /// Removes an argument of a block. What the edges forward is the caller's to change.
    ///
    /// # Panics
    /// If the argument is used.
    pub fn erase_argument(&mut self, block: BlockId, index: usize) {
        self.body.erase_argument(block, index);
        if let Some(listener) = &mut self.listener {
            listener.block_modified(self.body, block);
        }
    }

    /// Moves all operations of `source` to the end of `target`, replaces the arguments of `source` by `values`, and
    /// erases `source`.
    ///
    /// # Panics
    /// If the counts differ, or an edge leads to `source`.
    pub fn merge_block(&mut self, source: BlockId, target: BlockId, values: &[ValueId]) {
        let arguments = self.body.arguments(source).to_vec();
        assert_eq!(arguments.len(), values.len(), "a block is merged with as many values as it has arguments");
        for (&argument, &value) in arguments.iter().zip(values) {
            self.replace_all_uses(argument, value);
        }
        while let Some(op) = self.body.first_op(source) {
            self.move_op_to_end(op, target);
        }
        self.erase_blocks(&[source]);
    }

    /// Replaces the results of an operation by values, and erases it.
    ///
    /// # Panics
    /// If the counts differ.
    pub fn replace_op(&mut self, op: OpId, values: &[ValueId]) {
        assert_eq!(self.body.result_count(op), values.len(), "an operation is replaced by as many values as it has");
        if let Some(listener) = &mut self.listener {
            listener.replaced(self.body, op, values);
        }
        for (index, &value) in values.iter().enumerate() {
            let result = self.body.result(op, index);
            self.replace_all_uses(result, value);
        }
        self.erase_op(op);
    }

    /// Erases an operation with all that it holds.
    ///
    /// # Panics
    /// If a result is used.
    pub fn erase_op(&mut self, op: OpId) {
        self.step_over(op);
        if let Some(listener) = &mut self.listener {
            for inner in self.body.ops_inside(op).into_iter().rev() {
                listener.erased(self.body, inner);
            }
            listener.erased(self.body, op);
        }
        self.body.erase_op(op);
    }

    /// Erases blocks with all that they hold; see [`Body::erase_blocks`].
    pub fn erase_blocks(&mut self, blocks: &[BlockId]) {
        if let Some(listener) = &mut self.listener {
            for &block in blocks {
                for op in self.body.ops_reversed(block) {
                    for inner in self.body.ops_inside(op).into_iter().rev() {
                        listener.erased(self.body, inner);
                    }
                    listener.erased(self.body, op);
                }
                listener.block_erased(self.body, block);
            }
        }
        self.body.erase_blocks(blocks);
    }

    /// Moves `op` and all operations after it into a new block; see [`Body::split_block`].
    pub fn split_block(&mut self, op: OpId) -> BlockId {
        let block = self.body.split_block(op);
        if let Some(listener) = &mut self.listener {
            listener.block_inserted(self.body, block);
        }
        block
    }
}
