//! IR shown between passes.

use std::fs;
use std::path::Path;

use crate::support::{TWO, call, holds};

const NESTED: &str = "--pass-pipeline=builtin.module(t.func(mark{value=1 skip=b},mark{value=1}),dce)";

#[test]
fn ir_is_shown_before_and_after_passes() {
    let output = call(&[NESTED, "--print-ir-before=dce", "--print-ir-after=mark"], TWO);
    assert_eq!(output.status, 0, "{}", output.stderr);
    let headers: Vec<&str> = output.stderr.lines().filter(|line| line.starts_with("// -----//")).collect();
    let after = "// -----// IR Dump After mark //----- //";
    assert_eq!(headers, [after, after, after, after, "// -----// IR Dump Before dce //----- //"]);
    let all = call(&[NESTED, "--mlir-print-ir-before-all", "--mlir-print-ir-after-all"], TWO);
    assert_eq!(all.stderr.matches("// -----// IR Dump Before").count(), 5);
    assert_eq!(all.stderr.matches("// -----// IR Dump After").count(), 5);
    assert!(!all.stdout.contains("IR Dump"));
    // The number of threads does not show.
    assert_eq!(call(&[NESTED, "--print-ir-before", "--print-ir-after", "-j1"], TWO), all);
    assert_eq!(call(&[NESTED, "--print-ir-before", "--print-ir-after", "-j8"], TWO), all);
}

#[test]
fn ir_is_shown_after_changes_only() {
    // The second `mark` sets what is already there on `a`; `dce` changes nothing.
    let output = call(&[NESTED, "--print-ir-after-change"], TWO);
    let dumps: Vec<&str> = output.stderr.split("// -----// IR Dump After mark //----- //\n").skip(1).collect();
    assert_eq!(dumps.len(), 2);
    holds(dumps[0], &["sym_name = \"a\"", "t.mark = \"1\""]);
    holds(dumps[1], &["sym_name = \"b\"", "t.mark = \"1\""]);
}

#[test]
fn ir_is_shown_after_failures_only() {
    let fails = "--pass-pipeline=builtin.module(t.func(mark{fail=b}))";
    for options in [["--print-ir-after-failure", "-"], ["--print-ir-after-failure", "--mlir-print-ir-after-all"]] {
        let output = call(&[&[fails], &options[..]].concat(), TWO);
        assert_eq!(output.status, 1);
        assert_eq!(output.stderr.matches("IR Dump").count(), 1);
        holds(
            &output.stderr,
            &["// -----// IR Dump After mark Failed //----- //\n", "sym_name = \"b\"", "'b' is refused"],
        );
    }
    // What breaks the IR fails too, and the broken IR is shown.
    let output = call(&["--mark=corrupt=m", "--print-ir-after-failure"], TWO);
    holds(&output.stderr, &["IR Dump After mark Failed", "found after the pass 'mark'"]);
}

#[test]
fn the_whole_module_is_shown_in_module_scope() {
    let output = call(&[NESTED, "--print-ir-after=mark", "--print-ir-module-scope", "-j8"], TWO);
    assert_eq!(output.status, 0, "{}", output.stderr);
    let parts = [
        "// -----// IR Dump After mark ('t.func' operation: @a) //----- //\nmodule @m",
        "t.mark",
        "sym_name = \"b\"",
        "// -----// IR Dump After mark ('t.func' operation: @a) //----- //\nmodule @m",
        "// -----// IR Dump After mark ('t.func' operation: @b) //----- //\nmodule @m",
        "// -----// IR Dump After mark ('t.func' operation: @b) //----- //\nmodule @m",
    ];
    holds(&output.stderr, &parts);
}

#[test]
fn ir_is_written_to_a_tree_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let tree = format!("--print-ir-tree-dir={}", folder.path().display());
    let input = TWO.replace("\"b\"", "\"../x y\"");
    let output = call(&[NESTED, "--print-ir-after-all", "--print-ir-before=dce", &tree], &input);
    assert_eq!((output.status, &*output.stderr), (0, ""));
    let mut found = Vec::new();
    list(folder.path(), folder.path(), &mut found);
    let expected = [
        "builtin_module_m/1_dce-before.xir",
        "builtin_module_m/1_dce.xir",
        "builtin_module_m/t_func____x_y_1/0_0_mark.xir",
        "builtin_module_m/t_func____x_y_1/0_1_mark.xir",
        "builtin_module_m/t_func_a/0_0_mark.xir",
        "builtin_module_m/t_func_a/0_1_mark.xir",
    ];
    assert_eq!(found, expected);
    holds(&fs::read_to_string(folder.path().join(expected[4])).unwrap(), &["IR Dump After mark", "sym_name = \"a\""]);
    let nowhere = call(&[NESTED, "--print-ir-after=dce", "--print-ir-tree-dir=/dev/null/x"], TWO);
    assert_eq!(nowhere.status, 0);
    holds(&nowhere.stderr, &["cannot write '/dev/null/x/builtin_module_m/1_dce.xir'"]);
}

fn list(root: &Path, folder: &Path, found: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            list(root, &path, found);
        } else {
            found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
        }
    }
}
