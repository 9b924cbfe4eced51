//! Block arguments that can go.

use rustc_hash::FxHashMap;

use crate::body::{BlockId, Body, OpId, ValueId};
use crate::builder::Builder;
use crate::interfaces::{edit_forwarded_operands, successor_operands};

/// Erases the arguments of a block that nothing uses, that always equal an earlier one, or that are always passed one
/// value; returns how many. `touched` gets the operations that have another operand now, and `dropped` the values that
/// are passed no more.
///
/// Linear in what the edges to the block pass.
pub(super) fn simplify(
    builder: &mut Builder<'_>,
    block: BlockId,
    touched: &mut Vec<OpId>,
    dropped: &mut Vec<ValueId>,
) -> usize {
    let body = builder.body();
    if body.is_entry_block(block) || body.arguments(block).is_empty() {
        return 0;
    }
    let Some(edges) = Edges::to(builder, block) else { return 0 };
    let arguments = body.arguments(block).to_vec();
    let mut first_with: FxHashMap<Vec<ValueId>, ValueId> = FxHashMap::default();
    for (index, &argument) in arguments.iter().enumerate().skip(edges.produced) {
        // Read now: what is passed changes as arguments that are passed themselves are replaced.
        let passed = edges.passed(builder.body(), index);
        let replacement = only_value(&passed, argument).or_else(|| first_with.get(&passed).copied());
        match replacement {
            Some(replacement) => {
                touched.extend(builder.body().users(argument));
                builder.replace_all_uses(argument, replacement);
            }
            None => {
                first_with.insert(passed, argument);
            }
        }
    }
    let is_erased =
        |(index, &argument): (usize, &ValueId)| index >= edges.produced && builder.body().is_unused(argument);
    let erased: Vec<bool> = arguments.iter().enumerate().map(is_erased).collect();
    let count = erased.iter().filter(|&&is| is).count();
    if count > 0 {
        erase(builder, block, &edges, &erased, dropped);
    }
    count
}

/// The value that all edges pass, apart from those that pass the argument itself.
fn only_value(passed: &[ValueId], argument: ValueId) -> Option<ValueId> {
    let mut others = passed.iter().copied().filter(|&value| value != argument);
    let first = others.next()?;
    others.all(|value| value == first).then_some(first)
}

/// The edges to a block.
struct Edges {
    /// The operations that they belong to, each once.
    branches: Vec<OpId>,
    /// So many leading arguments are produced by some edge's operation.
    produced: usize,
    /// Each edge's operation, with the operand index that argument 0 would have; below zero if the operation
    /// produces some itself.
    origins: Vec<(OpId, isize)>,
}

impl Edges {
    /// Nothing if an edge does not say what it passes, or there is none.
    fn to(builder: &Builder<'_>, block: BlockId) -> Option<Self> {
        let mut produced = 0;
        let mut origins = Vec::new();
        for (op, index) in builder.body().predecessor_edges(block) {
            let operands = successor_operands(builder.op(op), index)?;
            produced = produced.max(operands.produced);
            origins.push((op, operands.forwarded.start as isize - operands.produced as isize));
        }
        let mut branches: Vec<OpId> = origins.iter().map(|&(op, _)| op).collect();
        branches.sort_unstable();
        branches.dedup();
        (!origins.is_empty()).then_some(Self { branches, produced, origins })
    }

    /// What each edge passes to an argument behind those that are produced.
    fn passed(&self, body: &Body, argument: usize) -> Vec<ValueId> {
        let operand = |&(op, origin): &(OpId, isize)| body.operand(op, (origin + argument as isize) as usize);
        self.origins.iter().map(operand).collect()
    }
}

fn erase(builder: &mut Builder<'_>, block: BlockId, edges: &Edges, erased: &[bool], dropped: &mut Vec<ValueId>) {
    let context = builder.context();
    for &branch in &edges.branches {
        let targets: Vec<BlockId> = builder.body().successors(branch).collect();
        let produced: Vec<usize> = (0..targets.len())
            .map(|index| successor_operands(builder.op(branch), index).map_or(0, |operands| operands.produced))
            .collect();
        builder.modify(branch, |body| {
            edit_forwarded_operands(context, body, branch, |index, forwarded| {
                if targets[index] == block {
                    let mut kept = erased[produced[index]..].iter().map(|&is_erased| !is_erased);
                    forwarded.retain(|&value| {
                        let keep = kept.next().unwrap_or(true);
                        if !keep {
                            dropped.push(value);
                        }
                        keep
                    });
                }
            });
        });
    }
    for index in (0..erased.len()).rev() {
        if erased[index] {
            builder.erase_argument(block, index);
        }
    }
}
