//! The text of every operation, type and attribute: custom and generic forms denote the same module, which verifies, and
//! `mlir-opt` prints our generic form back as it is.

use std::io::Write;
use std::process::{Command, Stdio};

use fermata_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Body, Context, Diagnostics, Dialect, DialectRegistry};
use fermata_xir::XirDialect;

/// The file without what is said to `FileCheck`.
fn text() -> String {
    let file = include_str!("../../../test/dialect/xir/operations.xir");
    file.lines().filter(|line| !line.starts_with("//")).map(|line| format!("{line}\n")).collect()
}

fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&XirDialect);
    Context::new(registry)
}

fn parse(context: &Context, text: &str) -> Body {
    let file = context.sources().add("test.xir", text).expect("a test's text is small");
    let mut diagnostics = Diagnostics::new();
    let body = parse_module(context, file, &ParseOptions::default(), &mut diagnostics);
    let body = body.unwrap_or_else(|| panic!("the text is refused: {diagnostics:#?}"));
    verify(context, &body, &VerifyOptions::default(), &mut diagnostics);
    assert!(!diagnostics.has_errors(), "the module does not verify: {diagnostics:#?}");
    body
}

fn print(context: &Context, body: &Body, generic: bool) -> String {
    print_module(context, body, &PrintOptions { generic, debug_info: false })
}

#[test]
fn custom_and_generic_forms_denote_the_same_module() {
    let context = context();
    let module = parse(&context, &text());
    assert_eq!(print(&context, &module, false), text());
    let generic = print(&context, &module, true);
    let again = parse(&context, &generic);
    assert_eq!(print(&context, &again, true), generic);
    assert_eq!(print(&context, &again, false), text());
}

#[test]
fn every_operation_is_in_the_text() {
    let text = text();
    let missing: Vec<&str> = XirDialect
        .operations()
        .iter()
        .map(|declaration| declaration.name)
        .filter(|name| !text.contains(&format!("{name} ")) && !text.contains(&format!("{name}\n")))
        .collect();
    assert!(missing.is_empty(), "no text of {missing:?}");
}

#[test]
fn mlir_reads_and_prints_the_generic_form_unchanged() {
    let prefix = std::env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".to_owned());
    let program = format!("{prefix}/bin/mlir-opt");
    if !std::path::Path::new(&program).exists() {
        eprintln!("there is no {program} to compare with");
        return;
    }
    let context = context();
    let generic = print(&context, &parse(&context, &text()), true);
    let mut child = Command::new(program)
        .args(["--allow-unregistered-dialect", "--mlir-print-op-generic"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program is there");
    child.stdin.take().expect("it is piped").write_all(generic.as_bytes()).expect("the program reads its input");
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), generic.trim_end());
}
