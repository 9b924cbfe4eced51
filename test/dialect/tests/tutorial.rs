//! What the tutorial says about its operation holds.

use std::path::Path;

use fermata_ir::operation::check_dialect;
use fermata_ir::pass::{Pass, run_pass};
use fermata_ir::passes::{Canonicalize, Cse, DeadCodeElimination, Inline, Sccp, SymbolDce};
use fermata_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Body, Context, Diagnostics, DialectRegistry};
use fermata_test_dialect::TutorialDialect;
use fermata_xir::XirDialect;

fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&XirDialect).register(&TutorialDialect);
    Context::new(registry)
}

/// Reads and verifies a text; the body is there if nothing is wrong.
fn read(context: &Context, text: &str) -> (Option<Body>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let file = context.sources().add("test.xir", text).expect("a test's text is small");
    let body = parse_module(context, file, &ParseOptions::default(), &mut diagnostics);
    if let Some(body) = &body {
        verify(context, body, &VerifyOptions::default(), &mut diagnostics);
    }
    (body.filter(|_| !diagnostics.has_errors()), diagnostics)
}

fn good(context: &Context, text: &str) -> Body {
    let (body, diagnostics) = read(context, text);
    body.unwrap_or_else(|| panic!("the text is refused: {diagnostics:#?}\n{text}"))
}

fn print(context: &Context, body: &Body, generic: bool) -> String {
    print_module(context, body, &PrintOptions { generic, ..PrintOptions::default() })
}

/// A function of one number with these lines.
fn function(lines: &[&str]) -> String {
    format!("module {{\n  xir.callable @f(%arg0: i32) -> i32 {{\n    {}\n  }}\n}}\n", lines.join("\n    "))
}

fn check(mut pass: impl Pass, before: &[&str], after: &[&str]) {
    check_module(&mut pass, &function(before), &function(after));
}

fn check_module(pass: &mut dyn Pass, before: &str, after: &str) {
    let context = context();
    let mut body = good(&context, before);
    let mut diagnostics = Diagnostics::new();
    run_pass(pass, &context, &mut body, &mut diagnostics).expect("the pass does not fail");
    verify(&context, &body, &VerifyOptions::default(), &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:#?}");
    assert_eq!(print(&context, &body, false), after);
}

#[test]
fn the_operation_takes_under_sixty_lines() {
    let lines = include_str!("../src/rotate.rs").lines().count();
    assert!(lines < 60, "{lines} lines");
}

#[test]
fn the_declaration_is_sound() {
    assert_eq!(check_dialect(&TutorialDialect), Vec::<String>::new());
}

#[test]
fn both_forms_denote_the_same_operation() {
    let context = context();
    let text = function(&["%0 = tutorial.rotate %arg0 by 3 {note = \"x\"}", "xir.return %0 : i32"]);
    let body = good(&context, &text);
    assert_eq!(print(&context, &body, false), text);
    let generic = print(&context, &body, true);
    let line = "%0 = \"tutorial.rotate\"(%arg0) <{distance = 3 : ui32}> {note = \"x\"} : (i32) -> i32\n";
    assert!(generic.contains(line), "{generic}");
    assert_eq!(print(&context, &good(&context, &generic), false), text);
}

#[test]
fn it_folds() {
    let constant = ["%0 = xir.constant -2147483647 : i32", "%1 = tutorial.rotate %0 by 1", "xir.return %1 : i32"];
    // 0x80000001 rotated by one bit is 3.
    check(Canonicalize::default(), &constant, &["%0 = xir.constant 3 : i32", "xir.return %0 : i32"]);
    check(
        Canonicalize::default(),
        &["%0 = tutorial.rotate %arg0 by 0", "xir.return %0 : i32"],
        &["xir.return %arg0 : i32"],
    );
}

#[test]
fn it_has_a_canonical_form() {
    let twice = |first: u32, second: u32| {
        [
            format!("%0 = tutorial.rotate %arg0 by {first}"),
            format!("%1 = tutorial.rotate %0 by {second}"),
            "xir.return %1 : i32".to_owned(),
        ]
    };
    let check = |before: [String; 3], after: &[&str]| {
        check(Canonicalize::default(), &before.each_ref().map(String::as_str), after);
    };
    check(twice(3, 4), &["%0 = tutorial.rotate %arg0 by 7", "xir.return %0 : i32"]);
    check(twice(30, 4), &["%0 = tutorial.rotate %arg0 by 2", "xir.return %0 : i32"]);
    check(twice(30, 2), &["xir.return %arg0 : i32"]);
}

#[test]
fn its_rules_are_verified() {
    let context = context();
    let text = function(&["%0 = tutorial.rotate %arg0 by 32", "xir.return %0 : i32"]);
    let (body, diagnostics) = read(&context, &text);
    assert!(body.is_none());
    let found: Vec<_> = diagnostics.as_slice().iter().map(|one| (one.code, one.message.as_str())).collect();
    assert_eq!(found, [("rotate-distance", "'tutorial.rotate' op rotates by a distance that is not less than 32")]);
}

#[test]
fn equal_ones_are_computed_once() {
    let before = [
        "%0 = tutorial.rotate %arg0 by 3",
        "%1 = tutorial.rotate %arg0 by 3",
        "%2 = xir.addi %0, %1 : i32",
        "xir.return %2 : i32",
    ];
    let after = ["%0 = tutorial.rotate %arg0 by 3", "%1 = xir.addi %0, %0 : i32", "xir.return %1 : i32"];
    check(Cse, &before, &after);
    let different = [
        "%0 = tutorial.rotate %arg0 by 3",
        "%1 = tutorial.rotate %arg0 by 4",
        "%2 = xir.addi %0, %1 : i32",
        "xir.return %2 : i32",
    ];
    check(Cse, &different, &different);
}

#[test]
fn unused_ones_go() {
    check(
        DeadCodeElimination,
        &["%0 = tutorial.rotate %arg0 by 3", "%1 = tutorial.rotate %0 by 5", "xir.return %arg0 : i32"],
        &["xir.return %arg0 : i32"],
    );
}

#[test]
fn constants_go_through_it_and_through_branches() {
    // Both ways lead to the last block with the number 8.
    let before = function(&[
        "%0 = xir.constant 1 : i32",
        "%1 = xir.cmpi slt, %arg0, %0 : i32",
        "%2 = tutorial.rotate %0 by 3",
        "xir.cond_br %1, ^bb1, ^bb2(%2 : i32)",
        "  ^bb1:",
        "%3 = tutorial.rotate %0 by 2",
        "%4 = tutorial.rotate %3 by 1",
        "xir.br ^bb2(%4 : i32)",
        "  ^bb2(%5: i32):",
        "%6 = tutorial.rotate %5 by 4",
        "xir.return %6 : i32",
    ]);
    let context = context();
    let mut body = good(&context, &before);
    let mut diagnostics = Diagnostics::new();
    run_pass(&mut Sccp, &context, &mut body, &mut diagnostics).expect("the pass does not fail");
    let text = print(&context, &body, false);
    let constant = text.lines().find_map(|line| line.trim().strip_suffix(" = xir.constant 128 : i32"));
    let constant = constant.unwrap_or_else(|| panic!("1 rotated by 3 and by 4 is 128: {text}"));
    assert!(text.contains(&format!("xir.return {constant} : i32")), "{text}");
}

#[test]
fn functions_that_hold_it_are_inlined() {
    let before = "module {
  xir.callable private @twist(%arg0: i32) -> i32 {
    %0 = tutorial.rotate %arg0 by 3
    xir.return %0 : i32
  }
  xir.callable @f(%arg0: i32) -> i32 {
    %0 = xir.call @twist(%arg0) : (i32) -> i32
    xir.return %0 : i32
  }
}
";
    let context = context();
    let mut body = good(&context, before);
    let mut diagnostics = Diagnostics::new();
    run_pass(&mut Inline::default(), &context, &mut body, &mut diagnostics).expect("the pass does not fail");
    run_pass(&mut SymbolDce, &context, &mut body, &mut diagnostics).expect("the pass does not fail");
    run_pass(&mut Canonicalize::default(), &context, &mut body, &mut diagnostics).expect("the pass does not fail");
    assert_eq!(print(&context, &body, false), function(&["%0 = tutorial.rotate %arg0 by 3", "xir.return %0 : i32"]));
}

#[test]
fn the_examples_of_the_tutorial_are_read_and_verified() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/tutorial/new-operation.md");
    let page = std::fs::read_to_string(page).expect("the tutorial is a page of the book");
    assert!(page.contains("{{#include ../../../test/dialect/src/rotate.rs}}"), "the tutorial shows the code");
    let examples: Vec<&str> = page.split("```mlir\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!examples.is_empty(), "the tutorial has examples");
    let context = context();
    for example in examples {
        good(&context, example);
    }
}
