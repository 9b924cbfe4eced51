//! The check of declarations finds what is wrong with declarations written by hand.

use fermata_ir::builtin::BuiltinDialect;
use fermata_ir::constraints::{AnyAttribute, AnyType, BoolAttribute, I1, TypedAttribute};
use fermata_ir::interfaces::{MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel};
use fermata_ir::operation::{
    Anchor, Arity, AttributeRule, FormatElement, OperandDeclaration, OperationDeclaration, Presence,
    PropertyDeclaration, RegionDeclaration, ResultRule, Slot, SuccessorDeclaration, TypeRule, check_declaration,
    check_dialect,
};
use fermata_ir::{Attribute, OpRef, OperationTraits};

use crate::dialect::D;

#[test]
fn sound_dialects_pass() {
    assert_eq!(check_dialect(&D), Vec::<String>::new());
    assert_eq!(check_dialect(&BuiltinDialect), Vec::<String>::new());
}

const PLAIN: OperationDeclaration = OperationDeclaration {
    name: "t.op",
    documentation: "An operation.",
    traits: OperationTraits::empty(),
    operands: &[],
    results: &[],
    properties: &[],
    regions: &[],
    successors: &[],
    rules: &[],
    format: None,
    interfaces: &[],
};

const fn values(name: &'static str, arity: Arity) -> OperandDeclaration {
    OperandDeclaration { name, rule: TypeRule::of::<AnyType>(), arity, documentation: "" }
}

const ONE: OperandDeclaration = values("one", Arity::One);
const MANY: OperandDeclaration = values("many", Arity::Variadic);
const MAYBE: OperandDeclaration = values("maybe", Arity::Optional);
const DICTIONARY: FormatElement = FormatElement::AttributeDictionary { keyword: false };

#[track_caller]
fn finds(declaration: OperationDeclaration, faults: &[&str]) {
    assert_eq!(check_declaration(&declaration), faults);
}

#[test]
fn names_and_documentation() {
    finds(
        OperationDeclaration { name: "op", ..PLAIN },
        &["the name is not 'dialect.name' of lower-case letters, digits and underscores"],
    );
    finds(OperationDeclaration { documentation: " ", ..PLAIN }, &["there is no documentation"]);
    finds(OperationDeclaration { operands: &[ONE], results: &[ONE], ..PLAIN }, &["two parts are called 'one'"]);
}

#[test]
fn arities() {
    finds(
        OperationDeclaration { results: &[MANY, MAYBE], ..PLAIN },
        &["more than one result group is optional or variadic"],
    );
    let early = RegionDeclaration { name: "a", arity: Arity::Variadic, documentation: "" };
    let late = RegionDeclaration { name: "b", arity: Arity::One, documentation: "" };
    let regions: &'static [RegionDeclaration] = Box::leak(Box::new([early, late]));
    finds(
        OperationDeclaration { regions, ..PLAIN },
        &["a region or successor group that is not the last one is optional or variadic"],
    );
}

#[test]
fn traits() {
    let with = |traits| OperationDeclaration { traits, ..PLAIN };
    finds(
        OperationDeclaration { operands: &[ONE], ..with(OperationTraits::ISOLATED_FROM_ABOVE) },
        &["an isolated operation has operands, results or successors"],
    );
    finds(with(OperationTraits::CONSTANT_LIKE), &["a constant has no operands, one result, and the property 'value'"]);
    finds(with(OperationTraits::SYMBOL), &["a symbol has the property 'sym_name'"]);
    finds(with(OperationTraits::COMMUTATIVE), &["a commutative operation has fewer than two operands"]);
    finds(with(OperationTraits::RETURN_LIKE), &["RETURN_LIKE without TERMINATOR"]);
    finds(with(OperationTraits::SINGLE_BLOCK), &["a trait about regions, but no regions"]);
    let itself = "an operation that can be applied to its own result has one operand and one result";
    finds(with(OperationTraits::INVOLUTION), &[itself]);
}

struct Effects;

impl MemoryEffectsInterface for Effects {
    fn effects(_op: OpRef<'_>, _effects: &mut Vec<MemoryEffect>) {}
}

#[test]
fn interfaces() {
    let next: &'static [SuccessorDeclaration] =
        Box::leak(Box::new([SuccessorDeclaration { name: "next", arity: Arity::One, documentation: "" }]));
    finds(
        OperationDeclaration { successors: next, ..PLAIN },
        &[
            "an operation with successors is no TERMINATOR",
            "an operation with successors does not say through BranchInterface what it passes to them",
        ],
    );
    const EFFECTS: MemoryEffectsModel = MemoryEffectsModel::of::<Effects>();
    finds(
        OperationDeclaration { traits: OperationTraits::PURE, interfaces: &[&EFFECTS, &EFFECTS], ..PLAIN },
        &[
            "MemoryEffectsInterface is implemented twice",
            "PURE says that there are no effects, so MemoryEffectsInterface has nothing to say",
        ],
    );
}

#[test]
fn defaults_and_rules() {
    let property = PropertyDeclaration {
        name: "flag",
        rule: AttributeRule::of::<BoolAttribute>(),
        presence: Presence::Default(Attribute::unit),
        documentation: "",
    };
    let properties: &'static [PropertyDeclaration] = Box::leak(Box::new([property]));
    finds(OperationDeclaration { properties, ..PLAIN }, &["the default of 'flag' is not true or false"]);
    let missing = "a rule names a group or property that there is not";
    finds(
        OperationDeclaration { operands: &[ONE], rules: &[ResultRule::Same(&[Slot::Operand(0)])], ..PLAIN },
        &[missing],
    );
    let rules: &'static [ResultRule] = &[
        ResultRule::FromProperty { target: Slot::Operand(0), property: "value" },
        ResultRule::Same(&[Slot::Operand(0), Slot::Result(0)]),
    ];
    finds(OperationDeclaration { operands: &[ONE], rules, ..PLAIN }, &[missing, missing]);
}

#[test]
fn forms() {
    let with =
        |format: &'static [FormatElement]| OperationDeclaration { operands: &[ONE], format: Some(format), ..PLAIN };
    const TYPE: FormatElement = FormatElement::Types(Slot::Operand(0));
    finds(with(&[FormatElement::Operands(0), DICTIONARY, TYPE]), &[]);
    finds(with(&[FormatElement::Operands(0), TYPE]), &["the format has no place for attributes, or two"]);
    finds(with(&[DICTIONARY, TYPE]), &["the format does not write all operands once"]);
    finds(with(&[FormatElement::Operands(1), DICTIONARY]), &["the format points at a part that there is not"]);
    finds(
        with(&[FormatElement::Operands(0), DICTIONARY]),
        &["the type of 'one' is neither written nor follows from a rule"],
    );
    finds(
        with(&[FormatElement::Group { anchor: Anchor::Regions(0), elements: &[] }, DICTIONARY]),
        &["the format points at a part that there is not"],
    );
    // A constraint that has one type gives it.
    let only: &'static [OperandDeclaration] = Box::leak(Box::new([OperandDeclaration {
        name: "truth",
        rule: TypeRule::of::<I1>(),
        arity: Arity::One,
        documentation: "",
    }]));
    let format: &'static [FormatElement] = &[FormatElement::Operands(0), DICTIONARY];
    finds(OperationDeclaration { operands: only, format: Some(format), ..PLAIN }, &[]);
    // What may be absent gives no type.
    let property = |presence| -> &'static [PropertyDeclaration] {
        Box::leak(Box::new([PropertyDeclaration {
            name: "value",
            rule: AttributeRule::of::<TypedAttribute>(),
            presence,
            documentation: "",
        }]))
    };
    let rules: &'static [ResultRule] = &[ResultRule::FromProperty { target: Slot::Result(0), property: "value" }];
    let constant = |presence| OperationDeclaration {
        results: &[ONE],
        properties: property(presence),
        rules,
        format: Some(&[DICTIONARY]),
        ..PLAIN
    };
    finds(constant(Presence::Required), &[]);
    finds(constant(Presence::Optional), &["the type of 'one' is neither written nor follows from a rule"]);
    let _ = AttributeRule::of::<AnyAttribute>();
}
