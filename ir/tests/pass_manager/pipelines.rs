//! Pipeline strings, both ways. What is accepted and what it means was compared with mlir-opt 19.

use fermata_ir::pass::{PassManager, WrongAnchor};

use crate::support::{OnFunction, OnModule, Visit, context, parse, registry};

#[track_caller]
fn prints(text: &str, canonical: &str) {
    let context = context();
    let manager = parse(&context, text).unwrap();
    assert_eq!(manager.to_string(), canonical);
    assert_eq!(parse(&context, canonical).unwrap().to_string(), canonical, "the canonical text reads back");
}

#[track_caller]
fn refused(text: &str, messages: &[&str]) {
    assert_eq!(parse(&context(), text).unwrap_err(), messages);
}

#[test]
fn blanks_around_names_do_not_matter() {
    prints(" builtin.module ( on-module ,\n t.func( on-function ) ) ", "builtin.module(on-module,t.func(on-function))");
    prints("builtin.module()", "builtin.module()");
    prints("builtin.module( t.func( ) )", "builtin.module(t.func())");
    prints("any(visit {tag=a})", "any(visit{tag=a})");
}

#[test]
fn options_are_separated_by_blanks_and_the_last_of_two_counts() {
    prints("any(count{grow})", "any(count{grow=true preserve=false})");
    prints("any(count{ grow=1  grow=0\n preserve })", "any(count{grow=false preserve=true})");
    prints("any(count{})", "any(count{grow=false preserve=false})");
}

#[test]
fn values_may_be_quoted_or_braced() {
    prints("any(visit{tag='a b'})", "any(visit{tag=\"a b\"})");
    prints("any(visit{tag={a b}})", "any(visit{tag=\"a b\"})");
    prints("any(visit{tag=\"a 'b'\"})", "any(visit{tag=\"a 'b'\"})");
    prints("any(visit{tag='say \"hi\" }{'})", "any(visit{tag='say \"hi\" }{'})");
    prints("any(visit{tag=\"\"})", "any(visit{tag=\"\"})");
    prints("any(visit{tag=})", "any(visit{tag=\"\"})");
}

#[test]
fn lists_are_split_at_commas_outside_quotes_and_braces() {
    let rest = "number=0 order=up text=\"\"";
    prints("any(everything{list=a,b})", &format!("any(everything{{flag=false list=a,b {rest}}})"));
    prints("any(everything{list=\"a,b c\"})", &format!("any(everything{{flag=false list=a,\"b c\" {rest}}})"));
    prints("any(everything{list={a,b c}})", &format!("any(everything{{flag=false list=a,\"b c\" {rest}}})"));
    prints("any(everything{list='a,b',c})", &format!("any(everything{{flag=false list=\"a,b\",c {rest}}})"));
    prints("any(everything{list={a,b},{c}})", &format!("any(everything{{flag=false list=\"a,b\",c {rest}}})"));
    prints("any(everything{list={'a,b'}})", &format!("any(everything{{flag=false list={{\"a,b\"}} {rest}}})"));
    prints("any(everything{list={{a b}}})", &format!("any(everything{{flag=false list={{\"a b\"}} {rest}}})"));
    prints("any(everything{list={''}})", &format!("any(everything{{flag=false list={{\"\"}} {rest}}})"));
    prints("any(everything{list=,})", &format!("any(everything{{flag=false list=\"\",\"\" {rest}}})"));
    prints("any(everything{list=})", &format!("any(everything{{flag=false {rest}}})"));
}

#[test]
fn options_hold_pipelines_that_hold_options() {
    let text = "any(everything{flag=false number=0 order=up \
                pipeline=t.func(visit{tag=\"a b\"},on-function) \
                pipelines=any(count{grow=true preserve=false},visit{tag=x}),t.func(on-function) text=\"\"})";
    prints(text, text);
    let inner = "any(everything{pipeline=visit{tag=a},t.func(count)})";
    let canonical = "any(everything{flag=false number=0 order=up \
                     pipeline=any(visit{tag=a},t.func(count{grow=false preserve=false})) text=\"\"})";
    prints(inner, canonical);
}

#[test]
fn the_name_of_a_pipeline_stands_for_its_elements() {
    prints("t.func(twice{tag=x},on-function)", "t.func(visit{tag=x},visit{tag=x},on-function)");
}

#[test]
fn mistakes_are_marked_and_the_nearest_name_is_proposed() {
    refused(
        "builtin.module(vist,t.func(coutn{grow},onmodule),zzzzzz)",
        &[
            "vist@15: 'vist' does not refer to a registered pass or pass pipeline (did you mean 'visit'?)",
            "coutn@27: 'coutn' does not refer to a registered pass or pass pipeline (did you mean 'count'?)",
            "onmodule@39: 'onmodule' does not refer to a registered pass or pass pipeline (did you mean 'on-module'?)",
            "zzzzzz@49: 'zzzzzz' does not refer to a registered pass or pass pipeline (--list-passes shows the passes)",
        ],
    );
    refused("any(count{gow=1})", &["gow@10: 'count' has no option 'gow' (did you mean 'grow'?)"]);
    refused("any(count{zz=1})", &["zz@10: 'count' has no option 'zz' (its options are grow, preserve)"]);
    refused("any(on-module{zz=1})", &["zz@14: 'on-module' has no option 'zz' ('on-module' takes no options)"]);
    refused("any(count{grow=maybe})", &["maybe@15: expected true or false, found 'maybe'"]);
    refused("any(everything{number=-1})", &["-1@22: expected an unsigned integer of 32 bits, found '-1'"]);
    refused(
        "any(everything{number})",
        &[
            "number@15: the option 'number' of 'everything' needs a value (write 'number=' and an unsigned integer of 32 bits)",
        ],
    );
    refused("any(everything{number=})", &["@22: expected an unsigned integer of 32 bits, found nothing"]);
    refused("any(everything{order=dwn})", &["dwn@21: expected one of up, down, found 'dwn' (did you mean 'down'?)"]);
    refused("any(count{grow=1, preserve})", &["1,@15: expected true or false, found '1,'"]);
    refused(
        "any(count{grow , preserve})",
        &[",@15: expected the name of an option, found ',' (options are separated by blanks, not by commas)"],
    );
    refused("any(count{=1})", &["=@10: expected the name of an option before '='"]);
}

#[test]
fn mistakes_inside_the_pipeline_of_an_option_are_marked_there() {
    refused(
        "any(everything{pipeline=visit,t.func(vist)})",
        &["vist@37: 'vist' does not refer to a registered pass or pass pipeline (did you mean 'visit'?)"],
    );
    refused("any(everything{pipeline=visit,})", &["@30: expected the name of a pass or of an operation to nest in"]);
    refused("any(everything{pipeline={visit count}})", &["c@31: expected ',' or the end of the pipeline after a pass"]);
}

#[test]
fn the_structure_is_checked() {
    let anchor = "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'";
    refused("", &[&format!("@0: {anchor}")]);
    refused("visit", &[&format!("visit@0: {anchor}")]);
    refused("visit,visit", &[&format!("visit@0: {anchor}")]);
    refused("any(visit,)", &[")@10: expected the name of a pass or of an operation to nest in"]);
    refused("any(,visit)", &[",@4: expected the name of a pass or of an operation to nest in"]);
    refused("any(visit", &["@9: expected ')' before the end of the pipeline"]);
    refused("any(visit visit)", &["v@10: expected ',' or ')' after a pass"]);
    refused(
        "any(visit))",
        &[")@10: encountered extra closing ')' creating unbalanced parentheses while parsing pipeline"],
    );
    refused("any(visit),any(visit)", &[",@10: expected nothing after the pipeline"]);
    refused("any(visit{tag=a)", &["{@9: this brace is never closed"]);
    refused("any(visit{tag='a})", &["'@14: this quote is never closed"]);
    refused(
        "any(é)",
        &["é@4: 'é' does not refer to a registered pass or pass pipeline (--list-passes shows the passes)"],
    );
    refused("any(visit{tag=a}é)", &["é@16: expected ',' or ')' after a pass"]);
    let deep = format!("{}visit{}", "any(".repeat(100_000), ")".repeat(100_000));
    refused(&deep, &["any@256: pipelines nest more than 64 deep"]);
}

#[test]
fn pipelines_run_on_registered_isolated_operations() {
    refused(
        "builtin.modul(visit)",
        &["builtin.modul@0: pipelines run on registered operations; 'builtin.modul' is not registered \
           (did you mean 'builtin.module'?)"],
    );
    refused(
        "any(t.scope(visit))",
        &["t.scope@4: pipelines run on isolated operations; 't.scope' is not isolated from above"],
    );
}

#[test]
fn a_pass_for_one_operation_is_refused_on_another() {
    let wrong = |pass, wants, on| {
        format!(
            "Can't add pass '{pass}' restricted to '{wants}' on a PassManager intended to run on '{on}', \
             did you intend to nest?"
        )
    };
    let help = "(nest it, as in 'builtin.module(OPERATION(PASS))')";
    let on_function = wrong("on-function", "t.func", "builtin.module");
    refused("builtin.module(on-function)", &[&format!("on-function@15: {on_function} {help}")]);
    let on_module = wrong("on-module", "builtin.module", "t.func");
    refused("builtin.module(t.func(on-module))", &[&format!("on-module@22: {on_module} {help}")]);
    refused(
        "builtin.module(t.kernel(everything))",
        &[&format!("everything@24: the pass 'everything' does not run on 't.kernel' {help}")],
    );
    let error: WrongAnchor = PassManager::new("t.func").add(Box::new(OnModule)).unwrap_err();
    assert_eq!(error.to_string(), on_module);
}

#[test]
fn passes_are_nested_where_they_run() {
    let context = context();
    let mut manager = PassManager::new("builtin.module");
    manager
        .add_nesting(&context, Box::new(Visit::default()))
        .add_nesting(&context, Box::new(OnFunction))
        .add_nesting(&context, Box::new(OnFunction))
        .add_nesting(&context, Box::new(OnModule));
    assert_eq!(manager.to_string(), "builtin.module(visit{tag=\"\"},t.func(on-function,on-function),on-module)");
    assert_eq!(manager.pass_count(), 4);
}

#[test]
fn the_registry_describes_its_passes() {
    let infos = registry().infos();
    let names: Vec<&str> = infos.iter().map(|info| info.name).collect();
    assert_eq!(names, ["count", "everything", "on-function", "on-module", "visit"]);
    let options = |info: &fermata_ir::pass::PassInfo| {
        info.options.iter().map(|option| format!("{}={} {}", option.name, option.default, option.expected)).collect()
    };
    let count: Vec<String> = options(&infos[0]);
    assert_eq!(count, ["grow=false true or false", "preserve=false true or false"]);
    assert_eq!(infos[2].anchor, Some("t.func"));
}
