//! The generic form: what `mlir-opt` 19 prints is read and printed back byte for byte.

use std::io::Write;
use std::process::{Command, Stdio};

use fermata_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use fermata_ir::{Context, Diagnostics, DialectRegistry};

fn reprint(text: &str) -> Result<String, Diagnostics> {
    let context = Context::new(DialectRegistry::new());
    let file = context.sources().add("test.mlir", text).expect("a test's text is small");
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let mut diagnostics = Diagnostics::new();
    match parse_module(&context, file, &options, &mut diagnostics) {
        Some(body) => Ok(print_module(&context, &body, &PrintOptions { generic: true, debug_info: false })),
        None => Err(diagnostics),
    }
}

/// What `mlir-opt` prints for a text; nothing if the tool is not there.
fn mlir_opt(text: &str) -> Option<String> {
    let mut child = Command::new("/usr/lib/llvm-19/bin/mlir-opt")
        .args(["--allow-unregistered-dialect", "--mlir-print-op-generic", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    assert!(output.status.success(), "mlir-opt refuses the sample: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).ok()
}

const GOLDEN: &str = r#""builtin.module"() <{sym_name = "shaders"}> ({
  "coro.func"() <{function_type = (i32, !coro.token<"shade", 2>) -> i32, sym_name = "shade"}> ({
  ^bb0(%arg0: i32, %arg1: !coro.token<"shade", 2>):
    %0 = "xir.const"() <{value = 7 : i32}> : () -> i32
    %1:2 = "xir.pair"(%0, %arg0) : (i32, i32) -> (i32, !coro.frame<i32, 4 x f32>)
    %2 = "xir.cmp"(%1#0, %0) <{predicate = #xir.pred<slt>}> : (i32, i32) -> i1
    "xir.cond_br"(%2, %0, %1#0)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i1, i32, i32) -> ()
  ^bb1(%3: i32):  // pred: ^bb0
    "coro.suspend"(%1#1)[^bb2] <{bindings = ["hit", "ray"], token = @shade::@s0}> {cold, coro.ext = #coro.ext<"luisa.coro.sort", 1, {key = 0 : i32}>} : (!coro.frame<i32, 4 x f32>) -> ()
  ^bb2(%4: i32):  // 2 preds: ^bb0, ^bb1
    "ast.scope"() ({
      %5 = "xir.add"(%4, %0) : (i32, i32) -> i32
      "ast.yield"(%5) : (i32) -> ()
    }) : () -> ()
    "coro.return"(%4) : (i32) -> ()
  }) {coro.noinline, note = "a\0Ab\22c"} : () -> ()
}) : () -> ()

"#;

#[test]
fn the_golden_sample_comes_back_unchanged() {
    assert_eq!(reprint(GOLDEN).as_deref(), Ok(GOLDEN));
}

/// Several operations with regions, some with several and with regions nested in them.
const SIBLINGS: &str = r#"
    "t.a"() ({ ^bb0(%c: i32): %1 = "t.y"(%c) : (i32) -> i32
        "t.n"() ({ ^bb0(%d: i32): %2 = "t.y"(%d) : (i32) -> i32 }) : () -> () }) : () -> ()
    "t.b"() ({ ^bb0(%c: i32): %1 = "t.y"(%c) : (i32) -> i32 }) : () -> ()
    "t.c"() ({ ^bb0(%c: i32): %1 = "t.y"(%c) : (i32) -> i32 },
             { ^bb0(%c: i32): %1 = "t.y"(%c) : (i32) -> i32
               "t.n"() ({ ^bb0(%d: i32): %2 = "t.y"(%d) : (i32) -> i32 }) : () -> () },
             { ^bb0(%c: i32): %1 = "t.y"(%c) : (i32) -> i32 }) : () -> ()
    "t.d"() ({ ^bb0(%c: i32): %1 = "t.y"(%c) : (i32) -> i32 }) : () -> ()
"#;

const SAMPLES: &[&str] = &[
    SIBLINGS,
    "",
    GOLDEN,
    r#""t.a"() : () -> ()"#,
    r#"%0 = "t.a"() : () -> i32  %x:3 = "t.b"(%0) : (i32) -> (i1, f32, (i8) -> i8) "t.c"(%x#2, %x#0, %0) : ((i8) -> i8, i1, i32) -> ()"#,
    r#""t.types"() {a = i1, b = si8, c = ui64, d = index, e = none, f = f16, g = bf16, h = complex<f32>, i = tuple<i32, tuple<>>, j = vector<4x[8]xf32>, k = tensor<*xf32>, l = tensor<4x?x8xi8>, m = memref<2x?xf32>, n = memref<*xf32, 3>, o = () -> (), p = (i32, f32) -> (i32, f32), q = (i32) -> ((i32) -> i32), r = tensor<i32>, s = f8E5M2, t = f80, u = vector<0x4xi32, 1> , v = i16777215} : () -> ()"#,
    r#""t.attrs"() {a, b = 5, c = -5 : i8, d = 255 : i8, e = true, f = 1.5, g = 0.1 : f32, h = 0x7F800000 : f32, i = "s\n\t\22\\", j = [1, 2.0, "x", [true, 3 : i32]], k = {z = 1, y = {}}, l = @f, m = @f::@"g h", n = i32, o = array<i32: 1, -2>, p = array<i1: true>, q = array<f32: 1.0, 2.5>, r = array<i8>, s = dense<1> : tensor<4xi32>, t = dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>, v = #d.x, w = #d.y<a, "b">, x = #d.z<1> : i32, y = "s" : !d.t, z = 5 : index} : () -> ()"#,
    r#""t.r"() ({}) : () -> () "t.r"() ({ ^bb0: }) : () -> () "t.r"() ({ "t.x"() : () -> () }, { ^a(%b: i32): "t.y"(%b) : (i32) -> () }) : () -> ()"#,
    r#""t.r"() ({ "t.br"()[^b, ^c] : () -> () ^c: "t.br"()[^c] : () -> () ^d: "t.end"() : () -> () ^b: "t.br"()[^c] : () -> () }) : () -> ()"#,
    r#"!alias = i32 #attr = 5 : i32 "t.a"() {a = #attr, "b c" = !alias} : () -> !d<weird - name>"#,
    r#""t.region"() ({ ^bb0(%a: i32): %0 = "t.x"(%a) : (i32) -> i32 "t.inner"() ({ ^bb0(%c: i32): %1 = "t.y"(%0, %c) : (i32, i32) -> i32 }, { ^bb0(%e: f32): %2 = "t.z"(%e) : (f32) -> i32 }) : () -> () %3 = "t.w"() : () -> i32 }) : () -> ()"#,
    r#""t.fwd"() ({ "t.br"()[^bb2] : () -> () ^bb1: "t.use"(%v) : (i32) -> () ^bb2: %v = "t.def"() : () -> i32 "t.br"()[^bb1] : () -> () }) : () -> ()"#,
];

#[test]
fn samples_print_as_mlir_opt_prints_them() {
    for sample in SAMPLES {
        // A vector has no dimension of size 0, in MLIR neither.
        let sample = &sample.replace("u = vector<0x4xi32, 1> , ", "");
        let Some(expected) = mlir_opt(sample) else {
            eprintln!("mlir-opt is not installed: nothing to compare with");
            return;
        };
        assert_eq!(reprint(sample).as_deref(), Ok(&*expected), "{sample}");
        assert_eq!(reprint(&expected).as_deref(), Ok(&*expected), "{sample}");
    }
}

#[test]
fn an_empty_module_has_no_label_in_its_custom_form() {
    let context = Context::new(DialectRegistry::new());
    let file = context.sources().add("test.mlir", "module @a {}").expect("a test's text is small");
    let body = parse_module(&context, file, &ParseOptions::default(), &mut Diagnostics::new());
    let body = body.expect("an empty module is read");
    assert_eq!(print_module(&context, &body, &PrintOptions::default()), "module @a {\n}\n");
}
