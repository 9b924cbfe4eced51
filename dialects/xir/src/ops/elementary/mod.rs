//! Elementary functions.

mod emit;

use fermata_ir::OpRef;
use fermata_math::Function;

use super::elementwise::{binary_elementary_operations, operand_format, unary_elementary_operations};
use crate::semantics::ScalarFunction;

fn function(op: OpRef<'_>, function: Function) -> Option<ScalarFunction> {
    Some(ScalarFunction::Elementary(function, operand_format(op, 0)?))
}

pub(super) use emit::{evaluate, expand};

unary_elementary_operations! { function;
    /// The sine of an angle in radians.
    "xir.sin" => Sin, Function::Sin;
    /// The cosine of an angle in radians.
    "xir.cos" => Cos, Function::Cos;
    /// The tangent of an angle in radians.
    "xir.tan" => Tan, Function::Tan;
    /// The angle from -pi/2 to pi/2 whose sine it is. NaN outside of [-1, 1].
    "xir.asin" => Asin, Function::Asin;
    /// The angle from 0 to pi whose cosine it is. NaN outside of [-1, 1].
    "xir.acos" => Acos, Function::Acos;
    /// The angle from -pi/2 to pi/2 whose tangent it is.
    "xir.atan" => Atan, Function::Atan;
    /// The hyperbolic sine.
    "xir.sinh" => Sinh, Function::Sinh;
    /// The hyperbolic cosine.
    "xir.cosh" => Cosh, Function::Cosh;
    /// The hyperbolic tangent.
    "xir.tanh" => Tanh, Function::Tanh;
    /// The number whose hyperbolic sine it is.
    "xir.asinh" => Asinh, Function::Asinh;
    /// The number, not negative, whose hyperbolic cosine it is. NaN below 1.
    "xir.acosh" => Acosh, Function::Acosh;
    /// The number whose hyperbolic tangent it is. Infinite for 1 and -1, NaN outside.
    "xir.atanh" => Atanh, Function::Atanh;
    /// e to the power of the operand.
    "xir.exp" => Exp, Function::Exp;
    /// 2 to the power of the operand.
    "xir.exp2" => Exp2, Function::Exp2;
    /// 10 to the power of the operand.
    "xir.exp10" => Exp10, Function::Exp10;
    /// `exp(x) - 1`, exact near zero.
    "xir.expm1" => Expm1, Function::Expm1;
    /// The natural logarithm. Negative infinity for zeros, NaN for negative numbers.
    "xir.log" => Log, Function::Log;
    /// The logarithm to base 2. Negative infinity for zeros, NaN for negative numbers.
    "xir.log2" => Log2, Function::Log2;
    /// The logarithm to base 10. Negative infinity for zeros, NaN for negative numbers.
    "xir.log10" => Log10, Function::Log10;
    /// `log(1 + x)`, exact near zero.
    "xir.log1p" => Log1p, Function::Log1p;
    /// The cube root.
    "xir.cbrt" => Cbrt, Function::Cbrt;
}

binary_elementary_operations! { function;
    /// The angle from -pi to pi of the point whose ordinate is the left operand and whose abscissa is the right one.
    "xir.atan2" => Atan2, Function::Atan2;
    /// The left operand to the power of the right one, as C's `pow`.
    "xir.pow" => Pow, Function::Pow;
}
