//! References to parts.

use fermata_ir::body::OperationState;
use fermata_ir::builder::Builder;
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    DestructurableAccessModel, FoldInterface, FoldModel, FoldResult, SyntaxInterface, SyntaxModel, VerifyInterface,
    VerifyModel, constant_value,
};
use fermata_ir::operation::AttributeConstraint;
use fermata_ir::rewrite::{CanonicalizeInterface, CanonicalizeModel, NoMatch, PatternSet, RewriteResult};
use fermata_ir::text::{ParseResult, Parser, Printer};
use fermata_ir::{Attribute, Context, OpId, OpRef, OperationView, Type, ValueId, operation};
use smallvec::smallvec;

use super::pointee;
use crate::constant;
use crate::constraints::{Index, Numbers, Reference};
use crate::types::{RefType, part_count, part_type, uniform_part_type};

/// Stands in the path of a [`Gep`] for an index that is an operand.
pub const DYNAMIC: i64 = i64::MIN;

/// A reference to a part of what a reference leads to: a lane, a column, an element, a member.
///
/// An index is a constant, which is in range, or a value of type `i32`. A value is read as an unsigned number, and one
/// that is past the end means the last part; it cannot pick members of a structure. In the generic form the number
/// -9223372036854775808 in the path stands for the next operand.
///
/// ```mlir
/// %q = xir.gep %p[%i, 2] : !xir.ref<!xir.array<vector<3xf32>, 4>, local>
/// ```
#[operation(
    name = "xir.gep",
    traits = [PURE],
    interfaces = [Fold, Canonicalize, DestructurableAccess, Syntax, Verify],
)]
pub struct Gep {
    #[operand]
    base: Reference,
    /// The indices that are no constants, in their order.
    #[operand(variadic)]
    indices: Index,
    #[result]
    result: Reference,
    /// All indices, the outermost first.
    #[property]
    path: Numbers,
}

/// One index of a [`Gep`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GepIndex {
    /// A constant.
    Constant(i64),
    /// A value of type `i32`.
    Value(ValueId),
}

/// The type that a path leads to. Values lead to any part of what has parts of one type.
fn target_type(context: &Context, pointee: Type, path: &[i64]) -> Option<Type> {
    path.iter().try_fold(pointee, |ty, &index| match index {
        DYNAMIC => uniform_part_type(context, ty),
        index => part_type(context, ty, u64::try_from(index).ok()?),
    })
}

impl Gep<'_> {
    /// Creates a reference to a part.
    ///
    /// # Panics
    /// If `base` is no reference or has no such part.
    pub fn at(builder: &mut Builder<'_>, base: ValueId, indices: &[GepIndex]) -> OpId {
        let (path, values) = split(indices);
        let context = builder.context();
        let reference = builder.body().value_type(base).downcast::<RefType>(context);
        let reference = reference.expect("a part is taken of what a reference leads to");
        let target =
            target_type(context, reference.pointee, &path).expect("a reference is made to a part that is there");
        let ty = RefType::get(context, target, reference.space);
        Self::build(builder, base, &values, ty, path)
    }

    /// The indices in order.
    pub fn index_list(&self) -> Vec<GepIndex> {
        let mut values = self.indices();
        let index = |index| match index {
            DYNAMIC => values.next().map(GepIndex::Value),
            index => Some(GepIndex::Constant(index)),
        };
        self.path().into_iter().filter_map(index).collect()
    }
}

fn split(indices: &[GepIndex]) -> (Vec<i64>, Vec<ValueId>) {
    let mut values = Vec::new();
    let mut place = |&index: &GepIndex| match index {
        GepIndex::Constant(index) => index,
        GepIndex::Value(value) => {
            values.push(value);
            DYNAMIC
        }
    };
    let path = indices.iter().map(&mut place).collect();
    (path, values)
}

impl VerifyInterface for Gep<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let path = op.property("path").and_then(|path| Numbers::decode(op.context, path)).unwrap_or_default();
        let (base, result) = (op.operand_type(0), op.result_type(0));
        let (Some(base), Some(result)) = (base.downcast::<RefType>(op.context), result.downcast::<RefType>(op.context))
        else {
            return;
        };
        let dynamic = path.iter().filter(|&&index| index == DYNAMIC).count();
        let (code, message) = if path.is_empty() {
            ("part-index", "a path has an index at least")
        } else if dynamic != op.operand_count() - 1 {
            ("part-count", "there is an operand for each index of the path that is no constant")
        } else {
            match target_type(op.context, base.pointee, &path) {
                None => ("part-index", "the path leads to no part of the type"),
                Some(ty) if ty != result.pointee || base.space != result.space => {
                    ("part-type", "the result is no reference to the part that the path leads to")
                }
                Some(_) => return,
            }
        };
        diagnostics.report(Diagnostic::error(code, op.location(), format!("'xir.gep' op {message}")));
    }
}

impl FoldInterface for Gep<'_> {
    fn fold(op: OpRef<'_>, _constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let gep = Gep::cast(op)?;
        gep.path().is_empty().then(|| vec![FoldResult::Value(gep.base())])
    }
}

impl CanonicalizeInterface for Gep<'_> {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("gep-of-gep", "xir.gep", gep_of_gep);
        patterns.add_function("gep-at-constant", "xir.gep", gep_at_constant);
    }
}

/// A part of a part is one path.
fn gep_of_gep(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let outer = Gep::cast(view).ok_or(NoMatch("it is no reference to a part"))?;
    let inner = view.defining(outer.base()).and_then(Gep::cast).ok_or(NoMatch("the base is no reference to a part"))?;
    if inner.op().id == op {
        return Err(NoMatch("the operation is its own base, which only unreachable code can say"));
    }
    let mut indices = inner.index_list();
    indices.extend(outer.index_list());
    let base = inner.base();
    replace_with(op, base, &indices, builder);
    Ok(())
}

/// A constant index stands in the path.
fn gep_at_constant(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let gep = Gep::cast(view).ok_or(NoMatch("it is no reference to a part"))?;
    let mut ty = pointee(view.context, view.operand_type(0)).ok_or(NoMatch("the base is no reference"))?;
    let mut indices = gep.index_list();
    let mut changed = false;
    for index in &mut indices {
        let part = match *index {
            GepIndex::Constant(index) => u64::try_from(index).ok().and_then(|index| part_type(view.context, ty, index)),
            GepIndex::Value(value) => {
                let known = constant_value(view.context, view.body, value)
                    .and_then(|constant| constant::scalar(view.context, constant));
                if let (Some(known), Some(count)) = (known, part_count(view.context, ty)) {
                    *index = GepIndex::Constant(known.min(count - 1).cast_signed());
                    changed = true;
                }
                uniform_part_type(view.context, ty)
            }
        };
        ty = part.ok_or(NoMatch("the path leads nowhere"))?;
    }
    if !changed {
        return Err(NoMatch("no index is a constant"));
    }
    let base = gep.base();
    replace_with(op, base, &indices, builder);
    Ok(())
}

fn replace_with(op: OpId, base: ValueId, indices: &[GepIndex], builder: &mut Builder<'_>) {
    let replacement = Gep::at(builder, base, indices);
    let result = builder.body().result(replacement, 0);
    builder.replace_op(op, &[result]);
}

impl SyntaxInterface for Gep<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        let context = parser.context();
        let base = parser.parse_operand()?;
        let path_span = parser.span();
        let (mut path, mut values) = (Vec::new(), Vec::new());
        parser.comma_list("[", "]", |parser| {
            if parser.at_operand() {
                values.push(parser.parse_operand()?);
                path.push(DYNAMIC);
            } else {
                let span = parser.span();
                let index: i64 = parser.parse_signed()?;
                if index < 0 {
                    return Err(parser.error(span, "part-index", "an index is not negative"));
                }
                path.push(index);
            }
            Ok(())
        })?;
        let dictionary = parser.optional_attribute_dictionary()?;
        let (properties, attributes) = parser.split_properties(dictionary);
        parser.expect(":")?;
        let type_span = parser.span();
        let ty = parser.parse_type()?;
        let Some(reference) = ty.downcast::<RefType>(context) else {
            return Err(parser.error(type_span, "operand-type", "this is no reference type"));
        };
        let target = target_type(context, reference.pointee, &path).filter(|_| !path.is_empty());
        let Some(target) = target else {
            return Err(parser.error(path_span, "part-index", "the path leads to no part of the type"));
        };
        let mut operands = smallvec![parser.resolve(&base, ty)?];
        for value in &values {
            operands.push(parser.resolve(value, Type::integer(context, 32))?);
        }
        parser.create_op(OperationState {
            operands,
            results: smallvec![RefType::get(context, target, reference.space)],
            properties: properties.with(context, "path", Some(Numbers::encode(context, path))),
            attributes,
            ..OperationState::new(parser.operation_name(), parser.location())
        })
    }

    fn print(op: OpRef<'_>, printer: &mut Printer<'_>) {
        printer.write(" ");
        printer.value(op.operand(0));
        printer.write("[");
        let indices = Gep::cast(op).map(|gep| gep.index_list()).unwrap_or_default();
        printer.list(indices, |printer, index| match index {
            GepIndex::Constant(index) => printer.display(index),
            GepIndex::Value(value) => printer.value(value),
        });
        printer.write("]");
        printer.attribute_dictionary(op, &["path"]);
        printer.write(" : ");
        printer.ty(op.operand_type(0));
    }
}
