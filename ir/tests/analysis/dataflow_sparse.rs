//! Sparse dataflow against equations written out operation by operation.

use std::collections::{BTreeMap, BTreeSet};

use fermata_ir::analysis::dataflow::{
    Decision, Flat, Lattice, SparseBackward, SparseBackwardAnalysis, SparseForward, SparseForwardAnalysis,
};
use fermata_ir::{Attribute, BlockId, Body, Context, OpId, OpRef, ValueId};

use crate::dialect::context;
use crate::points::Points;
use crate::program::program;
use crate::random::Random;

type Known = Flat<i128>;

/// Which values are always the same number, as far as branches are decided by such.
struct Constants<'c>(&'c Context);

impl Constants<'_> {
    /// What `a.op` computes.
    fn sum(&self, op: OpRef<'_>, operands: &[Known]) -> Known {
        let own = op.property("value").and_then(|value| value.integer_value(self.0)).unwrap_or(0);
        let numbers: Option<Vec<i128>> = operands
            .iter()
            .map(|operand| match operand {
                Flat::Only(number) => Some(*number),
                _ => None,
            })
            .collect();
        match numbers {
            _ if operands.contains(&Flat::Bottom) => Flat::Bottom,
            Some(numbers) if op.property("sink").is_none() => Flat::Only((own + numbers.iter().sum::<i128>()) % 4),
            _ => Flat::Top,
        }
    }
}

impl SparseForwardAnalysis for Constants<'_> {
    type Element = Known;

    fn unknown(&mut self, _op: OpRef<'_>, _value: ValueId) -> Known {
        Flat::Top
    }
    fn visit(&mut self, op: OpRef<'_>, operands: &[&Known], results: &mut [Known]) {
        let operands: Vec<Known> = operands.iter().map(|&operand| *operand).collect();
        results.iter_mut().for_each(|result| {
            result.join(&self.sum(op, &operands));
        });
    }
    fn decision(&self, element: &Known) -> Decision {
        match element {
            Flat::Bottom => Decision::Waits,
            Flat::Only(number) => {
                Decision::Constant(Attribute::integer(self.0, *number, fermata_ir::Type::integer(self.0, 32)))
            }
            Flat::Top => Decision::Open,
        }
    }
}

/// The same by going round until nothing changes.
struct Rounds<'a> {
    context: &'a Context,
    body: &'a Body,
    points: Points<'a>,
    known: Vec<Known>,
    blocks: BTreeSet<BlockId>,
    edges: BTreeSet<(OpId, usize)>,
    changed: bool,
}

impl Rounds<'_> {
    fn run(&mut self) {
        self.enter_unknown(self.body.root());
        while std::mem::replace(&mut self.changed, false) {
            for block in self.blocks.clone() {
                self.body.ops(block).collect::<Vec<_>>().into_iter().for_each(|op| self.step(op));
            }
        }
    }

    fn raise(&mut self, value: ValueId, element: Known) {
        self.changed |= self.known[value.index()].join(&element);
    }

    fn execute(&mut self, block: BlockId) {
        self.changed |= self.blocks.insert(block);
    }

    /// Passes values to the last of these places; the operation makes the others.
    fn pass(&mut self, values: &[ValueId], to: &[ValueId]) {
        let made = to.len() - values.len();
        for &place in &to[..made] {
            self.raise(place, Flat::Top);
        }
        for (&value, &place) in values.iter().zip(&to[made..]) {
            self.raise(place, self.known[value.index()]);
        }
    }

    fn enter(&mut self, op: OpId, region: usize, values: &[ValueId]) {
        let entry = self.body.entry_block(self.body.regions(op)[region]).expect("regions have blocks");
        self.pass(values, self.body.arguments(entry));
        self.execute(entry);
    }

    fn enter_unknown(&mut self, op: OpId) {
        (0..self.body.regions(op).len()).for_each(|region| self.enter(op, region, &[]));
        self.body.results(op).for_each(|result| self.raise(result, Flat::Top));
    }

    fn step(&mut self, op: OpId) {
        let body = self.body;
        let operands: Vec<ValueId> = body.operands(op).collect();
        let known: Vec<Known> = operands.iter().map(|operand| self.known[operand.index()]).collect();
        match self.points.name(op) {
            "a.op" => {
                let sum = Constants(self.context).sum(OpRef::new(self.context, body, op), &known);
                body.results(op).for_each(|result| self.raise(result, sum));
            }
            "a.return" => {}
            "a.jump" => self.jump(op, &operands, known[0]),
            "a.if" if known.contains(&Flat::Bottom) && !matches!(known[0], Flat::Only(_)) => {}
            "a.if" => match known[0] {
                Flat::Only(0) => self.enter(op, 1, &operands[1..]),
                Flat::Only(_) => self.enter(op, 0, &operands[1..]),
                _ => (0..2).for_each(|region| self.enter(op, region, &operands[1..])),
            },
            "a.loop" | "a.while" => self.enter(op, 0, &operands[1..]),
            "a.opaque" => self.enter_unknown(op),
            "a.leave" => self.leave(op),
            "a.yield" => self.end_region(op, &operands),
            other => panic!("the dialect has no '{other}'"),
        }
    }

    fn jump(&mut self, op: OpId, operands: &[ValueId], chosen: Known) {
        let view = OpRef::new(self.context, self.body, op);
        let sizes = view.property("sizes").expect("it has sizes");
        let mut start = 1;
        let count = view.successors().len();
        for (index, size) in sizes.dense_i32_values(self.context).expect("they are numbers").enumerate() {
            let passed = &operands[start..start + size as usize];
            start += size as usize;
            let is_taken = match chosen {
                Flat::Bottom => false,
                Flat::Only(number) => number as usize % count == index,
                Flat::Top => true,
            };
            if is_taken {
                let target = self.body.successor(op, index);
                self.edges.insert((op, index));
                self.pass(passed, self.body.arguments(target));
                self.execute(target);
            }
        }
    }

    fn leave(&mut self, op: OpId) {
        self.points.holders(op).into_iter().for_each(|holder| self.enter_unknown(holder));
    }

    fn end_region(&mut self, op: OpId, operands: &[ValueId]) {
        let body = self.body;
        let holder = body.parent_op(op).expect("it is in an operation");
        let region = body.parent_block(op).and_then(|block| body.block_parent(block)).expect("it is in a region");
        let index = body.regions(holder).iter().position(|&own| own == region).expect("the region is the holder's");
        let name = self.points.name(holder);
        match (name, index) {
            ("a.loop", _) => self.enter(holder, 0, operands),
            ("a.while", _) => self.enter(holder, 1 - index, operands),
            ("a.if", _) => {}
            _ => return self.enter_unknown(holder),
        }
        if name != "a.while" || index == 0 {
            self.pass(operands, &body.results(holder).collect::<Vec<_>>());
        }
    }
}

#[test]
fn forward() {
    let context = context();
    let (mut constants, mut dead, mut decided) = (0, 0, 0);
    for seed in 0..1500 {
        let body = program(&context, &mut Random::new(seed), 40);
        let mut expected = Rounds {
            context: &context,
            body: &body,
            points: Points::new(&context, &body),
            known: vec![Flat::Bottom; body.value_capacity()],
            blocks: BTreeSet::new(),
            edges: BTreeSet::new(),
            changed: false,
        };
        expected.run();
        let found = SparseForward::solve(&context, &body, &mut Constants(&context));
        for index in 0..body.value_capacity() {
            assert_eq!(found.element(ValueId::from_index(index)), &expected.known[index], "value {index}, seed {seed}");
            constants += usize::from(matches!(expected.known[index], Flat::Only(_)));
        }
        for region in body.all_regions() {
            for block in body.blocks(region) {
                assert_eq!(found.is_executable(block), expected.blocks.contains(&block), "{block:?}, seed {seed}");
                dead += usize::from(!found.is_executable(block));
            }
        }
        for op in body.all_ops() {
            for index in 0..body.successor_count(op) {
                let is_taken = expected.edges.contains(&(op, index));
                assert_eq!(found.is_edge_executable(op, index), is_taken);
                decided += usize::from(!is_taken);
            }
        }
    }
    assert!(constants > 1000 && dead > 1000 && decided > 1000, "{constants} constants, {dead} dead, {decided} decided");
}

type Sinks = BTreeSet<OpId>;

/// What a value may reach: operations that say they are sinks, and all that is not known.
struct Reached;

impl SparseBackwardAnalysis for Reached {
    type Element = Sinks;

    fn escapes(&mut self, op: OpRef<'_>, _value: ValueId) -> Sinks {
        [op.id].into()
    }
    fn visit(&mut self, op: OpRef<'_>, results: &[&Sinks], operands: &mut [Sinks]) {
        match op.name_str() {
            "a.op" => {
                for operand in operands {
                    results.iter().for_each(|result| {
                        operand.join(result);
                    });
                    if op.property("sink").is_some() {
                        operand.insert(op.id);
                    }
                }
            }
            "a.jump" | "a.if" | "a.loop" | "a.while" => {
                operands[0].insert(op.id);
            }
            _ => {}
        }
    }
}

/// The values that a value becomes, and the sinks that it is in itself.
fn flows(context: &Context, body: &Body) -> (BTreeMap<ValueId, BTreeSet<ValueId>>, BTreeMap<ValueId, Sinks>) {
    let points = Points::new(context, body);
    let (mut becomes, mut sinks) = (BTreeMap::<_, BTreeSet<ValueId>>::new(), BTreeMap::<_, Sinks>::new());
    for op in body.all_ops() {
        let operands: Vec<ValueId> = body.operands(op).collect();
        let view = OpRef::new(context, body, op);
        let entry = |holder: OpId, region: usize| {
            body.arguments(body.entry_block(body.regions(holder)[region]).expect("regions have blocks")).to_vec()
        };
        let mut pass = |values: &[ValueId], to: &[ValueId]| {
            for (value, &place) in values.iter().zip(&to[to.len() - values.len()..]) {
                becomes.entry(*value).or_default().insert(place);
            }
        };
        let mut sink = |values: &[ValueId]| {
            values.iter().for_each(|value| {
                sinks.entry(*value).or_default().insert(op);
            });
        };
        match points.name(op) {
            "a.op" => {
                for result in body.results(op) {
                    operands.iter().for_each(|&operand| pass(&[operand], &[result]));
                }
                sink(if view.property("sink").is_some() { &operands } else { &[] });
            }
            "a.jump" => {
                sink(&operands[..1]);
                let sizes = view.property("sizes").expect("it has sizes");
                let mut start = 1;
                for (index, size) in sizes.dense_i32_values(context).expect("they are numbers").enumerate() {
                    pass(&operands[start..start + size as usize], body.arguments(body.successor(op, index)));
                    start += size as usize;
                }
            }
            "a.if" => {
                sink(&operands[..1]);
                (0..2).for_each(|region| pass(&operands[1..], &entry(op, region)));
            }
            "a.loop" | "a.while" => {
                sink(&operands[..1]);
                pass(&operands[1..], &entry(op, 0));
            }
            "a.yield" => {
                let holder = body.parent_op(op).expect("it is in an operation");
                let region = body.parent_block(op).and_then(|block| body.block_parent(block));
                let index = body.regions(holder).iter().position(|&own| Some(own) == region).expect("it is in one");
                let results: Vec<ValueId> = body.results(holder).collect();
                match (points.name(holder), index) {
                    ("a.if", _) => pass(&operands, &results),
                    ("a.loop", _) => [entry(holder, 0), results].iter().for_each(|to| pass(&operands, to)),
                    ("a.while", 0) => [entry(holder, 1), results].iter().for_each(|to| pass(&operands, to)),
                    ("a.while", _) => pass(&operands, &entry(holder, 0)),
                    _ => sink(&operands),
                }
            }
            _ => sink(&operands),
        }
    }
    (becomes, sinks)
}

#[test]
fn backward() {
    let context = context();
    for seed in 0..1000 {
        let body = program(&context, &mut Random::new(seed), 40);
        let (becomes, sinks) = flows(&context, &body);
        let found = SparseBackward::solve(&context, &body, &mut Reached);
        for value in (0..body.value_capacity()).map(ValueId::from_index) {
            let (mut seen, mut pending) = (BTreeSet::new(), vec![value]);
            while let Some(value) = pending.pop() {
                if seen.insert(value) {
                    pending.extend(becomes.get(&value).into_iter().flatten());
                }
            }
            let expected: Sinks = seen.iter().filter_map(|value| sinks.get(value)).flatten().copied().collect();
            assert_eq!(found.element(value), &expected, "{value:?}, seed {seed}");
        }
    }
}
