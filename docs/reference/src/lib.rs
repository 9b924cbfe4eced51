//! The reference pages of the book, made from the declarations of the dialects.

use std::path::PathBuf;

use fermata_coro::CoroDialect;
use fermata_ir::Dialect;
use fermata_ir::builtin::BuiltinDialect;
use fermata_ir::reference::reference_page;
use fermata_xir::XirDialect;

/// The dialects that have a page, in the order of the book.
pub fn dialects() -> [&'static dyn Dialect; 3] {
    [&BuiltinDialect, &XirDialect, &CoroDialect]
}

/// The folder of the pages.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../src/dialects")
}

/// Names and texts of the pages.
pub fn pages() -> Vec<(String, String)> {
    let note = "<!-- Made from the declarations by `cargo run -p fermata-reference`. -->\n\n";
    let page =
        |dialect: &dyn Dialect| (format!("{}.md", dialect.namespace()), note.to_owned() + &reference_page(dialect));
    dialects().map(page).into()
}
