//! Operations on vectors and matrices: the scalar operations that they stand for give the same bits, and constants fold to
//! them.

mod support;

use fermata_ir::passes::canonicalize::Canonicalize;
use fermata_ir::{Body, Context};
use fermata_xir::expand_operations;
use fermata_xir::semantics::Elementary;
use support::evaluate::{Arguments, call};
use support::{context, function, parse, print, run};

/// Expands all operations of a function that can be.
fn expand(context: &Context, module: &mut Body) {
    let anchor = module.ops_inside(module.root()).into_iter().find(|&op| module.nested(op).is_some());
    let body = module.nested_mut(anchor.expect("there is a function")).expect("it has a body");
    assert_eq!(expand_operations(context, body, |_| true), 1);
}

fn check(signature: &str, operation: &str, result: &str) {
    let context = context();
    let text = format!(
        "module {{\n  xir.callable @f{signature} -> {result} {{\n    %0 = {operation}\n    xir.return %0 : {result}\n  }}\n}}\n"
    );
    let before = parse(&context, &text);
    let mut after = before.clone();
    expand(&context, &mut after);
    run(&context, &mut after, Canonicalize::default());
    let expanded = print(&context, &after);
    let name = operation.split_whitespace().next().expect("the operation has a name");
    assert!(!expanded.contains(name), "{name} is still there:\n{expanded}");
    assert!(!operation.contains("fastmath") || expanded.contains("fastmath"), "the flags are lost:\n{expanded}");
    let (before, after) = (function(&context, &before, "f"), function(&context, &after, "f"));
    let block = before.body.entry_block(before.regions()[0]).expect("it has a body");
    let mut source = Arguments::new();
    for _ in 0..if expanded.len() > 4000 { 50 } else { 300 } {
        let types = before.body.arguments(block).iter().map(|&value| before.body.value_type(value));
        let arguments: Vec<_> = types.map(|ty| source.of_type(&context, ty)).collect();
        let (expected, ty) = call(before, &arguments);
        let (result, _) = call(after, &arguments);
        assert_eq!(
            result.with_one_nan(&context, ty),
            expected.with_one_nan(&context, ty),
            "{arguments:x?} in\n{expanded}"
        );
    }
}

#[test]
fn expansions_give_the_same_bits() {
    for (scalar, lanes) in [("f16", 2), ("f32", 3), ("f64", 4)] {
        let vector = &format!("vector<{lanes}x{scalar}>");
        let matrix = &format!("!xir.matrix<{scalar}, {lanes}>");
        let vectors = &format!("(%arg0: {vector}, %arg1: {vector})");
        check(vectors, &format!("xir.dot %arg0, %arg1 {{fastmath = #xir.fastmath<contract>}} : {vector}"), scalar);
        check(vectors, &format!("xir.distance %arg0, %arg1 : {vector}"), scalar);
        check(vectors, &format!("xir.length %arg0 : {vector}"), scalar);
        check(vectors, &format!("xir.normalize %arg0 : {vector}"), vector);
        check(
            &format!("(%arg0: {matrix}, %arg1: {matrix})"),
            &format!("xir.matmul %arg0, %arg1 : {matrix}, {matrix}"),
            matrix,
        );
        check(
            &format!("(%arg0: {matrix}, %arg1: {vector})"),
            &format!("xir.matmul %arg0, %arg1 : {matrix}, {vector}"),
            vector,
        );
        check(
            &format!("(%arg0: {vector}, %arg1: {matrix})"),
            &format!("xir.matmul %arg0, %arg1 : {vector}, {matrix}"),
            vector,
        );
        check(
            &format!("(%arg0: {matrix}, %arg1: {scalar})"),
            &format!("xir.matrix_scale %arg0, %arg1 : {matrix}"),
            matrix,
        );
        check(&format!("(%arg0: {matrix})"), &format!("xir.transpose %arg0 : {matrix}"), matrix);
        check(&format!("(%arg0: {matrix})"), &format!("xir.determinant %arg0 : {matrix}"), scalar);
        check(&format!("(%arg0: {matrix})"), &format!("xir.inverse %arg0 : {matrix}"), matrix);
    }
    let vector = "vector<3xf32>";
    check(&format!("(%arg0: {vector}, %arg1: {vector})"), &format!("xir.cross %arg0, %arg1 : {vector}"), vector);
}

#[test]
fn elementary_functions_are_the_operations_that_they_consist_of() {
    for function in Elementary::ALL {
        // The dialect's reciprocal square root is two operations.
        if *function == Elementary::Rsqrt {
            continue;
        }
        for ty in ["f32", "f64", "f16", "vector<2xf32>"] {
            let (signature, operands) = match function.operand_count() {
                1 => (format!("(%arg0: {ty})"), "%arg0"),
                _ => (format!("(%arg0: {ty}, %arg1: {ty})"), "%arg0, %arg1"),
            };
            check(&signature, &format!("xir.{} {operands} : {ty}", function.name()), ty);
        }
    }
}

#[test]
fn constants_fold() {
    let context = context();
    let mut module = parse(
        &context,
        "module {
  xir.callable @f() -> vector<2xf32> {
    %0 = xir.constant #xir.aggregate<!xir.matrix<f32, 2>, [dense<[1.0, 2.0]> : vector<2xf32>, dense<[3.0, 4.0]> : vector<2xf32>]>
    %1 = xir.constant dense<[3.0, 4.0]> : vector<2xf32>
    %2 = xir.inverse %0 : !xir.matrix<f32, 2>
    %3 = xir.matmul %2, %1 : !xir.matrix<f32, 2>, vector<2xf32>
    %4 = xir.normalize %1 : vector<2xf32>
    %5 = xir.length %1 : vector<2xf32>
    %6 = xir.splat %5 : vector<2xf32>
    %7 = xir.mulf %4, %6 : vector<2xf32>
    %8 = xir.addf %3, %7 : vector<2xf32>
    xir.return %8 : vector<2xf32>
  }
}
",
    );
    run(&context, &mut module, Canonicalize::default());
    // The inverse of (1 3; 2 4) is (-2 1.5; 1 -0.5); times (3, 4) is (0, 1); plus (3, 4).
    assert_eq!(
        print(&context, &module),
        "module {
  xir.callable @f() -> vector<2xf32> {
    %0 = xir.constant dense<[3.000000e+00, 5.000000e+00]> : vector<2xf32>
    xir.return %0 : vector<2xf32>
  }
}
"
    );
}
