//! Operations.

mod accessors;
mod builder;
mod check;
mod declaration;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, ItemStruct, LitStr, Path, Token, bracketed};

use crate::expand::{ir, is_documentation};
use crate::fields::Fields;
use crate::rules::{Rule, WrittenRule};

/// What stands in the parentheses of `#[operation(..)]`.
#[derive(Default)]
struct Arguments {
    name: Option<LitStr>,
    traits: Vec<Ident>,
    interfaces: Vec<Path>,
    rules: Vec<WrittenRule>,
    format: Option<LitStr>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut arguments = Self::default();
        let mut seen: Vec<Ident> = Vec::new();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            if seen.contains(&key) {
                return Err(syn::Error::new(key.span(), format!("`{key}` is given twice")));
            }
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
            seen.push(key);
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

/// Everything about an operation, looked up and checked.
struct Operation {
    item: ItemStruct,
    name: LitStr,
    traits: Vec<Ident>,
    interfaces: Vec<Path>,
    fields: Fields,
    rules: Vec<Rule>,
    format: Option<LitStr>,
}

impl Operation {
    fn has_trait(&self, name: &str) -> bool {
        self.traits.iter().any(|one| one == name)
    }

    fn is_isolated(&self) -> bool {
        self.has_trait("ISOLATED_FROM_ABOVE")
    }
}

/// Expands `#[operation]`.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let arguments: Arguments = syn::parse2(arguments)?;
    let item: ItemStruct = syn::parse2(item)?;
    let Some(name) = arguments.name else {
        return Err(syn::Error::new(item.ident.span(), "an operation needs `name = \"dialect.name\"`"));
    };
    let fields = Fields::new(&item)?;
    let rules = arguments.rules.iter().map(|rule| Rule::new(rule, &fields)).collect::<syn::Result<_>>()?;
    let operation = Operation {
        item,
        name,
        traits: arguments.traits,
        interfaces: arguments.interfaces,
        fields,
        rules,
        format: arguments.format,
    };
    check::check(&operation)?;
    view(&operation)
}

fn view(operation: &Operation) -> syn::Result<TokenStream> {
    let ir = ir();
    let (name, visibility) = (&operation.item.ident, &operation.item.vis);
    let (docs, others): (Vec<_>, Vec<_>) =
        operation.item.attrs.iter().partition(|attribute| is_documentation(attribute));
    let declaration = declaration::expand(operation)?;
    let accessors = accessors::expand(&operation.fields);
    let builder = builder::expand(operation);
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

        #[allow(
            clippy::wrong_self_convention,
            clippy::should_implement_trait,
            reason = "accessors carry declared names"
        )]
        impl<'a> #name<'a> {
            #accessors
        }

        impl #name<'_> {
            #builder
        }
    })
}
