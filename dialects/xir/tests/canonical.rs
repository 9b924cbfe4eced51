//! Canonical forms: what they look like, and that they mean what was there before.

mod support;

use fermata_ir::passes::canonicalize::Canonicalize;
use support::evaluate::{Arguments, call};
use support::{context, function, parse, print, run};

/// Canonicalizes a callable `@f`, compares what it returns before and after for many arguments, and its body's text with
/// what is expected.
fn check(signature: &str, body: &[&str], expected: &[&str]) {
    let context = context();
    let text = |lines: &[&str]| {
        let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        format!("module {{\n  xir.callable @f{signature} {{\n{lines}  }}\n}}\n")
    };
    let before = parse(&context, &text(body));
    let mut after = before.clone();
    run(&context, &mut after, Canonicalize::default());
    assert_eq!(print(&context, &after), text(expected));
    let (before, after) = (function(&context, &before, "f"), function(&context, &after, "f"));
    let block = before.body.entry_block(before.regions()[0]).expect("it has a body");
    let mut source = Arguments::new();
    for _ in 0..2000 {
        let arguments: Vec<_> = before
            .body
            .arguments(block)
            .iter()
            .map(|&value| source.of_type(&context, before.body.value_type(value)))
            .collect();
        let (expected, ty) = call(before, &arguments);
        let (result, _) = call(after, &arguments);
        assert_eq!(
            result.with_one_nan(&context, ty),
            expected.with_one_nan(&context, ty),
            "{arguments:x?} in\n{}",
            text(body)
        );
    }
}

#[test]
fn constants_come_together() {
    for (operation, first, second, combined) in [
        ("addi", 100, 100, -56),
        ("muli", 20, 20, -112),
        ("andi", 12, 10, 8),
        ("ori", 12, 10, 14),
        ("xori", 12, 10, 6),
        ("minsi", 3, -4, -4),
        ("minui", 3, -4, 3),
        ("maxsi", 3, -4, 3),
        ("maxui", 3, -4, -4),
    ] {
        check(
            "(%arg0: i8) -> i8",
            &[
                &format!("%0 = xir.constant {first} : i8"),
                &format!("%1 = xir.constant {second} : i8"),
                &format!("%2 = xir.{operation} %0, %arg0 : i8"),
                &format!("%3 = xir.{operation} %2, %1 : i8"),
                "xir.return %3 : i8",
            ],
            &[
                &format!("%0 = xir.constant {combined} : i8"),
                &format!("%1 = xir.{operation} %arg0, %0 : i8"),
                "xir.return %1 : i8",
            ],
        );
    }
    check(
        "(%arg0: vector<2xi16>) -> vector<2xi16>",
        &[
            "%0 = xir.constant dense<[1, 2]> : vector<2xi16>",
            "%1 = xir.constant dense<[-1, 5]> : vector<2xi16>",
            "%2 = xir.addi %arg0, %0 : vector<2xi16>",
            "%3 = xir.subi %2, %1 : vector<2xi16>",
            "xir.return %3 : vector<2xi16>",
        ],
        &[
            "%0 = xir.constant dense<[2, -3]> : vector<2xi16>",
            "%1 = xir.addi %arg0, %0 : vector<2xi16>",
            "xir.return %1 : vector<2xi16>",
        ],
    );
}

#[test]
fn shifts_come_together() {
    // Amounts are modulo the width: 13 is 5.
    for (operation, first, second, combined) in [
        ("shli", 2, 3, Some(5)),
        ("shrui", 13, 2, Some(7)),
        ("shrsi", 5, 6, Some(7)),
        ("rotli", 5, 6, Some(3)),
        ("rotri", 5, 6, Some(3)),
        ("shli", 5, 6, None),
        ("shrui", 5, 3, None),
    ] {
        let body = [
            &format!("%0 = xir.constant {first} : i8"),
            &format!("%1 = xir.constant {second} : i8"),
            &format!("%2 = xir.{operation} %arg0, %0 : i8"),
            &format!("%3 = xir.{operation} %2, %1 : i8"),
            "xir.return %3 : i8",
        ];
        match combined {
            Some(combined) => check(
                "(%arg0: i8) -> i8",
                &body,
                &[
                    &format!("%0 = xir.constant {combined} : i8"),
                    &format!("%1 = xir.{operation} %arg0, %0 : i8"),
                    "xir.return %1 : i8",
                ],
            ),
            None => check("(%arg0: i8) -> i8", &body, &["%0 = xir.constant 0 : i8", "xir.return %0 : i8"]),
        }
    }
}

#[test]
fn what_divides_or_shifts_stays() {
    for operation in ["divsi", "divui", "shli", "shrsi", "shrui"] {
        let lines = [&format!("%0 = xir.{operation} %arg0, %arg0 : i32"), "xir.return %0 : i32"];
        check("(%arg0: i32) -> i32", &lines, &lines);
    }
    for operation in ["subf", "divf", "addf", "remf"] {
        let lines = [&format!("%0 = xir.{operation} %arg0, %arg0 : f32"), "xir.return %0 : f32"];
        check("(%arg0: f32) -> f32", &lines, &lines);
    }
    let lines = ["%0 = xir.constant 0.000000e+00 : f32", "%1 = xir.mulf %arg0, %0 : f32", "xir.return %1 : f32"];
    check("(%arg0: f32) -> f32", &lines, &lines);
}

#[test]
fn negations_leave_conditions() {
    check(
        "(%arg0: i16, %arg1: i16, %arg2: f16, %arg3: f16) -> i1",
        &[
            "%0 = xir.constant true",
            "%1 = xir.cmpi slt, %arg0, %arg1 : i16",
            "%2 = xir.xori %1, %0 : i1",
            "%3 = xir.cmpf olt, %arg2, %arg3 : f16",
            "%4 = xir.xori %0, %3 : i1",
            "%5 = xir.andi %2, %4 : i1",
            "xir.return %5 : i1",
        ],
        &[
            "%0 = xir.cmpi sge, %arg0, %arg1 : i16",
            "%1 = xir.cmpf uge, %arg2, %arg3 : f16",
            "%2 = xir.andi %0, %1 : i1",
            "xir.return %2 : i1",
        ],
    );
    check(
        "(%arg0: i1, %arg1: f32, %arg2: f32) -> f32",
        &[
            "%0 = xir.constant false",
            "%1 = xir.cmpi eq, %0, %arg0 : i1",
            "%2 = xir.select %1, %arg1, %arg2 : f32",
            "%3 = xir.select %arg0, %2, %arg1 : f32",
            "xir.return %3 : f32",
        ],
        &["%0 = xir.select %arg0, %arg2, %arg1 : f32", "xir.return %0 : f32"],
    );
    check(
        "(%arg0: i1) -> i1",
        &[
            "%0 = xir.constant false",
            "%1 = xir.constant true",
            "%2 = xir.select %arg0, %0, %1 : i1",
            "xir.return %2 : i1",
        ],
        &["%0 = xir.constant true", "%1 = xir.xori %arg0, %0 : i1", "xir.return %1 : i1"],
    );
}

#[test]
fn comparisons_have_constants_on_the_right() {
    check(
        "(%arg0: i32) -> i1",
        &["%0 = xir.constant 7 : i32", "%1 = xir.cmpi ult, %0, %arg0 : i32", "xir.return %1 : i1"],
        &["%0 = xir.constant 7 : i32", "%1 = xir.cmpi ugt, %arg0, %0 : i32", "xir.return %1 : i1"],
    );
    check(
        "(%arg0: f64) -> i1",
        &["%0 = xir.constant 7.000000e+00 : f64", "%1 = xir.cmpf ole, %0, %arg0 : f64", "xir.return %1 : i1"],
        &["%0 = xir.constant 7.000000e+00 : f64", "%1 = xir.cmpf oge, %arg0, %0 : f64", "xir.return %1 : i1"],
    );
    for (predicate, canonical) in [("oeq", "ord"), ("une", "uno"), ("ult", "uno"), ("oge", "ord")] {
        check(
            "(%arg0: f32) -> i1",
            &[&format!("%0 = xir.cmpf {predicate}, %arg0, %arg0 : f32"), "xir.return %0 : i1"],
            &[&format!("%0 = xir.cmpf {canonical}, %arg0, %arg0 : f32"), "xir.return %0 : i1"],
        );
    }
}

#[test]
fn conversions_become_fewer() {
    let cases: &[(&str, &str, &str, &str, &str, &str)] = &[
        ("i8", "extsi", "i16", "extsi", "i64", "extsi"),
        ("i8", "extui", "i16", "extsi", "i64", "extui"),
        ("i8", "extui", "i16", "extui", "i64", "extui"),
        ("i64", "trunci", "i32", "trunci", "i8", "trunci"),
        ("i8", "extsi", "i64", "trunci", "i32", "extsi"),
        ("i8", "extui", "i64", "trunci", "i16", "extui"),
        ("i32", "extui", "i64", "trunci", "i8", "trunci"),
        ("f16", "extf", "f32", "extf", "f64", "extf"),
        ("f16", "extf", "f64", "truncf", "f32", "extf"),
        ("f32", "extf", "f64", "truncf", "f16", "truncf"),
        ("f32", "bitcast", "i32", "bitcast", "vector<2xi16>", "bitcast"),
    ];
    for (from, first, middle, second, to, combined) in cases {
        check(
            &format!("(%arg0: {from}) -> {to}"),
            &[
                &format!("%0 = xir.{first} %arg0 : {from} to {middle}"),
                &format!("%1 = xir.{second} %0 : {middle} to {to}"),
                &format!("xir.return %1 : {to}"),
            ],
            &[&format!("%0 = xir.{combined} %arg0 : {from} to {to}"), &format!("xir.return %0 : {to}")],
        );
    }
    let back: &[(&str, &str, &str, &str)] = &[
        ("i8", "extsi", "i64", "trunci"),
        ("i1", "extui", "i64", "trunci"),
        ("f16", "extf", "f64", "truncf"),
        ("vector<2xf32>", "bitcast", "i64", "bitcast"),
    ];
    for (from, first, middle, second) in back {
        check(
            &format!("(%arg0: {from}) -> {from}"),
            &[
                &format!("%0 = xir.{first} %arg0 : {from} to {middle}"),
                &format!("%1 = xir.{second} %0 : {middle} to {from}"),
                &format!("xir.return %1 : {from}"),
            ],
            &[&format!("xir.return %arg0 : {from}")],
        );
    }
    // Rounding twice is not rounding once, and a sign that was cut off does not come back.
    for (from, first, middle, second, to) in [
        ("f64", "truncf", "f32", "truncf", "f16"),
        ("i64", "trunci", "i8", "extsi", "i64"),
        ("i8", "extsi", "i16", "extui", "i64"),
    ] {
        let lines = [
            format!("%0 = xir.{first} %arg0 : {from} to {middle}"),
            format!("%1 = xir.{second} %0 : {middle} to {to}"),
            format!("xir.return %1 : {to}"),
        ];
        let lines = lines.each_ref().map(String::as_str);
        check(&format!("(%arg0: {from}) -> {to}"), &lines, &lines);
    }
}

#[test]
fn negations_of_floats_move() {
    check(
        "(%arg0: f32, %arg1: f32) -> f32",
        &[
            "%0 = xir.negf %arg1 : f32",
            "%1 = xir.addf %arg0, %0 {fastmath = #xir.fastmath<contract>} : f32",
            "%2 = xir.addf %0, %1 : f32",
            "%3 = xir.subf %2, %0 : f32",
            "%4 = xir.negf %3 : f32",
            "%5 = xir.absf %4 : f32",
            "xir.return %5 : f32",
        ],
        &[
            "%0 = xir.subf %arg0, %arg1 {fastmath = #xir.fastmath<contract>} : f32",
            "%1 = xir.subf %0, %arg1 : f32",
            "%2 = xir.addf %1, %arg1 : f32",
            "%3 = xir.absf %2 : f32",
            "xir.return %3 : f32",
        ],
    );
    check(
        "(%arg0: f16) -> f16",
        &["%0 = xir.constant -1.000000e+00 : f16", "%1 = xir.mulf %0, %arg0 : f16", "xir.return %1 : f16"],
        &["%0 = xir.negf %arg0 : f16", "xir.return %0 : f16"],
    );
}

#[test]
fn division_by_a_power_of_two_is_exact() {
    check(
        "(%arg0: f32) -> f32",
        &["%0 = xir.constant -8.000000e+00 : f32", "%1 = xir.divf %arg0, %0 : f32", "xir.return %1 : f32"],
        &["%0 = xir.constant -1.250000e-01 : f32", "%1 = xir.mulf %arg0, %0 : f32", "xir.return %1 : f32"],
    );
    // Neither a number that is none, nor one whose reciprocal is subnormal.
    for divisor in ["3.000000e+00", "1.70141183E+38", "5.87747175E-39"] {
        let lines =
            [&format!("%0 = xir.constant {divisor} : f32"), "%1 = xir.divf %arg0, %0 : f32", "xir.return %1 : f32"];
        check("(%arg0: f32) -> f32", &lines, &lines);
    }
}

#[test]
fn parts_are_taken_from_where_they_come_from() {
    check(
        "(%arg0: f32, %arg1: vector<3xf32>, %arg2: i32) -> f32",
        &[
            "%0 = xir.splat %arg0 : vector<3xf32>",
            "%1 = xir.build %arg2, %0, %arg1 : !xir.struct<\"S\", [i32, vector<3xf32>, vector<3xf32>]>",
            "%2 = xir.insert %arg0, %1[1, 1] : !xir.struct<\"S\", [i32, vector<3xf32>, vector<3xf32>]>",
            "%3 = xir.extract %2[2] : !xir.struct<\"S\", [i32, vector<3xf32>, vector<3xf32>]>",
            "%4 = xir.shuffle %0, %3 [0, 5, 4] : vector<3xf32> to vector<3xf32>",
            "%5 = xir.extract %4[1] : vector<3xf32>",
            "%6 = xir.extract %2[1, 1] : !xir.struct<\"S\", [i32, vector<3xf32>, vector<3xf32>]>",
            "%7 = xir.addf %5, %6 : f32",
            "xir.return %7 : f32",
        ],
        &["%0 = xir.extract %arg1[2] : vector<3xf32>", "%1 = xir.addf %0, %arg0 : f32", "xir.return %1 : f32"],
    );
}

#[test]
fn values_that_are_put_together_again() {
    check(
        "(%arg0: vector<2xf32>) -> vector<2xf32>",
        &[
            "%0 = xir.extract %arg0[0] : vector<2xf32>",
            "%1 = xir.extract %arg0[1] : vector<2xf32>",
            "%2 = xir.build %0, %1 : vector<2xf32>",
            "%3 = xir.insert %0, %2[0] : vector<2xf32>",
            "xir.return %3 : vector<2xf32>",
        ],
        &["xir.return %arg0 : vector<2xf32>"],
    );
    check(
        "(%arg0: f32, %arg1: f32, %arg2: vector<2xf32>) -> vector<2xf32>",
        &[
            "%0 = xir.insert %arg1, %arg2[1] : vector<2xf32>",
            "%1 = xir.insert %arg1, %0[0] : vector<2xf32>",
            "%2 = xir.insert %arg0, %1[0] : vector<2xf32>",
            "xir.return %2 : vector<2xf32>",
        ],
        &["%0 = xir.build %arg0, %arg1 : vector<2xf32>", "xir.return %0 : vector<2xf32>"],
    );
}

#[test]
fn constant_indices_are_clamped() {
    check(
        "(%arg0: vector<4xi8>, %arg1: i8) -> vector<4xi8>",
        &[
            "%0 = xir.constant -1 : i32",
            "%1 = xir.constant 2 : i32",
            "%2 = xir.extract_dynamic %arg0[%0] : vector<4xi8>",
            "%3 = xir.insert_dynamic %arg1, %arg0[%0] : vector<4xi8>",
            "%4 = xir.insert_dynamic %2, %3[%1] : vector<4xi8>",
            "xir.return %4 : vector<4xi8>",
        ],
        &[
            "%0 = xir.extract %arg0[3] : vector<4xi8>",
            "%1 = xir.insert %arg1, %arg0[3] : vector<4xi8>",
            "%2 = xir.insert %0, %1[2] : vector<4xi8>",
            "xir.return %2 : vector<4xi8>",
        ],
    );
}
