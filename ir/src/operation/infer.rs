//! Working out types that are not given, from the declared rules.

use smallvec::SmallVec;

use super::Arity;
use super::declaration::{OperationDeclaration, ResultRule, Slot};
use crate::attributes::{Attribute, AttributeKind, Dictionary};
use crate::body::{BlockId, OpId, OperationState, ValueId};
use crate::builder::Builder;
use crate::context::Context;
use crate::types::Type;

/// The type that the typed attribute `attribute` has, or that it is.
pub(crate) fn type_of_attribute(context: &Context, attribute: Attribute) -> Option<Type> {
    match *attribute.kind(context) {
        AttributeKind::Type(ty)
        | AttributeKind::Integer { ty, .. }
        | AttributeKind::Float { ty, .. }
        | AttributeKind::DenseElements { ty, .. } => Some(ty),
        AttributeKind::String { ty, .. } | AttributeKind::Verbatim { ty, .. } | AttributeKind::Opaque { ty, .. } => ty,
        AttributeKind::Dialect(ref object) => object.typed(context),
        _ => None,
    }
}

/// What is known of the types of an operation's groups: one type for each group, that of all its values.
#[derive(Clone)]
pub(crate) struct KnownTypes {
    operands: SmallVec<[Option<Type>; 4]>,
    results: SmallVec<[Option<Type>; 2]>,
}

impl KnownTypes {
    /// Nothing known but the types of constraints that have only one.
    pub(crate) fn new(context: &Context, declaration: &OperationDeclaration) -> Self {
        Self {
            operands: declaration.operands.iter().map(|group| (group.rule.only)(context)).collect(),
            results: declaration.results.iter().map(|group| (group.rule.only)(context)).collect(),
        }
    }

    pub(crate) fn get(&self, slot: Slot) -> Option<Type> {
        match slot {
            Slot::Operand(index) => self.operands[index],
            Slot::Result(index) => self.results[index],
        }
    }

    pub(crate) fn set(&mut self, slot: Slot, ty: Type) {
        match slot {
            Slot::Operand(index) => self.operands[index] = Some(ty),
            Slot::Result(index) => self.results[index] = Some(ty),
        }
    }

    fn settle(&mut self, slot: Slot, ty: Type) -> bool {
        let unknown = self.get(slot).is_none();
        if unknown {
            self.set(slot, ty);
        }
        unknown
    }

    /// Applies the rules until nothing more follows. Each round but the last one settles a group, so it ends.
    pub(crate) fn close(
        &mut self,
        context: &Context,
        rules: &[ResultRule],
        property: impl Fn(&str) -> Option<Attribute>,
    ) {
        let mut changed = true;
        while changed {
            changed = false;
            for rule in rules {
                match *rule {
                    ResultRule::Same(slots) => {
                        if let Some(ty) = slots.iter().find_map(|&slot| self.get(slot)) {
                            for &slot in slots {
                                changed |= self.settle(slot, ty);
                            }
                        }
                    }
                    ResultRule::Derived { target, source, compute, .. } => {
                        if let Some(ty) = self.get(source).and_then(|source| compute(context, source)) {
                            changed |= self.settle(target, ty);
                        }
                    }
                    ResultRule::FromProperty { target, property: key } => {
                        if let Some(ty) = property(key).and_then(|value| type_of_attribute(context, value)) {
                            changed |= self.settle(target, ty);
                        }
                    }
                }
            }
        }
    }
}

/// The types of a result group, for [`create_declared`].
pub enum ResultTypes<'a> {
    /// As given.
    Given(&'a [Type]),
    /// One result whose type follows from the rules.
    Follows,
}

/// Creates an operation from the parts of its declaration; what the builders of `#[operation]` call.
///
/// # Panics
/// If a result type that should follow from the rules does not: the operands are not of the declared types.
pub fn create_declared(
    builder: &mut Builder<'_>,
    declaration: &'static OperationDeclaration,
    operands: &[&[ValueId]],
    results: &[ResultTypes<'_>],
    properties: &[(&str, Attribute)],
    successors: &[&[BlockId]],
    regions: usize,
) -> OpId {
    let context = builder.context();
    let mut entries: SmallVec<[_; 4]> =
        properties.iter().map(|&(key, value)| (context.identifier(key), value)).collect();
    if declaration.has_operand_segments() {
        let sizes: SmallVec<[i32; 4]> = operands.iter().map(|group| group.len() as i32).collect();
        entries.push((context.identifier("operandSegmentSizes"), Attribute::dense_i32(context, &sizes)));
    }
    let properties = Dictionary::new(context, &entries);
    let mut known = KnownTypes::new(context, declaration);
    for (index, group) in operands.iter().enumerate() {
        if let Some(&first) = group.first() {
            known.set(Slot::Operand(index), builder.body().value_type(first));
        }
    }
    for (index, group) in results.iter().enumerate() {
        if let ResultTypes::Given([first, ..]) = group {
            known.set(Slot::Result(index), *first);
        }
    }
    known.close(context, declaration.rules, |key| properties.get(context, key));
    let mut types = SmallVec::new();
    for (index, group) in results.iter().enumerate() {
        match group {
            ResultTypes::Given(given) => types.extend_from_slice(given),
            ResultTypes::Follows => {
                let ty = known.get(Slot::Result(index));
                types.push(ty.unwrap_or_else(|| {
                    panic!(
                        "the type of result '{}' of {} follows from its operands",
                        declaration.results[index].name, declaration.name
                    )
                }));
            }
        }
    }
    debug_assert!(
        declaration.operands.iter().zip(operands).all(|(group, values)| group.arity != Arity::One || values.len() == 1),
        "each single operand is one value"
    );
    let state = OperationState {
        operands: operands.concat().into(),
        results: types,
        properties,
        successors: successors.concat().into(),
        regions,
        ..builder.state(declaration.name)
    };
    builder.create(state)
}
