//! Declared operations, types and attributes: text, views, builders, checks.

mod builders;
mod checks;
mod constraints;
mod definitions;
mod dialect;
mod formats;
mod mistakes;
mod reference;
mod support;
mod views;
