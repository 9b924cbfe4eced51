//! Mistakes in custom forms: what is said, and where.

use crate::support::refused;

/// Checks the one message about a text that follows `%0 : i32` and `%1 : i1` on lines of their own.
fn check(line: &str, code: &str, message: &str, column: u32) {
    let found = refused(&format!("%0 = \"u.value\"() : () -> i32\n%1 = \"u.value\"() : () -> i1\n{line}\n"));
    let [(found_code, found_message, place)] = &found[..] else { panic!("not one message about {line}: {found:#?}") };
    assert_eq!((*found_code, found_message.as_str(), *place), (code, message, (3, column)), "of {line}");
}

#[test]
fn syntax() {
    check("%2 = d.add %0 %0 : i32", "syntax", "expected ',', found '%0'", 15);
    check("%2 = d.add %0, %0", "syntax", "expected ':', found the end of the text", 17);
    check("%2 = d.compare greater, %0, %0 : i32", "syntax", "expected 'equal' or 'less_than', found 'greater'", 16);
    check("d.properties \"x\"", "syntax", "expected a number, found '\"x\"'", 14);
    check("d.properties 1 name 2", "syntax", "expected a string, found '2'", 21);
}

#[test]
fn types() {
    check("%2 = d.add %0, %1 : i32", "type-mismatch", "'%1' is used as 'i32', but its type is 'i1'", 16);
    check("%2 = d.add %0, %1 : i1", "type-mismatch", "'%0' is used as 'i1', but its type is 'i32'", 12);
    check("d.groups %1 [%0] %0 : i1 ()", "operand-count", "'many' has 1 operand, but 0 types", 14);
    check("d.groups %1 [%0] %0 : i1 (i32, i32)", "operand-count", "'many' has 1 operand, but 2 types", 14);
    check("%2 = d.call(%0) : (i32, i32) -> i1", "operand-count", "1 operand, but 2 operand types", 19);
    check("%2 = d.call(%0) : i32", "syntax", "expected a function type", 19);
    check("d.call(%0) : (i32) -> ()", "result-count", "'d.call' has at least 1 result, but 0 result types", 14);
    check("%2 = d.call() : () -> i1", "operand-count", "'d.call' takes at least 1 operand, but there are 0", 13);
    check("%2 = d.pair %0 : f32", "type-mismatch", "'%0' is used as 'f32', but its type is 'i32'", 13);
}

#[test]
fn properties() {
    check("d.properties 1 {count = 2 : ui32}", "duplicate-key", "the property 'count' is written twice", 14);
    check(
        "d.groups %1 [] %0 {operandSegmentSizes = array<i32: 1, 0, 0, 1>} : i1 ()",
        "duplicate-key",
        "the property 'operandSegmentSizes' follows from the operands, so it is not written",
        10,
    );
    check("d.properties 4294967296", "number-range", "this number is too large here", 14);
    check("d.together at 1", "syntax", "expected 'size', found the end of the text", 15);
}
