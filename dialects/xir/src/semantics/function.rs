//! What one lane of an elementwise operation computes.

use fermata_math::Function as Elementary;

use super::{
    Cast, FloatBinary, FloatFormat, FloatPredicate, FloatTernary, FloatUnary, IntegerBinary, IntegerPredicate,
    IntegerUnary, IntegerWidth, ScalarType, elementary,
};

/// A function from scalars to a scalar, with the types that it takes: what an elementwise operation does to each lane.
/// Folds and the interpreter evaluate it, a lowering emits code for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarFunction {
    /// An operation on one integer.
    IntegerUnary(IntegerUnary, IntegerWidth),
    /// An operation on two integers.
    IntegerBinary(IntegerBinary, IntegerWidth),
    /// An operation on one floating-point number.
    FloatUnary(FloatUnary, FloatFormat),
    /// An operation on two floating-point numbers.
    FloatBinary(FloatBinary, FloatFormat),
    /// An operation on three floating-point numbers.
    FloatTernary(FloatTernary, FloatFormat),
    /// An elementary function. On `f16` it is that on `f32`, rounded.
    Elementary(Elementary, FloatFormat),
    /// A comparison of integers, to an `i1`.
    CompareIntegers(IntegerPredicate, IntegerWidth),
    /// A comparison of floating-point numbers, to an `i1`.
    CompareFloats(FloatPredicate, FloatFormat),
    /// A conversion.
    Cast(Cast),
    /// The second operand if the first, an `i1`, is set, else the third.
    Select(ScalarType),
}

impl ScalarFunction {
    /// The types of the operands.
    #[must_use]
    pub fn operands(self) -> smallvec::SmallVec<[ScalarType; 3]> {
        use smallvec::smallvec;
        match self {
            Self::IntegerUnary(_, width) => smallvec![ScalarType::Integer(width)],
            Self::IntegerBinary(_, width) | Self::CompareIntegers(_, width) => {
                smallvec![ScalarType::Integer(width); 2]
            }
            Self::FloatUnary(_, format) => smallvec![ScalarType::Float(format)],
            Self::FloatBinary(_, format) | Self::CompareFloats(_, format) => smallvec![ScalarType::Float(format); 2],
            Self::FloatTernary(_, format) => smallvec![ScalarType::Float(format); 3],
            Self::Elementary(function, format) => smallvec![ScalarType::Float(format); function.operand_count()],
            Self::Cast(cast) => smallvec![cast.source()],
            Self::Select(ty) => smallvec![ScalarType::Integer(IntegerWidth::W1), ty, ty],
        }
    }

    /// The type of the result.
    #[must_use]
    pub fn result(self) -> ScalarType {
        match self {
            Self::IntegerUnary(_, width) | Self::IntegerBinary(_, width) => ScalarType::Integer(width),
            Self::FloatUnary(_, format)
            | Self::FloatBinary(_, format)
            | Self::FloatTernary(_, format)
            | Self::Elementary(_, format) => ScalarType::Float(format),
            Self::CompareIntegers(..) | Self::CompareFloats(..) => ScalarType::Integer(IntegerWidth::W1),
            Self::Cast(cast) => cast.target(),
            Self::Select(ty) => ty,
        }
    }

    /// The result for these operands.
    ///
    /// # Panics
    /// If there are not as many as [`operands`](Self::operands) says.
    #[must_use]
    pub fn evaluate(self, operands: &[u64]) -> u64 {
        match (self, operands) {
            (Self::IntegerUnary(operation, width), &[x]) => operation.evaluate(width, x),
            (Self::IntegerBinary(operation, width), &[x, y]) => operation.evaluate(width, x, y),
            (Self::FloatUnary(operation, format), &[x]) => operation.evaluate(format, x),
            (Self::FloatBinary(operation, format), &[x, y]) => operation.evaluate(format, x, y),
            (Self::FloatTernary(operation, format), &[x, y, z]) => operation.evaluate(format, x, y, z),
            (Self::CompareIntegers(predicate, width), &[x, y]) => predicate.evaluate(width, x, y).into(),
            (Self::CompareFloats(predicate, format), &[x, y]) => predicate.evaluate(format, x, y).into(),
            (Self::Cast(cast), &[x]) => cast.evaluate(x),
            (Self::Select(ty), &[condition, x, y]) => (if condition & 1 == 1 { x } else { y }) & ty.mask(),
            (Self::Elementary(function, format), operands) if operands.len() == function.operand_count() => {
                elementary::evaluate(function, format, operands)
            }
            _ => panic!("{self:?} is evaluated with {} operands", operands.len()),
        }
    }
}
