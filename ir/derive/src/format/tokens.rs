//! A format as static data.

use proc_macro2::TokenStream;
use quote::quote;

use super::Element;
use crate::expand::ir;
use crate::fields::Place;
use crate::rules::Slot;

pub(super) fn tokens(elements: &[Element]) -> Vec<TokenStream> {
    elements.iter().map(Element::tokens).collect()
}

impl Element {
    fn tokens(&self) -> TokenStream {
        let ir = ir();
        let element = quote!(#ir::operation::FormatElement);
        match *self {
            Self::Literal(ref literal) => quote!(#element::Literal(#literal)),
            Self::Operand(index) => quote!(#element::Operands(#index)),
            Self::Property(index) => quote!(#element::Property(#index)),
            Self::Region(index) => quote!(#element::Regions(#index)),
            Self::Successor { successor, operands } => {
                let operands = match operands {
                    Some(index) => quote!(::core::option::Option::Some(#index)),
                    None => quote!(::core::option::Option::None),
                };
                quote!(#element::Successors { successor: #successor, operands: #operands })
            }
            Self::OperandTypes(index) => types(&element, Slot::Operand(index)),
            Self::ResultTypes(index) => types(&element, Slot::Result(index)),
            Self::AllOperands => quote!(#element::AllOperands),
            Self::FunctionalType => quote!(#element::FunctionalType),
            Self::AttributeDictionary { keyword } => quote!(#element::AttributeDictionary { keyword: #keyword }),
            Self::Group { anchor, ref elements } => {
                let anchor = match anchor {
                    Place::Operand(index) => quote!(Operands(#index)),
                    Place::Result(index) => quote!(Results(#index)),
                    Place::Property(index) => quote!(Property(#index)),
                    Place::Region(index) => quote!(Regions(#index)),
                    Place::Successor(index) => quote!(Successors(#index)),
                };
                let elements = tokens(elements);
                quote!(#element::Group { anchor: #ir::operation::Anchor::#anchor, elements: &[#(#elements),*] })
            }
        }
    }
}

fn types(element: &TokenStream, slot: Slot) -> TokenStream {
    let slot = slot.tokens();
    quote!(#element::Types(#slot))
}
