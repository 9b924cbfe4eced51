//! Conversions, against a software implementation of IEEE 754 and arithmetic that does not overflow.

use fermata_xir::semantics::{Cast, FloatFormat, IntegerWidth, ScalarType, bitcast_lanes};
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::values::{floats, integers, random_bits, same_float};

fn signed(width: IntegerWidth, value: u64) -> i128 {
    let value = i128::from(value);
    if value >= 1 << (width.bits() - 1) { value - (1 << width.bits()) } else { value }
}

#[test]
fn integers_to_integers() {
    for from in IntegerWidth::ALL {
        for to in IntegerWidth::ALL {
            for x in integers(from) {
                let modulus = 1_i128 << to.bits();
                if to > from {
                    let extended = Cast::ExtendSigned { from, to }.evaluate(x);
                    assert_eq!(i128::from(extended), signed(from, x).rem_euclid(modulus), "{from:?} {to:?} {x:#x}");
                    assert_eq!(Cast::ExtendUnsigned { from, to }.evaluate(x), x, "{from:?} {to:?} {x:#x}");
                }
                if to < from {
                    let truncated = Cast::Truncate { from, to }.evaluate(x);
                    assert_eq!(i128::from(truncated), i128::from(x).rem_euclid(modulus), "{from:?} {to:?} {x:#x}");
                }
            }
        }
    }
}

fn integer_to_float(value: i128, to: FloatFormat) -> u64 {
    match to {
        FloatFormat::F16 => Half::from_i128(value).value.to_bits() as u64,
        FloatFormat::F32 => Single::from_i128(value).value.to_bits() as u64,
        FloatFormat::F64 => Double::from_i128(value).value.to_bits() as u64,
    }
}

#[test]
fn integers_to_floats() {
    for from in IntegerWidth::ALL {
        for to in FloatFormat::ALL {
            for x in integers(from).into_iter().chain(random_bits(7).take(2000).map(|bits| from.truncate(bits))) {
                let expected = integer_to_float(signed(from, x), to);
                assert_eq!(Cast::SignedToFloat { from, to }.evaluate(x), expected, "{from:?} {to:?} {x:#x}");
                let expected = integer_to_float(x.into(), to);
                assert_eq!(Cast::UnsignedToFloat { from, to }.evaluate(x), expected, "{from:?} {to:?} {x:#x}");
            }
        }
    }
}

fn to_double(format: FloatFormat, bits: u64) -> Double {
    match format {
        FloatFormat::F16 => Half::from_bits(bits.into()).convert(&mut false).value,
        FloatFormat::F32 => Single::from_bits(bits.into()).convert(&mut false).value,
        FloatFormat::F64 => Double::from_bits(bits.into()),
    }
}

#[test]
fn floats_to_integers() {
    for from in FloatFormat::ALL {
        for to in IntegerWidth::ALL {
            for x in floats(from) {
                let value = to_double(from, x);
                let context = format!("{from:?} {to:?} {x:#x}");
                let signed_expected = if value.is_nan() {
                    0
                } else {
                    let exact = value.to_i128_r(128, Round::TowardZero, &mut false).value;
                    let bound = 1_i128 << (to.bits() - 1);
                    exact.clamp(-bound, bound - 1)
                };
                let result = Cast::FloatToSigned { from, to }.evaluate(x);
                assert_eq!(signed(to, result), signed_expected, "{context}");
                let unsigned_expected = if value.is_nan() || value.is_negative() {
                    0
                } else {
                    let exact = value.to_u128_r(128, Round::TowardZero, &mut false).value;
                    exact.min((1 << to.bits()) - 1)
                };
                let result = Cast::FloatToUnsigned { from, to }.evaluate(x);
                assert_eq!(u128::from(result), unsigned_expected, "{context}");
            }
        }
    }
}

#[test]
fn floats_to_floats() {
    for from in FloatFormat::ALL {
        for to in FloatFormat::ALL {
            for x in floats(from) {
                let value = to_double(from, x);
                let expected = match to {
                    FloatFormat::F16 => FloatConvert::<Half>::convert(value, &mut false).value.to_bits(),
                    FloatFormat::F32 => FloatConvert::<Single>::convert(value, &mut false).value.to_bits(),
                    FloatFormat::F64 => value.to_bits(),
                } as u64;
                let result = Cast::Float { from, to }.evaluate(x);
                assert!(same_float(to, result, expected), "{from:?} {to:?} {x:#x}: {result:#x} {expected:#x}");
            }
        }
    }
}

#[test]
fn the_rules_that_are_decided() {
    let from = FloatFormat::F32;
    let bits = |value: f32| u64::from(value.to_bits());
    let to_i32 = |value| Cast::FloatToSigned { from, to: IntegerWidth::W32 }.evaluate(bits(value)) as u32 as i32;
    assert_eq!(to_i32(1e20), i32::MAX);
    assert_eq!(to_i32(-1e20), i32::MIN);
    assert_eq!(to_i32(f32::NAN), 0);
    assert_eq!(to_i32(-1.9), -1);
    let to_bool = Cast::FloatToUnsigned { from, to: IntegerWidth::W1 };
    assert_eq!([0.9, 1.0, 7.0, -1.0].map(|value| to_bool.evaluate(bits(value))), [0, 1, 1, 0]);
    let widened = Cast::ExtendSigned { from: IntegerWidth::W1, to: IntegerWidth::W8 }.evaluate(1);
    assert_eq!(widened, 0xFF);
    assert_eq!(Cast::SignedToFloat { from: IntegerWidth::W1, to: from }.evaluate(1), bits(-1.0));
}

#[test]
fn bits_are_kept() {
    let pairs = [(IntegerWidth::W16, FloatFormat::F16), (IntegerWidth::W32, FloatFormat::F32)];
    for (width, format) in pairs {
        let (integer, float) = (ScalarType::Integer(width), ScalarType::Float(format));
        for x in floats(format) {
            assert_eq!(Cast::Bits { from: float, to: integer }.evaluate(x), x);
            assert_eq!(Cast::Bits { from: integer, to: float }.evaluate(x), x);
        }
    }
}

#[test]
fn lanes_are_read_as_in_little_endian_memory() {
    let lanes: [u32; 2] = [0x0403_0201, 0x0807_0605];
    let wide: Vec<u64> = lanes.iter().map(|&lane| lane.into()).collect();
    assert_eq!(bitcast_lanes(&wide, 32, 64), [0x0807_0605_0403_0201]);
    assert_eq!(bitcast_lanes(&wide, 32, 16), [0x0201, 0x0403, 0x0605, 0x0807]);
    assert_eq!(bitcast_lanes(&[0x0807_0605_0403_0201], 64, 32), wide);
}
