//! An evaluator of functions without control flow, by the meaning of each operation.

use fermata_ir::interfaces::constant_value;
use fermata_ir::{Attribute, Context, OpRef, OperationView, Type, ValueId};
use fermata_xir::constant::{part, scalar};
use fermata_xir::interfaces::{ElementwiseModel, ExpandModel};
use fermata_xir::ops::{
    All, Any, Build, Extract, ExtractDynamic, Insert, InsertDynamic, Return, Shape, Shuffle, Splat,
};
use fermata_xir::semantics::{ScalarType, bitcast_lanes};
use fermata_xir::types::{ElementwiseType, part_count, part_type};
use std::collections::HashMap;

/// A value: bits, or parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tree {
    Bits(u64),
    Parts(Vec<Tree>),
}

impl Tree {
    fn bits(&self) -> u64 {
        let Self::Bits(bits) = self else { panic!("a scalar is expected") };
        *bits
    }

    fn lanes(&self) -> Vec<u64> {
        match self {
            Self::Bits(bits) => vec![*bits],
            Self::Parts(parts) => parts.iter().map(Self::bits).collect(),
        }
    }

    fn at(&mut self, path: &[i64]) -> &mut Self {
        path.iter().fold(self, |tree, &index| match tree {
            Self::Parts(parts) => &mut parts[index as usize],
            Self::Bits(_) => panic!("a scalar has no parts"),
        })
    }

    fn shape(&self) -> Shape<u64> {
        match self {
            Self::Bits(bits) => Shape::Scalar(*bits),
            Self::Parts(parts) if matches!(parts[0], Self::Bits(_)) => Shape::Vector(self.lanes()),
            Self::Parts(parts) => Shape::Matrix(parts.iter().map(Self::lanes).collect()),
        }
    }

    fn of_shape(shape: Shape<u64>) -> Self {
        let vector = |lanes: Vec<u64>| Self::Parts(lanes.into_iter().map(Self::Bits).collect());
        match shape {
            Shape::Scalar(bits) => Self::Bits(bits),
            Shape::Vector(lanes) => vector(lanes),
            Shape::Matrix(columns) => Self::Parts(columns.into_iter().map(vector).collect()),
        }
    }

    fn of_lanes(lanes: Vec<u64>, ty: ElementwiseType) -> Self {
        match ty.vector {
            Some(_) => Self::Parts(lanes.into_iter().map(Self::Bits).collect()),
            None => Self::Bits(lanes[0]),
        }
    }

    fn of_constant(context: &Context, constant: Attribute, ty: Type) -> Self {
        match part_count(context, ty) {
            None => Self::Bits(scalar(context, constant).expect("a constant of a scalar has bits")),
            Some(count) => Self::Parts(
                (0..count)
                    .map(|index| {
                        let value = part(context, constant, index).expect("a constant has all its parts");
                        Self::of_constant(context, value, part_type(context, ty, index).expect("it is in range"))
                    })
                    .collect(),
            ),
        }
    }

    /// The same with each NaN replaced by the one that stands for all.
    pub(crate) fn with_one_nan(&self, context: &Context, ty: Type) -> Self {
        match self {
            Self::Bits(bits) => Self::Bits(match ScalarType::of(context, ty) {
                Some(ScalarType::Float(format)) if format.is_nan(*bits) => format.nan(),
                _ => *bits,
            }),
            Self::Parts(parts) => {
                let part = |(index, tree): (usize, &Self)| {
                    tree.with_one_nan(context, part_type(context, ty, index as u64).expect("it is in range"))
                };
                Self::Parts(parts.iter().enumerate().map(part).collect())
            }
        }
    }
}

/// What a function returns for these arguments, and the type of that.
pub(crate) fn call(function: OpRef<'_>, arguments: &[Tree]) -> (Tree, Type) {
    let (context, body) = (function.context, function.body);
    let block = body.entry_block(function.regions()[0]).expect("the function has a body");
    let mut known: HashMap<ValueId, Tree> =
        body.arguments(block).iter().copied().zip(arguments.iter().cloned()).collect();
    for op in body.ops(block) {
        let op = function.at(op);
        let operands: Vec<Tree> = op.operands().map(|operand| known[&operand].clone()).collect();
        if Return::matches(op) {
            return (operands[0].clone(), op.operand_type(0));
        }
        known.insert(op.result(0), evaluate(context, op, operands));
    }
    panic!("the function returns nothing");
}

fn evaluate(context: &Context, op: OpRef<'_>, mut operands: Vec<Tree>) -> Tree {
    let ty = op.result_type(0);
    if let Some(constant) = constant_value(context, op.body, op.result(0)) {
        return Tree::of_constant(context, constant, ty);
    }
    if let Some(model) = op.interface::<ExpandModel>() {
        let operands: Vec<Shape<u64>> = operands.iter().map(Tree::shape).collect();
        return Tree::of_shape((model.evaluate)(op, &operands).expect("the operands fit the operation"));
    }
    if let Some(function) = op.interface::<ElementwiseModel>().and_then(|model| (model.function)(op)) {
        let ty = ElementwiseType::of(context, ty).expect("the result of an elementwise operation is one");
        let lanes: Vec<Vec<u64>> = operands.iter().map(Tree::lanes).collect();
        let lane = |index: usize| {
            let of = |lanes: &Vec<u64>| lanes[if lanes.len() == 1 { 0 } else { index }];
            function.evaluate(&lanes.iter().map(of).collect::<Vec<_>>())
        };
        return Tree::of_lanes((0..ty.lanes() as usize).map(lane).collect(), ty);
    }
    let clamped = |index: &Tree, composite: &Tree| {
        let Tree::Parts(parts) = composite else { panic!("a scalar has no parts") };
        index.bits().min(parts.len() as u64 - 1) as i64
    };
    if let Some(extract) = Extract::cast(op) {
        return operands[0].at(&extract.path()).clone();
    }
    if let Some(insert) = Insert::cast(op) {
        let value = operands[0].clone();
        *operands[1].at(&insert.path()) = value;
        return operands[1].clone();
    }
    if let Some(shuffle) = Shuffle::cast(op) {
        let all = [operands[0].lanes(), operands[1].lanes()].concat();
        return Tree::Parts(shuffle.mask().iter().map(|&lane| Tree::Bits(all[lane as usize])).collect());
    }
    if ExtractDynamic::matches(op) {
        let index = clamped(&operands[1], &operands[0]);
        return operands[0].at(&[index]).clone();
    }
    if InsertDynamic::matches(op) {
        let (value, index) = (operands[0].clone(), clamped(&operands[2], &operands[1]));
        *operands[1].at(&[index]) = value;
        return operands[1].clone();
    }
    match op.name_str() {
        name if name == Build::DECLARATION.name => Tree::Parts(operands),
        name if name == Splat::DECLARATION.name => {
            Tree::Parts(vec![operands[0].clone(); part_count(context, ty).expect("it is a vector") as usize])
        }
        name if name == Any::DECLARATION.name => Tree::Bits(operands[0].lanes().contains(&1).into()),
        name if name == All::DECLARATION.name => Tree::Bits((!operands[0].lanes().contains(&0)).into()),
        "xir.bitcast" => {
            let of = |ty| ElementwiseType::of(context, ty).expect("bits are cast between elementwise types");
            let (from, to) = (of(op.operand_type(0)), of(ty));
            Tree::of_lanes(bitcast_lanes(&operands[0].lanes(), from.scalar.bits(), to.scalar.bits()), to)
        }
        name => panic!("the evaluator does not know {name}"),
    }
}

/// A source of arguments, picked from the values at which operations are tested.
pub(crate) struct Arguments {
    random: Box<dyn Iterator<Item = u64>>,
    values: HashMap<ScalarType, Vec<u64>>,
}

impl Arguments {
    pub(crate) fn new() -> Self {
        Self { random: Box::new(super::values::random_bits(9)), values: HashMap::new() }
    }

    pub(crate) fn of_type(&mut self, context: &Context, ty: Type) -> Tree {
        if let Some(count) = part_count(context, ty) {
            let parts = (0..count).map(|index| part_type(context, ty, index).expect("it is in range"));
            return Tree::Parts(parts.map(|part| self.of_type(context, part)).collect());
        }
        let scalar = ScalarType::of(context, ty).expect("arguments are scalars and composites");
        let values = self.values.entry(scalar).or_insert_with(|| match scalar {
            ScalarType::Integer(width) => super::values::integers(width),
            ScalarType::Float(format) => super::values::floats(format),
        });
        let pick = self.random.next().expect("the sequence is infinite") % values.len() as u64;
        Tree::Bits(values[pick as usize])
    }
}
