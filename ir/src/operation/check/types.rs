//! Every type that the custom form does not write follows from a rule.

use super::Checker;
use crate::context::Context;
use crate::dialect::DialectRegistry;
use crate::operation::{Arity, FormatElement, Presence, ResultRule, Slot};

impl Checker<'_> {
    pub(super) fn types(&mut self) {
        let declaration = self.declaration;
        let Some(format) = declaration.format else { return };
        let operands: Vec<Slot> = (0..declaration.operands.len()).map(Slot::Operand).collect();
        let results: Vec<Slot> = (0..declaration.results.len()).map(Slot::Result).collect();
        let all = [operands, results].concat();
        let context = Context::new(DialectRegistry::new());
        let group = |slot: Slot| match slot {
            Slot::Operand(index) => &declaration.operands[index],
            Slot::Result(index) => &declaration.results[index],
        };
        let mut known: Vec<Slot> =
            all.iter().copied().filter(|&slot| (group(slot).rule.only)(&context).is_some()).collect();
        written(format, &all, &mut known);
        // Nothing follows from a group that may be empty.
        let gives = |slot: Slot, known: &[Slot]| group(slot).arity == Arity::One && known.contains(&slot);
        let is_always_there = |key: &str| {
            let property = declaration.properties.iter().find(|property| property.name == key);
            property.is_some_and(|property| !matches!(property.presence, Presence::Optional))
        };
        // Each round settles a slot or is the last one.
        loop {
            let before = known.len();
            for rule in declaration.rules {
                let found: &[Slot] = match rule {
                    ResultRule::Same(slots) if slots.iter().any(|&slot| gives(slot, &known)) => slots,
                    ResultRule::Derived { target, source, .. } if gives(*source, &known) => {
                        std::slice::from_ref(target)
                    }
                    ResultRule::FromProperty { target, property } if is_always_there(property) => {
                        std::slice::from_ref(target)
                    }
                    _ => &[],
                };
                let new: Vec<Slot> = found.iter().copied().filter(|slot| !known.contains(slot)).collect();
                known.extend(new);
            }
            if known.len() == before {
                break;
            }
        }
        for slot in all.into_iter().filter(|slot| !known.contains(slot)) {
            self.fault(format!("the type of '{}' is neither written nor follows from a rule", group(slot).name));
        }
    }
}

fn written(format: &[FormatElement], all: &[Slot], known: &mut Vec<Slot>) {
    for element in format {
        match *element {
            FormatElement::Types(slot) => known.push(slot),
            FormatElement::FunctionalType => known.extend_from_slice(all),
            FormatElement::Successors { operands: Some(index), .. } => known.push(Slot::Operand(index)),
            FormatElement::Group { elements, .. } => written(elements, all, known),
            _ => {}
        }
    }
}
