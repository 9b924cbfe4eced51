//! The numbers of a coroutine's values.

use fermata_ir::{BlockId, Body, ValueId};

/// All values of a coroutine in textual order: of each block its arguments, then the results of its operations, those
/// of nested regions right after the operation that holds them. The index in this list is the value's number in a
/// certificate: it depends on nothing but the text.
pub(crate) fn ordered_values(body: &Body) -> Vec<ValueId> {
    let regions = body.regions(body.root()).iter();
    let blocks: Vec<BlockId> = regions.flat_map(|&region| body.blocks(region)).collect();
    values_of(body, &blocks)
}

/// All values of the blocks that can be reached, each before those that its definition dominates.
pub(crate) fn values_in_dominance_order(body: &Body) -> Vec<ValueId> {
    let Some(entry) = body.regions(body.root()).first().and_then(|&region| body.entry_block(region)) else {
        return Vec::new();
    };
    let mut visited = vec![false; body.block_capacity()];
    visited[entry.index()] = true;
    let mut order = Vec::new();
    let mut stack = vec![(entry, 0)];
    while let Some((block, next)) = stack.pop() {
        let terminator = body.last_op(block).filter(|&op| next < body.successor_count(op));
        match terminator.map(|op| body.successor(op, next)) {
            Some(successor) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut visited[successor.index()], true) {
                    stack.push((successor, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    values_of(body, &order)
}

fn values_of(body: &Body, blocks: &[BlockId]) -> Vec<ValueId> {
    let mut values = Vec::with_capacity(body.value_capacity());
    for &block in blocks {
        values.extend(body.arguments(block));
        for op in body.ops(block) {
            values.extend(body.results(op));
            for inner in body.ops_inside(op) {
                for &region in body.regions(inner) {
                    values.extend(body.blocks(region).flat_map(|block| body.arguments(block).iter().copied()));
                }
                values.extend(body.results(inner));
            }
        }
    }
    values
}
