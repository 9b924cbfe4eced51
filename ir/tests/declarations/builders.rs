//! The builders, setters, and changes of operand groups.

use std::borrow::Cow;

use fermata_ir::builder::Listener;
use fermata_ir::interfaces::set_forwarded_operands;
use fermata_ir::{Attribute, Body, Builder, Location, OpId, OpRef, Type};

use crate::dialect::{
    Add, Br, Call, Choose, Compare, CondBr, Constant, Groups, If, Kinds, Leave, ManyRegions, ManyResults, MaybeResult,
    OptionalRegion, Pair, Predicate, Properties, Scope,
};
use crate::support::{check_verified, context, custom, module, value};

#[test]
fn operations_without_successors() {
    let context = context();
    let (mut body, block) = module(&context);
    let [i32, i1, f32] = [
        Type::integer(&context, 32),
        Type::integer(&context, 1),
        Type::float(&context, fermata_ir::types::FloatKind::F32),
    ];
    let mut builder = Builder::new(&context, &mut body);
    builder.at_end(block);
    let (number, truth, real) = (value(&mut builder, i32), value(&mut builder, i1), value(&mut builder, f32));
    Add::build(&mut builder, number, number);
    Compare::build(&mut builder, number, number, Predicate::Equal);
    Pair::build(&mut builder, number);
    Constant::build(&mut builder, Attribute::integer(&context, 3, i32));
    Groups::build(&mut builder, real, None, &[], number);
    Groups::build(&mut builder, real, Some(truth), &[number, real], number);
    Call::build(&mut builder, number, &[truth], i1, &[f32, f32]);
    MaybeResult::build(&mut builder, None);
    MaybeResult::build(&mut builder, Some(i1));
    ManyResults::build(&mut builder, &[i1, f32]);
    let properties = Properties::build(&mut builder, 7);
    Properties::set_name(&mut builder, properties, Some("n"));
    Properties::set_volatile(&mut builder, properties, Some(()));
    Properties::set_align(&mut builder, properties, 16);
    let plain = Properties::build(&mut builder, 8);
    Properties::set_count(&mut builder, plain, 9);
    Properties::set_name(&mut builder, plain, None);
    let (target, any) = (Attribute::symbol(&context, "t"), Attribute::unit(&context));
    Kinds::build(&mut builder, target, i32, false, -1, Cow::Borrowed(&[2]), any);
    If::build(&mut builder, truth);
    OptionalRegion::build(&mut builder, true);
    OptionalRegion::build(&mut builder, false);
    ManyRegions::build(&mut builder, 2);
    check_verified(&context, &body);
    assert_eq!(
        custom(&context, &body),
        "module {
  %0 = \"u.value\"() : () -> i32
  %1 = \"u.value\"() : () -> i1
  %2 = \"u.value\"() : () -> f32
  %3 = d.add %0, %0 : i32
  %4 = d.compare equal, %0, %0 : i32
  %5 = d.pair %0 : i32
  %6 = d.constant 3 : i32
  d.groups %2[] %0 : f32()
  d.groups %2 else %1 : i1[%0, %2] %0 : f32(i32, f32)
  %7:3 = d.call(%0, %1) : (i32, i1) -> (i1, f32, f32)
  d.maybe_result
  %8 = d.maybe_result -> i1
  %9:2 = d.many_results -> (i1, f32)
  d.properties 7 name \"n\" volatile align 16
  d.properties 9
  d.kinds @t i32 false -1 [2] default -7 = unit
  d.if %1 {
  }
  d.optional_region {
  } also {
  }
  d.optional_region {
  }
  d.many_regions cases {
  }, {
  }
}
"
    );
}

/// A region with an entry block and one more, which takes a number.
fn branching(
    context: &fermata_ir::Context,
    body: &mut Body,
) -> (OpId, [fermata_ir::BlockId; 2], [fermata_ir::ValueId; 2]) {
    let block = body.entry_block(body.regions(body.root())[0]).expect("a module has its block");
    let (i32, i1) = (Type::integer(context, 32), Type::integer(context, 1));
    let mut builder = Builder::new(context, body);
    builder.at_end(block);
    let values = [value(&mut builder, i32), value(&mut builder, i1)];
    let op = ManyRegions::build(&mut builder, 1);
    let region = builder.body().regions(op)[0];
    let blocks = [builder.create_block(region, &[]), builder.create_block(region, &[i32])];
    builder.at_end(blocks[1]);
    Leave::build(&mut builder, &[], None);
    builder.at_end(blocks[0]);
    (op, blocks, values)
}

#[test]
fn operations_with_successors() {
    let context = context();
    let (mut body, _) = module(&context);
    let (_, [entry, other], [number, truth]) = branching(&context, &mut body);
    let mut builder = Builder::new(&context, &mut body);
    builder.at_end(entry);
    let branch = CondBr::build(&mut builder, truth, &[number], &[number], other, other);
    let view: CondBr<'_> = builder.op(branch).cast().expect("it is one");
    assert_eq!((view.yes(), view.yes_arguments().collect::<Vec<_>>()), (other, vec![number]));
    check_verified(&context, &body);
    for build in [
        |builder: &mut Builder<'_>, number, other| Br::build(builder, &[number], other),
        |builder: &mut Builder<'_>, number, _| Choose::build(builder, number, &[]),
        |builder: &mut Builder<'_>, number, _| Leave::build(builder, &[number, number], None),
    ] {
        let mut builder = Builder::new(&context, &mut body);
        let last = builder.body().last_op(entry).expect("the block ends");
        builder.erase_op(last);
        builder.at_end(entry);
        build(&mut builder, number, other);
        check_verified(&context, &body);
    }
}

#[test]
fn isolated_operations_get_their_body() {
    let context = context();
    let (mut body, block) = module(&context);
    let scope = Scope::create_body(&context, Location::UNKNOWN, "inner");
    let mut builder = Builder::new(&context, &mut body);
    builder.at_end(block);
    builder.create_anchor(scope);
    check_verified(&context, &body);
    assert_eq!(custom(&context, &body), "module {\n  d.scope @inner {\n  }\n}\n");
}

#[test]
fn groups_of_operands_are_replaced() {
    let context = context();
    let (mut body, block) = module(&context);
    let i32 = Type::integer(&context, 32);
    let mut builder = Builder::new(&context, &mut body);
    builder.at_end(block);
    let [a, b] = [value(&mut builder, i32), value(&mut builder, i32)];
    let op = Groups::build(&mut builder, a, None, &[a, a], b);
    builder.set_operand_group(op, 1, &[b]);
    builder.set_operand_group(op, 2, &[b, a, b]);
    builder.set_operand_group(op, 0, &[b]);
    let groups: Groups<'_> = builder.op(op).cast().expect("it is one");
    assert_eq!((groups.first(), groups.maybe(), groups.last()), (b, Some(b), b));
    assert_eq!(groups.many().collect::<Vec<_>>(), [b, a, b]);
    builder.set_operand_group(op, 2, &[]);
    builder.set_operand_group(op, 1, &[]);
    let call = Call::build(&mut builder, a, &[a], Type::integer(&context, 1), &[]);
    builder.set_operand_group(call, 1, &[b, b]);
    check_verified(&context, &body);
    let groups: Groups<'_> = OpRef::new(&context, &body, op).cast().expect("it is one");
    assert_eq!((groups.maybe(), groups.many().len()), (None, 0));
    assert_eq!(body.operands(call).collect::<Vec<_>>(), [a, b, b]);
}

#[test]
fn forwarded_operands_keep_the_sizes_of_the_groups() {
    let context = context();
    let (mut body, _) = module(&context);
    let (_, [entry, other], [number, truth]) = branching(&context, &mut body);
    let mut builder = Builder::new(&context, &mut body);
    builder.at_end(entry);
    let branch = CondBr::build(&mut builder, truth, &[], &[number], other, other);
    set_forwarded_operands(&context, &mut body, branch, 0, &[number]);
    check_verified(&context, &body);
    let view: CondBr<'_> = OpRef::new(&context, &body, branch).cast().expect("it is one");
    assert_eq!((view.condition(), view.yes_arguments().len(), view.no_arguments().len()), (truth, 1, 1));
}

#[test]
fn changes_are_told_to_the_listener() {
    #[derive(Default)]
    struct Count {
        modified: usize,
    }
    impl Listener for Count {
        fn modified(&mut self, _body: &Body, _op: OpId) {
            self.modified += 1;
        }
    }
    let context = context();
    let (mut body, block) = module(&context);
    let mut count = Count::default();
    let mut builder = Builder::with_listener(&context, &mut body, &mut count);
    builder.at_end(block);
    let op = Properties::build(&mut builder, 1);
    Properties::set_count(&mut builder, op, 2);
    let number = value(&mut builder, Type::integer(&context, 32));
    let groups = Groups::build(&mut builder, number, None, &[], number);
    builder.set_operand_group(groups, 2, &[number]);
    assert_eq!(count.modified, 2);
}
