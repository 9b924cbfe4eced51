//! Creating the operation, and setting its properties.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::Operation;
use crate::expand::ir;
use crate::fields::{Arity, Fields, Presence, Property, text_of};
use crate::rules::{Slot, close};

/// `build` or `create_body`, and the setters.
pub(super) fn expand(operation: &Operation) -> TokenStream {
    let setters = operation.fields.properties.iter().map(setter);
    let create = if operation.is_isolated() { create_body(&operation.fields) } else { build(operation) };
    quote! {
        #create
        #(#setters)*
    }
}

/// Parameters of a function, and how the call that it makes gets them.
#[derive(Default)]
struct Parts {
    parameters: Vec<TokenStream>,
    arguments: Vec<TokenStream>,
}

/// `build`: operands, the result types that do not follow, required properties, successors, counts of regions.
fn build(operation: &Operation) -> TokenStream {
    let ir = ir();
    let fields = &operation.fields;
    let operands = operands(fields);
    let results = results(operation);
    let properties = properties(fields, &quote!(builder.context()));
    let successors = successors(fields);
    let (region_parameters, regions) = regions(fields);
    let parameters = [&operands, &results, &properties, &successors].into_iter().flat_map(|parts| &parts.parameters);
    let parameters = parameters.chain(&region_parameters);
    let (operands, results) = (&operands.arguments, &results.arguments);
    let (properties, successors) = (&properties.arguments, &successors.arguments);
    quote! {
        /// Creates the operation at the builder's insertion point: operands, result types that do not follow from
        /// them, required properties, successors, numbers of regions.
        ///
        /// # Panics
        /// If a result type that the rules give does not exist for these operands.
        #[allow(clippy::too_many_arguments, reason = "one parameter for each declared part")]
        pub fn build(builder: &mut #ir::Builder<'_>, #(#parameters),*) -> #ir::OpId {
            let properties = [#(#properties),*];
            #ir::operation::create_declared(
                builder,
                <Self as #ir::OperationView<'_>>::DECLARATION,
                &[#(#operands),*],
                &[#(#results),*],
                &properties,
                &[#(#successors),*],
                #regions,
            )
        }
    }
}

/// `create_body`: the body that an isolated operation owns, with empty regions.
fn create_body(fields: &Fields) -> TokenStream {
    let ir = ir();
    let Parts { parameters, arguments } = properties(fields, &quote!(context));
    let (region_parameters, regions) = regions(fields);
    quote! {
        /// Creates a body of the operation: required properties, numbers of regions. The regions are empty.
        #[allow(clippy::too_many_arguments, reason = "one parameter for each declared part")]
        pub fn create_body(
            context: &#ir::Context,
            location: #ir::Location,
            #(#parameters,)*
            #(#region_parameters,)*
        ) -> #ir::Body {
            let properties = [#(#arguments),*];
            #ir::operation::create_declared_body(
                context,
                <Self as #ir::OperationView<'_>>::DECLARATION,
                location,
                &properties,
                #regions,
            )
        }
    }
}

fn operands(fields: &Fields) -> Parts {
    let ir = ir();
    let mut parts = Parts::default();
    for group in &fields.operands {
        let name = &group.name;
        let (ty, slice) = match group.arity {
            Arity::One => (quote!(#ir::ValueId), quote!(&[#name])),
            Arity::Optional => (quote!(::core::option::Option<#ir::ValueId>), quote!(#name.as_slice())),
            Arity::Variadic => (quote!(&[#ir::ValueId]), quote!(#name)),
        };
        parts.parameters.push(quote!(#name: #ty));
        parts.arguments.push(slice);
    }
    parts
}

fn results(operation: &Operation) -> Parts {
    let ir = ir();
    let fields = &operation.fields;
    let mut known: Vec<Slot> = (0..fields.operands.len()).map(Slot::Operand).collect();
    close(fields, &operation.rules, &mut known);
    let mut parts = Parts::default();
    for (index, group) in fields.results.iter().enumerate() {
        let name = &group.name;
        let (ty, given) = match group.arity {
            Arity::One if known.contains(&Slot::Result(index)) => {
                parts.arguments.push(quote!(#ir::operation::ResultTypes::Follows));
                continue;
            }
            Arity::One => (quote!(#ir::Type), quote!(&[#name])),
            Arity::Optional => (quote!(::core::option::Option<#ir::Type>), quote!(#name.as_slice())),
            Arity::Variadic => (quote!(&[#ir::Type]), quote!(#name)),
        };
        parts.parameters.push(quote!(#name: #ty));
        parts.arguments.push(quote!(#ir::operation::ResultTypes::Given(#given)));
    }
    parts
}

fn properties(fields: &Fields, context: &TokenStream) -> Parts {
    let ir = ir();
    let mut parts = Parts::default();
    for property in fields.properties.iter().filter(|property| matches!(property.presence, Presence::Required)) {
        let (name, key, constraint) = (&property.name, text_of(&property.name), &property.constraint);
        parts.parameters.push(quote!(#name: <#constraint as #ir::operation::AttributeConstraint>::Value<'_>));
        parts.arguments.push(quote! {
            (#key, <#constraint as #ir::operation::AttributeConstraint>::encode(#context, #name))
        });
    }
    parts
}

fn successors(fields: &Fields) -> Parts {
    let ir = ir();
    let mut parts = Parts::default();
    for group in &fields.successors {
        let name = &group.name;
        let (ty, slice) = match group.arity {
            Arity::One => (quote!(#ir::BlockId), quote!(&[#name])),
            Arity::Optional => (quote!(::core::option::Option<#ir::BlockId>), quote!(#name.as_slice())),
            Arity::Variadic => (quote!(&[#ir::BlockId]), quote!(#name)),
        };
        parts.parameters.push(quote!(#name: #ty));
        parts.arguments.push(slice);
    }
    parts
}

/// Parameters for how many regions there are, and the sum.
fn regions(fields: &Fields) -> (Vec<TokenStream>, TokenStream) {
    let fixed = fields.regions.iter().filter(|group| group.arity == Arity::One).count();
    match fields.regions.last() {
        Some(last) if last.arity != Arity::One => {
            let name = &last.name;
            match last.arity {
                Arity::Optional => (vec![quote!(#name: bool)], quote!(#fixed + usize::from(#name))),
                _ => (vec![quote!(#name: usize)], quote!(#fixed + #name)),
            }
        }
        _ => (Vec::new(), quote!(#fixed)),
    }
}

/// `set_name`, which tells the builder's listener.
fn setter(property: &Property) -> TokenStream {
    let ir = ir();
    let key = text_of(&property.name);
    let name = format_ident!("set_{key}");
    let constraint = &property.constraint;
    let documentation = format!("Sets the property `{key}`.");
    let value = quote!(<#constraint as #ir::operation::AttributeConstraint>::Value<'_>);
    let (ty, encode) = match property.presence {
        Presence::Optional => {
            let encode = quote!(value.map(|value| {
                <#constraint as #ir::operation::AttributeConstraint>::encode(builder.context(), value)
            }));
            (quote!(::core::option::Option<#value>), encode)
        }
        Presence::Required | Presence::Default(_) => {
            let encode = quote! {
                ::core::option::Option::Some(
                    <#constraint as #ir::operation::AttributeConstraint>::encode(builder.context(), value)
                )
            };
            (value, encode)
        }
    };
    quote! {
        #[doc = #documentation]
        pub fn #name(builder: &mut #ir::Builder<'_>, op: #ir::OpId, value: #ty) {
            let value = #encode;
            builder.set_property(op, #key, value);
        }
    }
}
