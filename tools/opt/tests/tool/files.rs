//! What is read and written.

use std::fs;

use crate::support::{TWO, call, call_bytes, holds};

#[test]
fn files_that_cannot_be_read_or_written_are_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.xir");
    let output = call(&[missing.to_str().unwrap()], "");
    let expected = format!("t-opt: error: cannot open input file '{}': No such file or directory\n", missing.display());
    assert_eq!((output.status, output.stderr), (1, expected));
    let output = call(&[folder.path().to_str().unwrap()], "");
    assert_eq!(output.status, 1);
    let target = folder.path().join("no/out");
    let output = call(&["-o", target.to_str().unwrap()], TWO);
    let expected = format!("t-opt: error: cannot open output file '{}': No such file or directory\n", target.display());
    assert_eq!((output.status, &*output.stdout, output.stderr), (1, "", expected));
}

#[test]
fn a_failure_leaves_the_output_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.xir");
    let file = path.to_str().unwrap();
    assert_eq!(call(&["-o", file], TWO).status, 0);
    let good = fs::read_to_string(&path).unwrap();
    assert_eq!(good, call(&[], TWO).stdout);
    assert_eq!(call(&["-o", file, "--mark=fail=m"], TWO).status, 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), good);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no scratch file is left");
}

#[test]
fn what_is_no_text_is_refused_at_its_place() {
    let output = call_bytes(&[], b"module {\n  \"a\xff\"() : () -> ()\n}");
    assert_eq!((output.status, &*output.stdout), (1, ""));
    holds(&output.stderr, &["<stdin>:2:5: error: the file is not UTF-8 text: byte 0xFF at offset 13"]);
    let output = call_bytes(&[], b"\x7fELF\0\0\xfe\xff rest");
    assert_eq!((output.status, &*output.stdout), (1, ""));
    holds(&output.stderr, &["the file is not UTF-8 text: byte 0xFE at offset 6"]);
    assert_eq!(call_bytes(&[], b"\xff").status, 1);
    assert_eq!(call_bytes(&[], b"").stdout, "module {\n}\n");
}

#[test]
fn parts_are_handled_one_by_one() {
    let three = "module @a {\n}\n// -----\nmodule @b {\n  oops\n}\n// -----\nmodule @c {\n}\n";
    let output = call(&["--split-input-file"], three);
    assert_eq!(output.status, 1);
    assert_eq!(output.stdout, "module @a {\n}\n// -----\n// -----\nmodule @c {\n}\n");
    // The line is that of the file.
    holds(&output.stderr, &["<stdin>:5:3"]);
    let marked = three.replace("// -----", "//-//");
    let output = call(&["--split-input-file=//-//", "--output-split-marker=#"], &marked);
    assert_eq!(output.stdout, "module @a {\n}\n#\n#\nmodule @c {\n}\n");
    assert_eq!(call(&[], three).stdout, "");
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |depth: usize| format!("{}{}", "module {\n".repeat(depth), "}\n".repeat(depth));
    let output = call(&[], &deep(100_000));
    assert_eq!((output.status, &*output.stdout), (1, ""));
    assert_eq!(call(&["--max-region-nesting=20"], &deep(30)).status, 1);
    assert_eq!(call(&["--max-region-nesting=50"], &deep(30)).status, 0);
    let wrong = call(&["--max-nesting=1001"], "");
    assert_eq!(wrong.status, 2);
    holds(&wrong.stderr, &["expected a number from 1 to 1000"]);
    let deepest = call(&["--verify-roundtrip", "--canonicalize"], &deep(1000));
    assert_eq!((deepest.status, &*deepest.stderr), (0, ""));
    assert!(!deepest.stdout.contains("<<"), "nothing is too deep to be printed");
}
