//! Pure operations.

use fermata_ir::attributes::Attribute;
use fermata_ir::interfaces::{FoldInterface, FoldModel, FoldResult};
use fermata_ir::operation::OperationDeclaration;
use fermata_ir::{Context, OpRef, OperationTraits};

use super::{Model, declaration, many, one, property};

/// The value of an integer attribute as a wrapped 32-bit number.
pub(crate) fn number(context: &Context, attribute: Attribute) -> Option<i32> {
    attribute.integer_value(context).map(|value| value as i32)
}

/// What an operation of two numbers computes.
pub(crate) fn compute(name: &str, a: i32, b: i32) -> Option<i32> {
    Some(match name {
        "toy.add" => a.wrapping_add(b),
        "toy.sub" => a.wrapping_sub(b),
        "toy.mul" => a.wrapping_mul(b),
        "toy.lt" => i32::from(a < b),
        _ => return None,
    })
}

struct Binary;

impl FoldInterface for Binary {
    fn fold(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let name = op.name().as_str(op.context);
        let value = |index: usize| operands[index].and_then(|value| number(op.context, value));
        match (name, value(0), value(1)) {
            ("toy.add", _, Some(0)) | ("toy.sub", _, Some(0)) | ("toy.mul", _, Some(1)) => {
                Some(vec![FoldResult::Value(op.operand(0))])
            }
            (_, Some(a), Some(b)) => {
                let value = i128::from(compute(name, a, b)?);
                Some(vec![FoldResult::Constant(Attribute::integer(op.context, value, op.result_type(0)))])
            }
            _ => None,
        }
    }
}

struct Select;

impl FoldInterface for Select {
    fn fold(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let chosen = number(op.context, operands[0]?)?;
        Some(vec![FoldResult::Value(op.operand(if chosen != 0 { 1 } else { 2 }))])
    }
}

/// Folds to one constant that can be made and one that cannot, to test that nothing is left behind.
struct Halfway;

impl FoldInterface for Halfway {
    fn fold(op: OpRef<'_>, _operands: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let good = Attribute::integer(op.context, 77, op.result_type(0));
        Some(vec![FoldResult::Constant(good), FoldResult::Constant(Attribute::unit(op.context))])
    }
}

const PURE: OperationTraits = OperationTraits::PURE;
const BINARY: &[Model] = &[const { &FoldModel::of::<Binary>() }];

static CONSTANT: OperationDeclaration = OperationDeclaration {
    results: &[one("result")],
    properties: &[property("value")],
    ..declaration("toy.constant", PURE.union(OperationTraits::CONSTANT_LIKE))
};
static ADD: OperationDeclaration = OperationDeclaration {
    operands: &[one("lhs"), one("rhs")],
    results: &[one("result")],
    interfaces: BINARY,
    ..declaration("toy.add", PURE.union(OperationTraits::COMMUTATIVE))
};
static SUB: OperationDeclaration = OperationDeclaration {
    operands: &[one("lhs"), one("rhs")],
    results: &[one("result")],
    interfaces: BINARY,
    ..declaration("toy.sub", PURE)
};
static MUL: OperationDeclaration = OperationDeclaration {
    operands: &[one("lhs"), one("rhs")],
    results: &[one("result")],
    interfaces: BINARY,
    ..declaration("toy.mul", PURE.union(OperationTraits::COMMUTATIVE))
};
static LT: OperationDeclaration = OperationDeclaration {
    operands: &[one("lhs"), one("rhs")],
    results: &[one("result")],
    interfaces: BINARY,
    ..declaration("toy.lt", PURE)
};
/// `-x`, wrapping.
static NEG: OperationDeclaration = OperationDeclaration {
    operands: &[one("operand")],
    results: &[one("result")],
    ..declaration("toy.neg", PURE.union(OperationTraits::INVOLUTION))
};
/// `x & 15`
static LOW: OperationDeclaration = OperationDeclaration {
    operands: &[one("operand")],
    results: &[one("result")],
    ..declaration("toy.low", PURE.union(OperationTraits::IDEMPOTENT))
};
static SELECT: OperationDeclaration = OperationDeclaration {
    operands: &[one("condition"), one("yes"), one("no")],
    results: &[one("result")],
    interfaces: &[const { &FoldModel::of::<Select>() }],
    ..declaration("toy.select", PURE)
};
static PACK: OperationDeclaration =
    OperationDeclaration { operands: &[many("parts")], results: &[one("result")], ..declaration("toy.pack", PURE) };
static EXTRACT: OperationDeclaration = OperationDeclaration {
    operands: &[one("aggregate")],
    results: &[one("result")],
    properties: &[property("index")],
    ..declaration("toy.extract", PURE)
};
static INSERT: OperationDeclaration = OperationDeclaration {
    operands: &[one("part"), one("aggregate")],
    results: &[one("result")],
    properties: &[property("index")],
    ..declaration("toy.insert", PURE)
};
static HALFWAY: OperationDeclaration = OperationDeclaration {
    results: &[one("first"), one("second")],
    interfaces: &[const { &FoldModel::of::<Halfway>() }],
    ..declaration("toy.halfway", PURE)
};

pub(super) const OPERATIONS: &[&OperationDeclaration] =
    &[&CONSTANT, &ADD, &SUB, &MUL, &LT, &NEG, &LOW, &SELECT, &PACK, &EXTRACT, &INSERT, &HALFWAY];
