//! Which calls are right, and what is said about those that are not.

use crate::support::{TWO, call, holds};

#[track_caller]
fn wrong_call(arguments: &[&str], messages: &[&str]) {
    let output = call(arguments, TWO);
    assert_eq!((output.status, &*output.stdout), (2, ""), "{}", output.stderr);
    holds(&output.stderr, messages);
}

#[test]
fn options_have_one_dash_or_two_and_the_names_of_mlir() {
    let expected = call(&["--print-op-generic"], TWO);
    assert_eq!(expected.status, 0, "{}", expected.stderr);
    assert!(expected.stdout.starts_with("\"builtin.module\"() <{sym_name = \"m\"}> ({\n"));
    for arguments in [
        ["-print-op-generic", "-"],
        ["--mlir-print-op-generic", "-"],
        ["-mlir-print-op-generic=true", "-"],
        ["-print-op-generic=1", "--mlir-disable-threading"],
        ["-o-", "--print-op-generic"],
    ] {
        assert_eq!(call(&arguments, TWO), expected, "{arguments:?}");
    }
    assert_ne!(call(&["--print-op-generic=0"], TWO).stdout, expected.stdout);
    // The last one counts.
    assert_ne!(call(&["--print-op-generic", "--print-op-generic=false"], TWO).stdout, expected.stdout);
}

#[test]
fn passes_are_options_in_their_order() {
    let output = call(&["--mark=value=x", "--dce", "-mark=value=y skip=m", "--dump-pass-pipeline", "--mark"], TWO);
    assert_eq!(output.status, 0);
    let mark = |value: &str, skip: &str| {
        format!("mark{{corrupt=\"\" fail=\"\" panic=\"\" skip={skip} value={value} warn=\"\"}}")
    };
    let empty = "\"\"";
    let (first, second, third) = (mark("x", empty), mark("y", "m"), mark(empty, empty));
    let pipeline = format!("builtin.module({first},dce,{second},{third})");
    assert_eq!(output.stderr, format!("Pass Manager with 4 passes:\n{pipeline}\n\n"));
    // The printed pipeline is one that is read.
    let again = call(&["--pass-pipeline", &pipeline, "--dump-pass-pipeline"], TWO);
    assert_eq!(again, output);
}

#[test]
fn wrong_calls_end_with_status_2() {
    wrong_call(&["--mrak"], &["--mrak", "--mark"]);
    wrong_call(&["-mrak=value=x"], &["--mrak", "--mark"]);
    wrong_call(&["--mark=valeu=x"], &["'mark' has no option 'valeu'", "did you mean 'value'?"]);
    wrong_call(&["--emit=nothing"], &["nothing", "possible values", "xir"]);
    wrong_call(&["--verify-each=perhaps"], &["perhaps", "expected true, false, 1 or 0"]);
    wrong_call(&["-j", "x"], &["invalid value 'x'"]);
    wrong_call(&["a", "b"], &["unexpected argument 'b'"]);
    wrong_call(&["--print-ir-after=dc"], &["there is no pass 'dc' to print IR at; did you mean 'dce'?"]);
    let both = "'--pass-pipeline' option can't be used with individual pass options";
    wrong_call(&["--pass-pipeline=any(dce)", "--dce"], &[both]);
    wrong_call(&["--run-reproducer", "--dce"], &["'--run-reproducer' can't be used with pass options"]);
    wrong_call(
        &["--pass-pipeline=builtin.module(dec)"],
        &["'dec' does not refer to a registered pass", "did you mean 'dce'?"],
    );
    wrong_call(&["--pass-pipeline=dce"], &["expected pass pipeline to be wrapped with the anchor operation type"]);
}

#[test]
fn lists_need_no_input() {
    let dialects = call(&["--show-dialects"], "");
    assert_eq!((dialects.status, &*dialects.stdout), (0, "Available Dialects: builtin,t\n"));
    let passes = call(&["--list-passes"], "");
    assert_eq!(passes.status, 0);
    holds(
        &passes.stdout,
        &["Passes:\n  canonicalize\n", "  dce\n", "  mark\n      Sets an attribute\n      value: its value (a text"],
    );
    let json = call(&["--list-passes=json"], "");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let names = json["passes"].as_array().unwrap().iter().map(|pass| pass["name"].as_str().unwrap());
    assert!(names.clone().any(|name| name == "mark") && names.is_sorted());
    let help = call(&["--help"], "");
    assert_eq!((help.status, &*help.stderr), (0, ""));
    holds(&help.stdout, &["Tests the driver", "--pass-pipeline", "--emit", "--mark"]);
}

#[test]
fn a_pipeline_for_another_operation_is_wrong_input() {
    let output = call(&["--pass-pipeline=t.func(mark)"], TWO);
    assert_eq!((output.status, &*output.stdout), (1, ""));
    holds(&output.stderr, &["can't run 't.func' pass manager on 'builtin.module' op"]);
    let function = "\"t.func\"() ({\n^bb0:\n}) : () -> ()";
    let output = call(&["--pass-pipeline=t.func(mark)", "--no-implicit-module"], function);
    assert_eq!(output.status, 0, "{}", output.stderr);
    // Passes given as options run on what stands at the top.
    let output = call(&["--mark", "--dump-pass-pipeline", "--no-implicit-module"], function);
    assert_eq!(output.status, 0, "{}", output.stderr);
    holds(&output.stderr, &["t.func(mark{"]);
}

#[test]
fn reports_are_json_if_asked_for() {
    let arguments = ["--mark", "--pass-statistics", "--timing", "--output-format=json", "-j2"];
    let output = call(&arguments, TWO);
    let mut values = serde_json::Deserializer::from_str(&output.stderr).into_iter::<serde_json::Value>();
    let statistics = values.next().unwrap().unwrap();
    assert_eq!(
        statistics,
        serde_json::json!([{ "pass": "mark", "depth": 0, "statistics": { "operations marked": 1 } }])
    );
    let timing = values.next().unwrap().unwrap();
    let names = timing["rows"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned());
    assert_eq!(names.collect::<Vec<_>>(), ["Parser", "mark", "(V) verifier", "Output"]);
    let text = call(&["--pass-pipeline=builtin.module(t.func(mark))", "--mlir-pass-statistics", "--mlir-timing"], TWO);
    holds(&text.stderr, &["... Pass statistics report ...", "mark\n", "(S) 2 operations marked"]);
    holds(
        &text.stderr,
        &["... Execution time report ...", "Total Execution Time:", "'t.func' Pipeline", "Rest", "Total"],
    );
}
