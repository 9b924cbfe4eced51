//! Runs pipelines.
//!
//! A pass runs on one body. A nested pipeline runs on the bodies of the operations directly inside: all that stand
//! next to each other in a pipeline run on one of these before the next one is taken, and different ones run at the
//! same time, since bodies share nothing. What a run reports is put together in textual order, so the number of
//! threads doesn't show in it.

mod executor;
mod log;
mod nested;
mod scope;

use std::io::Write;
use std::sync::Mutex;

use rayon::{ThreadPool, ThreadPoolBuilder};

pub(crate) use executor::Executor;
pub(crate) use log::RunLog;
pub(crate) use scope::Scope;

use super::manager::{Element, PassManager};
use super::{PassOutcome, PassResult, Statistics, Timing};
use crate::analysis::AnalysisCache;
use crate::body::Body;
use crate::context::Context;
use crate::diagnostic::Diagnostics;

/// Worker threads get as much stack as deeply nested input may ask for; it is only used where it is needed.
const WORKER_STACK_BYTES: usize = 256 << 20;

/// How a pipeline runs.
#[derive(Clone, Default, Debug)]
pub struct RunOptions {
    /// Number of threads; all processors if zero.
    pub threads: usize,
}

/// What a run leaves behind beside the changed body.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// How it ended. After a failure the body may be half changed.
    pub result: PassResult,
    /// Where the time went.
    pub timing: Timing,
    /// What the passes counted.
    pub statistics: Statistics,
}

impl PassManager {
    /// Runs the pipeline on a body whose root is an operation that it is for. Printed IR goes to `dumps`.
    pub fn run(
        &mut self,
        context: &Context,
        body: &mut Body,
        options: &RunOptions,
        dumps: &mut (dyn Write + Send),
        diagnostics: &mut Diagnostics,
    ) -> RunReport {
        self.initialize(context);
        let pool = worker_pool(options.threads);
        let dumps = Mutex::new(dumps);
        let write = |bytes: &[u8]| {
            // A user who closed the stream does not want to see the IR.
            let _ = dumps.lock().map(|mut dumps| dumps.write_all(bytes));
        };
        let executor = Executor { context, parallel: pool.is_some(), dumps: Some(&write) };
        let mut log = RunLog::default();
        let mut cache = AnalysisCache::new();
        let mut run = || {
            let mut scope = Scope::new(body, &mut cache, Vec::new(), true);
            executor.run_checked(self, &mut scope, &mut log)
        };
        let effect = match &pool {
            Some(pool) => pool.install(run),
            None => run(),
        };
        executor.flush(&mut log);
        diagnostics.extend(log.diagnostics);
        let result = effect.map(|effect| PassOutcome::changed_if(effect.is_some()));
        RunReport { result, timing: log.timing, statistics: log.statistics }
    }

    pub(crate) fn initialize(&mut self, context: &Context) {
        for element in self.elements_mut() {
            match element {
                Element::Pass(pass) => pass.initialize(context),
                Element::Nested(manager) => manager.initialize(context),
            }
        }
    }
}

/// The threads to run on; none if there is to be one only, or if the system gives no more.
fn worker_pool(threads: usize) -> Option<ThreadPool> {
    let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = if threads == 0 { available() } else { threads };
    let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(WORKER_STACK_BYTES);
    (threads > 1).then(|| builder.build().ok()).flatten()
}
