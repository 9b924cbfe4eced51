//! Properties against their declarations.

use rustc_hash::FxHashSet;

use super::body::BodyVerifier;
use super::names::Declared;
use crate::attributes::Dictionary;
use crate::body::OpId;
use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;
use crate::operation::{OperationName, Presence};

/// Pairs of an operation and properties that were found to be right. Properties are interned, so most operations have
/// a pair that was met before.
#[derive(Default)]
pub(super) struct ValidProperties {
    known: FxHashSet<(OperationName, Dictionary)>,
    /// The pair that was asked for last.
    last: Option<(OperationName, Dictionary)>,
}

impl ValidProperties {
    fn contains(&mut self, pair: (OperationName, Dictionary)) -> bool {
        if self.last == Some(pair) {
            return true;
        }
        let known = self.known.contains(&pair);
        if known {
            self.last = Some(pair);
        }
        known
    }
}

impl BodyVerifier<'_, '_> {
    /// Compares the properties with the declaration. Says whether nothing is wrong.
    pub(super) fn check_properties(&mut self, op: OpId, declared: &Declared) -> bool {
        let properties = self.body.properties(op);
        if properties.is_empty() && declared.declaration.properties.is_empty() {
            return true;
        }
        let pair = (self.body.operation_name(op), properties);
        if self.session.properties.contains(pair) {
            return true;
        }
        let errors = self.wrong_properties(op, declared, properties);
        if errors.is_empty() {
            self.session.properties.known.insert(pair);
            return true;
        }
        for error in errors {
            self.faults.report_broken(op, error);
        }
        false
    }

    fn wrong_properties(&self, op: OpId, declared: &Declared, properties: Dictionary) -> Vec<Diagnostic> {
        let (context, declaration) = (self.context, declared.declaration);
        let mut errors = Vec::new();
        for property in declaration.properties {
            match (properties.get(context, property.name), property.presence) {
                (Some(value), _) if !(property.rule.accepts)(context, value) => {
                    let what = format!("property '{}' must be {}", property.name, property.rule.description);
                    errors.push(self.error("property-kind", op, &what));
                }
                (None, Presence::Required | Presence::Default(_)) if !is_segments(declared, property.name) => {
                    let what = format!("needs the property '{}', {}", property.name, property.rule.description);
                    errors.push(self.error("missing-property", op, &what));
                }
                _ => {}
            }
        }
        for (key, _) in properties.entries(context) {
            let key = key.as_str(context);
            let is_declared = declaration.properties.iter().any(|property| property.name == key);
            if is_declared || is_segments(declared, key) {
                continue;
            }
            let error = self.error("unknown-property", op, &format!("has no property '{key}'"));
            let names = declaration.properties.iter().map(|property| property.name);
            errors.push(match nearest(key, names) {
                Some(meant) => error.help(format!("did you mean '{meant}'?")),
                None => error.help("an attribute that the operation does not declare goes among the discardable ones"),
            });
        }
        errors
    }
}

/// Whether a property holds the sizes of the operand groups, which are checked with the numbers of operands.
fn is_segments(declared: &Declared, key: &str) -> bool {
    key == "operandSegmentSizes" && declared.declaration.has_operand_segments()
}
