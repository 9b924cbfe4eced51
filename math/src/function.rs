//! The functions as data.

use crate::{Arithmetic, EvaluateF32, EvaluateF64, Format};

/// Declares the functions: name, number of operands, greatest errors on `f32` and `f64`, numbers of operations.
macro_rules! functions {
    ($($variant:ident $name:ident($($operand:ident),+) $single:literal $double:literal $short:literal $long:literal;)+) => {
        /// An elementary function.
        ///
        /// Errors are in units in the last place, the greatest that was measured, rounded up: on `f32` over every 13th bit
        /// pattern (of functions of two operands: some 300 million pairs), on `f64` over 500 thousand numbers, random and
        /// hard ones. Numbers of operations are without constants, but with changes of sign, which GPUs do in passing.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Function {
            $(
                #[doc = concat!(
                    "[`", stringify!($name), "`](crate::", stringify!($name), "). On `f32`: error ", $single, ", ", $short,
                    " operations. On `f64`: error ", $double, ", ", $long, " operations."
                )]
                $variant,
            )+
        }

        impl Function {
            /// All functions.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// C's name of the function.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($name),)+
                }
            }

            /// The number of operands, 1 or 2.
            #[must_use]
            pub const fn operand_count(self) -> usize {
                match self {
                    $(Self::$variant => [$(stringify!($operand)),+].len(),)+
                }
            }

            /// The greatest error that was measured, in units in the last place.
            #[must_use]
            pub const fn greatest_error(self, format: Format) -> f64 {
                match (self, format) {
                    $((Self::$variant, Format::F32) => $single, (Self::$variant, Format::F64) => $double,)+
                }
            }

            /// The number of operations of [`Arithmetic`] that the result depends on, constants not counted.
            #[must_use]
            pub const fn operation_count(self, format: Format) -> usize {
                match (self, format) {
                    $((Self::$variant, Format::F32) => $short, (Self::$variant, Format::F64) => $long,)+
                }
            }

            /// The function of the operands in an arithmetic, or `None` unless there are as many operands as it takes.
            pub fn apply<A: Arithmetic>(self, a: &A, operands: &[A::Float]) -> Option<A::Float> {
                match (self, operands) {
                    $((Self::$variant, &[$($operand),+]) => Some(crate::$name(a, $($operand),+)),)+
                    _ => None,
                }
            }
        }
    };
}

functions! {
    Sin sin(x) 0.72 0.68 112 139;
    Cos cos(x) 0.72 0.75 112 139;
    Tan tan(x) 0.88 0.82 128 155;
    Asin asin(x) 0.61 0.61 34 41;
    Acos acos(x) 0.59 0.58 39 46;
    Atan atan(x) 0.66 0.64 53 59;
    Atan2 atan2(y, x) 0.67 0.63 76 82;
    Sinh sinh(x) 0.73 0.78 52 57;
    Cosh cosh(x) 0.71 0.67 51 56;
    Tanh tanh(x) 0.82 0.76 69 74;
    Asinh asinh(x) 0.74 0.68 91 102;
    Acosh acosh(x) 0.64 0.59 94 105;
    Atanh atanh(x) 0.67 0.63 75 86;
    Exp exp(x) 0.76 0.75 35 41;
    Exp2 exp2(x) 0.76 0.75 34 40;
    Exp10 exp10(x) 0.76 0.75 40 46;
    Expm1 expm1(x) 0.85 0.84 39 45;
    Log log(x) 0.62 0.61 48 59;
    Log2 log2(x) 0.69 0.66 50 61;
    Log10 log10(x) 0.64 0.60 52 63;
    Log1p log1p(x) 0.66 0.62 66 77;
    Pow pow(x, y) 0.77 0.75 142 153;
    Cbrt cbrt(x) 0.54 0.53 33 39;
    Rsqrt rsqrt(x) 0.51 0.51 14 14;
}

impl Function {
    /// The function of numbers, or `None` unless there are as many as it takes. NaNs are positive, quiet, without payload.
    #[must_use]
    pub fn evaluate_f32(self, operands: &[f32]) -> Option<f32> {
        let result = self.apply(&EvaluateF32, operands)?;
        Some(if result.is_nan() { f32::from_bits(0x7fc0_0000) } else { result })
    }

    /// The function of numbers, or `None` unless there are as many as it takes. NaNs are positive, quiet, without payload.
    #[must_use]
    pub fn evaluate_f64(self, operands: &[f64]) -> Option<f64> {
        let result = self.apply(&EvaluateF64, operands)?;
        Some(if result.is_nan() { f64::from_bits(0x7ff8_0000_0000_0000) } else { result })
    }
}
