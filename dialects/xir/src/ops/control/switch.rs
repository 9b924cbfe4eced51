//! Branches to one of many blocks.

use fermata_ir::attributes::Dictionary;
use fermata_ir::body::OperationState;
use fermata_ir::builder::Builder;
use fermata_ir::constraints::{AnyType, DenseI32Attribute};
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    BranchInterface, BranchModel, SuccessorOperands, SyntaxInterface, SyntaxModel, VerifyInterface, VerifyModel,
};
use fermata_ir::operation::AttributeConstraint;
use fermata_ir::text::{ParseResult, Parser, Printer};
use fermata_ir::{Attribute, BlockId, OpId, OpRef, ValueId, operation};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

use super::verify_forwarded;
use crate::constant;
use crate::constraints::{IntegerScalar, Numbers};
use crate::semantics::{IntegerWidth, ScalarType};

/// Goes to the block of the case that the selector equals, or to the default block.
///
/// Case values are distinct numbers of the selector's width, written as signed ones; of `i1` as 0 and 1.
///
/// ```mlir
/// xir.switch_br %x : i32, [default: ^bb1, 0: ^bb2(%y : f32), -1: ^bb3]
/// ```
#[operation(
    name = "xir.switch_br",
    traits = [PURE, TERMINATOR],
    interfaces = [Branch, Syntax, Verify],
)]
pub struct SwitchBr {
    #[operand]
    selector: IntegerScalar,
    #[operand(variadic)]
    default_operands: AnyType,
    /// What the cases forward, one after the other.
    #[operand(variadic)]
    case_operands: AnyType,
    /// The values, in the order of the case blocks.
    #[property]
    case_values: Numbers,
    /// How many operands each case forwards.
    #[property]
    case_operand_segments: DenseI32Attribute,
    #[successor]
    default_block: AnyBlock,
    #[successor(variadic)]
    case_blocks: AnyBlock,
}

/// One case of a [`SwitchBr`].
#[derive(Clone, Debug)]
pub struct SwitchCase {
    /// The selector's value.
    pub value: i64,
    /// Where it leads.
    pub block: BlockId,
    /// What is passed to the block.
    pub operands: Vec<ValueId>,
}

const DEFAULT_GROUP: usize = 1;
const CASE_GROUP: usize = 2;

/// How many operands each case forwards.
fn segments(op: OpRef<'_>) -> Vec<usize> {
    let sizes = op.property("case_operand_segments").and_then(|sizes| {
        let sizes: Vec<usize> =
            sizes.dense_i32_values(op.context)?.map(|size| usize::try_from(size).unwrap_or(0)).collect();
        Some(sizes)
    });
    sizes.unwrap_or_default()
}

fn case_values(op: OpRef<'_>) -> Vec<i64> {
    op.property("case_values").and_then(|values| Numbers::decode(op.context, values)).unwrap_or_default()
}

/// A case value as it is written: signed, but 0 and 1 for `i1`.
fn canonical(width: IntegerWidth, bits: u64) -> i64 {
    if width == IntegerWidth::W1 { (bits & 1).cast_signed() } else { width.sign_extend(bits) }
}

impl SwitchBr<'_> {
    /// Creates a switch with cases.
    pub fn with_cases(
        builder: &mut Builder<'_>,
        selector: ValueId,
        default_block: BlockId,
        default_operands: &[ValueId],
        cases: &[SwitchCase],
    ) -> OpId {
        let operands: Vec<ValueId> = cases.iter().flat_map(|case| case.operands.iter().copied()).collect();
        let values = cases.iter().map(|case| case.value).collect();
        let sizes = segment_sizes(cases.iter().map(|case| case.operands.len()));
        let blocks: Vec<BlockId> = cases.iter().map(|case| case.block).collect();
        Self::build(builder, selector, default_operands, &operands, values, sizes.into(), default_block, &blocks)
    }

    /// The cases in order.
    pub fn cases(&self) -> Vec<SwitchCase> {
        let op = self.0;
        let values = case_values(op).into_iter();
        values
            .zip(op.successors().skip(1))
            .enumerate()
            .map(|(index, (value, block))| {
                let forwarded = <Self as BranchInterface>::successor_operands(op, index + 1).forwarded;
                SwitchCase { value, block, operands: forwarded.map(|operand| op.operand(operand)).collect() }
            })
            .collect()
    }
}

impl BranchInterface for SwitchBr<'_> {
    fn successor_operands(op: OpRef<'_>, index: usize) -> SuccessorOperands {
        let Some(case) = index.checked_sub(1) else {
            return SuccessorOperands { produced: 0, forwarded: op.operand_group(DEFAULT_GROUP) };
        };
        let group = op.operand_group(CASE_GROUP);
        let sizes = segments(op);
        let start = (group.start + sizes.iter().take(case).sum::<usize>()).min(group.end);
        let end = (start + sizes.get(case).copied().unwrap_or(0)).min(group.end);
        SuccessorOperands { produced: 0, forwarded: start..end }
    }

    fn properties_for_counts(op: OpRef<'_>, counts: &[usize]) -> Dictionary {
        let (&default, cases) = counts.split_first().expect("a switch has a default block");
        let all: usize = cases.iter().sum();
        let groups = [1, default, all].map(|count| i32::try_from(count).expect("operands are fewer than 2^31"));
        let sizes: Vec<i32> =
            cases.iter().map(|&count| i32::try_from(count).expect("operands are fewer than 2^31")).collect();
        op.properties().with(op.context, "operandSegmentSizes", Some(Attribute::dense_i32(op.context, &groups))).with(
            op.context,
            "case_operand_segments",
            Some(Attribute::dense_i32(op.context, &sizes)),
        )
    }

    fn taken_successor(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Option<usize> {
        let bits = constant::scalar(op.context, (*operands.first()?)?)?;
        let width = ScalarType::of(op.context, op.operand_type(0))?.integer()?;
        let selector = canonical(width, bits);
        let case = case_values(op).iter().position(|&value| value == selector);
        Some(case.map_or(0, |case| case + 1))
    }
}

impl VerifyInterface for SwitchBr<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let Some(width) = ScalarType::of(op.context, op.operand_type(0)).and_then(ScalarType::integer) else { return };
        let mut report = |code, message: String| {
            diagnostics.report(Diagnostic::error(code, op.location(), format!("'xir.switch_br' op {message}")));
        };
        let values = case_values(op);
        let cases = op.successors().len() - 1;
        if values.len() != cases {
            report(
                "switch-cases",
                format!("the number of case blocks is {cases}, but that of case values is {}", values.len()),
            );
        }
        let sizes = segments(op);
        if sizes.len() != cases || sizes.iter().sum::<usize>() != op.operand_group(CASE_GROUP).len() {
            report("switch-segments", "'case_operand_segments' has the number of operands of each case".to_owned());
        }
        let mut seen = FxHashSet::default();
        for value in values {
            if canonical(width, value.cast_unsigned()) != value {
                report("switch-value", format!("the case value {value} is out of range of the selector's type"));
            }
            if !seen.insert(value) {
                report("switch-value", format!("the case value {value} is there twice"));
            }
        }
        verify_forwarded(op, diagnostics);
    }
}

/// What an edge passes, as read.
type Edge = (BlockId, SmallVec<[ValueId; 4]>);

fn parse_edge(parser: &mut Parser<'_, '_>) -> ParseResult<Edge> {
    let block = parser.parse_successor()?;
    let mut values = smallvec![];
    if parser.at("(") {
        parser.comma_list("(", ")", |parser| {
            let operand = parser.parse_operand()?;
            parser.expect(":")?;
            let ty = parser.parse_type()?;
            values.push(parser.resolve(&operand, ty)?);
            Ok(())
        })?;
    }
    Ok((block, values))
}

impl SyntaxInterface for SwitchBr<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        let context = parser.context();
        let selector = parser.parse_operand()?;
        parser.expect(":")?;
        let ty = parser.parse_type()?;
        let selector = parser.resolve(&selector, ty)?;
        parser.expect(",")?;
        let mut default = None;
        let mut values = Vec::new();
        let mut cases: Vec<Edge> = Vec::new();
        parser.comma_list("[", "]", |parser| {
            if default.is_none() {
                parser.keyword("default")?;
                parser.expect(":")?;
                default = Some(parse_edge(parser)?);
                return Ok(());
            }
            values.push(parser.parse_signed()?);
            parser.expect(":")?;
            cases.push(parse_edge(parser)?);
            Ok(())
        })?;
        let span = parser.span();
        let Some((default_block, default_operands)) = default else {
            return Err(parser.error(span, "switch-cases", "a switch has a default block"));
        };
        let dictionary = parser.optional_attribute_dictionary()?;
        let (properties, attributes) = parser.split_properties(dictionary);
        let case_operands: usize = cases.iter().map(|(_, operands)| operands.len()).sum();
        let groups = segment_sizes([1, default_operands.len(), case_operands]);
        let segments = segment_sizes(cases.iter().map(|(_, operands)| operands.len()));
        let properties = properties
            .with(context, "operandSegmentSizes", Some(DenseI32Attribute::encode(context, groups.into())))
            .with(context, "case_operand_segments", Some(DenseI32Attribute::encode(context, segments.into())))
            .with(context, "case_values", Some(Numbers::encode(context, values)));
        let mut operands = smallvec![selector];
        operands.extend(default_operands);
        let mut successors = smallvec![default_block];
        for (block, values) in cases {
            successors.push(block);
            operands.extend(values);
        }
        parser.create_op(OperationState {
            operands,
            properties,
            attributes,
            successors,
            ..OperationState::new(parser.operation_name(), parser.location())
        })
    }

    fn print(op: OpRef<'_>, printer: &mut Printer<'_>) {
        printer.write(" ");
        printer.value(op.operand(0));
        printer.write(" : ");
        printer.ty(op.operand_type(0));
        printer.write(", [");
        let values = case_values(op);
        let labels = std::iter::once(None).chain(values.into_iter().map(Some));
        printer.list(op.successors().zip(labels).enumerate(), |printer, (index, (block, label))| {
            match label {
                None => printer.write("default"),
                Some(value) => printer.display(value),
            }
            printer.write(": ");
            printer.block(block);
            let forwarded = <Self as BranchInterface>::successor_operands(op, index).forwarded;
            if !forwarded.is_empty() {
                printer.write("(");
                printer.list(forwarded, |printer, operand| {
                    printer.value(op.operand(operand));
                    printer.write(" : ");
                    printer.ty(op.operand_type(operand));
                });
                printer.write(")");
            }
        });
        printer.write("]");
        printer.attribute_dictionary(op, &["operandSegmentSizes", "case_operand_segments", "case_values"]);
    }
}

fn segment_sizes(sizes: impl IntoIterator<Item = usize>) -> Vec<i32> {
    sizes.into_iter().map(|size| i32::try_from(size).expect("an operation has fewer than 2^31 operands")).collect()
}
