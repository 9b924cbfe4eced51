//! What an operation gives when only some of its operands are known.
//!
//! A rule may only say what is true for all values of the operands that are not known: infinities, NaNs, zeros of both
//! signs, and divisors of zero included. So `x - x` is 0 for integers and not for floats, and `x / x` is nothing known for
//! either, since `0 / 0` is 0 for integers.

use crate::semantics::{
    FloatBinary, FloatFormat, FloatPredicate, FloatTernary, IntegerBinary, IntegerPredicate, IntegerWidth,
    ScalarFunction,
};

/// What a result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simplified {
    /// The operand of this index.
    Operand(usize),
    /// These bits.
    Bits(u64),
}

/// Shorthand for the rules below.
const LEFT: Option<Simplified> = Some(Simplified::Operand(0));
const RIGHT: Option<Simplified> = Some(Simplified::Operand(1));

const fn bits(bits: u64) -> Option<Simplified> {
    Some(Simplified::Bits(bits))
}

const fn truth(value: bool) -> Option<Simplified> {
    bits(value as u64)
}

/// The result of a function when some operands are known, if that can be told without the others. `known` has the bits
/// of each operand that is a constant, and `same` says whether the first two operands of a function of two, or the last
/// two of a selection, are the same value.
///
/// Functions of which all operands are known are not for this one: [evaluate](ScalarFunction::evaluate) them.
#[must_use]
pub fn simplify(function: ScalarFunction, known: &[Option<u64>], same: bool) -> Option<Simplified> {
    match (function, known) {
        (ScalarFunction::IntegerBinary(operation, width), &[left, right]) => {
            same.then(|| same_integers(operation)).flatten().or_else(|| {
                let known_right = right.and_then(|right| integer_with_right(operation, width, right));
                known_right.or_else(|| exchanged(operation, width, left?))
            })
        }
        (ScalarFunction::FloatBinary(operation, format), &[left, right]) => {
            if same && matches!(operation, FloatBinary::Minimum | FloatBinary::Maximum | FloatBinary::CopySign) {
                return LEFT;
            }
            float_binary(operation, format, left, right)
        }
        (ScalarFunction::FloatTernary(FloatTernary::FusedMultiplyAdd, format), known) => {
            known.iter().flatten().any(|&bits| format.is_nan(bits)).then(|| Simplified::Bits(format.nan()))
        }
        (ScalarFunction::CompareIntegers(predicate, width), &[left, right]) => {
            if same {
                return truth(predicate.holds_if_equal());
            }
            right.and_then(|right| compare_with_right(predicate, width, right)).or_else(|| {
                match compare_with_right(predicate.exchanged(), width, left?)? {
                    Simplified::Operand(_) => RIGHT,
                    known => Some(known),
                }
            })
        }
        (ScalarFunction::CompareFloats(predicate, format), &[left, right]) => {
            // Only whether an operand is a NaN can be told from one operand, or from two that are the same.
            let unordered = [left, right].into_iter().flatten().any(|bits| format.is_nan(bits));
            let unordered_holds = predicate.evaluate(format, format.nan(), 0);
            let equal_holds = predicate.evaluate(format, 0, 0);
            (unordered || same && unordered_holds == equal_holds).then_some(Simplified::Bits(unordered_holds.into()))
        }
        (ScalarFunction::Select(ty), &[condition, on_true, on_false]) => match condition {
            _ if same => Some(Simplified::Operand(1)),
            Some(condition) => Some(Simplified::Operand(if condition & 1 == 1 { 1 } else { 2 })),
            None if ty.bits() == 1 && on_true == Some(1) && on_false == Some(0) => LEFT,
            None => None,
        },
        _ => None,
    }
}

/// `x op x`
fn same_integers(operation: IntegerBinary) -> Option<Simplified> {
    use IntegerBinary::{
        And, MaximumSigned, MaximumUnsigned, MinimumSigned, MinimumUnsigned, Or, RemainderSigned, RemainderUnsigned,
        Subtract, Xor,
    };
    match operation {
        And | Or | MinimumSigned | MinimumUnsigned | MaximumSigned | MaximumUnsigned => LEFT,
        Subtract | Xor | RemainderSigned | RemainderUnsigned => bits(0),
        _ => None,
    }
}

/// `x op right`
fn integer_with_right(operation: IntegerBinary, width: IntegerWidth, right: u64) -> Option<Simplified> {
    use IntegerBinary as Op;
    let right = width.truncate(right);
    let all = width.mask();
    let (minimum, maximum) =
        (width.truncate(width.minimum().cast_unsigned()), width.truncate(width.maximum().cast_unsigned()));
    // The number one; the only number other than zero of i1 is read as -1 by signed operations.
    let one = right == 1;
    let signed_one = one && width != IntegerWidth::W1;
    match operation {
        Op::Add | Op::Subtract | Op::Or | Op::Xor if right == 0 => LEFT,
        Op::Or if right == all => bits(all),
        Op::And if right == all => LEFT,
        Op::And | Op::Multiply | Op::MultiplyHighSigned | Op::MultiplyHighUnsigned if right == 0 => bits(0),
        Op::Multiply if one => LEFT,
        Op::MultiplyHighUnsigned if one => bits(0),
        // x / 0 = x
        Op::DivideSigned if right == 0 || signed_one => LEFT,
        Op::DivideUnsigned if right == 0 || one => LEFT,
        // x % 0 = 0
        Op::RemainderSigned if right == 0 || signed_one || right == all => bits(0),
        Op::RemainderUnsigned if right == 0 || one => bits(0),
        Op::ShiftLeft | Op::ShiftRightSigned | Op::ShiftRightUnsigned | Op::RotateLeft | Op::RotateRight
            if right.is_multiple_of(width.bits().into()) =>
        {
            LEFT
        }
        Op::MinimumSigned if right == maximum => LEFT,
        Op::MinimumSigned if right == minimum => bits(minimum),
        Op::MaximumSigned if right == minimum => LEFT,
        Op::MaximumSigned if right == maximum => bits(maximum),
        Op::MinimumUnsigned if right == all => LEFT,
        Op::MinimumUnsigned if right == 0 => bits(0),
        Op::MaximumUnsigned if right == 0 => LEFT,
        Op::MaximumUnsigned if right == all => bits(all),
        _ => None,
    }
}

/// `left op x`
fn exchanged(operation: IntegerBinary, width: IntegerWidth, left: u64) -> Option<Simplified> {
    use IntegerBinary as Op;
    let left = width.truncate(left);
    match operation {
        Op::Add
        | Op::Multiply
        | Op::MultiplyHighSigned
        | Op::MultiplyHighUnsigned
        | Op::And
        | Op::Or
        | Op::Xor
        | Op::MinimumSigned
        | Op::MinimumUnsigned
        | Op::MaximumSigned
        | Op::MaximumUnsigned => match integer_with_right(operation, width, left)? {
            Simplified::Operand(_) => RIGHT,
            Simplified::Bits(value) => bits(value),
        },
        Op::DivideSigned
        | Op::DivideUnsigned
        | Op::RemainderSigned
        | Op::RemainderUnsigned
        | Op::ShiftLeft
        | Op::ShiftRightUnsigned
            if left == 0 =>
        {
            bits(0)
        }
        Op::ShiftRightSigned | Op::RotateLeft | Op::RotateRight if left == 0 || left == width.mask() => bits(left),
        Op::Subtract | Op::DivideSigned | Op::DivideUnsigned | Op::RemainderSigned | Op::RemainderUnsigned => None,
        Op::ShiftLeft | Op::ShiftRightSigned | Op::ShiftRightUnsigned | Op::RotateLeft | Op::RotateRight => None,
    }
}

fn float_binary(
    operation: FloatBinary,
    format: FloatFormat,
    left: Option<u64>,
    right: Option<u64>,
) -> Option<Simplified> {
    let nan = |known: Option<u64>| known.is_some_and(|bits| format.is_nan(bits));
    let negative_infinity = format.infinity() | format.sign_bit();
    match operation {
        FloatBinary::Add
        | FloatBinary::Subtract
        | FloatBinary::Multiply
        | FloatBinary::Divide
        | FloatBinary::Remainder
            if nan(left) || nan(right) =>
        {
            bits(format.nan())
        }
        // Adding +0 would turn -0 into +0.
        FloatBinary::Add if right == Some(format.sign_bit()) => LEFT,
        FloatBinary::Add if left == Some(format.sign_bit()) => RIGHT,
        FloatBinary::Subtract if right == Some(0) => LEFT,
        FloatBinary::Multiply | FloatBinary::Divide if right == Some(format.one()) => LEFT,
        FloatBinary::Multiply if left == Some(format.one()) => RIGHT,
        FloatBinary::Minimum | FloatBinary::Maximum if nan(right) => LEFT,
        FloatBinary::Minimum | FloatBinary::Maximum if nan(left) => RIGHT,
        // Not so the other infinity of each: it wins against a NaN.
        FloatBinary::Minimum if [left, right].contains(&Some(negative_infinity)) => bits(negative_infinity),
        FloatBinary::Maximum if [left, right].contains(&Some(format.infinity())) => bits(format.infinity()),
        _ => None,
    }
}

/// `x predicate right`
fn compare_with_right(predicate: IntegerPredicate, width: IntegerWidth, right: u64) -> Option<Simplified> {
    let right = width.truncate(right);
    let minimum = width.truncate(width.minimum().cast_unsigned());
    let maximum = width.truncate(width.maximum().cast_unsigned());
    match predicate {
        IntegerPredicate::Slt if right == minimum => truth(false),
        IntegerPredicate::Sge if right == minimum => truth(true),
        IntegerPredicate::Sgt if right == maximum => truth(false),
        IntegerPredicate::Sle if right == maximum => truth(true),
        IntegerPredicate::Ult if right == 0 => truth(false),
        IntegerPredicate::Uge if right == 0 => truth(true),
        IntegerPredicate::Ugt if right == width.mask() => truth(false),
        IntegerPredicate::Ule if right == width.mask() => truth(true),
        // One bit that is not zero is set.
        IntegerPredicate::Eq if width == IntegerWidth::W1 && right == 1 => LEFT,
        IntegerPredicate::Ne if width == IntegerWidth::W1 && right == 0 => LEFT,
        _ => None,
    }
}

/// Whether a comparison of a value with itself depends only on the value being a NaN, and which of the two names of that
/// says so: `ord` or `uno`.
#[must_use]
pub fn self_comparison(predicate: FloatPredicate) -> FloatPredicate {
    let format = FloatFormat::F32;
    if predicate.evaluate(format, 0, 0) { FloatPredicate::Ord } else { FloatPredicate::Uno }
}
