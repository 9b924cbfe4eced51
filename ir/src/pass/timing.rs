//! Where the time went.

use std::fmt::Write;
use std::time::Duration;

/// The time of one thing, such as a pass in its place in the pipeline, and of its parts.
#[derive(Clone, Debug)]
pub struct TimingRow {
    /// Place among its siblings; rows of one place and name are the same thing.
    place: u32,
    /// What it is.
    pub name: String,
    /// Time spent, summed over threads.
    pub thread_time: Duration,
    /// Time that passed. What ran on several threads at once shares what passed for all of it, in proportion to the
    /// time spent, so that parts never sum to more than the whole.
    pub wall_time: Duration,
    /// Its parts.
    pub parts: Timing,
}

/// Times of things that ran one after the other, each with its parts.
#[derive(Clone, Default, Debug)]
pub struct Timing {
    rows: Vec<TimingRow>,
}

/// How a timing report shows its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimingDisplay {
    /// As the pipeline nests.
    Tree,
    /// One row for each name, the longest first.
    List,
}

impl Timing {
    /// No rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// The rows in order.
    pub fn rows(&self) -> &[TimingRow] {
        &self.rows
    }

    /// Adds time that one thread spent on something, at the end.
    pub fn add(&mut self, name: &str, time: Duration) {
        let place = self.rows.len() as u32;
        self.row(place, name).add(time);
    }

    /// The row of this place and name, made if there is none.
    pub(crate) fn row(&mut self, place: u32, name: &str) -> &mut TimingRow {
        let found = self.rows.iter().position(|row| row.place == place && row.name == name);
        let index = found.unwrap_or_else(|| {
            self.rows.push(TimingRow {
                place,
                name: name.to_owned(),
                thread_time: Duration::ZERO,
                wall_time: Duration::ZERO,
                parts: Timing::new(),
            });
            self.rows.len() - 1
        });
        &mut self.rows[index]
    }

    /// Adds the rows of another run of the same things.
    pub fn merge(&mut self, other: Timing) {
        for row in other.rows {
            let own = self.row(row.place, &row.name);
            own.thread_time += row.thread_time;
            own.wall_time += row.wall_time;
            own.parts.merge(row.parts);
        }
    }

    /// Adds the rows of another list after these.
    pub fn append(&mut self, other: Timing) {
        let first = self.rows.len() as u32;
        for (offset, row) in (0..).zip(other.rows) {
            self.rows.push(TimingRow { place: first + offset, ..row });
        }
    }

    /// Says that all this took `wall` because threads ran at the same time.
    pub(crate) fn share(&mut self, wall: Duration) {
        let total: f64 = self.rows.iter().map(|row| row.thread_time.as_secs_f64()).sum();
        if total > 0.0 {
            self.scale(wall.as_secs_f64() / total);
        }
    }

    fn scale(&mut self, factor: f64) {
        for row in &mut self.rows {
            row.wall_time = row.thread_time.mul_f64(factor);
            row.parts.scale(factor);
        }
    }

    fn sum(&self, time: impl Fn(&TimingRow) -> Duration) -> Duration {
        self.rows.iter().map(time).sum()
    }

    /// The report as MLIR's tools lay it out. `total` is the time that passed for everything; what the rows do not
    /// account for is shown as `Rest`.
    pub fn text(&self, display: TimingDisplay, total: Duration) -> String {
        let rest = total.saturating_sub(self.sum(|row| row.wall_time));
        let threads = self.sum(|row| row.thread_time) + rest;
        let mut lines: Vec<(usize, &str, Duration, Duration)> = Vec::new();
        match display {
            TimingDisplay::Tree => self.tree(0, &mut lines),
            TimingDisplay::List => self.list(&mut lines),
        }
        lines.push((0, "Rest", rest, rest));
        lines.push((0, "Total", threads, total));
        let rule = format!("==={}===\n", "-".repeat(73));
        let mut out = format!("{rule}{:25}... Execution time report ...\n{rule}", "");
        let _ = writeln!(out, "  Total Execution Time: {:.4} seconds\n", total.as_secs_f64());
        let _ = writeln!(out, "  ---Thread Time---  ----Wall Time----  ----Name----");
        for (depth, name, thread_time, wall_time) in lines {
            let columns = format!("{}  {}", column(thread_time, threads), column(wall_time, total));
            let _ = writeln!(out, "  {columns}  {:indent$}{name}", "", indent = 2 * depth);
        }
        out
    }

    fn tree<'t>(&'t self, depth: usize, lines: &mut Vec<(usize, &'t str, Duration, Duration)>) {
        for row in &self.rows {
            lines.push((depth, &row.name, row.thread_time, row.wall_time));
            row.parts.tree(depth + 1, lines);
        }
    }

    fn list<'t>(&'t self, lines: &mut Vec<(usize, &'t str, Duration, Duration)>) {
        let mut all = Vec::new();
        self.tree(0, &mut all);
        for (_, name, thread_time, wall_time) in all {
            match lines.iter_mut().find(|line| line.1 == name) {
                Some(line) => (line.2, line.3) = (line.2 + thread_time, line.3 + wall_time),
                None => lines.push((0, name, thread_time, wall_time)),
            }
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.3));
    }
}

impl TimingRow {
    pub(crate) fn add(&mut self, time: Duration) {
        self.thread_time += time;
        self.wall_time += time;
    }
}

fn column(time: Duration, total: Duration) -> String {
    let (time, total) = (time.as_secs_f64(), total.as_secs_f64());
    let share = if total > 0.0 { 100.0 * time / total } else { 0.0 };
    format!("{time:8.4} ({share:5.1}%)")
}
