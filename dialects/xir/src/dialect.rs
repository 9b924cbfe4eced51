//! The dialect.

use fermata_ir::attributes::AttributeDeclaration;
use fermata_ir::operation::OperationDeclaration;
use fermata_ir::types::TypeDeclaration;
use fermata_ir::{Attribute, BlockId, Builder, Dialect, OpId, Type, ValueId};

use crate::attributes::ATTRIBUTES;
use crate::constant::constant_type;
use crate::ops::{Br, Constant, OPERATIONS};
use crate::types::TYPES;

/// The XIR dialect.
pub struct XirDialect;

impl Dialect for XirDialect {
    fn namespace(&self) -> &'static str {
        "xir"
    }

    fn documentation(&self) -> &'static str {
        "SSA on a control-flow graph, close to LLVM, with a result for every operand.\n\nIntegers have no sign: operations \
         do. Scalars and vectors are builtin types; matrices, arrays, structures, references to memory and resources are \
         the dialect's own. What each operation computes is said on the page of the semantics."
    }

    fn operations(&self) -> &'static [&'static OperationDeclaration] {
        OPERATIONS
    }

    fn types(&self) -> &'static [&'static TypeDeclaration] {
        TYPES
    }

    fn attributes(&self) -> &'static [&'static AttributeDeclaration] {
        ATTRIBUTES
    }

    fn materialize_constant(&self, builder: &mut Builder<'_>, value: Attribute, ty: Type) -> Option<OpId> {
        (constant_type(builder.context(), value) == Some(ty)).then(|| Constant::build(builder, value))
    }

    fn materialize_branch(
        &self,
        builder: &mut Builder<'_>,
        destination: BlockId,
        arguments: &[ValueId],
    ) -> Option<OpId> {
        Some(Br::build(builder, arguments, destination))
    }
}
