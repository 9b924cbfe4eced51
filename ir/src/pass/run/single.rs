//! Runs one pass on one body, with all that goes on around it: printing, verification, reproducers, reports.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::log::{Effect, RunLog};
use super::scope::Place;
use super::{Executor, ReproducerScope, Scope, reproducer_settings};
use crate::body::Body;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::location::Location;
use crate::operation::OpRef;
use crate::pass::manager::pass_text;
use crate::pass::printing::{Dump, Moment};
use crate::pass::{Pass, PassFailure, PassOutcome, PassTarget};
use crate::verifier::{VerifyOptions, verify};

/// What timing reports call the verifier.
pub(super) const VERIFIER_ROW: &str = "(V) verifier";

impl Executor<'_> {
    pub(super) fn run_pass(
        &self,
        pass: &dyn Pass,
        scope: &mut Scope<'_>,
        log: &mut RunLog,
    ) -> Result<Effect, PassFailure> {
        let printing = &self.options.printing;
        let mut own = RunLog::default();
        if printing.shows(pass, Moment::Before) {
            self.dump(pass, Moment::Before, scope, &mut own);
        }
        let before = printing.compares(pass).then(|| printing.text(self.context, self.root(scope)));
        let snapshot = (self.options.reproducer == ReproducerScope::Local).then(|| scope.body().clone());

        let place = scope.place.clone();
        let start = Instant::now();
        let outcome = self.run_caught(pass, scope, &place, &mut own);
        let time = start.elapsed();
        let verifies = self.options.verify_each && matches!(outcome, Ok(Some(_)));
        let result = outcome.and_then(|effect| self.check_after(pass, scope.body(), effect, &mut own));
        let checked = start.elapsed().saturating_sub(time);

        match &result {
            Ok(_) if printing.shows(pass, Moment::After) => {
                if before.is_none_or(|before| before != printing.text(self.context, self.root(scope))) {
                    self.dump(pass, Moment::After, scope, &mut own);
                }
            }
            Ok(_) => {}
            Err(PassFailure) => {
                if printing.shows(pass, Moment::AfterFailure) {
                    self.dump(pass, Moment::AfterFailure, scope, &mut own);
                }
                if let Some(snapshot) = snapshot {
                    own.reproducer = Some(self.local_reproducer(pass, scope, snapshot));
                }
            }
        }
        close_pass(pass, &place, (time, verifies.then_some(checked)), own, log);
        if scope.alone {
            self.flush(log);
        }
        result
    }

    /// The operation that a pass runs on.
    fn root<'s>(&'s self, scope: &'s Scope<'_>) -> OpRef<'s> {
        OpRef::new(self.context, scope.body(), scope.body().root())
    }

    /// Runs the pass itself. A panic ends here.
    fn run_caught(
        &self,
        pass: &dyn Pass,
        scope: &mut Scope<'_>,
        place: &Place,
        own: &mut RunLog,
    ) -> Result<Effect, PassFailure> {
        let (body, cache) = scope.parts();
        let location = body.location(body.root());
        // After a panic nothing looks at the body but the printer, which is run with the same care.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut target = PassTarget::new(self, body, cache, own, place);
            let result = pass.run(&mut target);
            (result, target.settle(result))
        }));
        let (result, preserved) = match outcome {
            Ok(outcome) => outcome,
            Err(payload) => {
                own.diagnostics.report(panic_diagnostic(&format!("the pass '{}'", pass.name()), location, &*payload));
                return Err(PassFailure);
            }
        };
        if result.is_err() && !own.diagnostics.has_errors() {
            let message = format!("the pass '{}' failed and did not say why", pass.name());
            own.diagnostics.report(Diagnostic::error("pass-failed", location, message));
        }
        Ok((result? == PassOutcome::Changed).then_some(preserved))
    }

    /// A pass that reported an error has failed, whatever it returned; so has one that leaves invalid IR.
    fn check_after(
        &self,
        pass: &dyn Pass,
        body: &Body,
        effect: Effect,
        own: &mut RunLog,
    ) -> Result<Effect, PassFailure> {
        if own.diagnostics.has_errors() {
            return Err(PassFailure);
        }
        if effect.is_some() && self.options.verify_each {
            self.verify(body, &format!("the pass '{}'", pass.name()), own)?;
        }
        Ok(effect)
    }

    /// Verifies a body that something changed. A panic ends here: rules of dialects are run on any IR.
    pub(super) fn verify(&self, body: &Body, changed_by: &str, log: &mut RunLog) -> Result<(), PassFailure> {
        let options = VerifyOptions {
            allow_unregistered: self.options.allow_unregistered,
            parallel: self.parallel,
            ..VerifyOptions::default()
        };
        let verified = catch_unwind(AssertUnwindSafe(|| {
            let mut found = Diagnostics::new();
            verify(self.context, body, &options, &mut found);
            found
        }));
        let found = match verified {
            Ok(found) => found,
            Err(payload) => {
                let location = body.location(body.root());
                log.diagnostics.report(panic_diagnostic(
                    &format!("the verifier after {changed_by}"),
                    location,
                    &*payload,
                ));
                return Err(PassFailure);
            }
        };
        let failed = found.has_errors();
        for diagnostic in found.into_vec() {
            log.diagnostics.report(diagnostic.remark_note(format!("found after {changed_by}")));
        }
        if failed { Err(PassFailure) } else { Ok(()) }
    }

    /// Shows the IR. After a failure it may be broken in a way that the printer does not survive.
    fn dump(&self, pass: &dyn Pass, moment: Moment, scope: &Scope<'_>, own: &mut RunLog) {
        let op = self.root(scope);
        let top = OpRef::new(self.context, scope.top(), scope.top().root());
        let (place, folders) = (&*scope.place.indices, &*scope.place.folders);
        let dump = Dump { context: self.context, pass, place, op, top, folders };
        let mut stream = Vec::new();
        let printed = catch_unwind(AssertUnwindSafe(|| self.options.printing.dump(moment, &dump, &mut stream)));
        own.dumps.append(&mut stream);
        match printed {
            Ok(Ok(())) => {}
            Ok(Err(diagnostic)) => own.diagnostics.report(*diagnostic),
            Err(_) => {
                let message = format!("the IR is too broken to be printed after the pass '{}'", pass.name());
                own.diagnostics.report(Diagnostic::warning("print-ir", op.location(), message));
            }
        }
    }

    /// The module as it was before the pass, and a pipeline of that pass alone.
    fn local_reproducer(&self, pass: &dyn Pass, scope: &mut Scope<'_>, snapshot: Body) -> String {
        *scope.parts().0 = snapshot;
        let mut names = scope.anchor_names(self.context);
        if names[0] != "builtin.module" {
            names.insert(0, "builtin.module");
        }
        let open: String = names.iter().map(|name| format!("{name}(")).collect();
        let pipeline = format!("{open}{}{}", pass_text(pass), ")".repeat(names.len()));
        reproducer_settings(pipeline, self.options).file(self.context, scope.top())
    }
}

/// Moves what a pass left behind to where it belongs in the log of its pipeline.
fn close_pass(pass: &dyn Pass, place: &Place, times: (Duration, Option<Duration>), mut own: RunLog, log: &mut RunLog) {
    let (time, checked) = times;
    let index = *place.indices.last().expect("a pass has a place in its pipeline");
    let row = log.timing.row(index, pass.name());
    row.add(time);
    for (name, time) in std::mem::take(&mut own.analyses) {
        row.parts.row(0, &format!("(A) {name}")).add(time);
    }
    row.parts.merge(std::mem::take(&mut own.timing));
    if let Some(checked) = checked {
        log.timing.row(index, VERIFIER_ROW).add(checked);
    }
    log.statistics.count(&place.indices, pass.name(), &std::mem::take(&mut own.counters));
    log.extend(own);
}

fn panic_diagnostic(what: &str, location: Location, payload: &(dyn Any + Send)) -> Diagnostic {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    Diagnostic::error("internal-error", location, format!("{what} broke down: {text}")).help(
        "this is a mistake in the tool, not in the input; --crash-reproducer=FILE writes what it takes to see it again",
    )
}
