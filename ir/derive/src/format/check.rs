//! Everything is written, once, and every type can be known.

use super::Element;
use crate::fields::{Arity, Fields, Place, Presence};
use crate::rules::{Rule, Slot, close};

type Result = std::result::Result<(), String>;

/// Checks a format against the declared parts of its operation.
pub(super) fn check(elements: &[Element], fields: &Fields, rules: &[Rule]) -> Result {
    let mut written = Written { fields, places: Vec::new(), types: Vec::new(), forwarded: Vec::new(), dictionaries: 0 };
    written.visit(elements, None)?;
    match written.dictionaries {
        0 => return Err("a format must have `attr-dict` or `attr-dict-with-keyword`".to_owned()),
        1 => {}
        _ => return Err("a format has one `attr-dict` or `attr-dict-with-keyword`".to_owned()),
    }
    let operands = (0..fields.operands.len()).map(Place::Operand);
    let regions = (0..fields.regions.len()).map(Place::Region);
    let successors = (0..fields.successors.len()).map(Place::Successor);
    for place in operands.chain(regions).chain(successors) {
        if !written.places.contains(&place) {
            return Err(format!("the format does not write the {} `{}`", place.kind(), fields.name(place)));
        }
    }
    written.check_types(rules)
}

struct Written<'f> {
    fields: &'f Fields,
    /// What is written, but for types.
    places: Vec<Place>,
    /// Whose types are written.
    types: Vec<Slot>,
    /// Operand groups that are written with their types as what a successor gets.
    forwarded: Vec<usize>,
    dictionaries: usize,
}

impl Written<'_> {
    fn visit(&mut self, elements: &[Element], group: Option<Place>) -> Result {
        elements.iter().try_for_each(|element| self.element(element, group))
    }

    fn element(&mut self, element: &Element, group: Option<Place>) -> Result {
        match *element {
            Element::Literal(_) => Ok(()),
            Element::Operand(index) => self.place(Place::Operand(index), group),
            Element::Property(index) => self.place(Place::Property(index), group),
            Element::Region(index) => self.place(Place::Region(index), group),
            Element::Successor { successor, operands } => self.successor(successor, operands, group),
            Element::OperandTypes(index) => self.types(Slot::Operand(index), group),
            Element::ResultTypes(index) => self.types(Slot::Result(index), group),
            Element::AllOperands => self.all_operands(group),
            Element::FunctionalType => {
                if group.is_some() {
                    return Err("`functional-type` must not stand in an optional group".to_owned());
                }
                let operands = (0..self.fields.operands.len()).map(Slot::Operand);
                let mut slots = operands.chain((0..self.fields.results.len()).map(Slot::Result));
                slots.try_for_each(|slot| self.types(slot, None))
            }
            Element::AttributeDictionary { .. } => {
                self.dictionaries += 1;
                match group {
                    Some(_) => Err("the attribute dictionary must not stand in an optional group".to_owned()),
                    None => Ok(()),
                }
            }
            Element::Group { anchor, ref elements } => self.visit(elements, Some(anchor)),
        }
    }

    fn place(&mut self, place: Place, group: Option<Place>) -> Result {
        let (fields, name) = (self.fields, self.fields.name(place));
        if self.places.contains(&place) {
            return Err(format!("the format writes the {} `{name}` twice", place.kind()));
        }
        let is_always_there = match place {
            Place::Operand(index) => fields.operands[index].arity == Arity::One,
            Place::Region(index) => fields.regions[index].arity == Arity::One && group != Some(place),
            Place::Successor(index) => fields.successors[index].arity == Arity::One,
            Place::Property(index) => matches!(fields.properties[index].presence, Presence::Required),
            Place::Result(_) => false,
        };
        if group.is_some() && is_always_there {
            let kind = place.kind();
            return Err(format!("the {kind} `{name}` is always there, so it must not stand in an optional group"));
        }
        if let Place::Property(index) = place
            && matches!(fields.properties[index].presence, Presence::Optional)
            && group.is_none()
        {
            return Err(format!("the property `{name}` may be absent, so it must stand in an optional group"));
        }
        if let Place::Property(index) = place
            && fields.constraint(index) == "UnitFlag"
            && group != Some(place)
        {
            return Err(format!("the flag `{name}` has no text of its own: write `` (`{name}` ${name}^)? ``"));
        }
        self.places.push(place);
        Ok(())
    }

    fn successor(&mut self, successor: usize, operands: Option<usize>, group: Option<Place>) -> Result {
        let place = Place::Successor(successor);
        self.place(place, group)?;
        let Some(operands) = operands else { return Ok(()) };
        let name = self.fields.name(place);
        if self.fields.successors[successor].arity != Arity::One {
            return Err(format!(
                "`{name}` is not one successor: one operand group does not say which of them gets which operands"
            ));
        }
        if self.fields.operands[operands].arity != Arity::Variadic {
            let operands = self.fields.name(Place::Operand(operands));
            return Err(format!("the operands `{operands}` that `{name}` gets must be variadic"));
        }
        self.forwarded.push(operands);
        self.place(Place::Operand(operands), group)
    }

    fn all_operands(&mut self, group: Option<Place>) -> Result {
        let flexible = self.fields.operands.iter().filter(|group| group.arity != Arity::One);
        match self.fields.operands.len() {
            0 => Err("`operands` stands for nothing: there are none".to_owned()),
            _ if flexible.count() > 1 => {
                Err("`operands` does not say where one optional or variadic group ends".to_owned())
            }
            count => (0..count).try_for_each(|index| self.place(Place::Operand(index), group)),
        }
    }

    fn types(&mut self, slot: Slot, group: Option<Place>) -> Result {
        let place = slot.place();
        let name = self.fields.name(place);
        let doubled = matches!(slot, Slot::Operand(index) if self.forwarded.contains(&index));
        if self.types.contains(&slot) || doubled {
            return Err(format!("the format writes the type of `{name}` twice"));
        }
        if group.is_some() && self.fields.group(slot).arity == Arity::One {
            return Err(format!("`{name}` always has a type, so `type(${name})` must not stand in an optional group"));
        }
        self.types.push(slot);
        Ok(())
    }

    fn check_types(&self, rules: &[Rule]) -> Result {
        let mut known = self.types.clone();
        close(self.fields, rules, &mut known);
        known.extend(self.forwarded.iter().map(|&index| Slot::Operand(index)));
        let operands = (0..self.fields.operands.len()).map(Slot::Operand);
        for slot in operands.chain((0..self.fields.results.len()).map(Slot::Result)) {
            let name = self.fields.name(slot.place());
            if !known.contains(&slot) {
                return Err(format!(
                    "the type of `{name}` is not known: write `type(${name})`, or declare a rule that gives it"
                ));
            }
            let is_result = matches!(slot, Slot::Result(_));
            if is_result && self.fields.group(slot).arity != Arity::One && !self.types.contains(&slot) {
                return Err(format!("how many results `{name}` has is not known: write `type(${name})`"));
            }
        }
        Ok(())
    }
}
