//! Short ways to build functions of the test dialect.

use fermata_ir::attributes::Attribute;
use fermata_ir::body::OperationState;
use fermata_ir::text::{PrintOptions, print_module};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{BlockId, Body, Builder, Context, Diagnostics, Location, OpId, RegionId, Type, ValueId};

/// Builds one function.
pub(crate) struct Function<'c> {
    pub(crate) context: &'c Context,
    pub(crate) body: Body,
    pub(crate) i32: Type,
    /// Where the next operation goes.
    pub(crate) block: BlockId,
}

impl<'c> Function<'c> {
    /// A function with so many numbers as arguments, and its entry block.
    pub(crate) fn new(context: &'c Context, arguments: usize) -> Self {
        let mut body = Body::new(context.operation_name("toy.func"), Location::UNKNOWN, 1);
        let i32 = Type::integer(context, 32);
        let block = body.create_block(&vec![i32; arguments]);
        let region = body.regions(body.root())[0];
        body.append_block(region, block);
        Self { context, body, i32, block }
    }

    /// A function with a name, its type being `arguments` numbers to `results` numbers.
    pub(crate) fn named(context: &'c Context, name: &str, arguments: usize, results: usize) -> Self {
        let mut function = Self::new(context, arguments);
        let root = function.body.root();
        let ty = Type::function(context, &vec![function.i32; arguments], &vec![function.i32; results]);
        let ty = Attribute::type_attribute(context, ty);
        function.body.set_property(context, root, "sym_name", Some(Attribute::string(context, name)));
        function.body.set_property(context, root, "function_type", Some(ty));
        function
    }

    pub(crate) fn set_property(&mut self, key: &str, value: Attribute) {
        let root = self.body.root();
        self.body.set_property(self.context, root, key, Some(value));
    }

    pub(crate) fn private(mut self) -> Self {
        self.set_property("sym_visibility", Attribute::string(self.context, "private"));
        self
    }

    pub(crate) fn call(&mut self, callee: &str, arguments: &[ValueId], results: usize) -> Vec<ValueId> {
        let types = vec![self.i32; results];
        let callee = Attribute::symbol(self.context, callee);
        let op = self.op("toy.call", arguments, &types, &[("callee", callee)]);
        self.body.results(op).collect()
    }

    pub(crate) fn region(&self) -> RegionId {
        self.body.regions(self.body.root())[0]
    }

    pub(crate) fn argument(&self, index: usize) -> ValueId {
        self.body.arguments(self.body.entry_block(self.region()).expect("there is an entry block"))[index]
    }

    /// A further block with so many numbers as arguments.
    pub(crate) fn new_block(&mut self, arguments: usize) -> BlockId {
        let block = self.body.create_block(&vec![self.i32; arguments]);
        self.body.append_block(self.region(), block);
        block
    }

    /// Goes on at the end of a block.
    pub(crate) fn at(&mut self, block: BlockId) -> &mut Self {
        self.block = block;
        self
    }

    pub(crate) fn builder(&mut self) -> Builder<'_> {
        let mut builder = Builder::new(self.context, &mut self.body);
        builder.at_end(self.block);
        builder
    }

    pub(crate) fn op(
        &mut self,
        name: &str,
        operands: &[ValueId],
        results: &[Type],
        properties: &[(&str, Attribute)],
    ) -> OpId {
        self.builder().create_op(name, operands, results, properties)
    }

    fn value(&mut self, name: &str, operands: &[ValueId], ty: Type, properties: &[(&str, Attribute)]) -> ValueId {
        let op = self.op(name, operands, &[ty], properties);
        self.body.result(op, 0)
    }

    pub(crate) fn integer(&self, value: i32) -> Attribute {
        Attribute::integer(self.context, i128::from(value), self.i32)
    }

    pub(crate) fn constant(&mut self, value: i32) -> ValueId {
        let value = self.integer(value);
        self.value("toy.constant", &[], self.i32, &[("value", value)])
    }

    /// An operation of numbers that gives a number.
    pub(crate) fn number(&mut self, name: &str, operands: &[ValueId]) -> ValueId {
        self.value(name, operands, self.i32, &[])
    }

    pub(crate) fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.number("toy.add", &[a, b])
    }

    pub(crate) fn read(&mut self, cell: i32) -> ValueId {
        let cell = self.integer(cell);
        self.value("toy.read", &[], self.i32, &[("cell", cell)])
    }

    pub(crate) fn write(&mut self, cell: i32, value: ValueId) {
        let cell = self.integer(cell);
        self.op("toy.write", &[value], &[], &[("cell", cell)]);
    }

    pub(crate) fn print(&mut self, values: &[ValueId]) -> OpId {
        self.op("toy.print", values, &[], &[])
    }

    pub(crate) fn alloc(&mut self, ty: Type) -> ValueId {
        let pointer = crate::toy::pointer_to(self.context, ty);
        self.value("toy.alloc", &[], pointer, &[])
    }

    pub(crate) fn load(&mut self, pointer: ValueId, ty: Type) -> ValueId {
        self.value("toy.load", &[pointer], ty, &[])
    }

    pub(crate) fn store(&mut self, value: ValueId, pointer: ValueId) -> OpId {
        self.op("toy.store", &[value, pointer], &[], &[])
    }

    pub(crate) fn part(&mut self, pointer: ValueId, index: i32, ty: Type) -> ValueId {
        let (index, ty) = (self.integer(index), crate::toy::pointer_to(self.context, ty));
        self.value("toy.part", &[pointer], ty, &[("index", index)])
    }

    pub(crate) fn ret(&mut self, values: &[ValueId]) -> OpId {
        self.op("toy.return", values, &[], &[])
    }

    pub(crate) fn terminator(
        &mut self,
        name: &str,
        operands: &[ValueId],
        successors: &[BlockId],
        properties: &[(&str, Attribute)],
    ) -> OpId {
        let context = self.context;
        let entries: Vec<_> = properties.iter().map(|&(key, value)| (context.identifier(key), value)).collect();
        let mut builder = self.builder();
        let state = builder.state(name);
        builder.create(OperationState {
            operands: operands.into(),
            successors: successors.into(),
            properties: fermata_ir::Dictionary::new(context, &entries),
            ..state
        })
    }

    pub(crate) fn br(&mut self, to: BlockId, arguments: &[ValueId]) -> OpId {
        self.terminator("toy.br", arguments, &[to], &[])
    }

    pub(crate) fn cond_br(
        &mut self,
        condition: ValueId,
        (yes, yes_arguments): (BlockId, &[ValueId]),
        (no, no_arguments): (BlockId, &[ValueId]),
    ) -> OpId {
        let sizes = [1, yes_arguments.len() as i32, no_arguments.len() as i32];
        let sizes = Attribute::dense_i32(self.context, &sizes);
        let operands = [&[condition], yes_arguments, no_arguments].concat();
        self.terminator("toy.cond_br", &operands, &[yes, no], &[("operandSegmentSizes", sizes)])
    }

    pub(crate) fn switch_br(&mut self, selector: ValueId, cases: &[(BlockId, Vec<ValueId>)]) -> OpId {
        let sizes: Vec<i32> = cases.iter().map(|(_, arguments)| arguments.len() as i32).collect();
        let sizes = Attribute::dense_i32(self.context, &sizes);
        let mut operands = vec![selector];
        operands.extend(cases.iter().flat_map(|(_, arguments)| arguments));
        let blocks: Vec<BlockId> = cases.iter().map(|&(block, _)| block).collect();
        self.terminator("toy.switch_br", &operands, &blocks, &[("sizes", sizes)])
    }

    /// The resume block gets a delivered number before `arguments`.
    pub(crate) fn suspend(&mut self, exports: &[ValueId], resume: BlockId, arguments: &[ValueId]) -> OpId {
        let sizes = Attribute::dense_i32(self.context, &[exports.len() as i32, arguments.len() as i32]);
        let operands = [exports, arguments].concat();
        self.terminator("toy.suspend", &operands, &[resume], &[("operandSegmentSizes", sizes)])
    }

    /// An operation with regions of one block each; returns it with the blocks.
    pub(crate) fn structured(
        &mut self,
        name: &str,
        operands: &[ValueId],
        results: usize,
        region_arguments: &[usize],
    ) -> (OpId, Vec<BlockId>) {
        let ty = self.i32;
        let mut builder = self.builder();
        let state = builder.state(name);
        let op = builder.create(OperationState {
            operands: operands.into(),
            results: std::iter::repeat_n(ty, results).collect(),
            regions: region_arguments.len(),
            ..state
        });
        let regions = self.body.regions(op).to_vec();
        let mut blocks = vec![];
        for (region, &arguments) in regions.into_iter().zip(region_arguments) {
            let block = self.body.create_block(&vec![ty; arguments]);
            self.body.append_block(region, block);
            blocks.push(block);
        }
        (op, blocks)
    }

    /// The names of the operations of a block, without the dialect.
    pub(crate) fn names(&self, block: BlockId) -> Vec<String> {
        let name = |op| self.body.operation_name(op).as_str(self.context).replace("toy.", "");
        self.body.ops(block).map(name).collect()
    }

    pub(crate) fn entry(&self) -> BlockId {
        self.body.entry_block(self.region()).expect("a function has an entry block")
    }
}

/// A module of bodies, in this order.
pub(crate) fn module(context: &Context, bodies: Vec<Body>) -> Body {
    let mut module = Body::new(context.operation_name("builtin.module"), Location::UNKNOWN, 1);
    let block = module.create_block(&[]);
    let region = module.regions(module.root())[0];
    module.append_block(region, block);
    let mut builder = Builder::new(context, &mut module);
    builder.at_end(block);
    for body in bodies {
        builder.create_anchor(body);
    }
    module
}

/// The bodies directly in a module that have a name.
pub(crate) fn functions<'m>(context: &Context, module: &'m Body) -> Vec<(String, &'m Body)> {
    let named = |body: &'m Body| {
        let name = body.properties(body.root()).get(context, "sym_name")?;
        Some((name.string_value(context)?.to_owned(), body))
    };
    module.all_ops().into_iter().filter_map(|op| module.nested(op)).filter_map(named).collect()
}

/// The names of the functions directly in a module.
pub(crate) fn function_names(context: &Context, module: &Body) -> Vec<String> {
    functions(context, module).into_iter().map(|(name, _)| name).collect()
}

/// The function of a name.
pub(crate) fn function<'m>(context: &Context, module: &'m Body, name: &str) -> &'m Body {
    functions(context, module).into_iter().find(|(found, _)| found == name).expect("the function is there").1
}

/// Checks that a body verifies, its inner links included.
pub(crate) fn assert_verifies(context: &Context, body: &Body, what: &str) {
    let mut diagnostics = Diagnostics::new();
    let options = VerifyOptions { allow_unregistered: true, parallel: false, check_links: true };
    verify(context, body, &options, &mut diagnostics);
    if let Some(first) = diagnostics.as_slice().first() {
        let text = print_module(context, body, &PrintOptions { generic: true, ..PrintOptions::default() });
        panic!("{what}: {first:?}\n{text}");
    }
}
