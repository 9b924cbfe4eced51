//! Kernels and coroutines on the host compute what the interpreter does.

use fermata_coro::CoroDialect;
use fermata_interp::{Argument as InterpArgument, BufferMemory, Machine, Options};
use fermata_ir::pass::{PassManager, PassPipeline, RunOptions, run_pass};
use fermata_ir::text::{ParseOptions, parse_module};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Body, Context, Diagnostics, DialectRegistry, Type};
use fermata_lowering::{LlvmContext, OptimizationLevel};
use fermata_passes::{CoroEraseSuspends, CoroPipeline};
use fermata_runtime::{Argument, Buffer, Dispatch, HostDevice, Number, build_state_machine};
use fermata_xir::XirDialect;

fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&XirDialect).register(&CoroDialect);
    Context::new(registry)
}

fn parse(context: &Context, text: &str) -> Body {
    let file = context.sources().add("test.xir", text).expect("a test's text is small");
    let mut diagnostics = Diagnostics::new();
    let module = parse_module(context, file, &ParseOptions::default(), &mut diagnostics);
    let module = module.unwrap_or_else(|| panic!("the text is refused: {diagnostics:#?}"));
    verify(context, &module, &VerifyOptions::default(), &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:#?}");
    module
}

/// What the interpreter leaves in the one buffer of kernel `f`.
fn interpret(context: &Context, module: &Body, element: Type, bytes: Vec<u8>, points: u32) -> Vec<u8> {
    let buffer = BufferMemory::new(context, element, bytes).expect("the buffer's bytes are whole elements");
    let machine = Machine::new(context, module, Options::default());
    let report = machine.run("f", [points, 1, 1], vec![InterpArgument::Buffer(buffer)]);
    report.expect("the test's program runs").buffers[0].bytes().to_vec()
}

/// What the host leaves in the one buffer of kernel `f`.
fn host(context: &Context, module: &Body, buffer: &Buffer, points: u32, level: OptimizationLevel) -> Vec<u8> {
    let llvm = LlvmContext::create();
    let mut diagnostics = Diagnostics::new();
    let device = HostDevice::compile(context, module, &llvm, level, &mut diagnostics);
    let device = device.unwrap_or_else(|error| panic!("{error}: {diagnostics:#?}"));
    let kernel = device.kernel(context, module, "f").expect("the module has the kernel");
    let mut buffer = buffer.clone();
    kernel
        .run(&mut [Argument::Buffer(&mut buffer)], &Dispatch::new([points, 1, 1]))
        .expect("the arguments are those of the kernel");
    buffer.bytes().to_vec()
}

const LEVELS: [OptimizationLevel; 2] = [OptimizationLevel::O0, OptimizationLevel::O2];

/// Runs a kernel on the host and in the interpreter.
fn check_kernel(text: &str, element: &str, numbers: &[Number]) {
    let context = context();
    let module = parse(&context, text);
    let element = if element == "f32" {
        Type::float(&context, fermata_ir::types::FloatKind::F32)
    } else {
        Type::integer(&context, 32)
    };
    let mut buffer = Buffer::new(&context, element, numbers.len()).expect("a scalar has a layout");
    for (index, &number) in numbers.iter().enumerate() {
        buffer.set(index, &[number]);
    }
    let points = numbers.len() as u32;
    let expected = interpret(&context, &module, element, buffer.bytes().to_vec(), points);
    for level in LEVELS {
        assert_eq!(host(&context, &module, &buffer, points, level), expected, "{level:?}");
    }
}

#[test]
fn integer_arithmetic_is_total() {
    // Each point combines its number with all others, so every pair of edge values meets.
    let operations = "addi subi muli mulhsi mulhui divsi divui remsi remui andi ori xori shli shrsi shrui rotli rotri \
                      minsi minui maxsi maxui";
    for operation in operations.split_whitespace() {
        let text = format!(
            "xir.kernel @f(%b: !xir.buffer<i32>) {{
  %id = xir.dispatch_id
  %x = xir.extract %id[0] : vector<3xi32>
  %zero = xir.constant 0 : i32
  %one = xir.constant 1 : i32
  %factor = xir.constant 31 : i32
  %count = xir.constant 9 : i32
  %mine = xir.buffer_read %b[%x] : !xir.buffer<i32>
  xir.br ^head(%zero : i32, %zero : i32)
^head(%k: i32, %hash: i32):
  %more = xir.cmpi slt, %k, %count : i32
  xir.cond_br %more, ^turn, ^done
^turn:
  %values = xir.constant dense<[0, 1, -1, 2147483647]> : vector<4xi32>
  %others = xir.constant dense<[-2147483648, 31, 32, 7]> : vector<4xi32>
  %four = xir.constant 4 : i32
  %low = xir.cmpi slt, %k, %four : i32
  %k4 = xir.subi %k, %four : i32
  %a = xir.extract_dynamic %values[%k] : vector<4xi32>
  %c = xir.extract_dynamic %others[%k4] : vector<4xi32>
  %other = xir.select %low, %a, %c : i32
  %result = xir.{operation} %mine, %other : i32
  %h0 = xir.muli %hash, %factor : i32
  %h1 = xir.addi %h0, %result : i32
  %k1 = xir.addi %k, %one : i32
  xir.br ^head(%k1 : i32, %h1 : i32)
^done:
  xir.buffer_write %hash, %b[%x] : !xir.buffer<i32>
  xir.return
}}"
        );
        let numbers = [0, 1, -1, i32::MAX, i32::MIN, 31, 32, 33, 12345, -7].map(|value| Number::Integer(value.into()));
        check_kernel(&text, "i32", &numbers);
    }
}

#[test]
fn float_arithmetic_and_conversions_agree() {
    let one = "negf absf sqrt floor ceil trunc round round_even fract sign sin cos tan asin acos atan sinh cosh tanh asinh \
               acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p cbrt";
    let two = "addf subf mulf divf remf minf maxf copysign atan2 pow";
    let unary = one.split_whitespace().map(|operation| format!("%r = xir.{operation} %v : f32"));
    let binary = two.split_whitespace().map(|operation| format!("%r = xir.{operation} %v, %w : f32"));
    let others = [
        "%r = xir.fma %v, %w, %v : f32",
        "%i = xir.fptosi %v : f32 to i32\n  %r = xir.sitofp %i : i32 to f32",
        "%i = xir.fptoui %v : f32 to i32\n  %r = xir.uitofp %i : i32 to f32",
        "%h = xir.truncf %v : f32 to f16\n  %r = xir.extf %h : f16 to f32",
        "%d = xir.extf %v : f32 to f64\n  %q = xir.mulf %d, %d : f64\n  %r = xir.truncf %q : f64 to f32",
        "%c = xir.cmpf ult, %v, %w : f32\n  %r = xir.select %c, %v, %w : f32",
    ];
    for lines in unary.chain(binary).chain(others.map(str::to_owned)) {
        let text = format!(
            "xir.kernel @f(%b: !xir.buffer<f32>) {{
  %id = xir.dispatch_id
  %x = xir.extract %id[0] : vector<3xi32>
  %w = xir.constant -1.75 : f32
  %v = xir.buffer_read %b[%x] : !xir.buffer<f32>
  {lines}
  %ordered = xir.cmpf ord, %r, %r : f32
  %nan = xir.constant 12345.0 : f32
  %shown = xir.select %ordered, %r, %nan : f32
  xir.buffer_write %shown, %b[%x] : !xir.buffer<f32>
  xir.return
}}"
        );
        let numbers = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -2.5,
            1.5e-45,
            -1.0e-39,
            3.4e38,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            16_777_217.0,
            1.0e20,
            -3.0e9,
            65519.0,
            0.1,
        ];
        check_kernel(&text, "f32", &numbers.map(Number::Float));
    }
}

/// Runs a coroutine `f` on the host, split and straight, and in the interpreter.
fn check_coroutine(text: &str, count: usize) {
    let context = context();
    let module = parse(&context, text);
    let element = Type::integer(&context, 32);
    let buffer = Buffer::new(&context, element, count).expect("an i32 has a layout");
    let points = count as u32;
    let expected = interpret(&context, &module, element, buffer.bytes().to_vec(), points);
    let mut straight = module.clone();
    let mut diagnostics = Diagnostics::new();
    run_pass(&mut CoroEraseSuspends, &context, &mut straight, &mut diagnostics)
        .expect("the coroutine has no extensions");
    let mut split = module.clone();
    let mut manager = PassManager::new("builtin.module");
    CoroPipeline.build(&context, &mut manager).expect("the pipeline runs on modules");
    let report = manager.run(
        &context,
        &mut split,
        &RunOptions { threads: 1, ..RunOptions::default() },
        &mut std::io::sink(),
        &mut diagnostics,
    );
    assert!(report.result.is_ok(), "{diagnostics:#?}");
    build_state_machine(&context, &mut split, "f").expect("the pipeline leaves a graph and its continuations");
    verify(&context, &split, &VerifyOptions::default(), &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:#?}");
    for level in LEVELS {
        assert_eq!(host(&context, &straight, &buffer, points, level), expected, "straight, {level:?}");
        assert_eq!(host(&context, &split, &buffer, points, level), expected, "state machine, {level:?}");
    }
}

#[test]
fn a_state_machine_computes_what_the_coroutine_does() {
    // More points than a block has, so that blocks and the last, partial one are run as well.
    check_coroutine(
        "
xir.callable private @square(%x: i32) -> i32 {
  %y = xir.muli %x, %x : i32
  xir.return %y : i32
}
coro.func @f(%out: !xir.buffer<i32>) {
  %id = xir.dispatch_id
  %x = xir.extract %id[0] : vector<3xi32>
  %zero = xir.constant 0 : i32
  %one = xir.constant 1 : i32
  %three = xir.constant 3 : i32
  %limit = xir.remui %x, %three : i32
  xir.br ^head(%zero : i32, %x : i32)
^head(%k: i32, %sum: i32):
  %more = xir.cmpi ule, %k, %limit : i32
  xir.cond_br %more, ^turn, ^done
^turn:
  %p = xir.alloca : !xir.ref<!xir.array<i32, 40>, local>
  %q = xir.gep %p[%k] : !xir.ref<!xir.array<i32, 40>, local>
  xir.store %sum, %q : !xir.ref<i32, local>
  coro.suspend token(7) to ^after
^after:
  %r = xir.gep %p[%k] : !xir.ref<!xir.array<i32, 40>, local>
  %kept = xir.load %r : !xir.ref<i32, local>
  %square = xir.call @square(%kept) : (i32) -> i32
  %next = xir.addi %square, %k : i32
  %k1 = xir.addi %k, %one : i32
  xir.br ^head(%k1 : i32, %next : i32)
^done:
  xir.buffer_write %sum, %out[%x] : !xir.buffer<i32>
  xir.return
}",
        150,
    );
}
