//! Rules that tie types together.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, LitStr, Token, parenthesized};

use crate::expand::ir;
use crate::fields::{Arity, Fields, Place, Presence, text_of};

/// One rule as written.
pub(crate) enum WrittenRule {
    /// `same(a, b)`
    Same(Ident, Vec<Ident>),
    /// `derived(target from source, function, "description of the function")`
    Derived { target: Ident, source: Ident, compute: Box<Expr>, description: LitStr },
    /// `from_property(target, property)`
    FromProperty { target: Ident, property: Ident },
}

impl Parse for WrittenRule {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let kind: Ident = input.parse()?;
        let is_known = ["same", "derived", "from_property"].iter().any(|known| kind == known);
        if !is_known {
            return Err(syn::Error::new(kind.span(), "expected `same`, `derived` or `from_property`"));
        }
        let content;
        parenthesized!(content in input);
        if kind == "same" {
            let names = Punctuated::<Ident, Token![,]>::parse_terminated(&content)?;
            return Ok(Self::Same(kind, names.into_iter().collect()));
        }
        let target = content.parse()?;
        if kind == "from_property" {
            content.parse::<Token![,]>()?;
            return Ok(Self::FromProperty { target, property: content.parse()? });
        }
        let from: Ident = content.parse()?;
        if from != "from" {
            return Err(syn::Error::new(from.span(), "expected `from`"));
        }
        let source = content.parse()?;
        content.parse::<Token![,]>()?;
        let compute = content.parse()?;
        content.parse::<Token![,]>()?;
        Ok(Self::Derived { target, source, compute, description: content.parse()? })
    }
}

/// An operand or result group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    Operand(usize),
    Result(usize),
}

impl Slot {
    fn find(fields: &Fields, name: &Ident) -> syn::Result<Self> {
        match fields.find(&text_of(name)) {
            Some(Place::Operand(index)) => Ok(Self::Operand(index)),
            Some(Place::Result(index)) => Ok(Self::Result(index)),
            _ => Err(syn::Error::new(name.span(), format!("there is no operand or result called `{name}`"))),
        }
    }

    pub(crate) fn place(self) -> Place {
        match self {
            Self::Operand(index) => Place::Operand(index),
            Self::Result(index) => Place::Result(index),
        }
    }

    pub(crate) fn tokens(self) -> TokenStream {
        let ir = ir();
        match self {
            Self::Operand(index) => quote!(#ir::operation::Slot::Operand(#index)),
            Self::Result(index) => quote!(#ir::operation::Slot::Result(#index)),
        }
    }
}

/// A rule whose names are looked up.
pub(crate) enum Rule {
    Same(Vec<Slot>),
    Derived { target: Slot, source: Slot, compute: Box<Expr>, description: LitStr },
    FromProperty { target: Slot, property: String, is_always_there: bool },
}

impl Rule {
    /// Looks up the names of a rule.
    pub(crate) fn new(rule: &WrittenRule, fields: &Fields) -> syn::Result<Self> {
        match rule {
            WrittenRule::Same(kind, names) => {
                if names.len() < 2 {
                    return Err(syn::Error::new(kind.span(), "`same` compares at least two groups"));
                }
                let mut slots = Vec::new();
                for name in names {
                    let slot = Slot::find(fields, name)?;
                    if slots.contains(&slot) {
                        return Err(syn::Error::new(name.span(), format!("`{name}` stands here twice")));
                    }
                    slots.push(slot);
                }
                Ok(Self::Same(slots))
            }
            WrittenRule::Derived { target, source, compute, description } => {
                let (target_slot, source_slot) = (Slot::find(fields, target)?, Slot::find(fields, source)?);
                if target_slot == source_slot {
                    return Err(syn::Error::new(source.span(), "a type is derived from that of another group"));
                }
                let (compute, description) = (compute.clone(), description.clone());
                Ok(Self::Derived { target: target_slot, source: source_slot, compute, description })
            }
            WrittenRule::FromProperty { target, property } => {
                let Some(Place::Property(index)) = fields.find(&text_of(property)) else {
                    let message = format!("there is no property called `{property}`");
                    return Err(syn::Error::new(property.span(), message));
                };
                Ok(Self::FromProperty {
                    target: Slot::find(fields, target)?,
                    property: text_of(property),
                    is_always_there: !matches!(fields.properties[index].presence, Presence::Optional),
                })
            }
        }
    }

    /// The rule as static data.
    pub(crate) fn tokens(&self) -> TokenStream {
        let ir = ir();
        match self {
            Self::Same(slots) => {
                let slots = slots.iter().map(|slot| slot.tokens());
                quote!(#ir::operation::ResultRule::Same(&[#(#slots),*]))
            }
            Self::Derived { target, source, compute, description } => {
                let (target, source) = (target.tokens(), source.tokens());
                quote!(#ir::operation::ResultRule::Derived {
                    target: #target, source: #source, description: #description, compute: #compute,
                })
            }
            Self::FromProperty { target, property, .. } => {
                let target = target.tokens();
                quote!(#ir::operation::ResultRule::FromProperty { target: #target, property: #property })
            }
        }
    }
}

/// Adds to the slots whose types are known those that follow by the rules for every operation: a format knows what it
/// writes, a builder the types of the operands. Of a group that may be empty nothing follows.
pub(crate) fn close(fields: &Fields, rules: &[Rule], known: &mut Vec<Slot>) {
    let has_type = |slot: Slot| fields.group(slot).arity == Arity::One;
    known.extend((0..fields.operands.len()).filter(|&index| fields.operands[index].only).map(Slot::Operand));
    known.extend((0..fields.results.len()).filter(|&index| fields.results[index].only).map(Slot::Result));
    loop {
        let before = known.len();
        for rule in rules {
            let found: Vec<Slot> = match rule {
                Rule::Same(slots) if slots.iter().any(|&slot| has_type(slot) && known.contains(&slot)) => slots.clone(),
                Rule::Derived { target, source, .. } if has_type(*source) && known.contains(source) => vec![*target],
                Rule::FromProperty { target, is_always_there: true, .. } => vec![*target],
                _ => Vec::new(),
            };
            for slot in found {
                if !known.contains(&slot) {
                    known.push(slot);
                }
            }
        }
        if known.len() == before {
            return;
        }
    }
}
