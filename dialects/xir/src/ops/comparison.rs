//! Comparison and selection.

use fermata_ir::body::OperationState;
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    FoldInterface, FoldModel, FoldResult, SyntaxInterface, SyntaxModel, VerifyInterface, VerifyModel,
};
use fermata_ir::rewrite::{CanonicalizeInterface, CanonicalizeModel, PatternSet};
use fermata_ir::text::{ParseResult, Parser, Printer};
use fermata_ir::{Attribute, Context, OpId, OpRef, Type, operation};
use smallvec::smallvec;

use super::elementwise::{implement_elementwise, operand_format, operand_width, result_scalar};
use crate::canonical::{comparison_patterns, select_patterns};
use crate::constraints::{BoolLike, BoolVector, FloatLike, IntegerLike, Value};
use crate::interfaces::ElementwiseModel;
use crate::semantics::{FloatPredicate, IntegerPredicate, IntegerWidth, ScalarFunction, ScalarType};
use crate::types::ElementwiseType;

const BIT: ScalarType = ScalarType::Integer(IntegerWidth::W1);

/// What a comparison of values of a type gives.
pub(crate) fn comparison_type(context: &Context, operand: Type) -> Option<Type> {
    Some(ElementwiseType::of(context, operand)?.with_scalar(BIT).ty(context))
}

/// Compares integers: the result is 1 if the predicate holds, else 0.
///
/// Predicates: `eq`, `ne`, signed `slt`, `sle`, `sgt`, `sge`, unsigned `ult`, `ule`, `ugt`, `uge`.
///
/// ```mlir
/// %0 = xir.cmpi slt, %a, %b : i32
/// %1 = xir.cmpi eq, %u, %v : vector<3xi32>
/// ```
#[operation(
    name = "xir.cmpi",
    traits = [PURE],
    interfaces = [Fold, Canonicalize, Elementwise],
    rules = [same(left, right), derived(result from left, comparison_type, "the i1 type shaped as")],
    format = "$predicate `,` $left `,` $right attr-dict `:` type($left)",
)]
pub struct CmpI {
    #[operand]
    left: IntegerLike,
    #[operand]
    right: IntegerLike,
    #[result]
    result: BoolLike,
    /// What holds if the result is 1.
    #[property]
    predicate: IntegerPredicate,
}

implement_elementwise!(CmpI, |op| {
    let predicate = op.property("predicate")?.downcast::<IntegerPredicate>(op.context)?;
    Some(ScalarFunction::CompareIntegers(*predicate, operand_width(op, 0)?))
});

/// Compares floats: the result is 1 if the predicate holds, else 0.
///
/// Predicates are ordered (`oeq`, `ogt`, `oge`, `olt`, `ole`, `one`, `ord`), which do not hold if an operand is a NaN, or
/// unordered (`ueq`, `ugt`, `uge`, `ult`, `ule`, `une`, `uno`), which do. Zeros of both signs are equal.
///
/// ```mlir
/// %0 = xir.cmpf olt, %x, %y : f32
/// ```
#[operation(
    name = "xir.cmpf",
    traits = [PURE],
    interfaces = [Fold, Canonicalize, Elementwise],
    rules = [same(left, right), derived(result from left, comparison_type, "the i1 type shaped as")],
    format = "$predicate `,` $left `,` $right attr-dict `:` type($left)",
)]
pub struct CmpF {
    #[operand]
    left: FloatLike,
    #[operand]
    right: FloatLike,
    #[result]
    result: BoolLike,
    /// What holds if the result is 1.
    #[property]
    predicate: FloatPredicate,
}

implement_elementwise!(CmpF, |op| {
    let predicate = op.property("predicate")?.downcast::<FloatPredicate>(op.context)?;
    Some(ScalarFunction::CompareFloats(*predicate, operand_format(op, 0)?))
});

/// Gives the second operand if the first is 1, else the third. A vector of `i1` selects lane by lane.
///
/// ```mlir
/// %0 = xir.select %c, %a, %b : f32
/// %1 = xir.select %m, %u, %v : vector<3xi1>, vector<3xf32>
/// ```
#[operation(
    name = "xir.select",
    traits = [PURE],
    interfaces = [Fold, Canonicalize, Elementwise, Syntax, Verify],
    rules = [same(on_true, on_false, result)],
)]
pub struct Select {
    #[operand]
    condition: BoolLike,
    #[operand]
    on_true: Value,
    #[operand]
    on_false: Value,
    #[result]
    result: Value,
}

implement_elementwise!(Select, |op| Some(ScalarFunction::Select(result_scalar(op)?)));

impl CanonicalizeInterface for CmpI<'_> {
    fn patterns(patterns: &mut PatternSet) {
        comparison_patterns("xir.cmpi", patterns);
    }
}

impl CanonicalizeInterface for CmpF<'_> {
    fn patterns(patterns: &mut PatternSet) {
        comparison_patterns("xir.cmpf", patterns);
    }
}

impl CanonicalizeInterface for Select<'_> {
    fn patterns(patterns: &mut PatternSet) {
        select_patterns(patterns);
    }
}

impl VerifyInterface for Select<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let (condition, result) = (op.operand_type(0), op.result_type(0));
        let fits =
            condition.vector_parts(op.context).is_none() || comparison_type(op.context, result) == Some(condition);
        if !fits {
            let message =
                "'xir.select' op a vector of conditions has as many lanes as the vectors that it selects from";
            diagnostics.report(Diagnostic::error("lane-count", op.location(), message));
        }
    }
}

impl SyntaxInterface for Select<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        let condition = parser.parse_operand()?;
        parser.expect(",")?;
        let on_true = parser.parse_operand()?;
        parser.expect(",")?;
        let on_false = parser.parse_operand()?;
        let attributes = parser.optional_attribute_dictionary()?;
        let (properties, attributes) = parser.split_properties(attributes);
        parser.expect(":")?;
        let first = parser.parse_type()?;
        let context = parser.context();
        let (mask, ty) =
            if parser.optional(",") { (first, parser.parse_type()?) } else { (Type::integer(context, 1), first) };
        let operands =
            smallvec![parser.resolve(&condition, mask)?, parser.resolve(&on_true, ty)?, parser.resolve(&on_false, ty)?];
        parser.create_op(OperationState {
            operands,
            results: smallvec![ty],
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
        if op.operand_type(0).vector_parts(op.context).is_some() {
            printer.ty(op.operand_type(0));
            printer.write(", ");
        }
        printer.ty(op.result_type(0));
    }
}

/// Whether a lane of a vector of `i1` is 1.
///
/// ```mlir
/// %0 = xir.any %m : vector<3xi1>
/// ```
#[operation(
    name = "xir.any",
    traits = [PURE],
    interfaces = [Fold],
    format = "$operand attr-dict `:` type($operand)",
)]
pub struct Any {
    #[operand]
    operand: BoolVector,
    #[result(only)]
    result: crate::constraints::Bool,
}

/// Whether all lanes of a vector of `i1` are 1.
///
/// ```mlir
/// %0 = xir.all %m : vector<3xi1>
/// ```
#[operation(
    name = "xir.all",
    traits = [PURE],
    interfaces = [Fold],
    format = "$operand attr-dict `:` type($operand)",
)]
pub struct All {
    #[operand]
    operand: BoolVector,
    #[result(only)]
    result: crate::constraints::Bool,
}

/// What [`Any`] and [`All`] fold to: the reduction of constant lanes.
fn fold_reduction(
    op: OpRef<'_>,
    constants: &[Option<Attribute>],
    reduce: fn(&[u64]) -> bool,
) -> Option<Vec<FoldResult>> {
    let lanes = crate::constant::lanes(op.context, (*constants.first()?)?)?;
    Some(vec![FoldResult::Constant(crate::constant::bool_attribute(op.context, reduce(&lanes)))])
}

impl FoldInterface for Any<'_> {
    fn fold(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        fold_reduction(op, constants, |lanes| lanes.contains(&1))
    }
}

impl FoldInterface for All<'_> {
    fn fold(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        fold_reduction(op, constants, |lanes| !lanes.contains(&0))
    }
}
