//! Custom and generic forms of the dialect denote the same module.

use fermata_coro::CoroDialect;
use fermata_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use fermata_ir::{Body, Context, Diagnostics, DialectRegistry};

const TEXT: &str = r#"module {
  coro.func @f(%arg0: i32, %arg1: f32) {
    coro.suspend token(1) name("half \22way\22") exports("hint" = %arg0 : i32, "x" = %arg1 : f32) to ^bb1(%arg0 : i32)
  ^bb1(%0: i32):  // pred: ^bb0
    coro.suspend token(2) bindings(%arg1 : f32) extensions([#coro.extension<"com.example.net", 1, false, reject, [#coro.binding<"x", read_write, resumed, 0, 0>], {key = 3 : ui64}>]) to ^bb2
  ^bb2(%1: f32):  // 2 preds: ^bb1, ^bb2
    coro.suspend token(4000000000) to ^bb2(%1 : f32) {note = "again"}
  }
  coro.frame_layout @f.frame words 2 slots [#coro.slot<0, 0, i32>, #coro.slot<1, 3, i1>]
  coro.continuation @f.0(%arg0: !coro.frame<@f.frame>, %arg1: i32) attributes {root = "f", token = 0 : ui32} {
    %0 = coro.frame_load %arg0[1, 3] : !coro.frame<@f.frame> -> i1
    coro.frame_store %arg1, %arg0[0, 0] : i32, !coro.frame<@f.frame>
    coro.transition 4294967295
  }
  coro.graph @f.graph of "f" frame @f.frame {
    coro.node 0 "" @f.0 live [] loads []
    coro.node 1 "half way" @f.0 live [0, 1] loads [0]
    coro.edge 0 to 1 stores [0, 1] exports [#coro.export<"hint", 0, 0, i32>] extensions []
  }
  coro.analysis @f.analysis of @f hash 7 seal 18446744073709551615 atoms [#coro.atom<"value", 0, [], i32>] scopes [#coro.scope<0, "", [], []>] transfers [#coro.transfer<0, 1, [0], []>]
}
"#;

fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&CoroDialect);
    Context::new(registry)
}

fn parse(context: &Context, text: &str) -> Body {
    let file = context.sources().add("test.xir", text).expect("a test's text is small");
    let mut diagnostics = Diagnostics::new();
    let body = parse_module(context, file, &ParseOptions::default(), &mut diagnostics);
    body.unwrap_or_else(|| panic!("the text is refused: {diagnostics:#?}"))
}

fn print(context: &Context, body: &Body, generic: bool) -> String {
    print_module(context, body, &PrintOptions { generic, debug_info: false })
}

#[test]
fn custom_and_generic_forms_denote_the_same_module() {
    let context = context();
    let module = parse(&context, TEXT);
    assert_eq!(print(&context, &module, false), TEXT);
    let generic = print(&context, &module, true);
    let again = parse(&context, &generic);
    assert_eq!(print(&context, &again, true), generic);
    assert_eq!(print(&context, &again, false), TEXT);
}
