//! Options of passes and pipelines.
//!
//! A pass declares its options as rows that tie a name and a help text to the field that holds the value:
//!
//! ```
//! use fermata_ir::pass::PassOptions;
//!
//! struct Inline { threshold: u64, names: Vec<String> }
//!
//! impl Inline {
//!     fn options(&mut self) -> PassOptions<'_> {
//!         PassOptions::new()
//!             .with("threshold", &mut self.threshold, "largest number of operations of a callee that is inlined")
//!             .with("only", &mut self.names, "names of the callees to inline; all if empty")
//!     }
//! }
//! ```
//!
//! The type of the field says what text is accepted. In a pipeline the options stand in braces after the name of the
//! pass, separated by blanks: `inline{threshold=20 only=a,b}`.

mod split;
mod values;

pub(crate) use split::{Setting, closing_brace, quoted, split_list, split_settings};
pub use values::KeywordOption;

use super::PassRegistry;
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// The text of one value, without the quotes or braces around it.
#[derive(Clone, Copy)]
pub struct OptionText<'t> {
    /// The text.
    pub text: &'t str,
    /// Position of its first byte in the source texts of the context.
    pub start: u32,
    /// The context, for values that hold IR or pipelines.
    pub context: &'t Context,
    /// The passes, for values that hold pipelines.
    pub registry: &'t PassRegistry,
}

impl<'t> OptionText<'t> {
    /// The source range of the text.
    pub fn span(&self) -> Span {
        Span { start: self.start, end: self.start + self.text.len() as u32 }
    }

    /// The part of the text that starts at a byte offset and is `text`.
    #[must_use]
    pub fn part(&self, offset: usize, text: &'t str) -> Self {
        Self { text, start: self.start + offset as u32, ..*self }
    }

    /// An error that says what the option takes, marking this text.
    pub fn mismatch(&self, expected: &str) -> Box<Diagnostic> {
        let found = if self.text.is_empty() { "nothing".to_owned() } else { format!("'{}'", self.text) };
        Box::new(Diagnostic::error("option-value", self.span(), format!("expected {expected}, found {found}")))
    }
}

/// A type that an option may have.
pub trait OptionValue {
    /// What the option takes, as help and errors say it, such as `an unsigned integer`.
    fn expected(&self) -> String;

    /// Sets the value from its text.
    ///
    /// # Errors
    /// If the text is not one of a value.
    fn parse(&mut self, text: OptionText<'_>) -> Result<(), Box<Diagnostic>>;

    /// Sets what the name of the option alone, without `=`, stands for; false if it stands for nothing.
    fn set_by_name(&mut self) -> bool {
        false
    }

    /// The canonical text, quoted where it must be; parsing it gives the same value.
    fn text(&self) -> String;

    /// Whether the option need not be printed: an absent value or an empty list.
    fn is_absent(&self) -> bool {
        false
    }
}

/// One option of a pass.
pub struct PassOption<'a> {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// Where its value is.
    pub value: &'a mut dyn OptionValue,
    /// What it does, in one sentence without a full stop.
    pub help: &'static str,
}

/// The options of a pass; see the [module](self).
#[derive(Default)]
pub struct PassOptions<'a> {
    rows: Vec<PassOption<'a>>,
}

impl<'a> PassOptions<'a> {
    /// No options.
    pub fn none() -> Self {
        Self::default()
    }

    /// No options yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an option.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &'a mut dyn OptionValue, help: &'static str) -> Self {
        debug_assert!(self.rows.iter().all(|row| row.name != name), "the option '{name}' is declared twice");
        self.rows.push(PassOption { name, value, help });
        self
    }

    /// The options in the order in which they were declared.
    pub fn rows(&self) -> &[PassOption<'a>] {
        &self.rows
    }

    /// Sets options from a text such as `threshold=20 only=a,b`. Of two equal names the last one counts.
    ///
    /// # Errors
    /// At the first mistake. Options before it have been set.
    pub fn parse(&mut self, owner: &str, text: OptionText<'_>) -> Result<(), Box<Diagnostic>> {
        for setting in split_settings(text)? {
            let Setting { name, value } = setting;
            let Some(row) = self.rows.iter_mut().find(|row| row.name == name.text) else {
                return Err(self.unknown(owner, name));
            };
            match value {
                Some(value) => row.value.parse(value)?,
                None if row.value.set_by_name() => {}
                None => {
                    let message = format!("the option '{}' of '{owner}' needs a value", row.name);
                    let help = format!("write '{}=' and {}", row.name, row.value.expected());
                    return Err(Box::new(Diagnostic::error("option-value", name.span(), message).help(help)));
                }
            }
        }
        Ok(())
    }

    fn unknown(&self, owner: &str, name: OptionText<'_>) -> Box<Diagnostic> {
        let message = format!("'{owner}' has no option '{}'", name.text);
        let diagnostic = Diagnostic::error("unknown-option", name.span(), message);
        let names = || self.rows.iter().map(|row| row.name);
        let help = match crate::nearest::nearest(name.text, names()) {
            Some(near) => format!("did you mean '{near}'?"),
            None if self.rows.is_empty() => format!("'{owner}' takes no options"),
            None => format!("its options are {}", names().collect::<Vec<_>>().join(", ")),
        };
        Box::new(diagnostic.help(help))
    }

    /// The canonical text of all options that have a value, sorted by name.
    pub fn text(&self) -> String {
        let mut rows: Vec<&PassOption<'a>> = self.rows.iter().filter(|row| !row.value.is_absent()).collect();
        rows.sort_by_key(|row| row.name);
        let texts: Vec<String> = rows.iter().map(|row| format!("{}={}", row.name, row.value.text())).collect();
        texts.join(" ")
    }
}
