//! The data-flow problem: which blocks are executed, and which values are constant.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::attributes::Attribute;
use crate::body::{BlockId, Body, OpId, UseId, ValueId};
use crate::context::Context;
use crate::interfaces::{
    BranchModel, FoldModel, FoldResult, RegionBranchModel, RegionPoint, RegionSuccessor, SuccessorOperands,
};
use crate::operation::{OpRef, OperationName, OperationTraits};

/// A constant, with an operation whose dialect can make it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) value: Attribute,
    pub(super) source: OperationName,
}

/// What is known about a value; it only ever goes down this list.
#[derive(Clone, Copy, Debug)]
enum State {
    /// It has not been computed yet.
    Unknown,
    /// It was always this.
    Constant(Known),
    /// It may be anything.
    Varying,
}

pub(super) struct Solver<'a> {
    context: &'a Context,
    body: &'a Body,
    states: Vec<State>,
    executed: Vec<bool>,
    /// Edges that can be taken, for each branch that was visited.
    branches: FxHashMap<OpId, Branch>,
    pending_blocks: Vec<BlockId>,
    pending_uses: Vec<UseId>,
}

#[derive(Clone)]
struct Branch {
    edges: Rc<[SuccessorOperands]>,
    taken: Vec<bool>,
}

impl<'a> Solver<'a> {
    pub(super) fn new(context: &'a Context, body: &'a Body) -> Self {
        Self {
            context,
            body,
            states: vec![State::Unknown; body.value_capacity()],
            executed: vec![false; body.block_capacity()],
            branches: FxHashMap::default(),
            pending_blocks: Vec::new(),
            pending_uses: Vec::new(),
        }
    }

    pub(super) fn solve(&mut self) {
        self.enter_unknown_regions(self.body.root());
        loop {
            if let Some(id) = self.pending_uses.pop() {
                self.visit_use(id);
            } else if let Some(block) = self.pending_blocks.pop() {
                for op in self.body.ops(block) {
                    self.visit(self.op(op));
                }
                if self.body.first_op(block).is_none() {
                    self.leave_to_unknown(self.body.block_parent_op(block));
                }
            } else {
                return;
            }
        }
    }

    /// The values that are constant and are not defined by a constant already, in textual order.
    pub(super) fn constants(&self) -> Vec<(ValueId, Known)> {
        let mut found = Vec::new();
        let mut add = |value: ValueId| {
            if let State::Constant(known) = self.states[value.index()] {
                found.push((value, known));
            }
        };
        let mut ops = vec![self.body.root()];
        ops.extend(self.body.all_ops());
        for op in ops {
            if !self.op(op).has_trait(OperationTraits::CONSTANT_LIKE) {
                self.body.results(op).for_each(&mut add);
            }
            for &region in self.body.regions(op) {
                self.body.blocks(region).flat_map(|block| self.body.arguments(block)).copied().for_each(&mut add);
            }
        }
        found
    }

    fn op(&self, op: OpId) -> OpRef<'a> {
        OpRef::new(self.context, self.body, op)
    }

    fn lower(&mut self, value: ValueId, to: State) {
        let state = &mut self.states[value.index()];
        let next = match (*state, to) {
            (State::Varying, _) | (_, State::Unknown) => return,
            (State::Unknown, to) => to,
            (State::Constant(old), State::Constant(new)) if old.value == new.value => return,
            (State::Constant(_), _) => State::Varying,
        };
        *state = next;
        self.pending_uses.extend(self.body.uses(value));
    }

    fn lower_all(&mut self, values: impl IntoIterator<Item = ValueId>) {
        values.into_iter().for_each(|value| self.lower(value, State::Varying));
    }

    fn pass(&mut self, from: ValueId, to: ValueId) {
        self.lower(to, self.states[from.index()]);
    }

    fn execute(&mut self, block: BlockId) {
        if !std::mem::replace(&mut self.executed[block.index()], true) {
            self.pending_blocks.push(block);
        }
    }

    fn constant(&self, value: ValueId) -> Option<Attribute> {
        match self.states[value.index()] {
            State::Constant(known) => Some(known.value),
            _ => None,
        }
    }

    fn is_unknown(&self, value: ValueId) -> bool {
        matches!(self.states[value.index()], State::Unknown)
    }

    /// An operand has another state.
    fn visit_use(&mut self, id: UseId) {
        let op = self.body.use_owner(id);
        if !self.body.parent_block(op).is_some_and(|block| self.executed[block.index()]) {
            return;
        }
        let Some(branch) = self.branches.get(&op) else {
            self.visit(self.op(op));
            return;
        };
        // Of a branch only the edge that passes the operand matters, unless the operand decides.
        let operand = self.body.use_index(id);
        let index = branch.edges.partition_point(|edge| edge.forwarded.end <= operand);
        match branch.edges.get(index).filter(|edge| edge.forwarded.contains(&operand)) {
            Some(edge) => {
                let argument = edge.produced + operand - edge.forwarded.start;
                if branch.taken[index] {
                    let target = self.body.arguments(self.body.successor(op, index))[argument];
                    self.pass(self.body.used_value(id), target);
                }
            }
            None => self.visit(self.op(op)),
        }
    }

    fn visit(&mut self, op: OpRef<'a>) {
        if op.has_trait(OperationTraits::CONSTANT_LIKE) && op.result_count() == 1 {
            let state = match op.property("value") {
                Some(value) => State::Constant(Known { value, source: op.name() }),
                None => State::Varying,
            };
            self.lower(op.result(0), state);
        } else if let Some(model) = op.interface::<RegionBranchModel>() {
            self.visit_region_branch(op, model);
        } else if !op.regions().is_empty() {
            self.enter_unknown_regions(op.id);
            self.lower_all(op.results());
        } else if op.result_count() > 0 {
            self.fold(op);
        }
        if op.successors().len() > 0 {
            self.visit_branch(op);
        } else if op.block().is_some_and(|block| self.body.last_op(block) == Some(op.id)) {
            self.visit_region_end(op);
        }
    }

    /// All regions may be executed with anything as arguments.
    fn enter_unknown_regions(&mut self, op: OpId) {
        for &region in self.body.regions(op) {
            if let Some(entry) = self.body.entry_block(region) {
                self.lower_all(self.body.arguments(entry).to_vec());
                self.execute(entry);
            }
        }
    }

    fn fold(&mut self, op: OpRef<'a>) {
        if op.results().all(|result| matches!(self.states[result.index()], State::Varying)) {
            return;
        }
        if op.operands().any(|operand| self.is_unknown(operand)) {
            return;
        }
        let constants: Vec<_> = op.operands().map(|operand| self.constant(operand)).collect();
        let folded = op.interface::<FoldModel>().and_then(|model| (model.fold)(op, &constants));
        let Some(folded) = folded.filter(|folded| folded.len() == op.result_count()) else {
            self.lower_all(op.results());
            return;
        };
        for (result, folded) in op.results().zip(folded) {
            let state = match folded {
                FoldResult::Constant(value) => State::Constant(Known { value, source: op.name() }),
                // Only of operands is it known that the operation is visited again when they change.
                FoldResult::Value(value) if op.operands().any(|operand| operand == value) => self.states[value.index()],
                FoldResult::Value(_) => State::Varying,
            };
            self.lower(result, state);
        }
    }

    fn visit_branch(&mut self, op: OpRef<'a>) {
        let Some(model) = op.interface::<BranchModel>() else {
            for successor in op.successors() {
                self.lower_all(self.body.arguments(successor).to_vec());
                self.execute(successor);
            }
            return;
        };
        let count = op.successors().len();
        let branch = self.branches.entry(op.id).or_insert_with(|| Branch {
            edges: (0..count).map(|index| (model.successor_operands)(op, index)).collect(),
            taken: vec![false; count],
        });
        let edges = Rc::clone(&branch.edges);
        let decides = |operand: usize| {
            let index = edges.partition_point(|edge| edge.forwarded.end <= operand);
            !edges.get(index).is_some_and(|edge| edge.forwarded.contains(&operand))
        };
        if (0..op.operand_count()).any(|operand| decides(operand) && self.is_unknown(op.operand(operand))) {
            return;
        }
        let constants: Vec<_> = op.operands().map(|operand| self.constant(operand)).collect();
        match (model.taken_successor)(op, &constants).filter(|&index| index < count) {
            Some(index) => self.take_edge(op, index, &edges[index]),
            None => edges.iter().enumerate().for_each(|(index, edge)| self.take_edge(op, index, edge)),
        }
    }

    fn take_edge(&mut self, op: OpRef<'a>, index: usize, edge: &SuccessorOperands) {
        let branch = self.branches.get_mut(&op.id).expect("a branch is known before an edge of it is taken");
        if std::mem::replace(&mut branch.taken[index], true) {
            return;
        }
        let target = self.body.successor(op.id, index);
        let arguments = self.body.arguments(target);
        self.lower_all(arguments.iter().take(edge.produced).copied().collect::<Vec<_>>());
        for (operand, &argument) in edge.forwarded.clone().zip(arguments.iter().skip(edge.produced)) {
            self.pass(op.operand(operand), argument);
        }
        self.execute(target);
    }

    fn visit_region_branch(&mut self, op: OpRef<'a>, model: &RegionBranchModel) {
        if op.operands().any(|operand| self.is_unknown(operand)) {
            return;
        }
        let constants: Vec<_> = op.operands().map(|operand| self.constant(operand)).collect();
        let successors = (model.entry_successors)(op, &constants);
        self.take_region_edges(op, op, model, &successors);
    }

    /// The last operation of a block leads to no other block.
    fn visit_region_end(&mut self, op: OpRef<'a>) {
        let Some(parent) = op.parent() else { return };
        let is_terminator = op.has_trait(OperationTraits::TERMINATOR);
        let known_end = match parent.interface::<RegionBranchModel>() {
            Some(model) if is_terminator => {
                let successors = (model.terminator_successors)(parent, op);
                self.take_region_edges(parent, op, model, &successors);
                !successors.is_empty()
            }
            Some(_) => false,
            None if is_terminator => op.has_trait(OperationTraits::RETURN_LIKE),
            None => op.name().is_registered(self.context),
        };
        if !known_end {
            self.leave_to_unknown(Some(parent.id));
        }
    }

    /// Control may go from a region of `op` to wherever an operation around it leads.
    fn leave_to_unknown(&mut self, op: Option<OpId>) {
        let mut enclosing = op;
        while let Some(op) = enclosing.filter(|&op| op != self.body.root()) {
            self.lower_all(self.body.results(op));
            self.enter_unknown_regions(op);
            enclosing = self.body.parent_op(op);
        }
    }

    fn take_region_edges(
        &mut self,
        op: OpRef<'a>,
        from: OpRef<'a>,
        model: &RegionBranchModel,
        successors: &[RegionSuccessor],
    ) {
        for successor in successors {
            let passed = (model.passed_operands)(op, from, successor.point);
            let mut inputs = successor.inputs.iter();
            for (operand, &input) in passed.zip(inputs.by_ref()) {
                self.pass(from.operand(operand), input);
            }
            self.lower_all(inputs.copied());
            if let RegionPoint::Region(index) = successor.point
                && let Some(entry) = op.regions().get(index).and_then(|&region| self.body.entry_block(region))
            {
                // Arguments that receive nothing, such as an induction variable, are the operation's own.
                let own: Vec<ValueId> = self
                    .body
                    .arguments(entry)
                    .iter()
                    .copied()
                    .filter(|value| !successor.inputs.contains(value))
                    .collect();
                self.lower_all(own);
                self.execute(entry);
            }
        }
    }
}
