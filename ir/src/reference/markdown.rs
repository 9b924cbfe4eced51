//! Markdown from doc comments.

use std::fmt::Write;

/// A table with a heading row.
pub(super) struct Table {
    text: String,
    columns: usize,
}

impl Table {
    pub(super) fn new(headings: &[&str]) -> Self {
        let mut table = Self { text: String::new(), columns: headings.len() };
        table.line(headings.iter().map(|heading| (*heading).to_owned()));
        table.text.push_str(&"|---".repeat(headings.len()));
        table.text.push_str("|\n");
        table
    }

    /// Adds a row of as many cells as there are headings.
    pub(super) fn row<const N: usize>(&mut self, cells: [String; N]) {
        debug_assert_eq!(N, self.columns, "a row has a cell for each heading");
        self.line(cells.into_iter());
    }

    fn line(&mut self, cells: impl Iterator<Item = String>) {
        for cell in cells {
            let cell = cell.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = write!(self.text, "| {cell} ");
        }
        self.text.push_str("|\n");
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// A doc comment as it stands on a page: links to Rust items become plain code.
pub(super) fn from_documentation(documentation: &str) -> String {
    let mut in_code = false;
    let lines = documentation.trim().lines().map(|line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        if is_fence || in_code { line.trim_end().to_owned() } else { without_item_links(line.trim_end()) }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The first paragraph on one line.
pub(super) fn summary(documentation: &str) -> String {
    let paragraph: Vec<&str> =
        documentation.trim().lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    without_item_links(&paragraph.join(" "))
}

/// Replaces ``[`Item`]`` and ``[text](path::Item)`` by what stands in the square brackets.
fn without_item_links(line: &str) -> String {
    let mut result = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find('[') {
        let Some(length) = rest[start..].find(']') else { break };
        let (inside, after) = (&rest[start + 1..start + length], &rest[start + length + 1..]);
        result.push_str(&rest[..start]);
        let target = after.strip_prefix('(').and_then(|target| target.split_once(')'));
        match target {
            // The path of a function may end in parentheses of its own.
            Some((target, after)) if is_rust_path(target.trim_end_matches('(')) => {
                result.push_str(inside);
                rest = if target.ends_with('(') { after.trim_start_matches(')') } else { after };
            }
            // A whole word of code in brackets is a link to an item; in running code brackets are brackets.
            None if inside.len() > 2 && inside.starts_with('`') && inside.ends_with('`') && !in_code(&result) => {
                result.push_str(inside);
                rest = after;
            }
            _ => {
                result.push('[');
                rest = &rest[start + 1..];
            }
        }
    }
    result.push_str(rest);
    result
}

/// Whether a span of code is open at the end of a text.
fn in_code(text: &str) -> bool {
    text.matches('`').count() % 2 == 1
}

fn is_rust_path(target: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|one| one.is_alphanumeric() || one == '_');
    target.trim_end_matches('!').split("::").all(is_name)
}

#[cfg(test)]
mod tests {
    use super::{Table, from_documentation, summary};

    #[test]
    fn links_to_items_become_code() {
        let text =
            "See [`Func`], [the trait](crate::A::b()), [`Self::x`](Self::x), [a page](semantics.md), `a[i]`, [1].";
        let expected = "See `Func`, the trait, `Self::x`, [a page](semantics.md), `a[i]`, [1].";
        assert_eq!(from_documentation(text), expected);
    }

    #[test]
    fn code_stays_as_it_is() {
        let text = "A.\n\n```mlir\n%0 = t.op [`A`]  \n```\n";
        assert_eq!(from_documentation(text), "A.\n\n```mlir\n%0 = t.op [`A`]\n```");
    }

    #[test]
    fn the_summary_is_the_first_paragraph() {
        assert_eq!(summary("One [`A`]\ntwo.\n\nThree."), "One `A` two.");
        assert_eq!(summary(""), "");
    }

    #[test]
    fn cells_hold_no_bars_and_no_lines() {
        let mut table = Table::new(&["a", "b"]);
        table.row(["x|y".to_owned(), "1\n2".to_owned()]);
        assert_eq!(table.finish(), "| a | b |\n|---|---|\n| x\\|y | 1 2 |\n");
    }
}
