//! Types and attributes of dialects.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::{Fields, GenericArgument, ItemStruct, LitStr, Path, PathArguments, Type};

use crate::expand::{documentation, ir};
use crate::fields::text_of;

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
    typed: Option<Path>,
}

impl Options {
    fn add(&mut self, kind: Kind, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        if meta.path.is_ident("name") {
            self.name = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("verify") {
            self.verify = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("destructure") && kind == Kind::Type {
            self.destructure = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("typed") && kind == Kind::Attribute {
            self.typed = Some(meta.value()?.parse()?);
        } else {
            return Err(meta.error("expected `name`, `verify`, or of a type `destructure`, of an attribute `typed`"));
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
        return Err(syn::Error::new(item.ident.span(), "a definition needs `name = \"dialect.name\"`"));
    };
    check_name(&full_name)?;
    if !item.generics.params.is_empty() {
        return Err(syn::Error::new_spanned(&item.generics, "a definition has no generic parameters"));
    }
    let parameters = parameters(&item)?;
    let names: Vec<_> = parameters.iter().map(|parameter| &parameter.name).collect();
    let declarations = parameters.iter().map(Parameter::declaration);
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
    let (parse, print) = syntax(ty, &parameters);
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
    let typed = options.typed.map(|path| {
        quote! {
            fn typed(&self, context: &#ir::Context) -> ::core::option::Option<#ir::Type> {
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
                    parameters: &[#(#declarations),*],
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
            #typed
        }
    })
}

/// The name as MLIR's grammar takes it behind the sigil.
fn check_name(name: &LitStr) -> syn::Result<()> {
    let is_word = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && part.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
    };
    let text = name.value();
    if text.contains('.') && text.split('.').all(is_word) {
        return Ok(());
    }
    Err(syn::Error::new(name.span(), "a definition's name is `dialect.name`, of letters, digits and underscores"))
}

/// One field.
struct Parameter {
    name: syn::Ident,
    ty: Type,
    /// What may be left out, if `ty` is an `Option` of it.
    optional: Option<Type>,
    documentation: String,
}

impl Parameter {
    fn declaration(&self) -> TokenStream {
        let ir = ir();
        let (name, documentation) = (text_of(&self.name), &self.documentation);
        let ty = self.optional.as_ref().unwrap_or(&self.ty);
        let optional = self.optional.as_ref().map(|_| quote!(.optional()));
        quote!(#ir::text::ParameterDeclaration::of::<#ty>(#name, #documentation) #optional)
    }
}

fn parameters(item: &ItemStruct) -> syn::Result<Vec<Parameter>> {
    let fields = match &item.fields {
        Fields::Named(fields) => &fields.named,
        Fields::Unit => return Ok(Vec::new()),
        Fields::Unnamed(fields) => return Err(syn::Error::new_spanned(fields, "parameters must have names")),
    };
    let parameters: Vec<Parameter> = fields
        .iter()
        .filter_map(|field| {
            Some(Parameter {
                name: field.ident.clone()?,
                ty: field.ty.clone(),
                optional: optional(&field.ty),
                documentation: documentation(&field.attrs),
            })
        })
        .collect();
    let last = parameters.len().saturating_sub(1);
    match parameters[..last].iter().find(|parameter| parameter.optional.is_some()) {
        Some(early) => Err(syn::Error::new_spanned(&early.ty, "only the last parameter may be optional")),
        None => Ok(parameters),
    }
}

/// The `T` of `Option<T>`.
fn optional(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner.clone()),
        _ => None,
    }
}

/// How the parameters are read and written: nothing if there are none, else `<a, b>`.
fn syntax(ty: &syn::Ident, parameters: &[Parameter]) -> (TokenStream, TokenStream) {
    let ir = ir();
    let mut parse = Vec::new();
    let mut print = Vec::new();
    for (index, Parameter { name, ty, optional, .. }) in parameters.iter().enumerate() {
        let (before, written_before) = match index {
            0 => ("<", "<"),
            _ => (",", ", "),
        };
        if let Some(inner) = optional {
            parse.push(quote! {
                let #name = if parser.optional(#before) {
                    ::core::option::Option::Some(<#inner as #ir::text::Parameter>::parse(parser)?)
                } else {
                    ::core::option::Option::None
                };
            });
            print.push(quote! {
                if let ::core::option::Option::Some(value) = &self.#name {
                    printer.write(#written_before);
                    #ir::text::Parameter::print(value, printer);
                }
            });
        } else {
            parse.push(quote! {
                parser.expect(#before)?;
                let #name = <#ty as #ir::text::Parameter>::parse(parser)?;
            });
            print.push(quote! {
                printer.write(#written_before);
                #ir::text::Parameter::print(&self.#name, printer);
            });
        }
    }
    let names = parameters.iter().map(|parameter| &parameter.name);
    let (close, write_close) = match parameters {
        [] => (quote!(), quote!(let _ = printer;)),
        // Without its only parameter there are no brackets either.
        [Parameter { name, optional: Some(_), .. }] => (
            quote!(if #name.is_some() { parser.expect(">")?; }),
            quote!(if self.#name.is_some() { printer.write(">"); }),
        ),
        _ => (quote!(parser.expect(">")?;), quote!(printer.write(">");)),
    };
    (quote!(#(#parse)* #close let value = #ty { #(#names),* };), quote!(#(#print)* #write_close))
}

#[cfg(test)]
mod tests {
    use super::{Kind, expand};
    use crate::testing::{refusal, tokens};

    fn refused(kind: Kind, arguments: &str, item: &str, message: &str, place: &str) {
        let found = refusal(expand(kind, tokens(arguments), tokens(item)));
        assert_eq!((found.0.as_str(), found.1.as_str()), (message, place));
    }

    #[test]
    fn names_are_those_of_the_grammar() {
        refused(Kind::Type, "", "struct T;", "a definition needs `name = \"dialect.name\"`", "T");
        let message = "a definition's name is `dialect.name`, of letters, digits and underscores";
        for name in ["t", "d-c.t", "d._t", "d.t$"] {
            refused(Kind::Type, &format!("name = \"{name}\""), "struct T;", message, &format!("\"{name}\""));
        }
    }

    #[test]
    fn parameters_have_names_and_the_last_may_be_optional() {
        let name = "name = \"d.t\"";
        refused(Kind::Type, name, "struct T(u32);", "parameters must have names", "(u32)");
        let message = "only the last parameter may be optional";
        refused(Kind::Type, name, "struct T { a: Option<u32>, b: u32 }", message, "Option<u32>");
        refused(Kind::Type, name, "struct T<A> { a: A }", "a definition has no generic parameters", "<A>");
        assert!(expand(Kind::Attribute, tokens(name), tokens("struct T { a: u32, b: Option<u32> }")).is_ok());
    }

    #[test]
    fn options_belong_to_types_or_attributes() {
        let message = "expected `name`, `verify`, or of a type `destructure`, of an attribute `typed`";
        refused(Kind::Type, "name = \"d.t\", typed = f", "struct T;", message, "typed");
        refused(Kind::Attribute, "name = \"d.t\", destructure = f", "struct T;", message, "destructure");
    }
}
