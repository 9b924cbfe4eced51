//! Erasure of unreferenced symbols.

use fermata_ir::attributes::SymbolRef;
use fermata_ir::passes::SymbolDce;
use fermata_ir::{Attribute, AttributeKind, Body, Context, TypeKind};

use crate::support::{Function, function, function_names, module};
use crate::toy::context;

fn leaf(context: &Context, name: &str) -> Body {
    let mut f = Function::named(context, name, 0, 0).private();
    f.ret(&[]);
    f.body
}

#[test]
fn private_symbols_go_in_circles_and_chains() {
    let context = context();
    let calling = |name: &str, callee: &str| {
        let mut f = Function::named(&context, name, 0, 0).private();
        f.call(callee, &[], 0);
        f.ret(&[]);
        f.body
    };
    let mut public = Function::named(&context, "public", 0, 0);
    public.call("used", &[], 0);
    public.ret(&[]);
    let bodies = vec![
        public.body,
        calling("used", "used-too"),
        leaf(&context, "used-too"),
        calling("circle-a", "circle-b"),
        calling("circle-b", "circle-a"),
        calling("self", "self"),
        calling("head", "tail"),
        leaf(&context, "tail"),
    ];
    let mut module = module(&context, bodies);
    assert_eq!(SymbolDce.run_on(&context, &mut module), 5);
    assert_eq!(function_names(&context, &module), ["public", "used", "used-too"]);
    assert_eq!(SymbolDce.run_on(&context, &mut module), 0);
}

#[test]
fn symbols_mentioned_anywhere_stay() {
    let context = context();
    let symbol = |name: &str| Attribute::symbol(&context, name);
    let mut public = Function::named(&context, "public", 0, 0);
    // In an attribute of an unregistered operation, two arrays deep.
    let nested = Attribute::array(&context, &[Attribute::array(&context, &[symbol("in-array")])]);
    public.op("elsewhere.thing", &[], &[], &[("list", nested)]);
    // In the type of a value.
    let ty = context.intern_type(TypeKind::MemRef {
        shape: [].into(),
        element: public.i32,
        layout: None,
        space: Some(symbol("in-type")),
    });
    public.op("toy.opaque", &[], &[ty], &[]);
    // In the text of an attribute that nobody can parse.
    let text = AttributeKind::Opaque {
        dialect: context.identifier("elsewhere"),
        body: context.identifier("<@in-text, [@\"in quotes\"]>"),
        ty: None,
    };
    public.set_property("note", context.intern_attribute(text));
    public.ret(&[]);
    let names = ["in-array", "in-type", "in-text", "in quotes", "nowhere"];
    let mut bodies = vec![public.body];
    bodies.extend(names.map(|name| leaf(&context, name)));
    let mut module = module(&context, bodies);
    assert_eq!(SymbolDce.run_on(&context, &mut module), 1);
    assert_eq!(function_names(&context, &module), ["public", "in-array", "in-type", "in-text", "in quotes"]);
}

#[test]
fn tables_in_tables() {
    let context = context();
    let named = |name: &str, visibility: Option<&str>, bodies: Vec<Body>| {
        let mut body = module(&context, bodies);
        let root = body.root();
        body.set_property(&context, root, "sym_name", Some(Attribute::string(&context, name)));
        let visibility = visibility.map(|text| Attribute::string(&context, text));
        body.set_property(&context, root, "sym_visibility", visibility);
        body
    };
    let with_visibility = |name: &str, visibility: &str| {
        let mut f = Function::named(&context, name, 0, 0);
        f.set_property("sym_visibility", Attribute::string(&context, visibility));
        f.ret(&[]);
        f.body
    };
    let mut public = Function::named(&context, "public", 0, 0);
    let path = SymbolRef { root: context.identifier("inner"), nested: [context.identifier("reached")].into() };
    let path = context.intern_attribute(AttributeKind::Symbol(path));
    public.op("elsewhere.thing", &[], &[], &[("path", path)]);
    public.ret(&[]);
    let inner = named(
        "inner",
        Some("private"),
        vec![
            with_visibility("reached", "nested"),
            with_visibility("nested", "nested"),
            with_visibility("private", "private"),
            with_visibility("public", "public"),
        ],
    );
    let unused = named("unused", Some("private"), vec![with_visibility("public", "public")]);
    let mut outer = module(&context, vec![public.body, inner, unused]);
    // Gone: `nested` and `private` of the inner table, and the unused table with the public function in it.
    assert_eq!(SymbolDce.run_on(&context, &mut outer), 4);
    assert_eq!(function_names(&context, &outer), ["public", "inner"]);
    assert_eq!(function_names(&context, function(&context, &outer, "inner")), ["reached", "public"]);
}

#[test]
fn a_name_is_looked_up_in_the_nearest_table_only() {
    let context = context();
    let mut caller = Function::named(&context, "caller", 0, 0);
    caller.call("helper", &[], 0);
    caller.ret(&[]);
    let inner = module(&context, vec![caller.body, leaf(&context, "helper")]);
    let mut outer = module(&context, vec![inner, leaf(&context, "helper")]);
    assert_eq!(SymbolDce.run_on(&context, &mut outer), 1);
    assert!(function_names(&context, &outer).is_empty());
    let inner = outer.all_ops().into_iter().find_map(|op| outer.nested(op)).unwrap();
    assert_eq!(function_names(&context, inner), ["caller", "helper"]);
}
