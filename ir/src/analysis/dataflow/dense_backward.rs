//! Facts about places between operations that follow from what is executed afterwards.

use rustc_hash::FxHashMap;

use super::Lattice;
use super::order::{BlockQueue, block_order};
use crate::analysis::region_flow::{RegionFlow, entry_at, flow_out_of, possible_flow_into};
use crate::body::{BlockId, Body, OpId};
use crate::context::Context;
use crate::interfaces::{RegionPoint, RegionSuccessor};
use crate::operation::OpRef;

/// What a dense backward analysis knows and what operations change of it.
pub trait DenseBackwardAnalysis {
    /// What is known at a place.
    type Element: Lattice;

    /// What is known where the body is left, after the last operation of `block`.
    fn exit(&mut self, root: OpRef<'_>, block: BlockId) -> Self::Element;

    /// What is known at the end of a block of `holder` from which control goes to where nobody knows. The greatest
    /// element is always right.
    fn unknown(&mut self, holder: OpRef<'_>, block: BlockId) -> Self::Element;

    /// Makes what is known after an operation what is known before it. Operations that say where control goes between
    /// their regions are left to the solver; for others with regions, this covers all that these may do.
    fn transfer(&mut self, op: OpRef<'_>, state: &mut Self::Element);

    /// Changes what is known at the start of a successor to what is known after the branch, if it goes that way.
    fn edge(&mut self, _branch: OpRef<'_>, _successor: usize, _state: &mut Self::Element) {}

    /// Changes what is known at a place to what is known at `from` (a structured operation `holder` itself at its
    /// start, or a terminator in it), if control goes from there to the place.
    fn region_edge(&mut self, _holder: OpRef<'_>, _from: OpRef<'_>, _to: RegionPoint, _state: &mut Self::Element) {}
}

/// The solution of a [`DenseBackwardAnalysis`].
pub struct DenseBackward<E> {
    /// By block, at its start.
    starts: Vec<E>,
    /// By block, at its end.
    ends: Vec<E>,
    /// Before and after operations that say where control goes between their regions.
    around: FxHashMap<OpId, (E, E)>,
}

impl<E: Lattice> DenseBackward<E> {
    /// Solves `analysis` on a body.
    pub fn solve<A: DenseBackwardAnalysis<Element = E>>(context: &Context, body: &Body, analysis: &mut A) -> Self {
        let mut order = block_order(body);
        order.reverse();
        let mut queue = BlockQueue::new(body, order.clone());
        order.into_iter().for_each(|block| queue.push(block));
        let bottom = || vec![E::default(); body.block_capacity()];
        let found = Self { starts: bottom(), ends: bottom(), around: FxHashMap::default() };
        let mut solver = Solver { context, body, analysis, found, queue };
        while let Some(block) = solver.queue.pop() {
            solver.run_block(block);
        }
        solver.found
    }

    /// What is known at the start of a block.
    pub fn at_start(&self, block: BlockId) -> &E {
        &self.starts[block.index()]
    }

    /// What is known at the end of a block, after its last operation.
    pub fn at_end(&self, block: BlockId) -> &E {
        &self.ends[block.index()]
    }

    /// Calls back for each operation of a block from the last to the first, with what is known after it.
    pub fn for_each_op_reversed<'a, A: DenseBackwardAnalysis<Element = E>>(
        &self,
        context: &'a Context,
        body: &'a Body,
        analysis: &mut A,
        block: BlockId,
        mut callback: impl FnMut(OpRef<'a>, &E),
    ) {
        let mut state = self.at_end(block).clone();
        for op in body.ops_reversed(block).map(|op| OpRef::new(context, body, op)) {
            callback(op, &state);
            match self.around.get(&op.id) {
                Some((before, _)) => state = before.clone(),
                None => analysis.transfer(op, &mut state),
            }
        }
    }
}

struct Solver<'a, 's, A: DenseBackwardAnalysis> {
    context: &'a Context,
    body: &'a Body,
    analysis: &'s mut A,
    found: DenseBackward<A::Element>,
    queue: BlockQueue,
}

impl<'a, A: DenseBackwardAnalysis> Solver<'a, '_, A> {
    fn view(&self, op: OpId) -> OpRef<'a> {
        OpRef::new(self.context, self.body, op)
    }

    fn run_block(&mut self, block: BlockId) {
        let end = self.end_of(block);
        self.found.ends[block.index()].join(&end);
        let mut state = self.found.ends[block.index()].clone();
        for op in self.body.ops_reversed(block) {
            let op = self.view(op);
            match possible_flow_into(op) {
                Some(RegionFlow::Known(successors)) => state = self.before_structured(op, &successors, &state),
                _ => self.analysis.transfer(op, &mut state),
            }
        }
        if self.found.starts[block.index()].join(&state) {
            self.queue_what_leads_to(block);
        }
    }

    fn end_of(&mut self, block: BlockId) -> A::Element {
        let body = self.body;
        let root = self.view(body.root());
        let last = body.last_op(block).map(|last| self.view(last));
        let mut end = A::Element::default();
        if let Some(last) = last.filter(|last| last.successors().len() > 0) {
            for (index, successor) in last.successors().enumerate() {
                let mut state = self.found.starts[successor.index()].clone();
                self.analysis.edge(last, index, &mut state);
                end.join(&state);
            }
            return end;
        }
        match (flow_out_of(root, block), last) {
            (None, _) => self.analysis.exit(root, block),
            (Some((holder, RegionFlow::Known(successors))), Some(last)) => {
                let after = self.found.around.get(&holder.id).map(|(_, after)| after.clone()).unwrap_or_default();
                self.join_of(holder, last, &successors, &after)
            }
            (Some((holder, _)), _) => self.analysis.unknown(holder, block),
        }
    }

    /// What is known before control goes to one of these places.
    fn join_of(
        &mut self,
        holder: OpRef<'a>,
        from: OpRef<'a>,
        successors: &[RegionSuccessor],
        after: &A::Element,
    ) -> A::Element {
        let mut joined = A::Element::default();
        for successor in successors {
            let mut state = match entry_at(holder, successor.point) {
                Some(entry) => self.found.starts[entry.index()].clone(),
                None if successor.point == RegionPoint::Parent => after.clone(),
                None => continue,
            };
            self.analysis.region_edge(holder, from, successor.point, &mut state);
            joined.join(&state);
        }
        joined
    }

    fn before_structured(&mut self, op: OpRef<'a>, successors: &[RegionSuccessor], after: &A::Element) -> A::Element {
        let before = self.join_of(op, op, successors, after);
        let known = self.found.around.entry(op.id).or_default();
        known.0.join(&before);
        let result = known.0.clone();
        if known.1.join(after) {
            self.queue_ends(op.id);
        }
        result
    }

    fn queue_what_leads_to(&mut self, block: BlockId) {
        let body = self.body;
        for predecessor in body.predecessors(block) {
            self.queue.push(predecessor);
        }
        let holder = body.block_parent_op(block).filter(|&holder| body.is_entry_block(block) && holder != body.root());
        if let Some(holder) = holder {
            body.parent_block(holder).into_iter().for_each(|around| self.queue.push(around));
            self.queue_ends(holder);
        }
    }

    /// Queues the blocks of an operation's regions that no edge leaves.
    fn queue_ends(&mut self, holder: OpId) {
        let body = self.body;
        for &region in body.regions(holder) {
            for block in body.blocks(region).filter(|&block| body.block_successors(block).next().is_none()) {
                self.queue.push(block);
            }
        }
    }
}
