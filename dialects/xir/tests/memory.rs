//! Local memory becomes values.

mod support;

use fermata_ir::passes::canonicalize::Canonicalize;
use fermata_ir::passes::mem2reg::Mem2Reg;
use fermata_ir::passes::sroa::Sroa;
use support::{context, parse, print, run};

/// Takes local memory apart, makes values of it, and compares the text with what is expected.
fn check(before: &str, expected: &str) {
    let context = context();
    let mut module = parse(&context, before);
    run(&context, &mut module, Canonicalize::default());
    run(&context, &mut module, Sroa::default());
    run(&context, &mut module, Mem2Reg);
    run(&context, &mut module, Canonicalize::default());
    assert_eq!(print(&context, &module), expected);
}

#[test]
fn a_whole_value_becomes_a_block_argument() {
    check(
        "module {
  xir.callable @f(%arg0: f32, %arg1: i1) -> f32 {
    %0 = xir.alloca : !xir.ref<f32, local>
    xir.store %arg0, %0 : !xir.ref<f32, local>
    xir.cond_br %arg1, ^bb1, ^bb2
  ^bb1:
    %1 = xir.load %0 : !xir.ref<f32, local>
    %2 = xir.mulf %1, %1 : f32
    xir.store %2, %0 : !xir.ref<f32, local>
    xir.br ^bb2
  ^bb2:
    %3 = xir.load %0 : !xir.ref<f32, local>
    xir.return %3 : f32
  }
}
",
        "module {
  xir.callable @f(%arg0: f32, %arg1: i1) -> f32 {
    xir.cond_br %arg1, ^bb1, ^bb2(%arg0 : f32)
  ^bb1:  // pred: ^bb0
    %0 = xir.mulf %arg0, %arg0 : f32
    xir.br ^bb2(%0 : f32)
  ^bb2(%1: f32):  // 2 preds: ^bb0, ^bb1
    xir.return %1 : f32
  }
}
",
    );
}

#[test]
fn memory_that_was_not_written_reads_as_zero() {
    check(
        "module {
  xir.callable @f() -> !xir.struct<\"S\", [i32, vector<2xf32>]> {
    %0 = xir.alloca : !xir.ref<!xir.struct<\"S\", [i32, vector<2xf32>]>, local>
    %1 = xir.load %0 : !xir.ref<!xir.struct<\"S\", [i32, vector<2xf32>]>, local>
    xir.return %1 : !xir.struct<\"S\", [i32, vector<2xf32>]>
  }
}
",
        "module {
  xir.callable @f() -> !xir.struct<\"S\", [i32, vector<2xf32>]> {
    %0 = xir.constant #xir.zero<!xir.struct<\"S\", [i32, vector<2xf32>]>>
    xir.return %0 : !xir.struct<\"S\", [i32, vector<2xf32>]>
  }
}
",
    );
}

#[test]
fn parts_at_constant_indices_become_values() {
    // A member by two paths, an index that is only constant after folding, and a load of the whole.
    check(
        "module {
  xir.callable @f(%arg0: f32, %arg1: !xir.struct<\"S\", [i32, vector<2xf32>]>) -> !xir.struct<\"S\", [i32, vector<2xf32>]> {
    %0 = xir.alloca : !xir.ref<!xir.struct<\"S\", [i32, vector<2xf32>]>, local>
    %1 = xir.constant 9 : i32
    xir.store %arg1, %0 : !xir.ref<!xir.struct<\"S\", [i32, vector<2xf32>]>, local>
    %2 = xir.gep %0[1] : !xir.ref<!xir.struct<\"S\", [i32, vector<2xf32>]>, local>
    %3 = xir.gep %2[%1] : !xir.ref<vector<2xf32>, local>
    xir.store %arg0, %3 : !xir.ref<f32, local>
    %4 = xir.load %0 : !xir.ref<!xir.struct<\"S\", [i32, vector<2xf32>]>, local>
    xir.return %4 : !xir.struct<\"S\", [i32, vector<2xf32>]>
  }
}
",
        "module {
  xir.callable @f(%arg0: f32, %arg1: !xir.struct<\"S\", [i32, vector<2xf32>]>) -> !xir.struct<\"S\", [i32, vector<2xf32>]> {
    %0 = xir.extract %arg1[0] : !xir.struct<\"S\", [i32, vector<2xf32>]>
    %1 = xir.extract %arg1[1, 0] : !xir.struct<\"S\", [i32, vector<2xf32>]>
    %2 = xir.build %1, %arg0 : vector<2xf32>
    %3 = xir.build %0, %2 : !xir.struct<\"S\", [i32, vector<2xf32>]>
    xir.return %3 : !xir.struct<\"S\", [i32, vector<2xf32>]>
  }
}
",
    );
}

#[test]
fn memory_at_an_index_that_varies_stays() {
    let text = "module {
  xir.callable @f(%arg0: f32, %arg1: i32) -> f32 {
    %0 = xir.alloca : !xir.ref<!xir.array<f32, 4>, local>
    %1 = xir.gep %0[%arg1] : !xir.ref<!xir.array<f32, 4>, local>
    %2 = xir.gep %0[2] : !xir.ref<!xir.array<f32, 4>, local>
    xir.store %arg0, %1 : !xir.ref<f32, local>
    %3 = xir.load %2 : !xir.ref<f32, local>
    xir.return %3 : f32
  }
}
";
    check(text, text);
}

#[test]
fn memory_that_a_call_is_given_stays() {
    let text = "module {
  xir.external @g(!xir.ref<f32, local>)
  xir.callable @f(%arg0: f32) -> f32 {
    %0 = xir.alloca : !xir.ref<f32, local>
    xir.store %arg0, %0 : !xir.ref<f32, local>
    xir.call @g(%0) : (!xir.ref<f32, local>) -> ()
    %1 = xir.load %0 : !xir.ref<f32, local>
    xir.return %1 : f32
  }
}
";
    check(text, text);
}

#[test]
fn shared_memory_stays() {
    let text = "module {
  xir.kernel @f(%arg0: i32) {
    %0 = xir.alloca : !xir.ref<i32, shared>
    xir.store %arg0, %0 : !xir.ref<i32, shared>
    xir.barrier
    %1 = xir.load %0 : !xir.ref<i32, shared>
    xir.print \"{}\", %1 : i32
    xir.return
  }
}
";
    check(text, text);
}

#[test]
fn a_variable_of_a_loop() {
    check(
        "module {
  xir.callable @f(%arg0: i32) -> i32 {
    %0 = xir.alloca : !xir.ref<vector<2xi32>, local>
    %1 = xir.constant 0 : i32
    %2 = xir.constant 1 : i32
    %3 = xir.gep %0[0] : !xir.ref<vector<2xi32>, local>
    %4 = xir.gep %0[1] : !xir.ref<vector<2xi32>, local>
    xir.store %1, %3 : !xir.ref<i32, local>
    xir.store %1, %4 : !xir.ref<i32, local>
    xir.br ^bb1
  ^bb1:
    %5 = xir.load %3 : !xir.ref<i32, local>
    %6 = xir.load %4 : !xir.ref<i32, local>
    %7 = xir.addi %6, %5 : i32
    xir.store %7, %4 : !xir.ref<i32, local>
    %8 = xir.addi %5, %2 : i32
    xir.store %8, %3 : !xir.ref<i32, local>
    %9 = xir.cmpi slt, %8, %arg0 : i32
    xir.cond_br %9, ^bb1, ^bb2
  ^bb2:
    %10 = xir.load %4 : !xir.ref<i32, local>
    xir.return %10 : i32
  }
}
",
        "module {
  xir.callable @f(%arg0: i32) -> i32 {
    %0 = xir.constant 0 : i32
    %1 = xir.constant 1 : i32
    xir.br ^bb1(%0 : i32, %0 : i32)
  ^bb1(%2: i32, %3: i32):  // 2 preds: ^bb0, ^bb1
    %4 = xir.addi %3, %2 : i32
    %5 = xir.addi %2, %1 : i32
    %6 = xir.cmpi slt, %5, %arg0 : i32
    xir.cond_br %6, ^bb1(%5 : i32, %4 : i32), ^bb2
  ^bb2:  // pred: ^bb1
    xir.return %4 : i32
  }
}
",
    );
}
