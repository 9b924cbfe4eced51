//! What the tests of expansions share.

use proc_macro2::TokenStream;

/// Parses a text into tokens whose spans know it.
pub(crate) fn tokens(text: &str) -> TokenStream {
    text.parse().expect("a test's text is made of tokens")
}

/// The first message of a refused expansion, and the text that it points at.
pub(crate) fn refusal(result: syn::Result<TokenStream>) -> (String, String) {
    let error = result.expect_err("the expansion is refused");
    (error.to_string(), error.span().source_text().unwrap_or_default())
}
