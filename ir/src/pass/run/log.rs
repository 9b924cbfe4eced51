//! What a part of a run leaves behind.

use std::time::Duration;

use crate::analysis::PreservedAnalyses;
use crate::diagnostic::Diagnostics;
use crate::pass::{Statistics, Timing};

/// What a part of a run leaves behind.
#[derive(Default)]
pub(crate) struct RunLog {
    pub(crate) diagnostics: Diagnostics,
    /// Counters of the pass that is running, in order of first use.
    pub(crate) counters: Vec<(&'static str, u64)>,
    /// Analyses that the pass that is running computed, and the time that each took.
    pub(crate) analyses: Vec<(&'static str, Duration)>,
    pub(crate) statistics: Statistics,
    pub(crate) timing: Timing,
    /// IR printed for the user, not written yet.
    pub(crate) dumps: Vec<u8>,
    /// The text of the reproducer of the first failure.
    pub(crate) reproducer: Option<String>,
}

impl RunLog {
    pub(crate) fn count(&mut self, name: &'static str, amount: u64) {
        match self.counters.iter_mut().find(|(known, _)| *known == name) {
            Some((_, total)) => *total += amount,
            None => self.counters.push((name, amount)),
        }
    }

    /// Adds what a part left behind that ran as a part of the same pass.
    pub(crate) fn extend(&mut self, part: RunLog) {
        self.diagnostics.extend(part.diagnostics);
        for (name, amount) in part.counters {
            self.count(name, amount);
        }
        self.analyses.extend(part.analyses);
        self.statistics.merge(part.statistics);
        self.timing.merge(part.timing);
        self.dumps.extend(part.dumps);
        self.reproducer = self.reproducer.take().or(part.reproducer);
    }
}

/// Which analyses the changes of a run leave valid; nothing if there were none.
pub(super) type Effect = Option<PreservedAnalyses>;

/// Adds the effect of changes that came later.
pub(super) fn join(effect: &mut Effect, later: Effect) {
    match (effect.as_mut(), later) {
        (Some(preserved), Some(later)) => preserved.intersect(&later),
        (None, later) => *effect = later,
        (Some(_), None) => {}
    }
}
