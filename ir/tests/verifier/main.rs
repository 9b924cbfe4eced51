//! Tests of the verifier: for each check a text that fails it, with the code of the fault and its line.

mod broken;
mod control_flow;
mod declaration;
mod dialect;
mod own_rules;
mod scope;
mod structure;
mod support;
mod symbols;
