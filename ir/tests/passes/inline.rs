//! Inlining.

use fermata_ir::location::LocationKind;
use fermata_ir::passes::{Inline, InlineStatistics};
use fermata_ir::{Attribute, Body, Context, Location};

use crate::evaluate::{ops_named, run_in};
use crate::generate::{Random, Shape, generate};
use crate::support::{Function, function, functions, module};
use crate::toy::context;

fn inline(context: &Context, module: &mut Body) -> InlineStatistics {
    Inline::default().run_on(context, module)
}

fn calls(context: &Context, module: &Body, name: &str) -> usize {
    ops_named(context, function(context, module, name), "toy.call").len()
}

fn result(context: &Context, module: &Body, name: &str, arguments: &[i32]) -> crate::evaluate::Run {
    let all = functions(context, module).into_iter().collect();
    run_in(context, &all, function(context, module, name), arguments, 5000)
}

/// `f(x) = if x then x + x else 7`, in several blocks.
fn branching<'c>(context: &'c Context, name: &str) -> Function<'c> {
    let mut f = Function::named(context, name, 1, 1);
    let (yes, no) = (f.new_block(0), f.new_block(0));
    let x = f.argument(0);
    f.cond_br(x, (yes, &[]), (no, &[]));
    f.at(yes);
    let doubled = f.add(x, x);
    f.ret(&[doubled]);
    f.at(no);
    let seven = f.constant(7);
    f.ret(&[seven]);
    f
}

#[test]
fn callees_are_inlined_before_their_callers_are() {
    let context = context();
    let mut outer = Function::named(&context, "outer", 1, 1);
    let x = outer.argument(0);
    let first = outer.call("middle", &[x], 1)[0];
    let second = outer.call("inner", &[first], 1)[0];
    outer.ret(&[second]);
    let mut middle = Function::named(&context, "middle", 1, 1);
    let x = middle.argument(0);
    let value = middle.call("inner", &[x], 1)[0];
    let value = middle.add(value, x);
    middle.ret(&[value]);
    let inner = branching(&context, "inner");
    let mut module = module(&context, vec![outer.body, middle.body, inner.body]);
    let before: Vec<_> = [0, 5].map(|x| result(&context, &module, "outer", &[x])).into();
    assert_eq!(inline(&context, &mut module).inlined, 3);
    assert_eq!(calls(&context, &module, "outer") + calls(&context, &module, "middle"), 0);
    let after: Vec<_> = [0, 5].map(|x| result(&context, &module, "outer", &[x])).into();
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before.difference(after), None);
    }
    // f(0): inner(0) = 7, + 0 = 7, inner(7) = 14.
    assert_eq!(after[0].end, crate::evaluate::End::Return(vec![crate::evaluate::Value::Number(14)]));
}

#[test]
fn recursion_stays() {
    let context = context();
    let mut even = Function::named(&context, "even", 1, 1);
    let x = even.argument(0);
    let value = even.call("odd", &[x], 1)[0];
    even.ret(&[value]);
    let mut odd = Function::named(&context, "odd", 1, 1);
    let x = odd.argument(0);
    let value = odd.call("even", &[x], 1)[0];
    let own = odd.call("odd", &[value], 1)[0];
    odd.ret(&[own]);
    let mut user = Function::named(&context, "user", 1, 1);
    let x = user.argument(0);
    let value = user.call("even", &[x], 1)[0];
    user.ret(&[value]);
    let mut module = module(&context, vec![user.body, even.body, odd.body]);
    let statistics = inline(&context, &mut module);
    assert_eq!((statistics.recursive, statistics.inlined), (3, 1));
    // The body of `even` came, with its call of `odd`.
    assert_eq!(calls(&context, &module, "user"), 1);
}

#[test]
fn what_must_not_be_copied_is_not() {
    let context = context();
    let mut user = Function::named(&context, "user", 1, 0);
    let x = user.argument(0);
    let names = ["suspends", "refuses", "unknown", "leaves", "declared", "absent", "mismatched"];
    for name in names {
        user.call(name, &[x], usize::from(name == "mismatched"));
    }
    user.ret(&[]);
    let mut suspends = Function::named(&context, "suspends", 1, 0);
    let resume = suspends.new_block(1);
    suspends.suspend(&[], resume, &[]);
    suspends.at(resume).ret(&[]);
    let mut refuses = Function::named(&context, "refuses", 1, 0);
    refuses.ret(&[]);
    refuses.set_property("no_inline", Attribute::unit(&context));
    let mut unknown = Function::named(&context, "unknown", 1, 0);
    unknown.op("elsewhere.thing", &[], &[], &[]);
    unknown.ret(&[]);
    let mut leaves = Function::named(&context, "leaves", 1, 0);
    let x = leaves.argument(0);
    let (_, blocks) = leaves.structured("toy.if", &[x], 0, &[0, 0]);
    let here = leaves.block;
    leaves.at(blocks[0]).op("toy.leave", &[], &[], &[]);
    leaves.at(blocks[1]).op("toy.yield", &[], &[], &[]);
    leaves.at(here).ret(&[]);
    let mut mismatched = Function::named(&context, "mismatched", 1, 0);
    mismatched.ret(&[]);
    let declared = Body::new(context.operation_name("toy.func"), Location::UNKNOWN, 1);
    let mut declared = Function { body: declared, block: user.block, ..Function::named(&context, "", 0, 0) };
    declared.set_property("sym_name", Attribute::string(&context, "declared"));
    let bodies = [user, suspends, refuses, unknown, leaves, mismatched, declared].map(|f| f.body);
    let mut module = module(&context, bodies.into());
    let statistics = inline(&context, &mut module);
    // The absent one is no function of the module and is not counted.
    assert_eq!((statistics.inlined, statistics.refused), (0, names.len() - 1));
    assert_eq!(calls(&context, &module, "user"), names.len());
}

#[test]
fn a_region_of_one_block_takes_callees_of_one_block_only() {
    let context = context();
    let mut user = Function::named(&context, "user", 1, 1);
    let x = user.argument(0);
    let (op, blocks) = user.structured("toy.if", &[x], 1, &[0, 0]);
    let here = user.block;
    user.at(blocks[0]);
    let value = user.call("straight", &[x], 1)[0];
    user.op("toy.yield", &[value], &[], &[]);
    user.at(blocks[1]);
    let value = user.call("branching", &[x], 1)[0];
    user.op("toy.yield", &[value], &[], &[]);
    user.at(here);
    let value = user.body.result(op, 0);
    user.ret(&[value]);
    let mut straight = Function::named(&context, "straight", 1, 1);
    let x = straight.argument(0);
    let value = straight.add(x, x);
    straight.ret(&[value]);
    let branching = branching(&context, "branching");
    let mut module = module(&context, vec![user.body, straight.body, branching.body]);
    let statistics = inline(&context, &mut module);
    assert_eq!((statistics.inlined, statistics.refused), (1, 1));
}

#[test]
fn thresholds_bound_the_growth() {
    let context = context();
    // Each function calls the one before twice: copying all would double the size 30 times.
    let mut bodies = vec![];
    for index in 0..30 {
        let mut f = Function::named(&context, &format!("f{index}"), 1, 1);
        let x = f.argument(0);
        let value = match index {
            0 => f.add(x, x),
            _ => {
                let callee = format!("f{}", index - 1);
                let first = f.call(&callee, &[x], 1)[0];
                f.call(&callee, &[first], 1)[0]
            }
        };
        f.ret(&[value]);
        bodies.push(f.body);
    }
    let mut module = module(&context, bodies);
    let statistics = inline(&context, &mut module);
    assert!(statistics.too_large > 0);
    let largest = functions(&context, &module).iter().map(|(_, body)| body.all_ops().len()).max().unwrap();
    assert!(largest <= 2 * (Inline::default().threshold + 1), "{largest}");
}

#[test]
fn a_private_function_called_once_may_be_larger() {
    let context = context();
    let large = |name: &str| {
        let mut f = Function::named(&context, name, 1, 1);
        let x = f.argument(0);
        let value = (0..100).fold(x, |value, _| f.add(value, x));
        f.ret(&[value]);
        f
    };
    let mut user = Function::named(&context, "user", 1, 1);
    let x = user.argument(0);
    let first = user.call("public", &[x], 1)[0];
    let second = user.call("private", &[first], 1)[0];
    user.ret(&[second]);
    let mut module = module(&context, vec![user.body, large("public").body, large("private").private().body]);
    let statistics = inline(&context, &mut module);
    assert_eq!((statistics.inlined, statistics.too_large), (1, 1));
}

#[test]
fn locations_say_where_the_call_was() {
    let context = context();
    let mut user = Function::named(&context, "user", 1, 1);
    let x = user.argument(0);
    let value = user.call("callee", &[x], 1)[0];
    let call = user.body.defining_op(value).unwrap();
    let caller_location = Location::file_line_column(&context, "caller", 1, 2);
    user.body.set_location(call, caller_location);
    user.ret(&[value]);
    let mut callee = Function::named(&context, "callee", 1, 1);
    let x = callee.argument(0);
    let sum = callee.add(x, x);
    let callee_location = Location::file_line_column(&context, "callee", 3, 4);
    let op = callee.body.defining_op(sum).unwrap();
    callee.body.set_location(op, callee_location);
    callee.ret(&[sum]);
    let mut module = module(&context, vec![user.body, callee.body]);
    inline(&context, &mut module);
    let user = function(&context, &module, "user");
    let add = ops_named(&context, user, "toy.add")[0];
    let expected = LocationKind::CallSite { callee: callee_location, caller: caller_location };
    assert_eq!(user.location(add).kind(&context), expected);
}

#[test]
fn random_callees_do_what_they_did() {
    let context = context();
    let shape = Shape { blocks: 6, ops: 4, locals: true, structured: true };
    let mut inlined = 0;
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let mut bodies = vec![];
        let mut caller = Function::named(&context, "caller", 3, 1);
        let arguments = [0, 1, 2].map(|index| caller.argument(index));
        let mut sum = arguments[0];
        for index in 0..3 {
            let name = format!("callee{index}");
            let mut callee = generate(&context, &mut random, shape);
            callee.set_property("sym_name", Attribute::string(&context, &name));
            bodies.push(callee.body);
            let value = caller.call(&name, &[sum, arguments[1], arguments[2]], 1)[0];
            sum = caller.add(sum, value);
        }
        caller.ret(&[sum]);
        bodies.push(caller.body);
        let mut module = module(&context, bodies);
        let inputs = [[1, 2, 3], [0, -7, 2]];
        let before = inputs.map(|input| result(&context, &module, "caller", &input));
        inlined += inline(&context, &mut module).inlined;
        for (input, before) in inputs.iter().zip(&before) {
            let after = result(&context, &module, "caller", input);
            assert_eq!(before.difference(&after), None, "seed {seed}, {input:?}");
        }
    }
    assert!(inlined > 100, "{inlined} calls were inlined");
}
