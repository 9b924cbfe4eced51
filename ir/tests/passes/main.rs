//! Tests of rewriting and of the generic passes, on a small dialect with its own evaluator.

mod canonicalize;
mod cse;
mod dead_code;
mod evaluate;
mod generate;
mod greedy;
mod inline;
mod mem2reg;
mod pipeline;
mod sccp;
mod simplify_cfg;
mod ssa;
mod support;
mod symbol_dce;
mod toy;
