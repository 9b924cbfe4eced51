//! Operations: names, declarations, traits, interfaces, and the read-only view.

mod constraint;
mod declaration;
mod interface;
mod name;
mod traits;
mod view;

pub use constraint::{AttributeConstraint, AttributeRule, TypeConstraint, TypeRule};
pub use declaration::{
    Arity, FormatElement, OperandDeclaration, OperationDeclaration, Presence, PropertyDeclaration, RegionDeclaration,
    ResultRule, Slot, SuccessorDeclaration,
};
pub use name::OperationName;
pub use traits::OperationTraits;
pub use view::{OpRef, OperationView};
