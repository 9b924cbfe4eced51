//! Whether values may be used where they are used.

use crate::support::check;

#[test]
fn order_in_a_block() {
    let found = check(
        r#"
        "t.func"() <{sym_name = "f", function_type = () -> ()}> ({
          %0 = "t.add"(%1, %1) : (i32, i32) -> i32              // error: use-before-definition, use-before-definition
          %1 = "t.constant"() <{value = 1 : i32}> : () -> i32
          %2 = "t.add"(%2, %1) : (i32, i32) -> i32              // error: use-before-definition
          "t.return"() : () -> ()
        }) : () -> ()
        "#,
    );
    let first = &found.as_slice()[0];
    assert_eq!(first.message, "'t.add' op operand #0 is used before it is defined");
    assert_eq!(first.notes[0].message, "it is defined here");
}

#[test]
fn order_means_nothing_in_graph_regions_and_under_unregistered_operations() {
    check(
        r#"
        "t.graph"() ({
          %0 = "t.add"(%1, %0) : (i32, i32) -> i32
          %1 = "t.constant"() <{value = 1 : i32}> : () -> i32
          "t.scope"() ({
            "t.yield"(%2) : (i32) -> ()
          }) : () -> ()
          %2 = "t.constant"() <{value = 2 : i32}> : () -> i32
        }) : () -> ()
        "x.region"() ({
          %0 = "t.add"(%1, %0) : (i32, i32) -> i32
          %1 = "t.constant"() <{value = 1 : i32}> : () -> i32
          "x.end"() : () -> ()
        }) : () -> ()
        "#,
    );
}

#[test]
fn uses_in_nested_regions_count_as_uses_by_what_holds_them() {
    check(
        r#"
        "t.func"() <{sym_name = "f", function_type = () -> ()}> ({
          %0 = "t.scope"() ({
            %a = "t.constant"() <{value = 1 : i32}> : () -> i32
            "t.scope"() ({
              %b = "t.add"(%a, %1) : (i32, i32) -> i32          // error: use-before-definition
              "t.yield"(%0) : (i32) -> ()                       // error: use-before-definition
            }) : () -> ()
            "t.yield"(%a) : (i32) -> ()
          }) : () -> i32
          %1 = "t.constant"() <{value = 1 : i32}> : () -> i32
          "t.return"() : () -> ()
        }) : () -> ()
        "#,
    );
}

#[test]
fn dominance_across_blocks() {
    let found = check(
        r#"
        "t.func"() <{sym_name = "f", function_type = (i1) -> ()}> ({
        ^bb0(%c: i1):
          "t.cond_br"(%c)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
        ^bb1:
          %0 = "t.constant"() <{value = 1 : i32}> : () -> i32
          "t.br"(%0)[^bb3] : (i32) -> ()
        ^bb2:
          %1 = "t.add"(%0, %2) : (i32, i32) -> i32              // error: dominance, dominance
          "t.br"(%1)[^bb3] : (i32) -> ()
        ^bb3(%2: i32):
          "t.scope"() ({
            %3 = "t.add"(%2, %0) : (i32, i32) -> i32            // error: dominance
            "t.yield"() : () -> ()
          }) : () -> ()
          "t.return"() : () -> ()
        }) : () -> ()
        "#,
    );
    assert_eq!(found.as_slice()[0].notes[0].message, "it is defined here");
    assert_eq!(found.as_slice()[1].notes[0].message, "it is argument #0 of a block in here");
}

#[test]
fn dominance_is_checked_under_unregistered_operations_too() {
    check(
        r#"
        "x.region"() ({
          %0 = "x.use"(%1) : (i32) -> i32                       // error: dominance
          "x.br"()[^bb1] : () -> ()
        ^bb1:
          %1 = "x.use"(%0) : (i32) -> i32
          "x.end"() : () -> ()
        }) : () -> ()
        "#,
    );
}

#[test]
fn anything_goes_in_unreachable_blocks() {
    check(
        r#"
        "t.func"() <{sym_name = "f", function_type = () -> ()}> ({
          "t.return"() : () -> ()
        ^bb1:
          %0 = "t.add"(%1, %2) : (i32, i32) -> i32
          %1 = "t.add"(%0, %1) : (i32, i32) -> i32
          "t.br"()[^bb2] : () -> ()
        ^bb2:
          %2 = "t.add"(%1, %1) : (i32, i32) -> i32
          "t.br"()[^bb1] : () -> ()
        }) : () -> ()
        "#,
    );
}

#[test]
fn a_loop_carries_values_through_arguments_only() {
    check(
        r#"
        "t.func"() <{sym_name = "f", function_type = (i1, i32) -> ()}> ({
        ^bb0(%c: i1, %x: i32):
          "t.br"(%x)[^bb1] : (i32) -> ()
        ^bb1(%0: i32):
          %1 = "t.add"(%0, %2) : (i32, i32) -> i32              // error: dominance
          "t.br"()[^bb2] : () -> ()
        ^bb2:
          %2 = "t.add"(%0, %1) : (i32, i32) -> i32
          "t.cond_br"(%c, %2)[^bb1, ^bb3] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
        ^bb3:
          "t.return"() : () -> ()
        }) : () -> ()
        "#,
    );
}
