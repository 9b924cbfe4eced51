//! The static description.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::Operation;
use crate::expand::{documentation, ir};
use crate::fields::{Group, Presence, Property, text_of};

/// The `OperationDeclaration`.
pub(super) fn expand(operation: &Operation) -> syn::Result<TokenStream> {
    let ir = ir();
    let fields = &operation.fields;
    let (name, full_name) = (&operation.item.ident, &operation.name);
    let documentation = documentation(&operation.item.attrs);
    let traits = &operation.traits;
    let operands = fields.operands.iter().map(values);
    let results = fields.results.iter().map(values);
    let properties = fields.properties.iter().map(property);
    let regions = fields.regions.iter().map(|group| plain(&quote!(RegionDeclaration), group));
    let successors = fields.successors.iter().map(|group| plain(&quote!(SuccessorDeclaration), group));
    let rules = operation.rules.iter().map(|rule| rule.tokens());
    let format = match &operation.format {
        Some(format) => {
            let elements = crate::format::expand(format, fields, &operation.rules, operation.has_trait("TERMINATOR"))?;
            quote!(::core::option::Option::Some(#elements))
        }
        None => quote!(::core::option::Option::None),
    };
    let interfaces = operation.interfaces.iter().map(|interface| {
        let mut model = interface.clone();
        if let Some(last) = model.segments.last_mut() {
            last.ident = format_ident!("{}Model", last.ident);
        }
        quote!(&#model::of::<#name<'static>>())
    });
    Ok(quote! {
        #ir::operation::OperationDeclaration {
            name: #full_name,
            documentation: #documentation,
            traits: #ir::OperationTraits::empty() #(.union(#ir::OperationTraits::#traits))*,
            operands: &[#(#operands),*],
            results: &[#(#results),*],
            properties: &[#(#properties),*],
            regions: &[#(#regions),*],
            successors: &[#(#successors),*],
            rules: &[#(#rules),*],
            format: #format,
            interfaces: &[#(#interfaces),*],
        }
    })
}

/// An operand or result group.
fn values(group: &Group) -> TokenStream {
    let ir = ir();
    let Group { constraint, documentation, .. } = group;
    let (name, arity) = (text_of(&group.name), group.arity.tokens());
    quote! {
        #ir::operation::OperandDeclaration {
            name: #name,
            rule: #ir::operation::TypeRule::of::<#constraint>(),
            arity: #ir::operation::Arity::#arity,
            documentation: #documentation,
        }
    }
}

/// A region or successor group.
fn plain(kind: &TokenStream, group: &Group) -> TokenStream {
    let ir = ir();
    let documentation = &group.documentation;
    let (name, arity) = (text_of(&group.name), group.arity.tokens());
    quote! {
        #ir::operation::#kind {
            name: #name,
            arity: #ir::operation::Arity::#arity,
            documentation: #documentation,
        }
    }
}

fn property(property: &Property) -> TokenStream {
    let ir = ir();
    let name = text_of(&property.name);
    let Property { constraint, documentation, .. } = property;
    let presence = match &property.presence {
        Presence::Required => quote!(Required),
        Presence::Optional => quote!(Optional),
        Presence::Default(value) => quote!(Default(|context| {
            <#constraint as #ir::operation::AttributeConstraint>::encode(context, #value)
        })),
    };
    quote! {
        #ir::operation::PropertyDeclaration {
            name: #name,
            rule: #ir::operation::AttributeRule::of::<#constraint>(),
            presence: #ir::operation::Presence::#presence,
            documentation: #documentation,
        }
    }
}
