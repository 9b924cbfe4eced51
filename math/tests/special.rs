//! Results that are known exactly: NaN, infinities, signed zeros, exact values, the ends of ranges.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use fermata_math::EvaluateF64;
use fermata_math::Function::{self, *};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn same(result: f64, expected: f64) -> bool {
    (result.is_nan() && expected.is_nan()) || result.to_bits() == expected.to_bits()
}

/// Checks in both formats. Operands and results are numbers of both, but for roundings of the result.
#[track_caller]
fn check(function: Function, operands: &[f64], expected: f64) {
    let name = function.name();
    let double = function.evaluate_f64(operands).expect("the function takes these operands");
    assert!(same(double, expected), "f64: {name}{operands:?} = {double:e}, not {expected:e}");
    let operands: Vec<f32> = operands.iter().map(|&operand| operand as f32).collect();
    let single = function.evaluate_f32(&operands).expect("the function takes these operands");
    assert!(same(single.into(), (expected as f32).into()), "f32: {name}{operands:?} = {single:e}, not {expected:e}");
}

#[track_caller]
fn check_all(function: Function, cases: &[(f64, f64)]) {
    for &(operand, expected) in cases {
        check(function, &[operand], expected);
    }
}

#[track_caller]
fn check_odd(function: Function, cases: &[(f64, f64)]) {
    for &(operand, expected) in cases {
        check(function, &[operand], expected);
        check(function, &[-operand], -expected);
    }
}

#[test]
fn every_function_of_nan_is_nan() {
    for &function in Function::ALL {
        match function {
            Pow => {}
            Atan2 => {
                for other in [0.0, -1.0, INF, NAN] {
                    check(function, &[NAN, other], NAN);
                    check(function, &[other, NAN], NAN);
                }
            }
            _ => check(function, &[NAN], NAN),
        }
    }
}

#[test]
fn a_nan_is_the_positive_quiet_one_without_payload() {
    for &function in Function::ALL {
        let operands = [f32::from_bits(0xffc1_2345); 2];
        let result = function.evaluate_f32(&operands[..function.operand_count()]).expect("as many as it takes");
        assert_eq!(result.to_bits(), 0x7fc0_0000, "{}", function.name());
        let operands = [f64::from_bits(0xfff8_0000_0012_3456); 2];
        let result = function.evaluate_f64(&operands[..function.operand_count()]).expect("as many as it takes");
        assert_eq!(result.to_bits(), 0x7ff8_0000_0000_0000, "{}", function.name());
    }
}

#[test]
fn functions_take_as_many_operands_as_they_say() {
    for &function in Function::ALL {
        for count in 0..4 {
            let operands = vec![0.5; count];
            assert_eq!(function.evaluate_f64(&operands).is_some(), count == function.operand_count());
        }
    }
}

#[test]
fn trigonometric() {
    check_odd(Sin, &[(0.0, 0.0), (INF, NAN)]);
    check_odd(Tan, &[(0.0, 0.0), (INF, NAN)]);
    check_all(Cos, &[(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN)]);
    // The greatest numbers; values by MPFR.
    assert_eq!(Sin.evaluate_f32(&[f32::MAX]), Some(-0.521_876_5));
    assert_eq!(Cos.evaluate_f64(&[f64::MAX]), Some(-0.999_987_689_426_559_9));
}

#[test]
fn sine_and_cosine_at_once() {
    for x in [0.0, -0.0, 0.7, 2.0, -4.0, 1e300, INF, NAN] {
        let (sine, cosine) = fermata_math::sin_cos(&EvaluateF64, x);
        assert!(same(sine, fermata_math::sin(&EvaluateF64, x)), "{x}");
        assert!(same(cosine, fermata_math::cos(&EvaluateF64, x)), "{x}");
    }
}

#[test]
fn tiny_operands_of_odd_functions_are_their_own_results() {
    for function in [Sin, Tan, Asin, Atan, Sinh, Tanh, Asinh, Atanh, Expm1, Log1p] {
        for operand in [f64::from_bits(1), 1e-310, f64::MIN_POSITIVE, 1e-200] {
            assert_eq!(function.evaluate_f64(&[operand]), Some(operand), "{}", function.name());
            assert_eq!(function.evaluate_f64(&[-operand]), Some(-operand), "{}", function.name());
        }
        for operand in [f32::from_bits(1), 1e-40, f32::MIN_POSITIVE, 1e-20] {
            assert_eq!(function.evaluate_f32(&[operand]), Some(operand), "{}", function.name());
            assert_eq!(function.evaluate_f32(&[-operand]), Some(-operand), "{}", function.name());
        }
    }
}

#[test]
fn inverse_trigonometric() {
    check_odd(Asin, &[(0.0, 0.0), (1.0, FRAC_PI_2), (1.5, NAN), (INF, NAN)]);
    check_all(
        Acos,
        &[(0.0, FRAC_PI_2), (-0.0, FRAC_PI_2), (1.0, 0.0), (-1.0, PI), (1.5, NAN), (-1.5, NAN), (INF, NAN)],
    );
    check_odd(Atan, &[(0.0, 0.0), (1.0, FRAC_PI_4), (INF, FRAC_PI_2)]);
}

#[test]
fn atan2() {
    let cases = [
        (0.0, 0.0, 0.0),
        (0.0, -0.0, PI),
        (0.0, 1.0, 0.0),
        (0.0, -1.0, PI),
        (0.0, INF, 0.0),
        (0.0, -INF, PI),
        (1.0, 0.0, FRAC_PI_2),
        (1.0, -0.0, FRAC_PI_2),
        (1.0, 1.0, FRAC_PI_4),
        (1.0, -1.0, 3.0 * FRAC_PI_4),
        (1.0, INF, 0.0),
        (1.0, -INF, PI),
        (INF, 0.0, FRAC_PI_2),
        (INF, 1.0, FRAC_PI_2),
        (INF, -1.0, FRAC_PI_2),
        (INF, INF, FRAC_PI_4),
        (INF, -INF, 3.0 * FRAC_PI_4),
    ];
    for (y, x, expected) in cases {
        check(Atan2, &[y, x], expected);
        check(Atan2, &[-y, x], -expected);
    }
    // Both the least and both the greatest numbers.
    for magnitude in [f64::from_bits(1), f64::MAX] {
        assert_eq!(Atan2.evaluate_f64(&[magnitude, magnitude]), Some(FRAC_PI_4));
    }
    for magnitude in [f32::from_bits(1), f32::MAX] {
        assert_eq!(Atan2.evaluate_f32(&[magnitude, magnitude]), Some(std::f32::consts::FRAC_PI_4));
    }
}

#[test]
fn hyperbolic() {
    check_odd(Sinh, &[(0.0, 0.0), (INF, INF), (1000.0, INF)]);
    check_all(Cosh, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (-1000.0, INF)]);
    check_odd(Tanh, &[(0.0, 0.0), (INF, 1.0), (100.0, 1.0)]);
    check_odd(Asinh, &[(0.0, 0.0), (INF, INF)]);
    check_all(Acosh, &[(1.0, 0.0), (INF, INF), (0.5, NAN), (0.0, NAN), (-1.0, NAN), (-INF, NAN)]);
    check_odd(Atanh, &[(0.0, 0.0), (1.0, INF), (1.5, NAN), (INF, NAN)]);
}

#[test]
fn exponential() {
    check_all(Exp, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (1000.0, INF), (-1000.0, 0.0)]);
    check_all(Exp2, &[(0.0, 1.0), (10.0, 1024.0), (-126.0, 2f64.powi(-126)), (INF, INF), (-INF, 0.0)]);
    check_all(Exp10, &[(0.0, 1.0), (3.0, 1000.0), (INF, INF), (-INF, 0.0), (400.0, INF), (-400.0, 0.0)]);
    check_odd(Expm1, &[(0.0, 0.0)]);
    check_all(Expm1, &[(INF, INF), (-INF, -1.0), (-1000.0, -1.0), (1000.0, INF)]);
    // The ends of the range: the least number and half of it, the greatest power and the next one.
    assert_eq!(Exp2.evaluate_f32(&[-149.0]), Some(f32::from_bits(1)));
    assert_eq!(Exp2.evaluate_f32(&[-150.0]), Some(0.0));
    assert_eq!(Exp2.evaluate_f32(&[127.0]), Some(2f32.powi(127)));
    assert_eq!(Exp2.evaluate_f32(&[128.0]), Some(f32::INFINITY));
    assert_eq!(Exp2.evaluate_f64(&[-1074.0]), Some(f64::from_bits(1)));
    assert_eq!(Exp2.evaluate_f64(&[-1075.0]), Some(0.0));
    assert_eq!(Exp2.evaluate_f64(&[1024.0]), Some(INF));
}

#[test]
fn logarithmic() {
    for function in [Log, Log2, Log10] {
        check_all(function, &[(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (-1.0, NAN), (INF, INF), (-INF, NAN)]);
    }
    for exponent in -149..128 {
        check(Log2, &[2f64.powi(exponent)], exponent.into());
    }
    for (exponent, power) in [(1.0, 10.0), (2.0, 100.0), (5.0, 1e5), (10.0, 1e10)] {
        check(Log10, &[power], exponent);
        check(Exp10, &[exponent], power);
    }
    check_odd(Log1p, &[(0.0, 0.0)]);
    check_all(Log1p, &[(-1.0, -INF), (-1.5, NAN), (INF, INF), (-INF, NAN)]);
}

#[test]
fn roots() {
    check_odd(Cbrt, &[(0.0, 0.0), (1.0, 1.0), (27.0, 3.0), (2f64.powi(-120), 2f64.powi(-40)), (INF, INF)]);
    check_all(Rsqrt, &[(0.0, INF), (-0.0, -INF), (INF, 0.0), (-1.0, NAN), (-INF, NAN), (4.0, 0.5)]);
}

#[test]
fn pow() {
    let cases = [
        // C23, F.10.4.4.
        (0.0, -3.0, INF),
        (-0.0, -3.0, -INF),
        (0.0, -2.5, INF),
        (-0.0, -2.0, INF),
        (0.0, -INF, INF),
        (-0.0, -INF, INF),
        (0.0, 3.0, 0.0),
        (-0.0, 3.0, -0.0),
        (0.0, 2.5, 0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, INF, 0.0),
        (-1.0, INF, 1.0),
        (-1.0, -INF, 1.0),
        (1.0, INF, 1.0),
        (1.0, NAN, 1.0),
        (NAN, 0.0, 1.0),
        (NAN, -0.0, 1.0),
        (INF, 0.0, 1.0),
        (NAN, 1.0, NAN),
        (2.0, NAN, NAN),
        (-2.0, 0.5, NAN),
        (-2.0, -1.5, NAN),
        (0.5, -INF, INF),
        (-0.5, -INF, INF),
        (2.0, -INF, 0.0),
        (-2.0, -INF, 0.0),
        (0.5, INF, 0.0),
        (-0.5, INF, 0.0),
        (2.0, INF, INF),
        (-2.0, INF, INF),
        (-INF, -3.0, -0.0),
        (-INF, -2.0, 0.0),
        (-INF, -2.5, 0.0),
        (-INF, 3.0, -INF),
        (-INF, 2.0, INF),
        (-INF, 2.5, INF),
        (INF, -1.0, 0.0),
        (INF, 1.0, INF),
        // Exact powers.
        (2.0, 10.0, 1024.0),
        (-2.0, 3.0, -8.0),
        (-2.0, -2.0, 0.25),
        (3.0, 5.0, 243.0),
        (9.0, 0.5, 3.0),
        (10.0, 3.0, 1000.0),
        (7.0, 1.0, 7.0),
        (2.0, -126.0, 2f64.powi(-126)),
        // Out of range.
        (10.0, 1000.0, INF),
        (-10.0, 1001.0, -INF),
        (10.0, -1000.0, 0.0),
        (-10.0, -1001.0, -0.0),
    ];
    for (x, y, expected) in cases {
        check(Pow, &[x, y], expected);
    }
    // Great odd and even integers; every number beyond them is even.
    assert_eq!(Pow.evaluate_f32(&[-1.0, 16_777_215.0]), Some(-1.0));
    assert_eq!(Pow.evaluate_f32(&[-1.0, 16_777_216.0]), Some(1.0));
    assert_eq!(Pow.evaluate_f64(&[-1.0, 9_007_199_254_740_991.0]), Some(-1.0));
    assert_eq!(Pow.evaluate_f64(&[-1.0, f64::MAX]), Some(1.0));
    // Numbers next to 1 with great exponents.
    assert_eq!(Pow.evaluate_f32(&[1.0 - f32::EPSILON / 2.0, f32::MAX]), Some(0.0));
    assert_eq!(Pow.evaluate_f64(&[1.0 + f64::EPSILON, f64::MAX]), Some(INF));
}
