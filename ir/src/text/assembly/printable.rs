//! Whether a custom form says everything about an operation.
//!
//! A broken operation, or one whose optional parts do not go together as the format has them, is printed in the
//! generic form instead: what is printed can always be read back as it was.

use crate::operation::{
    Anchor, Arity, FormatElement, KnownTypes, OPERAND_SEGMENT_SIZES, OpRef, OperationDeclaration, Presence, ResultRule,
    Slot, type_of_attribute,
};

/// Whether an operation has the parts that its declaration names, so that a custom form may rely on them: numbers of
/// operands, results, successors and regions, and the properties, each of its declared kind.
pub(crate) fn has_declared_parts(op: OpRef<'_>, declaration: &OperationDeclaration) -> bool {
    counts(declaration.operands.iter().map(|group| group.arity), op.operand_count())
        && counts(declaration.results.iter().map(|group| group.arity), op.result_count())
        && counts(declaration.successors.iter().map(|group| group.arity), op.successors().len())
        && counts(declaration.regions.iter().map(|group| group.arity), op.regions().len())
        && segments_hold(op, declaration)
        && properties_hold(op, declaration)
}

fn counts(arities: impl Iterator<Item = Arity>, count: usize) -> bool {
    let (mut least, mut most) = (0, 0_usize);
    for arity in arities {
        least += usize::from(arity == Arity::One);
        most = if arity == Arity::Variadic { usize::MAX } else { most.saturating_add(1) };
    }
    (least..=most).contains(&count)
}

fn segments_hold(op: OpRef<'_>, declaration: &OperationDeclaration) -> bool {
    if !declaration.has_operand_segments() {
        return true;
    }
    let Some(sizes) = op.property(OPERAND_SEGMENT_SIZES) else { return false };
    let Some(sizes) = sizes.dense_i32_values(op.context) else { return false };
    let mut groups = declaration.operands.iter();
    let mut sum = 0;
    for size in sizes {
        let fits = groups.next().is_some_and(|group| match group.arity {
            Arity::One => size == 1,
            Arity::Optional => (0..=1).contains(&size),
            Arity::Variadic => size >= 0,
        });
        if !fits {
            return false;
        }
        sum += size as usize;
    }
    groups.next().is_none() && sum == op.operand_count()
}

fn properties_hold(op: OpRef<'_>, declaration: &OperationDeclaration) -> bool {
    let all_there = declaration.properties.iter().all(|property| match op.property(property.name) {
        Some(value) => (property.rule.accepts)(op.context, value),
        None => matches!(property.presence, Presence::Optional),
    });
    all_there
        && op.properties().entries(op.context).iter().all(|(key, _)| {
            let key = key.as_str(op.context);
            key == OPERAND_SEGMENT_SIZES && declaration.has_operand_segments()
                || declaration.properties.iter().any(|property| property.name == key)
        })
}

/// Whether a format says everything about an operation that has its declared parts.
pub(crate) fn fits_format(op: OpRef<'_>, declaration: &OperationDeclaration, format: &[FormatElement]) -> bool {
    groups_hold(op, declaration, format) && types_follow(op, declaration, format)
}

/// Whether what an anchor names is there.
pub(super) fn is_present(op: OpRef<'_>, declaration: &OperationDeclaration, anchor: Anchor) -> bool {
    match anchor {
        Anchor::Operands(group) => !op.operand_group(group).is_empty(),
        Anchor::Results(group) => !op.result_group(group).is_empty(),
        Anchor::Property(index) => {
            let property = &declaration.properties[index];
            op.property(property.name).is_some_and(|value| match property.presence {
                Presence::Default(make) => value != make(op.context),
                Presence::Required | Presence::Optional => true,
            })
        }
        Anchor::Regions(group) => op.regions().get(group).is_some_and(|&region| {
            declaration.regions[group].arity != Arity::One || op.body.entry_block(region).is_some()
        }),
        Anchor::Successors(group) => op.successors().len() > group,
    }
}

/// Optional groups that are left out must hold nothing, and those that are written must be complete.
fn groups_hold(op: OpRef<'_>, declaration: &OperationDeclaration, format: &[FormatElement]) -> bool {
    format.iter().all(|element| match element {
        FormatElement::Group { anchor, elements } if is_present(op, declaration, *anchor) => {
            elements.iter().all(|element| match *element {
                FormatElement::Property(index) => op.property(declaration.properties[index].name).is_some(),
                _ => true,
            }) && groups_hold(op, declaration, elements)
        }
        FormatElement::Group { elements, .. } => !holds_anything(op, declaration, elements),
        _ => true,
    })
}

fn holds_anything(op: OpRef<'_>, declaration: &OperationDeclaration, elements: &[FormatElement]) -> bool {
    elements.iter().any(|element| {
        let anchor = match *element {
            FormatElement::Operands(group) => Anchor::Operands(group),
            FormatElement::Types(Slot::Result(group)) => Anchor::Results(group),
            FormatElement::Property(index) => Anchor::Property(index),
            FormatElement::Regions(group) => Anchor::Regions(group),
            FormatElement::Successors { successor, .. } => Anchor::Successors(successor),
            FormatElement::AllOperands => return op.operand_count() > 0,
            FormatElement::Group { elements, .. } => return holds_anything(op, declaration, elements),
            _ => return false,
        };
        is_present(op, declaration, anchor)
    })
}

/// Whether the types that are not written are those that a reader works out.
fn types_follow(op: OpRef<'_>, declaration: &OperationDeclaration, format: &[FormatElement]) -> bool {
    let is_written = |slot: Slot| writes_type(format, slot);
    let only = KnownTypes::new(op.context, declaration);
    let uniform = |slot: Slot| {
        let mut types = types_of(op, slot);
        let first = only.get(slot).or_else(|| types.clone().next());
        is_written(slot) || types.all(|ty| Some(ty) == first)
    };
    let operands = (0..declaration.operands.len()).map(Slot::Operand);
    operands.chain((0..declaration.results.len()).map(Slot::Result)).all(uniform)
        && declaration.rules.iter().all(|rule| rule_holds(op, rule, &is_written))
}

/// Whether a rule holds, as far as it is needed to work out a type.
fn rule_holds(op: OpRef<'_>, rule: &ResultRule, is_written: &dyn Fn(Slot) -> bool) -> bool {
    match *rule {
        ResultRule::Same(slots) => {
            let mut types = slots.iter().flat_map(|&slot| types_of(op, slot));
            let first = types.next();
            slots.iter().all(|&slot| is_written(slot)) || types.all(|ty| Some(ty) == first)
        }
        ResultRule::Derived { target, source, compute, .. } => {
            let derived = types_of(op, source).next().map(|source| compute(op.context, source));
            is_written(target) || types_of(op, target).all(|ty| derived.is_none_or(|derived| Some(ty) == derived))
        }
        ResultRule::FromProperty { target, property } => {
            let given = op.property(property).map(|value| type_of_attribute(op.context, value));
            is_written(target) || types_of(op, target).all(|ty| given.is_none_or(|given| Some(ty) == given))
        }
    }
}

fn types_of(op: OpRef<'_>, slot: Slot) -> impl Iterator<Item = crate::types::Type> + Clone {
    let (operands, results) = match slot {
        Slot::Operand(group) => (op.operand_group(group), 0..0),
        Slot::Result(group) => (0..0, op.result_group(group)),
    };
    operands.map(move |index| op.operand_type(index)).chain(results.map(move |index| op.result_type(index)))
}

fn writes_type(format: &[FormatElement], slot: Slot) -> bool {
    format.iter().any(|element| match *element {
        FormatElement::Types(written) => written == slot,
        FormatElement::FunctionalType => true,
        FormatElement::Successors { operands, .. } => operands.is_some_and(|group| Slot::Operand(group) == slot),
        FormatElement::Group { elements, .. } => writes_type(elements, slot),
        _ => false,
    })
}
