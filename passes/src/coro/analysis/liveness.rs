//! Which values are live at resume blocks.

use fermata_ir::{BlockId, Body, ValueId};
use rustc_hash::FxHashMap;

use super::{top_level_block, top_level_definition};

/// For each of `roots`, the values that are live at its start and not defined there, in order of definition.
///
/// For each value, a search goes back from its uses to its definition and notes the roots on the way: linear in the
/// blocks of its live range. `values` must be in the order that the result is to have.
pub(crate) fn live_at(body: &Body, roots: &[BlockId], values: &[ValueId]) -> FxHashMap<BlockId, Vec<ValueId>> {
    let mut live: FxHashMap<BlockId, Vec<ValueId>> = roots.iter().map(|&root| (root, Vec::new())).collect();
    let mut visited_by: Vec<Option<ValueId>> = vec![None; body.block_capacity()];
    let mut pending = Vec::new();
    for &value in values {
        let Some(definition) = top_level_definition(body, value) else { continue };
        pending.extend(body.users(value).filter_map(|user| top_level_block(body, user)));
        mark(body, definition, value, &mut pending, &mut visited_by, |block| {
            if let Some(list) = live.get_mut(&block) {
                list.push(value);
            }
        });
    }
    live
}

/// Goes back from the blocks in `pending`, at whose start `value` is live unless they define it.
fn mark(
    body: &Body,
    definition: BlockId,
    value: ValueId,
    pending: &mut Vec<BlockId>,
    visited_by: &mut [Option<ValueId>],
    mut found: impl FnMut(BlockId),
) {
    while let Some(block) = pending.pop() {
        if block == definition || visited_by[block.index()] == Some(value) {
            continue;
        }
        visited_by[block.index()] = Some(value);
        found(block);
        pending.extend(body.predecessors(block));
    }
}
