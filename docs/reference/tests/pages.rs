//! The pages in the book are those that the declarations give, and the declarations are sound.

use std::fs;

use fermata_ir::operation::check_dialect;
use fermata_reference::{dialects, folder, pages};

#[test]
fn the_book_has_the_pages_of_the_declarations() {
    for (name, text) in pages() {
        let written = fs::read_to_string(folder().join(&name)).unwrap_or_default();
        assert!(written == text, "docs/src/dialects/{name} is out of date: run `cargo run -p fermata-reference`");
    }
}

#[test]
fn the_declarations_are_sound() {
    let faults: Vec<String> = dialects().into_iter().flat_map(check_dialect).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
