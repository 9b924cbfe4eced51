//! Patterns: local rewrites, and sets of them.

use std::any::Any;

use smallvec::SmallVec;

use crate::body::OpId;
use crate::builder::Builder;
use crate::context::Context;
use crate::interface;
use crate::operation::OperationName;

/// A pattern does not apply; the reason is for whoever debugs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoMatch(pub &'static str);

/// Whether a pattern applied.
pub type RewriteResult = Result<(), NoMatch>;

/// Which operations a pattern wants to see.
#[derive(Clone, Copy)]
pub enum PatternRoot {
    /// Operations of this name.
    Operation(&'static str),
    /// Operations that have an interface; see [`PatternRoot::interface`].
    Interface(fn(OperationName, &Context) -> bool),
    /// All operations.
    Any,
}

impl PatternRoot {
    /// Operations that have the interface whose model is `M`.
    pub fn interface<M: Any>() -> Self {
        Self::Interface(|name, context| name.interface::<M>(context).is_some())
    }

    fn accepts(self, name: OperationName, context: &Context) -> bool {
        match self {
            Self::Operation(text) => name.as_str(context) == text,
            Self::Interface(has) => has(name, context),
            Self::Any => true,
        }
    }
}

/// A local rewrite.
///
/// A pattern decides before it changes anything: if it returns [`NoMatch`] the body is as it was, and if it returns
/// `Ok` the body is different. All changes go through the builder's own methods, or through
/// [`Builder::modify`], so that the driver sees them.
pub trait Pattern: Send + Sync {
    /// A name for reports and for options that turn patterns off, in kebab case.
    fn name(&self) -> &'static str;

    /// Which operations it wants to see.
    fn root(&self) -> PatternRoot;

    /// Patterns of a larger benefit are tried first; of equal ones, the one that was added first.
    fn benefit(&self) -> u16 {
        1
    }

    /// Tries to rewrite `op`. The builder stands before it.
    ///
    /// # Errors
    /// [`NoMatch`] if the pattern does not apply.
    fn match_and_rewrite(&self, op: OpId, builder: &mut Builder<'_>) -> RewriteResult;
}

/// What [`PatternSet::add_function`] takes.
type RewriteFunction = fn(OpId, &mut Builder<'_>) -> RewriteResult;

/// A pattern that is a function.
struct FunctionPattern {
    name: &'static str,
    root: PatternRoot,
    benefit: u16,
    rewrite: RewriteFunction,
}

impl Pattern for FunctionPattern {
    fn name(&self) -> &'static str {
        self.name
    }
    fn root(&self) -> PatternRoot {
        self.root
    }
    fn benefit(&self) -> u16 {
        self.benefit
    }
    fn match_and_rewrite(&self, op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
        (self.rewrite)(op, builder)
    }
}

interface! {
    /// An operation that has a canonical form.
    pub trait CanonicalizeInterface => CanonicalizeModel {
        /// Adds the patterns that lead to it. They must not undo each other.
        fn patterns(patterns: &mut PatternSet);
    }
}

/// Patterns in the order in which they were added.
#[derive(Default)]
pub struct PatternSet {
    patterns: Vec<Box<dyn Pattern>>,
}

impl PatternSet {
    /// No patterns.
    pub fn new() -> Self {
        Self::default()
    }

    /// The canonicalization patterns of all registered dialects, in order of registration and declaration.
    pub fn canonicalization(context: &Context) -> Self {
        let mut patterns = Self::new();
        for dialect in context.registry().dialects() {
            for declaration in dialect.operations() {
                let name = context.operation_name(declaration.name);
                if let Some(model) = name.interface::<CanonicalizeModel>(context) {
                    (model.patterns)(&mut patterns);
                }
            }
        }
        patterns
    }

    /// Adds a pattern.
    pub fn add(&mut self, pattern: impl Pattern + 'static) -> &mut Self {
        self.patterns.push(Box::new(pattern));
        self
    }

    /// Adds a function as a pattern of benefit 1 on operations of one name.
    pub fn add_function(
        &mut self,
        name: &'static str,
        operation: &'static str,
        rewrite: fn(OpId, &mut Builder<'_>) -> RewriteResult,
    ) -> &mut Self {
        self.add(FunctionPattern { name, root: PatternRoot::Operation(operation), benefit: 1, rewrite })
    }

    /// Keeps the patterns of which `keep` says so by their name.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.patterns.retain(|pattern| keep(pattern.name()));
    }

    /// The patterns, ready to be applied.
    pub fn freeze(self) -> FrozenPatternSet {
        let mut patterns = self.patterns;
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.benefit()));
        FrozenPatternSet { patterns }
    }
}

/// Patterns in the order in which they are tried. It may be used by many threads.
pub struct FrozenPatternSet {
    patterns: Vec<Box<dyn Pattern>>,
}

impl FrozenPatternSet {
    /// The patterns, those tried first at the front.
    pub fn patterns(&self) -> &[Box<dyn Pattern>] {
        &self.patterns
    }

    /// The indices of the patterns that want to see operations of a name, in the order in which they are tried.
    /// Takes time linear in the number of patterns: a driver remembers the answer.
    pub fn candidates(&self, context: &Context, name: OperationName) -> SmallVec<[u32; 8]> {
        (0..)
            .zip(&self.patterns)
            .filter(|(_, pattern)| pattern.root().accepts(name, context))
            .map(|(index, _)| index)
            .collect()
    }
}
