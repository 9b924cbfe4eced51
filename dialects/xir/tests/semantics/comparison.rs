//! Comparisons: every predicate by its meaning, and how predicates relate.

use fermata_xir::semantics::{FloatFormat, FloatPredicate, IntegerPredicate, IntegerWidth};

use crate::values::{floats, integers};

#[test]
fn integers_compare_as_numbers() {
    for width in IntegerWidth::ALL {
        let values = integers(width);
        let signed = |x: u64| if x > width.mask() / 2 { i128::from(x) - (1 << width.bits()) } else { i128::from(x) };
        for &x in &values {
            for &y in &values {
                let (sx, sy) = (signed(x), signed(y));
                let expected = [x == y, x != y, sx < sy, sx <= sy, sx > sy, sx >= sy, x < y, x <= y, x > y, x >= y];
                for (predicate, expected) in IntegerPredicate::ALL.into_iter().zip(expected) {
                    let context = format!("{predicate:?} {width:?} {x:#x} {y:#x}");
                    assert_eq!(predicate.evaluate(width, x, y), expected, "{context}");
                    assert_eq!(predicate.negated().evaluate(width, x, y), !expected, "{context}");
                    assert_eq!(predicate.exchanged().evaluate(width, y, x), expected, "{context}");
                }
            }
            for predicate in IntegerPredicate::ALL {
                assert_eq!(predicate.evaluate(width, x, x), predicate.holds_if_equal());
            }
        }
    }
}

#[test]
fn floats_compare_as_ieee_754_says() {
    use rustc_apfloat::Float;
    use rustc_apfloat::ieee::{Double, Half, Single};
    for format in FloatFormat::ALL {
        let values = floats(format);
        for &x in &values {
            for &y in &values {
                let order = match format {
                    FloatFormat::F16 => Half::from_bits(x.into()).partial_cmp(&Half::from_bits(y.into())),
                    FloatFormat::F32 => Single::from_bits(x.into()).partial_cmp(&Single::from_bits(y.into())),
                    FloatFormat::F64 => Double::from_bits(x.into()).partial_cmp(&Double::from_bits(y.into())),
                };
                let unordered = order.is_none();
                let less = order.is_some_and(std::cmp::Ordering::is_lt);
                let equal = order.is_some_and(std::cmp::Ordering::is_eq);
                let greater = order.is_some_and(std::cmp::Ordering::is_gt);
                let expected = [
                    equal,
                    greater,
                    greater || equal,
                    less,
                    less || equal,
                    less || greater,
                    !unordered,
                    unordered || equal,
                    unordered || greater,
                    unordered || greater || equal,
                    unordered || less,
                    unordered || less || equal,
                    unordered || less || greater,
                    unordered,
                ];
                for (predicate, expected) in FloatPredicate::ALL.into_iter().zip(expected) {
                    let context = format!("{predicate:?} {format:?} {x:#x} {y:#x}");
                    assert_eq!(predicate.evaluate(format, x, y), expected, "{context}");
                    assert_eq!(predicate.negated().evaluate(format, x, y), !expected, "{context}");
                    assert_eq!(predicate.exchanged().evaluate(format, y, x), expected, "{context}");
                }
            }
        }
    }
}
