//! Types of operands and results.

use std::ops::Range;

use super::body::BodyVerifier;
use super::message::{listed, numbered, type_text};
use super::names::Declared;
use crate::body::OpId;
use crate::operation::{ResultRule, Slot, type_of_attribute};
use crate::types::Type;

impl BodyVerifier<'_, '_> {
    /// Compares all types with the constraints of their groups and, if these hold, with the rules that tie them
    /// together. The numbers hold already. Says whether nothing is wrong.
    pub(super) fn check_types(&mut self, op: OpId, declared: &Declared) -> bool {
        let (context, body, declaration) = (self.context, self.body, declared.declaration);
        let mut wrong = 0;
        for (group, range) in self.groups(op, declaration.operands, &declared.operands, body.operand_count(op)) {
            for index in range {
                let ty = body.value_type(body.operand(op, index));
                if !(group.rule.accepts)(context, ty) {
                    self.report_type(op, "operand-type", numbered("operand", index, group), group.rule.description, ty);
                    wrong += 1;
                }
            }
        }
        for (group, range) in self.groups(op, declaration.results, &declared.results, body.result_count(op)) {
            for index in range {
                let ty = body.value_type(body.result(op, index));
                if !(group.rule.accepts)(context, ty) {
                    self.report_type(op, "result-type", numbered("result", index, group), group.rule.description, ty);
                    wrong += 1;
                }
            }
        }
        // Rules say little about types that must not be there.
        wrong == 0 && self.check_rules(op, declared)
    }

    fn check_rules(&mut self, op: OpId, declared: &Declared) -> bool {
        let mut holds = true;
        for rule in declared.declaration.rules {
            if let Some(broken) = self.broken_rule(op, declared, rule) {
                let error = self.error("type-rule", op, &broken);
                self.faults.report_broken(op, error);
                holds = false;
            }
        }
        holds
    }

    fn report_type(&mut self, op: OpId, code: &'static str, value: String, description: &str, ty: Type) {
        let found = type_text(self.context, ty);
        let error = self.error(code, op, &format!("{value} must be {description}, but is {found}"));
        self.faults.report_broken(op, error);
    }

    /// What is wrong, if a rule does not hold.
    fn broken_rule(&self, op: OpId, declared: &Declared, rule: &ResultRule) -> Option<String> {
        match *rule {
            ResultRule::Same(slots) => self.broken_equality(op, declared, slots),
            ResultRule::Derived { target, source, description, compute } => {
                let from = self.slot_types(op, declared, source).next()?;
                let name = slot_name(declared, source);
                let Some(expected) = compute(self.context, from) else {
                    let found = type_text(self.context, from);
                    return Some(format!("there is no {} of '{name}', which is {found}", without_article(description)));
                };
                self.unexpected(op, declared, target, expected, &format!("{description} '{name}'"))
            }
            ResultRule::FromProperty { target, property } => {
                let value = self.body.properties(op).get(self.context, property)?;
                let expected = type_of_attribute(self.context, value)?;
                self.unexpected(op, declared, target, expected, &format!("the type of the property '{property}'"))
            }
        }
    }

    fn broken_equality(&self, op: OpId, declared: &Declared, slots: &[Slot]) -> Option<String> {
        let mut all = slots.iter().flat_map(|&slot| self.slot_types(op, declared, slot).map(move |ty| (slot, ty)));
        let (first_slot, first) = all.next()?;
        let (other_slot, other) = all.find(|&(_, ty)| ty != first)?;
        let names: Vec<String> = slots.iter().map(|&slot| format!("'{}'", slot_name(declared, slot))).collect();
        let (first, other) = (type_text(self.context, first), type_text(self.context, other));
        let (first_name, other_name) = (slot_name(declared, first_slot), slot_name(declared, other_slot));
        let must = if let [single] = &*names {
            format!("all of {single} must have one type")
        } else {
            format!("{} must have one type", listed(&names))
        };
        Some(format!("{must}, but '{first_name}' is {first} and '{other_name}' is {other}"))
    }

    fn unexpected(
        &self,
        op: OpId,
        declared: &Declared,
        target: Slot,
        expected: Type,
        description: &str,
    ) -> Option<String> {
        let found = self.slot_types(op, declared, target).find(|&ty| ty != expected)?;
        let (expected, found) = (type_text(self.context, expected), type_text(self.context, found));
        let target = slot_name(declared, target);
        Some(format!("'{target}' must be {description}, {expected}, but is {found}"))
    }

    /// The types of the values of a group.
    fn slot_types(&self, op: OpId, declared: &Declared, slot: Slot) -> impl Iterator<Item = Type> + '_ {
        let (declaration, body) = (declared.declaration, self.body);
        let (is_operand, range): (bool, Option<Range<usize>>) = match slot {
            Slot::Operand(group) => {
                let mut groups = self.groups(op, declaration.operands, &declared.operands, body.operand_count(op));
                (true, groups.nth(group).map(|(_, range)| range))
            }
            Slot::Result(group) => {
                let mut groups = self.groups(op, declaration.results, &declared.results, body.result_count(op));
                (false, groups.nth(group).map(|(_, range)| range))
            }
        };
        range.unwrap_or(0..0).map(move |index| {
            body.value_type(if is_operand { body.operand(op, index) } else { body.result(op, index) })
        })
    }
}

fn slot_name(declared: &Declared, slot: Slot) -> &'static str {
    match slot {
        Slot::Operand(group) => declared.declaration.operands.get(group).map_or("", |group| group.name),
        Slot::Result(group) => declared.declaration.results.get(group).map_or("", |group| group.name),
    }
}

fn without_article(description: &str) -> &str {
    description.strip_prefix("the ").unwrap_or(description).trim_end_matches(" of")
}
