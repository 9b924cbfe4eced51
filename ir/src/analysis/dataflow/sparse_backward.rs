//! Facts about values that follow from how they are used.

use smallvec::SmallVec;

use super::Lattice;
use super::order::block_order;
use crate::analysis::region_flow::{RegionFlow, flow_out_of, passed_operands, possible_flow_into};
use crate::body::{BlockId, Body, OpId, ValueDefinition, ValueId};
use crate::context::Context;
use crate::interfaces::{RegionSuccessor, passed_value};
use crate::operation::{OpRef, OperationTraits};

/// What a sparse backward analysis knows and what operations ask of their operands.
pub trait SparseBackwardAnalysis {
    /// What is known of the uses of a value; the least element is that there are none.
    type Element: Lattice;

    /// What is known of a value that `op` passes to where the analysis cannot look: out of the body, or to a region or
    /// result of an operation that does not say what happens to it. The greatest element is always right.
    fn escapes(&mut self, op: OpRef<'_>, value: ValueId) -> Self::Element;

    /// Raises what is known of the operands of an operation. What the operation passes to blocks, regions or results
    /// around it is the solver's; the analysis raises such an operand only for what else is done with it.
    fn visit(&mut self, op: OpRef<'_>, results: &[&Self::Element], operands: &mut [Self::Element]);
}

/// The solution of a [`SparseBackwardAnalysis`].
pub struct SparseBackward<E> {
    elements: Vec<E>,
}

impl<E: Lattice> SparseBackward<E> {
    /// Solves `analysis` on a body.
    pub fn solve<A: SparseBackwardAnalysis<Element = E>>(context: &Context, body: &Body, analysis: &mut A) -> Self {
        let mut solver = Solver {
            context,
            body,
            analysis,
            found: Self { elements: vec![E::default(); body.value_capacity()] },
            pending: Vec::new(),
            queued: vec![false; body.op_capacity()],
            arguments: Vec::new(),
        };
        // The last operation comes out first.
        for block in block_order(body) {
            body.ops(block).for_each(|op| solver.queue(op));
        }
        loop {
            if let Some((block, argument)) = solver.arguments.pop() {
                solver.pass_back(block, argument);
            } else if let Some(op) = solver.pending.pop() {
                solver.queued[op.index()] = false;
                solver.visit(op);
            } else {
                return solver.found;
            }
        }
    }

    /// What is known of the uses of a value.
    pub fn element(&self, value: ValueId) -> &E {
        &self.elements[value.index()]
    }
}

struct Solver<'a, A: SparseBackwardAnalysis> {
    context: &'a Context,
    body: &'a Body,
    analysis: &'a mut A,
    found: SparseBackward<A::Element>,
    pending: Vec<OpId>,
    queued: Vec<bool>,
    /// Block arguments that rose and whose edges have not been looked at.
    arguments: Vec<(BlockId, usize)>,
}

impl<'a, A: SparseBackwardAnalysis> Solver<'a, A> {
    fn view(&self, op: OpId) -> OpRef<'a> {
        OpRef::new(self.context, self.body, op)
    }

    fn queue(&mut self, op: OpId) {
        if !std::mem::replace(&mut self.queued[op.index()], true) {
            self.pending.push(op);
        }
    }

    fn visit(&mut self, op: OpId) {
        let view = self.view(op);
        let mut operands: SmallVec<[A::Element; 4]> =
            view.operands().map(|operand| self.found.element(operand).clone()).collect();
        let results: SmallVec<[&A::Element; 2]> =
            view.results().map(|result| &self.found.elements[result.index()]).collect();
        self.analysis.visit(view, &results, &mut operands);
        drop(results);
        for (operand, element) in view.operands().zip(operands) {
            self.raise(operand, &element);
        }
        self.pass_along_edges(view);
        self.pass_to_regions(view);
        self.pass_out(view);
    }

    fn pass_along_edges(&mut self, op: OpRef<'a>) {
        let body = self.body;
        for (index, block) in op.successors().enumerate() {
            for (argument, &value) in body.arguments(block).iter().enumerate() {
                if let Some(passed) = passed_value(op, index, argument) {
                    self.pass(value, passed);
                }
            }
        }
    }

    fn pass_to_regions(&mut self, op: OpRef<'a>) {
        match possible_flow_into(op) {
            Some(RegionFlow::Known(successors)) => successors.iter().for_each(|successor| self.go(op, op, successor)),
            Some(_) => self.let_all_escape(op),
            None => {}
        }
    }

    fn pass_out(&mut self, op: OpRef<'a>) {
        let Some(block) = op.block().filter(|&block| self.body.last_op(block) == Some(op.id)) else { return };
        if op.successors().len() > 0 {
            return;
        }
        match flow_out_of(op, block) {
            Some((holder, RegionFlow::Known(successors))) => {
                successors.iter().for_each(|successor| self.go(holder, op, successor));
            }
            Some(_) => self.let_all_escape(op),
            None if op.has_trait(OperationTraits::RETURN_LIKE) => self.let_all_escape(op),
            None => {}
        }
    }

    fn go(&mut self, holder: OpRef<'a>, from: OpRef<'a>, successor: &RegionSuccessor) {
        match passed_operands(holder, from, successor) {
            Some(passed) => {
                passed.zip(&successor.inputs).for_each(|(operand, &input)| self.pass(input, from.operand(operand)));
            }
            None => self.let_all_escape(from),
        }
    }

    fn let_all_escape(&mut self, op: OpRef<'a>) {
        for operand in op.operands() {
            let element = self.analysis.escapes(op, operand);
            self.raise(operand, &element);
        }
    }

    fn pass(&mut self, from: ValueId, to: ValueId) {
        if from != to {
            let element = self.found.elements[from.index()].clone();
            self.raise(to, &element);
        }
    }

    /// Raises what is known of a value, and looks again at what gives it its value.
    fn raise(&mut self, value: ValueId, element: &A::Element) {
        if !self.found.elements[value.index()].join(element) {
            return;
        }
        match self.body.definition(value) {
            ValueDefinition::Result { op, .. } => {
                self.queue(op);
                self.queue_ends(op);
            }
            ValueDefinition::Argument { block, index } => {
                self.arguments.push((block, index as usize));
                self.queue_around(block);
            }
        }
    }

    /// An argument rose: so does what the edges to its block pass to it, and nothing else that they pass.
    fn pass_back(&mut self, block: BlockId, argument: usize) {
        let body = self.body;
        for (op, index) in body.predecessor_edges(block) {
            if let Some(passed) = passed_value(self.view(op), index, argument) {
                self.pass(body.arguments(block)[argument], passed);
            }
        }
    }

    fn queue_around(&mut self, block: BlockId) {
        let body = self.body;
        if body.is_entry_block(block)
            && let Some(holder) = body.block_parent_op(block)
        {
            if holder != body.root() {
                self.queue(holder);
            }
            self.queue_ends(holder);
        }
    }

    /// Queues the operations at the ends of an operation's regions.
    fn queue_ends(&mut self, holder: OpId) {
        let body = self.body;
        for &region in body.regions(holder) {
            for last in body.blocks(region).filter_map(|block| body.last_op(block)) {
                if body.successor_count(last) == 0 {
                    self.queue(last);
                }
            }
        }
    }
}
