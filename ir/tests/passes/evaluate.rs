//! Executes functions of the test dialect: the oracle for what a pass must keep.

use std::collections::HashMap;

use fermata_ir::interfaces::{BranchModel, passed_value};
use fermata_ir::{BlockId, Body, Context, OpId, OpRef, RegionId, TypeKind, ValueId};

use crate::toy::number;

/// A value while it is computed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Number(i32),
    Tuple(Vec<Value>),
    /// Slot and the way to a part of it.
    Pointer(usize, Vec<usize>),
}

/// What an observer sees.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Event {
    Print(Vec<Value>),
    Write(i32, Value),
    Suspend(Vec<Value>),
    Opaque(String, Vec<Value>),
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum End {
    Return(Vec<Value>),
    Leave,
    OutOfFuel,
}

/// All that an observer sees of a run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Run {
    pub(crate) events: Vec<Event>,
    pub(crate) end: End,
    pub(crate) steps: usize,
}

impl Run {
    /// What an observer who does not count steps can tell two runs apart by, if anything. Of runs cut short only the
    /// common part is compared.
    pub(crate) fn difference(&self, other: &Run) -> Option<String> {
        for (index, (left, right)) in self.events.iter().zip(&other.events).enumerate() {
            if left != right {
                return Some(format!("event {index}: {left:?} became {right:?}"));
            }
        }
        if self.end == End::OutOfFuel || other.end == End::OutOfFuel {
            return None;
        }
        let counts = (self.events.len(), other.events.len());
        (counts.0 != counts.1 || self.end != other.end)
            .then(|| format!("{} events and {:?} became {} events and {:?}", counts.0, self.end, counts.1, other.end))
    }
}

enum Flow {
    Return(Vec<Value>),
    Leave,
    OutOfFuel,
    /// A region ended with this terminator and its operands.
    Region(String, Vec<Value>),
}

struct Machine<'a> {
    context: &'a Context,
    functions: &'a HashMap<String, &'a Body>,
    cells: [i32; 8],
    slots: Vec<Value>,
    events: Vec<Event>,
    lane: i32,
    steps: usize,
    fuel: usize,
}

/// Runs a function on numbers.
pub(crate) fn run(context: &Context, body: &Body, arguments: &[i32], fuel: usize) -> Run {
    run_in(context, &HashMap::new(), body, arguments, fuel)
}

/// Runs a function that may call others.
pub(crate) fn run_in(
    context: &Context,
    functions: &HashMap<String, &Body>,
    body: &Body,
    arguments: &[i32],
    fuel: usize,
) -> Run {
    let cells = std::array::from_fn(|index| index as i32 * 3 - 4);
    let (slots, events) = (vec![], vec![]);
    let mut machine = Machine { context, functions, cells, slots, events, lane: 0, steps: 0, fuel };
    let arguments = arguments.iter().map(|&argument| Value::Number(argument)).collect();
    let end = match machine.call(body, arguments) {
        Flow::Return(values) => End::Return(values),
        Flow::Leave => End::Leave,
        Flow::OutOfFuel => End::OutOfFuel,
        Flow::Region(name, _) => panic!("'{name}' ends a function"),
    };
    Run { events: machine.events, end, steps: machine.steps }
}

type Frame = HashMap<ValueId, Value>;

impl Machine<'_> {
    fn call(&mut self, body: &Body, arguments: Vec<Value>) -> Flow {
        let mut frame = Frame::new();
        self.region(body, body.regions(body.root())[0], arguments, &mut frame)
    }

    fn region(&mut self, body: &Body, region: RegionId, arguments: Vec<Value>, frame: &mut Frame) -> Flow {
        let mut block = body.entry_block(region).expect("a region that is executed has a block");
        let mut incoming = arguments;
        loop {
            assert_eq!(body.arguments(block).len(), incoming.len(), "an edge passes as many values as there are");
            for (&argument, value) in body.arguments(block).iter().zip(incoming) {
                frame.insert(argument, value);
            }
            match self.block(body, block, frame) {
                Step::To(next, values) => (block, incoming) = (next, values),
                Step::Out(flow) => return flow,
            }
        }
    }

    fn block(&mut self, body: &Body, block: BlockId, frame: &mut Frame) -> Step {
        for op in body.ops(block) {
            self.steps += 1;
            if self.steps > self.fuel {
                return Step::Out(Flow::OutOfFuel);
            }
            if let Some(step) = self.op(OpRef::new(self.context, body, op), frame) {
                return step;
            }
        }
        panic!("a block has no terminator");
    }

    fn op(&mut self, op: OpRef<'_>, frame: &mut Frame) -> Option<Step> {
        let name = op.name().as_str(self.context);
        let lookup = |value: ValueId| frame.get(&value).cloned().expect("a value is used after it is computed");
        let operands: Vec<Value> = op.operands().map(lookup).collect();
        let numbers: Vec<i32> = operands.iter().filter_map(as_number).collect();
        let property = |key: &str| op.property(key).and_then(|value| number(self.context, value));
        if op.interface::<BranchModel>().is_some() {
            return Some(self.branch(op, &operands, frame));
        }
        if op.successors().len() > 0 {
            // What an unregistered terminator does is not known; here it goes to its first successor.
            self.events.push(Event::Opaque(name.to_owned(), operands));
            return Some(Step::To(op.body.successor(op.id, 0), vec![]));
        }
        let results: Vec<Value> = match name {
            "toy.constant" => vec![Value::Number(property("value").expect("a constant has a value"))],
            "toy.add" => vec![Value::Number(numbers[0].wrapping_add(numbers[1]))],
            "toy.sub" => vec![Value::Number(numbers[0].wrapping_sub(numbers[1]))],
            "toy.mul" => vec![Value::Number(numbers[0].wrapping_mul(numbers[1]))],
            "toy.lt" => vec![Value::Number(i32::from(numbers[0] < numbers[1]))],
            "toy.neg" => vec![Value::Number(numbers[0].wrapping_neg())],
            "toy.low" => vec![Value::Number(numbers[0] & 15)],
            "toy.select" => vec![operands[if numbers[0] != 0 { 1 } else { 2 }].clone()],
            "toy.pack" => vec![Value::Tuple(operands)],
            "toy.extract" => vec![element(&operands[0], &[property("index").expect("an index") as usize]).clone()],
            "toy.insert" => {
                let mut whole = operands[1].clone();
                *element_mut(&mut whole, &[property("index").expect("an index") as usize]) = operands[0].clone();
                vec![whole]
            }
            "toy.halfway" => vec![Value::Number(77), Value::Number(78)],
            "toy.print" => {
                let seen = operands.iter().map(|value| self.seen(value)).collect();
                self.events.push(Event::Print(seen));
                vec![]
            }
            "toy.lane" => vec![Value::Number(self.lane)],
            "toy.read" => vec![Value::Number(self.cells[property("cell").expect("a cell") as usize])],
            "toy.write" => {
                let cell = property("cell").expect("a cell");
                self.cells[cell as usize] = numbers[0];
                self.events.push(Event::Write(cell, operands[0].clone()));
                vec![]
            }
            "toy.alloc" => {
                let TypeKind::MemRef { element, .. } = op.result_type(0).kind(self.context) else {
                    panic!("an allocation gives a pointer");
                };
                self.slots.push(zero(self.context, *element));
                vec![Value::Pointer(self.slots.len() - 1, vec![])]
            }
            "toy.load" => {
                let (slot, path) = as_pointer(&operands[0]);
                vec![element(&self.slots[slot], path).clone()]
            }
            "toy.store" => {
                let (slot, path) = as_pointer(&operands[1]);
                *element_mut(&mut self.slots[slot], path) = operands[0].clone();
                vec![]
            }
            "toy.store_part" => {
                let (slot, path) = as_pointer(&operands[1]);
                let part = property("index").expect("an index") as usize;
                *element_mut(element_mut(&mut self.slots[slot], path), &[part]) = operands[0].clone();
                vec![]
            }
            "toy.part" | "toy.part_at" => {
                let (slot, path) = as_pointer(&operands[0]);
                let index = property("index").unwrap_or_else(|| numbers[0]) as usize;
                vec![Value::Pointer(slot, [path, &[index]].concat())]
            }
            "toy.same" => vec![Value::Number(i32::from(operands[0] == operands[1]))],
            "toy.call" => {
                let callee =
                    op.property("callee").and_then(|callee| callee.symbol_value(self.context)).expect("a callee");
                let body = self.functions[callee.root.as_str(self.context)];
                match self.call(body, operands) {
                    Flow::Return(values) => values,
                    other => return Some(Step::Out(other)),
                }
            }
            "toy.if" => {
                let region = op.regions()[usize::from(numbers[0] == 0)];
                match self.region(op.body, region, vec![], frame) {
                    Flow::Region(_, values) => values,
                    other => return Some(Step::Out(other)),
                }
            }
            "toy.loop" => {
                let mut values = operands;
                loop {
                    match self.region(op.body, op.regions()[0], values, frame) {
                        Flow::Region(_, mut passed) => {
                            let again = as_number(&passed.remove(0)).expect("a condition is a number");
                            values = passed;
                            if again == 0 {
                                break values;
                            }
                        }
                        other => return Some(Step::Out(other)),
                    }
                }
            }
            "toy.return" => return Some(Step::Out(Flow::Return(operands))),
            "toy.leave" => return Some(Step::Out(Flow::Leave)),
            "toy.yield" | "toy.next" => return Some(Step::Out(Flow::Region(name.to_owned(), operands))),
            _ => {
                let seen = operands.iter().map(|value| self.seen(value)).collect();
                self.events.push(Event::Opaque(name.to_owned(), seen));
                // Whoever is not known may change what everybody can reach.
                self.cells[0] = self.cells[0].wrapping_add(1);
                op.results().map(|_| Value::Number(self.events.len() as i32)).collect()
            }
        };
        for (result, value) in op.results().zip(results) {
            frame.insert(result, value);
        }
        None
    }

    /// A value as an observer sees it: of a pointer, what it points to.
    fn seen(&self, value: &Value) -> Value {
        match value {
            Value::Pointer(slot, path) => element(&self.slots[*slot], path).clone(),
            other => other.clone(),
        }
    }

    fn branch(&mut self, op: OpRef<'_>, operands: &[Value], frame: &Frame) -> Step {
        let last = op.successors().len() - 1;
        let mut produced = vec![];
        let taken = match op.name().as_str(self.context) {
            "toy.br" => 0,
            "toy.cond_br" => usize::from(as_number(&operands[0]) == Some(0)),
            "toy.switch_br" => {
                let selector = as_number(&operands[0]).expect("a selector is a number");
                usize::try_from(selector).map_or(last, |selector| selector.min(last))
            }
            "toy.suspend" => {
                self.events.push(Event::Suspend(operands[op.operand_group(0)].to_vec()));
                // Another thread resumes, and others have run in between.
                self.lane += 1;
                self.cells.iter_mut().for_each(|cell| *cell = cell.wrapping_mul(3).wrapping_add(1));
                produced.push(Value::Number(100 + self.events.len() as i32));
                0
            }
            name => panic!("'{name}' is no branch of the test dialect"),
        };
        let target = op.body.successor(op.id, taken);
        let skip = produced.len();
        let forwarded = (skip..op.body.arguments(target).len()).map(|argument| {
            let value = passed_value(op, taken, argument).expect("an edge passes a value for each argument");
            frame.get(&value).cloned().expect("a value is used after it is computed")
        });
        let values = produced.into_iter().chain(forwarded).collect();
        Step::To(target, values)
    }
}

enum Step {
    To(BlockId, Vec<Value>),
    Out(Flow),
}

fn as_number(value: &Value) -> Option<i32> {
    match value {
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

fn as_pointer(value: &Value) -> (usize, &[usize]) {
    match value {
        Value::Pointer(slot, path) => (*slot, path),
        other => panic!("{other:?} is no pointer"),
    }
}

fn element<'a>(value: &'a Value, path: &[usize]) -> &'a Value {
    path.iter().fold(value, |value, &index| match value {
        Value::Tuple(parts) => &parts[index],
        other => panic!("{other:?} has no parts"),
    })
}

fn element_mut<'a>(value: &'a mut Value, path: &[usize]) -> &'a mut Value {
    path.iter().fold(value, |value, &index| match value {
        Value::Tuple(parts) => &mut parts[index],
        other => panic!("{other:?} has no parts"),
    })
}

fn zero(context: &Context, ty: fermata_ir::Type) -> Value {
    match ty.kind(context) {
        TypeKind::Tuple(parts) => Value::Tuple(parts.iter().map(|&part| zero(context, part)).collect()),
        _ => Value::Number(0),
    }
}

/// All operations of a body of this name, in textual order.
pub(crate) fn ops_named(context: &Context, body: &Body, name: &str) -> Vec<OpId> {
    body.all_ops().into_iter().filter(|&op| body.operation_name(op).as_str(context) == name).collect()
}
