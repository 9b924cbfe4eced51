//! Operations: names, declarations, traits, interfaces, and the read-only view.

mod constraint;
mod declaration;
mod infer;
mod interface;
mod name;
mod traits;
mod view;

pub use constraint::{AttributeConstraint, AttributeRule, TypeConstraint, TypeRule};
pub use declaration::{
    Anchor, Arity, FormatElement, OperandDeclaration, OperationDeclaration, Presence, PropertyDeclaration,
    RegionDeclaration, ResultRule, Slot, SuccessorDeclaration,
};
pub(crate) use infer::{KnownTypes, type_of_attribute};
pub use infer::{ResultTypes, create_declared};
pub use name::OperationName;
pub use traits::OperationTraits;
pub use view::{OpRef, OperationView};
