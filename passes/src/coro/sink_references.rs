//! References are computed where they are used.
//!
//! A frame holds no references, and no block takes one as an argument. So before the analysis every reference that is
//! computed in another block than a use of it is computed again right before the use, from the same operands: what
//! crosses a suspension is then the allocation, which each scope makes anew, and the indices, which are plain values.
//!
//! Complexity: linear in the operations and in the lengths of the chains of references that are copied.

use fermata_ir::{BlockId, Body, Builder, Context, OpId, OpRef, OperationTraits, ValueId};
use rustc_hash::FxHashMap;

use super::storage::is_reference;

/// Computes references where they are used; says whether anything changed.
pub(crate) fn sink_references(context: &Context, body: &mut Body) -> bool {
    let mut changed = false;
    let regions = body.regions(body.root()).to_vec();
    let blocks: Vec<BlockId> = regions.iter().flat_map(|&region| body.blocks(region).collect::<Vec<_>>()).collect();
    for block in blocks {
        // What has been computed again in this block stands before all later uses.
        let mut known: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        let ops: Vec<OpId> = body.ops(block).collect();
        for op in ops {
            for index in 0..body.operand_count(op) {
                let operand = body.operand(op, index);
                if is_elsewhere(context, body, operand, block) {
                    let here = compute_before(context, body, op, block, operand, &mut known);
                    body.set_operand(op, index, here);
                    changed = true;
                }
            }
        }
    }
    changed
}

/// Whether a value is a reference that is computed in another block.
fn is_elsewhere(context: &Context, body: &Body, value: ValueId, block: BlockId) -> bool {
    let Some(op) = body.defining_op(value) else { return false };
    let view = OpRef::new(context, body, op);
    body.parent_block(op) != Some(block)
        && is_reference(context, body.value_type(value))
        && view.has_trait(OperationTraits::PURE)
}

/// The reference, computed again before `user` with all that it is computed from in other blocks.
fn compute_before(
    context: &Context,
    body: &mut Body,
    user: OpId,
    block: BlockId,
    value: ValueId,
    known: &mut FxHashMap<ValueId, ValueId>,
) -> ValueId {
    let mut chain = vec![value];
    while let Some(&next) = chain.last() {
        if known.contains_key(&next) {
            chain.pop();
            continue;
        }
        let op = body.defining_op(next).expect("only results of operations are computed again");
        let operands: Vec<ValueId> = body.operands(op).collect();
        let missing =
            |operand: &&ValueId| is_elsewhere(context, body, **operand, block) && !known.contains_key(*operand);
        if let Some(&first) = operands.iter().find(missing) {
            chain.push(first);
            continue;
        }
        let mut mapping = fermata_ir::body::IrMapping::new();
        for operand in operands {
            if let Some(&here) = known.get(&operand) {
                mapping.map_value(operand, here);
            }
        }
        let mut builder = Builder::new(context, body);
        builder.before(user);
        let copy = builder.clone_op(op, &mut mapping);
        for (from, to) in body.results(op).zip(body.results(copy)) {
            known.insert(from, to);
        }
    }
    known[&value]
}
