//! `coro-analyze`: puts a certificate beside each coroutine.

use fermata_coro::{Analysis, Func};
use fermata_ir::pass::{Pass, PassFailure, PassOutcome, PassResult, PassTarget};
use fermata_ir::{Attribute, Body, Context, OpId, OpRef, OperationView};

use super::analysis::analyze;
use super::certificate::Certificate;
use super::sink_references::sink_references;

/// The pass `coro-analyze`; see the module `analysis` for what it finds.
#[derive(Clone, Copy, Default, Debug)]
pub struct CoroAnalyze;

impl Pass for CoroAnalyze {
    fn name(&self) -> &'static str {
        "coro-analyze"
    }

    fn description(&self) -> &'static str {
        "Finds what crosses the suspensions of coroutines, and writes it down"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn anchor(&self) -> Option<&'static str> {
        Some("builtin.module")
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        let (context, module, diagnostics) = target.parts();
        let mut found = Vec::new();
        for coroutine in coroutines(context, module) {
            let mut body = module.nested(coroutine).expect("a coroutine owns its body").clone();
            sink_references(context, &mut body);
            if let Some(analysis) = analyze(context, &body, diagnostics) {
                let certificate = Certificate::new(context, &body, &analysis);
                found.push((coroutine, body, certificate, analysis));
            }
        }
        if diagnostics.has_errors() {
            return Err(PassFailure);
        }
        let mut builder = target.builder();
        let (mut atoms, mut scopes) = (0, 0);
        let count = found.len();
        for (coroutine, body, certificate, analysis) in found {
            let name = symbol_of(context, builder.body(), coroutine).to_owned();
            builder.body_mut().replace_nested(coroutine, body);
            builder.after(coroutine);
            let root = Attribute::symbol(context, &name);
            let seal = certificate.seal(context);
            let array = |attribute: Attribute| attribute.array_elements(context).expect("the lists are arrays");
            Analysis::build(
                &mut builder,
                &format!("{name}.analysis"),
                root,
                certificate.source_hash,
                seal,
                array(certificate.atoms),
                array(certificate.scopes),
                array(certificate.transfers),
            );
            atoms += analysis.atoms.len();
            scopes += analysis.scopes.len();
        }
        target.statistic("coroutines analysed", count as u64);
        target.statistic("atoms that cross", atoms as u64);
        target.statistic("scopes", scopes as u64);
        Ok(PassOutcome::changed_if(count > 0))
    }
}

/// The coroutines of a module, in textual order.
pub(super) fn coroutines(context: &Context, module: &Body) -> Vec<OpId> {
    let is_coroutine =
        |&op: &OpId| module.nested(op).is_some_and(|body| Func::matches(OpRef::new(context, body, body.root())));
    module.all_ops().into_iter().filter(is_coroutine).collect()
}

/// The name of the function that an anchor owns.
pub(super) fn symbol_of<'c>(context: &'c Context, module: &Body, anchor: OpId) -> &'c str {
    let name = module.properties(anchor).get(context, "sym_name");
    name.and_then(|name| name.string_value(context)).unwrap_or("")
}
