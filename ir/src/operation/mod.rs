//! Operations: names, declarations, traits, interfaces, and the read-only view.

mod check;
mod constraint;
mod create;
mod declaration;
mod infer;
mod interface;
mod name;
mod traits;
mod view;

pub use check::{check_declaration, check_dialect};
pub use constraint::{AttributeConstraint, AttributeRule, TypeConstraint, TypeRule};
pub(crate) use create::{OPERAND_SEGMENT_SIZES, segment_sizes, set_operand_group};
pub use create::{ResultTypes, create_declared, create_declared_body, with_defaults};
pub use declaration::{
    Anchor, Arity, FormatElement, OperandDeclaration, OperationDeclaration, Presence, PropertyDeclaration,
    RegionDeclaration, ResultRule, Slot, SuccessorDeclaration,
};
pub(crate) use infer::{KnownTypes, type_of_attribute};
pub use interface::InterfaceModel;
pub use name::OperationName;
pub use traits::OperationTraits;
pub use view::{OpRef, OperationView};
