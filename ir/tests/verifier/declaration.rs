//! Operations against their declarations and traits.

use fermata_ir::attributes::DialectAttribute;
use fermata_ir::types::DialectType;
use fermata_ir::verifier::VerifyOptions;
use fermata_ir::{Attribute, Builder, Dictionary, Type, TypeKind};

use crate::dialect::{NumberRange, Pointer, context};
use crate::support::{check, check_with, faults, parse};

#[test]
fn counts() {
    check(
        r#"
        %0 = "t.constant"() <{value = 1 : i32}> : () -> i32
        %1 = "t.add"(%0) : (i32) -> i32                                 // error: operand-count
        "t.add"(%0, %0, %0) : (i32, i32, i32) -> ()                     // error: operand-count, result-count
        "t.groups"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> () // error: operand-count
        "t.graph"() : () -> ()                                          // error: region-count
        "t.graph"() ({}, {}) : () -> ()                                 // error: region-count
        "t.scope"() : () -> ()
        "t.scope"() ({}, {}) : () -> ()
        "#,
    );
    check(
        r#"
        "t.func"() <{sym_name = "f", function_type = () -> ()}> ({
          "t.br"() : () -> ()                                           // error: successor-count
        ^bb1:
          "t.br"()[^bb1, ^bb1] : () -> ()                               // error: successor-count
        }) : () -> ()
        "#,
    );
}

#[test]
fn segment_sizes() {
    let found = check(
        r#"
        %0 = "t.constant"() <{value = 1 : i32}> : () -> i32
        "t.groups"(%0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
        "t.groups"(%0, %0, %0) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32, i32, i32) -> ()
        "t.groups"(%0) : (i32) -> ()                                                                  // error: operand-segments
        "t.groups"(%0) <{operandSegmentSizes = [1, 0, 0]}> : (i32) -> ()                              // error: operand-segments
        "t.groups"(%0) <{operandSegmentSizes = array<i64: 1, 0, 0>}> : (i32) -> ()                    // error: operand-segments
        "t.groups"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i32) -> ()                       // error: operand-segments
        "t.groups"(%0, %0) <{operandSegmentSizes = array<i32: 2, 0, 0>}> : (i32, i32) -> ()           // error: operand-segments
        "t.groups"(%0, %0, %0) <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (i32, i32, i32) -> ()  // error: operand-segments
        "t.groups"(%0) <{operandSegmentSizes = array<i32: 1, 1, -1>}> : (i32) -> ()                   // error: operand-segments
        "t.groups"(%0, %0) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32, i32) -> ()           // error: operand-segments
        "#,
    );
    let messages: Vec<&str> = found.as_slice().iter().map(|found| &*found.message).collect();
    assert_eq!(
        messages[3..],
        [
            "'t.groups' op property 'operandSegmentSizes' has 2 elements, but there are 3 groups",
            "'t.groups' op property 'operandSegmentSizes' gives the group 'single' 2 operands",
            "'t.groups' op property 'operandSegmentSizes' gives the group 'maybe' 2 operands",
            "'t.groups' op property 'operandSegmentSizes' gives the group 'many' -1 operands",
            "'t.groups' op property 'operandSegmentSizes' adds up to 1, but there are 2 operands",
        ]
    );
}

#[test]
fn types_and_rules() {
    let found = check(
        r#"
        %0 = "t.constant"() <{value = 1 : i32}> : () -> i32
        %1 = "t.constant"() <{value = 1.0 : f32}> : () -> f32
        %2 = "x.pointer"() : () -> !t.ptr<i32>
        %3 = "t.add"(%0, %1) : (i32, f32) -> i32                // error: operand-type
        %4 = "t.add"(%1, %1) : (f32, f32) -> f32                // error: operand-type, operand-type, result-type
        %5 = "t.add"(%0, %0) : (i32, i32) -> i64                // error: type-rule
        %6 = "t.load"(%0) : (i32) -> i32                        // error: operand-type
        %7 = "t.load"(%2) : (!t.ptr<i32>) -> f32                // error: type-rule
        %8 = "t.load"(%2) : (!t.ptr<i32>) -> i32
        %9 = "t.literal"() <{value = 1 : i8}> : () -> i16       // error: type-rule
        %10 = "t.literal"() <{value = 1 : i8}> : () -> i8
        "#,
    );
    let messages: Vec<&str> = found.as_slice().iter().map(|found| &*found.message).collect();
    assert_eq!(
        [messages[0], messages[4], messages[6], messages[7]],
        [
            "'t.add' op operand #1 ('rhs') must be signless integer or vector of them, but is 'f32'",
            "'t.add' op 'lhs', 'rhs' and 'result' must have one type, but 'lhs' is 'i32' and 'result' is 'i64'",
            "'t.load' op 'result' must be the pointee of 'pointer', 'i32', but is 'f32'",
            "'t.literal' op 'result' must be the type of the property 'value', 'i8', but is 'i16'",
        ]
    );
}

#[test]
fn properties() {
    let found = check(
        r#"
        "t.named"() <{name = "a"}> : () -> ()
        "t.named"() <{name = "a", count = 2 : i32}> : () -> ()
        "t.named"() : () -> ()                                  // error: missing-property
        "t.named"() <{name = 1 : i32}> : () -> ()               // error: property-kind
        "t.named"() <{nam = "a"}> : () -> ()                    // error: missing-property, unknown-property
        "t.named"() <{name = "a", count = "b"}> : () -> ()      // error: property-kind
        "t.graph"() <{size = 2 : i32}> ({}) : () -> ()          // error: unknown-property
        "#,
    );
    assert_eq!(found.as_slice()[3].help.as_deref(), Some("did you mean 'name'?"));
}

#[test]
fn traits() {
    check(
        r#"
        %0 = "t.constant"() <{value = 1 : i32}> : () -> i64                             // error: constant-like
        %1 = "x.flag"() : () -> i1
        "t.graph"() ({                                                                  // error: graph-region
          "t.go"()[^bb1] : () -> ()
        ^bb1:
          "t.go"() : () -> ()
        }) : () -> ()
        "t.if"(%1) ({                                                                   // error: single-block
          "t.go"()[^bb1] : () -> ()
        ^bb1:
          "t.yield"() : () -> ()
        }, {
          "t.yield"() : () -> ()
        }) : (i1) -> ()
        "t.global"() <{sym_name = ""}> : () -> ()                                       // error: symbol-name
        "t.global"() <{sym_name = "a", sym_visibility = "secret"}> : () -> ()           // error: symbol-visibility
        "t.global"() <{sym_name = "b", sym_visibility = "nested"}> : () -> ()
        "t.graph"() ({
          "t.global"() <{sym_name = "c"}> : () -> ()                                    // error: symbol-place
        }) : () -> ()
        "#,
    );
}

#[test]
fn types_and_attributes_themselves() {
    // The parser checks what it reads, so these come from a program.
    let context = context();
    let function = Type::function(&context, &[], &[]);
    let pointer = Pointer { pointee: function }.intern(&context);
    let deeper = Pointer { pointee: pointer }.intern(&context);
    let tuple = context.intern_type(TypeKind::Tuple([Type::integer(&context, 32), deeper].into()));
    let range = |least, most| NumberRange { least, most }.intern(&context);
    let nested = |attribute| {
        let dictionary = Dictionary::new(&context, &[(context.identifier("e"), attribute)]);
        Attribute::array(&context, &[Attribute::unit(&context), Attribute::dictionary(&context, dictionary)])
    };
    let mut module = parse(&context, "");
    let block = module.entry_block(module.regions(module.root())[0]).expect("a module has a block");
    let mut builder = Builder::new(&context, &mut module);
    builder.at_end(block);
    builder.create_op("x.a", &[], &[pointer], &[]);
    builder.create_op("x.b", &[], &[tuple], &[("d", nested(range(1, 2)))]);
    builder.create_op("x.c", &[], &[], &[("d", nested(range(2, 1)))]);
    builder.create_op("x.e", &[], &[], &[("g", Attribute::type_attribute(&context, deeper))]);
    let holder = builder.create_op("x.f", &[], &[], &[]);
    let region = builder.body_mut().add_region(holder);
    let inner = builder.create_block(region, &[deeper]);
    builder.at_end(inner).create_op("x.end", &[], &[], &[]);
    let options = VerifyOptions { allow_unregistered: true, ..VerifyOptions::default() };
    let found = faults(&context, &module, &options);
    let expected = ["invalid-type", "invalid-type", "invalid-attribute", "invalid-type", "invalid-type"];
    assert_eq!(found.as_slice().iter().map(|found| found.code).collect::<Vec<_>>(), expected);
    let message = |index: usize| &*found.as_slice()[index].message;
    let why = "has something that is not valid: the type '!t.ptr<() -> ()>': functions are not in memory";
    assert_eq!(message(1), format!("'x.b' op {why}"));
    let why = "has something that is not valid, in 'd': the attribute #t.range: 2 is more than 1";
    assert_eq!(message(2), format!("'x.c' op {why}"));
}

#[test]
fn discardable_attributes_of_registered_dialects() {
    check(
        r#"
        "x.h"() {t.known} : () -> ()
        "x.h"() {t.other} : () -> ()                            // error: unknown-attribute
        "x.h"() {y.other, other} : () -> ()
        "#,
    );
}

#[test]
fn modules() {
    check(
        r#"
        "builtin.module"() ({                       // error: attribute-prefix
        ^bb0:
        }) {note = 1 : i32} : () -> ()
        "builtin.module"() ({                       // error: single-block
        }) : () -> ()
        "builtin.module"() ({
        ^bb0:
        }) {x.note = 1 : i32} : () -> ()
        "#,
    );
}

#[test]
fn unregistered_operations() {
    let text = r#"
        "x.a"() : () -> ()                      // error: unregistered-operation
        "t.ad"() : () -> ()                     // error: unregistered-operation
        "t.scope"() ({
          "x.b"() : () -> ()                    // error: unregistered-operation
        }) : () -> ()
        "#;
    let found = check_with(text, VerifyOptions::default());
    assert_eq!(found.as_slice()[1].help.as_deref(), Some("did you mean 't.add'?"));
    // What a registered dialect does not declare is refused in any case.
    let allowed = text.replace(r#""x.a"() : () -> ()                      // error: unregistered-operation"#, "");
    check(
        &allowed.replace(
            r#""x.b"() : () -> ()                    // error: unregistered-operation"#,
            r#""x.b"() : () -> ()"#,
        ),
    );
}
