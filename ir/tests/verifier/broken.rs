//! Whatever a program does to a body, the verifier says so and does not fall over.

use fermata_ir::body::OperationState;
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Attribute, BlockId, Body, Context, Diagnostics, Dictionary, Location, OpId, RegionId, Type, ValueId};

use crate::dialect::context;
use crate::support::{faults, parse};

const TEXT: &str = r#"
"t.global"() <{sym_name = "g"}> : () -> ()
%g = "t.constant"() <{value = 7 : i32}> : () -> i32
"t.func"() <{sym_name = "f", function_type = (i32, i1) -> i32}> ({
^bb0(%x: i32, %c: i1):
  %0 = "t.constant"() <{value = 7 : i32}> : () -> i32
  %1 = "t.add"(%0, %x) : (i32, i32) -> i32
  %2 = "t.if"(%c, %1) ({
  ^bb0(%a: i32):
    %3 = "t.add"(%a, %0) : (i32, i32) -> i32
    "t.yield"(%3) : (i32) -> ()
  }, {
  ^bb0(%b: i32):
    "t.yield"(%b) : (i32) -> ()
  }) : (i1, i32) -> i32
  "t.named"() <{name = "n"}> ({
    %4 = "t.add"(%2, %2) : (i32, i32) -> i32
    "t.yield"() : () -> ()
  }) : () -> ()
  "t.groups"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32, i32, i32) -> ()
  "t.cond_br"(%c, %1, %2)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i1, i32, i32) -> ()
^bb1(%5: i32):
  %6 = "t.call"(%5, %c) <{callee = @f}> : (i32, i1) -> i32
  "t.br"(%6)[^bb3] : (i32) -> ()
^bb2(%7: i32):
  "t.graph"() ({
    %8 = "t.add"(%9, %7) : (i32, i32) -> i32
    %9 = "t.literal"() <{value = 1 : i32}> : () -> i32
  }) : () -> ()
  "t.wait"()[^bb3] : () -> ()
^bb3(%10: i32):
  "t.return"(%10) : (i32) -> ()
}) : () -> ()
"#;

struct Vandal<'c> {
    context: &'c Context,
    state: u64,
}

impl Vandal<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) % bound as u64) as usize
    }

    /// An operation that is not erased.
    fn op(&mut self, body: &Body) -> OpId {
        let op = OpId::from_index(self.below(body.op_capacity()));
        if body.is_erased(op) { body.root() } else { op }
    }

    /// An operation that is not erased and not the root, if the first choice is one.
    fn inner_op(&mut self, body: &Body) -> Option<OpId> {
        Some(self.op(body)).filter(|&op| op != body.root())
    }

    fn value(&mut self, body: &Body) -> ValueId {
        ValueId::from_index(self.below(body.value_capacity()))
    }

    fn values(&mut self, body: &Body) -> Vec<ValueId> {
        (0..self.below(4)).map(|_| self.value(body)).collect()
    }

    /// A block that is not erased, unless the one that is tried last is.
    fn block(&mut self, body: &Body) -> BlockId {
        let mut tries = (0..20).map(|_| BlockId::from_index(self.below(body.block_capacity())));
        let first = BlockId::from_index(0);
        tries.find(|&block| !body.is_block_erased(block)).unwrap_or(first)
    }

    fn ty(&mut self) -> Type {
        match self.below(4) {
            0 => Type::integer(self.context, 1),
            1 => Type::integer(self.context, 64),
            2 => Type::function(self.context, &[], &[]),
            _ => Type::index_type(self.context),
        }
    }

    fn dictionary(&mut self) -> Dictionary {
        let keys = ["sym_name", "function_type", "value", "name", "callee", "operandSegmentSizes", "count", "other"];
        let entries: Vec<_> = (0..self.below(3))
            .map(|_| {
                let key = self.context.identifier(keys[self.below(keys.len())]);
                let value = match self.below(6) {
                    0 => Attribute::string(self.context, "f"),
                    1 => Attribute::type_attribute(self.context, self.ty()),
                    2 => Attribute::dense_i32(self.context, &[1, self.below(3) as i32 - 1, 1]),
                    3 => Attribute::symbol(self.context, "g"),
                    4 => Attribute::integer(self.context, 3, Type::integer(self.context, 32)),
                    _ => Attribute::unit(self.context),
                };
                (key, value)
            })
            .collect();
        Dictionary::new(self.context, &entries)
    }

    /// Does one thing to a body that its methods allow.
    fn damage(&mut self, body: &mut Body) {
        match self.below(15) {
            0 => self.inner_op(body).into_iter().for_each(|op| body.remove_op(op)),
            1 => {
                let (op, values) = (self.op(body), self.values(body));
                body.set_operands(op, &values);
            }
            2 => {
                let (op, blocks) = (self.op(body), [self.block(body), self.block(body)]);
                body.set_successors(op, &blocks[..self.below(3)]);
            }
            3 => {
                let block = self.block(body);
                body.remove_block(block);
            }
            4 => {
                let (value, ty) = (self.value(body), self.ty());
                body.set_value_type(value, ty);
            }
            5 => {
                let (op, properties) = (self.op(body), self.dictionary());
                body.set_properties(op, properties);
            }
            6 => {
                let op = self.op(body);
                body.add_region(op);
            }
            7 => {
                let (block, ty) = (self.block(body), self.ty());
                body.add_argument(block, ty);
            }
            8 => {
                // An operation goes somewhere else, perhaps into itself.
                let (op, block) = (self.inner_op(body), self.block(body));
                if let Some(op) = op {
                    body.remove_op(op);
                    body.append_op(block, op);
                }
            }
            9 => {
                let (block, region) = (self.block(body), RegionId::from_index(self.below(body.region_capacity())));
                body.remove_block(block);
                body.append_block(region, block);
            }
            10 => {
                let names =
                    ["t.add", "t.br", "t.func", "t.if", "t.return", "t.call", "x.unknown", "t.wait", "t.constant"];
                let name = self.context.operation_name(names[self.below(names.len())]);
                let (operands, types) = (self.values(body), [self.ty(), self.ty()]);
                let (regions, successor) = (self.below(3), self.block(body));
                let op = body.create_op(OperationState {
                    operands: operands.into(),
                    results: types[..self.below(3)].into(),
                    properties: self.dictionary(),
                    regions,
                    successors: if self.below(3) == 0 { [successor].into_iter().collect() } else { Default::default() },
                    ..OperationState::new(name, Location::UNKNOWN)
                });
                let block = self.block(body);
                body.append_op(block, op);
            }
            11 => {
                let op = self.inner_op(body).filter(|&op| body.results(op).all(|result| body.is_unused(result)));
                let is_free = |&op: &OpId| body.ops_inside(op).is_empty();
                op.filter(is_free).into_iter().for_each(|op| body.erase_op(op));
            }
            12 => {
                let (old, new) = (self.value(body), self.value(body));
                body.replace_all_uses(old, new);
            }
            13 => {
                let block = self.block(body);
                let arguments = body.arguments(block).len();
                if arguments > 0 && body.is_unused(body.arguments(block)[arguments - 1]) {
                    body.erase_argument(block, arguments - 1);
                }
            }
            _ => {
                // The root goes into a block of its own.
                let (block, root) = (self.block(body), body.root());
                if self.below(10) == 0 && body.parent_block(root).is_none() {
                    body.append_op(block, root);
                }
            }
        }
    }
}

/// Whether an operation is in itself, so that walks over what it holds would not end. Erasing such a thing is a mistake
/// of the program, so no more is done to the body.
fn holds_itself(body: &Body) -> bool {
    let around = |op: OpId| std::iter::successors(body.parent_op(op), |&op| body.parent_op(op)).take(1000).count();
    (0..body.op_capacity()).any(|index| around(OpId::from_index(index)) == 1000)
}

#[test]
fn no_damage_makes_the_verifier_panic_or_hang() {
    let context = context();
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..3000 {
        let mut module = parse(&context, TEXT);
        assert!(!faults(&context, &module, &VerifyOptions::default()).has_errors());
        let mut vandal = Vandal { context: &context, state: seed };
        let function = module.all_ops().into_iter().rfind(|&op| module.nested(op).is_some()).expect("there is one");
        for _ in 0..1 + vandal.below(4) {
            let body =
                if vandal.below(8) == 0 { &mut module } else { module.nested_mut(function).expect("it is there") };
            vandal.damage(body);
            let is_walkable = |body: &Body| !holds_itself(body) && body.parent_block(body.root()).is_none();
            if !is_walkable(&module) || module.nested(function).is_none_or(|body| !is_walkable(body)) {
                break;
            }
        }
        for allow_unregistered in [false, true] {
            let options = VerifyOptions { allow_unregistered, ..VerifyOptions::default() };
            let found = faults(&context, &module, &options);
            let other = VerifyOptions { parallel: true, check_links: true, ..options };
            assert_eq!(found, faults(&context, &module, &other), "seed {seed}");
            *if found.has_errors() { &mut refused } else { &mut accepted } += 1;
        }
        if let Some(body) = module.nested(function) {
            verify(&context, body, &VerifyOptions::default(), &mut Diagnostics::new());
        }
    }
    assert!(accepted > 500 && refused > 2000, "{accepted} accepted, {refused} refused");
}
