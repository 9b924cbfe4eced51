//! Evaluating and expanding an operation by one and the same definition.

use fermata_ir::builder::Builder;
use fermata_ir::interfaces::FoldResult;
use fermata_ir::operation::AttributeConstraint;
use fermata_ir::{Attribute, OpId, OpRef, Type, ValueId};

use super::shape::{Shape, lane_format};
use crate::attributes::FastMath;
use crate::constant::scalar_attribute;
use crate::ops::{AddF, Build, Constant, DivF, Extract, MulF, NegF, Sqrt, SubF};
use crate::semantics::composite::{Arithmetic, BitArithmetic};
use crate::semantics::{FloatFormat, ScalarType};
use crate::types::{MatrixType, part_count};

/// How an operation is defined by scalar arithmetic.
pub(super) trait Composed {
    /// The result for these operands; nothing if they are of other shapes than the operation takes.
    fn compute<A: Arithmetic>(arithmetic: &mut A, operands: &[Shape<A::Value>]) -> Option<Shape<A::Value>>;
}

/// The result for bits; what the interpreter asks.
pub(super) fn evaluate<C: Composed>(op: OpRef<'_>, operands: &[Shape<u64>]) -> Option<Shape<u64>> {
    let format = lane_format(op.context, op.operand_type(0))?;
    C::compute(&mut BitArithmetic(format), operands)
}

/// What an operation on constants folds to.
pub(super) fn fold<C: Composed>(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
    let operands: Vec<Shape<u64>> =
        constants.iter().map(|constant| Shape::of_constant(op.context, (*constant)?)).collect::<Option<_>>()?;
    let result = evaluate::<C>(op, &operands)?.to_constant(op.context, op.result_type(0))?;
    Some(vec![FoldResult::Constant(result)])
}

/// Arithmetic that makes operations, with the flags of the one that is expanded.
struct Emit<'b, 'a> {
    builder: &'b mut Builder<'a>,
    format: FloatFormat,
    flags: Option<Attribute>,
}

impl Emit<'_, '_> {
    fn result(&mut self, op: OpId) -> ValueId {
        if let Some(flags) = self.flags {
            let context = self.builder.context();
            self.builder.body_mut().set_property(context, op, "fastmath", Some(flags));
        }
        self.builder.body().result(op, 0)
    }
}

impl Arithmetic for Emit<'_, '_> {
    type Value = ValueId;
    fn one(&mut self) -> ValueId {
        let one = scalar_attribute(self.builder.context(), ScalarType::Float(self.format), self.format.one());
        let op = Constant::build(self.builder, one);
        self.builder.body().result(op, 0)
    }
    fn negate(&mut self, x: ValueId) -> ValueId {
        let op = NegF::build(self.builder, x);
        self.result(op)
    }
    fn add(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let op = AddF::build(self.builder, x, y);
        self.result(op)
    }
    fn subtract(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let op = SubF::build(self.builder, x, y);
        self.result(op)
    }
    fn multiply(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let op = MulF::build(self.builder, x, y);
        self.result(op)
    }
    fn divide(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let op = DivF::build(self.builder, x, y);
        self.result(op)
    }
    fn square_root(&mut self, x: ValueId) -> ValueId {
        let op = Sqrt::build(self.builder, x);
        self.result(op)
    }
}

/// Makes the scalar operations that the operation stands for, before it, and gives its result. Nothing if the operation
/// is not one that the verifier accepts; then nothing was made but extractions without uses.
pub(super) fn expand<C: Composed>(builder: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    builder.before(op);
    let view = builder.op(op);
    let format = lane_format(view.context, view.operand_type(0))?;
    let ty = view.result_type(0);
    let flags = view.property("fastmath").filter(|&flags| FastMath::decode(view.context, flags).is_some());
    let values: Vec<ValueId> = view.operands().collect();
    let operands: Vec<Shape<ValueId>> =
        values.into_iter().map(|value| take_apart(builder, value)).collect::<Option<_>>()?;
    let result = C::compute(&mut Emit { builder, format, flags }, &operands)?;
    Some(put_together(builder, &result, ty))
}

fn take_apart(builder: &mut Builder<'_>, value: ValueId) -> Option<Shape<ValueId>> {
    let context = builder.context();
    let ty = builder.body().value_type(value);
    let Some(count) = part_count(context, ty) else { return Some(Shape::Scalar(value)) };
    let count = i64::try_from(count).ok()?;
    let mut part = |path: &[i64]| {
        let op = Extract::at(builder, value, path);
        builder.body().result(op, 0)
    };
    Some(if ty.is::<MatrixType>(context) {
        Shape::Matrix((0..count).map(|column| (0..count).map(|row| part(&[column, row])).collect()).collect())
    } else {
        Shape::Vector((0..count).map(|lane| part(&[lane])).collect())
    })
}

fn put_together(builder: &mut Builder<'_>, shape: &Shape<ValueId>, ty: Type) -> ValueId {
    match shape {
        Shape::Scalar(value) => *value,
        Shape::Vector(lanes) => {
            let op = Build::build(builder, lanes, ty);
            builder.body().result(op, 0)
        }
        Shape::Matrix(columns) => {
            let column = ty.downcast::<MatrixType>(builder.context()).map_or(ty, |ty| ty.column(builder.context()));
            let columns: Vec<ValueId> = columns
                .iter()
                .map(|lanes| {
                    let op = Build::build(builder, lanes, column);
                    builder.body().result(op, 0)
                })
                .collect();
            let op = Build::build(builder, &columns, ty);
            builder.body().result(op, 0)
        }
    }
}

/// Implements what follows from the definition of an operation.
macro_rules! implement_composed {
    ($Op:ident, |$arithmetic:ident, $operands:ident| $compute:expr) => {
        impl crate::ops::linear::expand::Composed for $Op<'_> {
            fn compute<A: crate::semantics::composite::Arithmetic>(
                $arithmetic: &mut A,
                $operands: &[crate::ops::linear::Shape<A::Value>],
            ) -> Option<crate::ops::linear::Shape<A::Value>> {
                $compute
            }
        }

        impl fermata_ir::interfaces::FoldInterface for $Op<'_> {
            fn fold(
                op: fermata_ir::OpRef<'_>,
                constants: &[Option<fermata_ir::Attribute>],
            ) -> Option<Vec<fermata_ir::interfaces::FoldResult>> {
                crate::ops::linear::expand::fold::<Self>(op, constants)
            }
        }

        impl crate::interfaces::ExpandInterface for $Op<'_> {
            fn expand(builder: &mut fermata_ir::Builder<'_>, op: fermata_ir::OpId) -> Option<fermata_ir::ValueId> {
                crate::ops::linear::expand::expand::<Self>(builder, op)
            }

            fn evaluate(
                op: fermata_ir::OpRef<'_>,
                operands: &[crate::ops::linear::Shape<u64>],
            ) -> Option<crate::ops::linear::Shape<u64>> {
                crate::ops::linear::expand::evaluate::<Self>(op, operands)
            }
        }
    };
}

pub(super) use implement_composed;
