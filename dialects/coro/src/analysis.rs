//! The certificate of a coroutine's analysis.
//!
//! What crosses each suspension is data in the module, sealed with a hash of the coroutine that it was computed from
//! and of itself. Passes that act on it refuse a stale or changed one.

use fermata_ir::constraints::{ArrayAttribute, StringAttribute, SymbolName, SymbolReference, U64Attribute};
use fermata_ir::{Type, attribute_definition, operation};

/// A piece of a value that crosses a suspension: `#coro.atom<"value", 7, [0], f32>`.
///
/// Values are numbered as the generic form numbers them: arguments of the entry block first, then all other values in
/// textual order, from 0.
#[attribute_definition(name = "coro.atom")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// `value`; `memory` for what a local allocation holds; `snapshot` for a value that only an export or an extension
    /// sees.
    pub source: String,
    /// Number of the value, or of the reference to the allocation.
    pub value: u32,
    /// Indices that lead from the whole value to the piece.
    pub path: Vec<u32>,
    /// Type of the piece.
    pub ty: Type,
}

/// A continuation to be: `#coro.scope<1, "shade", [0, 1], [0]>`.
#[attribute_definition(name = "coro.scope")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Scope {
    /// Token at which it starts.
    pub token: u32,
    /// Name of the suspension; empty for the entry.
    pub name: String,
    /// Atoms that are live while the coroutine waits for it.
    pub live: Vec<u32>,
    /// Those of them that it reads.
    pub loads: Vec<u32>,
}

/// A suspension between two scopes: `#coro.transfer<0, 1, [0, 1], []>`.
#[attribute_definition(name = "coro.transfer")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Transfer {
    /// Token of the scope that suspends.
    pub from: u32,
    /// Token of the suspension.
    pub to: u32,
    /// Atoms that the first scope must write to the frame.
    pub stores: Vec<u32>,
    /// Atoms that exports and extensions read, in the order exports, then bindings.
    pub designated: Vec<u32>,
}

/// What crosses the suspensions of one coroutine.
#[operation(
    name = "coro.analysis",
    traits = [SYMBOL],
    format = "$sym_name `of` $root `hash` $source_hash `seal` $seal `atoms` $atoms `scopes` $scopes `transfers` $transfers attr-dict",
)]
pub struct Analysis {
    #[property]
    sym_name: SymbolName,
    #[property(optional)]
    sym_visibility: StringAttribute,
    #[property]
    root: SymbolReference,
    /// Hash of the coroutine's generic form.
    #[property]
    source_hash: U64Attribute,
    /// Hash of the other properties.
    #[property]
    seal: U64Attribute,
    /// [`Atom`]s.
    #[property]
    atoms: ArrayAttribute,
    /// [`Scope`]s: the entry first, then by token.
    #[property]
    scopes: ArrayAttribute,
    /// [`Transfer`]s, by from and to.
    #[property]
    transfers: ArrayAttribute,
}
