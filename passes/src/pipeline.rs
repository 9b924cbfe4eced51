//! `coro-pipeline`: from coroutines to callables on plain memory.

use fermata_ir::Context;
use fermata_ir::pass::{Pass, PassManager, PassPipeline, WrongAnchor};
use fermata_ir::passes::{Canonicalize, Cse, DeadCodeElimination, Inline, Mem2Reg, Sccp, SimplifyCfg, Sroa};

use crate::coro::{CoroAnalyze, CoroColorFrame, CoroMaterialize, CoroSplit};

/// The pipeline `coro-pipeline`; it runs on a module.
#[derive(Clone, Copy, Default, Debug)]
pub struct CoroPipeline;

impl PassPipeline for CoroPipeline {
    fn name(&self) -> &'static str {
        "coro-pipeline"
    }

    fn description(&self) -> &'static str {
        "Optimizes coroutines, splits them, and puts their frames into plain memory"
    }

    fn build(&self, _context: &Context, manager: &mut PassManager) -> Result<(), WrongAnchor> {
        manager.add(Box::new(Inline::default()))?;
        optimize(manager)?;
        manager.add(Box::new(CoroAnalyze))?;
        manager.add(Box::new(CoroColorFrame))?;
        manager.add(Box::new(CoroSplit))?;
        clean_up(manager)?;
        manager.add(Box::new(CoroMaterialize))?;
        clean_up(manager)
    }
}

/// What makes as much as possible of a coroutine plain values before its frame is laid out.
fn optimize(manager: &mut PassManager) -> Result<(), WrongAnchor> {
    let passes: [Box<dyn Pass>; 8] = [
        Box::new(Canonicalize::default()),
        Box::new(Sroa::default()),
        Box::new(Mem2Reg),
        Box::new(Sccp),
        Box::new(Canonicalize::default()),
        Box::new(Cse),
        Box::new(SimplifyCfg),
        Box::new(DeadCodeElimination),
    ];
    passes.into_iter().try_for_each(|pass| manager.add(pass).map(drop))
}

fn clean_up(manager: &mut PassManager) -> Result<(), WrongAnchor> {
    let passes: [Box<dyn Pass>; 4] =
        [Box::new(Canonicalize::default()), Box::new(Cse), Box::new(SimplifyCfg), Box::new(DeadCodeElimination)];
    passes.into_iter().try_for_each(|pass| manager.add(pass).map(drop))
}
