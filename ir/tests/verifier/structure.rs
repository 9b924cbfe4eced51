//! Where operations stand, how blocks end, and bodies that no text can describe.

use fermata_ir::body::OperationState;
use fermata_ir::verifier::VerifyOptions;
use fermata_ir::{BlockId, Body, Context, Location, OpId, Type};

use crate::dialect::context;
use crate::support::{check, faults, parse};

#[test]
fn terminators() {
    check(
        r#"
        "t.func"() <{sym_name = "a", function_type = () -> ()}> ({
          "t.return"() : () -> ()                               // error: misplaced-terminator
          "t.scope"() : () -> ()
        }) : () -> ()
        "t.func"() <{sym_name = "b", function_type = () -> ()}> ({
          "t.scope"() : () -> ()                                // error: missing-terminator
        }) : () -> ()
        "t.scope"() ({                                          // error: missing-terminator
        ^bb0:
        }) : () -> ()
        "t.scope"() ({
          "x.may_be_one"() : () -> ()
        }) : () -> ()
        "x.region"() ({
          "t.scope"() : () -> ()
        }) : () -> ()
        "x.region"() ({
          "t.scope"() : () -> ()                                // error: missing-terminator
        ^bb1:
          "t.go"() : () -> ()
        }) : () -> ()
        "t.graph"() ({
          "t.scope"() : () -> ()
        }) : () -> ()
        "#,
    );
}

#[test]
fn successors() {
    // The parser refuses some of these on its own, so the body is made by hand.
    let context = context();
    let (mut body, blocks) = function(&context, 3);
    let go = |body: &mut Body, block: BlockId, target: &[BlockId]| {
        let op = body.create_op(OperationState {
            successors: target.into(),
            ..OperationState::new(context.operation_name("t.go"), Location::UNKNOWN)
        });
        body.append_op(block, op);
        op
    };
    go(&mut body, blocks[0], &[blocks[1]]);
    go(&mut body, blocks[1], &[blocks[0]]);
    let (nested, inner) = scope(&context, &mut body, blocks[2]);
    go(&mut body, inner, &[blocks[1]]);
    let detached = body.create_block(&[]);
    go(&mut body, blocks[2], &[detached]);
    assert_eq!(codes(&context, &body), ["successor"; 3]);
    // A loop of blocks in no region goes unseen, and an operation in the middle may not branch.
    let second = body.create_block(&[]);
    go(&mut body, detached, &[second]);
    go(&mut body, second, &[detached]);
    body.erase_op(nested);
    assert_eq!(codes(&context, &body), ["successor"; 2]);
    go(&mut body, blocks[0], &[blocks[1]]);
    assert_eq!(codes(&context, &body), ["misplaced-terminator", "successor", "successor", "successor"]);
}

#[test]
fn operands_that_are_gone() {
    let context = context();
    let (mut body, blocks) = function(&context, 1);
    let i32_type = Type::integer(&context, 32);
    let value = |body: &mut Body| {
        let op = body.create_op(OperationState {
            results: [i32_type].into_iter().collect(),
            ..OperationState::new(context.operation_name("x.value"), Location::UNKNOWN)
        });
        (op, body.result(op, 0))
    };
    let (_, detached) = value(&mut body);
    let (gone_op, gone) = value(&mut body);
    body.append_op(blocks[0], gone_op);
    body.erase_op(gone_op);
    let lost_block = body.create_block(&[i32_type]);
    let lost_argument = body.arguments(lost_block)[0];
    let (scope_op, inner) = scope(&context, &mut body, blocks[0]);
    let (inside_op, inside) = value(&mut body);
    body.append_op(inner, inside_op);
    append(&context, &mut body, inner, "t.yield");
    let erased_block = body.create_block(&[i32_type]);
    let erased_argument = body.arguments(erased_block)[0];
    body.erase_blocks(&[erased_block]);
    let user = body.create_op(OperationState {
        operands: [detached, gone, lost_argument, erased_argument, inside].into_iter().collect(),
        ..OperationState::new(context.operation_name("t.return"), Location::UNKNOWN)
    });
    body.append_op(blocks[0], user);
    let mut expected = vec!["dangling-operand"; 4];
    expected.push("value-out-of-scope");
    assert_eq!(codes(&context, &body), expected);
    body.remove_op(scope_op);
    assert_eq!(codes(&context, &body), ["dangling-operand"; 5]);
}

#[test]
fn isolated_operations() {
    let context = context();
    let i32_type = Type::integer(&context, 32);
    // A function without a body of its own, and one with a value of its own.
    let (mut module, block) = root(&context, "builtin.module");
    let name = context.operation_name("t.func");
    let bare = module.create_op(OperationState { regions: 1, ..OperationState::new(name, Location::UNKNOWN) });
    module.append_op(block, bare);
    assert_eq!(codes(&context, &module), ["isolated-operation", "missing-property", "missing-property"]);
    module.erase_op(bare);
    let value = module.create_op(OperationState {
        results: [i32_type].into_iter().collect(),
        ..OperationState::new(context.operation_name("x.value"), Location::UNKNOWN)
    });
    module.append_op(block, value);
    let (inner, _) = function(&context, 0);
    let anchor = module.create_anchor(inner);
    module.append_op(block, anchor);
    assert_eq!(codes(&context, &module), [""; 0]);
    let used = module.result(value, 0);
    module.set_operands(anchor, &[used]);
    assert_eq!(codes(&context, &module), ["isolated-operation"]);
    module.set_operands(anchor, &[]);
    module.add_region(anchor);
    assert_eq!(codes(&context, &module), ["isolated-operation"]);
    let (other, _) = function(&context, 0);
    let anchor = {
        module.erase_op(anchor);
        let anchor = module.create_anchor(other);
        module.append_op(block, anchor);
        anchor
    };
    module.replace_nested(anchor, root(&context, "builtin.module").0);
    assert_eq!(codes(&context, &module), ["isolated-operation"]);
    // A root that does not isolate, and one that stands in its own block.
    let (scope, inner) = root(&context, "t.scope");
    assert_eq!(codes(&context, &scope), ["isolated-operation", "missing-terminator"]);
    let (mut module, block) = (module, inner);
    let root = module.root();
    module.append_op(block, root);
    assert_eq!(codes(&context, &module), ["isolated-operation"]);
}

#[test]
fn bodies_nested_20000_deep() {
    let context = context();
    let (mut body, _) = root(&context, "builtin.module");
    for _ in 0..20_000 {
        let (mut outer, block) = root(&context, "builtin.module");
        let anchor = outer.create_anchor(body);
        outer.append_op(block, anchor);
        body = outer;
    }
    assert_eq!(codes(&context, &body), [""; 0]);
    let mut regions = root(&context, "builtin.module").0;
    let mut block = regions.entry_block(regions.regions(regions.root())[0]).expect("the module has a block");
    for _ in 0..20_000 {
        block = scope(&context, &mut regions, block).1;
    }
    assert_eq!(codes(&context, &regions).len(), 20_000);
}

#[test]
fn all_faults_of_a_module_in_one_run_and_in_order() {
    check(
        r#"
        "t.func"() <{sym_name = "a", function_type = () -> i32}> ({
          %0 = "t.add"() : () -> i32                            // error: operand-count
          "t.return"() : () -> ()                               // error: return-operands
        }) : () -> ()
        "t.named"() : () -> ()                                  // error: missing-property
        "t.func"() <{sym_name = "a", function_type = () -> ()}> ({ // error: duplicate-symbol
          "t.br"()[^bb1] : () -> ()                             // error: branch-operands
        ^bb1(%1: i32):
          %2 = "t.add"(%1, %1) : (i32, i32) -> i64              // error: type-rule
          %3 = "t.add"(%4, %1) : (i32, i32) -> i32              // error: use-before-definition
          %4 = "t.constant"() <{value = 1 : i32}> : () -> i32
          "t.call"() <{callee = @b}> : () -> ()                 // error: unknown-symbol
          "t.named"() <{name = "a b"}> : () -> ()               // error: no-spaces
          "t.scope"() : () -> ()                                // error: missing-terminator
        }) : () -> ()
        "x.a"() {t.b} : () -> ()                                // error: unknown-attribute
        "#,
    );
}

fn codes(context: &Context, body: &Body) -> Vec<&'static str> {
    let options = VerifyOptions { allow_unregistered: true, ..VerifyOptions::default() };
    let found = faults(context, body, &options);
    let parallel = faults(context, body, &VerifyOptions { parallel: true, check_links: true, ..options });
    assert_eq!(found, parallel);
    found.as_slice().iter().map(|found| found.code).collect()
}

/// A body with a block.
fn root(context: &Context, name: &str) -> (Body, BlockId) {
    let mut body = Body::new(context.operation_name(name), Location::UNKNOWN, 1);
    let block = body.create_block(&[]);
    let region = body.regions(body.root())[0];
    body.append_block(region, block);
    (body, block)
}

/// A function of so many empty blocks.
fn function(context: &Context, blocks: usize) -> (Body, Vec<BlockId>) {
    let text = r#""t.func"() <{sym_name = "f", function_type = () -> ()}> ({}) : () -> ()"#;
    let mut module = parse(context, text);
    let anchor = module.all_ops()[0];
    let mut body = module.take_nested(anchor);
    let region = body.regions(body.root())[0];
    let blocks = (0..blocks).map(|_| {
        let block = body.create_block(&[]);
        body.append_block(region, block);
        block
    });
    let blocks = blocks.collect();
    (body, blocks)
}

fn append(context: &Context, body: &mut Body, block: BlockId, name: &str) -> OpId {
    let op = body.create_op(OperationState::new(context.operation_name(name), Location::UNKNOWN));
    body.append_op(block, op);
    op
}

/// Appends an operation with a region of one block.
fn scope(context: &Context, body: &mut Body, block: BlockId) -> (OpId, BlockId) {
    let op = append(context, body, block, "t.scope");
    let region = body.add_region(op);
    let inner = body.create_block(&[]);
    body.append_block(region, inner);
    (op, inner)
}
