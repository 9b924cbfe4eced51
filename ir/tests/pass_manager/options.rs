//! Options read what they print.

use fermata_ir::pass::PassManager;

use crate::support::{Everything, Visit, context, parse};

/// Every text without a brace that closes nothing, and without both kinds of quotes, survives.
#[test]
fn texts_read_back_from_what_is_printed() {
    let alphabet = ['a', ' ', ',', '\'', '(', ')', '=', '{', '}', '"', 'é', '\n'];
    let mut tested = 0;
    for code in 0..alphabet.len().pow(4) {
        let letters = (0..4u32).map(|place| alphabet[code / alphabet.len().pow(place) % alphabet.len()]);
        let text: String = letters.collect();
        if text.contains('"') && text.contains('\'') {
            continue;
        }
        let context = context();
        let mut manager = PassManager::new("any");
        manager.add(Box::new(Visit { tag: text.clone(), ..Visit::default() })).unwrap();
        for list in [vec![text.clone()], vec![text.clone(), String::new()], vec!["x".to_owned(), text.clone()]] {
            manager.add(Box::new(Everything { list, ..Everything::default() })).unwrap();
        }
        let printed = manager.to_string();
        let again = parse(&context, &printed).unwrap_or_else(|errors| panic!("{printed}: {errors:?}"));
        assert_eq!(again.to_string(), printed, "{text:?}");
        tested += 1;
    }
    assert!(tested > 10_000);
}
