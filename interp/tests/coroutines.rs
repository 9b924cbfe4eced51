//! Coroutines at every level: each stage of the pipeline computes what the coroutine itself does.

use fermata_coro::CoroDialect;
use fermata_interp::{Argument, BufferMemory, Machine, Options, Resume};
use fermata_ir::pass::{Pass, PassManager, PassPipeline, RunOptions, run_pass};
use fermata_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Body, Context, Diagnostics, DialectRegistry, Type};
use fermata_passes::{CoroAnalyze, CoroColorFrame, CoroEraseSuspends, CoroMaterialize, CoroPipeline, CoroSplit};
use fermata_xir::XirDialect;

fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&XirDialect).register(&CoroDialect);
    Context::new(registry)
}

fn checked(context: &Context, module: &Body, stage: &str) {
    let mut diagnostics = Diagnostics::new();
    verify(context, module, &VerifyOptions::default(), &mut diagnostics);
    let text = print_module(context, module, &PrintOptions::default());
    assert!(!diagnostics.has_errors(), "{stage}: {diagnostics:#?}\n{text}");
}

fn parse(context: &Context, text: &str) -> Body {
    let file = context.sources().add("test.xir", text).expect("a test's text is small");
    let mut diagnostics = Diagnostics::new();
    let module = parse_module(context, file, &ParseOptions::default(), &mut diagnostics);
    let module = module.unwrap_or_else(|| panic!("the text is refused: {diagnostics:#?}"));
    checked(context, &module, "parsed");
    module
}

/// Runs the coroutine `f` of a module on one buffer of `i32`, and gives the buffer.
fn run(context: &Context, module: &Body, count: usize, points: u32, resume: Resume) -> Vec<i32> {
    let element = Type::integer(context, 32);
    let buffer = BufferMemory::new(context, element, vec![0; count * 4]).expect("an i32 has a layout");
    let machine = Machine::new(context, module, Options { resume, ..Options::default() });
    let report = machine.run("f", [points, 1, 1], vec![Argument::Buffer(buffer)]);
    let report = report.unwrap_or_else(|error| {
        let text = print_module(context, module, &PrintOptions::default());
        panic!("{error}\n{text}")
    });
    let text = || print_module(context, module, &PrintOptions::default());
    assert!(report.findings.is_empty(), "{:?}\n{}", report.findings, text());
    report.buffers[0]
        .bytes()
        .chunks_exact(4)
        .map(|bytes| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        .collect()
}

fn apply(context: &Context, module: &mut Body, mut pass: Box<dyn Pass>) {
    let name = pass.name();
    let mut diagnostics = Diagnostics::new();
    let result = run_pass(&mut *pass, context, module, &mut diagnostics);
    assert!(result.is_ok(), "{name}: {diagnostics:#?}");
    checked(context, module, name);
}

/// Runs every stage of a coroutine `f` and compares what it leaves with what is expected.
fn check(text: &str, points: u32, expected: &[i32]) {
    let context = context();
    let module = parse(&context, text);
    let orders = [Resume::InOrder, Resume::Shuffled(1), Resume::Shuffled(99)];
    let compare = |module: &Body, stage: &str| {
        for order in orders {
            let found = run(&context, module, expected.len(), points, order);
            let text = print_module(&context, module, &PrintOptions::default());
            assert_eq!(found, expected, "{stage}, {order:?}\n{text}");
        }
    };
    compare(&module, "coroutine");
    let mut straight = module.clone();
    apply(&context, &mut straight, Box::new(CoroEraseSuspends));
    compare(&straight, "without suspensions");
    let mut split = module.clone();
    let passes: [Box<dyn Pass>; 4] =
        [Box::new(CoroAnalyze), Box::new(CoroColorFrame), Box::new(CoroSplit), Box::new(CoroMaterialize)];
    for pass in passes {
        let name = pass.name();
        apply(&context, &mut split, pass);
        compare(&split, name);
    }
    let mut optimized = module.clone();
    let mut manager = PassManager::new("builtin.module");
    CoroPipeline.build(&context, &mut manager).expect("the pipeline runs on modules");
    let mut diagnostics = Diagnostics::new();
    let report = manager.run(
        &context,
        &mut optimized,
        &RunOptions { threads: 1, ..RunOptions::default() },
        &mut std::io::sink(),
        &mut diagnostics,
    );
    assert!(report.result.is_ok(), "{diagnostics:#?}");
    checked(&context, &optimized, "pipeline");
    compare(&optimized, "pipeline");
}

#[test]
fn a_value_crosses_one_suspension() {
    let text = "
coro.func @f(%out: !xir.buffer<i32>) {
  %id = xir.dispatch_id
  %x = xir.extract %id[0] : vector<3xi32>
  %seven = xir.constant 7 : i32
  %v = xir.buffer_read %out[%x] : !xir.buffer<i32>
  %sum = xir.addi %v, %x : i32
  coro.suspend token(1) to ^bb1
^bb1:
  %product = xir.muli %sum, %seven : i32
  xir.buffer_write %product, %out[%x] : !xir.buffer<i32>
  xir.return
}";
    check(text, 4, &[0, 7, 14, 21]);
}

#[test]
fn a_loop_carries_values_around_its_suspension() {
    // out[x] = sum of k * k for k below x + 3, suspending in each turn.
    let text = "
coro.func @f(%out: !xir.buffer<i32>) {
  %id = xir.dispatch_id
  %x = xir.extract %id[0] : vector<3xi32>
  %zero = xir.constant 0 : i32
  %one = xir.constant 1 : i32
  %three = xir.constant 3 : i32
  %limit = xir.addi %x, %three : i32
  xir.br ^head(%zero : i32, %zero : i32)
^head(%k: i32, %sum: i32):
  %more = xir.cmpi slt, %k, %limit : i32
  xir.cond_br %more, ^turn, ^done
^turn:
  %square = xir.muli %k, %k : i32
  coro.suspend token(5) name(\"turn\") to ^after
^after:
  %next = xir.addi %sum, %square : i32
  %k1 = xir.addi %k, %one : i32
  xir.br ^head(%k1 : i32, %next : i32)
^done:
  xir.buffer_write %sum, %out[%x] : !xir.buffer<i32>
  xir.return
}";
    check(text, 5, &[5, 14, 30, 55, 91]);
}

#[test]
fn resume_arguments_vectors_booleans_and_memory_cross() {
    // Values of many kinds are alive at once: lanes of a vector, a boolean, an i8, an i64, and an array that is indexed
    // by a value that is not constant.
    let text = "
coro.func @f(%out: !xir.buffer<i32>) {
  %id = xir.dispatch_id
  %x = xir.extract %id[0] : vector<3xi32>
  %one = xir.constant 1 : i32
  %two = xir.constant 2 : i32
  %zero = xir.constant 0 : i32
  %p = xir.alloca : !xir.ref<!xir.array<i32, 3>, local>
  %p0 = xir.gep %p[0] : !xir.ref<!xir.array<i32, 3>, local>
  xir.store %x, %p0 : !xir.ref<i32, local>
  %p1 = xir.gep %p[1] : !xir.ref<!xir.array<i32, 3>, local>
  xir.store %one, %p1 : !xir.ref<i32, local>
  %p2 = xir.gep %p[2] : !xir.ref<!xir.array<i32, 3>, local>
  xir.store %two, %p2 : !xir.ref<i32, local>
  %base = xir.buffer_read %out[%x] : !xir.buffer<i32>
  %b = xir.addi %base, %x : i32
  %v = xir.build %b, %one, %two : vector<3xi32>
  %odd = xir.andi %b, %one : i32
  %flag = xir.cmpi eq, %odd, %zero : i32
  %narrow = xir.trunci %b : i32 to i8
  %wide = xir.extsi %b : i32 to i64
  %index = xir.remui %b, %two : i32
  coro.suspend token(1) exports(\"flag\" = %flag : i1, \"x\" = %x : i32) to ^bb1(%b : i32)
^bb1(%again: i32):
  %q = xir.gep %p[%index] : !xir.ref<!xir.array<i32, 3>, local>
  %loaded = xir.load %q : !xir.ref<i32, local>
  %l1 = xir.extract %v[1] : vector<3xi32>
  %l0 = xir.extract %v[0] : vector<3xi32>
  %s0 = xir.addi %loaded, %l1 : i32
  %s1 = xir.addi %s0, %l0 : i32
  %ten = xir.constant 10 : i32
  %picked = xir.select %flag, %ten, %zero : i32
  %s2 = xir.addi %s1, %picked : i32
  %n = xir.extui %narrow : i8 to i32
  %s3 = xir.addi %s2, %n : i32
  coro.suspend token(2) to ^bb2
^bb2:
  %w = xir.trunci %wide : i64 to i32
  %s4 = xir.addi %s3, %w : i32
  %s5 = xir.addi %s4, %again : i32
  xir.buffer_write %s5, %out[%x] : !xir.buffer<i32>
  xir.return
}";
    // b = x. loaded = x even: p[0] = x, odd: p[1] = 1. sum = loaded + 1 + x + (even: 10) + x + x + x.
    let expected: Vec<i32> =
        (0..4).map(|x| if x % 2 == 0 { x } else { 1 } + 1 + x + if x % 2 == 0 { 10 } else { 0 } + 3 * x).collect();
    check(text, 4, &expected);
}

#[test]
fn a_scope_that_leads_back_to_a_definition_sees_its_new_value() {
    // The value of %t is there from the suspension before and computed again in the same scope.
    let text = "
coro.func @f(%out: !xir.buffer<i32>) {
  %id = xir.dispatch_id
  %x = xir.extract %id[0] : vector<3xi32>
  %zero = xir.constant 0 : i32
  %one = xir.constant 1 : i32
  %five = xir.constant 5 : i32
  xir.br ^head(%zero : i32, %x : i32)
^head(%k: i32, %sum: i32):
  %old = xir.buffer_read %out[%x] : !xir.buffer<i32>
  %t = xir.addi %old, %k : i32
  %even = xir.andi %k, %one : i32
  %skip = xir.cmpi eq, %even, %one : i32
  xir.cond_br %skip, ^join, ^pause
^pause:
  coro.suspend token(9) to ^join
^join:
  %more = xir.addi %sum, %t : i32
  %k1 = xir.addi %k, %one : i32
  %again = xir.cmpi slt, %k1, %five : i32
  xir.cond_br %again, ^head(%k1 : i32, %more : i32), ^done
^done:
  xir.buffer_write %more, %out[%x] : !xir.buffer<i32>
  xir.return
}";
    check(text, 3, &[10, 11, 12]);
}

#[test]
fn references_and_invariant_values_are_computed_again() {
    // The reference %q and the value %double are used after a suspension and computed again in the scope that it starts.
    let text = "
coro.func @f(%out: !xir.buffer<i32>) {
  %id = xir.dispatch_id
  %x = xir.extract %id[0] : vector<3xi32>
  %zero = xir.constant 0 : i32
  %one = xir.constant 1 : i32
  %three = xir.constant 3 : i32
  xir.br ^head(%zero : i32, %x : i32)
^head(%k: i32, %sum: i32):
  %more = xir.cmpi slt, %k, %three : i32
  xir.cond_br %more, ^turn, ^done
^turn:
  %p = xir.alloca : !xir.ref<!xir.array<i32, 40>, local>
  %q = xir.gep %p[%k] : !xir.ref<!xir.array<i32, 40>, local>
  %double = xir.addi %x, %x : i32
  xir.store %sum, %q : !xir.ref<i32, local>
  coro.suspend token(7) to ^after
^after:
  %kept = xir.load %q : !xir.ref<i32, local>
  %more2 = xir.addi %kept, %double : i32
  %next = xir.addi %more2, %k : i32
  %k1 = xir.addi %k, %one : i32
  xir.br ^head(%k1 : i32, %next : i32)
^done:
  xir.buffer_write %sum, %out[%x] : !xir.buffer<i32>
  xir.return
}";
    // x + 3 * 2 x + 0 + 1 + 2
    check(text, 4, &[3, 10, 17, 24]);
}
