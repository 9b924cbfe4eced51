//! The reference pages, made from the declarations.
//!
//! A page says of every operation, type and attribute what its declaration says: nothing else is written by hand, so
//! the pages cannot be out of step with the code.

mod markdown;
mod operation;
mod syntax;

use std::fmt::Write;

use crate::dialect::Dialect;
use crate::text::ParameterDeclaration;
use markdown::{Table, from_documentation, summary};

/// Writing to a `String` does not fail.
const INFALLIBLE: &str = "writing to memory does not fail";

/// The page of a dialect, in Markdown.
///
/// ```
/// let page = fermata_ir::reference::reference_page(&fermata_ir::builtin::BuiltinDialect);
/// assert!(page.starts_with("# The builtin dialect\n"));
/// assert!(page.contains("### `builtin.module`"));
/// ```
pub fn reference_page(dialect: &dyn Dialect) -> String {
    let mut page = String::new();
    writeln!(page, "# The {} dialect\n", dialect.namespace()).expect(INFALLIBLE);
    writeln!(page, "{}", from_documentation(dialect.documentation())).expect(INFALLIBLE);
    let operations = dialect.operations();
    let types = dialect.types().iter().map(|one| Definition {
        sigil: '!',
        name: one.name,
        documentation: one.documentation,
        parameters: one.parameters,
    });
    let attributes = dialect.attributes().iter().map(|one| Definition {
        sigil: '#',
        name: one.name,
        documentation: one.documentation,
        parameters: one.parameters,
    });
    if !operations.is_empty() {
        page.push_str("\n## Operations\n\n");
        let mut table = Table::new(&["operation", "what it does"]);
        for operation in operations {
            let link = format!("[`{}`](#{})", operation.name, anchor(operation.name));
            table.row([link, summary(operation.documentation)]);
        }
        page.push_str(&table.finish());
        operations.iter().for_each(|declaration| operation::write(&mut page, declaration));
    }
    definitions(&mut page, "Types", types);
    definitions(&mut page, "Attributes", attributes);
    page
}

/// The anchor that mdBook gives to a heading of this text.
fn anchor(heading: &str) -> String {
    heading.chars().filter(|&one| one.is_alphanumeric() || one == '_' || one == '-').collect::<String>().to_lowercase()
}

struct Definition {
    sigil: char,
    name: &'static str,
    documentation: &'static str,
    parameters: &'static [ParameterDeclaration],
}

fn definitions(page: &mut String, title: &str, all: impl ExactSizeIterator<Item = Definition>) {
    if all.len() == 0 {
        return;
    }
    writeln!(page, "\n## {title}").expect(INFALLIBLE);
    for Definition { sigil, name, documentation, parameters } in all {
        write!(page, "\n### `{sigil}{name}`\n\n{}\n", from_documentation(documentation)).expect(INFALLIBLE);
        if parameters.is_empty() {
            continue;
        }
        write!(page, "\n```text\n{sigil}{name}{}\n```\n\n", syntax::of_parameters(parameters)).expect(INFALLIBLE);
        let mut table = Table::new(&["parameter", "what it is", ""]);
        for parameter in parameters {
            let mut what = (parameter.describe)();
            if parameter.is_optional {
                what.push_str(", optional");
            }
            table.row([format!("`{}`", parameter.name), what, from_documentation(parameter.documentation)]);
        }
        page.push_str(&table.finish());
    }
}
