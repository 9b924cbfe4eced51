//! The greedy driver.

use fermata_ir::rewrite::{FaultKind, GreedyEnd, GreedyOptions, GreedyReport, NoMatch, PatternSet, apply_greedily};
use fermata_ir::{Body, Builder, OpId};

use crate::evaluate::ops_named;
use crate::generate::{Shape, check_meaning};
use crate::support::Function;
use crate::toy::context;

fn apply(context: &fermata_ir::Context, body: &mut Body, patterns: PatternSet) -> GreedyReport {
    let options = GreedyOptions { expensive_checks: true, ..GreedyOptions::default() };
    apply_greedily(context, body, &patterns.freeze(), &options).expect("the patterns keep their contract")
}

#[test]
fn constants_fold_and_meet_at_the_front_of_the_entry_block() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let next = f.new_block(0);
    let (two, three) = (f.constant(2), f.constant(3));
    let five = f.add(two, three);
    f.br(next, &[]);
    f.at(next);
    let other_five = f.constant(5);
    let x = f.argument(0);
    let sum = f.add(other_five, x);
    f.print(&[five, sum]);
    f.ret(&[]);
    let report = apply(&context, &mut f.body, PatternSet::new());
    assert!(report.converged() && report.changed());
    assert_eq!(f.names(f.entry()), ["constant", "br"]);
    assert_eq!(f.names(next), ["add", "print", "return"]);
    let five = f.body.result(f.body.first_op(f.entry()).unwrap(), 0);
    let add = f.body.first_op(next).unwrap();
    // The constant operand of a commutative operation comes last.
    assert_eq!(f.body.operands(add).collect::<Vec<_>>(), [x, five]);
    let print = f.body.next_op(add).unwrap();
    assert_eq!(f.body.operand(print, 0), five);
}

#[test]
fn traits_fold() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let x = f.argument(0);
    let negated = f.number("toy.neg", &[x]);
    let back = f.number("toy.neg", &[negated]);
    let low = f.number("toy.low", &[back]);
    let lower = f.number("toy.low", &[low]);
    f.ret(&[back, lower]);
    apply(&context, &mut f.body, PatternSet::new());
    assert_eq!(f.names(f.entry()), ["low", "return"]);
    let ret = f.body.last_op(f.entry()).unwrap();
    assert_eq!(f.body.operand(ret, 0), x);
}

#[test]
fn a_fold_that_cannot_be_made_leaves_nothing_behind() {
    let context = context();
    let mut f = Function::new(&context, 0);
    let ty = [f.i32, fermata_ir::Type::index_type(&context)];
    let op = f.op("toy.halfway", &[], &ty, &[]);
    let results: Vec<_> = f.body.results(op).collect();
    f.print(&results);
    f.ret(&[]);
    let report = apply(&context, &mut f.body, PatternSet::new());
    assert_eq!(f.names(f.entry()), ["halfway", "print", "return"]);
    assert!(report.converged() && !report.changed());
}

#[test]
fn unregistered_operations_are_kept() {
    let context = context();
    let mut f = Function::new(&context, 0);
    let ty = f.i32;
    f.op("elsewhere.thing", &[], &[ty], &[]);
    f.op("toy.opaque", &[], &[ty], &[]);
    f.ret(&[]);
    assert!(!apply(&context, &mut f.body, PatternSet::new()).changed());
    assert_eq!(f.names(f.entry()), ["elsewhere.thing", "opaque", "return"]);
}

#[test]
fn values_that_depend_on_themselves_in_unreachable_code_do_not_keep_the_driver_busy() {
    let context = context();
    let mut f = Function::new(&context, 1);
    f.ret(&[]);
    let cycle = f.new_block(0);
    f.at(cycle);
    let x = f.argument(0);
    let a = f.number("toy.neg", &[x]);
    let b = f.number("toy.neg", &[a]);
    let definition = f.body.defining_op(a).unwrap();
    f.body.set_operand(definition, 0, b);
    f.br(cycle, &[]);
    let options = GreedyOptions { simplify_regions: false, ..GreedyOptions::default() };
    let report = apply_greedily(&context, &mut f.body, &PatternSet::new().freeze(), &options).unwrap();
    assert!(report.converged());
}

fn swap_name(from: &str, to: &'static str, op: OpId, builder: &mut Builder<'_>) -> Result<(), NoMatch> {
    if builder.op(op).name().as_str(builder.context()) != from {
        return Err(NoMatch("another operation"));
    }
    let operands: Vec<_> = builder.body().operands(op).collect();
    let ty = builder.op(op).result_type(0);
    let other = builder.create_op(to, &operands, &[ty], &[]);
    let value = builder.body().result(other, 0);
    builder.replace_op(op, &[value]);
    Ok(())
}

#[test]
fn patterns_that_undo_each_other_end_and_are_named() {
    let context = context();
    let mut f = Function::new(&context, 2);
    let (x, y) = (f.argument(0), f.argument(1));
    let sum = f.number("toy.lt", &[x, y]);
    f.ret(&[sum]);
    let mut patterns = PatternSet::new();
    patterns.add_function("there", "toy.lt", |op, builder| swap_name("toy.lt", "toy.sub", op, builder));
    patterns.add_function("and-back", "toy.sub", |op, builder| swap_name("toy.sub", "toy.lt", op, builder));
    let report = apply(&context, &mut f.body, patterns);
    assert_eq!(report.end, GreedyEnd::BudgetExhausted);
    let mut names: Vec<_> = report.still_firing.iter().map(|&(name, _)| name).collect();
    names.sort_unstable();
    assert_eq!(names, ["and-back", "there"]);
    assert!(report.to_string().contains("and-back"), "{report}");
    // The body is sound all the same.
    assert_eq!(f.names(f.entry()).len(), 2);
}

#[test]
fn a_pattern_that_only_claims_to_change_something_is_found() {
    let context = context();
    let mut f = Function::new(&context, 2);
    let (x, y) = (f.argument(0), f.argument(1));
    let value = f.number("toy.sub", &[x, y]);
    f.ret(&[value]);
    let mut patterns = PatternSet::new();
    patterns.add_function("same-again", "toy.sub", |op, builder| swap_name("toy.sub", "toy.sub", op, builder));
    let options = GreedyOptions { expensive_checks: true, ..GreedyOptions::default() };
    let fault = apply_greedily(&context, &mut f.body, &patterns.freeze(), &options).unwrap_err();
    assert_eq!((&*fault.pattern, fault.kind), ("same-again", FaultKind::ClaimedChange));

    let mut patterns = PatternSet::new();
    patterns.add_function("sneaky", "toy.sub", |op, builder| {
        let operand = builder.body().operand(op, 0);
        builder.body_mut().set_operand(op, 1, operand);
        Err(NoMatch("it changed something and says it did not"))
    });
    let fault = apply_greedily(&context, &mut f.body, &patterns.freeze(), &options).unwrap_err();
    assert_eq!((&*fault.pattern, fault.kind), ("sneaky", FaultKind::HiddenChange));
}

#[test]
fn a_pattern_that_breaks_the_body_is_found() {
    let context = context();
    let mut f = Function::named(&context, "f", 2, 1);
    let (x, y) = (f.argument(0), f.argument(1));
    let first = f.number("toy.sub", &[x, y]);
    let second = f.add(first, y);
    f.ret(&[second]);
    let mut patterns = PatternSet::new();
    patterns.add_function("use-before-definition", "toy.sub", |op, builder| {
        let later = builder.body().next_op(op).expect("something comes after it");
        let value = builder.body().result(later, 0);
        builder.modify(op, |body| body.set_operand(op, 1, value));
        Ok(())
    });
    let options = GreedyOptions { expensive_checks: true, ..GreedyOptions::default() };
    let fault = apply_greedily(&context, &mut f.body, &patterns.freeze(), &options).unwrap_err();
    assert_eq!(fault.pattern, "use-before-definition");
    assert!(matches!(fault.kind, FaultKind::BrokenBody(_)), "{fault}");
}

#[test]
fn larger_benefits_come_first() {
    struct Mark(&'static str, u16);
    impl fermata_ir::rewrite::Pattern for Mark {
        fn name(&self) -> &'static str {
            self.0
        }
        fn root(&self) -> fermata_ir::rewrite::PatternRoot {
            fermata_ir::rewrite::PatternRoot::Operation("toy.sub")
        }
        fn benefit(&self) -> u16 {
            self.1
        }
        fn match_and_rewrite(&self, op: OpId, builder: &mut Builder<'_>) -> Result<(), NoMatch> {
            let context = builder.context();
            if builder.op(op).attribute("mark").is_some() {
                return Err(NoMatch("it is marked"));
            }
            let mark = fermata_ir::Attribute::string(context, self.0);
            builder.modify(op, |body| body.set_attribute(context, op, "mark", Some(mark)));
            Ok(())
        }
    }
    let context = context();
    let mut f = Function::new(&context, 2);
    let (x, y) = (f.argument(0), f.argument(1));
    let value = f.number("toy.sub", &[x, y]);
    f.ret(&[value]);
    let mut patterns = PatternSet::new();
    patterns.add(Mark("small", 1)).add(Mark("large", 5)).add(Mark("late", 5));
    apply(&context, &mut f.body, patterns);
    let op = ops_named(&context, &f.body, "toy.sub")[0];
    let mark = f.body.attributes(op).get(&context, "mark");
    assert_eq!(mark, Some(fermata_ir::Attribute::string(&context, "large")));
}

#[test]
fn random_functions_keep_their_meaning_and_a_second_run_changes_nothing() {
    let shape = Shape { blocks: 8, ops: 8, locals: true, structured: true };
    check_meaning(0..300, shape, |context, f, seed| {
        let mut simplify = || {
            let patterns = PatternSet::new().freeze();
            apply_greedily(context, &mut f.body, &patterns, &GreedyOptions::default()).expect("there are no patterns")
        };
        assert!(simplify().converged(), "seed {seed}");
        assert!(!simplify().changed(), "seed {seed}: a second run changes something");
    });
}
