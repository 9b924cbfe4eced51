//! Symbol tables and calls.

use crate::support::check;

#[test]
fn names_are_unique_in_their_table() {
    let found = check(
        r#"
        "t.global"() <{sym_name = "a"}> : () -> ()
        "t.global"() <{sym_name = "b"}> : () -> ()
        "t.global"() <{sym_name = "a"}> : () -> ()              // error: duplicate-symbol
        "t.table"() <{sym_name = "c"}> ({
          "t.global"() <{sym_name = "a"}> : () -> ()
          "t.global"() <{sym_name = "a"}> : () -> ()            // error: duplicate-symbol
        }) : () -> ()
        "t.func"() <{sym_name = "b", function_type = () -> ()}> ({ // error: duplicate-symbol
        }) : () -> ()
        "x.region"() ({
          "t.global"() <{sym_name = "a"}> : () -> ()
        }) : () -> ()
        "#,
    );
    assert_eq!(found.as_slice()[0].message, "'t.global' op is a second symbol @a");
}

#[test]
fn calls_name_functions_and_fit_them() {
    let found = check(
        r#"
        "t.func"() <{sym_name = "callee", function_type = (i32, f32) -> i64}> ({
        }) : () -> ()
        "t.global"() <{sym_name = "data"}> : () -> ()
        "builtin.module"() <{sym_name = "inner"}> ({
          "t.func"() <{sym_name = "nested", function_type = () -> ()}> ({
          }) : () -> ()
          "t.func"() <{sym_name = "hidden", function_type = () -> ()}> ({
            "t.call"() <{callee = @nested}> : () -> ()
            "t.call"() <{callee = @callee}> : () -> ()          // error: unknown-symbol
            "t.return"() : () -> ()
          }) : () -> ()
        }) : () -> ()
        "t.func"() <{sym_name = "f", function_type = (i32, f32) -> ()}> ({
        ^bb0(%i: i32, %x: f32):
          %0 = "t.call"(%i, %x) <{callee = @callee}> : (i32, f32) -> i64
          "t.call"() <{callee = @inner::@nested}> : () -> ()
          "t.call"(%x, %x) <{callee = @callee}> : (f32, f32) -> ()      // error: call-arguments, call-results
          %1 = "t.call"(%i) <{callee = @callee}> : (i32) -> i32         // error: call-arguments, call-results
          "t.call"() <{callee = @call}> : () -> ()                      // error: unknown-symbol
          "t.call"() <{callee = @data}> : () -> ()                      // error: not-a-function
          "t.call"() <{callee = @data::@more}> : () -> ()               // error: unknown-symbol
          "t.call"() <{callee = @inner::@nothing}> : () -> ()           // error: unknown-symbol
          "t.scope"() ({
            "t.call"() <{callee = @nested}> : () -> ()                  // error: unknown-symbol
            "t.yield"() : () -> ()
          }) : () -> ()
          "t.return"() : () -> ()
        }) : () -> ()
        "#,
    );
    let unknown = found.as_slice().iter().find(|found| found.message.contains("@call,")).expect("it is reported");
    assert_eq!(unknown.help.as_deref(), Some("did you mean @callee?"));
}
