//! The printer.

use std::marker::PhantomData;

/// Writes a body as text.
pub struct Printer<'a> {
    marker: PhantomData<&'a ()>,
}
