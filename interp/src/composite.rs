//! Operations on vectors, matrices and aggregates.

use fermata_ir::{OpRef, OperationView, Type};
use fermata_xir::ops::{Extract, Insert, Shuffle};
use fermata_xir::semantics::ScalarType;
use fermata_xir::semantics::composite::{self, BitArithmetic};
use fermata_xir::types::{ElementwiseType, MatrixType, part_count};

use crate::value::Value;

/// The result of an operation on values alone; nothing if `op` is no such operation.
pub(crate) fn evaluate(op: OpRef<'_>, operands: &[Value]) -> Option<Value> {
    let ty = op.result_count().checked_sub(1).map(|_| op.result_type(0))?;
    Some(match op.name_str() {
        "xir.build" => Value::from_parts(op.context, ty, operands.to_vec()),
        "xir.splat" => {
            let count = part_count(op.context, ty).expect("a splat gives a vector") as usize;
            Value::from_parts(op.context, ty, vec![operands[0].clone(); count])
        }
        "xir.extract" => path(op).into_iter().fold(operands[0].clone(), |whole, index| whole.part(index)),
        "xir.insert" => {
            let mut whole = operands[1].clone();
            whole.set(&path(op), operands[0].clone());
            whole
        }
        "xir.extract_dynamic" => operands[0].part(clamp(op, 0, &operands[1])),
        "xir.insert_dynamic" => {
            let mut whole = operands[1].clone();
            whole.set(&[clamp(op, 1, &operands[2])], operands[0].clone());
            whole
        }
        "xir.shuffle" => shuffle(op, operands),
        "xir.select" => operands[if operands[0].bits() & 1 == 1 { 1 } else { 2 }].clone(),
        "xir.any" => Value::scalar(u64::from(operands[0].lanes().iter().any(|&lane| lane & 1 == 1))),
        "xir.all" => Value::scalar(u64::from(operands[0].lanes().iter().all(|&lane| lane & 1 == 1))),
        "xir.bitcast" => bitcast(op, &operands[0]),
        "xir.dot" | "xir.cross" | "xir.length" | "xir.distance" | "xir.normalize" => vector_product(op, operands),
        "xir.matmul" | "xir.matrix_scale" | "xir.transpose" | "xir.determinant" | "xir.inverse" => {
            matrix_product(op, operands)
        }
        _ => return None,
    })
}

/// The constant indices of an operation.
fn path(op: OpRef<'_>) -> Vec<usize> {
    let path = match op.cast::<Extract<'_>>() {
        Some(extract) => extract.path(),
        None => Insert::from_ref_unchecked(op).path(),
    };
    path.into_iter().map(|index| index as usize).collect()
}

/// A dynamic index: unsigned, and past the end the last part.
fn clamp(op: OpRef<'_>, whole: usize, index: &Value) -> usize {
    let count = part_count(op.context, op.operand_type(whole)).expect("what is indexed has parts");
    index.bits().min(count - 1) as usize
}

fn shuffle(op: OpRef<'_>, operands: &[Value]) -> Value {
    let both: Vec<u64> = operands.iter().flat_map(Value::lanes).copied().collect();
    Value::Lanes(Shuffle::from_ref_unchecked(op).mask().into_iter().map(|lane| both[lane as usize]).collect())
}

fn bitcast(op: OpRef<'_>, operand: &Value) -> Value {
    let bits =
        |ty: Type| ElementwiseType::of(op.context, ty).expect("a bitcast is of scalars and vectors").scalar.bits();
    let (from, to) = (bits(op.operand_type(0)), bits(op.result_type(0)));
    Value::Lanes(fermata_xir::semantics::bitcast_lanes(operand.lanes(), from, to).into_iter().collect())
}

fn arithmetic(op: OpRef<'_>, element: Type) -> BitArithmetic {
    let format = ScalarType::of(op.context, element).and_then(ScalarType::float);
    BitArithmetic(format.expect("vector products are of floats"))
}

fn vector_product(op: OpRef<'_>, operands: &[Value]) -> Value {
    let (_, element) = op.operand_type(0).vector_parts(op.context).expect("the operand is a vector");
    let mut arithmetic = arithmetic(op, element);
    let x = operands[0].lanes();
    let y = operands.get(1).map_or(&[][..], Value::lanes);
    match op.name_str() {
        "xir.dot" => Value::scalar(composite::dot(&mut arithmetic, x, y)),
        "xir.length" => Value::scalar(composite::length(&mut arithmetic, x)),
        "xir.distance" => Value::scalar(composite::distance(&mut arithmetic, x, y)),
        "xir.normalize" => Value::Lanes(composite::normalize(&mut arithmetic, x).into_iter().collect()),
        _ => {
            let three = |lanes: &[u64]| [lanes[0], lanes[1], lanes[2]];
            Value::Lanes(composite::cross(&mut arithmetic, three(x), three(y)).into_iter().collect())
        }
    }
}

fn columns(value: &Value) -> Vec<Vec<u64>> {
    let Value::Parts(columns) = value else { unreachable!("a matrix has columns") };
    columns.iter().map(|column| column.lanes().to_vec()).collect()
}

fn matrix(columns: Vec<Vec<u64>>) -> Value {
    Value::Parts(columns.into_iter().map(|lanes| Value::Lanes(lanes.into_iter().collect())).collect())
}

fn matrix_product(op: OpRef<'_>, operands: &[Value]) -> Value {
    let is_matrix = |index: usize| op.operand_type(index).is::<MatrixType>(op.context);
    let found = op.operands().find_map(|operand| op.type_of(operand).downcast::<MatrixType>(op.context));
    let mut arithmetic = arithmetic(op, found.expect("an operand is a matrix").element);
    match op.name_str() {
        "xir.transpose" => matrix(composite::transpose(&columns(&operands[0]))),
        "xir.determinant" => Value::scalar(composite::determinant(&mut arithmetic, &columns(&operands[0]))),
        "xir.inverse" => matrix(composite::inverse(&mut arithmetic, &columns(&operands[0]))),
        "xir.matrix_scale" => {
            matrix(composite::matrix_by_scalar(&mut arithmetic, &columns(&operands[0]), operands[1].bits()))
        }
        _ if is_matrix(0) && is_matrix(1) => {
            matrix(composite::matrix_by_matrix(&mut arithmetic, &columns(&operands[0]), &columns(&operands[1])))
        }
        _ if is_matrix(0) => {
            let product = composite::matrix_by_vector(&mut arithmetic, &columns(&operands[0]), operands[1].lanes());
            Value::Lanes(product.into_iter().collect())
        }
        _ => {
            let product = composite::vector_by_matrix(&mut arithmetic, operands[0].lanes(), &columns(&operands[1]));
            Value::Lanes(product.into_iter().collect())
        }
    }
}
