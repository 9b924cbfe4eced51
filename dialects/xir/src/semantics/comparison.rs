//! Comparisons.

use std::cmp::Ordering;

use fermata_ir::Keyword;

use super::{FloatFormat, IntegerWidth};

/// How integers are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Keyword)]
#[keyword(attribute = "xir.integer_predicate")]
pub enum IntegerPredicate {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less, signed.
    Slt,
    /// Less or equal, signed.
    Sle,
    /// Greater, signed.
    Sgt,
    /// Greater or equal, signed.
    Sge,
    /// Less, unsigned.
    Ult,
    /// Less or equal, unsigned.
    Ule,
    /// Greater, unsigned.
    Ugt,
    /// Greater or equal, unsigned.
    Uge,
}

impl IntegerPredicate {
    /// All predicates.
    pub const ALL: [Self; 10] =
        [Self::Eq, Self::Ne, Self::Slt, Self::Sle, Self::Sgt, Self::Sge, Self::Ult, Self::Ule, Self::Ugt, Self::Uge];

    /// Whether the predicate holds.
    #[must_use]
    pub fn evaluate(self, width: IntegerWidth, left: u64, right: u64) -> bool {
        let unsigned = width.truncate(left).cmp(&width.truncate(right));
        let signed = width.sign_extend(left).cmp(&width.sign_extend(right));
        match self {
            Self::Eq => unsigned.is_eq(),
            Self::Ne => unsigned.is_ne(),
            Self::Slt => signed.is_lt(),
            Self::Sle => signed.is_le(),
            Self::Sgt => signed.is_gt(),
            Self::Sge => signed.is_ge(),
            Self::Ult => unsigned.is_lt(),
            Self::Ule => unsigned.is_le(),
            Self::Ugt => unsigned.is_gt(),
            Self::Uge => unsigned.is_ge(),
        }
    }

    /// The predicate that holds when this one does not.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Slt => Self::Sge,
            Self::Sle => Self::Sgt,
            Self::Sgt => Self::Sle,
            Self::Sge => Self::Slt,
            Self::Ult => Self::Uge,
            Self::Ule => Self::Ugt,
            Self::Ugt => Self::Ule,
            Self::Uge => Self::Ult,
        }
    }

    /// The predicate that holds of `right, left` when this one does of `left, right`.
    #[must_use]
    pub const fn exchanged(self) -> Self {
        match self {
            Self::Eq => Self::Eq,
            Self::Ne => Self::Ne,
            Self::Slt => Self::Sgt,
            Self::Sle => Self::Sge,
            Self::Sgt => Self::Slt,
            Self::Sge => Self::Sle,
            Self::Ult => Self::Ugt,
            Self::Ule => Self::Uge,
            Self::Ugt => Self::Ult,
            Self::Uge => Self::Ule,
        }
    }

    /// Whether the predicate holds of equal operands.
    #[must_use]
    pub const fn holds_if_equal(self) -> bool {
        matches!(self, Self::Eq | Self::Sle | Self::Sge | Self::Ule | Self::Uge)
    }
}

/// How floating-point numbers are compared. Zeros of both signs are equal; a NaN is ordered with nothing. An *ordered*
/// predicate does not hold if an operand is a NaN, an *unordered* one does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Keyword)]
#[keyword(attribute = "xir.float_predicate")]
pub enum FloatPredicate {
    /// Ordered and equal.
    Oeq,
    /// Ordered and greater.
    Ogt,
    /// Ordered and greater or equal.
    Oge,
    /// Ordered and less.
    Olt,
    /// Ordered and less or equal.
    Ole,
    /// Ordered and not equal.
    One,
    /// Ordered.
    Ord,
    /// Unordered or equal.
    Ueq,
    /// Unordered or greater.
    Ugt,
    /// Unordered, greater or equal.
    Uge,
    /// Unordered or less.
    Ult,
    /// Unordered, less or equal.
    Ule,
    /// Unordered or not equal.
    Une,
    /// Unordered.
    Uno,
}

impl FloatPredicate {
    /// All predicates.
    pub const ALL: [Self; 14] = [
        Self::Oeq,
        Self::Ogt,
        Self::Oge,
        Self::Olt,
        Self::Ole,
        Self::One,
        Self::Ord,
        Self::Ueq,
        Self::Ugt,
        Self::Uge,
        Self::Ult,
        Self::Ule,
        Self::Une,
        Self::Uno,
    ];

    /// Whether the predicate holds.
    #[must_use]
    pub fn evaluate(self, format: FloatFormat, left: u64, right: u64) -> bool {
        let order = format.to_f64(left).partial_cmp(&format.to_f64(right));
        match self {
            Self::Oeq => order == Some(Ordering::Equal),
            Self::Ogt => order == Some(Ordering::Greater),
            Self::Oge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            Self::Olt => order == Some(Ordering::Less),
            Self::Ole => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Self::One => matches!(order, Some(Ordering::Less | Ordering::Greater)),
            Self::Ord => order.is_some(),
            Self::Ueq | Self::Ugt | Self::Uge | Self::Ult | Self::Ule | Self::Une | Self::Uno => {
                !self.negated().evaluate(format, left, right)
            }
        }
    }

    /// The predicate that holds when this one does not.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::Oeq => Self::Une,
            Self::Ogt => Self::Ule,
            Self::Oge => Self::Ult,
            Self::Olt => Self::Uge,
            Self::Ole => Self::Ugt,
            Self::One => Self::Ueq,
            Self::Ord => Self::Uno,
            Self::Ueq => Self::One,
            Self::Ugt => Self::Ole,
            Self::Uge => Self::Olt,
            Self::Ult => Self::Oge,
            Self::Ule => Self::Ogt,
            Self::Une => Self::Oeq,
            Self::Uno => Self::Ord,
        }
    }

    /// The predicate that holds of `right, left` when this one does of `left, right`.
    #[must_use]
    pub const fn exchanged(self) -> Self {
        match self {
            Self::Ogt => Self::Olt,
            Self::Oge => Self::Ole,
            Self::Olt => Self::Ogt,
            Self::Ole => Self::Oge,
            Self::Ugt => Self::Ult,
            Self::Uge => Self::Ule,
            Self::Ult => Self::Ugt,
            Self::Ule => Self::Uge,
            Self::Oeq | Self::One | Self::Ord | Self::Ueq | Self::Une | Self::Uno => self,
        }
    }
}
