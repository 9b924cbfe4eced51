//! What runs when and on what, and what a run reports.

use fermata_ir::pass::{PassFailure, PassOutcome, StatisticsDisplay, TimingDisplay};

use crate::support::{context, insert, insert_op, isolated, module_of, run};

#[test]
fn nested_pipelines_run_on_the_operations_directly_inside() {
    let context = context();
    let mut module = module_of(&context, &["a", "b"]);
    let mut inner = module_of(&context, &["c"]);
    let kernel = isolated(&context, "t.kernel", "k");
    insert(&context, &mut inner, kernel);
    insert(&context, &mut module, inner);
    let messages = |pipeline: &str, module: &mut _| run(&context, pipeline, module, 1).1;
    assert_eq!(messages("builtin.module(visit{tag=1},t.func(visit{tag=2}))", &mut module), ["1m", "2a", "2b"]);
    assert_eq!(messages("builtin.module(any(visit))", &mut module), ["a", "b", "m"]);
    assert_eq!(messages("any(builtin.module(t.kernel(visit),t.func(visit)))", &mut module), ["c", "k"]);
    // Pipelines side by side run on one operation before the next one.
    let side_by_side = "builtin.module(t.func(visit{tag=1}),any(visit{tag=2}))";
    assert_eq!(messages(side_by_side, &mut module), ["1a", "2a", "1b", "2b", "2m"]);
    // `any` takes what all its passes accept.
    assert_eq!(messages("builtin.module(any(on-function,visit))", &mut module), ["a", "b"]);
}

#[test]
fn a_pipeline_for_another_operation_is_refused() {
    let context = context();
    let mut module = module_of(&context, &["a"]);
    let (report, messages) = run(&context, "t.func(visit)", &mut module, 1);
    assert_eq!(report.result, Err(PassFailure));
    assert_eq!(messages, ["can't run 't.func' pass manager on 'builtin.module' op"]);
    let (report, messages) = run(&context, "any(on-function)", &mut module, 1);
    assert_eq!(report.result, Err(PassFailure));
    assert_eq!(messages, ["'builtin.module' op trying to schedule the pass 'on-function' on an unsupported operation"]);
}

#[test]
fn the_number_of_threads_does_not_show() {
    let names: Vec<String> = (0..200).map(|index| format!("f{index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let outcome = |threads| {
        let context = context();
        let mut module = module_of(&context, &names);
        let pipeline = "builtin.module(t.func(visit{tag=1 fail-on=f150},count{grow},visit{tag=2 fail-on=f70}))";
        let (report, messages) = run(&context, pipeline, &mut module, threads);
        assert_eq!(report.result, Err(PassFailure));
        (messages, report.statistics.text(StatisticsDisplay::Pipeline))
    };
    let serial = outcome(1);
    assert_eq!(serial.0.len(), 199 * 3 + 1, "a refusal ends the pipeline of its own operation only");
    assert_eq!(serial.0[..3], ["1f0", "f0 0 computed", "2f0"]);
    assert!(
        serial.1.ends_with("  visit\n    (S) 200 operations seen\n  count\n  visit\n    (S) 199 operations seen\n")
    );
    for _ in 0..5 {
        assert_eq!(outcome(8), serial);
    }
}

#[test]
fn analyses_live_until_something_changes() {
    let context = context();
    let mut module = module_of(&context, &["a", "b"]);
    let (report, messages) = run(&context, "builtin.module(count,count,t.func(count),count)", &mut module, 2);
    assert_eq!(report.result, Ok(PassOutcome::Unchanged));
    assert_eq!(messages, ["m 2 computed", "m 2 known", "a 0 computed", "b 0 computed", "m 2 known"]);

    // A change below drops those of the operation around it; a change above drops those below.
    let (report, messages) = run(
        &context,
        "builtin.module(count,t.func(count{grow},count),count{grow},t.func(count),count)",
        &mut module,
        2,
    );
    assert_eq!(report.result, Ok(PassOutcome::Changed));
    let expected = [
        "m 2 computed",
        "a 0 computed",
        "a 1 computed",
        "b 0 computed",
        "b 1 computed",
        "m 2 computed",
        "a 1 computed",
        "b 1 computed",
        "m 3 computed",
    ];
    assert_eq!(messages, expected);

    // What a pass preserves stays, here and around.
    let (_, messages) = run(&context, "builtin.module(count,t.func(count{grow preserve},count),count)", &mut module, 2);
    assert_eq!(messages, ["m 3 computed", "a 1 computed", "a 1 known", "b 1 computed", "b 1 known", "m 3 known"]);
}

#[test]
fn a_panic_in_a_pass_is_an_error_and_the_others_go_on() {
    let context = context();
    for threads in [1, 4] {
        let mut module = module_of(&context, &["a", "b", "c"]);
        let (report, messages) = run(&context, "builtin.module(t.func(visit{break-on=b}),visit)", &mut module, threads);
        assert_eq!(report.result, Err(PassFailure));
        assert_eq!(messages, ["a", "the pass 'visit' broke down: no luck with b", "c"]);
    }
}

#[test]
fn a_pass_may_run_a_pipeline() {
    let context = context();
    let mut module = module_of(&context, &["a", "b"]);
    let pipeline = "builtin.module(everything{pipeline={visit{tag=x},t.func(count{grow})}})";
    let (report, messages) = run(&context, pipeline, &mut module, 1);
    assert_eq!(report.result, Ok(PassOutcome::Changed));
    assert_eq!(messages, ["xm", "a 0 computed", "b 0 computed"]);
    let text = report.statistics.text(StatisticsDisplay::Pipeline);
    assert!(text.ends_with("everything\n  visit\n    (S) 1 operations seen\n    count\n"), "{text}");
    let rows: Vec<&str> = report.timing.rows()[0].parts.rows().iter().map(|row| row.name.as_str()).collect();
    assert_eq!(rows, ["visit", "'t.func' Pipeline", "(V) verifier"]);
}

#[test]
fn times_of_parts_never_pass_those_of_the_whole() {
    let context = context();
    let names: Vec<String> = (0..100).map(|index| format!("f{index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut module = module_of(&context, &names);
    let start = std::time::Instant::now();
    let (report, _) = run(&context, "builtin.module(t.func(visit,count),visit,count)", &mut module, 4);
    let total = start.elapsed();
    let rows = report.timing.rows();
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["'t.func' Pipeline", "visit", "count"]);
    let sum: std::time::Duration = rows.iter().map(|row| row.wall_time).sum();
    assert!(sum <= total, "{sum:?} of {total:?}");
    let parts: std::time::Duration = rows[0].parts.rows().iter().map(|row| row.wall_time).sum();
    assert!(parts <= rows[0].wall_time);
    let text = report.timing.text(TimingDisplay::Tree, total);
    let names: Vec<&str> = text.lines().skip(6).map(|line| line[40..].trim_end()).collect();
    let expected = [
        "'t.func' Pipeline",
        "  visit",
        "  count",
        "    (A) operation-count",
        "visit",
        "count",
        "  (A) operation-count",
        "Rest",
        "Total",
    ];
    assert_eq!(names, expected);
}

#[test]
fn anchors_that_are_not_in_a_block_are_left_alone() {
    let context = context();
    let mut module = module_of(&context, &["a", "b"]);
    let scope = insert_op(&context, &mut module, "t.scope");
    let block = module.entry_block(module.regions(module.root())[0]).unwrap();
    let first = module.first_op(block).unwrap();
    module.remove_op(first);
    assert!(module.next_op(scope).is_none());
    let (_, messages) = run(&context, "builtin.module(any(visit))", &mut module, 2);
    assert_eq!(messages, ["b"]);
}
