//! All passes after one another.

use fermata_ir::pass::{PassRegistry, run_pass};
use fermata_ir::passes::register_passes;
use fermata_ir::text::{PrintOptions, print_module};
use fermata_ir::{Body, Context, Diagnostics};

use crate::evaluate::{End, run};
use crate::generate::{Random, Shape, check_meaning, generate};
use crate::support::assert_verifies;
use crate::toy::context;

const PIPELINE: [&str; 9] =
    ["canonicalize", "sroa", "mem2reg", "sccp", "canonicalize", "cse", "simplify-cfg", "dce", "canonicalize"];

fn optimize(context: &Context, body: &mut Body, mut after_each: impl FnMut(&str, &Body)) {
    let mut registry = PassRegistry::new();
    register_passes(&mut registry);
    for name in PIPELINE {
        let mut pass = registry.create(name).expect("the pass is registered");
        let mut diagnostics = Diagnostics::new();
        run_pass(&mut *pass, context, body, &mut diagnostics).expect("the pass takes every input");
        assert!(diagnostics.as_slice().is_empty(), "{name}: {diagnostics:?}");
        after_each(name, body);
    }
}

#[test]
fn random_functions_keep_their_meaning() {
    for (seeds, shape) in [
        (0..300, Shape { blocks: 10, ops: 10, locals: true, structured: false }),
        (300..500, Shape { blocks: 5, ops: 12, locals: true, structured: true }),
    ] {
        check_meaning(seeds, shape, |context, f, seed| {
            optimize(context, &mut f.body, |name, body| {
                assert_verifies(context, body, &format!("seed {seed} after {name}"));
            });
        });
    }
}

#[test]
fn the_same_input_gives_the_same_text() {
    let shape = Shape { blocks: 10, ops: 10, locals: true, structured: true };
    for seed in 0..60 {
        // Two contexts, in which handles are given in another order.
        let texts = [0, 1].map(|order| {
            let context = context();
            if order == 1 {
                for number in 1..100 {
                    context.identifier(&format!("name{number}"));
                    fermata_ir::Type::integer(&context, number);
                }
            }
            let mut f = generate(&context, &mut Random::new(seed), shape);
            optimize(&context, &mut f.body, |_, _| {});
            print_module(&context, &f.body, &PrintOptions { generic: true, ..PrintOptions::default() })
        });
        assert_eq!(texts[0], texts[1], "seed {seed}");
    }
}

#[test]
fn programs_get_shorter() {
    let context = context();
    let shape = Shape { blocks: 8, ops: 12, locals: true, structured: true };
    let (mut before, mut after) = (0, 0);
    for seed in 0..200 {
        let mut f = generate(&context, &mut Random::new(seed), shape);
        let first = run(&context, &f.body, &[3, 4, 5], 2000);
        optimize(&context, &mut f.body, |_, _| {});
        let second = run(&context, &f.body, &[3, 4, 5], 2000);
        if first.end != End::OutOfFuel && second.end != End::OutOfFuel {
            assert!(second.steps <= first.steps + 4, "seed {seed}: {} steps became {}", first.steps, second.steps);
            (before, after) = (before + first.steps, after + second.steps);
        }
    }
    assert!(after * 10 < before * 8, "{before} steps became {after}");
}
