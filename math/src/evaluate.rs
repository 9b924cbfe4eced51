//! Arithmetic on numbers.

use crate::{Arithmetic, Format};

macro_rules! evaluate {
    ($(#[$doc:meta])* $name:ident, $float:ty, $integer:ty, $unsigned:ty, $wide:ty, $format:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl Arithmetic for $name {
            type Float = $float;
            type Integer = $integer;
            type Boolean = bool;

            fn format(&self) -> Format {
                $format
            }

            fn float(&self, value: f64) -> $float {
                value as $float
            }
            fn integer(&self, value: i64) -> $integer {
                value as $integer
            }

            fn add(&self, x: $float, y: $float) -> $float {
                x + y
            }
            fn sub(&self, x: $float, y: $float) -> $float {
                x - y
            }
            fn mul(&self, x: $float, y: $float) -> $float {
                x * y
            }
            fn div(&self, x: $float, y: $float) -> $float {
                x / y
            }
            fn fma(&self, x: $float, y: $float, z: $float) -> $float {
                x.mul_add(y, z)
            }
            fn sqrt(&self, x: $float) -> $float {
                x.sqrt()
            }
            fn round_even(&self, x: $float) -> $float {
                x.round_ties_even()
            }
            fn neg(&self, x: $float) -> $float {
                -x
            }
            fn abs(&self, x: $float) -> $float {
                x.abs()
            }
            fn copysign(&self, magnitude: $float, sign: $float) -> $float {
                magnitude.copysign(sign)
            }

            fn lt(&self, x: $float, y: $float) -> bool {
                x < y
            }
            fn eq(&self, x: $float, y: $float) -> bool {
                x == y
            }
            fn unordered(&self, x: $float, y: $float) -> bool {
                x.is_nan() || y.is_nan()
            }
            fn select(&self, condition: bool, x: $float, y: $float) -> $float {
                if condition { x } else { y }
            }

            fn float_to_bits(&self, x: $float) -> $integer {
                x.to_bits().cast_signed()
            }
            fn bits_to_float(&self, x: $integer) -> $float {
                <$float>::from_bits(x.cast_unsigned())
            }
            fn int_to_float(&self, x: $integer) -> $float {
                x as $float
            }
            fn float_to_int(&self, x: $float) -> $integer {
                x as $integer
            }

            fn int_add(&self, x: $integer, y: $integer) -> $integer {
                x.wrapping_add(y)
            }
            fn int_sub(&self, x: $integer, y: $integer) -> $integer {
                x.wrapping_sub(y)
            }
            fn int_mul(&self, x: $integer, y: $integer) -> $integer {
                x.wrapping_mul(y)
            }
            fn int_mul_high(&self, x: $integer, y: $integer) -> $integer {
                let product = <$wide>::from(x.cast_unsigned()) * <$wide>::from(y.cast_unsigned());
                ((product >> <$integer>::BITS) as $unsigned).cast_signed()
            }
            fn int_and(&self, x: $integer, y: $integer) -> $integer {
                x & y
            }
            fn int_or(&self, x: $integer, y: $integer) -> $integer {
                x | y
            }
            fn int_xor(&self, x: $integer, y: $integer) -> $integer {
                x ^ y
            }
            fn int_shl(&self, x: $integer, amount: $integer) -> $integer {
                x.wrapping_shl(amount as u32)
            }
            fn int_shr(&self, x: $integer, amount: $integer) -> $integer {
                x.cast_unsigned().wrapping_shr(amount as u32).cast_signed()
            }
            fn int_sar(&self, x: $integer, amount: $integer) -> $integer {
                x.wrapping_shr(amount as u32)
            }
            fn int_eq(&self, x: $integer, y: $integer) -> bool {
                x == y
            }
            fn int_lt(&self, x: $integer, y: $integer) -> bool {
                x < y
            }
            fn int_lt_unsigned(&self, x: $integer, y: $integer) -> bool {
                x.cast_unsigned() < y.cast_unsigned()
            }
            fn int_select(&self, condition: bool, x: $integer, y: $integer) -> $integer {
                if condition { x } else { y }
            }

            fn and(&self, x: bool, y: bool) -> bool {
                x && y
            }
            fn or(&self, x: bool, y: bool) -> bool {
                x || y
            }
            fn not(&self, x: bool) -> bool {
                !x
            }
        }
    };
}

evaluate! {
    /// Computes on `f32`.
    ///
    /// `mul_add` rounds once on every target: where the hardware cannot, the standard library calls a correct routine.
    EvaluateF32, f32, i32, u32, u64, Format::F32
}

evaluate! {
    /// Computes on `f64`; see [`EvaluateF32`].
    EvaluateF64, f64, i64, u64, u128, Format::F64
}
