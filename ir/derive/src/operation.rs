//! Operations.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, ItemStruct, LitStr, Path, Token, bracketed};

use crate::expand::{documentation, ir};
use crate::fields::{Arity, Fields, Group, Presence, Property};
use crate::rules::{Rule, Slot, close};

/// What stands in the parentheses of `#[operation(..)]`.
#[derive(Default)]
struct Arguments {
    name: Option<LitStr>,
    traits: Vec<Ident>,
    interfaces: Vec<Path>,
    rules: Vec<Rule>,
    format: Option<LitStr>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut arguments = Self::default();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            match key.to_string().as_str() {
                "name" => arguments.name = Some(input.parse()?),
                "format" => arguments.format = Some(input.parse()?),
                "traits" => arguments.traits = list(input)?,
                "interfaces" => arguments.interfaces = list(input)?,
                "rules" => arguments.rules = list(input)?,
                _ => {
                    let message = "expected `name`, `traits`, `interfaces`, `rules` or `format`";
                    return Err(syn::Error::new(key.span(), message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(arguments)
    }
}

fn list<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let content;
    bracketed!(content in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

/// Expands `#[operation]`.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let arguments: Arguments = syn::parse2(arguments)?;
    let item: ItemStruct = syn::parse2(item)?;
    let fields = Fields::new(&item)?;
    let Some(full_name) = &arguments.name else {
        return Err(syn::Error::new_spanned(&item.ident, "an operation needs `name = \"dialect.name\"`"));
    };
    let isolated = arguments.traits.iter().find(|name| *name == "ISOLATED_FROM_ABOVE");
    if let (Some(isolated), false) =
        (isolated, fields.operands.is_empty() && fields.results.is_empty() && fields.successors.is_empty())
    {
        let message = "an operation that is isolated from above has no operands, results or successors";
        return Err(syn::Error::new(isolated.span(), message));
    }
    let ir = ir();
    let name = &item.ident;
    let visibility = &item.vis;
    let docs = item.attrs.iter().filter(|attribute| attribute.path().is_ident("doc"));
    let others = item.attrs.iter().filter(|attribute| !attribute.path().is_ident("doc"));
    let declaration = declaration(&arguments, full_name, &item, &fields)?;
    let accessors = accessors(&fields);
    let builder = builder(&arguments, &fields)?;
    Ok(quote! {
        #(#docs)*
        #(#others)*
        #[derive(Clone, Copy)]
        #visibility struct #name<'a>(#ir::OpRef<'a>);

        impl<'a> #ir::OperationView<'a> for #name<'a> {
            const DECLARATION: &'static #ir::operation::OperationDeclaration = {
                static DECLARATION: #ir::operation::OperationDeclaration = #declaration;
                &DECLARATION
            };

            fn from_ref_unchecked(op: #ir::OpRef<'a>) -> Self {
                Self(op)
            }

            fn op(&self) -> #ir::OpRef<'a> {
                self.0
            }
        }

        #[allow(clippy::wrong_self_convention, clippy::should_implement_trait, reason = "accessors carry declared names")]
        impl<'a> #name<'a> {
            #accessors
        }

        impl #name<'_> {
            #builder
        }
    })
}

fn declaration(
    arguments: &Arguments,
    full_name: &LitStr,
    item: &ItemStruct,
    fields: &Fields,
) -> syn::Result<TokenStream> {
    let ir = ir();
    let name = &item.ident;
    let documentation = documentation(&item.attrs);
    let traits = &arguments.traits;
    let operands = fields.operands.iter().map(group_declaration);
    let results = fields.results.iter().map(group_declaration);
    let properties = fields.properties.iter().map(property_declaration);
    let regions = fields.regions.iter().map(|group| named(&quote!(RegionDeclaration), group));
    let successors = fields.successors.iter().map(|group| named(&quote!(SuccessorDeclaration), group));
    let rules: Vec<TokenStream> = arguments.rules.iter().map(|rule| rule.tokens(fields)).collect::<syn::Result<_>>()?;
    let format = match &arguments.format {
        Some(format) => {
            let elements = crate::format::expand(format, fields, &arguments.rules)?;
            quote!(::core::option::Option::Some(#elements))
        }
        None => quote!(::core::option::Option::None),
    };
    let interfaces = arguments.interfaces.iter().map(|interface| {
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

fn group_declaration(group: &Group) -> TokenStream {
    let ir = ir();
    let name = group.name.to_string();
    let (constraint, arity) = (&group.constraint, group.arity.tokens());
    quote! {
        #ir::operation::OperandDeclaration {
            name: #name,
            rule: #ir::operation::TypeRule::of::<#constraint>(),
            arity: #ir::operation::Arity::#arity,
        }
    }
}

fn named(kind: &TokenStream, group: &Group) -> TokenStream {
    let ir = ir();
    let (name, arity) = (group.name.to_string(), group.arity.tokens());
    quote!(#ir::operation::#kind { name: #name, arity: #ir::operation::Arity::#arity })
}

fn property_declaration(property: &Property) -> TokenStream {
    let ir = ir();
    let name = property.name.to_string();
    let constraint = &property.constraint;
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
        }
    }
}

fn accessors(fields: &Fields) -> TokenStream {
    let operands = values(&fields.operands, "operand", &format_ident!("operand_group"), &format_ident!("operand"));
    let results = values(&fields.results, "result", &format_ident!("result_group"), &format_ident!("result"));
    let properties = fields.properties.iter().map(property_accessor);
    let regions = fields.regions.iter().enumerate().map(|(index, group)| region_accessor(index, group));
    let successors = fields.successors.iter().enumerate().map(|(index, group)| successor_accessor(index, group));
    quote! {
        #(#operands)*
        #(#results)*
        #(#properties)*
        #(#regions)*
        #(#successors)*
    }
}

fn accessor_docs(docs: &[syn::Attribute], kind: &str, name: &Ident) -> TokenStream {
    if docs.is_empty() {
        let text = format!("The {kind} `{name}`.");
        quote!(#[doc = #text])
    } else {
        quote!(#(#docs)*)
    }
}

fn values(groups: &[Group], kind: &str, group_of: &Ident, at: &Ident) -> Vec<TokenStream> {
    let ir = ir();
    let mut leading = true;
    let accessor = |(index, group): (usize, &Group)| {
        let name = &group.name;
        let docs = accessor_docs(&group.docs, kind, name);
        leading &= group.arity == Arity::One;
        match group.arity {
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

fn property_accessor(property: &Property) -> TokenStream {
    let ir = ir();
    let name = &property.name;
    let key = name.to_string();
    let constraint = &property.constraint;
    let docs = accessor_docs(&property.docs, "property", name);
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

fn region_accessor(index: usize, group: &Group) -> TokenStream {
    let ir = ir();
    let name = &group.name;
    let docs = accessor_docs(&group.docs, "region", name);
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

fn successor_accessor(index: usize, group: &Group) -> TokenStream {
    let ir = ir();
    let name = &group.name;
    let docs = accessor_docs(&group.docs, "successor", name);
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

/// `build`: operands, the result types that do not follow, required properties, successors, counts of variadic
/// regions.
fn builder(arguments: &Arguments, fields: &Fields) -> syn::Result<TokenStream> {
    let ir = ir();
    if arguments.traits.iter().any(|name| name == "ISOLATED_FROM_ABOVE") {
        return Ok(TokenStream::new());
    }
    let mut known: Vec<Slot> = (0..fields.operands.len()).map(Slot::Operand).collect();
    close(fields, &arguments.rules, &mut known)?;
    let mut parameters = Vec::new();
    let mut operands = Vec::new();
    for group in &fields.operands {
        let name = &group.name;
        let (ty, slice) = match group.arity {
            Arity::One => (quote!(#ir::ValueId), quote!(&[#name])),
            Arity::Optional => (quote!(::core::option::Option<#ir::ValueId>), quote!(#name.as_slice())),
            Arity::Variadic => (quote!(&[#ir::ValueId]), quote!(#name)),
        };
        parameters.push(quote!(#name: #ty));
        operands.push(slice);
    }
    let mut results = Vec::new();
    for (index, group) in fields.results.iter().enumerate() {
        let name = &group.name;
        match group.arity {
            Arity::One if known.contains(&Slot::Result(index)) => {
                results.push(quote!(#ir::operation::ResultTypes::Follows))
            }
            Arity::One => {
                parameters.push(quote!(#name: #ir::Type));
                results.push(quote!(#ir::operation::ResultTypes::Given(&[#name])));
            }
            Arity::Optional => {
                parameters.push(quote!(#name: ::core::option::Option<#ir::Type>));
                results.push(quote!(#ir::operation::ResultTypes::Given(#name.as_slice())));
            }
            Arity::Variadic => {
                parameters.push(quote!(#name: &[#ir::Type]));
                results.push(quote!(#ir::operation::ResultTypes::Given(#name)));
            }
        }
    }
    let mut properties = Vec::new();
    for property in fields.properties.iter().filter(|property| matches!(property.presence, Presence::Required)) {
        let (name, key, constraint) = (&property.name, property.name.to_string(), &property.constraint);
        parameters.push(quote!(#name: <#constraint as #ir::operation::AttributeConstraint>::Value<'_>));
        properties.push(quote! {
            (#key, <#constraint as #ir::operation::AttributeConstraint>::encode(builder.context(), #name))
        });
    }
    let mut successors = Vec::new();
    for group in &fields.successors {
        let name = &group.name;
        let (ty, slice) = match group.arity {
            Arity::One => (quote!(#ir::BlockId), quote!(&[#name])),
            Arity::Optional => (quote!(::core::option::Option<#ir::BlockId>), quote!(#name.as_slice())),
            Arity::Variadic => (quote!(&[#ir::BlockId]), quote!(#name)),
        };
        parameters.push(quote!(#name: #ty));
        successors.push(slice);
    }
    let fixed_regions = fields.regions.iter().filter(|group| group.arity == Arity::One).count();
    let mut regions = quote!(#fixed_regions);
    for group in fields.regions.iter().filter(|group| group.arity != Arity::One) {
        let name = &group.name;
        parameters.push(quote!(#name: usize));
        regions = quote!(#regions + #name);
    }
    Ok(quote! {
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
    })
}
