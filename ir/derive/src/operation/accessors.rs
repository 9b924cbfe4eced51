//! The accessors of the view.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use crate::expand::ir;
use crate::fields::{Arity, Fields, Group, Presence, Property, text_of};

/// One accessor for each field.
pub(super) fn expand(fields: &Fields) -> TokenStream {
    let operands = values(&fields.operands, "operand");
    let results = values(&fields.results, "result");
    let properties = fields.properties.iter().map(property);
    let regions = fields.regions.iter().enumerate().map(|(index, group)| region(index, group));
    let successors = fields.successors.iter().enumerate().map(|(index, group)| successor(index, group));
    quote! {
        #(#operands)*
        #(#results)*
        #(#properties)*
        #(#regions)*
        #(#successors)*
    }
}

/// The field's own documentation, or a line that says what it is.
pub(super) fn docs(documentation: &str, kind: &str, name: &Ident) -> TokenStream {
    if documentation.is_empty() {
        let text = format!("The {kind} `{}`.", text_of(name));
        quote!(#[doc = #text])
    } else {
        quote!(#[doc = #documentation])
    }
}

/// Accessors of operand or result groups.
fn values(groups: &[Group], kind: &str) -> Vec<TokenStream> {
    let ir = ir();
    let (at, group_of) = (format_ident!("{kind}"), format_ident!("{kind}_group"));
    let mut leading = true;
    let accessor = |(index, group): (usize, &Group)| {
        let name = &group.name;
        let docs = docs(&group.documentation, kind, name);
        leading &= group.arity == Arity::One;
        match group.arity {
            // Its place does not depend on how many values other groups have.
            Arity::One if leading => quote! {
                #docs
                #[must_use]
                pub fn #name(&self) -> #ir::ValueId { self.0.#at(#index) }
            },
            Arity::One => quote! {
                #docs
                #[must_use]
                pub fn #name(&self) -> #ir::ValueId { self.0.#at(self.0.#group_of(#index).start) }
            },
            Arity::Optional => quote! {
                #docs
                #[must_use]
                pub fn #name(&self) -> ::core::option::Option<#ir::ValueId> {
                    self.0.#group_of(#index).next().map(|index| self.0.#at(index))
                }
            },
            Arity::Variadic => quote! {
                #docs
                #[must_use]
                pub fn #name(&self) -> impl ::core::iter::ExactSizeIterator<Item = #ir::ValueId>
                    + ::core::iter::DoubleEndedIterator + use<'a>
                {
                    let op = self.0;
                    op.#group_of(#index).map(move |index| op.#at(index))
                }
            },
        }
    };
    groups.iter().enumerate().map(accessor).collect()
}

fn property(property: &Property) -> TokenStream {
    let ir = ir();
    let Property { name, constraint, documentation, .. } = property;
    let key = text_of(name);
    let docs = docs(documentation, "property", name);
    let value = quote!(<#constraint as #ir::operation::AttributeConstraint>::Value<'a>);
    let decode = quote! {
        self.0.property(#key).and_then(|attribute| {
            <#constraint as #ir::operation::AttributeConstraint>::decode(self.0.context, attribute)
        })
    };
    match &property.presence {
        Presence::Required => {
            let message = format!("a verified operation has the property '{key}' of its declared kind");
            quote! {
                #docs
                #[doc = "\n\n# Panics\nIf the property is missing or of another kind, which the verifier refuses."]
                #[must_use]
                pub fn #name(&self) -> #value { #decode.expect(#message) }
            }
        }
        Presence::Optional => quote! {
            #docs
            #[must_use]
            pub fn #name(&self) -> ::core::option::Option<#value> { #decode }
        },
        Presence::Default(default) => quote! {
            #docs
            #[must_use]
            pub fn #name(&self) -> #value { #decode.unwrap_or_else(|| #default) }
        },
    }
}

fn region(index: usize, group: &Group) -> TokenStream {
    let ir = ir();
    let name = &group.name;
    let docs = docs(&group.documentation, "region", name);
    match group.arity {
        Arity::One => quote! {
            #docs
            #[must_use]
            pub fn #name(&self) -> #ir::RegionId { self.0.regions()[#index] }
        },
        Arity::Optional => quote! {
            #docs
            #[must_use]
            pub fn #name(&self) -> ::core::option::Option<#ir::RegionId> { self.0.regions().get(#index).copied() }
        },
        Arity::Variadic => quote! {
            #docs
            #[must_use]
            pub fn #name(&self) -> &'a [#ir::RegionId] { self.0.regions().get(#index..).unwrap_or(&[]) }
        },
    }
}

fn successor(index: usize, group: &Group) -> TokenStream {
    let ir = ir();
    let name = &group.name;
    let docs = docs(&group.documentation, "successor", name);
    match group.arity {
        Arity::One => quote! {
            #docs
            #[must_use]
            pub fn #name(&self) -> #ir::BlockId { self.0.body.successor(self.0.id, #index) }
        },
        Arity::Optional => quote! {
            #docs
            #[must_use]
            pub fn #name(&self) -> ::core::option::Option<#ir::BlockId> { self.0.successors().nth(#index) }
        },
        Arity::Variadic => quote! {
            #docs
            #[must_use]
            pub fn #name(&self) -> impl ::core::iter::Iterator<Item = #ir::BlockId> + use<'a> {
                self.0.successors().skip(#index)
            }
        },
    }
}
