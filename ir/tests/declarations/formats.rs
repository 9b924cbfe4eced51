//! Every piece of a format is written and read back.

use crate::support::{context, custom, generic, good};

/// Checks that lines in a module print as they are, that the generic form prints the same module, and gives it.
fn round_trip(lines: &str) -> String {
    let context = context();
    let text = format!("module {{\n{lines}\n}}\n");
    let body = good(&context, &text);
    assert_eq!(custom(&context, &body), text);
    let in_generic = generic(&context, &body);
    let again = good(&context, &in_generic);
    assert_eq!(custom(&context, &again), text);
    assert_eq!(generic(&context, &again), in_generic);
    in_generic
}

/// Checks a line of which `%0`, `%1`, `%2` are of `i32`, `i1`, `f32`.
fn with_values(line: &str) -> String {
    round_trip(&format!(
        "  %0 = \"u.value\"() : () -> i32\n  %1 = \"u.value\"() : () -> i1\n  %2 = \"u.value\"() : () -> f32\n  {line}"
    ))
}

fn contains(text: &str, part: &str) {
    assert!(text.contains(part), "{part} is not in {text}");
}

#[test]
fn types_follow_from_rules() {
    contains(&with_values("%3 = d.add %0, %0 : i32"), "\"d.add\"(%0, %0) : (i32, i32) -> i32");
    contains(&with_values("%3 = d.pair %0 : i32"), "\"d.pair\"(%0) : (i32) -> (() -> (i32, i32))");
    contains(&round_trip("  %0 = d.constant 5 : i8"), "\"d.constant\"() <{value = 5 : i8}> : () -> i8");
    contains(
        &with_values("%3 = d.compare less_than, %0, %0 : i32"),
        "\"d.compare\"(%0, %0) <{predicate = #d.predicate<less_than>}> : (i32, i32) -> i1",
    );
}

#[test]
fn a_use_before_its_definition_has_the_type_of_the_rules() {
    round_trip("  %0 = d.add %1, %1 : i64\n  %1 = d.constant 1 : i64");
}

#[test]
fn operand_groups_of_all_arities() {
    let sizes = |sizes: &str| format!("<{{operandSegmentSizes = array<i32: {sizes}>}}>");
    contains(&with_values("d.groups %1[] %0 : i1()"), &sizes("1, 0, 0, 1"));
    contains(&with_values("d.groups %1 else %2 : f32[] %0 : i1()"), &sizes("1, 1, 0, 1"));
    contains(&with_values("d.groups %1[%2, %0, %1] %0 : i1(f32, i32, i1)"), &sizes("1, 0, 3, 1"));
    contains(&with_values("d.groups %1 else %2 : f32[%2] %0 {a} : i1(f32)"), &sizes("1, 1, 1, 1"));
}

#[test]
fn all_operands_and_functional_types() {
    let with = |line: &str, types: &str| contains(&with_values(line), types);
    with("%3 = d.call(%0) : (i32) -> i1", "\"d.call\"(%0) : (i32) -> i1");
    with(
        "%3:3 = d.call(%0, %1, %2) {a = 1 : i64} : (i32, i1, f32) -> (i1, f32, i32)",
        "(i32, i1, f32) -> (i1, f32, i32)",
    );
}

#[test]
fn results_of_all_arities() {
    contains(&round_trip("  d.maybe_result"), "\"d.maybe_result\"() : () -> ()");
    contains(&round_trip("  %0 = d.maybe_result {a} -> f32"), "\"d.maybe_result\"() {a} : () -> f32");
    contains(&round_trip("  d.many_results"), "\"d.many_results\"() : () -> ()");
    contains(&round_trip("  %0:2 = d.many_results -> (f32, i32)"), "\"d.many_results\"() : () -> (f32, i32)");
}

#[test]
fn properties_of_all_kinds_of_presence() {
    contains(&round_trip("  d.properties 3"), "<{align = 4 : ui32, count = 3 : ui32}>");
    contains(
        &round_trip("  d.properties 3 name \"x\" volatile align 8 @link {extra = [1, 2], note = 1 : i64}"),
        "<{align = 8 : ui32, count = 3 : ui32, extra = [1, 2], link = \"link\", name = \"x\", volatile}> {note = 1 : i64}",
    );
    round_trip("  d.properties 0 volatile");
    round_trip("  d.properties 0 align 0 {extra}");
}

#[test]
fn a_default_is_filled_in_by_both_forms() {
    let context = context();
    let body = good(&context, "\"d.properties\"() <{count = 3 : ui32}> : () -> ()\nd.properties 3 align 4");
    assert_eq!(custom(&context, &body), "module {\n  d.properties 3\n  d.properties 3\n}\n");
    let text = generic(&context, &body);
    assert_eq!(text.matches("<{align = 4 : ui32, count = 3 : ui32}>").count(), 2, "{text}");
}

#[test]
fn properties_of_all_kinds_of_text() {
    contains(
        &round_trip("  d.kinds @a::@b i32 true -5 [1, -2] default 0 = \"text\""),
        "<{any = \"text\", flag = true, offset = -5 : i64, shape = array<i32: 1, -2>, target = @a::@b, type = i32, \
         unwritten = 0 : i64}>",
    );
    // One that is written outside of an optional group is always written.
    round_trip("  d.kinds @a () -> () false 9223372036854775807 [] default -7 = [1, {x = @y}]");
}

#[test]
fn parts_of_a_group_go_together() {
    round_trip("  d.together at 1 size 2");
    round_trip("  d.together");
    // Alone they have no custom form.
    round_trip("  \"d.together\"() <{place = 1 : ui32}> : () -> ()");
    round_trip("  \"d.together\"() <{size = 1 : ui32}> : () -> ()");
}

#[test]
fn regions_of_all_arities() {
    let nothing = "\n  }";
    contains(&with_values(&format!("d.if %1 {{{nothing}")), "\"d.if\"(%1) ({\n  }, {\n  }) : (i1) -> ()");
    with_values("d.if %1 attributes {a} {\n    %3 = d.add %0, %0 : i32\n  } else {\n    d.maybe_result\n  }");
    with_values("d.if %1 {\n  ^bb0(%arg0: f32):\n    d.leave\n  ^bb1:  // no predecessors\n    d.leave\n  }");
    round_trip("  d.optional_region {\n  }");
    contains(&round_trip("  d.optional_region {\n  } also {\n  }"), "({\n  }, {\n  })");
    round_trip("  d.many_regions");
    contains(&round_trip("  d.many_regions cases {\n  }, {\n  }, {\n    d.maybe_result\n  }"), "({\n  }, {\n  }, {");
}

#[test]
fn isolated_operations() {
    contains(&round_trip("  d.scope @a {\n  }"), "\"d.scope\"() <{level = 1 : ui32, sym_name = \"a\"}> ({");
    round_trip(
        "  d.scope @a level 2 attributes {note = 1 : i64} {\n    d.scope @b {\n      d.maybe_result\n    }\n  }",
    );
    round_trip("  d.scope @\"odd name\" {\n  }");
}

#[test]
fn successors_of_all_arities() {
    let inside = |lines: &str| with_values(&format!("d.many_regions cases {{\n    {lines}\n  }}"));
    contains(
        &inside("d.br ^bb1(%0 : i32, %2 : f32) {a}\n  ^bb1(%3: i32, %4: f32):  // pred: ^bb0\n    d.leave"),
        "[^bb1]",
    );
    contains(
        &inside(
            "d.cond_br %1, ^bb1, ^bb2(%0 : i32)\n  ^bb1:  // pred: ^bb0\n    d.leave\n  ^bb2(%3: i32):  // pred: ^bb0\n    \
             d.leave",
        ),
        "operandSegmentSizes = array<i32: 1, 0, 1>",
    );
    inside(
        "d.choose %0 or ^bb1, ^bb1, ^bb2 : i32\n  ^bb1:  // 2 preds: ^bb0, ^bb0\n    d.leave\n  ^bb2:  // pred: ^bb0\n    d.leave",
    );
    inside("d.choose %0 : i32");
    inside("d.leave %0, %1 : i32, i1 {a} to ^bb1\n  ^bb1:  // pred: ^bb0\n    d.leave %2 : f32");
}

#[test]
fn what_a_custom_form_does_not_say_is_generic() {
    let lines = [
        // A type that does not follow from what would be written.
        "\"d.add\"(%0, %1) : (i32, i1) -> i32",
        "\"d.pair\"(%0) : (i32) -> i32",
        "\"d.compare\"(%0, %0) <{predicate = #d.predicate<equal>}> : (i32, i32) -> i32",
        // Missing, wrong and unknown parts.
        "\"d.add\"(%0) : (i32) -> i32",
        "\"d.properties\"() : () -> ()",
        "\"d.properties\"() <{count = \"three\"}> : () -> ()",
        "\"d.properties\"() <{align = 4 : ui32, count = 3 : ui32, odd}> : () -> ()",
        "\"d.groups\"(%0, %0) <{operandSegmentSizes = array<i32: 1, 2, 0, 1>}> : (i32, i32) -> ()",
        "\"d.groups\"(%0, %0) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()",
        "\"d.maybe_result\"() : () -> (i32, i32)",
    ];
    for line in lines {
        let context = context();
        let results = if line.ends_with("-> ()") { "" } else { "%9 = " };
        let results = if line.ends_with("(i32, i32)") { "%9:2 = " } else { results };
        let text = format!("%0 = \"u.value\"() : () -> i32\n%1 = \"u.value\"() : () -> i1\n{results}{line}");
        let mut diagnostics = fermata_ir::Diagnostics::new();
        let body = crate::support::read(&context, &text, &mut diagnostics).expect("it is only not verified");
        let printed = custom(&context, &body);
        let start = line.split('(').next().expect("there is a name");
        contains(&printed, start);
        let again = crate::support::read(&context, &printed, &mut diagnostics).expect("it is only not verified");
        assert_eq!(generic(&context, &again), generic(&context, &body));
    }
}
