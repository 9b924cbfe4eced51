//! What a pass is.

use super::{PassOptions, PassTarget};
use crate::context::Context;
use crate::operation::OperationName;

/// What a pass that did not fail did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PassOutcome {
    /// The body is, or may be, different. Analyses that the pass did not preserve are dropped.
    Changed,
    /// The body is as it was, and all analyses are still valid.
    Unchanged,
}

impl PassOutcome {
    /// [`PassOutcome::Changed`] if `changed`.
    #[must_use]
    pub fn changed_if(changed: bool) -> Self {
        if changed { Self::Changed } else { Self::Unchanged }
    }

    /// Changed if either is.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::changed_if(self == Self::Changed || other == Self::Changed)
    }
}

/// A pass refused its input; the diagnostics say why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassFailure;

/// How a pass ended. A pass that reported an error has failed, whatever it returns.
pub type PassResult = Result<PassOutcome, PassFailure>;

/// A transformation, analysis or check of one isolated operation.
///
/// A pass looks at and changes the body that it is given, with all that is nested in it, and nothing else. It keeps
/// no state from one run to the next: runs on different bodies happen in any order and at the same time. If it
/// refuses its input, it leaves the body as it was.
pub trait Pass: Send + Sync {
    /// The name in pipelines and on the command line, in kebab case, such as `symbol-dce`.
    fn name(&self) -> &'static str;

    /// What it does, in one sentence without a full stop.
    fn description(&self) -> &'static str;

    /// A copy with the same options. With `#[derive(Clone)]` it is `Box::new(self.clone())`.
    fn clone_pass(&self) -> Box<dyn Pass>;

    /// What a user may set: one row for each option, which ties its name and help to the field that holds it. The
    /// values that a fresh pass has are the defaults.
    fn options(&mut self) -> PassOptions<'_> {
        PassOptions::none()
    }

    /// The one operation that it runs on, such as `builtin.module`; any isolated operation if there is none.
    fn anchor(&self) -> Option<&'static str> {
        None
    }

    /// Whether it runs on operations of a name, for passes that ask for an interface. Its [anchor](Pass::anchor) is
    /// checked apart from this.
    fn accepts(&self, _context: &Context, _name: OperationName) -> bool {
        true
    }

    /// Prepares for runs in a context, for what is the same on every body, such as a frozen set of patterns. It is
    /// called after options are set and before the first run.
    fn initialize(&mut self, _context: &Context) {}

    /// Runs on one operation.
    ///
    /// # Errors
    /// If the pass refuses its input. It has reported why.
    fn run(&self, target: &mut PassTarget<'_>) -> PassResult;
}
