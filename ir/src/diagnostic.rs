//! Diagnostics as data.
//!
//! Whatever may refuse its input reports into [`Diagnostics`] and goes on where it can. A diagnostic names the place,
//! the rule that was broken and, where one is known, the cure; rendering is apart, in [`crate::render`].

use crate::location::Location;
use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// For information.
    Remark,
    /// Belongs to the diagnostic before it.
    Note,
    /// Suspicious but accepted.
    Warning,
    /// The input is refused.
    Error,
}

/// Where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A range of a source text.
    Span(Span),
    /// The location of something in the IR.
    Location(Location),
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Self::Span(span)
    }
}

impl From<Location> for Place {
    fn from(location: Location) -> Self {
        Self::Location(location)
    }
}

/// A further place that explains a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where, if anywhere.
    pub place: Option<Place>,
    /// What is there.
    pub message: String,
}

/// One message about the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name of the broken rule, in kebab case, such as `type-mismatch`.
    pub code: &'static str,
    /// Where it is.
    pub place: Place,
    /// What is wrong, in words that name the thing.
    pub message: String,
    /// Further places.
    pub notes: Vec<Note>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error with no notes and no help.
    pub fn error(code: &'static str, place: impl Into<Place>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, place, message)
    }

    /// A warning with no notes and no help.
    pub fn warning(code: &'static str, place: impl Into<Place>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, place, message)
    }

    /// A remark with no notes and no help.
    pub fn remark(code: &'static str, place: impl Into<Place>, message: impl Into<String>) -> Self {
        Self::new(Severity::Remark, code, place, message)
    }

    fn new(severity: Severity, code: &'static str, place: impl Into<Place>, message: impl Into<String>) -> Self {
        Self { severity, code, place: place.into(), message: message.into(), notes: Vec::new(), help: None }
    }

    /// Adds a note at a place.
    #[must_use]
    pub fn note(mut self, place: impl Into<Place>, message: impl Into<String>) -> Self {
        self.notes.push(Note { place: Some(place.into()), message: message.into() });
        self
    }

    /// Adds a note that has no place.
    #[must_use]
    pub fn remark_note(mut self, message: impl Into<String>) -> Self {
        self.notes.push(Note { place: None, message: message.into() });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, message: impl Into<String>) -> Self {
        self.help = Some(message.into());
        self
    }
}

/// A list of diagnostics in the order in which they were reported.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.list.push(diagnostic);
    }

    /// Adds all of another list.
    pub fn extend(&mut self, other: Diagnostics) {
        self.errors += other.errors;
        self.list.extend(other.list);
    }

    /// The number of errors.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// All diagnostics in order.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }

    /// The diagnostics themselves.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.list
    }
}
