//! An operation's own rules run if what they rely on holds.

use crate::support::check;

#[test]
fn they_run_if_the_declaration_holds() {
    check(
        r#"
        "t.named"() <{name = "a b"}> : () -> ()                         // error: no-spaces
        "t.named"() <{name = "a b", count = 1.0 : f32}> : () -> ()      // error: property-kind
        "#,
    );
}

#[test]
fn they_do_not_run_if_something_inside_is_broken() {
    check(
        r#"
        %0 = "t.constant"() <{value = 1 : i32}> : () -> i32
        "t.named"() <{name = "a b"}> ({
          "t.scope"() ({
            %1 = "t.add"(%0) : (i32) -> i32                     // error: operand-count
            "t.yield"() : () -> ()
          }) : () -> ()
          "t.yield"() : () -> ()
        }) : () -> ()
        "t.named"() <{name = "a b"}> ({                         // error: no-spaces
          %1 = "t.add"(%0, %0) : (i32, i32) -> i32
          "t.yield"() : () -> ()
        }) : () -> ()
        "t.named"() <{name = "a b"}> ({
          "t.scope"() : () -> ()                                // error: missing-terminator
        }) : () -> ()
        "t.named"() <{name = 1 : i32}> ({                       // error: property-kind
          "t.named"() <{name = "a b"}> : () -> ()
          "t.yield"() : () -> ()
        }) : () -> ()
        "#,
    );
}
