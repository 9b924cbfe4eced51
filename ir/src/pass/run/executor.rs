//! Runs the passes of a pipeline on one body.

use super::log::{Effect, RunLog, join};
use super::{RunOptions, Scope};
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::operation::{OpRef, OperationTraits};
use crate::pass::PassFailure;
use crate::pass::manager::{Element, PassManager, PipelineAnchor};
use crate::pass::printing::folder_name;

/// Writes bytes to where printed IR goes.
pub(crate) type WriteDump<'a> = dyn Fn(&[u8]) + Sync + 'a;

/// What is the same for all parts of a run.
pub(crate) struct Executor<'a> {
    pub(crate) context: &'a Context,
    pub(crate) options: &'a RunOptions,
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
        if self.writes_folders() && scope.place.folders.is_empty() {
            let folder = folder_name(op, 0);
            scope.place.folders.push(folder);
        }
        self.run_manager(manager, scope, log)
    }

    /// Whether printed IR goes to folders, so that their names are needed.
    pub(crate) fn writes_folders(&self) -> bool {
        self.options.printing.tree_directory.is_some()
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
                    scope.place.indices.push(at as u32);
                    let result = self.run_pass(&**pass, scope, log);
                    scope.place.indices.pop();
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
