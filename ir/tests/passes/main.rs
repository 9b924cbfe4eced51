//! Tests of rewriting and of the generic passes, on a small dialect with its own evaluator.

mod dead_code;
mod evaluate;
mod generate;
mod greedy;
mod inline;
mod sccp;
mod simplify_cfg;
mod support;
mod symbol_dce;
mod toy;
