//! `coro-split`: replaces coroutines by their continuations and graphs.

use fermata_coro::{FrameLayout, Slot};
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::pass::{Pass, PassFailure, PassOutcome, PassResult, PassTarget};
use fermata_ir::{Attribute, Body, Context, OpId, OpRef, OperationView};

use super::analysis::CoroutineAnalysis;
use super::analyze::{coroutines, symbol_of};
use super::color::{Place, width};
use super::color_frame::checked_analysis;
use super::split::{build_graph, continuations};

/// The pass `coro-split`; see the module `split`.
#[derive(Clone, Copy, Default, Debug)]
pub struct CoroSplit;

/// A coroutine that is ready to be split.
struct Ready {
    coroutine: OpId,
    certificate: OpId,
    layout: OpId,
    analysis: CoroutineAnalysis,
    places: Vec<Place>,
}

impl Pass for CoroSplit {
    fn name(&self) -> &'static str {
        "coro-split"
    }

    fn description(&self) -> &'static str {
        "Splits coroutines at their suspensions into continuations"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn anchor(&self) -> Option<&'static str> {
        Some("builtin.module")
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        let (context, module, diagnostics) = target.parts();
        let mut ready = Vec::new();
        for coroutine in coroutines(context, module) {
            ready.extend(prepare(context, module, coroutine, diagnostics));
        }
        if diagnostics.has_errors() {
            return Err(PassFailure);
        }
        let mut builder = target.builder();
        let (mut count, coroutines) = (0, ready.len());
        for Ready { coroutine, certificate, layout, analysis, places } in ready {
            let name = symbol_of(context, builder.body(), coroutine).to_owned();
            let layout_symbol = Attribute::symbol(context, &format!("{name}.frame"));
            let body = builder.body().nested(coroutine).expect("a coroutine owns its body").clone();
            builder.after(layout);
            for continuation in continuations(context, &body, &name, &analysis, &places, layout_symbol) {
                builder.create_anchor(continuation);
                count += 1;
            }
            build_graph(&mut builder, &body, &name, &analysis, &places, layout_symbol);
            builder.erase_op(certificate);
            builder.erase_op(coroutine);
        }
        target.statistic("continuations", count);
        Ok(PassOutcome::changed_if(coroutines > 0))
    }
}

fn prepare(context: &Context, module: &Body, coroutine: OpId, diagnostics: &mut Diagnostics) -> Option<Ready> {
    let (certificate, analysis) = checked_analysis(context, module, coroutine, diagnostics)?;
    let name = symbol_of(context, module, coroutine);
    let layout_name = format!("{name}.frame");
    let views = module.all_ops().into_iter().filter_map(|op| OpRef::new(context, module, op).cast::<FrameLayout<'_>>());
    let layout = views.into_iter().find(|layout| layout.sym_name() == layout_name);
    let Some(layout) = layout else {
        let message = format!("coroutine '@{name}' has no frame layout '@{layout_name}'");
        let diagnostic = Diagnostic::error("no-frame-layout", module.location(coroutine), message);
        diagnostics.report(diagnostic.help("run coro-color-frame first"));
        return None;
    };
    let slots: Vec<&Slot> = layout.slots().iter().filter_map(|slot| slot.downcast(context)).collect();
    if let Err(fault) = check_layout(context, &analysis, &slots) {
        let message = format!("frame layout '@{layout_name}' does not fit the coroutine: {fault}");
        diagnostics.report(Diagnostic::error("frame-layout", layout.op().location(), message));
        return None;
    }
    let places = slots.iter().map(|slot| Place { word: slot.word, bit: slot.bit }).collect();
    Some(Ready { coroutine, certificate, layout: layout.op().id, analysis, places })
}

/// Whether a layout, which anybody may have written, gives each atom a slot of its type that overlaps with no other one
/// of the same state.
fn check_layout(context: &Context, analysis: &CoroutineAnalysis, slots: &[&Slot]) -> Result<(), String> {
    if slots.len() != analysis.atoms.len() {
        return Err(format!("it has {} slots, but {} atoms cross", slots.len(), analysis.atoms.len()));
    }
    if let Some(index) = (0..slots.len()).find(|&index| slots[index].ty != analysis.atoms[index].ty) {
        return Err(format!("slot {index} is not of its atom's type"));
    }
    let range = |atom: u32| {
        let slot = slots[atom as usize];
        let start = u64::from(slot.word) * 32 + u64::from(slot.bit);
        (start, start + width(context, slot.ty), atom)
    };
    for state in analysis.states() {
        let mut ranges: Vec<(u64, u64, u32)> = state.into_iter().map(range).collect();
        ranges.sort_unstable();
        if let Some(pair) = ranges.windows(2).find(|pair| pair[0].1 > pair[1].0) {
            return Err(format!("slots {} and {} overlap while both are alive", pair[0].2, pair[1].2));
        }
    }
    Ok(())
}
