//! Parts at constant indices.

use fermata_ir::body::OperationState;
use fermata_ir::builder::Builder;
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    FoldInterface, FoldModel, FoldResult, SyntaxInterface, SyntaxModel, VerifyInterface, VerifyModel,
};
use fermata_ir::operation::AttributeConstraint;
use fermata_ir::rewrite::{CanonicalizeInterface, CanonicalizeModel, NoMatch, PatternSet, RewriteResult};
use fermata_ir::text::{ParseResult, Parser, Printer};
use fermata_ir::{Attribute, Context, Dictionary, OpId, OpRef, OperationView, Type, ValueId, operation};
use smallvec::smallvec;

use super::trace::trace;
use super::{Build, path_type};
use crate::constant;
use crate::constraints::{Composite, Numbers, Value};
use crate::types::part_count;

/// The part of a value that a path of constant indices leads to: of lanes, columns, elements, members.
///
/// ```mlir
/// %0 = xir.extract %s[1, 0] : !xir.struct<"S", [i32, vector<3xf32>]>
/// ```
#[operation(name = "xir.extract", traits = [PURE], interfaces = [Fold, Canonicalize, Syntax, Verify])]
pub struct Extract {
    #[operand]
    composite: Composite,
    #[result]
    result: Value,
    /// The indices, the outermost first; each is in range.
    #[property]
    path: Numbers,
}

/// A value with the part that a path of constant indices leads to replaced.
///
/// ```mlir
/// %0 = xir.insert %x, %s[1, 0] : !xir.struct<"S", [i32, vector<3xf32>]>
/// ```
#[operation(
    name = "xir.insert",
    traits = [PURE],
    interfaces = [Fold, Canonicalize, Syntax, Verify],
    rules = [same(composite, result)],
)]
pub struct Insert {
    /// What the part is in the result.
    #[operand]
    value: Value,
    #[operand]
    composite: Composite,
    #[result]
    result: Composite,
    /// The indices, the outermost first; each is in range.
    #[property]
    path: Numbers,
}

impl Extract<'_> {
    /// Creates an extraction.
    ///
    /// # Panics
    /// If the type of `composite` has no such part.
    pub fn at(builder: &mut Builder<'_>, composite: ValueId, path: &[i64]) -> OpId {
        let ty = path_type(builder.context(), builder.body().value_type(composite), path);
        Self::build(builder, composite, ty.expect("an extraction is made of a part that is there"), path.to_vec())
    }
}

/// Checks that a path leads to a part of the right type.
fn verify_path(op: OpRef<'_>, composite: Type, part: Type, diagnostics: &mut Diagnostics) {
    let path = op.property("path").and_then(|path| Numbers::decode(op.context, path)).unwrap_or_default();
    let (code, message) = match path_type(op.context, composite, &path) {
        None => ("part-index", "the path leads to no part of the type"),
        Some(ty) if ty != part => ("part-type", "the part is not of the type that the path leads to"),
        Some(_) => return,
    };
    diagnostics.report(Diagnostic::error(code, op.location(), format!("'{}' op {message}", op.name_str())));
}

impl VerifyInterface for Extract<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        verify_path(op, op.operand_type(0), op.result_type(0), diagnostics);
    }
}

impl VerifyInterface for Insert<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        verify_path(op, op.operand_type(1), op.operand_type(0), diagnostics);
    }
}

impl FoldInterface for Extract<'_> {
    fn fold(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let path = Extract::cast(op)?.path();
        if let Some(Some(whole)) = constants.first().copied() {
            let part = path
                .iter()
                .try_fold(whole, |value, &index| constant::part(op.context, value, u64::try_from(index).ok()?))?;
            return Some(vec![FoldResult::Constant(part)]);
        }
        let traced = trace(op, op.operand(0), &path);
        if let Some(constant) = traced.constant(op) {
            return Some(vec![FoldResult::Constant(constant)]);
        }
        traced.path.is_empty().then(|| vec![FoldResult::Value(traced.value)])
    }
}

impl FoldInterface for Insert<'_> {
    fn fold(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let insert = Insert::cast(op)?;
        let path = insert.path();
        if let [Some(value), Some(composite)] = *constants {
            return Some(vec![FoldResult::Constant(replace(op.context, composite, value, &path)?)]);
        }
        // What is inserted is what was there.
        let traced = trace(op, insert.value(), &[]);
        (traced.value == insert.composite() && traced.path[..] == path[..])
            .then(|| vec![FoldResult::Value(insert.composite())])
    }
}

/// Composites of more parts are not rebuilt for one that changes.
const LARGEST_REBUILT: u64 = 64;

/// A constant with a part replaced. Paths are as deep as types nest, which has a limit.
fn replace(context: &Context, composite: Attribute, value: Attribute, path: &[i64]) -> Option<Attribute> {
    let Some((&first, rest)) = path.split_first() else { return Some(value) };
    let mut parts = constant::parts(context, composite, LARGEST_REBUILT)?;
    let part = parts.get_mut(usize::try_from(first).ok()?)?;
    *part = replace(context, *part, value, rest)?;
    constant::aggregate(context, constant::constant_type(context, composite)?, &parts)
}

impl CanonicalizeInterface for Extract<'_> {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("extract-from-source", "xir.extract", extract_from_source);
    }
}

/// Takes a part from where it comes from.
fn extract_from_source(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let extract = Extract::cast(view).ok_or(NoMatch("it is no extraction"))?;
    let traced = trace(view, extract.composite(), &extract.path());
    if !traced.moved
        || traced.path.is_empty()
        || path_type(view.context, view.type_of(traced.value), &traced.path).is_none()
    {
        return Err(NoMatch("the part comes from the operand itself"));
    }
    let replacement = Extract::at(builder, traced.value, &traced.path);
    let result = builder.body().result(replacement, 0);
    builder.replace_op(op, &[result]);
    Ok(())
}

impl CanonicalizeInterface for Insert<'_> {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("insert-over-insert", "xir.insert", insert_over_insert);
        patterns.add_function("insert-into-build", "xir.insert", insert_into_build);
        patterns.add_function("inserts-of-all-parts", "xir.insert", inserts_of_all_parts);
    }
}

/// An insertion whose part is replaced at once leaves nothing.
fn insert_over_insert(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let outer = Insert::cast(view).ok_or(NoMatch("it is no insertion"))?;
    let inner =
        view.defining(outer.composite()).and_then(Insert::cast).ok_or(NoMatch("nothing was inserted before"))?;
    if !inner.path().starts_with(&outer.path()) {
        return Err(NoMatch("the part that was inserted before is still there"));
    }
    let composite = inner.composite();
    builder.modify(op, |body| body.set_operand(op, 1, composite));
    Ok(())
}

/// Composites of more parts are not put together anew for one that changes.
const LARGEST_BUILT: u64 = 16;

/// A part that replaces one of those that a small composite is made of is one of them.
fn insert_into_build(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let insert = Insert::cast(view).ok_or(NoMatch("it is no insertion"))?;
    let [index] = insert.path()[..] else { return Err(NoMatch("a part of a part is inserted")) };
    let built = view.defining(insert.composite()).and_then(Build::cast).ok_or(NoMatch("nothing was built"))?;
    let mut parts: Vec<ValueId> = built.parts().collect();
    if parts.len() as u64 > LARGEST_BUILT {
        return Err(NoMatch("there are many parts"));
    }
    let part = usize::try_from(index).ok().and_then(|index| parts.get_mut(index));
    *part.ok_or(NoMatch("the index is out of range"))? = insert.value();
    let ty = view.result_type(0);
    let rebuilt = Build::build(builder, &parts, ty);
    let result = builder.body().result(rebuilt, 0);
    builder.replace_op(op, &[result]);
    Ok(())
}

/// Insertions of all parts of a small composite, one after the other, put it together.
fn inserts_of_all_parts(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let ty = view.result_type(0);
    let count =
        part_count(view.context, ty).filter(|&count| count <= LARGEST_BUILT).ok_or(NoMatch("there are many parts"))?;
    let mut parts = vec![None; count as usize];
    let mut current = view;
    for _ in 0..count {
        let insert = Insert::cast(current).ok_or(NoMatch("not all parts are inserted"))?;
        let [index] = insert.path()[..] else { return Err(NoMatch("a part of a part is inserted")) };
        let part = usize::try_from(index).ok().and_then(|index| parts.get_mut(index));
        part.ok_or(NoMatch("the index is out of range"))?.get_or_insert(insert.value());
        if parts.iter().all(Option::is_some) {
            break;
        }
        current = view.defining(insert.composite()).ok_or(NoMatch("not all parts are inserted"))?;
    }
    let parts: Vec<ValueId> = parts.into_iter().collect::<Option<_>>().ok_or(NoMatch("not all parts are inserted"))?;
    let built = Build::build(builder, &parts, ty);
    let result = builder.body().result(built, 0);
    builder.replace_op(op, &[result]);
    Ok(())
}

impl SyntaxInterface for Extract<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        let composite = parser.parse_operand()?;
        let path_span = parser.span();
        let path = Numbers::parse(parser)?;
        let (properties, attributes, ty) = parse_rest(parser, path)?;
        let numbers = Numbers::decode(parser.context(), path).unwrap_or_default();
        let Some(result) = path_type(parser.context(), ty, &numbers) else {
            return Err(parser.error(path_span, "part-index", "the path leads to no part of the type"));
        };
        let operands = smallvec![parser.resolve(&composite, ty)?];
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
        print_access(op, op.operand(0), printer);
    }
}

impl SyntaxInterface for Insert<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        let value = parser.parse_operand()?;
        parser.expect(",")?;
        let composite = parser.parse_operand()?;
        let path_span = parser.span();
        let path = Numbers::parse(parser)?;
        let (properties, attributes, ty) = parse_rest(parser, path)?;
        let numbers = Numbers::decode(parser.context(), path).unwrap_or_default();
        let Some(part) = path_type(parser.context(), ty, &numbers) else {
            return Err(parser.error(path_span, "part-index", "the path leads to no part of the type"));
        };
        let operands = smallvec![parser.resolve(&value, part)?, parser.resolve(&composite, ty)?];
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
        printer.value(op.operand(0));
        printer.write(", ");
        print_access(op, op.operand(1), printer);
    }
}

/// Reads `attributes : type` and gives the properties, `path` among them.
fn parse_rest(parser: &mut Parser<'_, '_>, path: Attribute) -> ParseResult<(Dictionary, Dictionary, Type)> {
    let dictionary = parser.optional_attribute_dictionary()?;
    let (properties, attributes) = parser.split_properties(dictionary);
    parser.expect(":")?;
    let ty = parser.parse_type()?;
    Ok((properties.with(parser.context(), "path", Some(path)), attributes, ty))
}

/// Writes `%composite[path] attributes : type`.
fn print_access(op: OpRef<'_>, composite: ValueId, printer: &mut Printer<'_>) {
    printer.value(composite);
    if let Some(path) = op.property("path") {
        Numbers::print(path, printer);
    }
    printer.attribute_dictionary(op, &["path"]);
    printer.write(" : ");
    printer.ty(op.type_of(composite));
}
