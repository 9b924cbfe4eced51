//! How elementwise operations are declared.
//!
//! All of them look alike: operands of one type, a result, no effects; what they compute is a [`ScalarFunction`], from
//! which folds and the interpreter work. So one line declares each.
//!
//! [`ScalarFunction`]: crate::semantics::ScalarFunction

use fermata_ir::OpRef;

use crate::semantics::{FloatFormat, IntegerWidth, ScalarType};
use crate::types::ElementwiseType;

/// The scalar of an operand, if that is a scalar or a vector.
pub(super) fn operand_scalar(op: OpRef<'_>, index: usize) -> Option<ScalarType> {
    ElementwiseType::of(op.context, op.operand_type(index)).map(|ty| ty.scalar)
}

/// The scalar of the result, if that is a scalar or a vector.
pub(super) fn result_scalar(op: OpRef<'_>) -> Option<ScalarType> {
    ElementwiseType::of(op.context, op.result_type(0)).map(|ty| ty.scalar)
}

/// The width of the integers that are the lanes of an operand.
pub(super) fn operand_width(op: OpRef<'_>, index: usize) -> Option<IntegerWidth> {
    operand_scalar(op, index)?.integer()
}

/// The format of the floats that are the lanes of an operand.
pub(super) fn operand_format(op: OpRef<'_>, index: usize) -> Option<FloatFormat> {
    operand_scalar(op, index)?.float()
}

/// Implements what follows from the function of an elementwise operation.
macro_rules! implement_elementwise {
    ($Op:ident, |$op:ident| $function:expr) => {
        impl crate::interfaces::ElementwiseInterface for $Op<'_> {
            fn function($op: fermata_ir::OpRef<'_>) -> Option<crate::semantics::ScalarFunction> {
                $function
            }
        }

        impl fermata_ir::interfaces::FoldInterface for $Op<'_> {
            fn fold(
                op: fermata_ir::OpRef<'_>,
                constants: &[Option<fermata_ir::Attribute>],
            ) -> Option<Vec<fermata_ir::interfaces::FoldResult>> {
                let function = <Self as crate::interfaces::ElementwiseInterface>::function(op)?;
                crate::fold::fold_elementwise(op, function, constants)
            }
        }
    };
}

/// Declares operations of one operand.
macro_rules! unary_operations {
    ($constraint:ident, $function:expr; $($(#[$($doc:tt)*])* $name:literal => $Op:ident, $operation:expr, [$($trait:ident),*];)*) => {$(
        $(#[$($doc)*])*
        #[fermata_ir::operation(
            name = $name,
            traits = [PURE $(, $trait)*],
            interfaces = [
                fermata_ir::interfaces::Fold,
                crate::interfaces::Elementwise
            ],
            rules = [same(operand, result)],
            format = "$operand attr-dict `:` type($result)",
        )]
        pub struct $Op {
            #[operand]
            operand: crate::constraints::$constraint,
            #[result]
            result: crate::constraints::$constraint,
        }

        crate::ops::elementwise::implement_elementwise!($Op, |op| $function(op, $operation));
    )*};
}

/// Declares operations of two operands.
macro_rules! binary_operations {
    ($constraint:ident, $function:expr; $($(#[$($doc:tt)*])* $name:literal => $Op:ident, $operation:expr, [$($trait:ident),*];)*) => {$(
        $(#[$($doc)*])*
        #[fermata_ir::operation(
            name = $name,
            traits = [PURE $(, $trait)*],
            interfaces = [
                fermata_ir::interfaces::Fold,
                fermata_ir::rewrite::Canonicalize,
                crate::interfaces::Elementwise
            ],
            rules = [same(left, right, result)],
            format = "$left `,` $right attr-dict `:` type($result)",
        )]
        pub struct $Op {
            #[operand]
            left: crate::constraints::$constraint,
            #[operand]
            right: crate::constraints::$constraint,
            #[result]
            result: crate::constraints::$constraint,
        }

        crate::ops::elementwise::implement_elementwise!($Op, |op| $function(op, $operation));

        impl fermata_ir::rewrite::CanonicalizeInterface for $Op<'_> {
            fn patterns(patterns: &mut fermata_ir::rewrite::PatternSet) {
                crate::canonical::integer_patterns($name, patterns);
            }
        }
    )*};
}

/// Declares operations on floats, which carry flags, of one operand.
macro_rules! unary_float_operations {
    ($function:expr; $($(#[$($doc:tt)*])* $name:literal => $Op:ident, $operation:expr, [$($trait:ident),*];)*) => {$(
        $(#[$($doc)*])*
        #[fermata_ir::operation(
            name = $name,
            traits = [PURE $(, $trait)*],
            interfaces = [
                fermata_ir::interfaces::Fold,
                fermata_ir::rewrite::Canonicalize,
                crate::interfaces::Elementwise
            ],
            rules = [same(operand, result)],
            format = "$operand attr-dict `:` type($result)",
        )]
        pub struct $Op {
            #[operand]
            operand: crate::constraints::FloatLike,
            #[result]
            result: crate::constraints::FloatLike,
            /// What the front end allows.
            #[property(optional)]
            fastmath: crate::attributes::FastMath,
        }

        crate::ops::elementwise::implement_elementwise!($Op, |op| $function(op, $operation));

        impl fermata_ir::rewrite::CanonicalizeInterface for $Op<'_> {
            fn patterns(patterns: &mut fermata_ir::rewrite::PatternSet) {
                crate::canonical::unary_float_patterns($name, patterns);
            }
        }
    )*};
}

/// Declares operations on floats, which carry flags, of two operands.
macro_rules! binary_float_operations {
    ($function:expr; $($(#[$($doc:tt)*])* $name:literal => $Op:ident, $operation:expr, [$($trait:ident),*];)*) => {$(
        $(#[$($doc)*])*
        #[fermata_ir::operation(
            name = $name,
            traits = [PURE $(, $trait)*],
            interfaces = [
                fermata_ir::interfaces::Fold,
                fermata_ir::rewrite::Canonicalize,
                crate::interfaces::Elementwise
            ],
            rules = [same(left, right, result)],
            format = "$left `,` $right attr-dict `:` type($result)",
        )]
        pub struct $Op {
            #[operand]
            left: crate::constraints::FloatLike,
            #[operand]
            right: crate::constraints::FloatLike,
            #[result]
            result: crate::constraints::FloatLike,
            /// What the front end allows.
            #[property(optional)]
            fastmath: crate::attributes::FastMath,
        }

        crate::ops::elementwise::implement_elementwise!($Op, |op| $function(op, $operation));

        impl fermata_ir::rewrite::CanonicalizeInterface for $Op<'_> {
            fn patterns(patterns: &mut fermata_ir::rewrite::PatternSet) {
                crate::canonical::binary_float_patterns($name, patterns);
            }
        }
    )*};
}

/// Declares operations on floats, which carry flags, of three operands.
macro_rules! ternary_float_operations {
    ($function:expr; $($(#[$($doc:tt)*])* $name:literal => $Op:ident, $operation:expr, [$($trait:ident),*];)*) => {$(
        $(#[$($doc)*])*
        #[fermata_ir::operation(
            name = $name,
            traits = [PURE $(, $trait)*],
            interfaces = [
                fermata_ir::interfaces::Fold,
                crate::interfaces::Elementwise
            ],
            rules = [same(first, second, third, result)],
            format = "$first `,` $second `,` $third attr-dict `:` type($result)",
        )]
        pub struct $Op {
            #[operand]
            first: crate::constraints::FloatLike,
            #[operand]
            second: crate::constraints::FloatLike,
            #[operand]
            third: crate::constraints::FloatLike,
            #[result]
            result: crate::constraints::FloatLike,
            /// What the front end allows.
            #[property(optional)]
            fastmath: crate::attributes::FastMath,
        }

        crate::ops::elementwise::implement_elementwise!($Op, |op| $function(op, $operation));
    )*};
}

/// Declares elementary functions of one operand.
macro_rules! unary_elementary_operations {
    ($function:expr; $($(#[$($doc:tt)*])* $name:literal => $Op:ident, $operation:expr;)*) => {$(
        $(#[$($doc)*])*
        ///
        /// It is Fermata's own function, the same on every target; see the semantics.
        #[fermata_ir::operation(
            name = $name,
            traits = [PURE],
            interfaces = [
                fermata_ir::interfaces::Fold,
                crate::interfaces::Elementwise,
                crate::interfaces::Expand
            ],
            rules = [same(operand, result)],
            format = "$operand attr-dict `:` type($result)",
        )]
        pub struct $Op {
            #[operand]
            operand: crate::constraints::FloatLike,
            #[result]
            result: crate::constraints::FloatLike,
            /// What the front end allows.
            #[property(optional)]
            fastmath: crate::attributes::FastMath,
        }

        crate::ops::elementwise::implement_elementwise!($Op, |op| $function(op, $operation));

        impl crate::interfaces::ExpandInterface for $Op<'_> {
            fn expand(builder: &mut fermata_ir::Builder<'_>, op: fermata_ir::OpId) -> Option<fermata_ir::ValueId> {
                crate::ops::elementary::expand(builder, op)
            }

            fn evaluate(op: fermata_ir::OpRef<'_>, operands: &[crate::ops::Shape<u64>]) -> Option<crate::ops::Shape<u64>> {
                crate::ops::elementary::evaluate(op, operands)
            }
        }
    )*};
}

/// Declares elementary functions of two operands.
macro_rules! binary_elementary_operations {
    ($function:expr; $($(#[$($doc:tt)*])* $name:literal => $Op:ident, $operation:expr;)*) => {$(
        $(#[$($doc)*])*
        ///
        /// It is Fermata's own function, the same on every target; see the semantics.
        #[fermata_ir::operation(
            name = $name,
            traits = [PURE],
            interfaces = [
                fermata_ir::interfaces::Fold,
                crate::interfaces::Elementwise,
                crate::interfaces::Expand
            ],
            rules = [same(left, right, result)],
            format = "$left `,` $right attr-dict `:` type($result)",
        )]
        pub struct $Op {
            #[operand]
            left: crate::constraints::FloatLike,
            #[operand]
            right: crate::constraints::FloatLike,
            #[result]
            result: crate::constraints::FloatLike,
            /// What the front end allows.
            #[property(optional)]
            fastmath: crate::attributes::FastMath,
        }

        crate::ops::elementwise::implement_elementwise!($Op, |op| $function(op, $operation));

        impl crate::interfaces::ExpandInterface for $Op<'_> {
            fn expand(builder: &mut fermata_ir::Builder<'_>, op: fermata_ir::OpId) -> Option<fermata_ir::ValueId> {
                crate::ops::elementary::expand(builder, op)
            }

            fn evaluate(op: fermata_ir::OpRef<'_>, operands: &[crate::ops::Shape<u64>]) -> Option<crate::ops::Shape<u64>> {
                crate::ops::elementary::evaluate(op, operands)
            }
        }
    )*};
}

pub(super) use {
    binary_elementary_operations, binary_float_operations, binary_operations, implement_elementwise,
    ternary_float_operations, unary_elementary_operations, unary_float_operations, unary_operations,
};
