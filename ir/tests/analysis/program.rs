//! Random programs of the test dialect.

use fermata_ir::analysis::DominanceInfo;
use fermata_ir::body::OperationState;
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{
    Attribute, BlockId, Body, Context, Diagnostics, Dictionary, Identifier, Location, OpId, RegionId, Type, ValueId,
};

use crate::random::Random;

struct Program<'c, 'r> {
    context: &'c Context,
    body: Body,
    random: &'r mut Random,
    number: Type,
    /// Operations that may still be made.
    left: usize,
}

/// A function of about so many operations, which the verifier accepts. What it computes means nothing.
pub(crate) fn program(context: &Context, random: &mut Random, size: usize) -> Body {
    let mut program = Program::new(context, random, size);
    program.mend_dominance();
    let mut diagnostics = Diagnostics::new();
    verify(context, &program.body, &VerifyOptions::default(), &mut diagnostics);
    assert_eq!(diagnostics.as_slice(), [], "the generated program is right");
    program.body
}

/// As [`program`], but values may be used where they need not have been computed.
pub(crate) fn careless_program(context: &Context, random: &mut Random, size: usize) -> Body {
    Program::new(context, random, size).body
}

impl<'c, 'r> Program<'c, 'r> {
    fn new(context: &'c Context, random: &'r mut Random, size: usize) -> Self {
        let body = Body::new(context.operation_name("a.func"), Location::UNKNOWN, 1);
        let number = Type::integer(context, 32);
        let mut program = Self { context, body, random, number, left: size };
        let region = program.body.regions(program.body.root())[0];
        program.fill(region, &[], 0, 1 + size / 6);
        program
    }

    /// Fills a region whose operations may use the values in `visible`.
    fn fill(&mut self, region: RegionId, visible: &[ValueId], depth: usize, most_blocks: usize) {
        let blocks: Vec<BlockId> = (0..1 + self.random.below(most_blocks))
            .map(|index| {
                // The operation around makes the first argument of an entry block itself.
                let least = usize::from(index == 0 && depth > 0);
                let arguments = if index == 0 && depth == 0 { 2 } else { least + self.random.below(2) };
                let block = self.body.create_block(&vec![self.number; arguments]);
                self.body.append_block(region, block);
                block
            })
            .collect();
        let mut values = visible.to_vec();
        blocks.iter().for_each(|&block| values.extend_from_slice(self.body.arguments(block)));
        // Blocks are filled in any order, so that a block may use what a later one defines.
        let mut order = blocks.clone();
        for index in (1..order.len()).rev() {
            order.swap(index, self.random.below(index + 1));
        }
        for &block in &order {
            for _ in 0..self.random.below(4) {
                self.add_operation(block, &mut values, depth);
            }
            self.add_end(block, &blocks, &values, depth);
        }
    }

    fn pick(&mut self, values: &[ValueId], most: usize) -> Vec<ValueId> {
        let count = if values.is_empty() { 0 } else { self.random.below(most + 1) };
        (0..count).map(|_| values[self.random.below(values.len())]).collect()
    }

    /// Exactly so many values; made if there are none to pick.
    fn pick_exactly(&mut self, block: BlockId, values: &[ValueId], count: usize) -> Vec<ValueId> {
        if values.is_empty() {
            let op = self.create(block, "a.op", &[], count, &[], &[], 0);
            return self.body.results(op).collect();
        }
        (0..count).map(|_| values[self.random.below(values.len())]).collect()
    }

    fn add_operation(&mut self, block: BlockId, values: &mut Vec<ValueId>, depth: usize) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let results = self.random.below(3);
        let kinds = ["a.if", "a.loop", "a.while", "a.opaque"];
        let name = kinds[self.random.below(4)];
        if depth == 3 || self.random.chance(70) {
            let mut properties = Vec::new();
            if self.random.chance(50) {
                let value = Attribute::integer(self.context, self.random.below(4) as i128, self.number);
                properties.push((self.context.identifier("value"), value));
            }
            if self.random.chance(20) {
                properties.push((self.context.identifier("sink"), Attribute::unit(self.context)));
            }
            let operands = self.pick(values, 2);
            let op = self.create(block, "a.op", &operands, results, &properties, &[], 0);
            values.extend(self.body.results(op));
            return;
        }
        let regions = if matches!(name, "a.loop") { 1 } else { 2 };
        // What is passed to a first block must be as many as it takes: filled in once that is known.
        let op = self.create(block, name, &[], results, &[], &[], regions);
        for region in self.body.regions(op).to_vec() {
            self.fill(region, values, depth + 1, 3);
        }
        self.fit(op, name, block, values);
        values.extend(self.body.results(op));
    }

    /// Gives a structured operation the same number of values everywhere, and passes these.
    fn fit(&mut self, op: OpId, name: &str, block: BlockId, values: &[ValueId]) {
        let results = self.body.result_count(op);
        let is_fitting = name != "a.opaque";
        for region in self.body.regions(op).to_vec() {
            let entry = self.body.entry_block(region).expect("regions were filled");
            while is_fitting && self.body.arguments(entry).len() < results + 1 {
                self.body.add_argument(entry, self.number);
            }
            while is_fitting && self.body.arguments(entry).len() > results + 1 {
                let last = self.body.arguments(entry).len() - 1;
                let (gone, kept) = (self.body.arguments(entry)[last], self.body.arguments(entry)[0]);
                self.body.replace_all_uses(gone, kept);
                self.body.erase_argument(entry, last);
            }
            for inner in self.body.blocks(region).collect::<Vec<_>>() {
                let last = self.body.last_op(inner).expect("blocks were filled");
                if self.body.operation_name(last).as_str(self.context) == "a.yield" {
                    let passed: Vec<ValueId> = {
                        let first = self.body.arguments(entry)[0];
                        let known: Vec<ValueId> = self.body.operands(last).collect();
                        (0..results).map(|index| known.get(index).copied().unwrap_or(first)).collect()
                    };
                    self.body.set_operands(last, &passed);
                }
            }
        }
        // Made before the operation, in case there is nothing to pick.
        self.body.remove_op(op);
        let operands = self.pick_exactly(block, values, results + 1);
        self.body.append_op(block, op);
        self.body.set_operands(op, &operands);
    }

    fn add_end(&mut self, block: BlockId, blocks: &[BlockId], values: &[ValueId], depth: usize) {
        let mut own = values.to_vec();
        own.retain(|&value| self.body.defining_block(value) != Some(block) || self.is_before_end(value, block));
        let targets: Vec<BlockId> = blocks[1..].to_vec();
        if targets.is_empty() || self.random.chance(35) {
            let name = match depth {
                0 => "a.return",
                _ if self.random.chance(15) => "a.leave",
                _ => "a.yield",
            };
            let operands = self.pick(&own, 2);
            self.create(block, name, &operands, 0, &[], &[], 0);
            return;
        }
        let count = 1 + self.random.below(3);
        let chosen: Vec<BlockId> = (0..count).map(|_| targets[self.random.below(targets.len())]).collect();
        let mut operands = self.pick_exactly(block, &own, 1);
        let mut sizes = Vec::new();
        for &target in &chosen {
            let arguments = self.body.arguments(target).len();
            let passed = if self.random.chance(80) { arguments } else { self.random.below(arguments + 1) };
            sizes.push(passed as i32);
            operands.extend(self.pick_exactly(block, &own, passed));
        }
        let sizes = (self.context.identifier("sizes"), Attribute::dense_i32(self.context, &sizes));
        self.create(block, "a.jump", &operands, 0, &[sizes], &chosen, 0);
    }

    /// Uses of what need not have been computed become uses of the function's first argument.
    fn mend_dominance(&mut self) {
        let dominance = DominanceInfo::new(self.context, &self.body);
        let entry = self.body.entry_block(self.body.regions(self.body.root())[0]).expect("the function has a block");
        let argument = self.body.arguments(entry)[0];
        for op in self.body.all_ops() {
            for index in 0..self.body.operand_count(op) {
                if !dominance.value_dominates(&self.body, self.body.operand(op, index), op) {
                    self.body.set_operand(op, index, argument);
                }
            }
        }
    }

    fn is_before_end(&self, value: ValueId, block: BlockId) -> bool {
        self.body.defining_block(value) == Some(block)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of an operation")]
    fn create(
        &mut self,
        block: BlockId,
        name: &str,
        operands: &[ValueId],
        results: usize,
        properties: &[(Identifier, Attribute)],
        successors: &[BlockId],
        regions: usize,
    ) -> OpId {
        let op = self.body.create_op(OperationState {
            operands: operands.into(),
            results: std::iter::repeat_n(self.number, results).collect(),
            properties: Dictionary::new(self.context, properties),
            successors: successors.into(),
            regions,
            ..OperationState::new(self.context.operation_name(name), Location::UNKNOWN)
        });
        self.body.append_op(block, op);
        op
    }
}
