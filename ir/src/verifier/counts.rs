//! Numbers of operands, results, regions and successors.

use std::ops::Range;

use super::body::BodyVerifier;
use super::message::{counted, listed};
use super::names::{Counts, Declared};
use crate::attributes::{ArrayElement, AttributeKind};
use crate::body::OpId;
use crate::operation::{Arity, OperandDeclaration};

impl<'a> BodyVerifier<'_, 'a> {
    /// Compares all numbers with the declaration. Says whether they fit, so that each group has its range.
    pub(super) fn check_counts(&mut self, op: OpId, declared: &Declared) -> bool {
        let body = self.body;
        let declaration = declared.declaration;
        let mut holds = true;
        if !declared.operands.accept(body.operand_count(op)) {
            let names = || declaration.operands.iter().map(|group| group.name);
            self.report_count(op, "operand", "operand-count", body.operand_count(op), &declared.operands, names());
            holds = false;
        } else if declared.operands.flexible > 1 {
            holds = self.check_segments(op, declaration.operands);
        }
        if !declared.results.accept(body.result_count(op)) {
            let names = || declaration.results.iter().map(|group| group.name);
            self.report_count(op, "result", "result-count", body.result_count(op), &declared.results, names());
            holds = false;
        }
        if !declared.regions.accept(body.regions(op).len()) {
            let names = || declaration.regions.iter().map(|group| group.name);
            self.report_count(op, "region", "region-count", body.regions(op).len(), &declared.regions, names());
            holds = false;
        }
        if !declared.successors.accept(body.successor_count(op)) {
            let names = || declaration.successors.iter().map(|group| group.name);
            let count = body.successor_count(op);
            self.report_count(op, "successor", "successor-count", count, &declared.successors, names());
            holds = false;
        }
        holds
    }

    fn report_count<'n>(
        &mut self,
        op: OpId,
        thing: &str,
        code: &'static str,
        found: usize,
        counts: &Counts,
        names: impl Iterator<Item = &'n str>,
    ) {
        let names: Vec<String> = names.filter(|name| !name.is_empty()).map(|name| format!("'{name}'")).collect();
        let names = if names.is_empty() { String::new() } else { format!(" ({})", listed(&names)) };
        let (least, most) = (counts.least as usize, counts.most as usize);
        let expected = if least == most {
            counted(least, thing)
        } else if counts.most == u32::MAX {
            format!("at least {}", counted(least, thing))
        } else {
            format!("{least} to {}", counted(most, thing))
        };
        let error = self.error(code, op, &format!("must have {expected}{names}, but has {found}"));
        self.faults.report_broken(op, error);
    }

    /// Checks `operandSegmentSizes`, which says how many operands each group has.
    fn check_segments(&mut self, op: OpId, groups: &[OperandDeclaration]) -> bool {
        let what = match self.segment_sizes(op) {
            None => "needs the property 'operandSegmentSizes' with the number of operands of each group".to_owned(),
            Some(sizes) => match wrong_sizes(sizes, groups, self.body.operand_count(op)) {
                None => return true,
                Some(wrong) => format!("property 'operandSegmentSizes' {wrong}"),
            },
        };
        let names: Vec<String> = groups.iter().map(|group| format!("'{}'", group.name)).collect();
        let error = self
            .error("operand-segments", op, &what)
            .remark_note(format!("the groups are {}", listed(&names)))
            .help(format!("write an array<i32: ...> of {} that add up to the number of operands", groups.len()));
        self.faults.report_broken(op, error);
        false
    }

    /// The elements of the property `operandSegmentSizes`.
    pub(super) fn segment_sizes(&self, op: OpId) -> Option<&'a [i128]> {
        let entries = self.body.properties(op).entries(self.context);
        let &(_, sizes) = entries.iter().find(|(key, _)| *key == self.session.segment_sizes)?;
        match sizes.kind(self.context) {
            AttributeKind::DenseArray(array) if array.element == ArrayElement::I32 => Some(&array.values),
            _ => None,
        }
    }

    /// The operands or results of each declared group in turn, once the numbers hold.
    pub(super) fn groups(
        &self,
        op: OpId,
        declared: &'static [OperandDeclaration],
        counts: &Counts,
        count: usize,
    ) -> Groups<'a> {
        let sizes = if counts.flexible > 1 { self.segment_sizes(op) } else { None };
        Groups { declared, sizes, rest: count - counts.least as usize, start: 0, index: 0 }
    }
}

/// See [`BodyVerifier::groups`].
#[derive(Clone)]
pub(super) struct Groups<'a> {
    declared: &'static [OperandDeclaration],
    sizes: Option<&'a [i128]>,
    /// What the one group that is not of exactly one has.
    rest: usize,
    start: usize,
    index: usize,
}

impl Iterator for Groups<'_> {
    type Item = (&'static OperandDeclaration, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.declared.get(self.index)?;
        let size = match (self.sizes, group.arity) {
            (Some(sizes), _) => sizes[self.index] as usize,
            (None, Arity::One) => 1,
            (None, _) => self.rest,
        };
        let range = self.start..self.start + size;
        (self.start, self.index) = (range.end, self.index + 1);
        Some((group, range))
    }
}

fn wrong_sizes(sizes: &[i128], groups: &[OperandDeclaration], operands: usize) -> Option<String> {
    if sizes.len() != groups.len() {
        return Some(format!("has {}, but there are {} groups", counted(sizes.len(), "element"), groups.len()));
    }
    for (&size, group) in sizes.iter().zip(groups) {
        let most = match group.arity {
            Arity::One | Arity::Optional => Some(1),
            Arity::Variadic => None,
        };
        let least = i128::from(group.arity == Arity::One);
        if size < least || most.is_some_and(|most| size > most) {
            return Some(format!("gives the group '{}' {size} operands", group.name));
        }
    }
    let sum: i128 = sizes.iter().sum();
    (sum != operands as i128).then(|| format!("adds up to {sum}, but there are {}", counted(operands, "operand")))
}
