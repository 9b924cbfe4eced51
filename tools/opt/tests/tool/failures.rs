//! What a failure leaves: diagnostics, no output, a reproducer that fails again.

use std::fs;

use crate::support::{TWO, call, holds};

#[test]
fn a_refused_module_has_no_output() {
    let output = call(&["--pass-pipeline=builtin.module(t.func(mark{fail=b}))"], TWO);
    assert_eq!((output.status, &*output.stdout), (1, ""));
    holds(&output.stderr, &["<stdin>:5:3", "'b' is refused"]);
    let output = call(&["--pass-pipeline=builtin.module(t.func(mark{warn=b}))"], TWO);
    assert_eq!(output.status, 0);
    holds(&output.stderr, &["'b' is odd"]);
    holds(&output.stdout, &["t.mark", "t.mark"]);
    let output = call(&[], "module {");
    assert_eq!((output.status, &*output.stdout), (1, ""));
}

#[test]
fn a_pass_that_breaks_the_ir_or_itself_fails() {
    let output = call(&["--mark=corrupt=m"], TWO);
    assert_eq!((output.status, &*output.stdout), (1, ""));
    holds(&output.stderr, &["found after the pass 'mark'"]);
    let output = call(&["--mark=panic=m"], TWO);
    assert_eq!((output.status, &*output.stdout), (1, ""));
    holds(&output.stderr, &["the pass 'mark' broke down: out of luck with m"]);
    // Without the verifier what is invalid is printed in the generic form.
    let output = call(&["--mark=corrupt=m", "--verify-each=0"], TWO);
    assert_eq!(output.status, 0);
    assert!(output.stdout.starts_with("\"builtin.module\"() <{sym_name}> ({\n"), "{}", output.stdout);
}

#[test]
fn reproducers_fail_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reproducer.xir");
    let file = path.to_str().unwrap();
    let pipeline = "--pass-pipeline=builtin.module(dce,t.func(mark{value='x \" y'},mark{panic=b}))";
    let reproducer = format!("--crash-reproducer={file}");
    for (local, arguments) in [(false, vec![]), (true, vec!["--local-reproducer"])] {
        let output = call(&[&[pipeline, &*reproducer], &*arguments].concat(), TWO);
        assert_eq!((output.status, &*output.stdout), (1, ""));
        holds(&output.stderr, &["the pass 'mark' broke down: out of luck with b"]);
        assert_eq!(output.stderr.matches("reproducer written to").count(), 1);
        let text = fs::read_to_string(&path).unwrap();
        holds(&text, &["module @m", "external_resources: {", "mlir_reproducer: {", "pipeline: \"builtin.module("]);
        assert_eq!(text.matches("mark{").count(), if local { 1 } else { 2 }, "{text}");
        assert_eq!(text.contains("t.mark"), local, "the module is that before the pass that failed");
        let again = call(&[file, "--run-reproducer"], "");
        assert_eq!((again.status, &*again.stdout), (1, ""));
        holds(&again.stderr, &["the pass 'mark' broke down: out of luck with b"]);
    }
}

#[test]
fn a_reproducer_can_be_asked_for_without_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reproducer.xir");
    let generate = format!("--mlir-generate-reproducer={}", path.display());
    let output = call(&["--mark=value=x", "-verify-each=0", "-mlir-disable-threading", &generate], TWO);
    assert_eq!(output.status, 0, "{}", output.stderr);
    holds(&fs::read_to_string(&path).unwrap(), &["disable_threading: true", "verify_each: false"]);
    assert_eq!(call(&["--run-reproducer", path.to_str().unwrap()], "").stdout, output.stdout);
}

#[test]
fn reproducers_with_mistakes_are_refused() {
    let refused = |metadata: &str, message: &str| {
        let output = call(&["--run-reproducer"], &format!("module {{}}\n{metadata}\n"));
        assert_eq!((output.status, &*output.stdout), (1, ""), "{metadata}");
        holds(&output.stderr, &[message]);
    };
    refused("", "the file holds no reproducer");
    refused("{-# external_resources: { other: { a: {b: \"}\"}, c: 1 } } #-}", "the file holds no reproducer");
    refused("{-# foo: {} #-}", "unknown key 'foo' in the file's metadata");
    let reproducer = |inside: &str| format!("{{-#\nexternal_resources: {{ mlir_reproducer: {{ {inside} }} }}\n#-}}");
    refused(&reproducer(""), "a reproducer names no pipeline");
    refused(&reproducer("pipeline: \"any()\", colour: 1"), "unknown key 'colour' of a reproducer");
    refused(&reproducer("pipeline: 3"), "expected '\"'");
    refused(&reproducer("pipeline: \"any(\\q)\""), "a string holds an escape that is none");
    refused(&reproducer("pipeline: \"any"), "a string is never closed");
    refused(&reproducer("verify_each: 2"), "expected true or false, found '2'");
    refused(&reproducer("pipeline \"any()\""), "expected ':'");
    refused(&reproducer("pipeline: \"any(\\64ec)\""), "did you mean 'dce'?");
    let good = reproducer("pipeline: \"any(\\64\\63e)\", // yes\n verify_each: false");
    assert_eq!(call(&["--run-reproducer"], &format!("module {{}}\n{good}")).status, 0);
}

#[test]
fn round_trips_are_checked() {
    let output = call(&["--verify-roundtrip", "--mark=value=x"], TWO);
    assert_eq!(output.status, 0, "{}", output.stderr);
    holds(&output.stdout, &["t.mark = \"x\""]);
}
