//! Integer arithmetic.

use fermata_ir::OpRef;

use super::elementwise::{binary_operations, operand_width, unary_operations};
use crate::semantics::{IntegerBinary, IntegerUnary, ScalarFunction};

fn unary(op: OpRef<'_>, operation: IntegerUnary) -> Option<ScalarFunction> {
    Some(ScalarFunction::IntegerUnary(operation, operand_width(op, 0)?))
}

fn binary(op: OpRef<'_>, operation: IntegerBinary) -> Option<ScalarFunction> {
    Some(ScalarFunction::IntegerBinary(operation, operand_width(op, 0)?))
}

unary_operations! { IntegerLike, unary;
    /// The absolute value of a signed integer. That of the least one is itself.
    "xir.absi" => AbsI, IntegerUnary::Absolute, [IDEMPOTENT];
    /// The number of set bits.
    "xir.popcount" => PopCount, IntegerUnary::PopulationCount, [];
    /// The number of zero bits above the highest set bit; the width if there is none.
    "xir.clz" => Clz, IntegerUnary::CountLeadingZeros, [];
    /// The number of zero bits below the lowest set bit; the width if there is none.
    "xir.ctz" => Ctz, IntegerUnary::CountTrailingZeros, [];
    /// The bits in reverse order.
    "xir.bitreverse" => BitReverse, IntegerUnary::ReverseBits, [INVOLUTION];
}

binary_operations! { IntegerLike, binary;
    /// The sum of two integers, modulo 2 to the width.
    "xir.addi" => AddI, IntegerBinary::Add, [COMMUTATIVE];
    /// The difference of two integers, modulo 2 to the width.
    "xir.subi" => SubI, IntegerBinary::Subtract, [];
    /// The product of two integers, modulo 2 to the width.
    "xir.muli" => MulI, IntegerBinary::Multiply, [COMMUTATIVE];
    /// The upper half of the product of two signed integers.
    "xir.mulhsi" => MulHSI, IntegerBinary::MultiplyHighSigned, [COMMUTATIVE];
    /// The upper half of the product of two unsigned integers.
    "xir.mulhui" => MulHUI, IntegerBinary::MultiplyHighUnsigned, [COMMUTATIVE];
    /// The quotient of two signed integers, rounded toward zero. `x / 0 = x`, and the least integer by -1 is itself.
    "xir.divsi" => DivSI, IntegerBinary::DivideSigned, [];
    /// The quotient of two unsigned integers, rounded down. `x / 0 = x`.
    "xir.divui" => DivUI, IntegerBinary::DivideUnsigned, [];
    /// The remainder of the division of two signed integers; it has the sign of the left one. `x % 0 = 0`.
    "xir.remsi" => RemSI, IntegerBinary::RemainderSigned, [];
    /// The remainder of the division of two unsigned integers. `x % 0 = 0`.
    "xir.remui" => RemUI, IntegerBinary::RemainderUnsigned, [];
    /// Bitwise and.
    "xir.andi" => AndI, IntegerBinary::And, [COMMUTATIVE];
    /// Bitwise or.
    "xir.ori" => OrI, IntegerBinary::Or, [COMMUTATIVE];
    /// Bitwise exclusive or.
    "xir.xori" => XorI, IntegerBinary::Xor, [COMMUTATIVE];
    /// Shift to the left, by the right operand modulo the width.
    "xir.shli" => ShlI, IntegerBinary::ShiftLeft, [];
    /// Shift of a signed integer to the right, by the right operand modulo the width. Copies of the sign move in.
    "xir.shrsi" => ShrSI, IntegerBinary::ShiftRightSigned, [];
    /// Shift of an unsigned integer to the right, by the right operand modulo the width. Zeros move in.
    "xir.shrui" => ShrUI, IntegerBinary::ShiftRightUnsigned, [];
    /// Rotation to the left, by the right operand modulo the width.
    "xir.rotli" => RotlI, IntegerBinary::RotateLeft, [];
    /// Rotation to the right, by the right operand modulo the width.
    "xir.rotri" => RotrI, IntegerBinary::RotateRight, [];
    /// The lesser of two signed integers.
    "xir.minsi" => MinSI, IntegerBinary::MinimumSigned, [COMMUTATIVE];
    /// The lesser of two unsigned integers.
    "xir.minui" => MinUI, IntegerBinary::MinimumUnsigned, [COMMUTATIVE];
    /// The greater of two signed integers.
    "xir.maxsi" => MaxSI, IntegerBinary::MaximumSigned, [COMMUTATIVE];
    /// The greater of two unsigned integers.
    "xir.maxui" => MaxUI, IntegerBinary::MaximumUnsigned, [COMMUTATIVE];
}
