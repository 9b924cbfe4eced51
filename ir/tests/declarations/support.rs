//! Texts in and out.

use fermata_ir::diagnostic::Place;
use fermata_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Body, Builder, Context, Diagnostics, DialectRegistry, Location, OpId, OpRef};

use crate::dialect::D;

pub(crate) fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&D);
    Context::new(registry)
}

/// Reads a text; unregistered operations stand for whatever makes values.
pub(crate) fn read(context: &Context, text: &str, diagnostics: &mut Diagnostics) -> Option<Body> {
    let file = context.sources().add("test", text).expect("a test's text is small");
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    parse_module(context, file, &options, diagnostics)
}

/// Reads a text that must be fine, and verifies it.
pub(crate) fn good(context: &Context, text: &str) -> Body {
    let mut diagnostics = Diagnostics::new();
    let body = read(context, text, &mut diagnostics);
    if let Some(body) = &body {
        check_verified(context, body);
    }
    body.unwrap_or_else(|| panic!("the text is refused: {diagnostics:#?}\n{text}"))
}

pub(crate) fn check_verified(context: &Context, body: &Body) {
    let mut diagnostics = Diagnostics::new();
    let options = VerifyOptions { allow_unregistered: true, check_links: true, ..VerifyOptions::default() };
    verify(context, body, &options, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:#?}\n{}", custom(context, body));
}

pub(crate) fn custom(context: &Context, body: &Body) -> String {
    print_module(context, body, &PrintOptions::default())
}

pub(crate) fn generic(context: &Context, body: &Body) -> String {
    print_module(context, body, &PrintOptions { generic: true, ..PrintOptions::default() })
}

/// The codes and messages of what is wrong with a text, each with the line and column that it points at.
pub(crate) fn refused(text: &str) -> Vec<(&'static str, String, (u32, u32))> {
    let context = context();
    let mut diagnostics = Diagnostics::new();
    assert!(read(&context, text, &mut diagnostics).is_none(), "the text is accepted: {text}");
    let place = |place: Place| {
        let position = match place {
            Place::Span(span) => Some(span.start),
            Place::Location(location) => location.position(&context),
        };
        let position = position.expect("a mistake in a text has a place in it");
        context.sources().file_at(position).expect("the text is a source").line_and_column(position)
    };
    let found = diagnostics.as_slice().iter();
    found.map(|one| (one.code, one.message.clone(), place(one.place))).collect()
}

/// The first operation of a name, however deep.
pub(crate) fn find<'a>(context: &'a Context, body: &'a Body, name: &str) -> OpRef<'a> {
    let root = OpRef::new(context, body, body.root());
    let all = body.ops_inside(body.root()).into_iter().map(|id| root.at(id));
    let mut found = all.filter(|op| op.name_str() == name);
    found.next().unwrap_or_else(|| panic!("there is no {name}"))
}

/// A module with an open block, for builders.
pub(crate) fn module(context: &Context) -> (Body, fermata_ir::BlockId) {
    let mut body = Body::new(context.operation_name("builtin.module"), Location::UNKNOWN, 1);
    let block = body.create_block(&[]);
    let region = body.regions(body.root())[0];
    body.append_block(region, block);
    (body, block)
}

/// Makes a value of a type by an operation that nobody declares.
pub(crate) fn value(builder: &mut Builder<'_>, ty: fermata_ir::Type) -> fermata_ir::ValueId {
    let op: OpId = builder.create_op("u.value", &[], &[ty], &[]);
    builder.body().result(op, 0)
}
