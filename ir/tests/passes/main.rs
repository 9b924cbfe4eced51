//! Tests of rewriting and of the generic passes, on a small dialect with its own evaluator.

mod evaluate;
mod generate;
mod greedy;
mod support;
mod toy;
