//! Rules that tie types together.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, LitStr, Token, parenthesized};

use crate::expand::ir;
use crate::fields::{Arity, Fields};

/// One rule as written.
pub(crate) enum Rule {
    /// `same(a, b)`
    Same(Vec<Ident>),
    /// `derived(target from source, function, "description of the function")`
    Derived { target: Ident, source: Ident, compute: Box<Expr>, description: LitStr },
    /// `from_property(target, property)`
    FromProperty { target: Ident, property: Ident },
}

impl Parse for Rule {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let kind: Ident = input.parse()?;
        let content;
        parenthesized!(content in input);
        match kind.to_string().as_str() {
            "same" => {
                let names = Punctuated::<Ident, Token![,]>::parse_terminated(&content)?;
                Ok(Self::Same(names.into_iter().collect()))
            }
            "derived" => {
                let target = content.parse()?;
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
            "from_property" => {
                let target = content.parse()?;
                content.parse::<Token![,]>()?;
                Ok(Self::FromProperty { target, property: content.parse()? })
            }
            _ => Err(syn::Error::new(kind.span(), "expected `same`, `derived` or `from_property`")),
        }
    }
}

/// An operand or result group by name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    Operand(usize),
    Result(usize),
}

impl Slot {
    pub(crate) fn find(fields: &Fields, name: &Ident) -> syn::Result<Self> {
        let operand = fields.operands.iter().position(|group| group.name == *name).map(Slot::Operand);
        let result = || fields.results.iter().position(|group| group.name == *name).map(Slot::Result);
        operand
            .or_else(result)
            .ok_or_else(|| syn::Error::new(name.span(), format!("there is no operand or result called `{name}`")))
    }

    pub(crate) fn tokens(self) -> TokenStream {
        let ir = ir();
        match self {
            Self::Operand(index) => quote!(#ir::operation::Slot::Operand(#index)),
            Self::Result(index) => quote!(#ir::operation::Slot::Result(#index)),
        }
    }
}

impl Rule {
    /// The rule as static data.
    pub(crate) fn tokens(&self, fields: &Fields) -> syn::Result<TokenStream> {
        let ir = ir();
        Ok(match self {
            Self::Same(names) => {
                let slots: Vec<TokenStream> =
                    names.iter().map(|name| Ok(Slot::find(fields, name)?.tokens())).collect::<syn::Result<_>>()?;
                quote!(#ir::operation::ResultRule::Same(&[#(#slots),*]))
            }
            Self::Derived { target, source, compute, description } => {
                let (target, source) = (Slot::find(fields, target)?.tokens(), Slot::find(fields, source)?.tokens());
                quote!(#ir::operation::ResultRule::Derived {
                    target: #target, source: #source, description: #description, compute: #compute,
                })
            }
            Self::FromProperty { target, property } => {
                if !fields.properties.iter().any(|known| known.name == *property) {
                    let message = format!("there is no property called `{property}`");
                    return Err(syn::Error::new(property.span(), message));
                }
                let target = Slot::find(fields, target)?.tokens();
                let property = property.to_string();
                quote!(#ir::operation::ResultRule::FromProperty { target: #target, property: #property })
            }
        })
    }
}

/// Closes a set of known slots under the rules: a format knows the types that it writes, a builder those of the
/// operands. `known_properties` says whether properties are known.
pub(crate) fn close(fields: &Fields, rules: &[Rule], known: &mut Vec<Slot>) -> syn::Result<()> {
    let single = |slot: Slot| match slot {
        Slot::Operand(index) => fields.operands[index].arity == Arity::One,
        Slot::Result(index) => fields.results[index].arity == Arity::One,
    };
    for (index, result) in fields.results.iter().enumerate() {
        if result.only {
            known.push(Slot::Result(index));
        }
    }
    loop {
        let before = known.len();
        for rule in rules {
            let found: Vec<Slot> = match rule {
                Rule::Same(names) => {
                    let slots: Vec<Slot> =
                        names.iter().map(|name| Slot::find(fields, name)).collect::<syn::Result<_>>()?;
                    if slots.iter().any(|&slot| known.contains(&slot) && single(slot)) { slots } else { Vec::new() }
                }
                Rule::Derived { target, source, .. } => {
                    let known = known.contains(&Slot::find(fields, source)?);
                    if known { vec![Slot::find(fields, target)?] } else { Vec::new() }
                }
                Rule::FromProperty { target, .. } => vec![Slot::find(fields, target)?],
            };
            for slot in found {
                if !known.contains(&slot) {
                    known.push(slot);
                }
            }
        }
        if known.len() == before {
            return Ok(());
        }
    }
}
