//! What a run of the greedy driver did.

use std::fmt;

use crate::rewrite::pattern::FrozenPatternSet;

/// Why the driver stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GreedyEnd {
    /// The last scan changed nothing.
    Converged,
    /// As many changes were made as the size of the body allows.
    BudgetExhausted,
    /// The last allowed scan still changed something.
    ScansExhausted,
}

/// What a run of the greedy driver did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GreedyReport {
    /// Why it stopped.
    pub end: GreedyEnd,
    /// Number of scans over the body.
    pub scans: u32,
    /// Number of changes of all kinds.
    pub changes: u64,
    /// Number of patterns that were applied.
    pub applied: u64,
    /// Number of operations that folded.
    pub folded: u64,
    /// Number of dead operations that were erased, those in unreachable blocks not counted.
    pub erased: u64,
    /// The patterns, and what the driver does by itself, that were still firing when it stopped early, the most
    /// frequent first, with how often. Empty if it converged.
    pub still_firing: Vec<(&'static str, u64)>,
}

impl GreedyReport {
    /// Whether the body is different now.
    pub fn changed(&self) -> bool {
        self.changes > 0
    }

    /// Whether the body is a fixed point of the patterns.
    pub fn converged(&self) -> bool {
        self.end == GreedyEnd::Converged
    }
}

impl fmt::Display for GreedyReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scans, changes, .. } = self;
        match self.end {
            GreedyEnd::Converged => return write!(formatter, "converged after {changes} changes in {scans} scans"),
            GreedyEnd::BudgetExhausted => write!(formatter, "stopped after {changes} changes without converging")?,
            GreedyEnd::ScansExhausted => write!(formatter, "stopped after {scans} scans without converging")?,
        }
        for (index, (name, count)) in self.still_firing.iter().take(5).enumerate() {
            let lead = if index == 0 { "; still firing: " } else { ", " };
            write!(formatter, "{lead}{name} ({count} times)")?;
        }
        Ok(())
    }
}

/// How a pattern broke its contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// It said that it had applied, but the body is as it was.
    ClaimedChange,
    /// It said that it does not apply, but the body is different.
    HiddenChange,
    /// The body does not verify after it, and did before; this is the first fault.
    BrokenBody(String),
}

/// A pattern, or a fold, broke its contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GreedyFault {
    /// The pattern; for a fold, the operation that folded.
    pub pattern: String,
    /// How.
    pub kind: FaultKind,
}

impl fmt::Display for GreedyFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the pattern '{}' ", self.pattern)?;
        match &self.kind {
            FaultKind::ClaimedChange => formatter.write_str("reports success but changes nothing"),
            FaultKind::HiddenChange => formatter.write_str("reports that it does not apply but changes the operations"),
            FaultKind::BrokenBody(fault) => write!(formatter, "leaves operations that do not verify: {fault}"),
        }
    }
}

impl std::error::Error for GreedyFault {}

/// What the driver does by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BuiltinRewrite {
    DeadOperation,
    Fold,
    Constant,
    OperandOrder,
    DecidedBranch,
    UnreachableBlock,
}

impl BuiltinRewrite {
    const NAMES: [&'static str; 6] = [
        "erasing dead operations",
        "folding",
        "placing constants",
        "ordering operands",
        "deciding branches",
        "erasing unreachable blocks",
    ];
}

/// Counts changes.
pub(super) struct Tally<'a> {
    patterns: &'a FrozenPatternSet,
    budget: u64,
    total: u64,
    /// For what the driver does by itself, then for each pattern.
    counts: Vec<u64>,
    /// The same, since the start of the last scan or the second half of the budget.
    recent: Vec<u64>,
}

impl<'a> Tally<'a> {
    pub(super) fn new(patterns: &'a FrozenPatternSet, budget: u64) -> Self {
        let counts = vec![0; BuiltinRewrite::NAMES.len() + patterns.patterns().len()];
        Self { patterns, budget, total: 0, recent: counts.clone(), counts }
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.total >= self.budget
    }

    pub(super) fn begin_scan(&mut self) {
        self.recent.fill(0);
    }

    pub(super) fn builtin(&mut self, rewrite: BuiltinRewrite) {
        self.count(rewrite as usize);
    }

    pub(super) fn pattern(&mut self, index: u32) {
        self.count(BuiltinRewrite::NAMES.len() + index as usize);
    }

    fn count(&mut self, slot: usize) {
        if self.total == self.budget / 2 {
            self.recent.fill(0);
        }
        self.total += 1;
        self.counts[slot] += 1;
        self.recent[slot] += 1;
    }

    pub(super) fn report(&self, scans: u32, end: GreedyEnd) -> GreedyReport {
        let count = |rewrite: BuiltinRewrite| self.counts[rewrite as usize];
        let mut still_firing = Vec::new();
        if end != GreedyEnd::Converged {
            let names = BuiltinRewrite::NAMES.into_iter().chain(self.patterns.patterns().iter().map(|p| p.name()));
            still_firing.extend(names.zip(self.recent.iter().copied()).filter(|&(_, count)| count > 0));
            still_firing.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        }
        GreedyReport {
            end,
            scans,
            changes: self.total,
            applied: self.counts[BuiltinRewrite::NAMES.len()..].iter().sum(),
            folded: count(BuiltinRewrite::Fold),
            erased: count(BuiltinRewrite::DeadOperation),
            still_firing,
        }
    }
}
