//! Reduction of angles to an eighth of a turn, for numbers of any size.
//!
//! The method of Payne and Hanek (1983): of the infinite product of `x` and 2/pi only those bits are computed that matter
//! modulo 4. `x` is `m * 2^k` with an integer `m` of one word. Bits of 2/pi that stand for multiples of 4 after
//! multiplication by `2^k` are skipped; the next three words, times `m`, give two words modulo 4: 62 or 126 bits after the
//! binary point. No `f32` is closer to a multiple of pi/2 than about 2^-30, no `f64` closer than about 2^-61 (Kahan's search;
//! Muller, *Elementary Functions*, chapter 11), so that 30 or 64 significant bits are left.
//!
//! Which words of 2/pi to take is decided by selects, a level per bit of the number of the first one.

use crate::Arithmetic;
use crate::format::{Constant, Format, PairConstant, power_of_two};
use crate::pair::{self, Pair, fast_two_sum};

/// 2/pi after 26 zeros; the first word is chosen for numbers from 1/2.
const TWO_OVER_PI_32: [u32; 8] =
    [0x28, 0xbe60_db93, 0x9105_4a7f, 0x09d5_f47d, 0x4d37_7036, 0xd8a5_664f, 0x10e4_107f, 0x9458_eaf7];

/// 2/pi after 55 zeros.
const TWO_OVER_PI_64: [u64; 20] = [
    0x0000_0000_0000_0145,
    0xf306_dc9c_882a_53f8,
    0x4eaf_a3ea_69bb_81b6,
    0xc52b_3278_8720_83fc,
    0xa2c7_57bd_778a_c36e,
    0x48dc_7484_9ba5_c00c,
    0x925d_d413_a324_39fc,
    0x3bd6_3962_534e_7dd1,
    0x046b_ea5d_7689_09d3,
    0x38e0_4d68_befc_8273,
    0x23ac_7306_a673_e939,
    0x08bf_177b_f250_763f,
    0xf12f_ffbc_0b30_1fde,
    0x5e23_16b4_14da_3eda,
    0x6cfd_9e4f_9613_6e9e,
    0x8c7e_cd3c_bfd4_5aea,
    0x4f75_8fd7_cbe2_f67a,
    0x0e73_ef14_a525_d4d7,
    0xf6bf_623f_1aba_10ac,
    0x0660_8df8_f6d7_57e1,
];

const HALF_PI: PairConstant = PairConstant {
    high: Constant { single: std::f32::consts::FRAC_PI_2, double: std::f64::consts::FRAC_PI_2 },
    low: Constant { single: -4.371139e-08, double: 6.123233995736766e-17 },
};

const QUARTER_PI: Constant = Constant { single: std::f32::consts::FRAC_PI_4, double: std::f64::consts::FRAC_PI_4 };

/// An angle as `quadrant * pi/2 + rest`, the quadrant modulo 4, the rest at most pi/4 in magnitude.
pub(crate) struct Angle<A: Arithmetic> {
    pub(crate) quadrant: A::Integer,
    pub(crate) rest: Pair<A::Float>,
}

/// Reduces a number that is not negative. Infinity and NaN give some angle.
pub(crate) fn reduce<A: Arithmetic>(a: &A, x: A::Float) -> Angle<A> {
    let product = times_two_over_pi(a, x);
    let fraction_bits = i64::from(a.format().width()) - 2;
    let half = a.integer(1 << (fraction_bits - 1));
    let quadrant = a.int_shr(a.int_add(product.high, half), a.integer(fraction_bits));
    let whole = a.int_shl(quadrant, a.integer(fraction_bits));
    let fraction = Words { high: a.int_sub(product.high, whole), low: product.low };
    let rest = fraction_of_quarter(a, &fraction);

    let large = a.lt(QUARTER_PI.of(a), x);
    let itself = Pair { high: x, low: a.float(0.0) };
    Angle { quadrant: a.int_select(large, quadrant, a.integer(0)), rest: pair::select(a, large, rest, itself) }
}

/// A number of two words.
struct Words<I> {
    high: I,
    low: I,
}

/// `x * 2/pi` modulo 4: two bits before the point, the others after it.
fn times_two_over_pi<A: Arithmetic>(a: &A, x: A::Float) -> Words<A::Integer> {
    let mantissa_bits = a.format().mantissa_bits();
    let bits = a.float_to_bits(x);
    let leading = a.integer(1 << mantissa_bits);
    let mantissa = a.int_or(a.int_and(bits, a.integer((1 << mantissa_bits) - 1)), leading);
    let exponent = a.int_shr(bits, a.integer(mantissa_bits.into()));
    let [first, second, third] = window(a, a.int_sub(exponent, a.integer(a.format().bias() - 1)));

    let low = a.int_mul(mantissa, second);
    let sum = a.int_add(low, a.int_mul_high(mantissa, third));
    let carry = a.int_select(a.int_lt_unsigned(sum, low), a.integer(1), a.integer(0));
    let high = a.int_add(a.int_mul(mantissa, first), a.int_mul_high(mantissa, second));
    Words { high: a.int_add(high, carry), low: sum }
}

/// Three words of 2/pi, from a bit of the table on.
fn window<A: Arithmetic>(a: &A, first_bit: A::Integer) -> [A::Integer; 3] {
    let width_log2 = a.format().width().ilog2();
    let mut words = [a.integer(0); TWO_OVER_PI_64.len()];
    let mut count = a.format().pick(TWO_OVER_PI_32.len(), TWO_OVER_PI_64.len());
    for (index, word) in words[..count].iter_mut().enumerate() {
        *word = match a.format() {
            Format::F32 => a.integer(TWO_OVER_PI_32[index].into()),
            Format::F64 => a.integer(TWO_OVER_PI_64[index].cast_signed()),
        };
    }
    // Four words are needed, the number of the first one being at most the count less 4: a bit of it after the other, the
    // highest one first, moves the words down or leaves them.
    while count > 4 {
        let step = 1 << (count - 4).ilog2();
        let bit = a.int_and(first_bit, a.integer((step as i64) << width_log2));
        let stay = a.int_eq(bit, a.integer(0));
        let kept = step + 3;
        for index in 0..kept.min(count - step) {
            words[index] = a.int_select(stay, words[index], words[index + step]);
        }
        count = kept;
    }
    let up = first_bit;
    let down = a.int_sub(a.integer(i64::from(a.format().width()) - 1), first_bit);
    let shifted = |index: usize| {
        let below = a.int_shr(a.int_shr(words[index + 1], a.integer(1)), down);
        a.int_or(a.int_shl(words[index], up), below)
    };
    [shifted(0), shifted(1), shifted(2)]
}

/// A fraction of a quarter turn as an angle. The fraction is signed, with all bits but two after the point.
fn fraction_of_quarter<A: Arithmetic>(a: &A, fraction: &Words<A::Integer>) -> Pair<A::Float> {
    // Three parts that are exact as numbers: low, middle, and the signed rest.
    let width = i64::from(a.format().width());
    let part = a.format().pick(21, 43);
    let next = a.format().pick(22, 43);
    let taken = part + next - width;
    let low = a.int_and(fraction.low, a.integer((1 << part) - 1));
    let upper_bits = a.int_shl(a.int_and(fraction.high, a.integer((1 << taken) - 1)), a.integer(width - part));
    let middle = a.int_or(upper_bits, a.int_shr(fraction.low, a.integer(part)));
    let high = a.int_sar(fraction.high, a.integer(taken));
    let number = |integer, exponent| a.mul(a.int_to_float(integer), a.float(power_of_two(exponent)));
    let unit = 2 - 2 * width;
    let sum = fast_two_sum(a, number(high, unit + part + next), number(middle, unit + part));
    let rest = a.add(sum.low, number(low, unit));

    let factor = HALF_PI.of(a);
    let angle = a.mul(sum.high, factor.high);
    let error = a.fma(sum.high, factor.high, a.neg(angle));
    Pair { high: angle, low: a.fma(rest, factor.high, a.fma(sum.high, factor.low, error)) }
}
