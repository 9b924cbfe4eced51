//! Facts about places between operations that follow from what was executed before.

use rustc_hash::FxHashMap;

use super::Lattice;
use super::order::{BlockQueue, block_order};
use crate::analysis::region_flow::{RegionFlow, entries, entry_at, flow_out_of, possible_flow_into};
use crate::body::{BlockId, Body, OpId};
use crate::context::Context;
use crate::interfaces::{RegionPoint, RegionSuccessor};
use crate::operation::OpRef;

/// What a dense forward analysis knows and what operations change of it.
pub trait DenseForwardAnalysis {
    /// What is known at a place that execution reaches.
    type Element: Lattice;

    /// What is known at the start of the body.
    fn entry(&mut self, root: OpRef<'_>) -> Self::Element;

    /// What is known at the start of a region of an operation that does not say when its regions are executed. The
    /// greatest element is always right.
    fn unknown(&mut self, holder: OpRef<'_>) -> Self::Element;

    /// Makes what is known before an operation what is known after it. Operations that say where control goes between
    /// their regions are left to the solver; for others with regions, this covers all that these may do.
    fn transfer(&mut self, op: OpRef<'_>, state: &mut Self::Element);

    /// Changes what is known after a branch to what is known at the start of its successor, if it has come that way.
    fn edge(&mut self, _branch: OpRef<'_>, _successor: usize, _state: &mut Self::Element) {}

    /// Changes what is known at `from` (a structured operation `holder` itself at its start, or a terminator in it) to
    /// what is known at a place that control goes to.
    fn region_edge(&mut self, _holder: OpRef<'_>, _from: OpRef<'_>, _to: RegionPoint, _state: &mut Self::Element) {}
}

/// The solution of a [`DenseForwardAnalysis`].
pub struct DenseForward<E> {
    /// By block, at its start; nothing if execution does not get there.
    starts: Vec<Option<E>>,
    /// After operations that say where control goes between their regions.
    after: FxHashMap<OpId, E>,
}

impl<E: Lattice> DenseForward<E> {
    /// Solves `analysis` on a body.
    pub fn solve<A: DenseForwardAnalysis<Element = E>>(context: &Context, body: &Body, analysis: &mut A) -> Self {
        let queue = BlockQueue::new(body, block_order(body));
        let found = Self { starts: vec![None; body.block_capacity()], after: FxHashMap::default() };
        let mut solver = Solver { context, body, analysis, found, queue };
        let root = solver.view(body.root());
        for entry in root.regions().iter().filter_map(|&region| body.entry_block(region)) {
            let element = solver.analysis.entry(root);
            solver.raise_start(entry, element);
        }
        while let Some(block) = solver.queue.pop() {
            solver.run_block(block);
        }
        solver.found
    }

    /// What is known at the start of a block; nothing if execution does not get there.
    pub fn at_start(&self, block: BlockId) -> Option<&E> {
        self.starts[block.index()].as_ref()
    }

    /// Calls back for each operation of a block that execution reaches, with what is known before it.
    pub fn for_each_op<'a, A: DenseForwardAnalysis<Element = E>>(
        &self,
        context: &'a Context,
        body: &'a Body,
        analysis: &mut A,
        block: BlockId,
        mut callback: impl FnMut(OpRef<'a>, &E),
    ) {
        let Some(mut state) = self.at_start(block).cloned() else { return };
        for op in body.ops(block).map(|op| OpRef::new(context, body, op)) {
            callback(op, &state);
            match possible_flow_into(op) {
                Some(RegionFlow::Known(_)) => match self.after.get(&op.id) {
                    Some(after) => state = after.clone(),
                    None => return,
                },
                _ => analysis.transfer(op, &mut state),
            }
        }
    }
}

struct Solver<'a, 's, A: DenseForwardAnalysis> {
    context: &'a Context,
    body: &'a Body,
    analysis: &'s mut A,
    found: DenseForward<A::Element>,
    queue: BlockQueue,
}

impl<'a, A: DenseForwardAnalysis> Solver<'a, '_, A> {
    fn view(&self, op: OpId) -> OpRef<'a> {
        OpRef::new(self.context, self.body, op)
    }

    fn run_block(&mut self, block: BlockId) {
        let body = self.body;
        let mut state = self.found.starts[block.index()].clone().expect("a block is queued when its start is reached");
        for op in body.ops(block) {
            let op = self.view(op);
            match possible_flow_into(op) {
                Some(RegionFlow::Known(successors)) => {
                    for successor in &successors {
                        self.go(op, op, successor, &state);
                    }
                    // The rest of the block waits until a region ends.
                    match self.found.after.get(&op.id) {
                        Some(after) => state = after.clone(),
                        None => return,
                    }
                }
                Some(_) => {
                    for entry in entries(op) {
                        let element = self.analysis.unknown(op);
                        self.raise_start(entry, element);
                    }
                    self.analysis.transfer(op, &mut state);
                }
                None => self.analysis.transfer(op, &mut state),
            }
        }
        self.leave(block, &state);
    }

    fn leave(&mut self, block: BlockId, state: &A::Element) {
        let body = self.body;
        let last = body.last_op(block).map(|last| self.view(last));
        if let Some(last) = last.filter(|last| last.successors().len() > 0) {
            for (index, successor) in last.successors().enumerate() {
                let mut passed = state.clone();
                self.analysis.edge(last, index, &mut passed);
                self.raise_start(successor, passed);
            }
            return;
        }
        let root = self.view(body.root());
        match (flow_out_of(root, block), last) {
            (None, _) => {}
            (Some((holder, RegionFlow::Known(successors))), Some(last)) => {
                for successor in &successors {
                    self.go(holder, last, successor, state);
                }
            }
            (Some((innermost, flow)), _) => {
                for holder in flow.unknown_targets(innermost) {
                    self.raise_after(holder.id, state.clone());
                    entries(holder).for_each(|entry| self.raise_start(entry, state.clone()));
                }
            }
        }
    }

    fn go(&mut self, holder: OpRef<'a>, from: OpRef<'a>, successor: &RegionSuccessor, state: &A::Element) {
        let mut passed = state.clone();
        self.analysis.region_edge(holder, from, successor.point, &mut passed);
        match entry_at(holder, successor.point) {
            Some(entry) => self.raise_start(entry, passed),
            None if successor.point == RegionPoint::Parent => self.raise_after(holder.id, passed),
            None => {}
        }
    }

    fn raise_start(&mut self, block: BlockId, element: A::Element) {
        let changed = match &mut self.found.starts[block.index()] {
            Some(known) => known.join(&element),
            unknown => {
                *unknown = Some(element);
                true
            }
        };
        if changed {
            self.queue.push(block);
        }
    }

    fn raise_after(&mut self, op: OpId, element: A::Element) {
        let changed = match self.found.after.entry(op) {
            std::collections::hash_map::Entry::Occupied(mut known) => known.get_mut().join(&element),
            std::collections::hash_map::Entry::Vacant(unknown) => {
                unknown.insert(element);
                true
            }
        };
        if let Some(block) = self.body.parent_block(op)
            && changed
            && self.found.starts[block.index()].is_some()
        {
            self.queue.push(block);
        }
    }
}
