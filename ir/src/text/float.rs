//! Floating-point literals.
//!
//! Reading rounds once, from the decimal digits to the type. Printing follows `mlir-opt` 19: six significant digits in
//! scientific form if they read back to the same bits, else enough digits to tell all values of the type apart if
//! those contain a point, else the bits in hexadecimal.

use half::{bf16, f16};

use crate::types::FloatKind;

/// The bits of a decimal literal, rounded to nearest, ties to even; nothing for a format that has no decimal reader.
pub(crate) fn parse_decimal(text: &str, negative: bool, kind: FloatKind) -> Option<u128> {
    use rustc_apfloat::ieee::{BFloat, Float8E4M3FN, Float8E5M2, Half, Quad, X87DoubleExtended};
    let sign = |bits: u128, kind: FloatKind| bits | u128::from(negative) << (kind.width() - 1);
    // The standard library rounds correctly to these two.
    match kind {
        FloatKind::F32 => return Some(sign(u128::from(text.parse::<f32>().ok()?.to_bits()), kind)),
        FloatKind::F64 => return Some(sign(u128::from(text.parse::<f64>().ok()?.to_bits()), kind)),
        _ => {}
    }
    let bits = match kind {
        FloatKind::F16 => round::<Half>(text)?,
        FloatKind::BF16 => round::<BFloat>(text)?,
        FloatKind::F80 => round::<X87DoubleExtended>(text)?,
        FloatKind::F128 => round::<Quad>(text)?,
        FloatKind::F8E5M2 => round::<Float8E5M2>(text)?,
        FloatKind::F8E4M3Fn => round::<Float8E4M3FN>(text)?,
        _ => return None,
    };
    Some(sign(bits, kind))
}

fn round<F: rustc_apfloat::Float>(text: &str) -> Option<u128> {
    F::from_str_r(text, rustc_apfloat::Round::NearestTiesToEven).ok().map(|rounded| rounded.value.to_bits())
}

/// Appends the text of a number given by its bits.
pub(crate) fn print(bits: u128, kind: FloatKind, output: &mut Vec<u8>) {
    if let Some(value) = exact_f64(bits, kind).filter(|value| value.is_finite()) {
        let short = significant(value, 6);
        let text = short.scientific(6);
        if parse_decimal(text.trim_start_matches('-'), value.is_sign_negative(), kind) == Some(bits) {
            output.extend_from_slice(text.as_bytes());
            return;
        }
        let (precision, digits) = match kind {
            FloatKind::F64 => (17, significant(value, 17)),
            FloatKind::F32 => (9, significant(value, 9)),
            _ => (5, significant(value, 5)),
        };
        let text = digits.natural(precision);
        if text.contains('.') {
            output.extend_from_slice(text.as_bytes());
            return;
        }
    }
    let width = kind.width().div_ceil(4) as usize;
    output.extend_from_slice(format!("0x{bits:0width$X}").as_bytes());
}

/// The number in a wider format that holds it exactly; nothing for formats that no wider one is known for.
fn exact_f64(bits: u128, kind: FloatKind) -> Option<f64> {
    match kind {
        FloatKind::F64 => Some(f64::from_bits(bits as u64)),
        FloatKind::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        FloatKind::F16 => Some(f16::from_bits(bits as u16).to_f64()),
        FloatKind::BF16 => Some(bf16::from_bits(bits as u16).to_f64()),
        FloatKind::F8E5M2 => Some(f16::from_bits((bits as u16) << 8).to_f64()),
        FloatKind::F8E4M3Fn => Some(f8_e4m3fn(bits as u8)),
        _ => None,
    }
}

fn f8_e4m3fn(bits: u8) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 3 & 15), f64::from(bits & 7));
    let magnitude = match (exponent, bits & 7) {
        (15, 7) => f64::NAN,
        (0, _) => mantissa * 2f64.powi(-9),
        _ => (1.0 + mantissa / 8.0) * 2f64.powi(exponent - 7),
    };
    if bits & 0x80 == 0 { magnitude } else { -magnitude }
}

/// Decimal digits `d` and an exponent `e`: the value is `d × 10^e`.
struct Digits {
    negative: bool,
    digits: Vec<u8>,
    exponent: i32,
}

/// The leading `precision` digits of a finite number, without trailing zeros, as LLVM's printer finds them: it first cuts
/// off digits of the exact number, by an estimate of how many are not needed, and then rounds what is left half up.
fn significant(value: f64, precision: usize) -> Digits {
    // 767 digits hold every double exactly.
    let exact = format!("{:.767e}", value.abs());
    let (mantissa, exponent) = exact.split_once('e').expect("scientific notation has an exponent");
    let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    let mut point = exponent + 1;
    digits.truncate(digits.iter().rposition(|&digit| digit != 0).map_or(1, |last| last + 1));
    let whole = usize::try_from(point).unwrap_or(0);
    if digits.len() < whole {
        digits.resize(whole, 0);
    }
    // 196 / 59 is a little more than the binary logarithm of 10.
    let removable = bit_length(&digits).saturating_sub((precision * 196).div_ceil(59)) * 59 / 196;
    digits.truncate(digits.len() - removable);
    let round_up = digits.get(precision).is_some_and(|&digit| digit >= 5);
    digits.truncate(precision);
    if round_up {
        match digits.iter().rposition(|&digit| digit != 9) {
            Some(at) => {
                digits[at] += 1;
                digits.truncate(at + 1);
            }
            None => {
                digits = vec![1];
                point += 1;
            }
        }
    }
    while digits.len() > 1 && digits.last() == Some(&0) {
        digits.pop();
    }
    let exponent = if digits == [0] { 0 } else { point - digits.len() as i32 };
    Digits { negative: value.is_sign_negative(), digits, exponent }
}

/// The number of bits of an integer given by its decimal digits.
fn bit_length(digits: &[u8]) -> usize {
    let leading = &digits[..digits.len().min(18)];
    let head = leading.iter().fold(0_u64, |number, &digit| number * 10 + u64::from(digit));
    if head == 0 {
        return 0;
    }
    let rest = (digits.len() - leading.len()) as f64;
    if rest == 0.0 {
        return head.ilog2() as usize + 1;
    }
    ((head as f64).log2() + rest * std::f64::consts::LOG2_10).floor() as usize + 1
}

impl Digits {
    fn sign(&self) -> &'static str {
        if self.negative { "-" } else { "" }
    }

    fn text(&self, range: std::ops::Range<usize>) -> String {
        self.digits[range].iter().map(|&digit| char::from(b'0' + digit)).collect()
    }

    /// `1.500000e+00`: so many digits after the point, filled with zeros.
    fn scientific(&self, fraction: usize) -> String {
        let count = self.digits.len();
        let exponent = self.exponent + count as i32 - 1;
        let (head, tail) = (self.text(0..1), self.text(1..count));
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}{head}.{tail:0<fraction$}e{sign}{:02}", self.sign(), exponent.abs())
    }

    /// LLVM's natural form: plain if the number is not very large or small, else `1.5E-4`.
    fn natural(&self, precision: usize) -> String {
        const PADDING: i32 = 3;
        let count = self.digits.len();
        let leading = self.exponent + count as i32 - 1;
        let scientific = if self.exponent >= 0 {
            self.exponent > PADDING || count as i32 + self.exponent > precision as i32
        } else {
            leading < -PADDING
        };
        let sign = self.sign();
        if scientific {
            let tail = if count == 1 { "0".to_owned() } else { self.text(1..count) };
            let exponent_sign = if leading < 0 { '-' } else { '+' };
            return format!("{sign}{}.{tail}E{exponent_sign}{}", self.text(0..1), leading.abs());
        }
        if self.exponent >= 0 {
            return format!("{sign}{}{}", self.text(0..count), "0".repeat(self.exponent as usize));
        }
        let whole = self.exponent + count as i32;
        if whole > 0 {
            let whole = whole as usize;
            format!("{sign}{}.{}", self.text(0..whole), self.text(whole..count))
        } else {
            format!("{sign}0.{}{}", "0".repeat(-whole as usize), self.text(0..count))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(bits: u128, kind: FloatKind) -> String {
        let mut output = Vec::new();
        print(bits, kind, &mut output);
        String::from_utf8(output).expect("numbers are ASCII")
    }

    /// What `mlir-opt` 19.1.7 prints for these.
    #[test]
    fn printing_is_that_of_mlir() {
        let f32_cases: &[(f32, &str)] = &[
            (1.234567, "1.23456705"),
            (1.23456, "1.234560e+00"),
            (0.1, "1.000000e-01"),
            (std::f32::consts::PI, "3.14159274"),
            (0.000_123_456_7, "1.23456703E-4"),
            (1.0e30, "1.000000e+30"),
            (-0.0, "-0.000000e+00"),
            (123_456.7, "123456.703"),
            (1.0e-45, "1.401300e-45"),
            (f32::MAX, "3.40282347E+38"),
            (123_456_789.0, "0x4CEB79A3"),
            (f32::INFINITY, "0x7F800000"),
        ];
        for &(value, expected) in f32_cases {
            assert_eq!(printed(u128::from(value.to_bits()), FloatKind::F32), expected);
        }
        let f64_cases: &[(f64, &str)] = &[
            (1.0 / 3.0, "0.33333333333333331"),
            (1.234_567_8, "1.2345678"),
            (0.000_123_456_78, "1.2345678000000001E-4"),
            (1_234_567.0, "0x4132D68700000000"),
        ];
        for &(value, expected) in f64_cases {
            assert_eq!(printed(u128::from(value.to_bits()), FloatKind::F64), expected);
        }
        assert_eq!(printed(0x2E66, FloatKind::F16), "9.997550e-02");
        assert_eq!(printed(0x3C, FloatKind::F8E4M3Fn), "1.500000e+00");
    }

    #[test]
    fn decimals_round_once() {
        // Halfway between two halves but for a digit that a first rounding to a double would drop.
        let just_above = "1.00048828125000000000000000000000000000001";
        assert_eq!(parse_decimal(just_above, false, FloatKind::F16), Some(0x3C01));
        assert_eq!(parse_decimal("1.00048828125", false, FloatKind::F16), Some(0x3C00));
        // The same for a single: 1 + 2^-24 and a little.
        let just_above = "1.000000059604644775390625000000000000000000000001";
        assert_eq!(parse_decimal(just_above, false, FloatKind::F32), Some(0x3F80_0001));
        assert_eq!(parse_decimal("0.0", true, FloatKind::F32), Some(0x8000_0000));
    }

    #[test]
    fn printing_reads_back_to_the_same_bits() {
        let mut seed = 1_u32;
        for _ in 0..2000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let text = printed(u128::from(seed), FloatKind::F32);
            let bits = match text.strip_prefix("0x") {
                Some(digits) => u128::from_str_radix(digits, 16).ok(),
                None => parse_decimal(text.trim_start_matches('-'), text.starts_with('-'), FloatKind::F32),
            };
            assert_eq!(bits, Some(u128::from(seed)), "{text}");
        }
    }
}
