//! Runs nested pipelines on the operations directly inside a body.

use std::time::Instant;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::log::{Effect, RunLog, join};
use super::scope::ANCHOR_STAYS;
use super::single::VERIFIER_ROW;
use super::{Executor, Scope};
use crate::analysis::AnalysisCache;
use crate::body::{Body, OpId};
use crate::diagnostic::Diagnostics;
use crate::operation::OpRef;
use crate::pass::manager::PassManager;
use crate::pass::printing::folder_name;
use crate::pass::{PassFailure, Timing};

/// Pipelines that run on one operation.
struct Job<'m> {
    anchor: OpId,
    /// Name of the folder for its printed IR, if that goes to folders.
    folder: Option<String>,
    pipelines: Vec<(u32, &'m PassManager)>,
}

type JobResult = (RunLog, Result<Effect, PassFailure>);

impl Executor<'_> {
    /// Runs pipelines that stand next to each other on the operations directly inside a body.
    pub(super) fn run_group(
        &self,
        managers: &[(u32, &PassManager)],
        scope: &mut Scope<'_>,
        log: &mut RunLog,
    ) -> Result<Effect, PassFailure> {
        let start = Instant::now();
        let jobs = self.jobs(managers, scope.body(), &mut log.diagnostics)?;
        let parallel = self.parallel && jobs.len() > 1;
        let done = if parallel { self.run_jobs_in_parallel(&jobs, scope) } else { self.run_jobs(&jobs, scope) };
        let mut effect = None;
        let mut failed = false;
        let mut timing = Timing::new();
        for (part, result) in done {
            timing.merge(part.timing);
            log.diagnostics.extend(part.diagnostics);
            log.statistics.merge(part.statistics);
            log.dumps.extend(part.dumps);
            log.reproducer = log.reproducer.take().or(part.reproducer);
            match result {
                Ok(later) => join(&mut effect, later),
                Err(PassFailure) => failed = true,
            }
        }
        if parallel {
            timing.share(start.elapsed());
        }
        log.timing.merge(timing);
        if failed {
            return Err(PassFailure);
        }
        if let Some(preserved) = &effect {
            scope.parts().1.invalidate_own(preserved);
            self.verify_around(managers, scope.body(), log)?;
        }
        Ok(effect)
    }

    /// Verifies the operation around those that changed: its rules may speak of them, as those of symbols do.
    fn verify_around(
        &self,
        managers: &[(u32, &PassManager)],
        body: &Body,
        log: &mut RunLog,
    ) -> Result<(), PassFailure> {
        if !self.options.verify_each {
            return Ok(());
        }
        let start = Instant::now();
        let names: Vec<String> = managers.iter().map(|(_, m)| format!("'{}'", m.anchor().as_str())).collect();
        let result = self.verify(body, &format!("the pipeline for {}", names.join(", ")), log);
        let place = managers.last().map_or(0, |&(place, _)| place);
        log.timing.row(place, VERIFIER_ROW).add(start.elapsed());
        result
    }

    /// Which pipelines run on which operations directly inside a body, in textual order.
    fn jobs<'m>(
        &self,
        managers: &[(u32, &'m PassManager)],
        body: &Body,
        diagnostics: &mut Diagnostics,
    ) -> Result<Vec<Job<'m>>, PassFailure> {
        let mut jobs = Vec::new();
        let mut sound = true;
        let blocks = body.regions(body.root()).iter().flat_map(|&region| body.blocks(region));
        for (index, anchor) in blocks.flat_map(|block| body.ops(block)).enumerate() {
            let op = OpRef::new(self.context, body, anchor);
            let mut pipelines = Vec::new();
            for &(place, manager) in managers {
                let named = manager.anchor().as_str() == op.name_str();
                if let Some(diagnostic) = named.then(|| self.refusal(manager, op)).flatten() {
                    diagnostics.report(diagnostic);
                    sound = false;
                } else if manager.accepts(self.context, op.name()) && body.nested(anchor).is_some() {
                    pipelines.push((place, manager));
                }
            }
            if !pipelines.is_empty() {
                let folder = self.writes_folders().then(|| folder_name(op, index));
                jobs.push(Job { anchor, folder, pipelines });
            }
        }
        if sound { Ok(jobs) } else { Err(PassFailure) }
    }

    fn run_jobs(&self, jobs: &[Job<'_>], scope: &mut Scope<'_>) -> Vec<JobResult> {
        let run = |job: &Job<'_>| {
            scope.path.push(job.anchor);
            let mut part = RunLog::default();
            let result = self.run_job(job, scope, &mut part);
            scope.path.pop();
            (part, result)
        };
        jobs.iter().map(run).collect()
    }

    fn run_jobs_in_parallel(&self, jobs: &[Job<'_>], scope: &mut Scope<'_>) -> Vec<JobResult> {
        let place = scope.place.clone();
        let (body, cache) = scope.parts();
        let capacity = body.op_capacity();
        let mut bodies: Vec<Option<&mut Body>> = std::iter::repeat_with(|| None).take(capacity).collect();
        for (anchor, nested) in body.nested_bodies_mut() {
            bodies[anchor.index()] = Some(nested);
        }
        let work: Vec<(&Job<'_>, &mut Body, AnalysisCache)> = jobs
            .iter()
            .map(|job| {
                let nested = bodies[job.anchor.index()].take().expect(ANCHOR_STAYS);
                (job, nested, cache.take_nested(job.anchor))
            })
            .collect();
        let run = |(job, nested, mut cache): (&Job<'_>, &mut Body, AnalysisCache)| {
            let mut part = RunLog::default();
            let result = self.run_job(job, &mut Scope::new(nested, &mut cache, place.clone(), false), &mut part);
            (job.anchor, cache, (part, result))
        };
        let done: Vec<_> = work.into_par_iter().map(run).collect();
        let put_back = |(anchor, nested, result)| {
            cache.put_nested(anchor, nested);
            result
        };
        done.into_iter().map(put_back).collect()
    }

    fn run_job(&self, job: &Job<'_>, scope: &mut Scope<'_>, log: &mut RunLog) -> Result<Effect, PassFailure> {
        let mut effect = None;
        for &(place, manager) in &job.pipelines {
            let start = Instant::now();
            let mut part = RunLog::default();
            scope.place.indices.push(place);
            scope.place.folders.extend(job.folder.clone());
            let result = self.run_manager(manager, scope, &mut part);
            scope.place.indices.pop();
            scope.place.folders.truncate(scope.place.folders.len() - usize::from(job.folder.is_some()));
            let row = log.timing.row(place, &format!("'{}' Pipeline", manager.anchor().as_str()));
            row.add(start.elapsed());
            row.parts.merge(std::mem::take(&mut part.timing));
            log.extend(part);
            join(&mut effect, result?);
        }
        Ok(effect)
    }
}
