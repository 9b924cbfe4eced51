//! Integer operations, against arithmetic that does not overflow.

use fermata_xir::semantics::{IntegerBinary, IntegerUnary, IntegerWidth};

use crate::values::integers;

/// The value of bits read as a number in two's complement.
fn signed(width: IntegerWidth, value: u64) -> i128 {
    let value = i128::from(value);
    if value >= 1 << (width.bits() - 1) { value - (1 << width.bits()) } else { value }
}

/// The bits of a number modulo two to the width.
fn wrap(width: IntegerWidth, value: i128) -> u64 {
    value.rem_euclid(1 << width.bits()) as u64
}

fn bit(value: u64, position: u32) -> i128 {
    i128::from(value >> position & 1)
}

/// The value whose bit `i` is `select(i)`.
fn from_bits(width: IntegerWidth, select: impl Fn(u32) -> i128) -> i128 {
    (0..width.bits()).map(|position| select(position) << position).sum()
}

fn expected_binary(operation: IntegerBinary, width: IntegerWidth, x: u64, y: u64) -> u64 {
    let bits = width.bits();
    let (sx, sy) = (signed(width, x), signed(width, y));
    let (ux, uy) = (i128::from(x), i128::from(y));
    let amount = (y % u64::from(bits)) as u32;
    let result = match operation {
        IntegerBinary::Add => ux + uy,
        IntegerBinary::Subtract => ux - uy,
        // The product of two 64-bit numbers needs all 128 bits; wrapping there is wrapping here.
        IntegerBinary::Multiply => return wrap(width, ux.wrapping_mul(uy)),
        IntegerBinary::MultiplyHighSigned => (sx * sy).div_euclid(1 << bits),
        IntegerBinary::MultiplyHighUnsigned => ((u128::from(x) * u128::from(y)) / (1 << bits)) as i128,
        IntegerBinary::DivideSigned => {
            if sy == 0 {
                sx
            } else {
                sx / sy
            }
        }
        IntegerBinary::DivideUnsigned => {
            if uy == 0 {
                ux
            } else {
                ux / uy
            }
        }
        IntegerBinary::RemainderSigned => {
            if sy == 0 {
                0
            } else {
                sx - sx / sy * sy
            }
        }
        IntegerBinary::RemainderUnsigned => {
            if uy == 0 {
                0
            } else {
                ux - ux / uy * uy
            }
        }
        IntegerBinary::And => from_bits(width, |position| bit(x, position) * bit(y, position)),
        IntegerBinary::Or => from_bits(width, |position| bit(x, position).max(bit(y, position))),
        IntegerBinary::Xor => from_bits(width, |position| (bit(x, position) + bit(y, position)) % 2),
        IntegerBinary::ShiftLeft => return wrap(width, ux << amount),
        IntegerBinary::ShiftRightSigned => sx.div_euclid(1 << amount),
        IntegerBinary::ShiftRightUnsigned => ux / (1 << amount),
        IntegerBinary::RotateLeft => from_bits(width, |position| bit(x, (position + bits - amount) % bits)),
        IntegerBinary::RotateRight => from_bits(width, |position| bit(x, (position + amount) % bits)),
        IntegerBinary::MinimumSigned => sx.min(sy),
        IntegerBinary::MinimumUnsigned => ux.min(uy),
        IntegerBinary::MaximumSigned => sx.max(sy),
        IntegerBinary::MaximumUnsigned => ux.max(uy),
    };
    wrap(width, result)
}

#[test]
fn binary_operations_are_exact_modulo_the_width() {
    for width in IntegerWidth::ALL {
        let values = integers(width);
        for operation in IntegerBinary::ALL {
            for &x in &values {
                for &y in &values {
                    let expected = expected_binary(operation, width, x, y);
                    assert_eq!(operation.evaluate(width, x, y), expected, "{operation:?} {width:?} {x:#x} {y:#x}");
                }
            }
        }
    }
}

fn expected_unary(operation: IntegerUnary, width: IntegerWidth, x: u64) -> u64 {
    let bits = width.bits();
    let set = |position: &u32| bit(x, *position) == 1;
    let result = match operation {
        IntegerUnary::Absolute => {
            let value = signed(width, x);
            if value < 0 { -value } else { value }
        }
        IntegerUnary::PopulationCount => (0..bits).filter(set).count() as i128,
        IntegerUnary::CountLeadingZeros => (0..bits).rev().find(set).map_or(bits, |highest| bits - 1 - highest).into(),
        IntegerUnary::CountTrailingZeros => (0..bits).find(set).unwrap_or(bits).into(),
        IntegerUnary::ReverseBits => from_bits(width, |position| bit(x, bits - 1 - position)),
    };
    wrap(width, result)
}

#[test]
fn unary_operations_are_exact_modulo_the_width() {
    for width in IntegerWidth::ALL {
        for operation in IntegerUnary::ALL {
            for x in integers(width) {
                assert_eq!(
                    operation.evaluate(width, x),
                    expected_unary(operation, width, x),
                    "{operation:?} {width:?} {x:#x}"
                );
            }
        }
    }
}

#[test]
fn bits_above_the_width_are_ignored() {
    for width in IntegerWidth::ALL {
        for operation in IntegerBinary::ALL {
            for (x, y) in [(0, 0), (1, 1), (width.mask(), 1), (1, width.mask())] {
                let dirty = operation.evaluate(width, x | !width.mask(), y | !width.mask());
                assert_eq!(dirty, operation.evaluate(width, x, y), "{operation:?} {width:?}");
            }
        }
    }
}

#[test]
fn the_rules_that_are_decided() {
    use IntegerBinary::{DivideSigned, DivideUnsigned, RemainderSigned, RemainderUnsigned, ShiftLeft};
    let width = IntegerWidth::W32;
    assert_eq!(DivideSigned.evaluate(width, 7, 0), 7);
    assert_eq!(DivideUnsigned.evaluate(width, 7, 0), 7);
    assert_eq!(RemainderSigned.evaluate(width, 7, 0), 0);
    assert_eq!(RemainderUnsigned.evaluate(width, 7, 0), 0);
    assert_eq!(DivideSigned.evaluate(width, 0x8000_0000, 0xFFFF_FFFF), 0x8000_0000);
    assert_eq!(RemainderSigned.evaluate(width, 0x8000_0000, 0xFFFF_FFFF), 0);
    assert_eq!(RemainderSigned.evaluate(width, -7_i32 as u32 as u64, 3), -1_i32 as u32 as u64);
    assert_eq!(ShiftLeft.evaluate(width, 1, 33), 2);
    // -1 / -1 is 1, which one bit reads as -1.
    assert_eq!(DivideSigned.evaluate(IntegerWidth::W1, 1, 1), 1);
    assert_eq!(IntegerBinary::ShiftRightSigned.evaluate(IntegerWidth::W1, 1, 1), 1);
    assert_eq!(IntegerBinary::MinimumSigned.evaluate(IntegerWidth::W1, 1, 0), 1);
}
