//! binary16, exhaustively where that is possible.

use fermata_xir::semantics::{FloatFormat, FloatUnary};
use rustc_apfloat::ieee::{Double, Half};
use rustc_apfloat::{Float, FloatConvert};

use crate::values::{random_bits, same_float};

const F16: FloatFormat = FloatFormat::F16;

fn narrowed(value: f64) -> u64 {
    let result: Half = Double::from_bits(value.to_bits().into()).convert(&mut false).value;
    result.to_bits() as u64
}

#[test]
fn widening_is_exact() {
    for bits in 0..=u16::MAX {
        let expected: Double = Half::from_bits(bits.into()).convert(&mut false).value;
        let expected = f64::from_bits(expected.to_bits() as u64);
        let value = F16.to_f64(bits.into());
        assert!(value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan(), "{bits:#x}");
    }
}

#[test]
fn narrowing_rounds_once_at_every_number_tie_and_neighbour() {
    for bits in 0..0x7C00_u64 {
        let value = F16.to_f64(bits);
        // The number after the largest one would be 65536: the tie between them rounds to infinity.
        let next = if bits == 0x7BFF { 65536.0 } else { F16.to_f64(bits + 1) };
        let tie = (value + next) / 2.0;
        for magnitude in [value, tie, tie.next_down(), tie.next_up(), next.next_down()] {
            for value in [magnitude, -magnitude] {
                assert_eq!(F16.from_f64(value), narrowed(value), "{value:e}");
            }
        }
    }
    for bits in random_bits(4).take(100_000) {
        let value = f64::from_bits(bits);
        assert!(same_float(F16, F16.from_f64(value), narrowed(value)), "{value:e}");
    }
    assert_eq!(F16.from_f64(f64::INFINITY), 0x7C00);
    assert_eq!(F16.from_f64(f64::MAX), 0x7C00);
    assert_eq!(F16.from_f64(-f64::MIN_POSITIVE), 0x8000);
}

#[test]
fn square_roots_of_all_numbers() {
    for bits in 0..0x7C00_u64 {
        let root = FloatUnary::SquareRoot.evaluate(F16, bits);
        // The root lies between the ties beside the result; all products are exact in binary64.
        let value = F16.to_f64(bits);
        let below = if root == 0 { 0.0 } else { (F16.to_f64(root) + F16.to_f64(root - 1)) / 2.0 };
        let above = (F16.to_f64(root) + F16.to_f64(root + 1)) / 2.0;
        assert!(below * below <= value && value <= above * above, "{bits:#x}");
    }
}
