//! Conversions of conversions.

use fermata_ir::builder::Builder;
use fermata_ir::rewrite::{NoMatch, PatternSet, RewriteResult};
use fermata_ir::{OpId, OperationView};

use super::{function_of, replace_by};
use crate::ops::{Bitcast, ExtF, ExtSI, ExtUI, TruncF, TruncI};
use crate::semantics::{Cast, ScalarFunction};

/// Adds the patterns of a conversion.
pub(crate) fn cast_patterns(name: &'static str, patterns: &mut PatternSet) {
    patterns.add_function("combine-casts", name, combine_casts);
}

/// A conversion that does what two others do one after the other.
enum Combined {
    Nothing,
    ExtendSigned,
    ExtendUnsigned,
    Truncate,
    ExtendFloat,
    TruncateFloat,
    Bits,
}

/// The conversion that does what `inner` and then `outer` do.
fn combine(inner: Cast, outer: Cast) -> Option<Combined> {
    let (from, to) = (inner.source(), outer.target());
    let narrower_or_wider = |wider: Combined, narrower: Combined| match to.bits().cmp(&from.bits()) {
        std::cmp::Ordering::Less => narrower,
        std::cmp::Ordering::Equal => Combined::Nothing,
        std::cmp::Ordering::Greater => wider,
    };
    Some(match (inner, outer) {
        (Cast::ExtendSigned { .. }, Cast::ExtendSigned { .. }) => Combined::ExtendSigned,
        // What was extended by zeros is not negative.
        (Cast::ExtendUnsigned { .. }, Cast::ExtendUnsigned { .. } | Cast::ExtendSigned { .. }) => {
            Combined::ExtendUnsigned
        }
        (Cast::Truncate { .. }, Cast::Truncate { .. }) => Combined::Truncate,
        (Cast::ExtendSigned { .. }, Cast::Truncate { .. }) => {
            narrower_or_wider(Combined::ExtendSigned, Combined::Truncate)
        }
        (Cast::ExtendUnsigned { .. }, Cast::Truncate { .. }) => {
            narrower_or_wider(Combined::ExtendUnsigned, Combined::Truncate)
        }
        // The first one must be exact: rounding twice is not rounding once.
        (Cast::Float { from: first, to: middle }, Cast::Float { .. }) if middle > first => {
            narrower_or_wider(Combined::ExtendFloat, Combined::TruncateFloat)
        }
        (Cast::Bits { .. }, Cast::Bits { .. }) => Combined::Bits,
        _ => return None,
    })
}

fn combine_casts(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let inner = view.defining(view.operand(0)).ok_or(NoMatch("the operand is no conversion"))?;
    let (value, ty) = match inner.operand_count() {
        1 if inner.id != op => (inner.operand(0), view.result_type(0)),
        _ => return Err(NoMatch("the operand is no conversion")),
    };
    let combined = match (function_of(inner), function_of(view)) {
        (Some(ScalarFunction::Cast(inner)), Some(ScalarFunction::Cast(outer))) => combine(inner, outer),
        // Bits of lanes of another width.
        _ if Bitcast::matches(inner) && Bitcast::matches(view) => Some(Combined::Bits),
        _ => None,
    };
    let replacement = match combined.ok_or(NoMatch("the conversions are not one"))? {
        Combined::Nothing => {
            builder.replace_op(op, &[value]);
            return Ok(());
        }
        Combined::ExtendSigned => ExtSI::build(builder, value, ty),
        Combined::ExtendUnsigned => ExtUI::build(builder, value, ty),
        Combined::Truncate => TruncI::build(builder, value, ty),
        Combined::ExtendFloat => ExtF::build(builder, value, ty),
        Combined::TruncateFloat => TruncF::build(builder, value, ty),
        Combined::Bits => Bitcast::build(builder, value, ty),
    };
    replace_by(builder, op, replacement);
    Ok(())
}
