//! Values at which operations are tested.

use fermata_xir::semantics::{FloatFormat, IntegerWidth};

/// A sequence of bits that look random (Steele, Lea and Flood's SplitMix64).
pub(crate) fn random_bits(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::from_fn(move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Some(bits ^ (bits >> 31))
    })
}

/// All values of narrow widths; of others, those near the ends, near zero and near powers of two, and some more.
pub(crate) fn integers(width: IntegerWidth) -> Vec<u64> {
    let mut values: Vec<u64> = if width.bits() <= 8 {
        (0..1 << width.bits()).collect()
    } else {
        let powers = (0..width.bits()).map(|bit| 1_u64 << bit);
        powers
            .flat_map(|power| [power.wrapping_sub(1), power, power + 1, power.wrapping_neg(), !power])
            .chain(random_bits(1).take(40))
            .map(|value| width.truncate(value))
            .collect()
    };
    values.sort_unstable();
    values.dedup();
    values
}

/// Zeros, units, the ends of the subnormal, normal and integer ranges, infinities, NaNs of both kinds and signs, ties
/// of every rounding, and some more, each with both signs.
pub(crate) fn floats(format: FloatFormat) -> Vec<u64> {
    let (fraction_bits, bias) = match format {
        FloatFormat::F16 => (10, 15),
        FloatFormat::F32 => (23, 127),
        FloatFormat::F64 => (52, 1023),
    };
    let infinity = format.infinity();
    let one = format.one();
    let hidden = 1_u64 << fraction_bits;
    let power = |exponent: u64| ((bias + exponent) << fraction_bits) & (infinity - 1);
    let mut magnitudes = vec![
        0,
        1,
        2,
        3,
        hidden / 2,
        hidden - 1,
        hidden,
        hidden + 1,
        one - 1,
        one,
        one + 1,
        one + hidden / 2,
        one - hidden,
        one + hidden,
        one + hidden + hidden / 4,
        one + hidden + hidden / 2,
        infinity - 1,
        infinity - hidden,
        infinity - 2 * hidden,
        infinity,
        infinity + 1,
        format.nan(),
        format.nan() + 5,
        infinity + hidden - 1,
    ];
    for exponent in [7, 8, 10, 11, 15, 16, 23, 24, 31, 32, 52, 53, 62, 63, 64] {
        if exponent <= bias {
            magnitudes.extend([power(exponent) - 1, power(exponent), power(exponent) + 1]);
        }
    }
    magnitudes.extend(random_bits(2).take(24).map(|bits| bits & format.mask() & !format.sign_bit()));
    // Numbers of like exponents cancel and align, as those of any bits hardly ever do.
    magnitudes.extend(random_bits(3).take(16).map(|bits| one - 4 * hidden + bits % (8 * hidden)));
    let mut values: Vec<u64> =
        magnitudes.iter().flat_map(|&magnitude| [magnitude, magnitude | format.sign_bit()]).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// Whether two results are the same, all NaNs taken for one.
pub(crate) fn same_float(format: FloatFormat, left: u64, right: u64) -> bool {
    left == right || format.is_nan(left) && format.is_nan(right)
}
