//! Runs the passes of a pipeline on one body.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::Scope;
use super::log::{Effect, RunLog, join};
use crate::body::Body;
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::location::Location;
use crate::operation::{OpRef, OperationTraits};
use crate::pass::manager::{Element, PassManager, PipelineAnchor};
use crate::pass::{Pass, PassFailure, PassOutcome, PassResult, PassTarget};

/// Writes bytes to where printed IR goes.
pub(crate) type WriteDump<'a> = dyn Fn(&[u8]) + Sync + 'a;

/// What is the same for all parts of a run.
pub(crate) struct Executor<'a> {
    pub(crate) context: &'a Context,
    pub(crate) parallel: bool,
    /// Where printed IR goes as soon as its order is known.
    pub(crate) dumps: Option<&'a WriteDump<'a>>,
}

impl Executor<'_> {
    /// Runs a pipeline after a check that it is for the operation.
    pub(crate) fn run_checked(
        &self,
        manager: &PassManager,
        scope: &mut Scope<'_>,
        log: &mut RunLog,
    ) -> Result<Effect, PassFailure> {
        let root = scope.body().root();
        let op = OpRef::new(self.context, scope.body(), root);
        let name = op.name_str();
        let wrong = match manager.anchor() {
            PipelineAnchor::Operation(anchor) if anchor != name => {
                let message = format!("can't run '{anchor}' pass manager on '{name}' op");
                Some(Diagnostic::error("pipeline-anchor", op.location(), message))
            }
            _ => self.refusal(manager, op),
        };
        if let Some(diagnostic) = wrong {
            log.diagnostics.report(diagnostic);
            return Err(PassFailure);
        }
        self.run_manager(manager, scope, log)
    }

    /// Why a pipeline whose anchor fits an operation still cannot run on it.
    pub(super) fn refusal(&self, manager: &PassManager, op: OpRef<'_>) -> Option<Diagnostic> {
        let why = if op.declaration().is_none() {
            "trying to schedule a pass on an unregistered operation".to_owned()
        } else if !op.has_trait(OperationTraits::ISOLATED_FROM_ABOVE) {
            "trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'".to_owned()
        } else {
            let pass = manager.refusing_pass(self.context, op.name())?;
            format!("trying to schedule the pass '{}' on an unsupported operation", pass.name())
        };
        let message = format!("'{}' op {why}", op.name_str());
        Some(Diagnostic::error("pipeline-anchor", op.location(), message))
    }

    pub(super) fn run_manager(
        &self,
        manager: &PassManager,
        scope: &mut Scope<'_>,
        log: &mut RunLog,
    ) -> Result<Effect, PassFailure> {
        let elements = manager.elements();
        let mut effect = None;
        let mut at = 0;
        while at < elements.len() {
            match &elements[at] {
                Element::Pass(pass) => {
                    scope.place.push(at as u32);
                    let result = self.run_pass(&**pass, scope, log);
                    scope.place.pop();
                    join(&mut effect, result?);
                    at += 1;
                }
                Element::Nested(_) => {
                    let group: Vec<(u32, &PassManager)> = (at as u32..)
                        .zip(&elements[at..])
                        .map_while(|(place, element)| match element {
                            Element::Nested(nested) => Some((place, nested)),
                            Element::Pass(_) => None,
                        })
                        .collect();
                    join(&mut effect, self.run_group(&group, scope, log)?);
                    at += group.len();
                }
            }
        }
        Ok(effect)
    }

    fn run_pass(&self, pass: &dyn Pass, scope: &mut Scope<'_>, log: &mut RunLog) -> Result<Effect, PassFailure> {
        let place = scope.place.clone();
        let mut own = RunLog::default();
        let start = Instant::now();
        let (body, cache) = scope.parts();
        // After a panic nothing looks at the body but the printer, which survives any body.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut target = PassTarget::new(self, body, cache, &mut own, &place);
            let result = pass.run(&mut target);
            (result, target.settle(result))
        }));
        let time = start.elapsed();
        let result = match outcome {
            Ok((result, preserved)) => self.check_failure(pass, result, &mut own).map(|outcome| match outcome {
                PassOutcome::Changed => Some(preserved),
                PassOutcome::Unchanged => None,
            }),
            Err(payload) => {
                own.diagnostics.report(panic_diagnostic(pass, scope.body(), &*payload));
                Err(PassFailure)
            }
        };
        self.close_pass(pass, &place, time, own, log);
        if scope.alone {
            self.flush(log);
        }
        result
    }

    /// A pass that reported an error has failed, and one that failed has reported an error.
    fn check_failure(&self, pass: &dyn Pass, result: PassResult, own: &mut RunLog) -> PassResult {
        if own.diagnostics.has_errors() {
            return Err(PassFailure);
        }
        if result.is_err() {
            let message = format!("the pass '{}' failed and did not say why", pass.name());
            own.diagnostics.report(Diagnostic::error("pass-failed", Location::UNKNOWN, message));
        }
        result
    }

    /// Moves what a pass left behind to where it belongs in the log of its pipeline.
    fn close_pass(&self, pass: &dyn Pass, place: &[u32], time: Duration, own: RunLog, log: &mut RunLog) {
        let index = *place.last().expect("a pass has a place in its pipeline");
        let row = log.timing.row(index, pass.name());
        row.add(time);
        for (name, time) in own.analyses {
            row.parts.row(0, &format!("(A) {name}")).add(time);
        }
        row.parts.merge(own.timing);
        log.statistics.count(place, pass.name(), &own.counters);
        log.statistics.merge(own.statistics);
        log.diagnostics.extend(own.diagnostics);
        log.dumps.extend(own.dumps);
    }

    /// Writes printed IR whose order is known.
    pub(super) fn flush(&self, log: &mut RunLog) {
        if let Some(write) = self.dumps
            && !log.dumps.is_empty()
        {
            write(&log.dumps);
            log.dumps.clear();
        }
    }
}

fn panic_diagnostic(pass: &dyn Pass, body: &Body, payload: &(dyn Any + Send)) -> Diagnostic {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    let message = format!("the pass '{}' broke down: {text}", pass.name());
    Diagnostic::error("internal-error", body.location(body.root()), message).help(
        "this is a mistake in the pass, not in the input; --crash-reproducer=FILE writes what it takes to see it again",
    )
}
