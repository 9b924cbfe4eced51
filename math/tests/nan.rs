//! Results do not depend on which NaN an operation gives, and a NaN as a result has one bit pattern.

use fermata_math::{Arithmetic, EvaluateF32, EvaluateF64, Format, Function};

/// An arithmetic whose operations give a NaN of a chosen bit pattern wherever they give one.
struct WithNan<A: Arithmetic> {
    inner: A,
    nan: A::Integer,
}

impl<A: Arithmetic> WithNan<A> {
    fn disturb(&self, x: A::Float) -> A::Float {
        self.inner.select(self.inner.unordered(x, x), self.inner.bits_to_float(self.nan), x)
    }
}

impl<A: Arithmetic> Arithmetic for WithNan<A> {
    type Float = A::Float;
    type Integer = A::Integer;
    type Boolean = A::Boolean;

    fn format(&self) -> Format {
        self.inner.format()
    }
    fn float(&self, value: f64) -> A::Float {
        self.inner.float(value)
    }
    fn integer(&self, value: i64) -> A::Integer {
        self.inner.integer(value)
    }
    fn add(&self, x: A::Float, y: A::Float) -> A::Float {
        self.disturb(self.inner.add(x, y))
    }
    fn sub(&self, x: A::Float, y: A::Float) -> A::Float {
        self.disturb(self.inner.sub(x, y))
    }
    fn mul(&self, x: A::Float, y: A::Float) -> A::Float {
        self.disturb(self.inner.mul(x, y))
    }
    fn div(&self, x: A::Float, y: A::Float) -> A::Float {
        self.disturb(self.inner.div(x, y))
    }
    fn fma(&self, x: A::Float, y: A::Float, z: A::Float) -> A::Float {
        self.disturb(self.inner.fma(x, y, z))
    }
    fn sqrt(&self, x: A::Float) -> A::Float {
        self.disturb(self.inner.sqrt(x))
    }
    fn round_even(&self, x: A::Float) -> A::Float {
        self.disturb(self.inner.round_even(x))
    }
    fn neg(&self, x: A::Float) -> A::Float {
        self.inner.neg(x)
    }
    fn abs(&self, x: A::Float) -> A::Float {
        self.inner.abs(x)
    }
    fn copysign(&self, magnitude: A::Float, sign: A::Float) -> A::Float {
        self.inner.copysign(magnitude, sign)
    }
    fn lt(&self, x: A::Float, y: A::Float) -> A::Boolean {
        self.inner.lt(x, y)
    }
    fn eq(&self, x: A::Float, y: A::Float) -> A::Boolean {
        self.inner.eq(x, y)
    }
    fn unordered(&self, x: A::Float, y: A::Float) -> A::Boolean {
        self.inner.unordered(x, y)
    }
    fn select(&self, condition: A::Boolean, x: A::Float, y: A::Float) -> A::Float {
        self.inner.select(condition, x, y)
    }
    fn float_to_bits(&self, x: A::Float) -> A::Integer {
        self.inner.float_to_bits(x)
    }
    fn bits_to_float(&self, x: A::Integer) -> A::Float {
        self.inner.bits_to_float(x)
    }
    fn int_to_float(&self, x: A::Integer) -> A::Float {
        self.inner.int_to_float(x)
    }
    fn float_to_int(&self, x: A::Float) -> A::Integer {
        self.inner.float_to_int(x)
    }
    fn int_add(&self, x: A::Integer, y: A::Integer) -> A::Integer {
        self.inner.int_add(x, y)
    }
    fn int_sub(&self, x: A::Integer, y: A::Integer) -> A::Integer {
        self.inner.int_sub(x, y)
    }
    fn int_mul(&self, x: A::Integer, y: A::Integer) -> A::Integer {
        self.inner.int_mul(x, y)
    }
    fn int_mul_high(&self, x: A::Integer, y: A::Integer) -> A::Integer {
        self.inner.int_mul_high(x, y)
    }
    fn int_and(&self, x: A::Integer, y: A::Integer) -> A::Integer {
        self.inner.int_and(x, y)
    }
    fn int_or(&self, x: A::Integer, y: A::Integer) -> A::Integer {
        self.inner.int_or(x, y)
    }
    fn int_xor(&self, x: A::Integer, y: A::Integer) -> A::Integer {
        self.inner.int_xor(x, y)
    }
    fn int_shl(&self, x: A::Integer, amount: A::Integer) -> A::Integer {
        self.inner.int_shl(x, amount)
    }
    fn int_shr(&self, x: A::Integer, amount: A::Integer) -> A::Integer {
        self.inner.int_shr(x, amount)
    }
    fn int_sar(&self, x: A::Integer, amount: A::Integer) -> A::Integer {
        self.inner.int_sar(x, amount)
    }
    fn int_eq(&self, x: A::Integer, y: A::Integer) -> A::Boolean {
        self.inner.int_eq(x, y)
    }
    fn int_lt(&self, x: A::Integer, y: A::Integer) -> A::Boolean {
        self.inner.int_lt(x, y)
    }
    fn int_lt_unsigned(&self, x: A::Integer, y: A::Integer) -> A::Boolean {
        self.inner.int_lt_unsigned(x, y)
    }
    fn int_select(&self, condition: A::Boolean, x: A::Integer, y: A::Integer) -> A::Integer {
        self.inner.int_select(condition, x, y)
    }
    fn and(&self, x: A::Boolean, y: A::Boolean) -> A::Boolean {
        self.inner.and(x, y)
    }
    fn or(&self, x: A::Boolean, y: A::Boolean) -> A::Boolean {
        self.inner.or(x, y)
    }
    fn not(&self, x: A::Boolean) -> A::Boolean {
        self.inner.not(x)
    }
}

/// NaNs of `f32`: the canonical one, x86's, PTX's, signaling ones, ones with a payload.
const SINGLE: [u32; 6] = [0x7fc0_0000, 0xffc0_0000, 0x7fff_ffff, 0x7f80_0001, 0xff80_0001, 0xffd2_3456];
const DOUBLE: [u64; 6] = [
    0x7ff8_0000_0000_0000,
    0xfff8_0000_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x7ff0_0000_0000_0001,
    0xfff0_0000_0000_0001,
    0xfffa_3456_789a_bcde,
];

const NUMBERS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -2.5,
    1e-30,
    -1e-30,
    1e30,
    -1e30,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// Calls with all pairs of operands, of which a function of one operand takes the first.
fn for_all_operands<F: Copy>(all: &[F], mut call: impl FnMut(Function, &[F])) {
    for &function in Function::ALL {
        let seconds = if function.operand_count() == 2 { all } else { &all[..1] };
        for &x in all {
            for &y in seconds {
                call(function, &[x, y][..function.operand_count()]);
            }
        }
    }
}

#[test]
fn single() {
    let edges = [f32::MIN_POSITIVE, -f32::MIN_POSITIVE, f32::MAX, f32::MIN, f32::from_bits(1), -f32::from_bits(1)];
    let mut all: Vec<f32> = NUMBERS.iter().map(|&number| number as f32).chain(edges).collect();
    all.extend(SINGLE.map(f32::from_bits));
    for_all_operands(&all, |function, operands| {
        let expected = function.evaluate_f32(operands).expect("the function takes these operands");
        if expected.is_nan() {
            assert_eq!(expected.to_bits(), 0x7fc0_0000, "{}{operands:?}", function.name());
        }
        for nan in SINGLE {
            let arithmetic = WithNan { inner: EvaluateF32, nan: nan.cast_signed() };
            let result = function.apply(&arithmetic, operands).expect("the function takes these operands");
            assert_eq!(result.to_bits(), expected.to_bits(), "{}{operands:?} with {nan:x}", function.name());
        }
    });
}

#[test]
fn double() {
    let edges = [f64::MIN_POSITIVE, -f64::MIN_POSITIVE, f64::MAX, f64::MIN, f64::from_bits(1), -f64::from_bits(1)];
    let mut all: Vec<f64> = NUMBERS.into_iter().chain(edges).collect();
    all.extend(DOUBLE.map(f64::from_bits));
    for_all_operands(&all, |function, operands| {
        let expected = function.evaluate_f64(operands).expect("the function takes these operands");
        if expected.is_nan() {
            assert_eq!(expected.to_bits(), 0x7ff8_0000_0000_0000, "{}{operands:?}", function.name());
        }
        for nan in DOUBLE {
            let arithmetic = WithNan { inner: EvaluateF64, nan: nan.cast_signed() };
            let result = function.apply(&arithmetic, operands).expect("the function takes these operands");
            assert_eq!(result.to_bits(), expected.to_bits(), "{}{operands:?} with {nan:x}", function.name());
        }
    });
}
