//! Operands for tests: random ones over the domain of each function, and hard ones.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4};

use fastrand::Rng;
use fermata_math::Function;

/// Operands at which the function is a number.
pub(crate) fn operands(function: Function, count: usize) -> Vec<Vec<f64>> {
    let mut random = Rng::with_seed(function as u64);
    let mut all: Vec<Vec<f64>> = hard(function).iter().map(|&x| vec![x]).collect();
    all.extend((0..count).map(|index| pick(function, index, &mut random)));
    all
}

/// A number whose logarithm is evenly distributed, of either sign.
fn spread(random: &mut Rng, exponents: std::ops::Range<f64>) -> f64 {
    let exponent = exponents.start + (exponents.end - exponents.start) * random.f64();
    exponent.exp2().copysign(random.f64() - 0.5)
}

fn between(random: &mut Rng, least: f64, greatest: f64) -> f64 {
    least + (greatest - least) * random.f64()
}

fn pick(function: Function, index: usize, random: &mut Rng) -> Vec<f64> {
    let kind = index % 3;
    let everywhere = |random: &mut Rng| spread(random, -1074.0..1024.0);
    match function {
        Function::Sin | Function::Cos | Function::Tan => vec![match kind {
            0 => everywhere(random),
            1 => spread(random, -20.0..20.0),
            _ => near_multiple_of_half_pi(random),
        }],
        Function::Asin | Function::Acos | Function::Atanh => vec![match kind {
            0 => spread(random, -1074.0..0.0),
            1 => between(random, -1.0, 1.0),
            _ => 1.0 - between(random, -53.0, 0.0).exp2(),
        }],
        Function::Atan | Function::Asinh | Function::Cbrt => {
            vec![if kind == 0 { everywhere(random) } else { spread(random, -20.0..20.0) }]
        }
        Function::Log | Function::Log2 | Function::Log10 | Function::Rsqrt => vec![match kind {
            0 => everywhere(random).abs(),
            1 => spread(random, -1.0..1.0).abs(),
            _ => 1.0 + spread(random, -52.0..-1.0),
        }],
        Function::Acosh => vec![match kind {
            0 => spread(random, 0.0..1024.0).abs(),
            1 => spread(random, 0.0..20.0).abs(),
            _ => 1.0 + spread(random, -52.0..1.0).abs(),
        }],
        Function::Log1p => vec![match kind {
            0 => everywhere(random).abs(),
            1 => -random.f64(),
            _ => spread(random, -54.0..-1.0),
        }],
        Function::Exp | Function::Sinh | Function::Cosh | Function::Tanh | Function::Expm1 => vec![match kind {
            0 => spread(random, -60.0..9.0),
            1 => between(random, -745.0, 710.0),
            _ => between(random, -2.0, 2.0),
        }],
        Function::Exp2 => vec![if kind == 0 { spread(random, -60.0..10.0) } else { between(random, -1075.0, 1025.0) }],
        Function::Exp10 => vec![if kind == 0 { spread(random, -60.0..8.0) } else { between(random, -324.0, 309.0) }],
        Function::Atan2 => match kind {
            0 => vec![spread(random, -1074.0..1024.0), spread(random, -1074.0..1024.0)],
            1 => vec![spread(random, -3.0..3.0), spread(random, -3.0..3.0)],
            _ => {
                let x = spread(random, -1010.0..960.0);
                vec![x * spread(random, -60.0..60.0), x]
            }
        },
        Function::Pow => {
            let base = match kind {
                0 => everywhere(random).abs(),
                1 => 1.0 + spread(random, -50.0..-1.0),
                _ => spread(random, -3.0..3.0).abs(),
            };
            vec![base, between(random, -745.0, 710.0) / base.ln()]
        }
    }
}

/// A number that differs from a multiple of pi/2 by little more than it must.
fn near_multiple_of_half_pi(random: &mut Rng) -> f64 {
    let multiple = spread(random, 0.0..52.0).round() * FRAC_PI_2;
    f64::from_bits(multiple.to_bits() + random.u64(0..9) - 4)
}

fn hard(function: Function) -> &'static [f64] {
    match function {
        // The number that is closest to a multiple of pi/2 of all: 6381956970095103 * 2^797 (Muller et al., Handbook of
        // Floating-Point Arithmetic, section 10.2.1).
        Function::Sin | Function::Cos | Function::Tan => {
            const { &[5.319372648326541e255, f64::MAX, 1e22, FRAC_PI_4, FRAC_PI_4.next_up(), 5e-324] }
        }
        Function::Exp => &[709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412, 5e-324],
        Function::Sinh | Function::Cosh => &[710.4758600739439, 710.475860073944, 5e-324],
        Function::Asinh | Function::Acosh => &[f64::MAX, 1.152921504606847e18, 1.1529215046068468e18],
        Function::Log | Function::Log2 | Function::Log10 => {
            const { &[5e-324, f64::MAX, FRAC_1_SQRT_2, FRAC_1_SQRT_2.next_down()] }
        }
        Function::Log1p => &[5e-324, f64::MAX, -0.9999999999999999, 0.41421356237309503, 0.4142135623730951],
        Function::Cbrt | Function::Rsqrt => &[5e-324, f64::MAX],
        _ => &[],
    }
}
