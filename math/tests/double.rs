//! `f64` against an arbitrary-precision library.

mod support;

use astro_float_num::{BigFloat, Consts, RoundingMode, Sign};
use fermata_math::{Format, Function};
use support::operands;

/// Precision of the reference, in bits.
const PRECISION: usize = 192;
const ROUNDING: RoundingMode = RoundingMode::ToEven;
const COUNT: usize = 1500;

/// The number. The library's conversion of subnormal numbers is off, so they are converted as normal ones.
fn big(value: f64) -> BigFloat {
    if value == 0.0 || value.is_normal() {
        return BigFloat::from_f64(value, PRECISION);
    }
    let mut number = BigFloat::from_f64(value * 2f64.powi(200), PRECISION);
    number.set_exponent(number.exponent().expect("the number is finite") - 200);
    number
}

/// Computes functions to many digits.
struct Reference(Consts);

impl Reference {
    fn new() -> Self {
        Self(Consts::new().expect("there is memory for constants"))
    }

    fn evaluate(&mut self, function: Function, operands: &[f64]) -> BigFloat {
        let one = big(1.0);
        let x = big(operands[0]);
        let cc = &mut self.0;
        match function {
            Function::Sin => x.sin(PRECISION, ROUNDING, cc),
            Function::Cos => x.cos(PRECISION, ROUNDING, cc),
            Function::Tan => x.tan(PRECISION, ROUNDING, cc),
            Function::Asin => x.asin(PRECISION, ROUNDING, cc),
            Function::Acos => x.acos(PRECISION, ROUNDING, cc),
            Function::Atan => x.atan(PRECISION, ROUNDING, cc),
            Function::Atan2 => self.atan2(&x, &big(operands[1])),
            Function::Sinh => x.sinh(PRECISION, ROUNDING, cc),
            Function::Cosh => x.cosh(PRECISION, ROUNDING, cc),
            Function::Tanh => x.tanh(PRECISION, ROUNDING, cc),
            Function::Asinh => x.asinh(PRECISION, ROUNDING, cc),
            Function::Acosh => x.acosh(PRECISION, ROUNDING, cc),
            Function::Atanh => x.atanh(PRECISION, ROUNDING, cc),
            Function::Exp => x.exp(PRECISION, ROUNDING, cc),
            Function::Exp2 => big(2.0).pow(&x, PRECISION, ROUNDING, cc),
            Function::Exp10 => big(10.0).pow(&x, PRECISION, ROUNDING, cc),
            // Twice the precision outlasts the cancellation.
            Function::Expm1 => x.exp(2 * PRECISION, ROUNDING, cc).sub(&one, PRECISION, ROUNDING),
            Function::Log => x.ln(PRECISION, ROUNDING, cc),
            Function::Log2 => x.log2(PRECISION, ROUNDING, cc),
            Function::Log10 => x.log10(PRECISION, ROUNDING, cc),
            Function::Log1p => x.add_full_prec(&one).ln(PRECISION, ROUNDING, cc),
            Function::Pow => x.pow(&big(operands[1]), PRECISION, ROUNDING, cc),
            Function::Cbrt => x.cbrt(PRECISION, ROUNDING),
            Function::Rsqrt => x.sqrt(PRECISION, ROUNDING).reciprocal(PRECISION, ROUNDING),
        }
    }

    fn atan2(&mut self, y: &BigFloat, x: &BigFloat) -> BigFloat {
        let arc = y.div(x, PRECISION, ROUNDING).atan(PRECISION, ROUNDING, &mut self.0);
        if x.is_positive() {
            return arc;
        }
        let half_turn = self.0.pi(PRECISION, ROUNDING);
        if y.is_positive() {
            arc.add(&half_turn, PRECISION, ROUNDING)
        } else {
            arc.sub(&half_turn, PRECISION, ROUNDING)
        }
    }
}

/// The nearest `f64` below in magnitude: enough for an error.
fn approximate(value: &BigFloat) -> f64 {
    match value.as_raw_parts() {
        Some((words, _, sign, exponent, _)) => {
            let leading = words.last().map_or(0.0, |&word| word as f64);
            let magnitude = leading * 2f64.powi(exponent.max(-900) - 64);
            if sign == Sign::Neg { -magnitude } else { magnitude }
        }
        None => f64::NAN,
    }
}

/// The distance to the exact value in units in the last place of an `f64`.
fn error(result: f64, exact: &BigFloat) -> f64 {
    // The exponent of numbers from 1/2 to 1 is 0.
    let exponent = exact.exponent().expect("the exact result is a number");
    if exponent > 1024 {
        return if result.is_infinite() { 0.0 } else { f64::INFINITY };
    }
    let result = if result.is_infinite() {
        let mut power = big(1.0f64.copysign(result));
        power.set_exponent(1025);
        power
    } else {
        big(result)
    };
    let mut difference = result.sub(exact, PRECISION, ROUNDING);
    if difference.is_zero() {
        return 0.0;
    }
    let unit = exponent.max(-1021) - 53;
    difference.set_exponent(difference.exponent().expect("the difference is a number") - unit);
    approximate(&difference).abs()
}

fn check_all(function: Function) {
    let mut reference = Reference::new();
    for operands in operands(function, COUNT) {
        let exact = reference.evaluate(function, &operands);
        let result = function.evaluate_f64(&operands).expect("the function takes these operands");
        let error = error(result, &exact);
        let bound = function.greatest_error(Format::F64);
        assert!(error <= bound, "{}{operands:?} = {result:e}: {error} ulp", function.name());
    }
}

macro_rules! functions {
    ($($name:ident: $function:ident,)+) => {
        $(
            #[test]
            fn $name() {
                check_all(Function::$function);
            }
        )+

        #[test]
        fn every_function_is_checked() {
            assert_eq!([$(Function::$function),+], Function::ALL);
        }
    };
}

functions! {
    sin: Sin,
    cos: Cos,
    tan: Tan,
    asin: Asin,
    acos: Acos,
    atan: Atan,
    atan2: Atan2,
    sinh: Sinh,
    cosh: Cosh,
    tanh: Tanh,
    asinh: Asinh,
    acosh: Acosh,
    atanh: Atanh,
    exp: Exp,
    exp2: Exp2,
    exp10: Exp10,
    expm1: Expm1,
    log: Log,
    log2: Log2,
    log10: Log10,
    log1p: Log1p,
    pow: Pow,
    cbrt: Cbrt,
    rsqrt: Rsqrt,
}
