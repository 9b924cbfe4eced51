//! A number that tells whether a body has changed.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::body::{Body, OpId};

/// A hash of all that the text of a body shows, bodies nested in it included. Values and blocks count by their place,
/// so replacing an operation by an equal one changes nothing. Linear in the size of the body.
pub(super) fn fingerprint(body: &Body) -> u64 {
    let mut hasher = FxHasher::default();
    body.for_each_body(|body| hash_body(body, &mut hasher));
    hasher.finish()
}

fn hash_body(body: &Body, hasher: &mut FxHasher) {
    let mut ops = vec![body.root()];
    ops.extend(body.all_ops());
    let mut numbering = Numbering {
        values: vec![0; body.value_capacity()],
        next_value: 1,
        blocks: vec![0; body.block_capacity()],
        next_block: 1,
    };
    for &op in &ops {
        numbering.add(body, op);
    }
    for op in ops {
        body.operation_name(op).hash(hasher);
        body.location(op).hash(hasher);
        body.properties(op).hash(hasher);
        body.attributes(op).hash(hasher);
        body.parent_block(op).map(|block| numbering.blocks[block.index()]).hash(hasher);
        hasher.write_usize(body.operand_count(op));
        for operand in body.operands(op) {
            hasher.write_u32(numbering.values[operand.index()]);
        }
        for result in body.results(op) {
            body.value_type(result).hash(hasher);
        }
        for successor in body.successors(op) {
            hasher.write_u32(numbering.blocks[successor.index()]);
        }
        for &region in body.regions(op) {
            hasher.write_u8(1);
            for block in body.blocks(region) {
                hasher.write_usize(body.arguments(block).len());
                for &argument in body.arguments(block) {
                    body.value_type(argument).hash(hasher);
                }
            }
        }
    }
}

/// Numbers by place; 0 is for what is in no block.
struct Numbering {
    values: Vec<u32>,
    next_value: u32,
    blocks: Vec<u32>,
    next_block: u32,
}

impl Numbering {
    fn add(&mut self, body: &Body, op: OpId) {
        for result in body.results(op) {
            self.values[result.index()] = self.next_value;
            self.next_value += 1;
        }
        for &region in body.regions(op) {
            for block in body.blocks(region) {
                self.blocks[block.index()] = self.next_block;
                self.next_block += 1;
                for &argument in body.arguments(block) {
                    self.values[argument.index()] = self.next_value;
                    self.next_value += 1;
                }
            }
        }
    }
}
