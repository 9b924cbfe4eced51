//! One token tells what comes next.
//!
//! For every piece that may be absent, or that may go on, the first tokens of what can follow are compared with its
//! own: if one is among both, the reader would take one for the other, and what is printed would not be read back.

use std::collections::BTreeSet;

use super::Element;
use crate::fields::{Arity, Fields, Place};

/// The first token of something, as far as the declaration tells.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum First {
    /// Punctuation or a keyword.
    Literal(String),
    Operand,
    Successor,
    Symbol,
    String,
    Type,
    /// Some attribute.
    Attribute,
}

impl First {
    fn is_like(&self, other: &Self) -> bool {
        let opens_type = |first: &Self| matches!(first, Self::Literal(text) if text == "(");
        match (self, other) {
            (Self::Type, other) | (other, Self::Type) if opens_type(other) => true,
            (Self::Attribute, other) | (other, Self::Attribute) => match other {
                Self::Literal(text) => matches!(text.as_str(), "(" | "[" | "{" | "-"),
                Self::Operand | Self::Successor => false,
                Self::Symbol | Self::String | Self::Type | Self::Attribute => true,
            },
            _ => self == other,
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Literal(text) => format!("`{text}`"),
            Self::Operand => "an operand".to_owned(),
            Self::Successor => "a block".to_owned(),
            Self::Symbol => "a symbol".to_owned(),
            Self::String => "a string".to_owned(),
            Self::Type => "a type".to_owned(),
            Self::Attribute => "an attribute".to_owned(),
        }
    }
}

type Firsts = BTreeSet<First>;

fn literal(text: &str) -> First {
    First::Literal(text.to_owned())
}

/// Checks a whole format.
pub(super) fn check(elements: &[Element], fields: &Fields, is_terminator: bool) -> Result<(), String> {
    // What begins the text after an operation: a label or the end of a region, and after one that does not end its
    // block also results or a generic operation. The name of the next operation is a word with a dot, or one that no
    // format uses.
    let mut after = Firsts::from([First::Successor, literal("}")]);
    if !is_terminator {
        after.extend([First::Operand, First::String]);
    }
    Checker { fields }.sequence(elements, None, &after).map(|_| ())
}

struct Checker<'f> {
    fields: &'f Fields,
}

/// What a piece can begin with, and whether it may be absent.
struct Start {
    firsts: Firsts,
    is_nullable: bool,
}

impl Checker<'_> {
    /// Checks a sequence from its end and gives the tokens that it, together with what follows, can begin with.
    fn sequence(&self, elements: &[Element], anchor: Option<Place>, after: &Firsts) -> Result<Firsts, String> {
        let mut next = after.clone();
        for (index, element) in elements.iter().enumerate().rev() {
            self.element(element, anchor, &elements[index + 1..], &next)?;
            let start = self.start(element, anchor);
            if start.is_nullable {
                next.extend(start.firsts);
            } else {
                next = start.firsts;
            }
        }
        Ok(next)
    }

    fn element(&self, element: &Element, anchor: Option<Place>, rest: &[Element], next: &Firsts) -> Result<(), String> {
        if let Element::Group { anchor, elements } = element {
            self.group_start(*anchor, elements)?;
        }
        let start = self.start(element, anchor);
        if start.is_nullable {
            for first in &start.firsts {
                self.conflict(element, first, next)?;
            }
        }
        for first in self.continuations(element) {
            self.conflict(element, &first, next)?;
        }
        match element {
            Element::Group { anchor, elements } => {
                self.sequence(elements, Some(*anchor), next)?;
            }
            Element::Property(index)
                if self.fields.constraint(*index) == "AnyAttribute" && next.contains(&literal(":")) =>
            {
                let name = &self.fields.properties[*index].name;
                return Err(format!(
                    "a string in `{name}` would take the `:` after it for the start of its own type; write another \
                     literal"
                ));
            }
            Element::Literal(text)
                if text == "-" && matches!(rest.first(), Some(Element::Literal(next)) if next == ">") =>
            {
                return Err("`-` and `>` would be printed as `->`".to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    /// The first piece of a group must tell whether the group is there.
    fn group_start(&self, anchor: Place, elements: &[Element]) -> Result<(), String> {
        let place = match elements.first() {
            Some(Element::Literal(_)) => return Ok(()),
            Some(&Element::Operand(index)) => Some(Place::Operand(index)),
            Some(&Element::Region(index)) => Some(Place::Region(index)),
            Some(&Element::Successor { successor, .. }) => Some(Place::Successor(successor)),
            Some(&Element::Property(index)) if self.fields.constraint(index) != "UnitFlag" => {
                Some(Place::Property(index))
            }
            _ => None,
        };
        if place == Some(anchor) {
            return Ok(());
        }
        Err(format!(
            "the optional group of `{}` must begin with a literal, or with its anchor",
            self.fields.name(anchor)
        ))
    }

    fn conflict(&self, element: &Element, first: &First, next: &Firsts) -> Result<(), String> {
        let Some(other) = next.iter().find(|other| other.is_like(first)) else { return Ok(()) };
        let mut message =
            format!("after {}, {} could be its own or what follows", self.describe(element), other.describe());
        if matches!(element, Element::AttributeDictionary { keyword: false }) {
            message.push_str("; write `attr-dict-with-keyword`");
        }
        Err(message)
    }

    fn describe(&self, element: &Element) -> String {
        let name = |place: Place| format!("`${}`", self.fields.name(place));
        match *element {
            Element::Literal(ref text) => format!("`{text}`"),
            Element::Operand(index) => name(Place::Operand(index)),
            Element::Property(index) => name(Place::Property(index)),
            Element::Region(index) => name(Place::Region(index)),
            Element::Successor { successor, .. } => name(Place::Successor(successor)),
            Element::OperandTypes(index) => format!("`type(${})`", self.fields.name(Place::Operand(index))),
            Element::ResultTypes(index) => format!("`type(${})`", self.fields.name(Place::Result(index))),
            Element::AllOperands => "`operands`".to_owned(),
            Element::FunctionalType => "`functional-type`".to_owned(),
            Element::AttributeDictionary { .. } => "the place of the attribute dictionary".to_owned(),
            Element::Group { anchor, .. } => format!("the place of the optional group of {}", name(anchor)),
        }
    }

    /// What a piece can begin with. The anchor of a group is there if the group is.
    fn start(&self, element: &Element, anchor: Option<Place>) -> Start {
        let mut start = self.start_alone(element);
        let place = match *element {
            Element::Operand(index) | Element::OperandTypes(index) => Some(Place::Operand(index)),
            Element::ResultTypes(index) => Some(Place::Result(index)),
            Element::Region(index) => Some(Place::Region(index)),
            Element::Successor { successor, .. } => Some(Place::Successor(successor)),
            _ => None,
        };
        if anchor.is_some() && place == anchor {
            start.is_nullable = false;
        }
        start
    }

    fn start_alone(&self, element: &Element) -> Start {
        let is_flexible = |arity: Arity| arity != Arity::One;
        let start = |first: First, is_nullable: bool| Start { firsts: [first].into(), is_nullable };
        match element {
            Element::Literal(text) => start(literal(text), false),
            Element::Operand(index) => start(First::Operand, is_flexible(self.fields.operands[*index].arity)),
            Element::AllOperands => {
                start(First::Operand, self.fields.operands.iter().all(|group| is_flexible(group.arity)))
            }
            Element::Region(index) => start(literal("{"), is_flexible(self.fields.regions[*index].arity)),
            Element::Successor { successor, .. } => {
                start(First::Successor, is_flexible(self.fields.successors[*successor].arity))
            }
            Element::OperandTypes(index) => start(First::Type, is_flexible(self.fields.operands[*index].arity)),
            Element::ResultTypes(index) => start(First::Type, is_flexible(self.fields.results[*index].arity)),
            Element::FunctionalType => start(First::Type, false),
            Element::AttributeDictionary { keyword } => start(literal(if *keyword { "attributes" } else { "{" }), true),
            Element::Property(index) => match self.fields.constraint(*index).as_str() {
                "UnitFlag" => Start { firsts: Firsts::new(), is_nullable: true },
                "SymbolName" | "SymbolReference" => start(First::Symbol, false),
                "StringAttribute" => start(First::String, false),
                "TypeAttribute" => start(First::Type, false),
                "ArrayAttribute" | "DenseI32Attribute" => start(literal("["), false),
                "DictionaryAttribute" => start(literal("{"), false),
                "AnyAttribute" | "TypedAttribute" => start(First::Attribute, false),
                // A dialect's own: nobody knows here what it looks like.
                _ => Start { firsts: Firsts::new(), is_nullable: false },
            },
            Element::Group { anchor, elements } => {
                let mut firsts = Firsts::new();
                for element in elements {
                    let start = self.start(element, Some(*anchor));
                    firsts.extend(start.firsts);
                    if !start.is_nullable {
                        break;
                    }
                }
                Start { firsts, is_nullable: true }
            }
        }
    }

    /// What a piece that is there may go on with.
    fn continuations(&self, element: &Element) -> Vec<First> {
        let is_list = |arity: Arity| if arity == Arity::Variadic { vec![literal(",")] } else { Vec::new() };
        match element {
            Element::Operand(index) | Element::OperandTypes(index) => is_list(self.fields.operands[*index].arity),
            Element::ResultTypes(index) => is_list(self.fields.results[*index].arity),
            Element::Region(index) => is_list(self.fields.regions[*index].arity),
            Element::AllOperands => vec![literal(",")],
            Element::Successor { operands: Some(_), .. } => vec![literal("(")],
            Element::Successor { successor, .. } => is_list(self.fields.successors[*successor].arity),
            Element::Property(index) if self.fields.constraint(*index) == "SymbolReference" => vec![literal("::")],
            _ => Vec::new(),
        }
    }
}
