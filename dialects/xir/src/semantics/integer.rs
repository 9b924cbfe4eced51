//! Integer arithmetic, modulo 2 to the width.

use super::IntegerWidth;

/// An operation on one integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntegerUnary {
    /// The absolute value of a signed number; that of the least one is itself.
    Absolute,
    /// Number of set bits.
    PopulationCount,
    /// Number of zero bits above the highest set bit; the width if there is none.
    CountLeadingZeros,
    /// Number of zero bits below the lowest set bit; the width if there is none.
    CountTrailingZeros,
    /// The bits in reverse order.
    ReverseBits,
}

impl IntegerUnary {
    /// All operations.
    pub const ALL: [Self; 5] =
        [Self::Absolute, Self::PopulationCount, Self::CountLeadingZeros, Self::CountTrailingZeros, Self::ReverseBits];

    /// The result, in the width of the operand. Counts are at most the width; those of `i1` are modulo 2.
    #[must_use]
    pub fn evaluate(self, width: IntegerWidth, operand: u64) -> u64 {
        let operand = width.truncate(operand);
        let unused = 64 - width.bits();
        let result = match self {
            Self::Absolute => width.sign_extend(operand).wrapping_abs().cast_unsigned(),
            Self::PopulationCount => operand.count_ones().into(),
            Self::CountLeadingZeros => (operand.leading_zeros() - unused).into(),
            Self::CountTrailingZeros => operand.trailing_zeros().min(width.bits()).into(),
            Self::ReverseBits => operand.reverse_bits() >> unused,
        };
        width.truncate(result)
    }
}

/// An operation on two integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntegerBinary {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// The upper half of the product of signed numbers, which has twice the width.
    MultiplyHighSigned,
    /// The upper half of the product of unsigned numbers, which has twice the width.
    MultiplyHighUnsigned,
    /// Quotient of signed numbers, rounded toward zero. `x / 0 = x`; the least number by -1 is itself.
    DivideSigned,
    /// Quotient of unsigned numbers, rounded down. `x / 0 = x`.
    DivideUnsigned,
    /// What [`DivideSigned`](Self::DivideSigned) leaves; it has the sign of the left operand. `x % 0 = 0`.
    RemainderSigned,
    /// What [`DivideUnsigned`](Self::DivideUnsigned) leaves. `x % 0 = 0`.
    RemainderUnsigned,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift to the left, by the right operand modulo the width.
    ShiftLeft,
    /// Shift to the right by the right operand modulo the width; copies of the sign move in.
    ShiftRightSigned,
    /// Shift to the right by the right operand modulo the width; zeros move in.
    ShiftRightUnsigned,
    /// Rotation to the left, by the right operand modulo the width.
    RotateLeft,
    /// Rotation to the right, by the right operand modulo the width.
    RotateRight,
    /// The lesser of two signed numbers.
    MinimumSigned,
    /// The lesser of two unsigned numbers.
    MinimumUnsigned,
    /// The greater of two signed numbers.
    MaximumSigned,
    /// The greater of two unsigned numbers.
    MaximumUnsigned,
}

impl IntegerBinary {
    /// All operations.
    pub const ALL: [Self; 21] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::MultiplyHighSigned,
        Self::MultiplyHighUnsigned,
        Self::DivideSigned,
        Self::DivideUnsigned,
        Self::RemainderSigned,
        Self::RemainderUnsigned,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::ShiftLeft,
        Self::ShiftRightSigned,
        Self::ShiftRightUnsigned,
        Self::RotateLeft,
        Self::RotateRight,
        Self::MinimumSigned,
        Self::MinimumUnsigned,
        Self::MaximumSigned,
        Self::MaximumUnsigned,
    ];

    /// The result, in the width of the operands.
    #[must_use]
    pub fn evaluate(self, width: IntegerWidth, left: u64, right: u64) -> u64 {
        let (left, right) = (width.truncate(left), width.truncate(right));
        let (left_signed, right_signed) = (width.sign_extend(left), width.sign_extend(right));
        let bits = width.bits();
        let amount = (right % u64::from(bits)) as u32;
        let opposite_amount = (bits - amount) % bits;
        let result = match self {
            Self::Add => left.wrapping_add(right),
            Self::Subtract => left.wrapping_sub(right),
            Self::Multiply => left.wrapping_mul(right),
            Self::MultiplyHighSigned => {
                ((i128::from(left_signed) * i128::from(right_signed)) >> bits).cast_unsigned() as u64
            }
            Self::MultiplyHighUnsigned => ((u128::from(left) * u128::from(right)) >> bits) as u64,
            Self::DivideSigned if right == 0 => left,
            Self::DivideSigned => left_signed.wrapping_div(right_signed).cast_unsigned(),
            Self::DivideUnsigned => left.checked_div(right).unwrap_or(left),
            Self::RemainderSigned if right == 0 => 0,
            Self::RemainderSigned => left_signed.wrapping_rem(right_signed).cast_unsigned(),
            Self::RemainderUnsigned => left.checked_rem(right).unwrap_or(0),
            Self::And => left & right,
            Self::Or => left | right,
            Self::Xor => left ^ right,
            Self::ShiftLeft => left << amount,
            Self::ShiftRightSigned => (left_signed >> amount).cast_unsigned(),
            Self::ShiftRightUnsigned => left >> amount,
            Self::RotateLeft => left << amount | left >> opposite_amount,
            Self::RotateRight => left >> amount | left << opposite_amount,
            Self::MinimumSigned => left_signed.min(right_signed).cast_unsigned(),
            Self::MinimumUnsigned => left.min(right),
            Self::MaximumSigned => left_signed.max(right_signed).cast_unsigned(),
            Self::MaximumUnsigned => left.max(right),
        };
        width.truncate(result)
    }
}
