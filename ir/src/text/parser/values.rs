//! Definitions and uses of values.

use super::custom::UnresolvedOperand;
use super::names::{Binding, Forward, ForwardUse, Meaning, Slot};
use super::{Parser, similar};
use crate::body::ValueId;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::types::Type;

impl<'c> Parser<'c, '_> {
    /// Defines a name for `count` values in a row, `first` and those after it.
    pub(super) fn define(&mut self, name: &'c str, first: ValueId, count: u32, span: Span) {
        self.bind(name, Meaning::Values { first, count, position: span.start }, span);
    }

    /// Defines a name as poisoned: what should define it is wrong, which has been reported, and uses of it are silent.
    pub(super) fn define_poisoned(&mut self, name: &'c str, span: Span) {
        let slot = self.names.slot(name);
        if !self.is_visible(self.names.get(slot)) {
            self.bind(name, Meaning::Poisoned { position: span.start }, span);
        }
    }

    /// Remembers that the name of a definition is missing here.
    pub(super) fn lose_definition(&mut self) {
        let position = self.span().start;
        self.state_mut().lost.push(position);
    }

    /// Whether a binding is a definition that can be seen at the current place.
    fn is_visible(&self, binding: Binding) -> bool {
        binding.level > self.state().outer_level
            && matches!(binding.meaning, Meaning::Values { .. } | Meaning::Poisoned { .. })
    }

    fn bind(&mut self, name: &'c str, meaning: Meaning, span: Span) {
        let slot = self.names.slot(name);
        let old = self.names.get(slot);
        match old.meaning {
            Meaning::Values { position, .. } | Meaning::Poisoned { position } if self.is_visible(old) => {
                let first = name_span(position, name.len());
                let message = format!("the value '%{name}' is defined twice");
                self.report(
                    Diagnostic::error("redefined-value", span, message)
                        .note(first, "it is defined here first")
                        .help("give one of them another name; names of enclosing regions count as well"),
                );
                return;
            }
            Meaning::Forward(index) if old.level == self.level => {
                let forward = std::mem::take(&mut self.names.forward[index as usize]);
                self.resolve_forward(forward, name, meaning, span);
            }
            _ => {}
        }
        self.names.bind(slot, Binding { meaning, level: self.level });
    }

    fn resolve_forward(&mut self, forward: Forward, name: &str, meaning: Meaning, span: Span) {
        let Meaning::Values { first, count, .. } = meaning else { return };
        for one in forward.uses {
            if one.index >= count {
                self.no_such_result(one.first_use, name, one.index, count, span);
                continue;
            }
            let value = nth(first, one.index);
            let found = self.body().value_type(value);
            if found != one.ty {
                self.type_mismatch(one.first_use, name, one.ty, found, span);
                continue;
            }
            self.body_mut().replace_all_uses(one.placeholder, value);
        }
    }

    #[cold]
    fn no_such_result(&mut self, place: Span, name: &str, index: u32, count: u32, definition: Span) {
        let message =
            format!("'%{name}' has {count} value{}, so there is no '%{name}#{index}'", plural(count as usize));
        self.report(Diagnostic::error("result-number", place, message).note(definition, "it is defined here"));
    }

    #[cold]
    fn type_mismatch(&mut self, place: Span, name: &str, used: Type, defined: Type, definition: Span) {
        let (used, defined) = (self.type_text(used), self.type_text(defined));
        let message = format!("'%{name}' is used as '{used}', but its type is '{defined}'");
        self.report(Diagnostic::error("type-mismatch", place, message).note(definition, "it is defined here"));
    }

    /// The value that an operand names, if it is defined.
    pub(super) fn defined_value(&self, operand: &UnresolvedOperand<'c>) -> Option<ValueId> {
        let binding = self.names.get(self.names.known_slot(operand.name)?);
        match binding.meaning {
            Meaning::Values { first, count, .. } if operand.index < count && self.is_visible(binding) => {
                Some(nth(first, operand.index))
            }
            _ => None,
        }
    }

    /// Whether an operand names what could not be read.
    pub(super) fn is_poisoned(&self, operand: &UnresolvedOperand<'c>) -> bool {
        let Some(slot) = self.names.known_slot(operand.name) else { return false };
        let binding = self.names.get(slot);
        matches!(binding.meaning, Meaning::Poisoned { .. }) && self.is_visible(binding)
    }

    /// The value that an operand names, with this type. After a mistake, which is reported, another value of the type
    /// stands for it.
    pub(super) fn resolve_value(&mut self, operand: &UnresolvedOperand<'c>, ty: Type) -> ValueId {
        let slot = self.names.slot(operand.name);
        let binding = self.names.get(slot);
        if binding.level <= self.state().outer_level {
            return self.forward_reference(slot, operand, ty);
        }
        match binding.meaning {
            Meaning::Values { first, count, position } => {
                let value = nth(first, operand.index);
                if operand.index < count {
                    let found = self.body().value_type(value);
                    if found == ty {
                        return value;
                    }
                    let place = name_span(position, operand.name.len());
                    self.type_mismatch(operand.span, operand.name, ty, found, place);
                } else {
                    let place = name_span(position, operand.name.len());
                    self.no_such_result(operand.span, operand.name, operand.index, count, place);
                }
                self.placeholder(ty)
            }
            Meaning::Poisoned { .. } => self.placeholder(ty),
            Meaning::Forward(_) | Meaning::Unbound => self.forward_reference(slot, operand, ty),
        }
    }

    fn forward_reference(&mut self, slot: Slot, operand: &UnresolvedOperand<'c>, ty: Type) -> ValueId {
        let binding = self.names.get(slot);
        let index = match binding.meaning {
            Meaning::Forward(index) if binding.level == self.level => index,
            _ => {
                let index = self.names.forward.len() as u32;
                self.names.forward.push(Forward::default());
                self.names.bind(slot, Binding { meaning: Meaning::Forward(index), level: self.level });
                index
            }
        };
        let known = self.names.forward[index as usize].uses.iter().find(|one| one.index == operand.index).copied();
        if let Some(known) = known {
            if known.ty == ty {
                return known.placeholder;
            }
            self.conflicting_uses(operand.name, known, operand.span, ty);
            return self.placeholder(ty);
        }
        let placeholder = self.placeholder(ty);
        let one = ForwardUse { index: operand.index, ty, placeholder, first_use: operand.span };
        self.names.forward[index as usize].uses.push(one);
        placeholder
    }

    #[cold]
    fn conflicting_uses(&mut self, name: &str, known: ForwardUse, place: Span, ty: Type) {
        if self.state().tolerant {
            return;
        }
        let (known_type, ty) = (self.type_text(known.ty), self.type_text(ty));
        let message = format!("'%{name}' is used as '{ty}' here and as '{known_type}' before");
        let diagnostic = Diagnostic::error("type-mismatch", place, message);
        self.report(diagnostic.note(known.first_use, "it is used here first"));
    }

    /// Forgets the names that were bound since `mark`, at the end of the region that began there. Uses of names without
    /// a definition go on waiting for one in the region around it; at the end of a body they are errors.
    pub(super) fn end_names(&mut self, mark: usize) {
        let is_last = self.level <= self.state().outer_level + 1;
        let log = self.names.take_log(mark);
        let mut undefined = Vec::new();
        for &(slot, old) in log.iter().rev() {
            let current = self.names.get(slot);
            let Meaning::Forward(index) = current.meaning else {
                self.names.set(slot, old);
                continue;
            };
            if is_last {
                undefined.push((slot, old, std::mem::take(&mut self.names.forward[index as usize])));
                continue;
            }
            match old.meaning {
                Meaning::Forward(outer) if old.level > self.state().outer_level => {
                    let forward = std::mem::take(&mut self.names.forward[index as usize]);
                    self.merge_forward(slot, forward, outer);
                    self.names.set(slot, old);
                }
                _ => {
                    self.names.set(slot, Binding { level: self.level - 1, ..current });
                    self.names.keep(slot, old);
                }
            }
        }
        if !undefined.is_empty() {
            self.report_undefined(&log, undefined);
        }
    }

    fn merge_forward(&mut self, slot: Slot, forward: Forward, outer: u32) {
        for one in forward.uses {
            let known = self.names.forward[outer as usize].uses.iter().find(|known| known.index == one.index).copied();
            match known {
                Some(known) if known.ty == one.ty => {
                    self.body_mut().replace_all_uses(one.placeholder, known.placeholder);
                }
                Some(known) => {
                    let name = self.names.text(slot);
                    self.conflicting_uses(&name, known, one.first_use, one.ty);
                }
                None => self.names.forward[outer as usize].uses.push(one),
            }
        }
    }

    #[cold]
    fn report_undefined(&mut self, log: &[(Slot, Binding)], undefined: Vec<(Slot, Binding, Forward)>) {
        let tolerant = self.state().tolerant;
        let mut defined: Vec<String> = Vec::new();
        for &(slot, old) in log {
            if matches!(self.names.get(slot).meaning, Meaning::Forward(_)) {
                self.names.set(slot, old);
            } else if !tolerant && defined.len() <= MOST_CANDIDATES {
                defined.push(self.names.text(slot));
            }
        }
        if tolerant {
            return;
        }
        let mut undefined: Vec<(Span, Slot, Binding)> = undefined
            .into_iter()
            .filter_map(|(slot, old, forward)| {
                let first = forward.uses.iter().map(|one| one.first_use).min_by_key(|span| span.start)?;
                Some((first, slot, old))
            })
            .collect();
        undefined.sort_by_key(|&(first, ..)| first.start);
        for (first, slot, old) in undefined {
            let lost = &mut self.state_mut().lost;
            if let Some(explained) = lost.iter().position(|&position| position < first.start) {
                lost.remove(explained);
                continue;
            }
            let name = self.names.text(slot);
            let diagnostic = match old.meaning {
                Meaning::Values { position, .. } | Meaning::Poisoned { position } => {
                    let operation = self.state().name.as_str(self.context);
                    let message =
                        format!("the value '%{name}' is defined outside of '{operation}', which does not see it");
                    Diagnostic::error("undefined-value", first, message)
                        .note(name_span(position, name.len()), "it is defined here")
                        .help("pass it as an argument")
                }
                Meaning::Unbound | Meaning::Forward(_) => {
                    let message = format!("the value '%{name}' is used but not defined");
                    let diagnostic = Diagnostic::error("undefined-value", first, message);
                    match similar(&name, defined.iter().map(String::as_str)) {
                        Some(near) => diagnostic.help(format!("a value with a similar name is defined: '%{near}'")),
                        None => diagnostic,
                    }
                }
            };
            self.report(diagnostic);
        }
    }

    pub(super) fn type_text(&self, ty: Type) -> String {
        super::super::type_to_string(self.context, ty)
    }
}

/// Comparing more names than this for each mistake would cost more than the hint is worth.
pub(super) const MOST_CANDIDATES: usize = 2000;

/// The span of a name with its sigil.
fn name_span(position: u32, length: usize) -> Span {
    Span { start: position, end: position + length as u32 + 1 }
}

fn nth(first: ValueId, index: u32) -> ValueId {
    ValueId::from_index(first.index() + index as usize)
}

pub(super) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
