//! Pipelines as data: which passes run on which operations, in which order.

use std::fmt;

use super::Pass;
use crate::context::Context;
use crate::operation::{OperationName, OperationTraits};

/// The name that stands for any operation in a pipeline.
pub(crate) const ANY: &str = "any";

/// Which operations a [`PassManager`] runs on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PipelineAnchor {
    /// Every isolated operation that all its passes accept.
    Any,
    /// Operations of this name.
    Operation(String),
}

impl PipelineAnchor {
    /// The name as a pipeline string has it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Any => ANY,
            Self::Operation(name) => name,
        }
    }
}

impl From<&str> for PipelineAnchor {
    fn from(name: &str) -> Self {
        if name == ANY { Self::Any } else { Self::Operation(name.to_owned()) }
    }
}

/// A pass was added to a pipeline for other operations than those it runs on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongAnchor {
    /// Name of the pass.
    pub pass: &'static str,
    /// What it runs on.
    pub wants: &'static str,
    /// What the pipeline runs on.
    pub pipeline: String,
}

impl fmt::Display for WrongAnchor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pass, wants, pipeline } = self;
        write!(
            formatter,
            "Can't add pass '{pass}' restricted to '{wants}' on a PassManager intended to run on '{pipeline}', did you intend to nest?"
        )
    }
}

impl std::error::Error for WrongAnchor {}

/// One element of a pipeline.
pub(crate) enum Element {
    Pass(Box<dyn Pass>),
    Nested(PassManager),
}

impl Clone for Element {
    fn clone(&self) -> Self {
        match self {
            Self::Pass(pass) => Self::Pass(pass.clone_pass()),
            Self::Nested(manager) => Self::Nested(manager.clone()),
        }
    }
}

/// Passes that run one after the other on an operation, and pipelines that run on the operations directly inside it.
///
/// Its [`Display`](fmt::Display) form is the canonical pipeline string, with all options that have a value.
#[derive(Clone)]
pub struct PassManager {
    anchor: PipelineAnchor,
    elements: Vec<Element>,
}

impl Default for PassManager {
    fn default() -> Self {
        Self::new(ANY)
    }
}

impl PassManager {
    /// An empty pipeline for operations of a name, or for `any`.
    pub fn new(anchor: impl Into<PipelineAnchor>) -> Self {
        Self { anchor: anchor.into(), elements: Vec::new() }
    }

    /// Which operations it runs on.
    pub fn anchor(&self) -> &PipelineAnchor {
        &self.anchor
    }

    /// Whether it has neither passes nor pipelines.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Number of passes, those of nested pipelines included.
    pub fn pass_count(&self) -> usize {
        let count = |element: &Element| match element {
            Element::Pass(_) => 1,
            Element::Nested(manager) => manager.pass_count(),
        };
        self.elements.iter().map(count).sum()
    }

    /// Adds a pass at the end.
    ///
    /// # Errors
    /// If the pass is for one operation and the pipeline for another.
    pub fn add(&mut self, pass: Box<dyn Pass>) -> Result<&mut Self, WrongAnchor> {
        match (pass.anchor(), &self.anchor) {
            (Some(wants), PipelineAnchor::Operation(name)) if wants != name => {
                Err(WrongAnchor { pass: pass.name(), wants, pipeline: name.clone() })
            }
            _ => {
                self.elements.push(Element::Pass(pass));
                Ok(self)
            }
        }
    }

    /// Adds a pass at the end, in a nested pipeline if it does not run on the operations of this one: for its own
    /// operation if it has one, otherwise for any that it accepts.
    pub fn add_nesting(&mut self, context: &Context, pass: Box<dyn Pass>) -> &mut Self {
        let nested = match (pass.anchor(), &self.anchor) {
            (_, PipelineAnchor::Any) => None,
            (Some(wants), PipelineAnchor::Operation(name)) => (wants != name).then_some(wants),
            (None, PipelineAnchor::Operation(name)) => {
                (!pass.accepts(context, context.operation_name(name))).then_some(ANY)
            }
        };
        let manager = match nested {
            Some(anchor) => self.nest(anchor),
            None => &mut *self,
        };
        manager.elements.push(Element::Pass(pass));
        self
    }

    /// The pipeline for operations of a name, or for `any`, directly inside those of this one: the last element if
    /// that is such a pipeline, otherwise a new one.
    pub fn nest(&mut self, anchor: &str) -> &mut PassManager {
        let known = matches!(self.elements.last(), Some(Element::Nested(last)) if last.anchor.as_str() == anchor);
        if !known {
            self.elements.push(Element::Nested(PassManager::new(anchor)));
        }
        match self.elements.last_mut() {
            Some(Element::Nested(manager)) => manager,
            _ => unreachable!("the last element was made a pipeline"),
        }
    }

    /// Adds a nested pipeline at the end.
    pub fn add_pipeline(&mut self, pipeline: PassManager) -> &mut Self {
        self.elements.push(Element::Nested(pipeline));
        self
    }

    pub(crate) fn elements(&self) -> &[Element] {
        &self.elements
    }

    pub(crate) fn elements_mut(&mut self) -> &mut [Element] {
        &mut self.elements
    }

    /// Whether it may run on operations of a name: they are registered and isolated, it is their name, and its
    /// passes accept it.
    pub(crate) fn accepts(&self, context: &Context, name: OperationName) -> bool {
        let isolated = name.traits(context).contains(OperationTraits::ISOLATED_FROM_ABOVE);
        let named = self.anchor == PipelineAnchor::Any || self.anchor.as_str() == name.as_str(context);
        isolated && named && self.refusing_pass(context, name).is_none()
    }

    /// The first of its passes that does not run on operations of a name.
    pub(crate) fn refusing_pass(&self, context: &Context, name: OperationName) -> Option<&dyn Pass> {
        self.elements.iter().find_map(|element| match element {
            Element::Pass(pass) => {
                let anchored = pass.anchor().is_none_or(|anchor| anchor == name.as_str(context));
                (!anchored || !pass.accepts(context, name)).then_some(&**pass)
            }
            Element::Nested(_) => None,
        })
    }

    /// Its only element, if that is a pipeline; otherwise itself.
    pub(crate) fn unwrap_single_pipeline(mut self) -> PassManager {
        if !matches!(*self.elements, [Element::Nested(_)]) {
            return self;
        }
        match self.elements.pop() {
            Some(Element::Nested(manager)) => manager,
            _ => self,
        }
    }

    /// The canonical text of the elements, without the anchor around them.
    pub(crate) fn elements_text(&self) -> String {
        let texts: Vec<String> = self.elements.iter().map(element_text).collect();
        texts.join(",")
    }
}

impl fmt::Display for PassManager {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}({})", self.anchor.as_str(), self.elements_text())
    }
}

impl fmt::Debug for PassManager {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PassManager(\"{self}\")")
    }
}

fn element_text(element: &Element) -> String {
    match element {
        Element::Pass(pass) => pass_text(&**pass),
        Element::Nested(manager) => manager.to_string(),
    }
}

/// The canonical text of a pass with its options.
pub(crate) fn pass_text(pass: &dyn Pass) -> String {
    let options = pass.clone_pass().options().text();
    if options.is_empty() { pass.name().to_owned() } else { format!("{}{{{options}}}", pass.name()) }
}
