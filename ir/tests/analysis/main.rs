//! Tests of the analyses against slow, obvious definitions on random graphs and bodies.

mod components;
mod dataflow_dense;
mod dataflow_sparse;
mod dialect;
mod dominators;
mod frontier;
mod liveness;
mod loops;
mod points;
mod program;
mod random;
mod regions;
