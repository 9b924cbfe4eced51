//! How interfaces are declared.
//!
//! An interface is a trait of associated functions on an [`OpRef`](super::OpRef), and a *model*: a plain table of the
//! functions of one implementor. Declarations list the models of an operation, and generic code asks for a model by
//! its type: `op.interface::<BranchModel>()`. No boxing, no lifetimes, and any crate may add an interface.

use std::any::Any;

/// A model of some interface, as declarations list it; made by [`interface!`](crate::interface!).
pub trait InterfaceModel: Any + Send + Sync {
    /// Name of the interface's trait, such as `FoldInterface`.
    fn interface_name(&self) -> &'static str;
}

impl std::fmt::Debug for dyn InterfaceModel {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.interface_name())
    }
}

/// Declares an interface trait and its model.
///
/// ```
/// fermata_ir::interface! {
///     /// Says how much an operation costs.
///     pub trait CostInterface => CostModel {
///         /// Cost in cycles.
///         fn cost(op: fermata_ir::OpRef<'_>) -> u32;
///     }
/// }
/// ```
#[macro_export]
macro_rules! interface {
    ($(#[$meta:meta])* $vis:vis trait $Trait:ident => $Model:ident {
        $($(#[$fn_meta:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? $($default:block)? $(;)?)*
    }) => {
        $(#[$meta])*
        $vis trait $Trait {
            $($crate::interface!(@function $(#[$fn_meta])* $name($($arg: $ty),*) $(-> $ret)? $(, $default)?);)*
        }

        #[doc = concat!("The functions of one implementor of [`", stringify!($Trait), "`].")]
        #[derive(Clone, Copy)]
        $vis struct $Model {
            $($(#[$fn_meta])* pub $name: fn($($ty),*) $(-> $ret)?,)*
        }

        impl $Model {
            /// The model of `T`.
            #[must_use]
            pub const fn of<T: $Trait>() -> Self {
                Self { $($name: T::$name,)* }
            }
        }

        impl $crate::operation::InterfaceModel for $Model {
            fn interface_name(&self) -> &'static str {
                stringify!($Trait)
            }
        }
    };
    (@function $(#[$meta:meta])* $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?) => {
        $(#[$meta])* fn $name($($arg: $ty),*) $(-> $ret)?;
    };
    (@function $(#[$meta:meta])* $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?, $default:block) => {
        $(#[$meta])* fn $name($($arg: $ty),*) $(-> $ret)? $default
    };
}
