//! Rewriting: patterns, the greedy driver, folding, and the repair of SSA form.

mod pattern;

pub use pattern::{
    CanonicalizeInterface, CanonicalizeModel, FrozenPatternSet, NoMatch, Pattern, PatternRoot, PatternSet,
    RewriteResult,
};
