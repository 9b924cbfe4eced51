//! The generated program, apart from any text.

use fastrand::Rng;

/// Blocks in a function.
pub(crate) const BLOCKS: usize = 10;

/// Operations in a block: binary operations and a terminator.
pub(crate) const BLOCK_OPERATIONS: usize = 50;

/// Operations in a function.
pub(crate) const FUNCTION_OPERATIONS: usize = BLOCKS * BLOCK_OPERATIONS;

/// How far back an operand may lie.
const LEFT_WINDOW: usize = 8;
const RIGHT_WINDOW: usize = 16;

/// A value of the function at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// One of the two arguments of a block.
    Argument { block: usize, index: usize },
    /// A result, numbered through the function.
    Result(usize),
}

/// A binary operation on 32-bit integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
}

const OPERATORS: [Operator; 6] =
    [Operator::Add, Operator::Subtract, Operator::Multiply, Operator::And, Operator::Or, Operator::Xor];

/// A block: its operations, then a branch to the next block with two values, or a return of the first of them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) operations: Vec<(Operator, Value, Value)>,
    pub(crate) leaving: [Value; 2],
}

/// A function of two arguments, which are those of its first block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) blocks: Vec<Block>,
}

/// Functions one after the other, the same in each run.
pub(crate) fn functions(count: usize) -> impl Iterator<Item = Function> {
    let mut random = Rng::with_seed(1);
    (0..count).map(move |_| function(&mut random))
}

fn function(random: &mut Rng) -> Function {
    let mut results = 0;
    let blocks = (0..BLOCKS).map(|block| {
        let mut values = vec![Value::Argument { block, index: 0 }, Value::Argument { block, index: 1 }];
        let mut operations = Vec::with_capacity(BLOCK_OPERATIONS - 1);
        for _ in 0..BLOCK_OPERATIONS - 1 {
            let operator = OPERATORS[random.usize(..OPERATORS.len())];
            operations.push((operator, recent(&values, LEFT_WINDOW, random), recent(&values, RIGHT_WINDOW, random)));
            values.push(Value::Result(results));
            results += 1;
        }
        let last = values.len() - 1;
        Block { operations, leaving: [values[last], values[last - 1]] }
    });
    Function { blocks: blocks.collect() }
}

fn recent(values: &[Value], window: usize, random: &mut Rng) -> Value {
    values[random.usize(values.len().saturating_sub(window)..values.len())]
}
