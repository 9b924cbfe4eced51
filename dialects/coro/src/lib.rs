//! The `coro` dialect: kernels that suspend.
//!
//! Before splitting, a coroutine is a [`Func`] whose blocks may end in a [`Suspend`]: a terminator with one successor,
//! the resume block, so that SSA and every analysis see the suspension as an ordinary edge. After splitting it is a
//! set of [`Continuation`]s that read and write a frame by slot, a [`FrameLayout`], and a [`Graph`] of what follows
//! what.
//!
//! | stage | operations |
//! |---|---|
//! | source | [`Func`], [`Suspend`] |
//! | analysed | + [`Analysis`], then [`FrameLayout`] |
//! | split | [`Continuation`], [`FrameLoad`], [`FrameStore`], [`Transition`], [`FrameLayout`], [`Graph`], [`Node`], [`Edge`] |

mod analysis;
mod extension;
mod frame;
mod function;
mod graph;
mod suspend;
mod token;

use fermata_ir::attributes::AttributeDeclaration;
use fermata_ir::operation::OperationDeclaration;
use fermata_ir::types::TypeDeclaration;
use fermata_ir::{Dialect, OperationView};

pub use analysis::{Analysis, Atom, Scope, Transfer};
pub use extension::{Access, Binding, BindingIndex, Extension, Fallback, Lifetime};
pub use frame::{FrameLayout, FrameLoad, FrameStore, FrameType, Slot};
pub use function::{Continuation, Func, Transition};
pub use graph::{Edge, Export, Graph, Node};
pub use suspend::Suspend;
pub use token::{TOKEN_DONE, TOKEN_ENTRY, Token};

/// The `coro` dialect.
pub struct CoroDialect;

impl Dialect for CoroDialect {
    fn namespace(&self) -> &'static str {
        "coro"
    }

    fn documentation(&self) -> &'static str {
        "Coroutines: suspension points and their extensions, frames, continuations, coroutine graphs."
    }

    fn operations(&self) -> &'static [&'static OperationDeclaration] {
        static OPERATIONS: &[&OperationDeclaration] = &[
            Func::DECLARATION,
            Suspend::DECLARATION,
            Analysis::DECLARATION,
            FrameLayout::DECLARATION,
            Continuation::DECLARATION,
            FrameLoad::DECLARATION,
            FrameStore::DECLARATION,
            Transition::DECLARATION,
            Graph::DECLARATION,
            Node::DECLARATION,
            Edge::DECLARATION,
        ];
        OPERATIONS
    }

    fn types(&self) -> &'static [&'static TypeDeclaration] {
        static TYPES: &[&TypeDeclaration] = &[<FrameType as fermata_ir::types::DialectType>::DECLARATION];
        TYPES
    }

    fn attributes(&self) -> &'static [&'static AttributeDeclaration] {
        use fermata_ir::attributes::DialectAttribute;
        static ATTRIBUTES: &[&AttributeDeclaration] = &[
            <Extension as DialectAttribute>::DECLARATION,
            <Binding as DialectAttribute>::DECLARATION,
            <Atom as DialectAttribute>::DECLARATION,
            <Scope as DialectAttribute>::DECLARATION,
            <Transfer as DialectAttribute>::DECLARATION,
            <Slot as DialectAttribute>::DECLARATION,
            <Export as DialectAttribute>::DECLARATION,
        ];
        ATTRIBUTES
    }
}
