//! Simplification of the control-flow graph.
//!
//! Problem: bring each region to as few blocks and block arguments as local steps can, without copying an operation.
//! The steps, taken until none applies:
//! * a branch whose condition is constant, or whose edges are all the same, becomes a jump;
//! * blocks that cannot be reached are erased;
//! * a block that follows its only predecessor's jump is merged with it;
//! * a block that holds nothing but a jump is skipped by its predecessors, and erased;
//! * block arguments that nothing uses, that always equal another one, or that are always passed the same value
//!   go.
//!
//! Invariants: a suspension is an edge like any other for what a block may merge or forward, but it stays an edge to
//! the block where it led, so each resume block stays the start of a continuation. Edges of operations that do not
//! say what they pass are left alone. Loops without an exit stay, empty ones as well.
//!
//! Complexity: each step removes a block, an edge or an argument, and looks at what the step before touched; the
//! search for unreachable cycles repeats only after an edge was removed. Operands grow by at most a constant for each
//! block that is skipped.

mod arguments;
mod thread;

use crate::body::{BlockId, Body, OpId, ValueDefinition, ValueId};
use crate::builder::Builder;
use crate::context::Context;
use crate::pass::{Pass, PassOutcome, PassResult, PassTarget};
use crate::rewrite::{as_jump, decided_branch, erase_all_unreachable_blocks, replace_by_jump};

/// The pass `simplify-cfg`; see the module.
#[derive(Clone, Copy, Default, Debug)]
pub struct SimplifyCfg;

/// What a run of [`SimplifyCfg`] did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SimplifyCfgStatistics {
    /// Branches that became jumps.
    pub decided: usize,
    /// Blocks that could not be reached.
    pub unreachable: usize,
    /// Blocks merged with the one before.
    pub merged: usize,
    /// Blocks with nothing but a jump that are skipped now.
    pub threaded: usize,
    /// Block arguments erased.
    pub arguments: usize,
}

impl SimplifyCfgStatistics {
    /// Whether anything was done.
    pub fn changed(self) -> bool {
        self != Self::default()
    }
}

impl SimplifyCfg {
    /// Simplifies all regions of a body, but not bodies nested in it.
    pub fn run_on(&self, context: &Context, body: &mut Body) -> SimplifyCfgStatistics {
        let mut builder = Builder::new(context, body);
        let statistics = SimplifyCfgStatistics {
            unreachable: erase_all_unreachable_blocks(&mut builder),
            ..SimplifyCfgStatistics::default()
        };
        let worklist = Worklist::of_body(builder.body());
        let mut simplifier = Simplifier { builder, worklist, edges_removed: false, statistics };
        simplifier.run();
        simplifier.statistics
    }
}

impl Pass for SimplifyCfg {
    fn name(&self) -> &'static str {
        "simplify-cfg"
    }

    fn description(&self) -> &'static str {
        "Decides branches, merges and skips blocks, and erases block arguments"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        target.for_each_body(&|target| {
            let statistics = self.run_on(target.context(), target.body_mut());
            target.statistic("branches decided", statistics.decided as u64);
            target.statistic("unreachable blocks erased", statistics.unreachable as u64);
            target.statistic("blocks merged", statistics.merged as u64);
            target.statistic("blocks skipped", statistics.threaded as u64);
            target.statistic("block arguments erased", statistics.arguments as u64);
            Ok(PassOutcome::changed_if(statistics.changed()))
        })
    }
}

/// Blocks to look at; each is in the list once at most.
struct Worklist {
    blocks: Vec<BlockId>,
    contained: Vec<bool>,
}

impl Worklist {
    /// All blocks, first ones on top.
    fn of_body(body: &Body) -> Self {
        let mut ops = vec![body.root()];
        ops.extend(body.all_ops());
        let regions = ops.iter().flat_map(|&op| body.regions(op));
        let mut blocks: Vec<BlockId> = regions.flat_map(|&region| body.blocks(region)).collect();
        blocks.reverse();
        Self { blocks, contained: vec![true; body.block_capacity()] }
    }

    fn push(&mut self, block: BlockId) {
        if !std::mem::replace(&mut self.contained[block.index()], true) {
            self.blocks.push(block);
        }
    }

    fn pop(&mut self) -> Option<BlockId> {
        let block = self.blocks.pop()?;
        self.contained[block.index()] = false;
        Some(block)
    }
}

struct Simplifier<'a> {
    builder: Builder<'a>,
    worklist: Worklist,
    /// Whether a block may have become unreachable since that was looked at last.
    edges_removed: bool,
    statistics: SimplifyCfgStatistics,
}

impl Simplifier<'_> {
    fn run(&mut self) {
        loop {
            while let Some(block) = self.worklist.pop() {
                if !self.body().is_block_erased(block) && self.body().block_parent(block).is_some() {
                    self.visit(block);
                }
            }
            if !std::mem::take(&mut self.edges_removed) || !self.erase_unreachable() {
                return;
            }
        }
    }

    fn body(&self) -> &Body {
        self.builder.body()
    }

    fn visit(&mut self, block: BlockId) {
        if !self.body().is_entry_block(block) && self.body().has_no_predecessors(block) {
            self.edges_removed = true;
            return;
        }
        self.decide(block);
        self.simplify_arguments(block);
        let head = self.head_of_chain(block);
        self.merge_successors(head);
        if !self.body().is_block_erased(block) {
            self.thread(block);
        }
    }

    fn push_successors(&mut self, block: BlockId) {
        let successors: Vec<BlockId> = self.body().block_successors(block).collect();
        successors.into_iter().rev().for_each(|successor| self.worklist.push(successor));
    }

    /// Blocks to look at since these operations have other operands: what holds them, and where they pass values.
    fn push_users(&mut self, users: &[OpId]) {
        for &user in users.iter().rev() {
            let successors: Vec<BlockId> = self.body().successors(user).collect();
            let block = self.body().parent_block(user);
            block.into_iter().chain(successors).for_each(|block| self.worklist.push(block));
        }
    }

    /// Blocks to look at since their arguments have fewer uses.
    fn push_definitions(&mut self, values: &[ValueId]) {
        for &value in values.iter().rev() {
            if let ValueDefinition::Argument { block, .. } = self.body().definition(value) {
                self.worklist.push(block);
            }
        }
    }

    fn push_predecessors(&mut self, block: BlockId) {
        let predecessors: Vec<BlockId> = self.body().predecessors(block).collect();
        predecessors.into_iter().for_each(|predecessor| self.worklist.push(predecessor));
    }

    /// Makes the terminator of a block a jump if there is one way to go.
    fn decide(&mut self, block: BlockId) {
        let Some(op) = self.body().last_op(block) else { return };
        let Some(jump) = decided_branch(self.builder.op(op)) else { return };
        let successors: Vec<BlockId> = self.body().successors(op).collect();
        let operands: Vec<ValueId> = self.body().operands(op).collect();
        if replace_by_jump(&mut self.builder, op, &jump) {
            self.push_definitions(&operands);
            self.statistics.decided += 1;
            self.edges_removed = true;
            successors.into_iter().rev().for_each(|successor| self.worklist.push(successor));
        }
    }

    /// Whether blocks were erased; all others may then have an argument that is always passed one value, or unused.
    fn erase_unreachable(&mut self) -> bool {
        let erased = erase_all_unreachable_blocks(&mut self.builder);
        if erased > 0 {
            self.statistics.unreachable += erased;
            self.worklist = Worklist::of_body(self.body());
        }
        erased > 0
    }

    /// The block that `block` can be merged into, if any.
    fn merge_target(&self, block: BlockId) -> Option<BlockId> {
        let (op, _) = self.body().predecessor_edges(block).next()?;
        let target = self.body().parent_block(op)?;
        let mergeable = self.merge_source(target) == Some(block);
        mergeable.then_some(target)
    }

    /// The block that can be merged into `block`, if any.
    fn merge_source(&self, block: BlockId) -> Option<BlockId> {
        let jump = as_jump(self.builder.op(self.body().last_op(block)?))?;
        let source = jump.destination;
        // In unreachable code a block may be passed its own arguments.
        let own = |&value: &ValueId| matches!(self.body().definition(value), ValueDefinition::Argument { block, .. } if block == source);
        let mergeable = source != block
            && !self.body().is_entry_block(source)
            && self.body().predecessor_edges(source).take(2).count() == 1
            && !jump.arguments.iter().any(own);
        mergeable.then_some(source)
    }

    /// The first block of the chain that will be merged into one. To merge from there moves each operation once.
    fn head_of_chain(&self, block: BlockId) -> BlockId {
        let mut head = block;
        while let Some(target) = self.merge_target(head) {
            if target == block {
                // A cycle that only itself leads to; it is unreachable.
                return block;
            }
            head = target;
        }
        head
    }

    fn merge_successors(&mut self, block: BlockId) {
        let mut merged = false;
        while let Some(source) = self.merge_source(block) {
            let op = self.body().last_op(block).expect("a block that is merged with its successor ends in a jump");
            let jump = as_jump(self.builder.op(op)).expect("a block that is merged with its successor ends in a jump");
            let arguments = self.body().arguments(source).iter();
            let users: Vec<OpId> = arguments.flat_map(|&argument| self.body().users(argument)).collect();
            self.builder.erase_op(op);
            self.builder.merge_block(source, block, &jump.arguments);
            self.push_users(&users);
            self.push_definitions(&jump.arguments);
            self.statistics.merged += 1;
            merged = true;
        }
        if merged {
            self.push_successors(block);
            self.worklist.push(block);
        }
    }

    fn simplify_arguments(&mut self, block: BlockId) {
        let before = self.statistics.arguments;
        let (mut touched, mut dropped) = (Vec::new(), Vec::new());
        self.statistics.arguments += arguments::simplify(&mut self.builder, block, &mut touched, &mut dropped);
        if self.statistics.arguments > before {
            self.push_users(&touched);
            self.push_definitions(&dropped);
            self.push_predecessors(block);
            self.worklist.push(block);
        }
    }

    fn thread(&mut self, block: BlockId) {
        let Some(jump) = thread::find(self.builder.op(self.body().root()), block) else { return };
        self.push_predecessors(block);
        let edges = self.body().predecessor_edges(block);
        let passed: Vec<ValueId> = edges.flat_map(|(op, _)| self.body().operands(op)).collect();
        thread::apply(&mut self.builder, block, &jump);
        self.push_definitions(&passed);
        self.worklist.push(jump.destination);
        self.statistics.threaded += 1;
    }
}
