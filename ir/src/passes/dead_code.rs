//! Dead code elimination.
//!
//! Problem: erase every operation whose results reach nothing that an observer sees, every block argument that
//! reaches nothing with what the edges pass to it, and every block that cannot be reached.
//!
//! Unlike the erasure of operations with no uses this is optimistic: everything is dead until something that has an
//! effect needs it, so values that only feed themselves around a loop go as well. Structure stays: the operands and
//! results of operations with regions, and the arguments of entry blocks, are left alone.
//!
//! What is needed: operations that may have an effect or may not end, the operations around them, the terminators of
//! all blocks that stay, and the definitions of what these use; of a value that an edge passes to a block argument,
//! only if the argument is needed.
//!
//! Complexity: linear in operations, operands and edges.

use crate::body::{BlockId, Body, OpId, ValueDefinition, ValueId};
use crate::builder::Builder;
use crate::context::Context;
use crate::interfaces::{
    edit_forwarded_operands, is_erasable_alone, only_ends_region, passed_value, successor_operands,
};
use crate::operation::{OpRef, OperationTraits};
use crate::pass::{Pass, PassOutcome, PassResult, PassTarget};
use crate::rewrite::erase_all_unreachable_blocks;

/// The pass `dce`; see the module.
#[derive(Clone, Copy, Default, Debug)]
pub struct DeadCodeElimination;

/// What a run of [`DeadCodeElimination`] erased.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DeadCodeStatistics {
    /// Operations, those in unreachable blocks not counted.
    pub operations: usize,
    /// Block arguments.
    pub arguments: usize,
    /// Unreachable blocks.
    pub blocks: usize,
}

impl DeadCodeStatistics {
    /// Whether anything was erased.
    pub fn changed(self) -> bool {
        self != Self::default()
    }
}

impl DeadCodeElimination {
    /// Erases what is dead in a body, but not in bodies nested in it.
    pub fn run_on(&self, context: &Context, body: &mut Body) -> DeadCodeStatistics {
        let blocks = erase_all_unreachable_blocks(&mut Builder::new(context, body));
        let needed = Needed::find(context, body);
        let (operations, arguments) = erase(context, body, &needed);
        DeadCodeStatistics { operations, arguments, blocks }
    }
}

impl Pass for DeadCodeElimination {
    fn name(&self) -> &'static str {
        "dce"
    }

    fn description(&self) -> &'static str {
        "Erases operations, block arguments and blocks that nothing needs"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        target.for_each_body(&|target| {
            let statistics = self.run_on(target.context(), target.body_mut());
            target.statistic("operations erased", statistics.operations as u64);
            target.statistic("block arguments erased", statistics.arguments as u64);
            target.statistic("unreachable blocks erased", statistics.blocks as u64);
            Ok(PassOutcome::changed_if(statistics.changed()))
        })
    }
}

/// What is needed, by index.
struct Needed<'a> {
    context: &'a Context,
    ops: Vec<bool>,
    values: Vec<bool>,
    pending_ops: Vec<OpId>,
    pending_values: Vec<ValueId>,
}

impl<'a> Needed<'a> {
    fn find(context: &'a Context, body: &Body) -> Self {
        let mut needed = Self {
            context,
            ops: vec![false; body.op_capacity()],
            values: vec![false; body.value_capacity()],
            pending_ops: Vec::new(),
            pending_values: Vec::new(),
        };
        needed.need_op(body.root());
        for op in body.all_ops() {
            let view = OpRef::new(context, body, op);
            if !is_erasable_alone(view) && !only_ends_region(view) {
                needed.need_op(op);
            }
        }
        for block in branch_targets(body) {
            let kept = removable_from(context, body, block).unwrap_or(usize::MAX);
            body.arguments(block).iter().take(kept).for_each(|&argument| needed.need_value(argument));
        }
        loop {
            if let Some(op) = needed.pending_ops.pop() {
                needed.follow_op(body, op);
            } else if let Some(value) = needed.pending_values.pop() {
                needed.follow_value(body, value);
            } else {
                return needed;
            }
        }
    }

    fn need_op(&mut self, op: OpId) {
        if !std::mem::replace(&mut self.ops[op.index()], true) {
            self.pending_ops.push(op);
        }
    }

    fn need_value(&mut self, value: ValueId) {
        if !std::mem::replace(&mut self.values[value.index()], true) {
            self.pending_values.push(value);
        }
    }

    fn follow_op(&mut self, body: &Body, op: OpId) {
        if let Some(parent) = body.parent_op(op) {
            self.need_op(parent);
        }
        for &region in body.regions(op) {
            for block in body.blocks(region) {
                let last = body.last_op(block).map(|last| OpRef::new(self.context, body, last));
                if let Some(last) = last.filter(|last| last.has_trait(OperationTraits::TERMINATOR)) {
                    self.need_op(last.id);
                }
            }
        }
        let view = OpRef::new(self.context, body, op);
        let mut next = 0;
        for index in 0..body.successor_count(op) {
            // What an edge passes waits until the argument is needed, unless that was asked for before.
            let Some(operands) = successor_operands(view, index) else { break };
            (next..operands.forwarded.start).for_each(|operand| self.need_value(body.operand(op, operand)));
            next = operands.forwarded.end;
        }
        (next..body.operand_count(op)).for_each(|operand| self.need_value(body.operand(op, operand)));
    }

    fn follow_value(&mut self, body: &Body, value: ValueId) {
        match body.definition(value) {
            ValueDefinition::Result { op, .. } => self.need_op(op),
            ValueDefinition::Argument { block, index } => {
                for (op, successor) in body.predecessor_edges(block) {
                    let passed = passed_value(OpRef::new(self.context, body, op), successor, index as usize);
                    if let Some(passed) = passed {
                        self.need_value(passed);
                    }
                }
            }
        }
    }
}

/// Erases what is not needed, and returns the numbers of operations and of arguments.
fn erase(context: &Context, body: &mut Body, needed: &Needed<'_>) -> (usize, usize) {
    let dead: Vec<OpId> = body.all_ops().into_iter().filter(|op| !needed.ops[op.index()]).collect();
    // Dead operations may use each other and dead arguments in a cycle.
    for &op in &dead {
        body.set_operands(op, &[]);
    }
    let arguments = erase_arguments(context, body, needed);
    for &op in &dead {
        if !body.is_erased(op) {
            body.erase_op(op);
        }
    }
    (dead.len(), arguments)
}

fn erase_arguments(context: &Context, body: &mut Body, needed: &Needed<'_>) -> usize {
    // By block index: the positions of dead arguments, ascending.
    let mut dead: Vec<Vec<usize>> = vec![Vec::new(); body.block_capacity()];
    let mut blocks = Vec::new();
    for block in branch_targets(body) {
        let unused = |&(_, value): &(usize, &ValueId)| !needed.values[value.index()];
        let positions: Vec<usize> =
            body.arguments(block).iter().enumerate().filter(unused).map(|(index, _)| index).collect();
        if !positions.is_empty() {
            dead[block.index()] = positions;
            blocks.push(block);
        }
    }
    let mut branches: Vec<OpId> =
        blocks.iter().flat_map(|&block| body.predecessor_edges(block)).map(|(op, _)| op).collect();
    branches.sort_unstable();
    branches.dedup();
    for op in branches {
        let targets: Vec<BlockId> = body.successors(op).collect();
        let view = OpRef::new(context, body, op);
        let produced: Vec<usize> = (0..targets.len())
            .map(|index| successor_operands(view, index).map_or(0, |operands| operands.produced))
            .collect();
        edit_forwarded_operands(context, body, op, |index, forwarded| {
            remove_positions(forwarded, &dead[targets[index].index()], produced[index]);
        });
    }
    let mut count = 0;
    for block in blocks {
        for &position in dead[block.index()].iter().rev() {
            body.erase_argument(block, position);
            count += 1;
        }
    }
    count
}

/// The blocks that are not the entry of their region, in textual order.
fn branch_targets(body: &Body) -> Vec<BlockId> {
    let mut ops = vec![body.root()];
    ops.extend(body.all_ops());
    let regions = ops.iter().flat_map(|&op| body.regions(op));
    regions.flat_map(|&region| body.blocks(region).skip(1)).collect()
}

/// The position from which on arguments may be taken from a block: every edge to it says what it passes, and produces
/// none of them itself. Nothing if an edge does not say.
fn removable_from(context: &Context, body: &Body, block: BlockId) -> Option<usize> {
    body.predecessor_edges(block).try_fold(0, |first, (op, index)| {
        let operands = successor_operands(OpRef::new(context, body, op), index)?;
        Some(first.max(operands.produced))
    })
}

/// Removes the entries at positions that count `produced` entries before the first one.
fn remove_positions(values: &mut Vec<ValueId>, positions: &[usize], produced: usize) {
    let mut position = produced;
    let mut remaining = positions.iter().peekable();
    values.retain(|_| {
        let removed = remaining.next_if(|&&at| at == position).is_some();
        position += 1;
        !removed
    });
}
