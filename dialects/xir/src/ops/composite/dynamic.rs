//! Parts at indices that are values.

use fermata_ir::builder::Builder;
use fermata_ir::interfaces::{FoldInterface, FoldModel, FoldResult, constant_value};
use fermata_ir::rewrite::{CanonicalizeInterface, CanonicalizeModel, NoMatch, PatternSet, RewriteResult};
use fermata_ir::{Attribute, Context, OpId, OpRef, OperationView, Type, operation};

use super::trace::trace;
use super::{Extract, Insert};
use crate::constant;
use crate::constraints::{Index, UniformComposite, Value};
use crate::types::{part_count, uniform_part_type};

/// The part of a vector, matrix or array at an index, which is read as an unsigned number. One that is past the end means
/// the last part.
///
/// ```mlir
/// %0 = xir.extract_dynamic %v[%i] : vector<4xf32>
/// ```
#[operation(
    name = "xir.extract_dynamic",
    traits = [PURE],
    interfaces = [Fold, Canonicalize],
    rules = [derived(result from composite, uniform_part_type, "the type of the parts of")],
    format = "$composite `[` $index `]` attr-dict `:` type($composite)",
)]
pub struct ExtractDynamic {
    #[operand]
    composite: UniformComposite,
    #[operand(only)]
    index: Index,
    #[result]
    result: Value,
}

/// A vector, matrix or array with the part at an index replaced. The index is read as an unsigned number; one that is past
/// the end means the last part.
///
/// ```mlir
/// %0 = xir.insert_dynamic %x, %v[%i] : vector<4xf32>
/// ```
#[operation(
    name = "xir.insert_dynamic",
    traits = [PURE],
    interfaces = [Fold, Canonicalize],
    rules = [same(composite, result), derived(value from composite, uniform_part_type, "the type of the parts of")],
    format = "$value `,` $composite `[` $index `]` attr-dict `:` type($composite)",
)]
pub struct InsertDynamic {
    /// What the part is in the result.
    #[operand]
    value: Value,
    #[operand]
    composite: UniformComposite,
    #[operand(only)]
    index: Index,
    #[result]
    result: UniformComposite,
}

/// The part that a constant index means.
pub(crate) fn clamped_index(context: &Context, composite: Type, index: Attribute) -> Option<i64> {
    let last = part_count(context, composite)?.checked_sub(1)?;
    i64::try_from(constant::scalar(context, index)?.min(last)).ok()
}

impl FoldInterface for ExtractDynamic<'_> {
    fn fold(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let [composite, index] = *constants else { return None };
        if let Some(lanes) = composite
            && let Some(bits) = constant::splat(op.context, lanes)
        {
            // All lanes are the same.
            let part = constant::part(op.context, lanes, 0)?;
            debug_assert_eq!(constant::scalar(op.context, part), Some(bits), "a splat's lane has the bits of all");
            return Some(vec![FoldResult::Constant(part)]);
        }
        let index = clamped_index(op.context, op.operand_type(0), index?)?;
        if let Some(composite) = composite {
            return Some(vec![FoldResult::Constant(constant::part(op.context, composite, index.cast_unsigned())?)]);
        }
        let traced = trace(op, op.operand(0), &[index]);
        traced.path.is_empty().then(|| vec![FoldResult::Value(traced.value)])
    }
}

impl FoldInterface for InsertDynamic<'_> {
    fn fold(op: OpRef<'_>, _constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        // What is inserted is what was there, wherever that is.
        let extract = op.defining(op.operand(0)).and_then(ExtractDynamic::cast)?;
        (extract.composite() == op.operand(1) && extract.index() == op.operand(2))
            .then(|| vec![FoldResult::Value(op.operand(1))])
    }
}

impl CanonicalizeInterface for ExtractDynamic<'_> {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("extract-at-constant", "xir.extract_dynamic", extract_at_constant);
    }
}

impl CanonicalizeInterface for InsertDynamic<'_> {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("insert-at-constant", "xir.insert_dynamic", insert_at_constant);
    }
}

/// The part that the index operand means, if that is a constant.
fn known_index(view: OpRef<'_>, composite: usize, index: usize) -> Option<i64> {
    let constant = constant_value(view.context, view.body, view.operand(index))?;
    clamped_index(view.context, view.operand_type(composite), constant)
}

fn extract_at_constant(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let index = known_index(view, 0, 1).ok_or(NoMatch("the index is not constant"))?;
    let composite = view.operand(0);
    let replacement = Extract::at(builder, composite, &[index]);
    let result = builder.body().result(replacement, 0);
    builder.replace_op(op, &[result]);
    Ok(())
}

fn insert_at_constant(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let index = known_index(view, 1, 2).ok_or(NoMatch("the index is not constant"))?;
    let (value, composite) = (view.operand(0), view.operand(1));
    let replacement = Insert::build(builder, value, composite, vec![index]);
    let result = builder.body().result(replacement, 0);
    builder.replace_op(op, &[result]);
    Ok(())
}
