//! Dense dataflow against a fixed point over places, one equation for each, without worklists or interfaces.

use std::collections::{BTreeMap, BTreeSet};

use fermata_ir::analysis::dataflow::{
    DenseBackward, DenseBackwardAnalysis, DenseForward, DenseForwardAnalysis, Lattice,
};
use fermata_ir::interfaces::RegionPoint;
use fermata_ir::{BlockId, Body, OpId, OpRef, ValueId};

use crate::dialect::context;
use crate::points::{Point, Points};
use crate::program::program;
use crate::random::Random;

type Ops = BTreeSet<OpId>;
type Values = BTreeSet<ValueId>;

/// Which operations may have been executed before; the end of a region adds the operation that holds it, and an edge
/// of a branch the branch with a copy of its target's first operation.
struct Executed<'a> {
    body: &'a Body,
}

impl DenseForwardAnalysis for Executed<'_> {
    type Element = Ops;

    fn entry(&mut self, root: OpRef<'_>) -> Ops {
        [root.id].into()
    }
    fn unknown(&mut self, _holder: OpRef<'_>) -> Ops {
        self.body.all_ops().into_iter().collect()
    }
    fn transfer(&mut self, op: OpRef<'_>, state: &mut Ops) {
        state.insert(op.id);
    }
    fn region_edge(&mut self, holder: OpRef<'_>, _from: OpRef<'_>, to: RegionPoint, state: &mut Ops) {
        if to == RegionPoint::Parent {
            state.insert(holder.id);
        }
    }
}

/// The solution by going round until nothing changes.
fn executed(body: &Body, points: &Points<'_>) -> BTreeMap<Point, Ops> {
    let everything: Ops = body.all_ops().into_iter().collect();
    let entry = body.entry_block(body.regions(body.root())[0]).expect("the function has a block");
    let mut states: BTreeMap<Point, Ops> = [(Point::Start(entry), [body.root()].into())].into();
    let raise = |states: &mut BTreeMap<Point, Ops>, point, state: &Ops| match states.get_mut(&point) {
        Some(known) => known.join(state),
        None => states.insert(point, state.clone()).is_none(),
    };
    loop {
        let mut changed = false;
        for point in points.all() {
            let Some(state) = states.get(&point).cloned() else { continue };
            for to in points.way(point).to {
                let mut next = state.clone();
                match (point, to) {
                    (Point::Before(op), Point::Start(_)) if points.name(op) == "a.opaque" => next = everything.clone(),
                    // What an opaque operation does is what the analysis says of it, not what its regions do.
                    (_, Point::After(holder))
                        if points.name(holder) == "a.opaque" && point != Point::Before(holder) =>
                    {
                        continue;
                    }
                    (Point::Before(op), Point::After(_)) => {
                        next.insert(op);
                    }
                    (Point::Before(op), _) if body.next_op(op).is_none() => {
                        next.insert(op);
                    }
                    _ => {}
                }
                if let Point::After(holder) = to
                    && point != Point::Before(holder)
                    && !points.way(point).is_unknown
                {
                    next.insert(holder);
                }
                changed |= raise(&mut states, to, &next);
            }
        }
        if !changed {
            return states;
        }
    }
}

#[test]
fn forward() {
    let context = context();
    for seed in 0..150 {
        let body = program(&context, &mut Random::new(seed), 25);
        let points = Points::new(&context, &body);
        let expected = executed(&body, &points);
        let mut analysis = Executed { body: &body };
        let found = DenseForward::solve(&context, &body, &mut analysis);
        for block in blocks(&body) {
            assert_eq!(found.at_start(block), expected.get(&Point::Start(block)), "at {block:?}");
            let mut seen = Vec::new();
            found.for_each_op(&context, &body, &mut analysis, block, |op, state| seen.push((op.id, state.clone())));
            for op in body.ops(block) {
                let state = seen.iter().find(|(known, _)| *known == op).map(|(_, state)| state);
                assert_eq!(state, expected.get(&Point::Before(op)), "before {op:?}");
            }
        }
    }
}

/// Which values may still be used, in the function or by somebody who knows where control goes.
struct Used<'a> {
    body: &'a Body,
}

impl Used<'_> {
    fn all(&self) -> Values {
        (0..self.body.value_capacity()).map(ValueId::from_index).collect()
    }
}

impl DenseBackwardAnalysis for Used<'_> {
    type Element = Values;

    fn exit(&mut self, _root: OpRef<'_>, _block: BlockId) -> Values {
        Values::new()
    }
    fn unknown(&mut self, _holder: OpRef<'_>, _block: BlockId) -> Values {
        self.all()
    }
    fn transfer(&mut self, op: OpRef<'_>, state: &mut Values) {
        op.results().for_each(|result| {
            state.remove(&result);
        });
        state.extend(op.operands());
    }
    fn edge(&mut self, branch: OpRef<'_>, successor: usize, state: &mut Values) {
        let target = self.body.successor(branch.id, successor);
        self.body.arguments(target).iter().for_each(|argument| {
            state.remove(argument);
        });
    }
    fn region_edge(&mut self, holder: OpRef<'_>, from: OpRef<'_>, to: RegionPoint, state: &mut Values) {
        match to {
            RegionPoint::Parent => holder.results().for_each(|result| {
                state.remove(&result);
            }),
            RegionPoint::Region(index) => {
                let entry = self.body.entry_block(holder.regions()[index]).expect("regions have blocks");
                self.body.arguments(entry).iter().for_each(|argument| {
                    state.remove(argument);
                });
            }
        }
        if from.id == holder.id {
            state.extend(holder.operands());
        }
    }
}

fn used(body: &Body, points: &Points<'_>) -> BTreeMap<Point, Values> {
    let all: Values = (0..body.value_capacity()).map(ValueId::from_index).collect();
    let mut states: BTreeMap<Point, Values> = BTreeMap::new();
    loop {
        let mut changed = false;
        for point in points.all().into_iter().rev() {
            let way = points.way(point);
            let mut state = Values::new();
            for &to in &way.to {
                let mut next = states.get(&to).cloned().unwrap_or_default();
                match to {
                    // An opaque operation is what the analysis says of it.
                    Point::Start(_) if matches!(point, Point::Before(op) if points.name(op) == "a.opaque") => continue,
                    Point::Start(block) => body.arguments(block).iter().for_each(|value| {
                        next.remove(value);
                    }),
                    Point::After(op) => body.results(op).for_each(|value| {
                        next.remove(&value);
                    }),
                    _ => {}
                }
                state.extend(next);
            }
            if way.is_unknown {
                state = all.clone();
            }
            if let Point::Before(op) = point {
                state.extend(body.operands(op));
            }
            changed |= states.entry(point).or_default().join(&state);
        }
        if !changed {
            return states;
        }
    }
}

#[test]
fn backward() {
    let context = context();
    for seed in 0..150 {
        let body = program(&context, &mut Random::new(seed), 25);
        let points = Points::new(&context, &body);
        let expected = used(&body, &points);
        let mut analysis = Used { body: &body };
        let found = DenseBackward::solve(&context, &body, &mut analysis);
        for block in blocks(&body) {
            assert_eq!(found.at_start(block), &expected[&Point::Start(block)], "at {block:?}");
            let mut seen = Vec::new();
            let record = |op: OpRef<'_>, state: &Values| seen.push((op.id, state.clone()));
            found.for_each_op_reversed(&context, &body, &mut analysis, block, record);
            assert_eq!(seen.len(), body.ops(block).count());
            for (op, state) in seen.iter().filter(|(op, _)| body.next_op(*op).is_some()) {
                assert_eq!(state, &expected[&Point::After(*op)], "after {op:?}");
            }
        }
    }
}

fn blocks(body: &Body) -> Vec<BlockId> {
    body.all_regions().into_iter().flat_map(|region| body.blocks(region).collect::<Vec<_>>()).collect()
}
