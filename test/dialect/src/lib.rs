//! A dialect of one operation in a crate of its own.
//!
//! It is what the tutorial in `docs/` builds, and shows that nothing else need change for a new operation.

mod rotate;

use fermata_ir::operation::OperationDeclaration;
use fermata_ir::{Attribute, Builder, Dialect, OpId, OperationView, Type};
use fermata_xir::XirDialect;

pub use rotate::Rotate;

/// The tutorial's dialect.
pub struct TutorialDialect;

impl Dialect for TutorialDialect {
    fn namespace(&self) -> &'static str {
        "tutorial"
    }

    fn documentation(&self) -> &'static str {
        "What the tutorial adds to xir."
    }

    fn operations(&self) -> &'static [&'static OperationDeclaration] {
        static OPERATIONS: &[&OperationDeclaration] = &[Rotate::DECLARATION];
        OPERATIONS
    }

    fn materialize_constant(&self, builder: &mut Builder<'_>, value: Attribute, ty: Type) -> Option<OpId> {
        XirDialect.materialize_constant(builder, value, ty)
    }
}
