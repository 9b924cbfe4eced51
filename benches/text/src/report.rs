//! Tables and bars.

use std::time::Duration;

use crate::contender::Rank;
use crate::measure::{Usage, median};

/// Of one contender at one size.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) runs: Vec<Usage>,
    /// Operations of the program; the same for all contenders, so phi instructions do not count.
    pub(crate) operations: usize,
    pub(crate) input_bytes: u64,
    /// Of the contender on an empty module.
    pub(crate) start_up_memory: u64,
}

/// Rows of one size, in the order of `Rank`.
pub(crate) struct Table {
    pub(crate) operations: usize,
    pub(crate) rows: Vec<Row>,
}

impl Row {
    fn cpu(&self) -> Duration {
        median(self.runs.iter().map(|run| run.cpu)).unwrap_or_default()
    }

    fn cpu_per_operation(&self) -> f64 {
        self.cpu().as_secs_f64() / self.operations as f64
    }

    fn peak_memory(&self) -> u64 {
        median(self.runs.iter().map(|run| run.peak_memory)).unwrap_or_default()
    }

    fn print(&self, own: &Self) {
        let cpu = self.cpu().as_secs_f64();
        let fastest = self.runs.iter().map(|run| run.cpu).min().unwrap_or_default().as_secs_f64();
        let slowest = self.runs.iter().map(|run| run.cpu).max().unwrap_or_default().as_secs_f64();
        let operations = self.operations as f64;
        let peak = self.peak_memory();
        println!(
            "{:24}{cpu:9.3}{:>17}{:9.0}{:8.1}{:9.1}{:9.0}{:12.0}{:8.2}",
            self.name,
            format!("{fastest:.3}..{slowest:.3}"),
            operations / cpu / 1e3,
            self.input_bytes as f64 / cpu / 1e6,
            peak as f64 / 1e6,
            peak as f64 / operations,
            peak.saturating_sub(self.start_up_memory) as f64 / operations,
            cpu / own.cpu().as_secs_f64(),
        );
    }
}

impl Table {
    pub(crate) fn print(&self) {
        println!("\n{} operations, medians of {} runs", self.operations, self.rows[0].runs.len());
        println!(
            "{:24}{:>9}{:>17}{:>9}{:>8}{:>9}{:>9}{:>12}{:>8}",
            "", "CPU s", "min..max", "kops/s", "MB/s", "peak MB", "B/op", "B/op beyond", "CPU"
        );
        println!("{:24}{:>9}{:>17}{:>9}{:>8}{:>9}{:>9}{:>12}{:>8}", "", "", "", "", "", "", "", "start-up", "ratio");
        for row in &self.rows {
            row.print(self.row(Rank::Own));
        }
    }

    fn row(&self, rank: Rank) -> &Row {
        &self.rows[rank as usize]
    }

    /// CPU time of a contender over ours.
    fn speed_ratio(&self, rank: Rank) -> f64 {
        self.row(rank).cpu().as_secs_f64() / self.row(Rank::Own).cpu().as_secs_f64()
    }
}

/// A demand on the figures.
struct Bar {
    what: String,
    figure: f64,
    limit: f64,
    direction: Direction,
}

enum Direction {
    AtLeast,
    AtMost,
}

/// The size from which memory is judged; below it, start-up weighs too much.
const MEMORY_SIZE: usize = 1_000_000;

/// Prints each bar with its figure; says whether all hold.
pub(crate) fn judge(tables: &[Table]) -> bool {
    let mut all = true;
    println!();
    for Bar { what, figure, limit, direction } in bars(tables) {
        let (holds, word) = match direction {
            Direction::AtLeast => (figure >= limit, "at least"),
            Direction::AtMost => (figure <= limit, "at most"),
        };
        all &= holds;
        println!("{} {what}: {figure:.2}, {word} {limit:.2} wanted", if holds { "ok    " } else { "MISSED" });
    }
    all
}

fn bars(tables: &[Table]) -> Vec<Bar> {
    let mut bars = Vec::new();
    for table in tables {
        for (rank, limit) in [(Rank::MlirOpt, 4.0), (Rank::MlirOptUnregistered, 4.0), (Rank::Opt, 1.5)] {
            let what = format!("{}: CPU time of {} over ours", table.operations, table.row(rank).name);
            bars.push(Bar { what, figure: table.speed_ratio(rank), limit, direction: Direction::AtLeast });
        }
    }
    for table in tables.iter().filter(|table| table.operations >= MEMORY_SIZE) {
        let figure = table.row(Rank::Own).peak_memory() as f64 / table.row(Rank::MlirOpt).peak_memory() as f64;
        let what = format!("{}: our peak memory over mlir-opt's", table.operations);
        bars.push(Bar { what, figure, limit: 0.4, direction: Direction::AtMost });
    }
    for pair in tables.windows(2) {
        let [smaller, larger] = pair else { continue };
        let figure = larger.row(Rank::Own).cpu_per_operation() / smaller.row(Rank::Own).cpu_per_operation();
        let what = format!("our CPU time an operation, {} over {}", larger.operations, smaller.operations);
        bars.push(Bar { what, figure, limit: 1.25, direction: Direction::AtMost });
    }
    bars
}
