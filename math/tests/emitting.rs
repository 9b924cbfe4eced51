//! The algorithms emit code as well as they compute: recorded and replayed, each gives the same bits, and the number of
//! operations is the one that is documented.

mod support;

use std::cell::RefCell;

use fermata_math::{Arithmetic, EvaluateF32, EvaluateF64, Format, Function};
use support::operands;

/// The value of an operation.
#[derive(Clone, Copy)]
enum Value<F, I, B> {
    Float(F),
    Integer(I),
    Boolean(B),
}

type ValueOf<A> = Value<<A as Arithmetic>::Float, <A as Arithmetic>::Integer, <A as Arithmetic>::Boolean>;

/// Handles of recorded values, apart by kind as an IR's typed values are.
#[derive(Clone, Copy)]
struct Float(usize);
#[derive(Clone, Copy)]
struct Integer(usize);
#[derive(Clone, Copy)]
struct Boolean(usize);

enum Node {
    Operand(usize),
    Float(f64),
    Integer(i64),
    Operation(Operation, Vec<usize>),
}

macro_rules! operations {
    ($($name:ident($($operand:ident: $kind:ident),+) -> $result:ident;)+) => {
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy)]
        enum Operation {
            $($name,)+
        }

        impl Arithmetic for Recorder {
            type Float = Float;
            type Integer = Integer;
            type Boolean = Boolean;

            fn format(&self) -> Format {
                self.format
            }
            fn float(&self, value: f64) -> Float {
                let exact = self.format == Format::F64 || value.is_nan() || f64::from(value as f32) == value;
                assert!(exact, "{value} is no number of the format");
                Float(self.record(Node::Float(value)))
            }
            fn integer(&self, value: i64) -> Integer {
                Integer(self.record(Node::Integer(value)))
            }

            $(fn $name(&self, $($operand: $kind),+) -> $result {
                $result(self.record(Node::Operation(Operation::$name, vec![$($operand.0),+])))
            })+
        }

        impl Operation {
            fn replay<A: Arithmetic>(self, a: &A, operands: &[ValueOf<A>]) -> ValueOf<A> {
                match (self, operands) {
                    $((Self::$name, &[$(Value::$kind($operand)),+]) => Value::$result(a.$name($($operand),+)),)+
                    _ => panic!("an operation has operands of the wrong kinds"),
                }
            }
        }
    };
}

operations! {
    add(x: Float, y: Float) -> Float;
    sub(x: Float, y: Float) -> Float;
    mul(x: Float, y: Float) -> Float;
    div(x: Float, y: Float) -> Float;
    fma(x: Float, y: Float, z: Float) -> Float;
    sqrt(x: Float) -> Float;
    round_even(x: Float) -> Float;
    neg(x: Float) -> Float;
    abs(x: Float) -> Float;
    copysign(x: Float, y: Float) -> Float;
    lt(x: Float, y: Float) -> Boolean;
    eq(x: Float, y: Float) -> Boolean;
    unordered(x: Float, y: Float) -> Boolean;
    select(condition: Boolean, x: Float, y: Float) -> Float;
    float_to_bits(x: Float) -> Integer;
    bits_to_float(x: Integer) -> Float;
    int_to_float(x: Integer) -> Float;
    float_to_int(x: Float) -> Integer;
    int_add(x: Integer, y: Integer) -> Integer;
    int_sub(x: Integer, y: Integer) -> Integer;
    int_mul(x: Integer, y: Integer) -> Integer;
    int_mul_high(x: Integer, y: Integer) -> Integer;
    int_and(x: Integer, y: Integer) -> Integer;
    int_or(x: Integer, y: Integer) -> Integer;
    int_xor(x: Integer, y: Integer) -> Integer;
    int_shl(x: Integer, y: Integer) -> Integer;
    int_shr(x: Integer, y: Integer) -> Integer;
    int_sar(x: Integer, y: Integer) -> Integer;
    int_eq(x: Integer, y: Integer) -> Boolean;
    int_lt(x: Integer, y: Integer) -> Boolean;
    int_lt_unsigned(x: Integer, y: Integer) -> Boolean;
    int_select(condition: Boolean, x: Integer, y: Integer) -> Integer;
    and(x: Boolean, y: Boolean) -> Boolean;
    or(x: Boolean, y: Boolean) -> Boolean;
    not(x: Boolean) -> Boolean;
}

/// Arithmetic that writes down what it is asked for.
struct Recorder {
    format: Format,
    nodes: RefCell<Vec<Node>>,
}

impl Recorder {
    fn record(&self, node: Node) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(node);
        nodes.len() - 1
    }
}

/// What the result of a function depends on, operands before their uses.
struct Recording {
    nodes: Vec<Node>,
    used: Vec<bool>,
    result: usize,
}

impl Recording {
    fn of(function: Function, format: Format) -> Self {
        let recorder = Recorder { format, nodes: RefCell::default() };
        let operands: Vec<Float> =
            (0..function.operand_count()).map(|index| Float(recorder.record(Node::Operand(index)))).collect();
        let Float(result) = function.apply(&recorder, &operands).expect("the function takes these operands");
        let nodes = recorder.nodes.into_inner();
        let mut used = vec![false; nodes.len()];
        used[result] = true;
        for index in (0..nodes.len()).rev() {
            if let (true, Node::Operation(_, operands)) = (used[index], &nodes[index]) {
                operands.iter().for_each(|&operand| used[operand] = true);
            }
        }
        Self { nodes, used, result }
    }

    fn operation_count(&self) -> usize {
        let is_operation = |node: &Node| matches!(node, Node::Operation(..));
        self.nodes.iter().zip(&self.used).filter(|&(node, &used)| used && is_operation(node)).count()
    }

    fn unused_operation_count(&self) -> usize {
        let all = self.nodes.iter().filter(|node| matches!(node, Node::Operation(..))).count();
        all - self.operation_count()
    }

    fn replay<A: Arithmetic>(&self, a: &A, operands: &[A::Float]) -> A::Float {
        let mut values: Vec<ValueOf<A>> = Vec::new();
        for node in &self.nodes {
            values.push(match node {
                Node::Operand(index) => Value::Float(operands[*index]),
                Node::Float(value) => Value::Float(a.float(*value)),
                Node::Integer(value) => Value::Integer(a.integer(*value)),
                Node::Operation(operation, operands) => {
                    let operands: Vec<ValueOf<A>> = operands.iter().map(|&operand| values[operand]).collect();
                    operation.replay(a, &operands)
                }
            });
        }
        match values[self.result] {
            Value::Float(result) => result,
            Value::Integer(_) | Value::Boolean(_) => panic!("the result is a float"),
        }
    }
}

#[test]
fn replayed_recordings_give_the_bits_that_evaluation_gives() {
    for &function in Function::ALL {
        let single = Recording::of(function, Format::F32);
        let double = Recording::of(function, Format::F64);
        for operands in operands(function, 300) {
            let replayed = double.replay(&EvaluateF64, &operands);
            let evaluated = function.evaluate_f64(&operands).expect("the function takes these operands");
            assert_eq!(replayed.to_bits(), evaluated.to_bits(), "{}{operands:?}", function.name());

            let operands: Vec<f32> = operands.iter().map(|&operand| operand as f32).collect();
            let replayed = single.replay(&EvaluateF32, &operands);
            let evaluated = function.evaluate_f32(&operands).expect("the function takes these operands");
            let same = replayed.to_bits() == evaluated.to_bits() || (replayed.is_nan() && evaluated.is_nan());
            assert!(same, "{}{operands:?}", function.name());
        }
    }
}

#[test]
fn operation_counts_are_as_documented_and_no_operation_is_unused() {
    for &function in Function::ALL {
        for format in Format::ALL {
            let recording = Recording::of(function, format);
            let count = recording.operation_count();
            assert_eq!(count, function.operation_count(format), "{} {format:?}", function.name());
            assert_eq!(recording.unused_operation_count(), 0, "{} {format:?}", function.name());
        }
    }
}
