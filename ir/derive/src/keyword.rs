//! Enumerations as keywords.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, LitStr};

use crate::expand::{documentation, ir, snake_case};

/// Expands `#[derive(Keyword)]`.
pub(crate) fn expand(item: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let Data::Enum(data) = &input.data else {
        return Err(syn::Error::new_spanned(&input.ident, "only an enumeration can be a keyword"));
    };
    if data.variants.is_empty() {
        return Err(syn::Error::new_spanned(&input.ident, "a keyword has at least one value"));
    }
    let ir = ir();
    let name = &input.ident;
    let mut variants = Vec::new();
    let mut keywords = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(syn::Error::new_spanned(variant, "a keyword has no fields"));
        }
        variants.push(&variant.ident);
        keywords.push(snake_case(&variant.ident.to_string()));
    }
    let description = keywords.iter().map(|keyword| format!("`{keyword}`")).collect::<Vec<_>>().join(", ");
    let description = format!("one of {description}");
    let attribute = attribute_name(&input)?.map(|attribute| attribute_implementation(&input, &attribute, &keywords));
    Ok(quote! {
        impl #name {
            /// The keyword.
            #[must_use]
            pub fn as_keyword(self) -> &'static str {
                match self { #(Self::#variants => #keywords),* }
            }

            /// The value of a keyword.
            #[must_use]
            pub fn from_keyword(keyword: &str) -> ::core::option::Option<Self> {
                match keyword { #(#keywords => ::core::option::Option::Some(Self::#variants),)* _ => ::core::option::Option::None }
            }
        }

        impl #ir::text::Parameter for #name {
            fn parse(parser: &mut #ir::text::Parser<'_, '_>) -> #ir::text::ParseResult<Self> {
                let keyword = parser.one_of(&[#(#keywords),*])?;
                ::core::result::Result::Ok(
                    Self::from_keyword(keyword).expect("the parser gives one of the keywords it was asked for"),
                )
            }
            fn print(&self, printer: &mut #ir::text::Printer<'_>) {
                printer.write(self.as_keyword());
            }
            fn describe() -> ::std::string::String {
                ::std::string::String::from(#description)
            }
        }

        #attribute
    })
}

fn attribute_name(input: &DeriveInput) -> syn::Result<Option<LitStr>> {
    let Some(options) = input.attrs.iter().find(|attribute| attribute.path().is_ident("keyword")) else {
        return Ok(None);
    };
    let mut name = None;
    options.parse_nested_meta(|meta| {
        if meta.path.is_ident("attribute") {
            name = Some(meta.value()?.parse()?);
            Ok(())
        } else {
            Err(meta.error("expected `attribute = \"dialect.name\"`"))
        }
    })?;
    Ok(name)
}

fn attribute_implementation(input: &DeriveInput, attribute: &LitStr, keywords: &[String]) -> TokenStream {
    let ir = ir();
    let name = &input.ident;
    let documentation = documentation(&input.attrs);
    let description = format!("keyword of #{}", attribute.value());
    quote! {
        impl #ir::attributes::DialectAttribute for #name {
            const DECLARATION: &'static #ir::attributes::AttributeDeclaration = {
                static DECLARATION: #ir::attributes::AttributeDeclaration = #ir::attributes::AttributeDeclaration {
                    name: #attribute,
                    documentation: #documentation,
                    parameters: &[#ir::text::ParameterDeclaration::of::<#name>("keyword", "")],
                    parse: |parser| {
                        parser.expect("<")?;
                        let value = <#name as #ir::text::Parameter>::parse(parser)?;
                        parser.expect(">")?;
                        let context = parser.context();
                        ::core::result::Result::Ok(#ir::attributes::DialectAttribute::intern(value, context))
                    },
                };
                &DECLARATION
            };

            fn print_parameters(&self, printer: &mut #ir::text::Printer<'_>) {
                printer.write("<");
                printer.write(self.as_keyword());
                printer.write(">");
            }
        }

        impl #ir::operation::AttributeConstraint for #name {
            type Value<'c> = Self;
            const DESCRIPTION: &'static str = #description;

            fn decode(context: &#ir::Context, attribute: #ir::Attribute) -> ::core::option::Option<Self> {
                attribute.downcast::<Self>(context).copied()
            }

            fn encode(context: &#ir::Context, value: Self) -> #ir::Attribute {
                #ir::attributes::DialectAttribute::intern(value, context)
            }

            fn starts(parser: &#ir::text::Parser<'_, '_>) -> bool {
                [#(#keywords),*].iter().any(|keyword| parser.at_keyword(keyword))
            }

            fn parse(parser: &mut #ir::text::Parser<'_, '_>) -> #ir::text::ParseResult<#ir::Attribute> {
                let value = <Self as #ir::text::Parameter>::parse(parser)?;
                let context = parser.context();
                ::core::result::Result::Ok(Self::encode(context, value))
            }

            fn print(attribute: #ir::Attribute, printer: &mut #ir::text::Printer<'_>) {
                match Self::decode(printer.context(), attribute) {
                    ::core::option::Option::Some(value) => printer.write(value.as_keyword()),
                    ::core::option::Option::None => printer.attribute(attribute),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::expand;
    use crate::testing::{refusal, tokens};

    #[test]
    fn only_plain_enumerations_are_keywords() {
        let refused = |item: &str| refusal(expand(tokens(item))).0;
        assert_eq!(refused("struct K;"), "only an enumeration can be a keyword");
        assert_eq!(refused("enum K {}"), "a keyword has at least one value");
        assert_eq!(refused("enum K { A(u32) }"), "a keyword has no fields");
        assert_eq!(refused("#[keyword(name = \"d.k\")] enum K { A }"), "expected `attribute = \"dialect.name\"`");
    }

    #[test]
    fn keywords_are_in_snake_case() {
        let expanded = expand(tokens("enum K { ReadWrite, F32 }")).expect("it is a plain enumeration").to_string();
        assert!(expanded.contains("Self :: ReadWrite => \"read_write\""), "{expanded}");
        assert!(expanded.contains("Self :: F32 => \"f32\""), "{expanded}");
    }
}
