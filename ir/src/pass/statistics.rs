//! What passes counted.

use std::collections::BTreeMap;
use std::fmt::Write;

/// What one pass of a pipeline counted, over all operations that it ran on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassStatistics {
    /// Name of the pass.
    pub pass: &'static str,
    /// Its counters, sorted by name.
    pub counters: BTreeMap<&'static str, u64>,
}

/// What the passes of a pipeline counted.
#[derive(Clone, Default, Debug)]
pub struct Statistics {
    /// By the place of the pass: index in its pipeline, after those of the pipelines around it.
    passes: BTreeMap<Vec<u32>, PassStatistics>,
}

/// How a report shows statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StatisticsDisplay {
    /// Each pass of the pipeline in its place.
    Pipeline,
    /// Passes of one name together, sorted by name.
    List,
}

impl Statistics {
    pub(crate) fn count(&mut self, place: &[u32], pass: &'static str, counters: &[(&'static str, u64)]) {
        let entry = self.passes.entry(place.to_vec());
        let row = entry.or_insert_with(|| PassStatistics { pass, counters: BTreeMap::new() });
        for &(name, amount) in counters {
            *row.counters.entry(name).or_default() += amount;
        }
    }

    /// Adds those of another run of the same pipeline.
    pub fn merge(&mut self, other: Statistics) {
        for (place, statistics) in other.passes {
            match self.passes.get_mut(&place) {
                Some(own) => own.add(&statistics),
                None => {
                    self.passes.insert(place, statistics);
                }
            }
        }
    }

    /// The passes that ran, in the order of the pipeline, each with the depth at which it is nested.
    pub fn in_order(&self) -> impl Iterator<Item = (usize, &PassStatistics)> {
        self.passes.iter().map(|(place, statistics)| (place.len() - 1, statistics))
    }

    /// Passes of one name together, sorted by name.
    pub fn by_name(&self) -> Vec<PassStatistics> {
        let mut found: BTreeMap<&str, PassStatistics> = BTreeMap::new();
        for statistics in self.passes.values() {
            match found.get_mut(statistics.pass) {
                Some(own) => own.add(statistics),
                None => {
                    found.insert(statistics.pass, statistics.clone());
                }
            }
        }
        found.into_values().collect()
    }

    /// The report as MLIR's tools lay it out.
    pub fn text(&self, display: StatisticsDisplay) -> String {
        let rule = format!("==={}===\n", "-".repeat(73));
        let mut out = format!("{rule}{:25}... Pass statistics report ...\n{rule}", "");
        match display {
            StatisticsDisplay::Pipeline => {
                for (depth, statistics) in self.in_order() {
                    write_pass(2 * depth, statistics, &mut out);
                }
            }
            StatisticsDisplay::List => {
                for statistics in self.by_name() {
                    write_pass(0, &statistics, &mut out);
                }
            }
        }
        out
    }
}

impl PassStatistics {
    fn add(&mut self, other: &PassStatistics) {
        for (name, amount) in &other.counters {
            *self.counters.entry(name).or_default() += amount;
        }
    }
}

fn write_pass(indent: usize, statistics: &PassStatistics, out: &mut String) {
    let width = statistics.counters.values().map(|amount| amount.to_string().len()).max().unwrap_or(0);
    let _ = writeln!(out, "{:indent$}{}", "", statistics.pass);
    for (name, amount) in &statistics.counters {
        let _ = writeln!(out, "{:indent$}  (S) {amount:width$} {name}", "");
    }
}
