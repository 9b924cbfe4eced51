//! Every identity that folds use, against the semantics, for all values of the operands that it does not know.

use fermata_xir::fold::identities::{Simplified, simplify};
use fermata_xir::semantics::{
    FloatBinary, FloatFormat, FloatPredicate, FloatTernary, IntegerBinary, IntegerPredicate, IntegerWidth,
    ScalarFunction, ScalarType,
};

#[path = "support/values.rs"]
mod values;

use values::{floats, integers, same_float};

/// The values of a type at which identities are tested.
fn values_of(ty: ScalarType) -> Vec<u64> {
    match ty {
        ScalarType::Integer(width) => integers(width),
        ScalarType::Float(format) => floats(format),
    }
}

fn same_result(ty: ScalarType, left: u64, right: u64) -> bool {
    match ty {
        ScalarType::Integer(_) => left == right,
        ScalarType::Float(format) => same_float(format, left, right),
    }
}

fn all_functions() -> Vec<ScalarFunction> {
    let mut functions = Vec::new();
    for width in IntegerWidth::ALL {
        functions.extend(IntegerBinary::ALL.map(|operation| ScalarFunction::IntegerBinary(operation, width)));
        functions.extend(IntegerPredicate::ALL.iter().map(|&p| ScalarFunction::CompareIntegers(p, width)));
        functions.push(ScalarFunction::Select(ScalarType::Integer(width)));
    }
    for format in FloatFormat::ALL {
        functions.extend(FloatBinary::ALL.map(|operation| ScalarFunction::FloatBinary(operation, format)));
        functions.extend(FloatTernary::ALL.map(|operation| ScalarFunction::FloatTernary(operation, format)));
        functions.extend(FloatPredicate::ALL.iter().map(|&p| ScalarFunction::CompareFloats(p, format)));
        functions.push(ScalarFunction::Select(ScalarType::Float(format)));
    }
    functions
}

fn check(function: ScalarFunction, known: &[Option<u64>], same: bool, operands: &[u64]) {
    if let Some(simplified) = simplify(function, known, same) {
        let result = match simplified {
            Simplified::Operand(index) => operands[index],
            Simplified::Bits(bits) => bits,
        };
        let expected = function.evaluate(operands);
        assert!(
            same_result(function.result(), result, expected),
            "{function:?} {known:x?} same: {same}, {operands:x?}: {result:#x}, not {expected:#x}"
        );
    }
}

#[test]
fn identities_of_two_operands_hold_for_all_values() {
    for function in all_functions().into_iter().filter(|function| function.operands().len() == 2) {
        let values = values_of(function.operands()[0]);
        for &x in &values {
            check(function, &[None, None], true, &[x, x]);
            for &y in &values {
                check(function, &[None, Some(y)], false, &[x, y]);
                check(function, &[Some(x), None], false, &[x, y]);
                check(function, &[Some(x), Some(y)], false, &[x, y]);
            }
        }
    }
}

#[test]
fn identities_of_three_operands_hold_for_all_values() {
    for function in all_functions().into_iter().filter(|function| function.operands().len() == 3) {
        let [first, second, third] = function.operands()[..] else { unreachable!("it was filtered") };
        let every = |ty, step| {
            let values = values_of(ty);
            let step = if values.len() > 40 { step } else { 1 };
            values.into_iter().step_by(step)
        };
        for x in every(first, 3) {
            for y in every(second, 5) {
                check(function, &[None, None, None], true, &[x, y, y]);
                for z in every(third, 5) {
                    for mask in 0..8 {
                        let known =
                            [(0, x), (1, y), (2, z)].map(|(bit, value)| (mask >> bit & 1 == 1).then_some(value));
                        check(function, &known, false, &[x, y, z]);
                    }
                }
            }
        }
    }
}

/// The identities that are there, so that a rule that never applies is noticed.
#[test]
fn identities_that_are_known() {
    use IntegerBinary::{Add, DivideSigned, DivideUnsigned, RemainderSigned, ShiftLeft, Subtract};
    let integer = |operation, known: &[Option<u64>], same| {
        simplify(ScalarFunction::IntegerBinary(operation, IntegerWidth::W32), known, same)
    };
    assert_eq!(integer(Add, &[None, Some(0)], false), Some(Simplified::Operand(0)));
    assert_eq!(integer(Add, &[Some(0), None], false), Some(Simplified::Operand(1)));
    assert_eq!(integer(Subtract, &[None, None], true), Some(Simplified::Bits(0)));
    assert_eq!(integer(DivideSigned, &[None, Some(0)], false), Some(Simplified::Operand(0)));
    assert_eq!(integer(RemainderSigned, &[None, Some(0)], false), Some(Simplified::Bits(0)));
    assert_eq!(integer(ShiftLeft, &[None, Some(32)], false), Some(Simplified::Operand(0)));
    let float = |operation, known: &[Option<u64>], same| {
        simplify(ScalarFunction::FloatBinary(operation, FloatFormat::F32), known, same)
    };
    let bits = |value: f32| Some(u64::from(value.to_bits()));
    assert_eq!(float(FloatBinary::Add, &[None, bits(-0.0)], false), Some(Simplified::Operand(0)));
    assert_eq!(float(FloatBinary::Multiply, &[None, bits(1.0)], false), Some(Simplified::Operand(0)));
    assert_eq!(float(FloatBinary::Minimum, &[None, None], true), Some(Simplified::Operand(0)));
    // What other compilers fold, and total semantics does not allow.
    assert_eq!(integer(DivideUnsigned, &[None, None], true), None);
    assert_eq!(integer(ShiftLeft, &[None, None], true), None);
    assert_eq!(float(FloatBinary::Subtract, &[None, None], true), None);
    assert_eq!(float(FloatBinary::Add, &[None, bits(0.0)], false), None);
    assert_eq!(float(FloatBinary::Multiply, &[None, bits(0.0)], false), None);
    assert_eq!(float(FloatBinary::Divide, &[None, None], true), None);
    assert_eq!(float(FloatBinary::Minimum, &[None, bits(f32::INFINITY)], false), None);
}
