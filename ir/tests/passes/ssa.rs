//! Reconstruction of SSA form, against the same program with its variable in memory.

use fermata_ir::rewrite::{SsaError, SsaVariable, erase_all_unreachable_blocks, reconstruct_ssa};
use fermata_ir::{BlockId, Builder, OpId, ValueId};

use crate::evaluate::{ops_named, run};
use crate::generate::{ARGUMENTS, Random, Shape, generate};
use crate::support::Function;
use crate::toy::context;

/// Where a statement about the variable goes.
enum Statement {
    Define(i32),
    Use,
}

/// Puts statements before operations; definitions become constants or stores, uses prints of a placeholder or a load.
fn insert(f: &mut Function<'_>, statements: &[(OpId, Statement)], memory: Option<ValueId>) -> SsaVariable {
    let (context, ty) = (f.context, f.i32);
    let mut variable = SsaVariable { definitions: vec![], uses: vec![] };
    let placeholder = f.argument(0);
    for (before, statement) in statements {
        let mut builder = Builder::new(context, &mut f.body);
        builder.before(*before);
        match (statement, memory) {
            (Statement::Define(number), _) => {
                let number = fermata_ir::Attribute::integer(context, i128::from(*number), ty);
                let op = builder.create_op("toy.constant", &[], &[ty], &[("value", number)]);
                let value = builder.body().result(op, 0);
                variable.definitions.push(value);
                if let Some(pointer) = memory {
                    builder.create_op("toy.store", &[value, pointer], &[], &[]);
                }
            }
            (Statement::Use, Some(pointer)) => {
                let op = builder.create_op("toy.load", &[pointer], &[ty], &[]);
                let value = builder.body().result(op, 0);
                builder.create_op("toy.print", &[value], &[], &[]);
            }
            (Statement::Use, None) => {
                let op = builder.create_op("toy.print", &[placeholder], &[], &[]);
                let mut uses = builder.body().uses(placeholder);
                let own = uses.find(|&id| builder.body().use_owner(id) == op);
                variable.uses.push(own.expect("the operation uses the placeholder"));
            }
        }
    }
    variable
}

#[test]
fn random_variables_have_the_values_that_they_have_in_memory() {
    let context = context();
    let shape = Shape { blocks: 12, ops: 3, locals: false, structured: false };
    let mut joins = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut f = generate(&context, &mut random, shape);
        erase_all_unreachable_blocks(&mut f.builder());
        let mut statements: Vec<(OpId, Statement)> = vec![];
        for op in f.body.all_ops() {
            if random.chance(15) {
                statements.push((op, Statement::Define(1000 + statements.len() as i32)));
            } else if random.chance(20) {
                statements.push((op, Statement::Use));
            }
        }
        let mut in_memory = Function { body: f.body.clone(), ..generate(&context, &mut Random::new(seed), shape) };
        let (entry, first) = (in_memory.entry(), in_memory.body.first_op(in_memory.entry()).unwrap());
        let ty = in_memory.i32;
        let pointer = in_memory.at(entry).alloc(ty);
        let allocation = in_memory.body.defining_op(pointer).unwrap();
        in_memory.body.remove_op(allocation);
        in_memory.body.insert_op_before(first, allocation);
        insert(&mut in_memory, &statements, Some(pointer));
        let variable = insert(&mut f, &statements, None);
        if variable.definitions.is_empty() {
            continue;
        }
        let region = f.region();
        let mut undefined = 0;
        let placed = reconstruct_ssa(&context, &mut f.body, region, &[variable], &mut |builder, _| {
            undefined += 1;
            let ty = builder.body().value_type(builder.body().arguments(entry)[0]);
            let zero = fermata_ir::Attribute::integer(&context, 0, ty);
            let op = builder.create_op("toy.constant", &[], &[ty], &[("value", zero)]);
            builder.body().result(op, 0)
        });
        assert!(undefined <= 1);
        let Ok(placed) = placed else {
            assert!(!ops_named(&context, &f.body, "elsewhere.br").is_empty(), "seed {seed}: {placed:?}");
            continue;
        };
        joins += placed;
        for input in [[0, 1, 2], [5, -3, 0], [i32::MIN, 7, -1]] {
            let input: [i32; ARGUMENTS] = input;
            // Fuel counts operations, which differ; the events that both reach are compared.
            let (expected, found) = (run(&context, &in_memory.body, &input, 600), run(&context, &f.body, &input, 600));
            assert_eq!(expected.difference(&found), None, "seed {seed}, {input:?}");
        }
    }
    assert!(joins > 100, "{joins} block arguments were placed");
}

/// A ladder of conditionals in which the variable is set on one side.
fn diamonds<'c>(context: &'c fermata_ir::Context, count: usize) -> (Function<'c>, Vec<BlockId>) {
    let mut f = Function::new(context, 1);
    let x = f.argument(0);
    let mut joins = vec![];
    for _ in 0..count {
        let (side, join) = (f.new_block(0), f.new_block(0));
        f.cond_br(x, (side, &[]), (join, &[]));
        f.at(side).br(join, &[]);
        f.at(join);
        joins.push(join);
    }
    f.ret(&[]);
    (f, joins)
}

#[test]
fn arguments_are_only_placed_where_the_variable_is_live() {
    let context = context();
    let (mut f, joins) = diamonds(&context, 3);
    // Defined before and on the side of the first diamond; used before the last one, so the last has no argument.
    let first = f.body.first_op(f.entry()).unwrap();
    let side = f.body.successor(first, 0);
    let side_end = f.body.last_op(side).unwrap();
    let used = f.body.last_op(joins[1]).unwrap();
    let statements = [(first, Statement::Define(1)), (side_end, Statement::Define(2)), (used, Statement::Use)];
    let variable = insert(&mut f, &statements, None);
    let region = f.region();
    let variables = std::slice::from_ref(&variable);
    let placed = reconstruct_ssa(&context, &mut f.body, region, variables, &mut |_, _| unreachable!());
    assert_eq!(placed, Ok(1));
    assert_eq!(f.body.arguments(joins[0]).len(), 1);
    assert_eq!(f.body.used_value(variable.uses[0]), f.body.arguments(joins[0])[0]);
    let branch = f.body.last_op(f.entry()).unwrap();
    assert_eq!(f.body.operands(branch).collect::<Vec<_>>(), [f.argument(0), variable.definitions[0]]);
}

#[test]
fn a_resume_block_gets_its_argument_behind_what_is_delivered() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (resume, other) = (f.new_block(1), f.new_block(0));
    let x = f.argument(0);
    let suspending = f.new_block(0);
    f.cond_br(x, (suspending, &[]), (other, &[]));
    f.at(suspending);
    let one = f.constant(1);
    let suspend = f.suspend(&[x], resume, &[]);
    f.at(other);
    let two = f.constant(2);
    f.br(resume, &[x]);
    f.at(resume);
    let print = f.print(&[x]);
    f.ret(&[]);
    let uses = f.body.uses(x).filter(|&id| f.body.use_owner(id) == print).collect();
    let variable = SsaVariable { definitions: vec![one, two], uses };
    let region = f.region();
    reconstruct_ssa(&context, &mut f.body, region, &[variable], &mut |_, _| unreachable!()).unwrap();
    let added = f.body.arguments(resume)[1];
    assert_eq!(f.body.operand(print, 0), added);
    assert_eq!(f.body.operands(suspend).collect::<Vec<_>>(), [x, one]);
    let sizes = f.body.properties(suspend).get(&context, "operandSegmentSizes").unwrap();
    assert_eq!(sizes.dense_i32_values(&context).unwrap().collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn edges_that_cannot_pass_a_value_are_an_error_and_change_nothing() {
    let context = context();
    let mut f = Function::new(&context, 1);
    let (a, b, join) = (f.new_block(0), f.new_block(0), f.new_block(0));
    let x = f.argument(0);
    f.cond_br(x, (a, &[]), (b, &[]));
    f.at(a);
    let one = f.constant(1);
    f.br(join, &[]);
    f.at(b);
    let two = f.constant(2);
    let unknown = f.terminator("elsewhere.br", &[], &[join], &[]);
    f.at(join);
    let print = f.print(&[x]);
    f.ret(&[]);
    let uses = f.body.uses(x).filter(|&id| f.body.use_owner(id) == print).collect();
    let variable = SsaVariable { definitions: vec![one, two], uses };
    let region = f.region();
    let result = reconstruct_ssa(&context, &mut f.body, region, &[variable], &mut |_, _| unreachable!());
    assert_eq!(result, Err(SsaError::UnknownEdge(join, unknown)));
    assert_eq!(f.body.operand(print, 0), x);
    assert!(f.body.arguments(join).is_empty());
}

#[test]
fn many_variables_change_each_branch_once() {
    let context = context();
    let (mut f, joins) = diamonds(&context, 20);
    let region = f.region();
    let mut variables = vec![];
    let first = f.body.first_op(f.entry()).unwrap();
    let side = f.body.successor(first, 0);
    let (side_end, last) = (f.body.last_op(side).unwrap(), f.body.last_op(joins[19]).unwrap());
    for _ in 0..2000 {
        let statements = [(first, Statement::Define(1)), (side_end, Statement::Define(2)), (last, Statement::Use)];
        variables.push(insert(&mut f, &statements, None));
    }
    let placed = reconstruct_ssa(&context, &mut f.body, region, &variables, &mut |_, _| unreachable!());
    assert_eq!(placed, Ok(2000));
    assert_eq!(ops_named(&context, &f.body, "toy.print").len(), 2000);
}
