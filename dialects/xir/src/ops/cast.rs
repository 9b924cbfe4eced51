//! Conversions between scalar types, lane by lane.

use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{FoldInterface, FoldModel, FoldResult, VerifyInterface, VerifyModel};
use fermata_ir::rewrite::{CanonicalizeInterface, CanonicalizeModel, PatternSet};
use fermata_ir::{Attribute, Context, OpRef, Type, operation};

use super::elementwise::{implement_elementwise, operand_format, operand_scalar, operand_width, result_scalar};
use crate::canonical::cast_patterns;
use crate::constant::{Lanes, lanes, lanes_attribute};
use crate::constraints::{FloatLike, IntegerLike, ScalarOrVector};
use crate::interfaces::ElementwiseModel;
use crate::semantics::{Cast, FloatFormat, IntegerWidth, ScalarFunction, bitcast_lanes};
use crate::types::ElementwiseType;

fn result_width(op: OpRef<'_>) -> Option<IntegerWidth> {
    result_scalar(op)?.integer()
}

fn result_format(op: OpRef<'_>) -> Option<FloatFormat> {
    result_scalar(op)?.float()
}

/// Which way the number of bits must change.
enum Change {
    Wider,
    Narrower,
    Any,
}

/// Operand and result must have as many lanes, and bits as `change` says.
fn verify_cast(op: OpRef<'_>, change: &Change, diagnostics: &mut Diagnostics) {
    let of = |ty| ElementwiseType::of(op.context, ty);
    let (Some(from), Some(to)) = (of(op.operand_type(0)), of(op.result_type(0))) else { return };
    let mut report = |code, message: &str| {
        let name = op.name_str();
        diagnostics.report(Diagnostic::error(code, op.location(), format!("'{name}' op {message}")));
    };
    if from.vector != to.vector {
        report("lane-count", "operand and result have as many lanes");
    }
    let (from, to) = (from.scalar.bits(), to.scalar.bits());
    match change {
        Change::Wider if to <= from => report("cast-width", "the result is wider than the operand"),
        Change::Narrower if to >= from => report("cast-width", "the result is narrower than the operand"),
        _ => {}
    }
}

/// Declares conversions.
macro_rules! casts {
    ($($(#[$($doc:tt)*])* $name:literal => $Op:ident, $from:ident to $to:ident, $change:ident, |$op:ident| $cast:expr;)*) => {$(
        $(#[$($doc)*])*
        #[operation(
            name = $name,
            traits = [PURE],
            interfaces = [Fold, Canonicalize, Elementwise, Verify],
            format = "$operand attr-dict `:` type($operand) `to` type($result)",
        )]
        pub struct $Op {
            #[operand]
            operand: $from,
            #[result]
            result: $to,
        }

        implement_elementwise!($Op, |$op| Some(ScalarFunction::Cast($cast)));

        impl VerifyInterface for $Op<'_> {
            fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
                verify_cast(op, &Change::$change, diagnostics);
            }
        }

        impl CanonicalizeInterface for $Op<'_> {
            fn patterns(patterns: &mut PatternSet) {
                cast_patterns($name, patterns);
            }
        }
    )*};
}

casts! {
    /// A signed integer in a greater width. A set `i1` becomes -1.
    "xir.extsi" => ExtSI, IntegerLike to IntegerLike, Wider,
        |op| Cast::ExtendSigned { from: operand_width(op, 0)?, to: result_width(op)? };
    /// An unsigned integer in a greater width. A set `i1` becomes 1.
    "xir.extui" => ExtUI, IntegerLike to IntegerLike, Wider,
        |op| Cast::ExtendUnsigned { from: operand_width(op, 0)?, to: result_width(op)? };
    /// The low bits of an integer.
    "xir.trunci" => TruncI, IntegerLike to IntegerLike, Narrower,
        |op| Cast::Truncate { from: operand_width(op, 0)?, to: result_width(op)? };
    /// A signed integer as a float, rounded to nearest, ties to even; infinity if it is out of range. A set `i1` is -1.
    "xir.sitofp" => SIToFP, IntegerLike to FloatLike, Any,
        |op| Cast::SignedToFloat { from: operand_width(op, 0)?, to: result_format(op)? };
    /// An unsigned integer as a float, rounded to nearest, ties to even; infinity if it is out of range.
    "xir.uitofp" => UIToFP, IntegerLike to FloatLike, Any,
        |op| Cast::UnsignedToFloat { from: operand_width(op, 0)?, to: result_format(op)? };
    /// A float as a signed integer: rounded toward zero, then the nearest integer of the type. NaN becomes 0.
    "xir.fptosi" => FPToSI, FloatLike to IntegerLike, Any,
        |op| Cast::FloatToSigned { from: operand_format(op, 0)?, to: result_width(op)? };
    /// A float as an unsigned integer: rounded toward zero, then the nearest integer of the type. NaN becomes 0.
    "xir.fptoui" => FPToUI, FloatLike to IntegerLike, Any,
        |op| Cast::FloatToUnsigned { from: operand_format(op, 0)?, to: result_width(op)? };
    /// A float in a wider format, which holds it exactly.
    "xir.extf" => ExtF, FloatLike to FloatLike, Wider,
        |op| Cast::Float { from: operand_format(op, 0)?, to: result_format(op)? };
    /// A float in a narrower format, rounded to nearest, ties to even; infinity if it is out of range.
    "xir.truncf" => TruncF, FloatLike to FloatLike, Narrower,
        |op| Cast::Float { from: operand_format(op, 0)?, to: result_format(op)? };
}

/// The same bits as another type that has as many. The lanes of a vector in a row are one number, the first lane its
/// lowest bits. Vectors of `i1` become nothing but themselves.
///
/// ```mlir
/// %0 = xir.bitcast %x : f32 to i32
/// %1 = xir.bitcast %v : vector<2xi32> to i64
/// ```
#[operation(
    name = "xir.bitcast",
    traits = [PURE],
    interfaces = [Fold, Canonicalize, Elementwise, Verify],
    format = "$operand attr-dict `:` type($operand) `to` type($result)",
)]
pub struct Bitcast {
    #[operand]
    operand: ScalarOrVector,
    #[result]
    result: ScalarOrVector,
}

/// Elementwise if the lanes stay as wide as they are.
impl crate::interfaces::ElementwiseInterface for Bitcast<'_> {
    fn function(op: OpRef<'_>) -> Option<ScalarFunction> {
        let (from, to) = (operand_scalar(op, 0)?, result_scalar(op)?);
        (from.bits() == to.bits()).then_some(ScalarFunction::Cast(Cast::Bits { from, to }))
    }
}

fn total_bits(context: &Context, ty: Type) -> Option<u64> {
    let ty = ElementwiseType::of(context, ty)?;
    Some(ty.lanes() * u64::from(ty.scalar.bits()))
}

impl VerifyInterface for Bitcast<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let (from, to) = (op.operand_type(0), op.result_type(0));
        if total_bits(op.context, from) != total_bits(op.context, to) {
            let message = "'xir.bitcast' op operand and result have as many bits";
            diagnostics.report(Diagnostic::error("cast-width", op.location(), message));
        }
    }
}

impl CanonicalizeInterface for Bitcast<'_> {
    fn patterns(patterns: &mut PatternSet) {
        cast_patterns("xir.bitcast", patterns);
    }
}

impl FoldInterface for Bitcast<'_> {
    fn fold(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<Vec<FoldResult>> {
        if op.operand_type(0) == op.result_type(0) {
            return Some(vec![FoldResult::Value(op.operand(0))]);
        }
        let from = ElementwiseType::of(op.context, op.operand_type(0))?;
        let to = ElementwiseType::of(op.context, op.result_type(0))?;
        let bits = lanes(op.context, (*constants.first()?)?)?;
        let value: Lanes = bitcast_lanes(&bits, from.scalar.bits(), to.scalar.bits()).into();
        (value.len() as u64 == to.lanes()).then(|| vec![FoldResult::Constant(lanes_attribute(op.context, to, &value))])
    }
}
