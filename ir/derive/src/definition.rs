//! Types and attributes of dialects.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::{Fields, ItemStruct, LitStr, Path};

use crate::expand::{documentation, ir};

/// What is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Type,
    Attribute,
}

#[derive(Default)]
struct Options {
    name: Option<LitStr>,
    verify: Option<Path>,
    destructure: Option<Path>,
}

impl Options {
    fn add(&mut self, kind: Kind, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        if meta.path.is_ident("name") {
            self.name = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("verify") {
            self.verify = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("destructure") && kind == Kind::Type {
            self.destructure = Some(meta.value()?.parse()?);
        } else {
            return Err(meta.error("unknown argument"));
        }
        Ok(())
    }
}

/// Expands `#[type_definition]` and `#[attribute_definition]`.
pub(crate) fn expand(kind: Kind, arguments: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let mut options = Options::default();
    syn::meta::parser(|meta| options.add(kind, &meta)).parse2(arguments)?;
    let item: ItemStruct = syn::parse2(item)?;
    let Some(full_name) = options.name else {
        return Err(syn::Error::new_spanned(&item.ident, "a definition needs `name = \"dialect.name\"`"));
    };
    let names: Vec<_> = match &item.fields {
        Fields::Named(fields) => fields.named.iter().filter_map(|field| field.ident.clone()).collect(),
        Fields::Unit => Vec::new(),
        Fields::Unnamed(fields) => return Err(syn::Error::new_spanned(fields, "parameters must have names")),
    };
    let ir = ir();
    let ty = &item.ident;
    let documentation = documentation(&item.attrs);
    let (module, trait_name) = match kind {
        Kind::Type => (quote!(#ir::types), format_ident!("DialectType")),
        Kind::Attribute => (quote!(#ir::attributes), format_ident!("DialectAttribute")),
    };
    let declaration = match kind {
        Kind::Type => quote!(#ir::types::TypeDeclaration),
        Kind::Attribute => quote!(#ir::attributes::AttributeDeclaration),
    };
    let (parse, print) = syntax(ty, &names);
    let verify = options.verify.map(|path| {
        quote! {
            fn verify(&self, context: &#ir::Context) -> ::core::result::Result<(), ::std::string::String> {
                #path(self, context)
            }
        }
    });
    let destructure = options.destructure.map(|path| {
        quote! {
            fn destructure(&self, context: &#ir::Context) -> ::core::option::Option<::std::vec::Vec<#ir::Type>> {
                #path(self, context)
            }
        }
    });
    Ok(quote! {
        #item

        impl #module::#trait_name for #ty {
            const DECLARATION: &'static #declaration = {
                static DECLARATION: #declaration = #declaration {
                    name: #full_name,
                    documentation: #documentation,
                    parse: |parser| {
                        let start = parser.span();
                        #parse
                        let context = parser.context();
                        if let ::core::result::Result::Err(message) = #module::#trait_name::verify(&value, context) {
                            return ::core::result::Result::Err(parser.error(start, "invalid-parameters", message));
                        }
                        ::core::result::Result::Ok(#module::#trait_name::intern(value, context))
                    },
                };
                &DECLARATION
            };

            fn print_parameters(&self, printer: &mut #ir::text::Printer<'_>) {
                #print
            }

            fn map_parameters(&mut self, map: &mut dyn #ir::nested_attributes::ParameterMap) {
                #(#ir::text::Parameter::map(&mut self.#names, map);)*
                let _ = map;
            }

            #verify
            #destructure
        }
    })
}

/// How the parameters are read and written: nothing without parameters, else `<a, b>`.
fn syntax(ty: &syn::Ident, names: &[syn::Ident]) -> (TokenStream, TokenStream) {
    let ir = ir();
    if names.is_empty() {
        return (quote!(let value = #ty {};), quote!(let _ = printer;));
    }
    let mut parse = Vec::new();
    let mut print = Vec::new();
    for (index, name) in names.iter().enumerate() {
        if index > 0 {
            parse.push(quote!(parser.expect(",")?;));
            print.push(quote!(printer.write(", ");));
        }
        parse.push(quote!(let #name = #ir::text::Parameter::parse(parser)?;));
        print.push(quote!(#ir::text::Parameter::print(&self.#name, printer);));
    }
    let parse = quote! {
        parser.expect("<")?;
        #(#parse)*
        parser.expect(">")?;
        let value = #ty { #(#names),* };
    };
    let print = quote! {
        printer.write("<");
        #(#print)*
        printer.write(">");
    };
    (parse, print)
}
