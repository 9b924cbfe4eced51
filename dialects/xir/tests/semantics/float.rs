//! Floating-point operations, against a software implementation of IEEE 754.

use fermata_xir::semantics::{FloatBinary, FloatFormat, FloatTernary, FloatUnary};
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, Round};

use crate::values::{floats, random_bits, same_float};

/// Calls a function that is generic over the software format.
macro_rules! with_format {
    ($format:expr, $function:ident($($argument:expr),*)) => {
        match $format {
            FloatFormat::F16 => $function::<Half>($($argument),*),
            FloatFormat::F32 => $function::<Single>($($argument),*),
            FloatFormat::F64 => $function::<Double>($($argument),*),
        }
    };
}

fn software_binary<F: Float>(operation: FloatBinary, x: u64, y: u64) -> u64 {
    let (x, y) = (F::from_bits(x.into()), F::from_bits(y.into()));
    let result = match operation {
        FloatBinary::Add => (x + y).value,
        FloatBinary::Subtract => (x - y).value,
        FloatBinary::Multiply => (x * y).value,
        FloatBinary::Divide => (x / y).value,
        FloatBinary::Remainder => x.c_fmod(y).value,
        FloatBinary::Minimum | FloatBinary::Maximum => {
            let smaller = operation == FloatBinary::Minimum;
            if x.is_nan() {
                y
            } else if y.is_nan() {
                x
            } else if x.is_zero() && y.is_zero() {
                if x.is_negative() == smaller { x } else { y }
            } else if (x < y) == smaller {
                x
            } else {
                y
            }
        }
        FloatBinary::CopySign => x.copy_sign(y),
    };
    result.to_bits() as u64
}

fn software_ternary<F: Float>(operation: FloatTernary, x: u64, y: u64, z: u64) -> u64 {
    match operation {
        FloatTernary::FusedMultiplyAdd => {
            let [x, y, z] = [x, y, z].map(|bits| F::from_bits(bits.into()));
            x.mul_add(y, z).value.to_bits() as u64
        }
        FloatTernary::Clamp => {
            let raised = software_binary::<F>(FloatBinary::Maximum, x, y);
            software_binary::<F>(FloatBinary::Minimum, raised, z)
        }
    }
}

/// What [`FloatUnary`] gives, except for roots.
fn software_unary<F: Float>(operation: FloatUnary, bits: u64) -> u64 {
    let x = F::from_bits(bits.into());
    let rounded = |round| x.round_to_integral(round).value;
    let result = match operation {
        FloatUnary::Negate => -x,
        FloatUnary::Absolute => x.abs(),
        FloatUnary::Floor => rounded(Round::TowardNegative),
        FloatUnary::Ceil => rounded(Round::TowardPositive),
        FloatUnary::Truncate => rounded(Round::TowardZero),
        FloatUnary::Round => rounded(Round::NearestTiesToAway),
        FloatUnary::RoundEven => rounded(Round::NearestTiesToEven),
        FloatUnary::Fraction => (x - rounded(Round::TowardNegative)).value,
        FloatUnary::Sign if x.is_zero() || x.is_nan() => x,
        FloatUnary::Sign => F::from_u128(1).value.copy_sign(x),
        FloatUnary::SquareRoot | FloatUnary::ReciprocalSquareRoot => unreachable!("roots have a test of their own"),
    };
    result.to_bits() as u64
}

#[test]
fn unary_operations_round_once() {
    for format in FloatFormat::ALL {
        for operation in FloatUnary::ALL {
            if matches!(operation, FloatUnary::SquareRoot | FloatUnary::ReciprocalSquareRoot) {
                continue;
            }
            for x in floats(format) {
                let expected = with_format!(format, software_unary(operation, x));
                let result = operation.evaluate(format, x);
                assert!(
                    same_float(format, result, expected),
                    "{operation:?} {format:?} {x:#x}: {result:#x} {expected:#x}"
                );
            }
        }
    }
}

#[test]
fn binary_operations_round_once() {
    for format in FloatFormat::ALL {
        let values = floats(format);
        for operation in FloatBinary::ALL {
            for &x in &values {
                for &y in &values {
                    let expected = with_format!(format, software_binary(operation, x, y));
                    let result = operation.evaluate(format, x, y);
                    assert!(
                        same_float(format, result, expected),
                        "{operation:?} {format:?} {x:#x} {y:#x}: {result:#x} {expected:#x}"
                    );
                }
            }
        }
    }
}

#[test]
fn ternary_operations_round_once() {
    for format in FloatFormat::ALL {
        let values = floats(format);
        let mut random = random_bits(5);
        let mut pick = || values[(random.next().expect("the sequence is infinite") % values.len() as u64) as usize];
        for operation in FloatTernary::ALL {
            for _ in 0..60_000 {
                let (x, y, z) = (pick(), pick(), pick());
                let expected = with_format!(format, software_ternary(operation, x, y, z));
                let result = operation.evaluate(format, x, y, z);
                assert!(
                    same_float(format, result, expected),
                    "{operation:?} {format:?} {x:#x} {y:#x} {z:#x}: {result:#x} {expected:#x}"
                );
            }
        }
    }
}

/// Products that cancel all but their last bits against the sum, where rounding twice would show.
#[test]
fn fused_multiply_add_keeps_what_a_rounded_product_loses() {
    for format in FloatFormat::ALL {
        let random: Vec<u64> = random_bits(6).take(20_000).map(|bits| bits & format.mask()).collect();
        for pair in random.windows(2) {
            let (x, y) = (pair[0], pair[1]);
            let product = FloatBinary::Multiply.evaluate(format, x, y);
            for z in [product, product ^ format.sign_bit(), product ^ format.sign_bit() ^ 1] {
                let expected = with_format!(format, software_ternary(FloatTernary::FusedMultiplyAdd, x, y, z));
                let result = FloatTernary::FusedMultiplyAdd.evaluate(format, x, y, z);
                assert!(same_float(format, result, expected), "{format:?} {x:#x} {y:#x} {z:#x}");
            }
        }
    }
}

/// A positive number as a significand and the exponent of its unit.
fn unpack(format: FloatFormat, bits: u64) -> (u128, i32) {
    let (fraction_bits, bias) = match format {
        FloatFormat::F16 => (10, 15),
        FloatFormat::F32 => (23, 127),
        FloatFormat::F64 => (52, 1023),
    };
    let fraction = bits & ((1 << fraction_bits) - 1);
    let biased = (bits >> fraction_bits) as i32;
    let hidden = u64::from(biased != 0) << fraction_bits;
    ((fraction | hidden).into(), biased.max(1) - bias - fraction_bits)
}

#[test]
fn square_roots_are_the_nearest() {
    for format in FloatFormat::ALL {
        for x in floats(format) {
            let root = FloatUnary::SquareRoot.evaluate(format, x);
            if x & !format.sign_bit() == 0 || x == format.infinity() {
                assert_eq!(root, x);
            } else if format.is_nan(x) || x & format.sign_bit() != 0 {
                assert!(format.is_nan(root), "{format:?} {x:#x}");
            } else {
                // In quarters of the root's unit squared, (2r - 1)^2 < x < (2r + 1)^2 holds of the nearest root r.
                let (value, value_exponent) = unpack(format, x);
                let (root, root_exponent) = unpack(format, root);
                let shift = value_exponent - 2 * root_exponent + 2;
                let value = if shift >= 0 { value << shift } else { value >> -shift };
                assert!((2 * root - 1).pow(2) <= value && value <= (2 * root + 1).pow(2), "{format:?} {x:#x}");
            }
        }
    }
}

#[test]
fn reciprocal_square_roots_are_two_rounded_operations() {
    for format in FloatFormat::ALL {
        for x in floats(format) {
            let root = FloatUnary::SquareRoot.evaluate(format, x);
            let expected = with_format!(format, software_binary(FloatBinary::Divide, format.one(), root));
            let result = FloatUnary::ReciprocalSquareRoot.evaluate(format, x);
            assert!(same_float(format, result, expected), "{format:?} {x:#x}");
        }
    }
}

#[test]
fn computed_nans_are_the_one_that_stands_for_all() {
    for format in FloatFormat::ALL {
        let negative_payload = (format.nan() + 5) | format.sign_bit();
        for operation in FloatBinary::ALL {
            if operation != FloatBinary::CopySign {
                assert_eq!(
                    operation.evaluate(format, negative_payload, negative_payload),
                    format.nan(),
                    "{operation:?}"
                );
            }
        }
        assert_eq!(FloatBinary::Subtract.evaluate(format, format.infinity(), format.infinity()), format.nan());
        let expected = negative_payload ^ format.sign_bit();
        assert_eq!(FloatUnary::Negate.evaluate(format, negative_payload), expected);
        assert_eq!(FloatUnary::Absolute.evaluate(format, negative_payload), expected);
        assert_eq!(FloatBinary::CopySign.evaluate(format, negative_payload, 0), expected);
    }
}

#[test]
fn the_rules_that_are_decided() {
    let format = FloatFormat::F32;
    let bits = |value: f32| u64::from(value.to_bits());
    let minimum = |x, y| FloatBinary::Minimum.evaluate(format, bits(x), bits(y));
    let maximum = |x, y| FloatBinary::Maximum.evaluate(format, bits(x), bits(y));
    assert_eq!(minimum(0.0, -0.0), bits(-0.0));
    assert_eq!(minimum(-0.0, 0.0), bits(-0.0));
    assert_eq!(maximum(0.0, -0.0), bits(0.0));
    assert_eq!(maximum(-0.0, 0.0), bits(0.0));
    assert_eq!(minimum(f32::NAN, 1.0), bits(1.0));
    assert_eq!(maximum(1.0, f32::NAN), bits(1.0));
    assert_eq!(minimum(f32::NAN, f32::INFINITY), bits(f32::INFINITY));
    // The least subnormal numbers are not flushed.
    assert_eq!(FloatBinary::Add.evaluate(format, 1, 1), 2);
    assert_eq!(FloatUnary::Fraction.evaluate(format, bits(-1e-10)), bits(1.0));
    assert_eq!(FloatUnary::Round.evaluate(format, bits(2.5)), bits(3.0));
    assert_eq!(FloatUnary::RoundEven.evaluate(format, bits(2.5)), bits(2.0));
}
