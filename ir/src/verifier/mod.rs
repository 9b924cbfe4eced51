//! The verifier.
//!
//! [`verify`] reports every fault of a module in one run, each at its place, and nothing that only follows from another
//! fault. Later checks assume what earlier ones have found to hold; an operation that fails one is left out of those
//! that build on it.
//!
//! What is checked, in this order, with the codes of the diagnostics:
//!
//! * **Structure** (`structure`). The root of a body is in no block and, as the anchor of a nested body, has no
//!   operands, results or successors (`isolated-operation`). An operation that is declared isolated owns a body.
//!   Operations of no registered dialect are refused unless allowed (`unregistered-operation`). Nothing that was
//!   erased stands in a block or region (`erased`). Operands name values
//!   that are in the body (`dangling-operand`) and whose region holds the use (`value-out-of-scope`). Successors are
//!   blocks of the same region, are not its entry, and belong to the last operation of their block (`successor`).
//!   Blocks end in a terminator, which stands nowhere else (`missing-terminator`, `misplaced-terminator`); only a
//!   single block of an operation that says so may do without.
//! * **Dominance** (`scope`). Definitions come before uses: in one block by order (`use-before-definition`), across
//!   blocks by dominance (`dominance`), through nested regions by the operation that holds the use. In graph
//!   regions, and in regions of unregistered operations as in MLIR, order within a block is free. Uses in unreachable
//!   blocks are accepted.
//! * **Declaration**. Numbers of operands, results, regions and successors, and segment sizes (`counts`:
//!   `operand-count`, `operand-segments`, `result-count`, `region-count`, `successor-count`). Types of operands and
//!   results, and the rules that tie them together (`types`: `operand-type`, `result-type`, `type-rule`). Properties
//!   that are missing, unknown or of another kind (`properties`: `missing-property`, `unknown-property`,
//!   `property-kind`).
//! * **Traits** (`traits`). One block in a region (`single-block`), at most one in a graph region (`graph-region`), a
//!   constant's shape and type (`constant-like`), a symbol's name, visibility and place (`symbol-name`,
//!   `symbol-visibility`, `symbol-place`).
//! * **Types and attributes** themselves, with all types and attributes in them (`attributes`: `invalid-type`,
//!   `invalid-attribute`), and what the dialects of discardable attributes say about them.
//! * **Own rules** (`hooks`): an operation's [`VerifyModel`](crate::interfaces::VerifyModel), if all of the above
//!   holds for it, for what it holds and is held by, and for what defines its operands.
//! * **Control flow**. What the edges of a branch pass fits the arguments of their blocks in number and type
//!   (`branch`: `branch-operands`, `branch-type`), likewise between the regions of structured operations
//!   (`region_branch`: `region-operands`, `region-type`), from a function's type to its entry block and its
//!   terminators (`function`: `function-type`, `function-arguments`, `return-operands`, `return-type`).
//! * **Symbols** (`symbols`). Names are unique in their table (`duplicate-symbol`); calls name functions that exist
//!   (`unknown-symbol`, `not-a-function`) and fit their types (`call-arguments`, `call-results`). References are
//!   resolved only if a table around them is part of what is verified.
//! * **Links** of use lists, blocks and operations, if asked for ([`VerifyOptions::check_links`]: `broken-link`). It
//!   comes first, and faults there end the verification of their body.
//!
//! Diagnostics come in the order of the text. Any body is accepted as input, erased and detached operations
//! included: the verifier looks at what the regions hold and never trusts an id because it resolves.
//!
//! Complexity: linear in operations, operands and attributes that differ; near-linear in blocks and edges. Types,
//! attributes and pairs of operation name and properties are checked once for each thread. A dominator tree is made
//! only for a region in which a use crosses blocks.

mod attributes;
mod body;
mod branch;
mod counts;
mod faults;
mod function;
mod hooks;
mod message;
mod names;
mod properties;
mod region_branch;
mod scope;
mod structure;
mod symbols;
mod traits;
mod types;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::body::Body;
use crate::context::Context;
use crate::diagnostic::Diagnostics;
use body::{BodyVerifier, Session};
use faults::{Faults, NestedBodies};

/// What to accept and how to go about it.
#[derive(Clone, Copy, Default, Debug)]
pub struct VerifyOptions {
    /// Accept operations that no registered dialect declares.
    pub allow_unregistered: bool,
    /// Verify nested bodies at the same time on the threads of rayon's pool. The diagnostics are the same.
    pub parallel: bool,
    /// Check the links between operations, blocks, values and uses too. They are kept by [`Body`], so a fault there is
    /// one of this crate; for tests, and for hunting bugs.
    pub check_links: bool,
}

/// Verifies a body with all bodies nested in it; see the [module](self) for what is checked. Whether it holds is
/// whether no error was reported.
pub fn verify(context: &Context, body: &Body, options: &VerifyOptions, diagnostics: &mut Diagnostics) {
    let bodies = NestedBodies::new(body, options.check_links);
    let count = bodies.len();
    let verify_chunk = |range: std::ops::Range<usize>| {
        let mut session = Session::new(context, options);
        range.map(|index| BodyVerifier::verify(&mut session, bodies.get(index))).collect::<Vec<Faults>>()
    };
    let mut faults: Vec<Faults> = if options.parallel && count > 1 {
        let chunk = count.div_ceil(rayon::current_num_threads() * CHUNKS_PER_THREAD);
        let starts: Vec<usize> = (0..count).step_by(chunk).collect();
        starts.into_par_iter().flat_map_iter(|start| verify_chunk(start..count.min(start + chunk))).collect()
    } else {
        verify_chunk(0..count)
    };
    symbols::verify_symbols(context, &bodies, &mut faults);
    faults::report_in_order(&bodies, faults, diagnostics);
}

/// Threads that are done early take what is left over; a session's caches pay only over several bodies.
const CHUNKS_PER_THREAD: usize = 8;
