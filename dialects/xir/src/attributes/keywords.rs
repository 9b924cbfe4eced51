//! Attributes that are one word.

use fermata_ir::Keyword;

use crate::semantics::{FloatBinary, IntegerBinary, ScalarType};

/// What happens when an index into a buffer is out of bounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Keyword)]
#[keyword(attribute = "xir.bounds")]
pub enum Bounds {
    /// A read gives zero, a write does nothing.
    Checked,
    /// The front end promises that it does not happen.
    Unchecked,
    /// The program stops with an error.
    Trap,
}

/// What an atomic operation makes of the value in memory and its operand. The names are those of the operations on values
/// that do the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Keyword)]
#[keyword(attribute = "xir.atomic_kind")]
pub enum AtomicKind {
    /// Integer sum.
    Addi,
    /// Integer difference.
    Subi,
    /// Bitwise and.
    Andi,
    /// Bitwise or.
    Ori,
    /// Bitwise exclusive or.
    Xori,
    /// The lesser of signed integers.
    Minsi,
    /// The lesser of unsigned integers.
    Minui,
    /// The greater of signed integers.
    Maxsi,
    /// The greater of unsigned integers.
    Maxui,
    /// Float sum. It may flush subnormal numbers.
    Addf,
    /// Float difference. It may flush subnormal numbers.
    Subf,
    /// The lesser of floats, as `xir.minf`.
    Minf,
    /// The greater of floats, as `xir.maxf`.
    Maxf,
    /// The operand, an integer or a float.
    Exchange,
}

impl AtomicKind {
    /// What the kind makes of the bits in memory and those of its operand; nothing if it does not work on the type.
    #[must_use]
    pub fn apply(self, ty: ScalarType, old: u64, operand: u64) -> Option<u64> {
        let integer = |operation: IntegerBinary| Some(operation.evaluate(ty.integer()?, old, operand));
        let float = |operation: FloatBinary| Some(operation.evaluate(ty.float()?, old, operand));
        match self {
            Self::Addi => integer(IntegerBinary::Add),
            Self::Subi => integer(IntegerBinary::Subtract),
            Self::Andi => integer(IntegerBinary::And),
            Self::Ori => integer(IntegerBinary::Or),
            Self::Xori => integer(IntegerBinary::Xor),
            Self::Minsi => integer(IntegerBinary::MinimumSigned),
            Self::Minui => integer(IntegerBinary::MinimumUnsigned),
            Self::Maxsi => integer(IntegerBinary::MaximumSigned),
            Self::Maxui => integer(IntegerBinary::MaximumUnsigned),
            Self::Addf => float(FloatBinary::Add),
            Self::Subf => float(FloatBinary::Subtract),
            Self::Minf => float(FloatBinary::Minimum),
            Self::Maxf => float(FloatBinary::Maximum),
            Self::Exchange => Some(operand & ty.mask()),
        }
    }
}
