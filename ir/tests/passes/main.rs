//! Tests of rewriting and of the generic passes, on a small dialect with its own evaluator.

mod dead_code;
mod evaluate;
mod generate;
mod greedy;
mod sccp;
mod simplify_cfg;
mod support;
mod toy;
