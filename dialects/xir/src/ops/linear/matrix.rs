//! Operations on matrices.

use fermata_ir::body::OperationState;
use fermata_ir::builder::Builder;
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{FoldModel, SyntaxInterface, SyntaxModel, VerifyInterface, VerifyModel};
use fermata_ir::text::{ParseResult, Parser, Printer};
use fermata_ir::{Context, OpId, OpRef, Type, ValueId, operation};
use smallvec::smallvec;

use super::Shape;
use super::expand::implement_composed;
use crate::attributes::FastMath;
use crate::constraints::{FloatScalar, Matrix, MatrixOrVector};
use crate::interfaces::ExpandModel;
use crate::semantics::composite::{
    determinant, inverse, matrix_by_matrix, matrix_by_scalar, matrix_by_vector, transpose, vector_by_matrix,
};
use crate::types::MatrixType;

/// The product of two matrices, of a matrix and a column vector, or of a row vector and a matrix.
///
/// Products are added up from the first column of the left operand to the last.
///
/// ```mlir
/// %0 = xir.matmul %m, %n : !xir.matrix<f32, 3>, !xir.matrix<f32, 3>
/// %1 = xir.matmul %m, %v : !xir.matrix<f32, 3>, vector<3xf32>
/// %2 = xir.matmul %v, %m : vector<3xf32>, !xir.matrix<f32, 3>
/// ```
#[operation(name = "xir.matmul", traits = [PURE], interfaces = [Fold, Expand, Syntax, Verify])]
pub struct MatMul {
    #[operand]
    left: MatrixOrVector,
    #[operand]
    right: MatrixOrVector,
    #[result]
    result: MatrixOrVector,
    /// What the front end allows.
    #[property(optional)]
    fastmath: FastMath,
}

implement_composed!(MatMul, |arithmetic, operands| Some(match operands {
    [Shape::Matrix(left), Shape::Matrix(right)] => Shape::Matrix(matrix_by_matrix(arithmetic, left, right)),
    [Shape::Matrix(left), Shape::Vector(right)] => Shape::Vector(matrix_by_vector(arithmetic, left, right)),
    [Shape::Vector(left), Shape::Matrix(right)] => Shape::Vector(vector_by_matrix(arithmetic, left, right)),
    _ => return None,
}));

/// The type of the product of a matrix or vector and another, one of which at least is a matrix.
#[must_use]
pub fn product_type(context: &Context, left: Type, right: Type) -> Option<Type> {
    match (left.downcast::<MatrixType>(context), right.downcast::<MatrixType>(context)) {
        (Some(left_matrix), Some(right_matrix)) => (left_matrix == right_matrix).then_some(left),
        (Some(matrix), None) => (matrix.column(context) == right).then_some(right),
        (None, Some(matrix)) => (matrix.column(context) == left).then_some(left),
        (None, None) => None,
    }
}

impl MatMul<'_> {
    /// Creates a product.
    ///
    /// # Panics
    /// If the operands cannot be multiplied.
    pub fn of(builder: &mut Builder<'_>, left: ValueId, right: ValueId) -> OpId {
        let types = [left, right].map(|value| builder.body().value_type(value));
        let ty = product_type(builder.context(), types[0], types[1]);
        Self::build(builder, left, right, ty.expect("a product is made of what can be multiplied"))
    }
}

impl VerifyInterface for MatMul<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        if product_type(op.context, op.operand_type(0), op.operand_type(1)) != Some(op.result_type(0)) {
            let message = "'xir.matmul' op the operands are a matrix and a matrix or vector that fits it, and the \
                           result is of the type of their product";
            diagnostics.report(Diagnostic::error("product-type", op.location(), message));
        }
    }
}

impl SyntaxInterface for MatMul<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        let left = parser.parse_operand()?;
        parser.expect(",")?;
        let right = parser.parse_operand()?;
        let dictionary = parser.optional_attribute_dictionary()?;
        let (properties, attributes) = parser.split_properties(dictionary);
        parser.expect(":")?;
        let span = parser.span();
        let left_type = parser.parse_type()?;
        parser.expect(",")?;
        let right_type = parser.parse_type()?;
        let Some(result) = product_type(parser.context(), left_type, right_type) else {
            return Err(parser.error(
                span,
                "product-type",
                "a matrix and a matrix or vector that fits it are multiplied",
            ));
        };
        let operands = smallvec![parser.resolve(&left, left_type)?, parser.resolve(&right, right_type)?];
        parser.create_op(OperationState {
            operands,
            results: smallvec![result],
            properties,
            attributes,
            ..OperationState::new(parser.operation_name(), parser.location())
        })
    }

    fn print(op: OpRef<'_>, printer: &mut Printer<'_>) {
        printer.write(" ");
        printer.values(op.operands());
        printer.attribute_dictionary(op, &[]);
        printer.write(" : ");
        printer.list(op.operands(), |printer, operand| printer.ty(op.type_of(operand)));
    }
}

/// The type of the lanes of a matrix.
fn lane_type(context: &Context, matrix: Type) -> Option<Type> {
    matrix.downcast::<MatrixType>(context).map(|matrix| matrix.element)
}

/// Each lane of a matrix multiplied by a scalar.
///
/// ```mlir
/// %0 = xir.matrix_scale %m, %x : !xir.matrix<f32, 3>
/// ```
#[operation(
    name = "xir.matrix_scale",
    traits = [PURE],
    interfaces = [Fold, Expand],
    rules = [same(matrix, result), derived(scalar from matrix, lane_type, "the type of the lanes of")],
    format = "$matrix `,` $scalar attr-dict `:` type($result)",
)]
pub struct MatrixScale {
    #[operand]
    matrix: Matrix,
    #[operand]
    scalar: FloatScalar,
    #[result]
    result: Matrix,
    /// What the front end allows.
    #[property(optional)]
    fastmath: FastMath,
}

implement_composed!(MatrixScale, |arithmetic, operands| {
    let [matrix, scalar] = operands else { return None };
    Some(Shape::Matrix(matrix_by_scalar(arithmetic, matrix.matrix()?, scalar.scalar()?)))
});

/// A matrix with rows and columns exchanged.
///
/// ```mlir
/// %0 = xir.transpose %m : !xir.matrix<f32, 3>
/// ```
#[operation(
    name = "xir.transpose",
    traits = [PURE, INVOLUTION],
    interfaces = [Fold, Expand],
    rules = [same(operand, result)],
    format = "$operand attr-dict `:` type($result)",
)]
pub struct Transpose {
    #[operand]
    operand: Matrix,
    #[result]
    result: Matrix,
}

implement_composed!(Transpose, |_arithmetic, operands| {
    let [operand] = operands else { return None };
    Some(Shape::Matrix(transpose(operand.matrix()?)))
});

/// The inverse of a matrix: its cofactors times the rounded quotient of 1 and its determinant. What has no inverse gives
/// infinities or NaNs.
///
/// ```mlir
/// %0 = xir.inverse %m : !xir.matrix<f32, 3>
/// ```
#[operation(
    name = "xir.inverse",
    traits = [PURE],
    interfaces = [Fold, Expand],
    rules = [same(operand, result)],
    format = "$operand attr-dict `:` type($result)",
)]
pub struct Inverse {
    #[operand]
    operand: Matrix,
    #[result]
    result: Matrix,
    /// What the front end allows.
    #[property(optional)]
    fastmath: FastMath,
}

implement_composed!(Inverse, |arithmetic, operands| {
    let [operand] = operands else { return None };
    Some(Shape::Matrix(inverse(arithmetic, operand.matrix()?)))
});

/// The determinant of a matrix, expanded along the first row.
///
/// ```mlir
/// %0 = xir.determinant %m : !xir.matrix<f32, 3>
/// ```
#[operation(
    name = "xir.determinant",
    traits = [PURE],
    interfaces = [Fold, Expand],
    rules = [derived(result from operand, lane_type, "the type of the lanes of")],
    format = "$operand attr-dict `:` type($operand)",
)]
pub struct Determinant {
    #[operand]
    operand: Matrix,
    #[result]
    result: FloatScalar,
    /// What the front end allows.
    #[property(optional)]
    fastmath: FastMath,
}

implement_composed!(Determinant, |arithmetic, operands| {
    let [operand] = operands else { return None };
    Some(Shape::Scalar(determinant(arithmetic, operand.matrix()?)))
});
