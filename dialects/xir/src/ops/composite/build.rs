//! Making composite values.

use fermata_ir::body::OperationState;
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    FoldInterface, FoldModel, FoldResult, SyntaxInterface, SyntaxModel, VerifyInterface, VerifyModel,
};
use fermata_ir::text::{ParseResult, Parser, Printer};
use fermata_ir::{Attribute, OpId, OpRef, OperationView, ValueId, operation};
use smallvec::smallvec;

use super::Extract;
use crate::constant;
use crate::constraints::{Composite, Scalar, Value, Vector};
use crate::types::{ElementwiseType, part_count, part_type, uniform_part_type};

/// Makes a vector of its lanes, a matrix of its columns, an array of its elements, a structure of its members.
///
/// ```mlir
/// %0 = xir.build %x, %y, %z : vector<3xf32>
/// %1 = xir.build %n, %0 : !xir.struct<"S", [i32, vector<3xf32>]>
/// ```
#[operation(name = "xir.build", traits = [PURE], interfaces = [Fold, Syntax, Verify])]
pub struct Build {
    #[operand(variadic)]
    parts: Value,
    #[result]
    result: Composite,
}

impl VerifyInterface for Build<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let (context, ty) = (op.context, op.result_type(0));
        let mut report = |code, message: String| {
            diagnostics.report(Diagnostic::error(code, op.location(), format!("'xir.build' op {message}")));
        };
        let count = part_count(context, ty).unwrap_or(0);
        if count != op.operand_count() as u64 {
            report(
                "part-count",
                format!("the type has {count} parts, but the number of operands is {}", op.operand_count()),
            );
            return;
        }
        for index in 0..op.operand_count() {
            if part_type(context, ty, index as u64) != Some(op.operand_type(index)) {
                report("part-type", format!("part {index} is not of the type that the result has there"));
            }
        }
    }
}

impl FoldInterface for Build<'_> {
    fn fold(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let ty = op.result_type(0);
        if let Some(parts) = constants.iter().copied().collect::<Option<Vec<Attribute>>>() {
            return Some(vec![FoldResult::Constant(constant::aggregate(op.context, ty, &parts)?)]);
        }
        taken_apart(op).map(|whole| vec![FoldResult::Value(whole)])
    }
}

/// The value of the same type whose parts are put together again in their order.
fn taken_apart(op: OpRef<'_>) -> Option<ValueId> {
    let mut whole = None;
    for (index, part) in op.operands().enumerate() {
        let extract = Extract::cast(op.defining(part)?)?;
        if extract.path() != [i64::try_from(index).ok()?] || whole.is_some_and(|whole| whole != extract.composite()) {
            return None;
        }
        whole = Some(extract.composite());
    }
    whole.filter(|&whole| op.type_of(whole) == op.result_type(0))
}

impl SyntaxInterface for Build<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        let mut parts = vec![parser.parse_operand()?];
        while parser.optional(",") {
            parts.push(parser.parse_operand()?);
        }
        let attributes = parser.optional_attribute_dictionary()?;
        let (properties, attributes) = parser.split_properties(attributes);
        parser.expect(":")?;
        let span = parser.span();
        let ty = parser.parse_type()?;
        let context = parser.context();
        let mut operands = smallvec![];
        for (index, part) in parts.iter().enumerate() {
            let Some(part_type) = part_type(context, ty, index as u64) else {
                let message = "this is no vector, matrix, array or structure of so many parts";
                return Err(parser.error(span, "part-count", message));
            };
            operands.push(parser.resolve(part, part_type)?);
        }
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
        printer.ty(op.result_type(0));
    }
}

/// A vector whose lanes are all the operand.
///
/// ```mlir
/// %0 = xir.splat %x : vector<3xf32>
/// ```
#[operation(
    name = "xir.splat",
    traits = [PURE],
    interfaces = [Fold],
    rules = [derived(operand from result, uniform_part_type, "the type of the lanes of")],
    format = "$operand attr-dict `:` type($result)",
)]
pub struct Splat {
    #[operand]
    operand: Scalar,
    #[result]
    result: Vector,
}

impl FoldInterface for Splat<'_> {
    fn fold(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let bits = constant::scalar(op.context, (*constants.first()?)?)?;
        let ty = ElementwiseType::of(op.context, op.result_type(0))?;
        Some(vec![FoldResult::Constant(constant::splat_attribute(op.context, ty, bits))])
    }
}
