//! A small dialect for tests: 32-bit integers, cells of global memory, local memory, branches and regions.

mod arithmetic;
mod canonical;
mod control;
mod memory;

use fermata_ir::attributes::Attribute;
use fermata_ir::operation::{
    Arity, AttributeRule, InterfaceModel, OperandDeclaration, OperationDeclaration, Presence, PropertyDeclaration,
    RegionDeclaration, SuccessorDeclaration, TypeRule,
};
use fermata_ir::{BlockId, Builder, Context, Dialect, DialectRegistry, OpId, OperationTraits, Type, ValueId};

pub(crate) use arithmetic::number;
pub(crate) use memory::pointer_to;

/// The dialect.
pub(crate) struct Toy;

impl Dialect for Toy {
    fn namespace(&self) -> &'static str {
        "toy"
    }
    fn documentation(&self) -> &'static str {
        "Operations for tests."
    }
    fn operations(&self) -> &'static [&'static OperationDeclaration] {
        static ALL: std::sync::LazyLock<Vec<&'static OperationDeclaration>> = std::sync::LazyLock::new(|| {
            [arithmetic::OPERATIONS, canonical::OPERATIONS, memory::OPERATIONS, control::OPERATIONS].concat()
        });
        &ALL
    }
    fn materialize_constant(&self, builder: &mut Builder<'_>, value: Attribute, ty: Type) -> Option<OpId> {
        ty.integer_width(builder.context())?;
        Some(builder.create_op("toy.constant", &[], &[ty], &[("value", value)]))
    }
    fn materialize_branch(&self, builder: &mut Builder<'_>, to: BlockId, arguments: &[ValueId]) -> Option<OpId> {
        let state = builder.state("toy.br");
        Some(builder.create(fermata_ir::body::OperationState {
            operands: arguments.into(),
            successors: [to].into_iter().collect(),
            ..state
        }))
    }
}

/// A context that knows the dialect.
pub(crate) fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&Toy);
    Context::new(registry)
}

/// A rule that takes every type.
pub(crate) const ANY_TYPE: TypeRule = TypeRule { description: "any type", accepts: |_, _| true, only: |_| None };
const ANY_ATTRIBUTE: AttributeRule = AttributeRule::of::<fermata_ir::constraints::AnyAttribute>();

pub(crate) const fn one(name: &'static str) -> OperandDeclaration {
    OperandDeclaration { name, rule: ANY_TYPE, arity: Arity::One, documentation: "" }
}

pub(crate) const fn many(name: &'static str) -> OperandDeclaration {
    OperandDeclaration { name, rule: ANY_TYPE, arity: Arity::Variadic, documentation: "" }
}

pub(crate) const fn property(name: &'static str) -> PropertyDeclaration {
    PropertyDeclaration { name, rule: ANY_ATTRIBUTE, presence: Presence::Required, documentation: "" }
}

pub(crate) const fn region(name: &'static str) -> RegionDeclaration {
    RegionDeclaration { name, arity: Arity::One, documentation: "" }
}

pub(crate) const fn successor(name: &'static str, arity: Arity) -> SuccessorDeclaration {
    SuccessorDeclaration { name, arity, documentation: "" }
}

/// A declaration with nothing but a name and traits.
pub(crate) const fn declaration(name: &'static str, traits: OperationTraits) -> OperationDeclaration {
    OperationDeclaration {
        name,
        documentation: "An operation for tests.",
        traits,
        operands: &[],
        results: &[],
        properties: &[],
        regions: &[],
        successors: &[],
        rules: &[],
        format: None,
        interfaces: &[],
    }
}

/// A model as the declaration holds it.
pub(crate) type Model = &'static dyn InterfaceModel;
