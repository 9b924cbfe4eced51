//! Rewriting: patterns, the greedy driver, folding, SSA form, and simplifications that need no dialect.

pub mod constants;
mod fingerprint;
mod fold;
pub mod greedy;
mod pattern;
mod regions;
pub mod ssa;
mod worklist;

pub use constants::{Adoption, ConstantTable};
pub use fold::{constants_last, fold};
pub use greedy::{FaultKind, GreedyEnd, GreedyFault, GreedyOptions, GreedyReport, apply_greedily};
pub use pattern::{
    CanonicalizeInterface, CanonicalizeModel, FrozenPatternSet, NoMatch, Pattern, PatternRoot, PatternSet,
    RewriteResult,
};
pub use regions::{
    Jump, as_jump, decided_branch, edge, erase_all_unreachable_blocks, erase_unreachable_blocks, is_plain_branch,
    mark_reachable, replace_by_jump,
};
pub use ssa::{Definition, JoinArguments, JoinFinder, Reaching, SsaError, SsaVariable, check_joins, reconstruct_ssa};
