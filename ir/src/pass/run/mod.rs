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
mod single;

use std::io::Write;
use std::sync::Mutex;

use rayon::{ThreadPool, ThreadPoolBuilder};

pub(crate) use executor::Executor;
pub(crate) use log::RunLog;
pub(crate) use scope::{Place, Scope};

use super::manager::{Element, PassManager};
use super::{IrPrinting, PassFailure, PassOutcome, PassResult, ReproducerSettings, Statistics, Timing};
use crate::analysis::AnalysisCache;
use crate::body::Body;
use crate::context::Context;
use crate::diagnostic::Diagnostics;

/// Worker threads get as much stack as deeply nested input may ask for; it is only used where it is needed.
const WORKER_STACK_BYTES: usize = 256 << 20;

/// How a pipeline runs.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Number of threads; all processors if zero.
    pub threads: usize,
    /// Whether the verifier runs after each pass that changed something.
    pub verify_each: bool,
    /// Whether the verifier accepts operations of dialects that are not registered.
    pub allow_unregistered: bool,
    /// Which IR is shown.
    pub printing: IrPrinting,
    /// What is kept to reproduce a failure.
    pub reproducer: ReproducerScope,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            threads: 0,
            verify_each: true,
            allow_unregistered: false,
            printing: IrPrinting::default(),
            reproducer: ReproducerScope::None,
        }
    }
}

/// What is kept to reproduce a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReproducerScope {
    /// Nothing.
    None,
    /// The module before the run, with the whole pipeline.
    Whole,
    /// The module before the pass that failed, with that pass alone. Passes then run one after the other.
    Local,
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
    /// The text of a reproducer, if the run failed and one was asked for.
    pub reproducer: Option<String>,
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
        // What shows the module around a nested body needs it to stay where it is.
        let serial = options.printing.module_scope || options.reproducer == ReproducerScope::Local;
        let pool = if serial { None } else { worker_pool(options.threads) };
        let dumps = Mutex::new(dumps);
        let write = |bytes: &[u8]| {
            // A user who closed the stream does not want to see the IR.
            let _ = dumps.lock().map(|mut dumps| dumps.write_all(bytes));
        };
        let executor = Executor { context, options, parallel: pool.is_some(), dumps: Some(&write) };
        let before = (options.reproducer == ReproducerScope::Whole).then(|| body.clone());
        let mut log = RunLog::default();
        let mut cache = AnalysisCache::new();
        let mut run = || {
            let mut scope = Scope::new(body, &mut cache, Place::default(), true);
            executor.run_checked(self, &mut scope, &mut log)
        };
        let effect = match &pool {
            Some(pool) => pool.install(run),
            None => run(),
        };
        executor.flush(&mut log);
        diagnostics.extend(log.diagnostics);
        let result = effect.map(|effect| PassOutcome::changed_if(effect.is_some()));
        let reproducer = match (result, before) {
            (Err(PassFailure), Some(before)) => Some(self.reproducer(options).file(context, &before)),
            _ => log.reproducer,
        };
        RunReport { result, timing: log.timing, statistics: log.statistics, reproducer }
    }

    /// What a reproducer of a run of this pipeline says.
    pub fn reproducer(&self, options: &RunOptions) -> ReproducerSettings {
        reproducer_settings(self.to_string(), options)
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

fn reproducer_settings(pipeline: String, options: &RunOptions) -> ReproducerSettings {
    let (disable_threading, verify_each) = (options.threads == 1, options.verify_each);
    ReproducerSettings { pipeline, disable_threading, verify_each }
}

/// The threads to run on; none if there is to be one only, or if the system gives no more.
fn worker_pool(threads: usize) -> Option<ThreadPool> {
    let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = if threads == 0 { available() } else { threads };
    let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(WORKER_STACK_BYTES);
    (threads > 1).then(|| builder.build().ok()).flatten()
}
