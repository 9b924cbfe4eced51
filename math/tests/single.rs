//! `f32` against `f64` of another library, over the whole range.

use fermata_math::{Format, Function};

/// The distance of bit patterns that are tried: a prime, so that the patterns differ in all bits.
const STRIDE: usize = 4001;
/// The number that is closest to a multiple of pi/2 of all: 16367173 * 2^72 (Muller, Elementary Functions, chapter 11).
const CLOSEST_TO_QUARTERS: f32 = 16_367_173.0 * (1u128 << 72) as f32;
const PAIRS: usize = 200_000;

/// The function in `f64`, by libm, whose errors are some 10^-9 of what an `f32` can tell.
fn reference(function: Function, operands: &[f64]) -> f64 {
    let x = operands[0];
    match function {
        Function::Sin => libm::sin(x),
        Function::Cos => libm::cos(x),
        Function::Tan => libm::tan(x),
        Function::Asin => libm::asin(x),
        Function::Acos => libm::acos(x),
        Function::Atan => libm::atan(x),
        Function::Atan2 => libm::atan2(x, operands[1]),
        Function::Sinh => libm::sinh(x),
        Function::Cosh => libm::cosh(x),
        Function::Tanh => libm::tanh(x),
        Function::Asinh => libm::asinh(x),
        // libm gives numbers below 1, where there is no arc.
        Function::Acosh if x < 1.0 => f64::NAN,
        Function::Acosh => libm::acosh(x),
        Function::Atanh => libm::atanh(x),
        Function::Exp => libm::exp(x),
        Function::Exp2 => libm::exp2(x),
        Function::Exp10 => libm::exp10(x),
        Function::Expm1 => libm::expm1(x),
        Function::Log => libm::log(x),
        Function::Log2 => libm::log2(x),
        Function::Log10 => libm::log10(x),
        Function::Log1p => libm::log1p(x),
        Function::Pow => libm::pow(x, operands[1]),
        Function::Cbrt => libm::cbrt(x),
        Function::Rsqrt => 1.0 / libm::sqrt(x),
    }
}

/// The distance to the exact value in units in the last place of an `f32`; infinity if they differ in kind.
fn error(result: f32, exact: f64) -> f64 {
    if exact.is_nan() || result.is_nan() {
        return if exact.is_nan() && result.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if exact.is_sign_negative() != result.is_sign_negative() || (exact == 0.0 && result != 0.0) {
        return f64::INFINITY;
    }
    // Out of range, infinity stands for the power of 2 that the next number would be.
    let limit = 2f64.powi(128);
    let difference = f64::from(result).clamp(-limit, limit) - exact.clamp(-limit, limit);
    let exponent = (exact.abs().max(f64::from(f32::MIN_POSITIVE)).log2().floor() as i32).min(127);
    difference.abs() / 2f64.powi(exponent - 23)
}

#[track_caller]
fn check(function: Function, operands: &[f32]) {
    let exact_operands: Vec<f64> = operands.iter().map(|&operand| operand.into()).collect();
    let exact = reference(function, &exact_operands);
    let result = function.evaluate_f32(operands).expect("the function takes these operands");
    let error = error(result, exact);
    let bound = function.greatest_error(Format::F32);
    assert!(error <= bound, "{}{operands:?} = {result:e}, exactly {exact:e}: {error} ulp", function.name());
}

fn sweep(function: Function) {
    for hard in [CLOSEST_TO_QUARTERS, f32::MAX, f32::MIN_POSITIVE, 1.0, 0.5] {
        check(function, &[hard]);
        check(function, &[-hard]);
    }
    for bits in (0..=u32::MAX).step_by(STRIDE) {
        check(function, &[f32::from_bits(bits)]);
    }
}

macro_rules! sweeps {
    ($($name:ident: $function:ident,)+) => {
        $(
            #[test]
            fn $name() {
                sweep(Function::$function);
            }
        )+

        #[test]
        fn every_function_of_one_operand_is_swept() {
            let swept = [$(Function::$function),+];
            let unary = Function::ALL.iter().filter(|function| function.operand_count() == 1);
            for function in unary {
                assert!(swept.contains(function), "{}", function.name());
            }
        }
    };
}

sweeps! {
    sin: Sin,
    cos: Cos,
    tan: Tan,
    asin: Asin,
    acos: Acos,
    atan: Atan,
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
    cbrt: Cbrt,
    rsqrt: Rsqrt,
}

#[test]
fn atan2() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..PAIRS {
        let (y, x) = (f32::from_bits(random.u32(..)), f32::from_bits(random.u32(..)));
        check(Function::Atan2, &[y, x]);
        check(Function::Atan2, &[y, y * (random.f32() * 8.0 - 4.0)]);
    }
}

#[test]
fn pow() {
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..PAIRS {
        let (x, y) = (f32::from_bits(random.u32(..)), f32::from_bits(random.u32(..)));
        check(Function::Pow, &[x, y]);
        // Results over the whole range, from any base and from bases close to 1.
        let exponent = random.f64() * 210.0 - 110.0;
        let near_one = 1.0 + (random.f64() - 0.5) * (random.f64() * -20.0).exp2();
        for base in [x.abs(), near_one as f32] {
            check(Function::Pow, &[base, (exponent / f64::from(base).ln()) as f32]);
        }
        // Powers of negative numbers.
        check(Function::Pow, &[-random.f32() * 16.0, (random.f32() * 40.0 - 20.0).round()]);
    }
}
