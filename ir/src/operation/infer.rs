//! Working out types that are not given, from the declared rules.

use smallvec::SmallVec;

use super::declaration::{OperationDeclaration, ResultRule, Slot};
use crate::attributes::{Attribute, AttributeKind};
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
