use fermata_ir::constraints::{I32, U32Attribute};
use fermata_ir::interfaces::{FoldInterface, FoldModel, FoldResult, VerifyInterface, VerifyModel};
use fermata_ir::rewrite::{CanonicalizeInterface, CanonicalizeModel, NoMatch, PatternSet};
use fermata_ir::{Attribute, Diagnostic, Diagnostics, OpRef, OperationView, operation};

/// Rotates the bits of an integer to the left.
#[operation(
    name = "tutorial.rotate",
    traits = [PURE],
    interfaces = [Fold, Canonicalize, Verify],
    format = "$value `by` $distance attr-dict",
)]
pub struct Rotate {
    #[operand(only)]
    value: I32,
    /// How far, less than 32.
    #[property]
    distance: U32Attribute,
    #[result(only)]
    result: I32,
}

impl FoldInterface for Rotate<'_> {
    fn fold(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        let rotate = Rotate::from_ref_unchecked(op);
        if rotate.distance() == 0 {
            return Some(vec![FoldResult::Value(rotate.value())]);
        }
        let value = operands[0]?.integer_value(op.context)? as u32;
        let rotated = value.rotate_left(rotate.distance()) as i32;
        Some(vec![FoldResult::Constant(Attribute::integer(op.context, rotated.into(), op.result_type(0)))])
    }
}

impl CanonicalizeInterface for Rotate<'_> {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("rotate-of-rotate", "tutorial.rotate", |op, builder| {
            let outer = Rotate::from_ref_unchecked(builder.op(op));
            let inner = outer.op().defining(outer.value()).and_then(Rotate::cast).ok_or(NoMatch("it rotates once"))?;
            let (value, distance) = (inner.value(), inner.distance().wrapping_add(outer.distance()) % 32);
            let both = Rotate::build(builder, value, distance);
            let result = builder.body().result(both, 0);
            builder.replace_op(op, &[result]);
            Ok(())
        });
    }
}

impl VerifyInterface for Rotate<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        if Rotate::from_ref_unchecked(op).distance() >= 32 {
            let message = "'tutorial.rotate' op rotates by a distance that is not less than 32";
            diagnostics.report(Diagnostic::error("rotate-distance", op.location(), message));
        }
    }
}
