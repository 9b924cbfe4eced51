//! Random functions of the test dialect.

use fermata_ir::{BlockId, Context, Type, TypeKind, ValueId};

use crate::evaluate::{End, run};
use crate::support::{Function, assert_verifies};
use crate::toy::context;

/// SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// What a generated function may hold.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) blocks: usize,
    pub(crate) ops: usize,
    /// Local memory, numbers and tuples.
    pub(crate) locals: bool,
    /// Structured regions.
    pub(crate) structured: bool,
}

pub(crate) const ARGUMENTS: usize = 3;

struct Local {
    block: usize,
    pointer: ValueId,
    /// Number of parts of a tuple; a number if 0.
    parts: usize,
}

struct Generator<'c, 'r> {
    function: Function<'c>,
    random: &'r mut Random,
    shape: Shape,
    blocks: Vec<BlockId>,
    edges: Vec<Vec<usize>>,
    /// By block: which blocks dominate it, itself included.
    dominators: Vec<Vec<bool>>,
    values: Vec<Vec<ValueId>>,
    locals: Vec<Local>,
}

/// A function that verifies. Any graph of blocks comes up: irreducible ones, unreachable blocks, parallel edges.
pub(crate) fn generate<'c>(context: &'c Context, random: &mut Random, shape: Shape) -> Function<'c> {
    let mut function = Function::named(context, "generated", ARGUMENTS, 1);
    let count = 1 + random.below(shape.blocks);
    let mut blocks = vec![function.entry()];
    for _ in 1..count {
        let arguments = random.below(3);
        blocks.push(function.new_block(arguments));
    }
    let mut edges = vec![vec![]; count];
    for (from, targets) in edges.iter_mut().enumerate() {
        if from + 1 == count && random.chance(70) {
            continue;
        }
        for _ in 0..random.pick(&[0, 1, 1, 2, 2, 2, 3]) {
            // Mostly forwards, never to the entry.
            let forwards = count - from - 1;
            if forwards > 0 && random.chance(88) {
                targets.push(from + 1 + random.below(forwards));
            } else if count > 1 {
                targets.push(1 + random.below(count - 1));
            }
        }
    }
    let dominators = dominators(&edges);
    let values = blocks.iter().map(|&block| function.body.arguments(block).to_vec()).collect();
    let mut generator = Generator { function, random, shape, blocks, edges, dominators, values, locals: vec![] };
    generator.fill();
    generator.function
}

/// By the definition: a block dominates another if the other cannot be reached without it. Quadratic, and on purpose
/// nothing like what the library does.
fn dominators(edges: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let reach = |without: Option<usize>| {
        let mut seen = vec![false; edges.len()];
        let mut pending = if without == Some(0) { vec![] } else { vec![0] };
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut seen[block], true) {
                pending.extend(edges[block].iter().copied().filter(|&next| Some(next) != without));
            }
        }
        seen
    };
    let reachable = reach(None);
    let without: Vec<Vec<bool>> = (0..edges.len()).map(|dominator| reach(Some(dominator))).collect();
    let dominates =
        |dominator: usize, block: usize| block == dominator || reachable[block] && !without[dominator][block];
    (0..edges.len()).map(|block| (0..edges.len()).map(|dominator| dominates(dominator, block)).collect()).collect()
}

impl Generator<'_, '_> {
    fn fill(&mut self) {
        // A block comes after those that dominate it, which are strictly fewer.
        let mut order: Vec<usize> = (0..self.blocks.len()).collect();
        order.sort_by_key(|&block| self.dominators[block].iter().filter(|&&is| is).count());
        for &block in &order {
            self.function.at(self.blocks[block]);
            if block == 0 && self.shape.locals {
                (0..3).for_each(|_| self.allocate(block));
            }
            for _ in 0..self.random.below(self.shape.ops + 1) {
                self.random_op(block);
            }
            self.random_terminator(block);
        }
    }

    fn visible(&self, block: usize) -> Vec<ValueId> {
        let dominators = self.dominators[block].iter().zip(&self.values).filter(|&(&is, _)| is);
        dominators.flat_map(|(_, values)| values.iter().copied()).collect()
    }

    /// A number that may be used at the end of the current block.
    fn number(&mut self, block: usize) -> ValueId {
        let visible = self.visible(block);
        if visible.is_empty() || self.random.chance(20) {
            let value = self.random.pick(&[0, 0, 1, 1, 2, 3, -1, i32::MAX]);
            return self.function.constant(value);
        }
        self.random.pick(&visible)
    }

    fn numbers(&mut self, block: usize, count: usize) -> Vec<ValueId> {
        (0..count).map(|_| self.number(block)).collect()
    }

    fn random_op(&mut self, block: usize) {
        let kinds = if self.shape.locals { 24 } else { 11 };
        let value = match self.random.below(kinds) {
            0..=4 => {
                let name = self.random.pick(&["toy.add", "toy.sub", "toy.mul", "toy.lt"]);
                let operands = self.numbers(block, 2);
                self.function.number(name, &operands)
            }
            5 => {
                let name = self.random.pick(&["toy.neg", "toy.low"]);
                let operands = self.numbers(block, 1);
                self.function.number(name, &operands)
            }
            6 => {
                let operands = self.numbers(block, 3);
                self.function.number("toy.select", &operands)
            }
            7 => {
                let cell = self.random.below(2) as i32;
                self.function.read(cell)
            }
            8 => {
                let value = self.number(block);
                if self.random.chance(50) {
                    self.function.write(self.random.below(2) as i32, value);
                } else if self.random.chance(30) {
                    let name = self.random.pick(&["toy.opaque", "elsewhere.thing"]);
                    let ty = self.function.i32;
                    let op = self.function.op(name, &[value], &[ty], &[]);
                    self.values[block].push(self.function.body.result(op, 0));
                } else {
                    self.function.print(&[value]);
                }
                return;
            }
            9 => self.function.number("toy.lane", &[]),
            10 if self.shape.structured => {
                self.structured(block, 2);
                return;
            }
            10 => self.number(block),
            11 => {
                self.allocate(block);
                return;
            }
            kind => match self.access(block, kind >= 18) {
                Some(value) => value,
                None => return,
            },
        };
        self.values[block].push(value);
    }

    fn allocate(&mut self, block: usize) {
        let parts = self.random.pick(&[0, 0, 2, 3]);
        let ty = self.local_type(parts);
        let pointer = self.function.alloc(ty);
        self.locals.push(Local { block, pointer, parts });
    }

    fn local_type(&self, parts: usize) -> Type {
        let ty = self.function.i32;
        if parts == 0 { ty } else { self.function.context.intern_type(TypeKind::Tuple(vec![ty; parts].into())) }
    }

    fn access(&mut self, block: usize, load: bool) -> Option<ValueId> {
        let visible: Vec<usize> =
            (0..self.locals.len()).filter(|&local| self.dominators[block][self.locals[local].block]).collect();
        if visible.is_empty() {
            return None;
        }
        let Local { pointer, parts, .. } = self.locals[self.random.pick(&visible)];
        let ty = self.local_type(parts);
        if load && parts > 0 && self.random.chance(30) {
            let part = self.random.below(parts) as i32;
            let whole = self.function.load(pointer, ty);
            let (index, ty) = (self.function.integer(part), self.function.i32);
            let op = self.function.op("toy.extract", &[whole], &[ty], &[("index", index)]);
            return Some(self.function.body.result(op, 0));
        }
        let number = self.function.i32;
        let value = if load { None } else { Some(self.number(block)) };
        let target = if parts == 0 {
            pointer
        } else {
            let part = self.random.below(parts) as i32;
            if let Some(value) = value.filter(|_| self.random.chance(40)) {
                let index = self.function.integer(part);
                self.function.op("toy.store_part", &[value, pointer], &[], &[("index", index)]);
                return None;
            }
            self.function.part(pointer, part, number)
        };
        match value {
            None => Some(self.function.load(target, number)),
            Some(value) => {
                self.function.store(value, target);
                if self.random.chance(3) {
                    self.function.print(&[value, target]);
                }
                None
            }
        }
    }

    /// A conditional, or a loop that runs up to four times.
    fn structured(&mut self, block: usize, depth: usize) {
        let here = self.function.block;
        let before = self.values[block].len();
        let is_loop = self.random.chance(40);
        let operands = self.numbers(block, 1);
        let zero = self.function.constant(0);
        let (op, inner) = if is_loop {
            self.function.structured("toy.loop", &[operands[0], zero], 2, &[2])
        } else {
            self.function.structured("toy.if", &operands, 1, &[0, 0])
        };
        for inner in inner {
            self.function.at(inner);
            let arguments = self.function.body.arguments(inner).to_vec();
            self.values[block].extend(&arguments);
            for _ in 0..self.random.below(4) {
                if depth > 0 && self.random.chance(25) {
                    self.structured(block, depth - 1);
                } else {
                    let structured = std::mem::replace(&mut self.shape.structured, false);
                    let locals = std::mem::replace(&mut self.shape.locals, false);
                    self.random_op(block);
                    (self.shape.structured, self.shape.locals) = (structured, locals);
                }
            }
            let value = self.number(block);
            if is_loop {
                let one = self.function.constant(1);
                let next = self.function.add(arguments[1], one);
                let limit = self.random.below(5) as i32;
                let limit = self.function.constant(limit);
                let again = self.function.number("toy.lt", &[next, limit]);
                self.function.op("toy.next", &[again, value, next], &[], &[]);
            } else if self.random.chance(6) {
                self.function.op("toy.leave", &[], &[], &[]);
            } else {
                self.function.op("toy.yield", &[value], &[], &[]);
            }
            self.values[block].truncate(before);
        }
        self.function.at(here);
        self.values[block].push(self.function.body.result(op, 0));
    }

    fn random_terminator(&mut self, block: usize) {
        let targets = self.edges[block].clone();
        let mut passed: Vec<(BlockId, Vec<ValueId>)> = vec![];
        for &target in &targets {
            let count = self.function.body.arguments(self.blocks[target]).len();
            passed.push((self.blocks[target], self.numbers(block, count)));
        }
        match &passed[..] {
            [] => {
                let value = self.number(block);
                self.function.ret(&[value]);
            }
            [(target, arguments)] if !arguments.is_empty() && self.random.chance(25) => {
                let export = self.number(block);
                self.function.suspend(&[export], *target, &arguments[1..]);
            }
            [(target, arguments)] if arguments.is_empty() && self.random.chance(10) => {
                let operand = self.number(block);
                self.function.terminator("elsewhere.br", &[operand], &[*target], &[]);
            }
            [(target, arguments)] => {
                self.function.br(*target, arguments);
            }
            [(yes, yes_arguments), (no, no_arguments)] => {
                let condition = self.number(block);
                self.function.cond_br(condition, (*yes, yes_arguments), (*no, no_arguments));
            }
            _ => {
                let selector = self.number(block);
                let selector = self.function.number("toy.low", &[selector]);
                self.function.switch_br(selector, &passed);
            }
        }
    }
}

/// Applies `transform` to random functions and checks that they still do what they did. Most of the runs end by
/// themselves, so results are compared and not only what happens before the fuel is used up.
pub(crate) fn check_meaning(
    seeds: std::ops::Range<u64>,
    shape: Shape,
    mut transform: impl FnMut(&Context, &mut Function<'_>, u64),
) {
    const INPUTS: [[i32; ARGUMENTS]; 3] = [[0, 1, 2], [5, -3, 0], [i32::MIN, 7, -1]];
    const FUEL: usize = 800;
    let context = context();
    let (mut runs, mut finished) = (0, 0);
    for seed in seeds {
        let mut function = generate(&context, &mut Random::new(seed), shape);
        assert_verifies(&context, &function.body, "generated");
        let before = INPUTS.map(|input| run(&context, &function.body, &input, FUEL));
        transform(&context, &mut function, seed);
        assert_verifies(&context, &function.body, &format!("seed {seed}"));
        for (input, before) in INPUTS.iter().zip(&before) {
            let after = run(&context, &function.body, input, FUEL);
            let difference = before.difference(&after);
            assert_eq!(difference, None, "seed {seed}, {input:?}");
            runs += 1;
            finished += usize::from(before.end != End::OutOfFuel);
        }
    }
    assert!(finished * 2 > runs, "most runs end by themselves: {finished} of {runs}");
}
