//! Facts about values that follow from their operands.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::Lattice;
use crate::analysis::region_flow::{
    RegionFlow, entries, entry_at, flow_into, flow_out_of, has_blocks, passed_operands,
};
use crate::attributes::Attribute;
use crate::body::{BlockId, Body, OpId, UseId, ValueId};
use crate::context::Context;
use crate::interfaces::{BranchModel, RegionPoint, RegionSuccessor, SuccessorOperands};
use crate::operation::OpRef;

/// What a value says about where a branch goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It may be anything.
    Open,
    /// It is this constant.
    Constant(Attribute),
    /// It has not been computed yet: no way is taken until it is.
    Waits,
}

/// What a sparse forward analysis knows and how operations compute.
pub trait SparseForwardAnalysis {
    /// What is known of a value. All start with the least element.
    type Element: Lattice;

    /// What is known of a value that comes from where the analysis cannot look: an argument of the body's root or of a
    /// region of which nothing is known, a result of an operation with such regions, or what an operation passes to
    /// its own blocks or successors beside its operands. The greatest element is always right.
    fn unknown(&mut self, op: OpRef<'_>, value: ValueId) -> Self::Element;

    /// Raises what is known of the results of an operation that is executed. Operations that hold blocks are left to
    /// the solver.
    fn visit(&mut self, op: OpRef<'_>, operands: &[&Self::Element], results: &mut [Self::Element]);

    /// What a branch or structured operation may conclude from a value. Once it is [`Decision::Open`] for an element, it
    /// must be for all above it.
    fn decision(&self, _element: &Self::Element) -> Decision {
        Decision::Open
    }
}

/// The solution of a [`SparseForwardAnalysis`]: what is known of each value, and what may be executed.
///
/// All is found together and from the optimistic side, so that a value that would come along an edge that no
/// execution takes does not count (M. Wegman, F. Zadeck, "Constant Propagation with Conditional Branches", 1991).
pub struct SparseForward<E> {
    elements: Vec<E>,
    executable: Vec<bool>,
    edges: FxHashSet<(OpId, u32)>,
}

impl<E: Lattice> SparseForward<E> {
    /// Solves `analysis` on a body.
    pub fn solve<A: SparseForwardAnalysis<Element = E>>(context: &Context, body: &Body, analysis: &mut A) -> Self {
        let mut solver = Solver {
            context,
            body,
            analysis,
            found: Self {
                elements: vec![E::default(); body.value_capacity()],
                executable: vec![false; body.block_capacity()],
                edges: FxHashSet::default(),
            },
            blocks: Vec::new(),
            ops: Vec::new(),
            queued: vec![false; body.op_capacity()],
            branches: FxHashMap::default(),
            forwarded: Vec::new(),
        };
        solver.run();
        solver.found
    }

    /// What is known of a value.
    pub fn element(&self, value: ValueId) -> &E {
        &self.elements[value.index()]
    }

    /// Whether a block may be executed.
    pub fn is_executable(&self, block: BlockId) -> bool {
        self.executable[block.index()]
    }

    /// Whether the edge to a successor of a branch may be taken.
    pub fn is_edge_executable(&self, op: OpId, successor: usize) -> bool {
        self.edges.contains(&(op, successor as u32))
    }
}

struct Solver<'a, A: SparseForwardAnalysis> {
    context: &'a Context,
    body: &'a Body,
    analysis: &'a mut A,
    found: SparseForward<A::Element>,
    /// Blocks that have become executable and whose operations have not been looked at.
    blocks: Vec<BlockId>,
    /// Operations of executable blocks with an operand that rose.
    ops: Vec<OpId>,
    queued: Vec<bool>,
    /// What the edges of branches that were looked at pass.
    branches: FxHashMap<OpId, Rc<[SuccessorOperands]>>,
    /// Operands that rose and that a branch does nothing with but pass them on.
    forwarded: Vec<Forwarded>,
}

struct Forwarded {
    operand: UseId,
    edge: u32,
    argument: u32,
}

impl<'a, A: SparseForwardAnalysis> Solver<'a, A> {
    fn run(&mut self) {
        let root = self.view(self.body.root());
        for &region in self.body.regions(root.id) {
            if let Some(entry) = self.body.entry_block(region) {
                self.enter_unknown(entry);
            }
        }
        loop {
            // Operands first: what they decide may make blocks executable with better facts.
            if let Some(forwarded) = self.forwarded.pop() {
                self.pass_along(&forwarded);
            } else if let Some(op) = self.ops.pop() {
                self.queued[op.index()] = false;
                self.visit(op);
            } else if let Some(block) = self.blocks.pop() {
                self.body.ops(block).for_each(|op| self.visit(op));
                if self.body.last_op(block).is_none() {
                    self.leave_block(block);
                }
            } else {
                return;
            }
        }
    }

    fn view(&self, op: OpId) -> OpRef<'a> {
        OpRef::new(self.context, self.body, op)
    }

    fn visit(&mut self, op: OpId) {
        let view = self.view(op);
        if has_blocks(view) {
            self.enter_regions(view);
        } else {
            self.compute(view);
        }
        if view.successors().len() > 0 {
            self.take_edges(view);
        } else if self.body.next_op(op).is_none() {
            view.block().into_iter().for_each(|block| self.leave_block(block));
        }
    }

    fn compute(&mut self, op: OpRef<'a>) {
        let mut results: SmallVec<[A::Element; 2]> =
            op.results().map(|result| self.found.element(result).clone()).collect();
        let operands: SmallVec<[&A::Element; 4]> =
            op.operands().map(|operand| &self.found.elements[operand.index()]).collect();
        self.analysis.visit(op, &operands, &mut results);
        drop(operands);
        for (result, element) in op.results().zip(results) {
            self.raise(result, &element);
        }
    }

    fn decisions(&self, op: OpRef<'_>) -> Vec<Decision> {
        op.operands().map(|operand| self.analysis.decision(self.found.element(operand))).collect()
    }

    /// What the edges of a branch pass; nothing for an operation that does not say.
    fn edges(&mut self, op: OpRef<'a>) -> Rc<[SuccessorOperands]> {
        let edges = || match op.interface::<BranchModel>() {
            Some(model) => (0..op.successors().len()).map(|index| (model.successor_operands)(op, index)).collect(),
            None => Rc::default(),
        };
        Rc::clone(self.branches.entry(op.id).or_insert_with(edges))
    }

    fn take_edges(&mut self, op: OpRef<'a>) {
        let edges = self.edges(op);
        let decisions = self.decisions(op);
        // What is only forwarded decides nothing.
        let waits = |position: usize| decisions[position] == Decision::Waits && edge_of(&edges, position).is_none();
        if (0..decisions.len()).any(waits) {
            return;
        }
        let model = op.interface::<BranchModel>();
        let taken = model.and_then(|model| (model.taken_successor)(op, &constants(&decisions)));
        let only = taken.filter(|&index| index < op.successors().len());
        for (index, block) in op.successors().enumerate().filter(|&(index, _)| only.is_none_or(|only| only == index)) {
            // Once an edge is taken, what it passes is followed operand by operand.
            if self.found.edges.insert((op.id, index as u32)) {
                self.take_edge(op, edges.get(index), block);
            }
        }
    }

    fn take_edge(&mut self, op: OpRef<'a>, edge: Option<&SuccessorOperands>, block: BlockId) {
        for (argument, &value) in self.body.arguments(block).iter().enumerate() {
            match edge.and_then(|edge| forwarded_to(edge, argument)) {
                Some(position) => self.pass(op.operand(position), value),
                None => self.raise_to_unknown(op, value),
            }
        }
        self.execute(block);
    }

    fn pass_along(&mut self, forwarded: &Forwarded) {
        let (body, op) = (self.body, self.body.use_owner(forwarded.operand));
        if self.found.edges.contains(&(op, forwarded.edge)) {
            let target = body.successor(op, forwarded.edge as usize);
            if let Some(&argument) = body.arguments(target).get(forwarded.argument as usize) {
                self.pass(body.used_value(forwarded.operand), argument);
            }
        }
    }

    fn enter_regions(&mut self, op: OpRef<'a>) {
        let decisions = self.decisions(op);
        match flow_into(op, &constants(&decisions)) {
            // With one place to go there is nothing to wait for.
            Some(RegionFlow::Known(successors)) if successors.len() > 1 && decisions.contains(&Decision::Waits) => {}
            Some(RegionFlow::Known(successors)) => successors.iter().for_each(|successor| self.go(op, op, successor)),
            Some(_) => {
                entries(op).for_each(|entry| self.enter_unknown(entry));
                op.results().for_each(|result| self.raise_to_unknown(op, result));
            }
            None => {}
        }
    }

    /// Follows the ways out of the end of a block that no edge leaves.
    fn leave_block(&mut self, block: BlockId) {
        let root = self.view(self.body.root());
        let Some((holder, flow)) = flow_out_of(root, block) else { return };
        match (flow, self.body.last_op(block)) {
            (RegionFlow::Known(successors), Some(last)) => {
                let last = self.view(last);
                successors.iter().for_each(|successor| self.go(holder, last, successor));
            }
            // To some place in or after an operation around, with values that nobody knows.
            (flow, _) => {
                for holder in flow.unknown_targets(holder) {
                    holder.results().for_each(|result| self.raise_to_unknown(holder, result));
                    entries(holder).for_each(|entry| self.enter_unknown(entry));
                }
            }
        }
    }

    fn go(&mut self, holder: OpRef<'a>, from: OpRef<'a>, successor: &RegionSuccessor) {
        match passed_operands(holder, from, successor) {
            Some(passed) => {
                passed.zip(&successor.inputs).for_each(|(operand, &input)| self.pass(from.operand(operand), input));
            }
            None => successor.inputs.iter().for_each(|&input| self.raise_to_unknown(holder, input)),
        }
        let targets: Vec<ValueId> = match entry_at(holder, successor.point) {
            Some(entry) => self.body.arguments(entry).to_vec(),
            None if successor.point == RegionPoint::Parent => holder.results().collect(),
            None => Vec::new(),
        };
        // What is not among the inputs comes from the operation itself, such as the counter of a loop.
        if targets != successor.inputs {
            let inputs: FxHashSet<ValueId> = successor.inputs.iter().copied().collect();
            let own = targets.into_iter().filter(|target| !inputs.contains(target));
            own.for_each(|target| self.raise_to_unknown(holder, target));
        }
        if let Some(entry) = entry_at(holder, successor.point) {
            self.execute(entry);
        }
    }

    fn enter_unknown(&mut self, entry: BlockId) {
        let holder = self.body.block_parent_op(entry).unwrap_or(self.body.root());
        for &argument in self.body.arguments(entry) {
            self.raise_to_unknown(self.view(holder), argument);
        }
        self.execute(entry);
    }

    fn execute(&mut self, block: BlockId) {
        if !std::mem::replace(&mut self.found.executable[block.index()], true) {
            self.blocks.push(block);
        }
    }

    fn raise_to_unknown(&mut self, op: OpRef<'_>, value: ValueId) {
        let element = self.analysis.unknown(op, value);
        self.raise(value, &element);
    }

    fn pass(&mut self, from: ValueId, to: ValueId) {
        if from != to {
            let element = self.found.elements[from.index()].clone();
            self.raise(to, &element);
        }
    }

    /// Raises what is known of a value, and looks again at what its uses do with it.
    fn raise(&mut self, value: ValueId, element: &A::Element) {
        if !self.found.elements[value.index()].join(element) {
            return;
        }
        let body = self.body;
        for operand in body.uses(value) {
            let user = body.use_owner(operand);
            if !body.parent_block(user).is_some_and(|block| self.found.executable[block.index()]) {
                continue;
            }
            let position = body.use_index(operand);
            let edges = self.branches.get(&user);
            if let Some((edge, argument)) = edges.and_then(|edges| edge_of(edges, position)) {
                self.forwarded.push(Forwarded { operand, edge: edge as u32, argument: argument as u32 });
            } else if !std::mem::replace(&mut self.queued[user.index()], true) {
                self.ops.push(user);
            }
        }
    }
}

/// The edge that passes an operand, and the argument to which. Edges pass operands in their own order.
fn edge_of(edges: &[SuccessorOperands], position: usize) -> Option<(usize, usize)> {
    let index = edges.partition_point(|edge| edge.forwarded.end <= position);
    let edge = edges.get(index).filter(|edge| edge.forwarded.contains(&position))?;
    Some((index, edge.produced + position - edge.forwarded.start))
}

fn constants(decisions: &[Decision]) -> Vec<Option<Attribute>> {
    let constant = |decision: &Decision| match *decision {
        Decision::Constant(constant) => Some(constant),
        Decision::Open | Decision::Waits => None,
    };
    decisions.iter().map(constant).collect()
}

/// The operand that an edge passes to an argument of its block; nothing if the operation makes the value itself.
fn forwarded_to(edge: &SuccessorOperands, argument: usize) -> Option<usize> {
    let position = edge.forwarded.start + argument.checked_sub(edge.produced)?;
    edge.forwarded.contains(&position).then_some(position)
}
