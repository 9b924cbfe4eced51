//! What a dialect declares about an operation.
//!
//! An [`OperationDeclaration`] is static data, made by the `#[operation]` macro. The structural verifier, the parser
//! and printer of the custom form, the builders and the reference page all read it; none of them knows a dialect.

use super::{AttributeRule, InterfaceModel, OperationTraits, TypeRule};
use crate::attributes::Attribute;
use crate::context::Context;
use crate::types::Type;

/// How many operands, results, regions or successors one declared name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arity {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// One declared operand or result group.
pub struct OperandDeclaration {
    /// Its name.
    pub name: &'static str,
    /// What types it takes.
    pub rule: TypeRule,
    /// How many values it stands for.
    pub arity: Arity,
    /// What it is for, in Markdown; may be empty.
    pub documentation: &'static str,
}

/// Whether a property must be there.
#[derive(Clone, Copy)]
pub enum Presence {
    /// It must.
    Required,
    /// It may be absent.
    Optional,
    /// It may be left out of the text and of builders, which then set it to this. Every operation has it.
    Default(fn(&Context) -> Attribute),
}

/// One declared property.
pub struct PropertyDeclaration {
    /// Its key.
    pub name: &'static str,
    /// What attributes it takes.
    pub rule: AttributeRule,
    /// Whether it must be there.
    pub presence: Presence,
    /// What it is for, in Markdown; may be empty.
    pub documentation: &'static str,
}

/// One declared region group.
pub struct RegionDeclaration {
    /// Its name.
    pub name: &'static str,
    /// How many regions it stands for; only the last group may be variadic.
    pub arity: Arity,
    /// What it is for, in Markdown; may be empty.
    pub documentation: &'static str,
}

/// One declared successor group.
pub struct SuccessorDeclaration {
    /// Its name.
    pub name: &'static str,
    /// How many successors it stands for; only the last group may be variadic.
    pub arity: Arity,
    /// What it is for, in Markdown; may be empty.
    pub documentation: &'static str,
}

/// An operand or result group by its index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// Index into [`OperationDeclaration::operands`].
    Operand(usize),
    /// Index into [`OperationDeclaration::results`].
    Result(usize),
}

/// A rule that ties the types of operands and results together. The verifier checks it, and builders and the parser
/// of the custom form work out types that are not written from it.
pub enum ResultRule {
    /// All values of these groups have one type.
    Same(&'static [Slot]),
    /// The type of `target` is a function of the type of `source`.
    Derived {
        /// Whose type is computed.
        target: Slot,
        /// From whose type.
        source: Slot,
        /// What the function gives, in words, such as `the element type of`; the source's name follows.
        description: &'static str,
        /// The function; nothing if it has no value for a type.
        compute: fn(&Context, Type) -> Option<Type>,
    },
    /// The type of `target` is the type in, or of, the attribute under a property.
    FromProperty {
        /// Whose type is computed.
        target: Slot,
        /// Key of the property: a type attribute, or a typed attribute such as an integer.
        property: &'static str,
    },
}

/// One piece of a declarative custom form. Indices point into the lists of the [`OperationDeclaration`].
pub enum FormatElement {
    /// A keyword or punctuation, such as `,` or `to`.
    Literal(&'static str),
    /// The values of an operand group, by name.
    Operands(usize),
    /// All operands.
    AllOperands,
    /// The types of an operand or result group.
    Types(Slot),
    /// `(operand types) -> result types`
    FunctionalType,
    /// A property's value, without its key.
    Property(usize),
    /// All attributes and properties that no other element prints.
    AttributeDictionary {
        /// Whether the word `attributes` stands before it.
        keyword: bool,
    },
    /// A successor group, each with its forwarded operands and their types in parentheses if there are any; the
    /// operands come from the branch interface's operand group of the same index.
    Successors {
        /// Successor group.
        successor: usize,
        /// Operand group that is forwarded to it, if any.
        operands: Option<usize>,
    },
    /// A region group.
    Regions(usize),
    /// A group printed if its anchor is present.
    Group {
        /// What decides whether the group is printed.
        anchor: Anchor,
        /// The pieces.
        elements: &'static [FormatElement],
    },
}

/// What decides whether a group of a custom form is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The operand group has a value.
    Operands(usize),
    /// The result group has a value.
    Results(usize),
    /// The property is there, and is not its default.
    Property(usize),
    /// The region group has a region; one that is always there counts if it is not empty.
    Regions(usize),
    /// The successor group has a successor.
    Successors(usize),
}

/// Everything that is declared about an operation.
pub struct OperationDeclaration {
    /// Full name, `dialect.operation`.
    pub name: &'static str,
    /// Documentation in Markdown; the first paragraph is the summary.
    pub documentation: &'static str,
    /// Facts about every instance.
    pub traits: OperationTraits,
    /// Operand groups. With more than one that is not [`Arity::One`], the property `operandSegmentSizes` holds the
    /// number of values of each group.
    pub operands: &'static [OperandDeclaration],
    /// Result groups; at most one is not [`Arity::One`].
    pub results: &'static [OperandDeclaration],
    /// Properties.
    pub properties: &'static [PropertyDeclaration],
    /// Region groups.
    pub regions: &'static [RegionDeclaration],
    /// Successor groups.
    pub successors: &'static [SuccessorDeclaration],
    /// Rules that tie types together.
    pub rules: &'static [ResultRule],
    /// The custom form; without one, and without a model of custom syntax, only the generic form exists.
    pub format: Option<&'static [FormatElement]>,
    /// Models of the interfaces that the operation implements.
    pub interfaces: &'static [&'static dyn InterfaceModel],
}

impl OperationDeclaration {
    /// Whether the property `operandSegmentSizes` is part of every instance.
    #[must_use]
    pub fn has_operand_segments(&self) -> bool {
        self.operands.iter().filter(|group| group.arity != Arity::One).count() > 1
    }
}

/// The range that `group` covers among `count` values. Without segment sizes the one group that is not
/// [`Arity::One`] takes what the others leave. A count that does not fit, which the verifier reports, gives a range
/// clamped to what is there.
pub(super) fn group_range(
    groups: &[OperandDeclaration],
    group: usize,
    count: usize,
    segments: impl FnOnce() -> Option<Vec<i32>>,
) -> std::ops::Range<usize> {
    let flexible = groups.iter().filter(|group| group.arity != Arity::One).count();
    let clamp = |start: usize, length: usize| {
        let start = start.min(count);
        start..start.saturating_add(length).min(count)
    };
    if flexible > 1 {
        let sizes = segments().unwrap_or_default();
        let size = |index: usize| sizes.get(index).map_or(0, |&size| usize::try_from(size).unwrap_or(0));
        return clamp((0..group).map(size).sum(), size(group));
    }
    let rest = count.saturating_sub(groups.len() - flexible);
    let length = |index: usize| {
        if groups[index].arity == Arity::One { 1 } else { rest }
    };
    clamp((0..group).map(length).sum(), length(group))
}
