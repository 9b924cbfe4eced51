//! `coro-erase-suspends`: the same kernel, run straight through.
//!
//! Each suspension becomes a branch to its resume block. What comes out is a kernel whose results are those that every
//! scheduler must give.

use fermata_coro::Suspend;
use fermata_ir::diagnostic::Diagnostic;
use fermata_ir::pass::{Pass, PassFailure, PassOutcome, PassResult, PassTarget};
use fermata_ir::{Body, Builder, Context, OpRef, ValueId};

use super::analyze::coroutines;
use super::xir;

/// The pass `coro-erase-suspends`: each suspension becomes a branch to its resume block.
#[derive(Clone, Copy, Default, Debug)]
pub struct CoroEraseSuspends;

impl Pass for CoroEraseSuspends {
    fn name(&self) -> &'static str {
        "coro-erase-suspends"
    }

    fn description(&self) -> &'static str {
        "Turns coroutines into kernels that run straight through"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn anchor(&self) -> Option<&'static str> {
        Some("builtin.module")
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        let (context, module, diagnostics) = target.parts();
        let found = coroutines(context, module);
        for &coroutine in &found {
            let body = module.nested(coroutine).expect("a coroutine owns its body");
            for op in body.all_ops() {
                let view = OpRef::new(context, body, op);
                if view.cast::<Suspend<'_>>().is_some_and(|suspend| suspend.produced_count() > 0) {
                    let message = "an extension of this suspension defines values, so it cannot be left out";
                    diagnostics.report(Diagnostic::error("semantic-extension", view.location(), message));
                }
            }
        }
        if diagnostics.has_errors() {
            return Err(PassFailure);
        }
        for &coroutine in &found {
            let mut body = module.nested(coroutine).expect("a coroutine owns its body").clone();
            erase(context, &mut body);
            let kernel = xir::into_kernel(context, body);
            let mut builder = Builder::new(context, module);
            builder.before(coroutine);
            builder.create_anchor(kernel);
            builder.erase_op(coroutine);
        }
        Ok(PassOutcome::changed_if(!found.is_empty()))
    }
}

fn erase(context: &Context, body: &mut Body) {
    for op in body.all_ops() {
        let Some(suspend) = OpRef::new(context, body, op).cast::<Suspend<'_>>() else { continue };
        let operands: Vec<ValueId> = suspend.resume_operands().collect();
        let target = suspend.resume();
        let mut builder = Builder::new(context, body);
        builder.before(op);
        xir::branch(&mut builder, target, &operands);
        builder.erase_op(op);
    }
}
