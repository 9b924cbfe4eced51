//! `coro-color-frame`: lays out the frame of each analysed coroutine.

use fermata_coro::{Analysis, FrameLayout, Slot};
use fermata_ir::attributes::DialectAttribute;
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::pass::{Pass, PassFailure, PassOutcome, PassResult, PassTarget};
use fermata_ir::{Attribute, Body, Context, OpId, OpRef, OperationView};

use super::analysis::{CoroutineAnalysis, analyze};
use super::analyze::{coroutines, symbol_of};
use super::certificate::{Certificate, Refusal};
use super::color::{Coloring, color, width};

/// The pass `coro-color-frame`; see the module `color` for how it assigns words.
#[derive(Clone, Copy, Default, Debug)]
pub struct CoroColorFrame;

impl Pass for CoroColorFrame {
    fn name(&self) -> &'static str {
        "coro-color-frame"
    }

    fn description(&self) -> &'static str {
        "Lays out the frames of analysed coroutines"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn anchor(&self) -> Option<&'static str> {
        Some("builtin.module")
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        let (context, module, diagnostics) = target.parts();
        let mut layouts = Vec::new();
        for coroutine in coroutines(context, module) {
            if let Some((certificate, analysis)) = checked_analysis(context, module, coroutine, diagnostics) {
                let coloring = color_analysis(context, &analysis);
                layouts.push((coroutine, certificate, analysis, coloring));
            }
        }
        if diagnostics.has_errors() {
            return Err(PassFailure);
        }
        let mut builder = target.builder();
        for (coroutine, certificate, analysis, coloring) in &layouts {
            let name = symbol_of(context, builder.body(), *coroutine).to_owned();
            builder.after(*certificate);
            let slots: Vec<Attribute> = analysis
                .atoms
                .iter()
                .zip(&coloring.places)
                .map(|(atom, place)| Slot { word: place.word, bit: place.bit, ty: atom.ty }.intern(context))
                .collect();
            FrameLayout::build(&mut builder, &format!("{name}.frame"), coloring.words, &slots);
        }
        let changed = !layouts.is_empty();
        let bytes: u64 = layouts.iter().map(|(.., coloring)| u64::from(coloring.words) * 4).sum();
        let bound: u64 = layouts.iter().map(|(.., coloring)| coloring.lower_bound_bits.div_ceil(8)).sum();
        target.statistic("frame bytes", bytes);
        target.statistic("frame bytes, lower bound", bound);
        Ok(PassOutcome::changed_if(changed))
    }
}

fn color_analysis(context: &Context, analysis: &CoroutineAnalysis) -> Coloring {
    let widths: Vec<u64> = analysis.atoms.iter().map(|atom| width(context, atom.ty)).collect();
    let states: Vec<Vec<u32>> = analysis.states().collect();
    color(&widths, &states)
}

/// The certificate of a coroutine and the analysis that it states, or an error if there is none or it does not hold.
pub(super) fn checked_analysis(
    context: &Context,
    module: &Body,
    coroutine: OpId,
    diagnostics: &mut Diagnostics,
) -> Option<(OpId, CoroutineAnalysis)> {
    let body = module.nested(coroutine).expect("a coroutine owns its body");
    let name = symbol_of(context, module, coroutine);
    let location = module.location(coroutine);
    let views = module.all_ops().into_iter().filter_map(|op| OpRef::new(context, module, op).cast::<Analysis<'_>>());
    let certificate = views
        .into_iter()
        .find(|view| view.root().symbol_value(context).is_some_and(|root| root.root.as_str(context) == name));
    let Some(certificate) = certificate else {
        let message = format!("coroutine '@{name}' has not been analysed");
        diagnostics.report(Diagnostic::error("no-certificate", location, message).help("run coro-analyze first"));
        return None;
    };
    let analysis = analyze(context, body, diagnostics)?;
    let refusal = match Certificate::check(certificate.op(), body, &analysis) {
        Ok(()) => return Some((certificate.op().id, analysis)),
        Err(refusal) => refusal,
    };
    let message = match refusal {
        Refusal::Stale => format!("coroutine '@{name}' is not the one that was analysed"),
        Refusal::Tampered => format!("the certificate of coroutine '@{name}' is not what its analysis found"),
    };
    diagnostics.report(
        Diagnostic::error("stale-certificate", certificate.op().location(), message)
            .note(location, "the coroutine is here")
            .help("run coro-analyze again, right before this pass"),
    );
    None
}
