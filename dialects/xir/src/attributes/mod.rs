//! The attributes of the dialect.

mod aggregate;
mod fastmath;
mod keywords;

pub use aggregate::{AggregateAttribute, ZeroAttribute};
pub use fastmath::FastMath;
pub use keywords::{AtomicKind, Bounds};

use fermata_ir::attributes::{AttributeDeclaration, DialectAttribute};

use crate::semantics::{FloatPredicate, IntegerPredicate};

/// All attributes, in the order of the reference page.
pub(crate) static ATTRIBUTES: &[&AttributeDeclaration] = &[
    AggregateAttribute::DECLARATION,
    ZeroAttribute::DECLARATION,
    FastMath::DECLARATION,
    IntegerPredicate::DECLARATION,
    FloatPredicate::DECLARATION,
    Bounds::DECLARATION,
    AtomicKind::DECLARATION,
];
