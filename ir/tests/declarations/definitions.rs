//! Declared types and attributes in text.

use fermata_ir::text::{attribute_to_string, type_to_string};
use fermata_ir::types::DialectType;
use fermata_ir::{Attribute, Type};

use crate::dialect::{AllType, MaybeType, RefType, Space, TokenType, TypedNumber};
use crate::support::{context, custom, good, refused};

#[test]
fn types_round_trip() {
    let types = [
        "!d.ref<i32, read_only>",
        "!d.ref<tuple<!d.token, !d.maybe>, local>",
        "!d.token",
        "!d.maybe",
        "!d.maybe<7>",
        "!d.all<1, 2, -3, true, \"a\\22b\", [], unit>",
        "!d.all<4294967295, 18446744073709551615, -9223372036854775808, false, \"\", [i32, !d.token], [1, @s], -5>",
    ];
    for ty in types {
        let context = context();
        let text = format!("module {{\n  %0 = d.maybe_result -> {ty}\n}}\n");
        assert_eq!(custom(&context, &good(&context, &text)), text);
    }
}

#[test]
fn attributes_round_trip() {
    for attribute in ["#d.number<5, i8>", "#d.predicate<less_than>"] {
        let context = context();
        let text = format!("module {{\n  \"u.op\"() {{a = {attribute}}} : () -> ()\n}}\n");
        assert_eq!(custom(&context, &good(&context, &text)), text);
    }
}

#[test]
fn equal_values_are_one_type() {
    let context = context();
    let pointee = Type::integer(&context, 32);
    let reference = RefType { pointee, space: Space::Local };
    assert_eq!(reference.clone().intern(&context), reference.clone().intern(&context));
    assert_ne!(reference.clone().intern(&context), RefType { space: Space::ReadOnly, ..reference }.intern(&context));
    assert_eq!(type_to_string(&context, TokenType.intern(&context)), "!d.token");
    assert_eq!(type_to_string(&context, MaybeType { width: Some(3) }.intern(&context)), "!d.maybe<3>");
    let all = AllType {
        small: 1,
        large: 2,
        signed: -3,
        truth: true,
        text: "x".into(),
        list: vec![pointee],
        value: Attribute::unit(&context),
        last: None,
    };
    assert_eq!(type_to_string(&context, all.intern(&context)), "!d.all<1, 2, -3, true, \"x\", [i32], unit>");
}

#[test]
fn options_are_asked() {
    use fermata_ir::attributes::DialectAttribute;
    let context = context();
    let pointee = Type::integer(&context, 32);
    let reference = RefType { pointee, space: Space::Local };
    assert_eq!(reference.destructure(&context), Some(vec![pointee, pointee]));
    let number = TypedNumber { value: 3, ty: pointee };
    assert_eq!(number.typed(&context), Some(pointee));
    assert_eq!(attribute_to_string(&context, number.intern(&context)), "#d.number<3, i32>");
    // A constant of it has its type.
    let text = "module {\n  %0 = d.constant #d.number<3, i32>\n  %1 = d.add %0, %0 : i32\n}\n";
    assert_eq!(custom(&context, &good(&context, text)), text);
}

#[test]
fn what_is_nested_is_found_and_replaced() {
    use fermata_ir::nested_attributes::{Nested, for_each_nested};
    let context = context();
    let pointee = Type::integer(&context, 32);
    let text = "module {\n  %0 = d.maybe_result -> !d.all<1, 2, 3, true, \"\", [!d.ref<i32, local>], @s, 4>\n}\n";
    let body = good(&context, text);
    let op = crate::support::find(&context, &body, "d.maybe_result");
    let mut found = Vec::new();
    for_each_nested(&context, op.result_type(0), |nested| found.push(nested));
    let reference = RefType { pointee, space: Space::Local }.intern(&context);
    let expected = [
        Nested::Type(pointee),
        Nested::Type(reference),
        Nested::Attribute(Attribute::symbol(&context, "s")),
        op.result_type(0).into(),
    ];
    assert_eq!(found, expected);
}

#[test]
fn mistakes() {
    let check = |ty: &str, message: &str, column: u32| {
        let found = refused(&format!("%0 = d.maybe_result -> {ty}"));
        let [(_, found, place)] = &found[..] else { panic!("not one message about {ty}: {found:#?}") };
        assert_eq!((found.as_str(), *place), (message, (1, 24 + column)), "of {ty}");
    };
    check("!d.ref<!d.ref<i32, local>, local>", "a reference to a reference", 6);
    check("!d.ref<i32>", "expected ',', found '>'", 10);
    check("!d.ref<i32, loc>", "expected 'local' or 'read_only'; did you mean 'local'?, found 'loc'", 12);
    check("!d.maybe<>", "expected a number, found '>'", 9);
    check("!d.all<4294967296, 2, 3, true, \"\", [], unit>", "this number is too large here", 7);
}
