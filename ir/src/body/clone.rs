//! Copies of bodies, operations and regions.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rustc_hash::FxHashMap;

use super::{
    BlockData, BlockId, Body, OpId, OperationData, OperationExtra, OperationState, RegionData, RegionId, ValueId,
};

/// What a copy maps old values and blocks to. What is not in it stays as it is.
#[derive(Default, Clone)]
pub struct IrMapping {
    values: FxHashMap<ValueId, ValueId>,
    blocks: FxHashMap<BlockId, BlockId>,
}

impl IrMapping {
    /// An empty mapping.
    pub fn new() -> Self {
        Self::default()
    }

    /// Maps a value.
    pub fn map_value(&mut self, from: ValueId, to: ValueId) {
        self.values.insert(from, to);
    }

    /// Maps a block.
    pub fn map_block(&mut self, from: BlockId, to: BlockId) {
        self.blocks.insert(from, to);
    }

    /// What a value is mapped to; itself if it is not mapped.
    pub fn value(&self, from: ValueId) -> ValueId {
        self.values.get(&from).copied().unwrap_or(from)
    }

    /// What a value is mapped to, if it is.
    pub fn mapped_value(&self, from: ValueId) -> Option<ValueId> {
        self.values.get(&from).copied()
    }

    /// What a block is mapped to; itself if it is not mapped.
    pub fn block(&self, from: BlockId) -> BlockId {
        self.blocks.get(&from).copied().unwrap_or(from)
    }
}

impl Clone for Body {
    /// An exact copy: all ids stay the same. Recursion is as deep as bodies nest, which the parser limits.
    fn clone(&self) -> Self {
        Self {
            operations: self.operations.iter().map(OperationData::copy).collect(),
            extras: self.extras.iter().map(OperationExtra::copy).collect(),
            blocks: self.blocks.iter().map(BlockData::copy).collect(),
            regions: self.regions.iter().map(RegionData::copy).collect(),
            values: self.values.clone(),
            uses: self.uses.clone(),
            block_uses: self.block_uses.clone(),
            argument_locations: self.argument_locations.clone(),
        }
    }
}

impl OperationData {
    fn copy(&self) -> Self {
        Self { order: AtomicU32::new(self.order.load(Ordering::Relaxed)), ..*self }
    }
}

impl OperationExtra {
    fn copy(&self) -> Self {
        Self { regions: self.regions.clone(), nested: self.nested.clone(), ..*self }
    }
}

impl BlockData {
    fn copy(&self) -> Self {
        // Order numbers may be in the middle of a refresh by another thread, so the copy makes its own.
        Self { arguments: self.arguments.clone(), order_valid: AtomicBool::new(false), ..*self }
    }
}

impl RegionData {
    fn copy(&self) -> Self {
        Self { ..*self }
    }
}

impl Body {
    /// Copies an operation with its regions, inside this body, to no block yet. Operands and successors go through
    /// `mapping`, to which the copy's results, blocks and arguments are added.
    pub fn clone_op(&mut self, op: OpId, mapping: &mut IrMapping) -> OpId {
        let copy = self.clone_op_shallow(op, mapping);
        let pairs: Vec<(RegionId, RegionId)> =
            self.regions(op).iter().copied().zip(self.regions(copy).iter().copied()).collect();
        let mut pending = pairs;
        while let Some((from, to)) = pending.pop() {
            for (source, target) in self.clone_region_shallow(from, to, mapping) {
                pending.extend(self.regions(source).to_vec().into_iter().zip(self.regions(target).to_vec()));
            }
        }
        // A use may stand before its definition, in textual order or in a graph region: remap once all is there.
        for inner in self.ops_inside(copy) {
            self.remap_op(inner, mapping);
        }
        copy
    }

    /// Copies all blocks of a region, with all that they hold, to the end of another region of this body.
    pub fn clone_region_into(&mut self, from: RegionId, to: RegionId, mapping: &mut IrMapping) {
        let mut pending = vec![(from, to)];
        let mut copies = Vec::new();
        while let Some((from, to)) = pending.pop() {
            for (source, target) in self.clone_region_shallow(from, to, mapping) {
                copies.push(target);
                pending.extend(self.regions(source).to_vec().into_iter().zip(self.regions(target).to_vec()));
            }
        }
        for copy in copies {
            self.remap_op(copy, mapping);
        }
    }

    /// Copies blocks and operations of a region, operations without what their regions hold, and returns pairs of an
    /// operation and its copy.
    fn clone_region_shallow(&mut self, from: RegionId, to: RegionId, mapping: &mut IrMapping) -> Vec<(OpId, OpId)> {
        let blocks: Vec<BlockId> = self.blocks(from).collect();
        for &block in &blocks {
            let arguments = self.arguments(block).to_vec();
            let types: Vec<_> = arguments.iter().map(|&argument| self.value_type(argument)).collect();
            let copy = self.create_block(&types);
            self.append_block(to, copy);
            mapping.map_block(block, copy);
            for (argument, &copied) in arguments.into_iter().zip(&self.blocks[copy.index()].arguments) {
                mapping.map_value(argument, copied);
            }
        }
        let mut pairs = Vec::new();
        for block in blocks {
            let ops: Vec<OpId> = self.ops(block).collect();
            for op in ops {
                let copy = self.clone_op_shallow(op, mapping);
                self.append_op(mapping.block(block), copy);
                pairs.push((op, copy));
            }
        }
        pairs
    }

    fn clone_op_shallow(&mut self, op: OpId, mapping: &mut IrMapping) -> OpId {
        if let Some(nested) = self.nested(op) {
            let nested = nested.clone();
            return self.create_anchor(nested);
        }
        let copy = self.create_op(OperationState {
            operands: self.operands(op).map(|value| mapping.value(value)).collect(),
            results: self.results(op).map(|value| self.value_type(value)).collect(),
            properties: self.properties(op),
            attributes: self.attributes(op),
            successors: self.successors(op).map(|block| mapping.block(block)).collect(),
            regions: self.regions(op).len(),
            ..OperationState::new(self.operation_name(op), self.location(op))
        });
        for (from, to) in self.results(op).zip(self.results(copy)) {
            mapping.map_value(from, to);
        }
        copy
    }

    fn remap_op(&mut self, op: OpId, mapping: &IrMapping) {
        for index in 0..self.operand_count(op) {
            let value = self.operand(op, index);
            let mapped = mapping.value(value);
            if mapped != value {
                self.set_operand(op, index, mapped);
            }
        }
        for index in 0..self.successor_count(op) {
            let block = self.successor(op, index);
            let mapped = mapping.block(block);
            if mapped != block {
                self.set_successor(op, index, mapped);
            }
        }
    }

    /// Copies all blocks of a region of another body to the end of a region of this one. `mapping` maps values and
    /// blocks of `source` to those here.
    pub fn import_region(&mut self, source: &Body, from: RegionId, to: RegionId, mapping: &mut IrMapping) {
        let copies = self.import_blocks(source, vec![(from, to)], mapping);
        self.connect_imported(source, &copies, mapping);
    }

    /// Copies an operation of another body, with its regions, to no block of this one yet. Operands and successors must
    /// be in `mapping`, to which the copy's results, blocks and arguments are added.
    pub fn import_op(&mut self, source: &Body, op: OpId, mapping: &mut IrMapping) -> OpId {
        let copies = self.import_unconnected(source, op, mapping);
        self.connect_imported(source, &copies, mapping);
        copies[0].1
    }

    /// As [`import_op`](Self::import_op), but leaves operands and successors out, for the caller to set when all that
    /// they may refer to is there. Returns the operation and all that its regions hold, each with its copy.
    pub fn import_unconnected(&mut self, source: &Body, op: OpId, mapping: &mut IrMapping) -> Vec<(OpId, OpId)> {
        let copy = self.import_op_shallow(source, op, mapping);
        let regions = source.regions(op).iter().copied().zip(self.regions(copy).to_vec()).collect();
        let mut copies = vec![(op, copy)];
        copies.extend(self.import_blocks(source, regions, mapping));
        copies
    }

    /// Copies the blocks of regions of another body, operations without operands and successors.
    fn import_blocks(
        &mut self,
        source: &Body,
        mut pending: Vec<(RegionId, RegionId)>,
        mapping: &mut IrMapping,
    ) -> Vec<(OpId, OpId)> {
        let mut copies = Vec::new();
        while let Some((from, to)) = pending.pop() {
            for block in source.blocks(from) {
                let types: Vec<_> = source.arguments(block).iter().map(|&value| source.value_type(value)).collect();
                let copy = self.create_block(&types);
                self.append_block(to, copy);
                mapping.map_block(block, copy);
                for (&argument, &copied) in source.arguments(block).iter().zip(self.arguments(copy)) {
                    mapping.map_value(argument, copied);
                }
            }
            for block in source.blocks(from) {
                for op in source.ops(block) {
                    let copy = self.import_op_shallow(source, op, mapping);
                    self.append_op(mapping.block(block), copy);
                    copies.push((op, copy));
                    pending.extend(source.regions(op).iter().copied().zip(self.regions(copy).to_vec()));
                }
            }
        }
        copies
    }

    fn connect_imported(&mut self, source: &Body, copies: &[(OpId, OpId)], mapping: &IrMapping) {
        for &(op, copy) in copies {
            let operands: Vec<ValueId> = source.operands(op).map(|value| mapping.value(value)).collect();
            self.set_operands(copy, &operands);
            let successors: Vec<BlockId> = source.successors(op).map(|block| mapping.block(block)).collect();
            self.set_successors(copy, &successors);
        }
    }

    /// Copies an operation of another body without operands, successors and what its regions hold.
    fn import_op_shallow(&mut self, source: &Body, op: OpId, mapping: &mut IrMapping) -> OpId {
        if let Some(nested) = source.nested(op) {
            return self.create_anchor(nested.clone());
        }
        let copy = self.create_op(OperationState {
            results: source.results(op).map(|value| source.value_type(value)).collect(),
            properties: source.properties(op),
            attributes: source.attributes(op),
            regions: source.regions(op).len(),
            ..OperationState::new(source.operation_name(op), source.location(op))
        });
        for (from, to) in source.results(op).zip(self.results(copy)) {
            mapping.map_value(from, to);
        }
        copy
    }
}
