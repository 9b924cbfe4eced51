//! Tests of the analyses against slow, obvious definitions on random graphs and bodies.

mod components;
mod dominators;
mod frontier;
mod loops;
mod random;
