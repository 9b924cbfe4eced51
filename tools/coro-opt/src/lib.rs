//! What `coro-opt` knows: the one place where Fermata's dialects, passes and forms of output come together.

mod emit;

use fermata_ir::DialectRegistry;
use fermata_ir::pass::PassRegistry;
use fermata_opt::Tool;

/// Fermata's dialects.
pub fn dialects() -> DialectRegistry {
    let mut dialects = DialectRegistry::new();
    dialects.register(&fermata_xir::XirDialect).register(&fermata_coro::CoroDialect);
    dialects
}

/// Fermata's passes and pipelines.
pub fn passes() -> PassRegistry {
    let mut passes = PassRegistry::new();
    fermata_ir::passes::register_passes(&mut passes);
    fermata_passes::register_passes(&mut passes);
    passes
}

/// The tool.
pub fn tool() -> Tool {
    Tool::new("coro-opt", "Fermata's optimizer: reads IR, runs passes on it, writes it")
        .dialects(dialects())
        .passes(passes())
        .emitter(emit::LlvmEmitter)
        .emitter(emit::ObjectEmitter)
        .emitter(emit::FrameReportEmitter)
}
