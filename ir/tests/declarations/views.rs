//! The accessors of views.

use std::borrow::Cow;

use fermata_ir::{OpRef, OperationView, Type};

use crate::dialect::{
    Add, Br, Call, Choose, Compare, CondBr, Constant, Groups, If, Kinds, Leave, ManyRegions, ManyResults, MaybeResult,
    OptionalRegion, Predicate, Properties, Scope,
};
use crate::support::{context, find, good};

#[test]
fn operands_and_results() {
    let context = context();
    let body = good(
        &context,
        "%0 = \"u.value\"() : () -> i32
        %1 = d.add %0, %0 : i32
        d.groups %0 else %1 : i32 [%1, %0] %1 : i32 (i32, i32)
        %2:3 = d.call(%0, %1) : (i32, i32) -> (i1, f32, i32)
        %3 = d.maybe_result -> f32
        %4:2 = d.many_results -> (f32, i32)",
    );
    let add: Add<'_> = find(&context, &body, "d.add").cast().expect("it is one");
    assert_eq!(add.left(), add.right());
    assert_eq!(add.sum(), add.op().result(0));
    assert_eq!(add.op().defining(add.left()).map(OpRef::name_str), Some("u.value"));

    let groups: Groups<'_> = find(&context, &body, "d.groups").cast().expect("it is one");
    assert_eq!((groups.first(), groups.maybe(), groups.last()), (add.left(), Some(add.sum()), add.sum()));
    assert_eq!(groups.many().collect::<Vec<_>>(), [add.sum(), add.left()]);
    assert_eq!(groups.many().len(), 2);

    let call: Call<'_> = find(&context, &body, "d.call").cast().expect("it is one");
    assert_eq!(call.arguments().collect::<Vec<_>>(), [add.sum()]);
    assert_eq!(
        (call.status(), call.values().collect::<Vec<_>>()),
        (call.op().result(0), vec![call.op().result(1), call.op().result(2)])
    );
    let maybe: MaybeResult<'_> = find(&context, &body, "d.maybe_result").cast().expect("it is one");
    assert_eq!(maybe.value(), Some(maybe.op().result(0)));
    let many: ManyResults<'_> = find(&context, &body, "d.many_results").cast().expect("it is one");
    assert_eq!(many.values().next_back(), Some(many.op().result(1)));
    assert!(Add::cast(call.op()).is_none());
}

#[test]
fn absent_groups_are_empty() {
    let context = context();
    let body =
        good(&context, "%0 = \"u.value\"() : () -> i32\nd.groups %0 [] %0 : i32 ()\nd.maybe_result\nd.many_results");
    let groups: Groups<'_> = find(&context, &body, "d.groups").cast().expect("it is one");
    assert_eq!((groups.maybe(), groups.many().len(), groups.last()), (None, 0, groups.first()));
    let maybe: MaybeResult<'_> = find(&context, &body, "d.maybe_result").cast().expect("it is one");
    assert_eq!(maybe.value(), None);
    let many: ManyResults<'_> = find(&context, &body, "d.many_results").cast().expect("it is one");
    assert_eq!(many.values().len(), 0);
}

#[test]
fn properties_are_decoded() {
    let context = context();
    let body = good(
        &context,
        "d.properties 3 name \"x\" volatile @link
        d.kinds @a::@b i32 true -5 [1, -2] default 0 = unit
        %0 = d.constant 7 : i32
        %1 = d.compare less_than, %0, %0 : i32
        \"u.more\"() ({
          d.properties 1
        }) : () -> ()",
    );
    let properties: Properties<'_> = find(&context, &body, "d.properties").cast().expect("it is one");
    assert_eq!((properties.count(), properties.name(), properties.volatile()), (3, Some("x"), Some(())));
    assert_eq!((properties.align(), properties.link(), properties.extra()), (4, Some("link"), None));
    let kinds: Kinds<'_> = find(&context, &body, "d.kinds").cast().expect("it is one");
    assert_eq!(kinds.target().symbol_value(&context).map(|symbol| symbol.nested.len()), Some(1));
    assert_eq!((kinds.r#type(), kinds.flag(), kinds.offset()), (Type::integer(&context, 32), true, -5));
    assert_eq!((kinds.shape(), kinds.unwritten()), (Cow::Owned(vec![1, -2]), 0));
    let compare: Compare<'_> = find(&context, &body, "d.compare").cast().expect("it is one");
    assert_eq!(compare.predicate(), Predicate::LessThan);
    let constant: Constant<'_> = find(&context, &body, "d.constant").cast().expect("it is one");
    assert_eq!(constant.value().integer_value(&context), Some(7));
    let more = find(&context, &body, "u.more").id;
    let inner = body.ops_inside(more)[0];
    let inner: Properties<'_> = OpRef::new(&context, &body, inner).cast().expect("it is one");
    assert_eq!((inner.count(), inner.name(), inner.volatile()), (1, None, None));
}

#[test]
fn regions_and_successors() {
    let context = context();
    let body = good(
        &context,
        "%0 = \"u.value\"() : () -> i32
        %1 = \"u.value\"() : () -> i1
        d.if %1 { d.maybe_result }
        d.optional_region { } also { }
        d.many_regions cases {
          d.cond_br %1, ^bb1(%0 : i32), ^bb2
        ^bb1(%2: i32):
          d.br ^bb2
        ^bb2:
          d.choose %0 or ^bb1, ^bb3 : i32
        ^bb3:
          d.leave %0 : i32 to ^bb2
        }, { }
        d.scope @s { }"
            .replace("or ^bb1, ^bb3", "or ^bb2, ^bb3")
            .as_str(),
    );
    let conditional: If<'_> = find(&context, &body, "d.if").cast().expect("it is one");
    assert_eq!([conditional.then(), conditional.other()], conditional.op().regions());
    assert!(body.entry_block(conditional.then()).is_some() && body.entry_block(conditional.other()).is_none());
    let optional: OptionalRegion<'_> = find(&context, &body, "d.optional_region").cast().expect("it is one");
    assert_eq!(optional.extra(), Some(optional.op().regions()[1]));
    let regions: ManyRegions<'_> = find(&context, &body, "d.many_regions").cast().expect("it is one");
    assert_eq!(regions.cases(), regions.op().regions());
    let blocks: Vec<_> = body.blocks(regions.cases()[0]).collect();
    let branch: CondBr<'_> = find(&context, &body, "d.cond_br").cast().expect("it is one");
    assert_eq!((branch.yes(), branch.no()), (blocks[1], blocks[2]));
    assert_eq!((branch.yes_arguments().len(), branch.no_arguments().len()), (1, 0));
    let jump: Br<'_> = find(&context, &body, "d.br").cast().expect("it is one");
    assert_eq!((jump.dest(), jump.arguments().len()), (blocks[2], 0));
    let choose: Choose<'_> = find(&context, &body, "d.choose").cast().expect("it is one");
    assert_eq!(choose.cases().collect::<Vec<_>>(), [blocks[2], blocks[3]]);
    let leave: Leave<'_> = find(&context, &body, "d.leave").cast().expect("it is one");
    assert_eq!((leave.dest(), leave.values().len()), (Some(blocks[2]), 1));
    let scope = find(&context, &body, "d.scope").id;
    let nested = body.nested(scope).expect("it is isolated");
    let scope: Scope<'_> = OpRef::new(&context, nested, nested.root()).cast().expect("it is one");
    assert_eq!((scope.sym_name(), scope.level(), scope.body()), ("s", 1, nested.regions(nested.root())[0]));
}
