//! What all macros share.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The macro's output, or its error at the right place.
pub(crate) fn finish(result: syn::Result<TokenStream>) -> proc_macro::TokenStream {
    result.unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Whether an attribute is a doc comment.
pub(crate) fn is_documentation(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// The text of the doc comments among `attributes`, without the space that follows the slashes.
pub(crate) fn documentation(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| is_documentation(attribute)) {
        if let Meta::NameValue(pair) = &attribute.meta
            && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value
        {
            let text = text.value();
            lines.push(text.strip_prefix(' ').unwrap_or(&text).to_owned());
        }
    }
    lines.join("\n")
}

/// The path of the crate that holds the definitions.
pub(crate) fn ir() -> TokenStream {
    quote!(::fermata_ir)
}

/// `ReadWrite` as `read_write`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut result = String::new();
    for (index, character) in name.char_indices() {
        if character.is_uppercase() && index > 0 {
            result.push('_');
        }
        result.extend(character.to_lowercase());
    }
    result
}
