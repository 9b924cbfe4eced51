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
    Sin sin(x) 0.72 0.68 113 140;
    Cos cos(x) 0.72 0.75 113 140;
    Tan tan(x) 0.90 0.82 129 156;
    Asin asin(x) 0.61 0.61 37 44;
    Acos acos(x) 0.59 0.58 42 49;
    Atan atan(x) 0.66 0.64 56 62;
    Atan2 atan2(y, x) 0.67 0.63 77 83;
    Sinh sinh(x) 0.73 0.78 55 60;
    Cosh cosh(x) 0.71 0.67 54 59;
    Tanh tanh(x) 0.82 0.76 72 77;
    Asinh asinh(x) 0.74 0.68 94 105;
    Acosh acosh(x) 0.64 0.59 95 106;
    Atanh atanh(x) 0.67 0.63 79 90;
    Exp exp(x) 0.76 0.75 38 44;
    Exp2 exp2(x) 0.76 0.75 37 43;
    Exp10 exp10(x) 0.76 0.75 43 49;
    Expm1 expm1(x) 0.85 0.84 42 48;
    Log log(x) 0.62 0.61 49 60;
    Log2 log2(x) 0.69 0.66 51 62;
    Log10 log10(x) 0.64 0.60 53 64;
    Log1p log1p(x) 0.66 0.62 70 81;
    Pow pow(x, y) 0.77 0.75 143 154;
    Cbrt cbrt(x) 0.54 0.53 36 42;
    Rsqrt rsqrt(x) 0.51 0.51 17 17;
}

impl Function {
    /// The function of numbers, or `None` unless there are as many as it takes.
    #[must_use]
    pub fn evaluate_f32(self, operands: &[f32]) -> Option<f32> {
        self.apply(&EvaluateF32, operands)
    }

    /// The function of numbers, or `None` unless there are as many as it takes.
    #[must_use]
    pub fn evaluate_f64(self, operands: &[f64]) -> Option<f64> {
        self.apply(&EvaluateF64, operands)
    }
}
