//! The semantics of scalar operations against independent oracles: arithmetic on unbounded integers, and a software
//! implementation of IEEE 754.

mod cast;
mod comparison;
mod composite;
mod float;
mod half;
mod integer;
#[path = "../support/values.rs"]
mod values;
