//! Creating, moving, looking at and erasing operations.

use std::sync::atomic::AtomicU32;

use smallvec::SmallVec;

use super::{
    BlockId, BlockUseData, BlockUseId, Body, ERASED, NO_EXTRA, OpId, OperationData, OperationExtra, RegionId, UseData,
    UseId, ValueData, ValueDefinition, ValueId,
};
use crate::attributes::{Attribute, Dictionary};
use crate::context::Context;
use crate::location::Location;
use crate::operation::OperationName;
use crate::types::Type;

/// Everything needed to create an operation.
pub struct OperationState {
    /// The name.
    pub name: OperationName,
    /// Where it comes from.
    pub location: Location,
    /// The operands.
    pub operands: SmallVec<[ValueId; 4]>,
    /// Types of the results.
    pub results: SmallVec<[Type; 2]>,
    /// The properties.
    pub properties: Dictionary,
    /// The discardable attributes.
    pub attributes: Dictionary,
    /// The successors.
    pub successors: SmallVec<[BlockId; 2]>,
    /// How many empty regions to make.
    pub regions: usize,
}

impl OperationState {
    /// An operation that has nothing but a name.
    pub fn new(name: OperationName, location: Location) -> Self {
        Self {
            name,
            location,
            operands: SmallVec::new(),
            results: SmallVec::new(),
            properties: Dictionary::EMPTY,
            attributes: Dictionary::EMPTY,
            successors: SmallVec::new(),
            regions: 0,
        }
    }
}

impl Body {
    /// Creates an operation that is in no block yet.
    pub fn create_op(&mut self, state: OperationState) -> OpId {
        let op = OpId::from_index(self.operations.len());
        let first_operand = self.uses.len() as u32;
        let first_result = self.values.len() as u32;
        self.operations.push(OperationData {
            name: state.name,
            location: state.location,
            properties: state.properties,
            attributes: state.attributes,
            parent: None,
            previous: None,
            next: None,
            order: AtomicU32::new(0),
            first_operand,
            operand_count: state.operands.len() as u32,
            first_result,
            result_count: state.results.len() as u32,
            extra: NO_EXTRA,
        });
        for value in state.operands {
            let id = UseId::from_index(self.uses.len());
            self.uses.push(UseData { value: None, owner: op, previous: None, next: None });
            self.link_use(id, value);
        }
        for (index, ty) in state.results.into_iter().enumerate() {
            let definition = ValueDefinition::Result { op, index: index as u32 };
            self.values.push(ValueData { ty, definition, first_use: None });
        }
        if !state.successors.is_empty() {
            self.append_successors(op, &state.successors);
        }
        for _ in 0..state.regions {
            self.add_region(op);
        }
        op
    }

    /// Creates the anchor of an isolated operation that owns `body`, in no block yet.
    pub fn create_anchor(&mut self, body: Body) -> OpId {
        let root = &body.operations[0];
        let op = self.create_op(OperationState::new(root.name, root.location));
        self.extra_mut(op).nested = Some(Box::new(body));
        op
    }

    /// Takes the body out of an anchor and erases the anchor.
    ///
    /// # Panics
    /// If `anchor` does not own a body.
    pub fn take_nested(&mut self, anchor: OpId) -> Body {
        let nested =
            self.extra_mut(anchor).nested.take().expect("only the anchor of an isolated operation owns a body");
        self.erase_op(anchor);
        *nested
    }

    /// Name of an operation.
    pub fn operation_name(&self, op: OpId) -> OperationName {
        self.operations[op.index()].name
    }

    /// Location of an operation.
    pub fn location(&self, op: OpId) -> Location {
        self.header(op).location
    }

    /// Sets the location of an operation.
    pub fn set_location(&mut self, op: OpId, location: Location) {
        self.header_mut(op).location = location;
    }

    /// Properties of an operation.
    pub fn properties(&self, op: OpId) -> Dictionary {
        self.header(op).properties
    }

    /// Sets all properties of an operation.
    pub fn set_properties(&mut self, op: OpId, properties: Dictionary) {
        self.header_mut(op).properties = properties;
    }

    /// Sets or removes one property.
    pub fn set_property(&mut self, context: &Context, op: OpId, key: &str, value: Option<Attribute>) {
        let header = self.header_mut(op);
        header.properties = header.properties.with(context, key, value);
    }

    /// Discardable attributes of an operation.
    pub fn attributes(&self, op: OpId) -> Dictionary {
        self.header(op).attributes
    }

    /// Sets all discardable attributes of an operation.
    pub fn set_attributes(&mut self, op: OpId, attributes: Dictionary) {
        self.header_mut(op).attributes = attributes;
    }

    /// Sets or removes one discardable attribute.
    pub fn set_attribute(&mut self, context: &Context, op: OpId, key: &str, value: Option<Attribute>) {
        let header = self.header_mut(op);
        header.attributes = header.attributes.with(context, key, value);
    }

    /// The operation, or the root of the body that it anchors: where properties, attributes and location are.
    fn header(&self, op: OpId) -> &OperationData {
        self.nested(op).map_or(&self.operations[op.index()], |nested| &nested.operations[0])
    }

    fn header_mut(&mut self, op: OpId) -> &mut OperationData {
        if self.nested(op).is_some() {
            &mut self.nested_mut(op).expect("it was there a moment ago").operations[0]
        } else {
            &mut self.operations[op.index()]
        }
    }

    /// Number of results.
    pub fn result_count(&self, op: OpId) -> usize {
        self.operations[op.index()].result_count as usize
    }

    /// Result `index`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn result(&self, op: OpId, index: usize) -> ValueId {
        let data = &self.operations[op.index()];
        assert!(index < data.result_count as usize, "result {index} of an operation that has {}", data.result_count);
        ValueId::from_index(data.first_result as usize + index)
    }

    /// The results in order.
    pub fn results(&self, op: OpId) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + use<> {
        let data = &self.operations[op.index()];
        let first = data.first_result as usize;
        (first..first + data.result_count as usize).map(ValueId::from_index)
    }

    /// The regions of an operation in order; none for an anchor, whose regions are in its own body.
    pub fn regions(&self, op: OpId) -> &[RegionId] {
        self.extra(op).map_or(&[], |extra| &extra.regions)
    }

    /// The successors in order.
    pub fn successors(&self, op: OpId) -> impl ExactSizeIterator<Item = BlockId> + DoubleEndedIterator + '_ {
        let (first, count) =
            self.extra(op).map_or((0, 0), |extra| (extra.first_successor as usize, extra.successor_count as usize));
        self.block_uses[first..first + count]
            .iter()
            .map(|block_use| block_use.block.expect("a successor that is not erased names a block"))
    }

    /// Number of successors.
    pub fn successor_count(&self, op: OpId) -> usize {
        self.extra(op).map_or(0, |extra| extra.successor_count as usize)
    }

    /// Successor `index`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn successor(&self, op: OpId, index: usize) -> BlockId {
        let extra = self.extra(op).expect("only an operation that has successors has extra data");
        assert!(index < extra.successor_count as usize, "successor {index} of an operation that has fewer");
        let id = BlockUseId::from_index(extra.first_successor as usize + index);
        self.block_uses[id.index()].block.expect("a successor that is not erased names a block")
    }

    /// Points successor `index` at another block.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn set_successor(&mut self, op: OpId, index: usize, block: BlockId) {
        let extra = self.extra(op).expect("only an operation that has successors has extra data");
        assert!(index < extra.successor_count as usize, "successor {index} of an operation that has fewer");
        let id = BlockUseId::from_index(extra.first_successor as usize + index);
        self.unlink_block_use(id);
        self.link_block_use(id, block);
    }

    /// Sets all successors.
    pub fn set_successors(&mut self, op: OpId, successors: &[BlockId]) {
        self.drop_successors(op);
        if !successors.is_empty() {
            self.append_successors(op, successors);
        }
    }

    fn append_successors(&mut self, op: OpId, successors: &[BlockId]) {
        let first = self.block_uses.len() as u32;
        let extra = self.extra_mut(op);
        extra.first_successor = first;
        extra.successor_count = successors.len() as u32;
        for &block in successors {
            let id = BlockUseId::from_index(self.block_uses.len());
            self.block_uses.push(BlockUseData { block: None, owner: op, previous: None, next: None });
            self.link_block_use(id, block);
        }
    }

    /// The block that holds an operation.
    pub fn parent_block(&self, op: OpId) -> Option<BlockId> {
        self.operations[op.index()].parent
    }

    /// The operation whose region holds `op`, in this body.
    pub fn parent_op(&self, op: OpId) -> Option<OpId> {
        self.block_parent_op(self.parent_block(op)?)
    }

    /// The operation after `op` in its block.
    pub fn next_op(&self, op: OpId) -> Option<OpId> {
        self.operations[op.index()].next
    }

    /// The operation before `op` in its block.
    pub fn previous_op(&self, op: OpId) -> Option<OpId> {
        self.operations[op.index()].previous
    }

    /// Whether an operation was erased.
    pub fn is_erased(&self, op: OpId) -> bool {
        self.operations[op.index()].extra == ERASED
    }

    /// Puts an operation that is in no block at the end of one.
    pub fn append_op(&mut self, block: BlockId, op: OpId) {
        self.insert_between(block, self.blocks[block.index()].last_op, None, op);
    }

    /// Puts an operation that is in no block before `anchor`.
    ///
    /// # Panics
    /// If `anchor` is in no block.
    pub fn insert_op_before(&mut self, anchor: OpId, op: OpId) {
        let block = self.parent_block(anchor).expect("an operation is inserted next to one that is in a block");
        self.insert_between(block, self.previous_op(anchor), Some(anchor), op);
    }

    /// Puts an operation that is in no block after `anchor`.
    ///
    /// # Panics
    /// If `anchor` is in no block.
    pub fn insert_op_after(&mut self, anchor: OpId, op: OpId) {
        let block = self.parent_block(anchor).expect("an operation is inserted next to one that is in a block");
        self.insert_between(block, Some(anchor), self.next_op(anchor), op);
    }

    fn insert_between(&mut self, block: BlockId, previous: Option<OpId>, next: Option<OpId>, op: OpId) {
        assert!(self.operations[op.index()].parent.is_none(), "an operation is inserted while it is in a block");
        match previous {
            Some(previous) => self.operations[previous.index()].next = Some(op),
            None => self.blocks[block.index()].first_op = Some(op),
        }
        match next {
            Some(next) => self.operations[next.index()].previous = Some(op),
            None => self.blocks[block.index()].last_op = Some(op),
        }
        let data = &mut self.operations[op.index()];
        (data.parent, data.previous, data.next) = (Some(block), previous, next);
        self.number_inserted(block, op);
    }

    /// Takes an operation out of its block without erasing it.
    pub fn remove_op(&mut self, op: OpId) {
        let data = &mut self.operations[op.index()];
        let Some(block) = data.parent.take() else {
            return;
        };
        let (previous, next) = (data.previous.take(), data.next.take());
        match previous {
            Some(previous) => self.operations[previous.index()].next = next,
            None => self.blocks[block.index()].first_op = next,
        }
        match next {
            Some(next) => self.operations[next.index()].previous = previous,
            None => self.blocks[block.index()].last_op = previous,
        }
    }

    /// Erases an operation with all that its regions hold.
    ///
    /// # Panics
    /// If a result is still used from outside.
    pub fn erase_op(&mut self, op: OpId) {
        self.remove_op(op);
        // Parents come before what they hold. No recursion: nesting may be deep.
        let mut inside = vec![op];
        inside.extend(self.ops_inside(op));
        for &current in &inside {
            self.drop_references(current);
        }
        for &current in inside.iter().rev() {
            for result in self.results(current) {
                assert!(self.is_unused(result), "an operation is erased while a result of it is used");
            }
            let regions: SmallVec<[RegionId; 1]> = self.regions(current).into();
            for region in regions {
                let blocks: Vec<BlockId> = self.blocks(region).collect();
                for block in blocks {
                    self.blocks[block.index()].erased = true;
                }
                self.regions[region.index()].erased = true;
            }
            let extra = std::mem::replace(&mut self.operations[current.index()].extra, ERASED);
            if let Some(extra) = self.extras.get_mut(extra as usize) {
                *extra = OperationExtra::default();
            }
        }
    }

    /// Unlinks all operands and successors of an operation and of all operations inside it.
    pub(super) fn drop_all_references(&mut self, op: OpId) {
        for inner in self.ops_inside(op) {
            self.drop_references(inner);
        }
        self.drop_references(op);
    }

    fn drop_references(&mut self, op: OpId) {
        self.drop_successors(op);
        self.set_operands(op, &[]);
    }

    fn drop_successors(&mut self, op: OpId) {
        let (first, count) =
            self.extra(op).map_or((0, 0), |extra| (extra.first_successor as usize, extra.successor_count as usize));
        for index in first..first + count {
            self.unlink_block_use(BlockUseId::from_index(index));
        }
        if count > 0 {
            self.extra_mut(op).successor_count = 0;
        }
    }
}
