//! The pass `canonicalize`.

use fermata_ir::diagnostic::Severity;
use fermata_ir::pass::{PassOutcome, PassResult, run_pass};
use fermata_ir::passes::Canonicalize;
use fermata_ir::{Attribute, Body, Diagnostics};

use crate::evaluate::ops_named;
use crate::generate::{Shape, check_meaning};
use crate::support::{Function, function, module};
use crate::toy::context;

fn canonicalize(pass: Canonicalize, f: &mut Function<'_>) -> (PassResult, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let result = run_pass(&mut pass.clone(), f.context, &mut f.body, &mut diagnostics);
    (result, diagnostics)
}

fn checked() -> Canonicalize {
    let mut pass = Canonicalize::default();
    pass.greedy.expensive_checks = true;
    pass
}

#[test]
fn patterns_of_the_dialects_are_applied_and_fold_on() {
    let context = context();
    let mut f = Function::new(&context, 0);
    let three = f.constant(3);
    let value = (0..4).fold(three, |value, _| f.number("toy.twice", &[value]));
    f.ret(&[value]);
    let (result, diagnostics) = canonicalize(checked(), &mut f);
    assert_eq!((result, diagnostics.as_slice().len()), (Ok(PassOutcome::Changed), 0));
    assert_eq!(f.names(f.entry()), ["constant", "return"]);
    let constant = f.body.first_op(f.entry()).unwrap();
    assert_eq!(f.body.properties(constant).get(&context, "value"), Some(f.integer(48)));
    assert_eq!(canonicalize(checked(), &mut f).0, Ok(PassOutcome::Unchanged));
}

#[test]
fn patterns_can_be_turned_off() {
    let context = context();
    for (disabled, enabled) in [(vec!["twice-to-add".to_owned()], vec![]), (vec![], vec!["other".to_owned()])] {
        let mut f = Function::new(&context, 1);
        let x = f.argument(0);
        let value = f.number("toy.twice", &[x]);
        f.ret(&[value]);
        let mut pass = checked();
        (pass.disabled_patterns, pass.enabled_patterns) = (disabled, enabled);
        assert_eq!(canonicalize(pass, &mut f).0, Ok(PassOutcome::Unchanged));
    }
}

#[test]
fn patterns_that_undo_each_other_give_a_warning_that_names_them() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let x = f.argument(0);
    let value = f.number("toy.ping", &[x]);
    f.ret(&[value]);
    let (result, diagnostics) = canonicalize(Canonicalize::default(), &mut f);
    assert_eq!(result, Ok(PassOutcome::Changed));
    let [warning] = diagnostics.as_slice() else { panic!("{diagnostics:?}") };
    assert_eq!((warning.severity, warning.code), (Severity::Warning, "no-convergence"));
    assert!(warning.message.contains("ping-to-pong") && warning.message.contains("pong-to-ping"), "{warning:?}");
    assert_eq!(f.names(f.entry()).len(), 2);
}

#[test]
fn a_region_that_keeps_its_constants_has_its_own() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let five = f.constant(5);
    let x = f.argument(0);
    let (_, blocks) = f.structured("toy.elsewhere", &[], 0, &[0]);
    let here = f.block;
    f.at(blocks[0]);
    let (two, three) = (f.constant(2), f.constant(3));
    let sum = f.add(two, three);
    let (_, inner) = f.structured("toy.if", &[sum], 0, &[0, 0]);
    f.at(inner[0]);
    let other = f.constant(5);
    f.print(&[other, sum]);
    f.op("toy.yield", &[], &[], &[]);
    f.at(inner[1]).op("toy.yield", &[], &[], &[]);
    f.at(blocks[0]).op("toy.yield", &[], &[], &[]);
    f.at(here).print(&[five, x]);
    f.ret(&[]);
    assert_eq!(canonicalize(checked(), &mut f).0, Ok(PassOutcome::Changed));
    assert_eq!(f.names(f.entry()), ["constant", "elsewhere", "print", "return"]);
    assert_eq!(f.names(blocks[0]), ["constant", "if", "yield"]);
    assert_eq!(f.names(inner[0]), ["print", "yield"]);
}

#[test]
fn every_nested_body_is_treated_by_itself() {
    let context = context();
    let with_sum = |name: &str| {
        let mut f = Function::named(&context, name, 0, 1);
        let (one, two) = (f.constant(1), f.constant(2));
        let sum = f.add(one, two);
        f.ret(&[sum]);
        f.body
    };
    let mut module: Body = module(&context, vec![with_sum("a"), module(&context, vec![with_sum("b")])]);
    let mut diagnostics = Diagnostics::new();
    run_pass(&mut checked(), &context, &mut module, &mut diagnostics).unwrap();
    let inner = module.all_ops().into_iter().filter_map(|op| module.nested(op)).nth(1).unwrap();
    for body in [function(&context, &module, "a"), function(&context, inner, "b")] {
        assert!(ops_named(&context, body, "toy.add").is_empty());
        assert_eq!(ops_named(&context, body, "toy.constant").len(), 1);
    }
}

#[test]
fn a_large_body_takes_two_scans() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let mut value = f.argument(0);
    for index in 0..30_000 {
        // Some fold to a constant, some to an operand, some stay.
        let (a, b) = (f.constant(index % 7), f.constant(2));
        let product = f.number("toy.mul", &[a, b]);
        value = f.add(value, product);
        value = f.number("toy.neg", &[value]);
        value = f.number("toy.neg", &[value]);
    }
    f.ret(&[value]);
    let patterns = fermata_ir::rewrite::PatternSet::canonicalization(&context).freeze();
    let options = fermata_ir::rewrite::GreedyOptions::default();
    let report = fermata_ir::rewrite::apply_greedily(&context, &mut f.body, &patterns, &options).unwrap();
    assert!(report.converged() && report.scans == 2, "{report}");
    // Products 0, 2, .. 12; adding 0 is nothing.
    assert_eq!(ops_named(&context, &f.body, "toy.constant").len(), 6);
    assert_eq!(ops_named(&context, &f.body, "toy.neg").len(), 0);
}

#[test]
fn what_is_discarded_does_not_keep_others_alive() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let mut value = f.argument(0);
    for _ in 0..1000 {
        value = f.number("toy.low", &[value]);
        let note = Attribute::unit(&context);
        let op = f.body.defining_op(value).unwrap();
        f.body.set_attribute(&context, op, "note", Some(note));
        value = f.number("toy.sub", &[value, value]);
    }
    f.ret(&[]);
    assert_eq!(canonicalize(Canonicalize::default(), &mut f).0, Ok(PassOutcome::Changed));
    assert_eq!(f.names(f.entry()), ["return"]);
}

#[test]
fn random_functions_keep_their_meaning_with_checks_on() {
    let shape = Shape { blocks: 5, ops: 6, locals: true, structured: true };
    check_meaning(1000..1060, shape, |_, f, seed| {
        let (result, diagnostics) = canonicalize(checked(), f);
        assert!(result.is_ok() && diagnostics.as_slice().is_empty(), "seed {seed}: {diagnostics:?}");
        assert_eq!(canonicalize(checked(), f).0, Ok(PassOutcome::Unchanged), "seed {seed}");
    });
}
