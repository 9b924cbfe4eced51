//! Tests of symbol tables, references, renaming and call graphs.

#[path = "../verifier/dialect.rs"]
mod dialect;

use fermata_ir::symbols::{
    CallGraph, References, RenameError, SymbolTable, SymbolTables, Unresolved, rename_symbol, symbol_name,
};
use fermata_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use fermata_ir::{AttributeKind, Body, Context, Diagnostics, OpRef};

use dialect::context;

fn parse(context: &Context, text: &str) -> Body {
    let file = context.sources().add("test.mlir", text).expect("a test's text is small");
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let mut diagnostics = Diagnostics::new();
    let body = parse_module(context, file, &options, &mut diagnostics);
    body.unwrap_or_else(|| panic!("the text is not accepted: {:#?}", diagnostics.as_slice()))
}

fn print(context: &Context, body: &Body) -> String {
    print_module(context, body, &PrintOptions { generic: true, debug_info: false })
}

/// A text with a reference to `@NAME` in every kind of place.
fn mentions(name: &str) -> String {
    r#"
    "t.func"() <{sym_name = "NAME", function_type = () -> ()}> ({
      "t.call"() <{callee = @NAME}> : () -> ()
      "t.scope"() ({
        "t.call"() <{callee = @NAME::@inner}> : () -> ()
        "t.yield"() : () -> ()
      }) : () -> ()
      "t.return"() : () -> ()
    }) : () -> ()
    "x.a"() {b = [1, {c = @NAME}], d = @other::@NAME} : () -> ()
    "x.a"() {b = #t.bag<{c = [@NAME]}, [@NAME, @other], !t.made_by<@NAME>>} : () -> ()
    %0 = "x.a"() : () -> tuple<i32, !t.made_by<{e = @NAME}>>
    "x.region"() ({
    ^bb0(%1: !t.ptr<!t.made_by<@NAME>>):
      "t.table"() <{sym_name = "hides"}> ({
        "t.call"() <{callee = @KEPT}> : () -> ()
      }) : () -> ()
    }) : () -> ()
    "builtin.module"() ({
      "t.call"() <{callee = @KEPT}> : () -> ()
    }) {x.note = @KEPT} : () -> ()
    "#
    .replace("NAME", name)
}

#[test]
fn a_renamed_symbol_is_renamed_everywhere() {
    let context = context();
    let [old, new] = ["old", "new"].map(|name| context.identifier(name));
    let mut body = parse(&context, &mentions("old").replace("KEPT", "old"));
    // What another table says of itself is looked up in that table.
    let expected = parse(&context, &mentions("new").replace("KEPT", "old").replace("@other::@new", "@other::@old"));
    // The function, two calls, three operations `x.a`, and the one whose block has an argument.
    assert_eq!(rename_symbol(&context, &mut body, old, new), Ok(7));
    assert_eq!(print(&context, &body), print(&context, &expected));
    assert_eq!(rename_symbol(&context, &mut body, old, new), Err(RenameError::Unknown));
}

#[test]
fn a_refused_renaming_leaves_no_trace() {
    let context = context();
    let [a, b] = ["a", "b"].map(|name| context.identifier(name));
    let named = r#"
        "t.global"() <{sym_name = "a"}> : () -> ()
        "x.use"() {y = [@a]} : () -> ()
    "#;
    let cases = [
        (r#""t.global"() <{sym_name = "b"}> : () -> ()"#, None),
        (r#""x.use"() {y = #unknown.thing<[@a]>} : () -> ()"#, Some("x.use")),
        (r#"%0 = "x.make"() : () -> !unknown.thing<{c = @"a"}>"#, Some("x.make")),
    ];
    for (more, text_in) in cases {
        let mut body = parse(&context, &format!("{named}{more}"));
        let before = print(&context, &body);
        let last = body.last_op(body.entry_block(body.regions(body.root())[0]).expect("it has a block"));
        let expected = match text_in {
            Some(_) => RenameError::InText(body.location(last.expect("the block is not empty"))),
            None => RenameError::Taken,
        };
        assert_eq!(rename_symbol(&context, &mut body, a, b), Err(expected));
        assert_eq!(print(&context, &body), before);
    }
    // Names that only begin alike do not matter.
    let mut body = parse(&context, &format!(r#"{named}"x.use"() {{y = #unknown.thing<@ab>}} : () -> ()"#));
    assert_eq!(rename_symbol(&context, &mut body, a, b), Ok(2));
}

#[test]
fn references_are_found_however_deep() {
    let context = context();
    let body = parse(&context, &mentions("f").replace("KEPT", "g"));
    let mut references = References::new(&context);
    for op in body.all_ops().into_iter().filter(|&op| body.nested(op).is_none()) {
        references.add_op(OpRef::new(&context, &body, op));
    }
    let (symbols, names) = references.into_parts();
    let mut found: Vec<String> = symbols.iter().map(|symbol| symbol.root.as_str(&context).to_owned()).collect();
    found.sort();
    // Each attribute counts once: `@f`, `@other`, `@other::@f`, and `@g` in the table.
    assert_eq!(found, ["f", "g", "other", "other"]);
    assert_eq!(names, []);
    let body = parse(&context, r#""x.a"() {y = #unknown.thing<@a, @"b c", @d::@e>} : () -> !unknown.t<@f>"#);
    let mut references = References::new(&context);
    references.add_op(OpRef::new(&context, &body, body.all_ops()[0]));
    let mut names: Vec<&str> = references.into_parts().1.iter().map(|name| name.as_str(&context)).collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b c", "d", "e", "f"]);
}

#[test]
fn names_of_new_symbols_are_their_own() {
    let context = context();
    let mut body =
        parse(&context, r#""t.global"() <{sym_name = "a"}> : () -> () "t.global"() <{sym_name = "a_1"}> : () -> ()"#);
    let mut table = SymbolTable::new(&context, &body, body.root());
    let first = body.all_ops()[0];
    let name = |text: &str| context.identifier(text);
    assert_eq!(table.lookup(name("a")), Some(first));
    assert_eq!(table.unused_name(&context, "b"), name("b"));
    let mut added = Vec::new();
    for _ in 0..3 {
        let copy = body.clone_op(first, &mut fermata_ir::body::IrMapping::new());
        body.insert_op_after(first, copy);
        let name = table.insert(&context, &mut body, copy);
        assert_eq!((symbol_name(&context, &body, copy), table.lookup(name)), (Some(name), Some(copy)));
        added.push(name.as_str(&context));
    }
    assert_eq!(added, ["a_0", "a_2", "a_3"]);
    assert_eq!(table.remove(name("a")), Some(first));
    assert_eq!(table.unused_name(&context, "a"), name("a"));
}

#[test]
fn references_are_looked_up_in_the_nearest_table_alone() {
    let context = context();
    let body = parse(
        &context,
        r#"
        "t.global"() <{sym_name = "a"}> : () -> ()
        "builtin.module"() <{sym_name = "m"}> ({
          "t.table"() <{sym_name = "t"}> ({
            "t.global"() <{sym_name = "b"}> : () -> ()
          }) : () -> ()
        }) : () -> ()
        "x.scope"() ({
          "x.use"() {s = [@a, @m, @m::@t::@b, @b, @a::@b, @m::@b]} : () -> ()
        }) : () -> ()
        "#,
    );
    let tables = SymbolTables::new(&context, &body);
    let user = body.all_ops().into_iter().map(|op| OpRef::new(&context, &body, op));
    let user = user.filter(|op| op.name_str() == "x.use").last().expect("there is one");
    let symbols = user.attribute("s").and_then(|list| list.array_elements(&context)).expect("it has a list");
    let found: Vec<String> = symbols
        .iter()
        .map(|symbol| match symbol.kind(&context) {
            AttributeKind::Symbol(symbol) => match tables.resolve(user, symbol) {
                Ok(found) => {
                    let definition = found.definition();
                    format!("{} {}", definition.name_str(), found.op.property("sym_name").is_some())
                }
                Err(Unresolved::NoSymbol { name, .. }) => format!("no {}", name.as_str(&context)),
                Err(Unresolved::NotATable { name, at }) => format!("{} in {}", name.as_str(&context), at.name_str()),
                Err(Unresolved::NoTable) => "no table".to_owned(),
            },
            _ => panic!("the list holds symbols"),
        })
        .collect();
    assert_eq!(found, ["t.global true", "builtin.module true", "t.global true", "no b", "b in t.global", "no b"]);
}

#[test]
fn callees_come_before_callers() {
    let context = context();
    // a -> b, c; b <-> d; c -> c; e is called through another table.
    let function = |name: &str, callees: &[&str]| {
        let calls: Vec<String> =
            callees.iter().map(|callee| format!(r#""t.call"() <{{callee = @{callee}}}> : () -> ()"#)).collect();
        let visibility = if name == "a" { "public" } else { "private" };
        format!(
            r#""t.func"() <{{sym_name = "{name}", sym_visibility = "{visibility}", function_type = () -> ()}}> ({{
              {}
              "t.return"() : () -> ()
            }}) : () -> ()"#,
            calls.join("\n")
        )
    };
    let text = [
        function("a", &["b", "c", "b", "nothing", "m::@e"]),
        function("b", &["d"]),
        function("c", &["c"]),
        function("d", &["b", "e"]),
        function("e", &[]),
    ];
    let body = parse(&context, &text.join("\n"));
    let graph = CallGraph::new(&context, &body);
    let id = |name: &str| graph.lookup(context.identifier(name)).expect("the function is there");
    let order: Vec<_> = graph.callees_first().collect();
    assert_eq!(order.len(), 5);
    let place = |name: &str| order.iter().position(|&function| function == id(name)).expect("it is listed");
    for (callee, caller) in [("b", "a"), ("c", "a"), ("d", "a"), ("e", "a"), ("e", "b"), ("e", "d")] {
        assert!(place(callee) < place(caller), "{callee} before {caller}");
    }
    assert_eq!(graph.component(id("b")), graph.component(id("d")));
    let recursive: Vec<&str> =
        ["a", "b", "c", "d", "e"].into_iter().filter(|name| graph.is_recursive(id(name))).collect();
    assert_eq!(recursive, ["b", "c", "d"]);
    assert_eq!(graph.call_count(id("b")), 3);
    assert_eq!(graph.calls(id("a")).iter().map(|&(_, callee)| callee).collect::<Vec<_>>(), [id("b"), id("c"), id("b")]);
    assert!(!graph.is_private(id("a")) && graph.is_private(id("b")));
}
