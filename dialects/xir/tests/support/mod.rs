//! What the tests of the dialect share: texts in and out, passes, and a small evaluator that knows nothing of folds.

#![allow(dead_code, reason = "each test program uses a part of it")]

pub(crate) mod evaluate;
pub(crate) mod values;

use fermata_ir::pass::{Pass, run_pass};
use fermata_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Body, Context, Diagnostics, DialectRegistry, OpRef};
use fermata_xir::XirDialect;

pub(crate) fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&XirDialect);
    Context::new(registry)
}

/// Reads a text that is fine.
pub(crate) fn parse(context: &Context, text: &str) -> Body {
    let mut diagnostics = Diagnostics::new();
    let body = try_parse(context, text, &mut diagnostics);
    body.unwrap_or_else(|| panic!("the text is refused: {diagnostics:#?}\n{text}"))
}

/// Reads and verifies a text.
pub(crate) fn try_parse(context: &Context, text: &str, diagnostics: &mut Diagnostics) -> Option<Body> {
    let file = context.sources().add("test.xir", text).expect("a test's text is small");
    let body = parse_module(context, file, &ParseOptions::default(), diagnostics)?;
    verify(context, &body, &VerifyOptions::default(), diagnostics);
    (!diagnostics.has_errors()).then_some(body)
}

pub(crate) fn print(context: &Context, body: &Body) -> String {
    print_module(context, body, &PrintOptions { generic: false, debug_info: false })
}

/// Runs a pass and verifies what comes out.
pub(crate) fn run(context: &Context, body: &mut Body, mut pass: impl Pass) {
    let mut diagnostics = Diagnostics::new();
    run_pass(&mut pass, context, body, &mut diagnostics).expect("the pass does not fail");
    verify(context, body, &VerifyOptions::default(), &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the pass leaves what does not verify: {diagnostics:#?}");
}

/// The function of a name in a module, looked at through its own body.
pub(crate) fn function<'a>(context: &'a Context, module: &'a Body, name: &str) -> OpRef<'a> {
    module
        .ops_inside(module.root())
        .into_iter()
        .filter_map(|op| module.nested(op))
        .map(|body| OpRef::new(context, body, body.root()))
        .find(|root| root.property("sym_name").and_then(|found| found.string_value(context)) == Some(name))
        .expect("the module has the function")
}
