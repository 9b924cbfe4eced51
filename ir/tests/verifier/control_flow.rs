//! What is passed along edges, between regions, and to and from functions.

use crate::support::check;

#[test]
fn branches() {
    let found = check(
        r#"
        "t.func"() <{sym_name = "f", function_type = (i1, i32) -> ()}> ({
        ^bb0(%c: i1, %x: i32):
          "t.cond_br"(%c, %x)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> () // error: branch-type, branch-operands
        ^bb1(%a: i64):
          "t.br"(%x)[^bb2] : (i32) -> ()
        ^bb2(%b: i32):
          "t.wait"(%x)[^bb3] : (i32) -> ()
        ^bb3(%d: f32, %e: i32):
          "t.wait"(%x)[^bb4] : (i32) -> ()                      // error: branch-type
        ^bb4(%g: f32, %h: i8):
          "t.wait"(%x)[^bb2] : (i32) -> ()                      // error: branch-operands
        ^bb5:
          "t.go"()[^bb0x, ^bb4] : () -> ()                      // error: branch-operands
        ^bb0x:
          "t.overlap"(%x)[^bb2, ^bb2] : (i32) -> ()             // error: branch-operands
        }) : () -> ()
        "#,
    );
    let messages: Vec<&str> = found.as_slice().iter().map(|found| &*found.message).collect();
    assert_eq!(
        messages[..4],
        [
            "'t.cond_br' op passes operand #1, which is 'i32', to argument #0 of successor #0, which is 'i64'",
            "'t.cond_br' op passes 0 values to successor #1, whose block has 1 argument",
            "'t.wait' op passes operand #0, which is 'i32', to argument #1 of successor #0, which is 'i8'",
            "'t.wait' op produces 1 and passes 1 value to successor #0, whose block has 1 argument",
        ]
    );
}

#[test]
fn regions() {
    check(
        r#"
        %c, %x = "x.values"() : () -> (i1, i32)
        %0 = "t.if"(%c, %x) ({
        ^bb0(%a: i32):
          "t.yield"(%a) : (i32) -> ()
        }, {
        ^bb0(%a: i32):
          "t.yield"(%a) : (i32) -> ()
        }) : (i1, i32) -> i32
        %1 = "t.if"(%c, %x) ({                                  // error: region-type, region-operands
        ^bb0(%a: i64):
          "t.yield"(%a) : (i64) -> ()                           // error: region-type
        }, {
          "t.yield"() : () -> ()                                // error: region-operands
        }) : (i1, i32) -> i32
        "t.if"(%c) ({                                           // error: region-operands
          "t.yield"() : () -> ()
        }, {
        }) : (i1) -> ()
        "#,
    );
}

#[test]
fn functions() {
    check(
        r#"
        "t.func"() <{sym_name = "a", function_type = (i32) -> i32}> ({
        ^bb0(%x: i32):
          "t.return"(%x) : (i32) -> ()
        }) : () -> ()
        "t.func"() <{sym_name = "b", function_type = (i32) -> i32}> ({ // error: function-arguments
        ^bb0(%x: i64):
          "t.return"(%x) : (i64) -> ()                          // error: return-type
        }) : () -> ()
        "t.func"() <{sym_name = "c", function_type = (i32) -> i32}> ({ // error: function-arguments
          "t.return"() : () -> ()                               // error: return-operands
        }) : () -> ()
        "t.func"() <{sym_name = "d", function_type = i32}> ({   // error: function-type
          "t.return"() : () -> ()
        }) : () -> ()
        "t.func"() <{sym_name = "e", function_type = () -> i32}> ({
        }) : () -> ()
        "t.func"() <{sym_name = "f", function_type = () -> i32}> ({
          "t.scope"() ({
            "t.yield"() : () -> ()
          }) : () -> ()
          "t.go"() : () -> ()
        }) : () -> ()
        "#,
    );
}
