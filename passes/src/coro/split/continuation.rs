//! One continuation.
//!
//! The blocks of a scope are copied after a new entry block that makes the scope's own allocations and gets from the
//! frame what the scope reads. A value that is both there from the start and defined again inside (the scope leads
//! back around a loop) has two definitions; SSA reconstruction places block arguments where they meet.

use fermata_coro::{Continuation, FrameType, Suspend, TOKEN_DONE, Transition};
use fermata_ir::attributes::Dictionary;
use fermata_ir::body::IrMapping;
use fermata_ir::operation::AttributeConstraint;
use fermata_ir::rewrite::{SsaVariable, reconstruct_ssa};
use fermata_ir::types::DialectType;
use fermata_ir::{
    Attribute, BlockId, Body, Builder, Context, OpId, OpRef, OperationTraits, OperationView, Type, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::frame_access::FrameAccess;
use crate::coro::analysis::{CoroutineAnalysis, Item, Recipe, Recipes, Scope, Transfer};
use crate::coro::color::Place;
use crate::coro::xir;

/// What all continuations of a coroutine share.
pub(crate) struct Source<'a> {
    pub(crate) context: &'a Context,
    pub(crate) coroutine: &'a Body,
    pub(crate) name: &'a str,
    pub(crate) analysis: &'a CoroutineAnalysis,
    pub(crate) recipes: &'a Recipes,
    /// Index of the transfer of a scope that ends in a suspension.
    pub(crate) transfer_index: FxHashMap<(usize, OpId), usize>,
    pub(crate) places: &'a [Place],
    pub(crate) layout: Attribute,
}

/// Builds the continuation of scope `index` under a name.
pub(crate) fn build(source: &Source<'_>, index: usize, symbol: &str) -> Body {
    let scope = &source.analysis.scopes[index];
    let mut body = new_continuation(source, scope, symbol);
    let mut maker = Maker::new(source, scope, index, &mut body);
    maker.enter();
    maker.copy_blocks();
    maker.connect();
    maker.finish();
    body
}

fn new_continuation(source: &Source<'_>, scope: &Scope, symbol: &str) -> Body {
    let context = source.context;
    let coroutine = source.coroutine;
    let entry = source.analysis.scopes[0].region.root;
    let frame = FrameType { layout: source.layout }.intern(context);
    let arguments = coroutine.arguments(entry).iter().map(|&argument| coroutine.value_type(argument));
    let inputs: Vec<Type> = std::iter::once(frame).chain(arguments).collect();
    let name = context.operation_name(Continuation::DECLARATION.name);
    let mut body = Body::new(name, coroutine.location(coroutine.root()), 1);
    let properties = [
        ("sym_name", Attribute::string(context, symbol)),
        ("function_type", Attribute::type_attribute(context, Type::function(context, &inputs, &[]))),
        ("root", Attribute::string(context, source.name)),
        ("token", fermata_coro::Token::encode(context, scope.token)),
    ];
    let properties: Vec<_> = properties.map(|(key, value)| (context.identifier(key), value)).into();
    body.set_properties(body.root(), Dictionary::new(context, &properties));
    let region = body.regions(body.root())[0];
    let block = body.create_block(&inputs);
    body.append_block(region, block);
    body
}

struct Maker<'a> {
    source: &'a Source<'a>,
    scope: &'a Scope,
    index: usize,
    body: &'a mut Body,
    entry: BlockId,
    access: FrameAccess<'a>,
    /// What operands map to. A value with two definitions maps to the one inside.
    mapping: IrMapping,
    /// The value at the start of the scope of what is there from the start.
    initial: FxHashMap<ValueId, ValueId>,
    /// Copied operations with their originals.
    copies: Vec<(OpId, OpId)>,
}

impl<'a> Maker<'a> {
    fn new(source: &'a Source<'a>, scope: &'a Scope, index: usize, body: &'a mut Body) -> Self {
        let region = body.regions(body.root())[0];
        let entry = body.entry_block(region).expect("a new continuation has its entry block");
        let frame = body.arguments(entry)[0];
        let access = FrameAccess { source, frame };
        let (mapping, initial) = (IrMapping::new(), FxHashMap::default());
        Self { source, scope, index, body, entry, access, mapping, initial, copies: Vec::new() }
    }

    fn builder(&mut self) -> Builder<'_> {
        let mut builder = Builder::new(self.source.context, self.body);
        builder.at_end(self.entry);
        builder
    }

    /// Fills the entry block with what the scope needs from the start.
    fn enter(&mut self) {
        let coroutine = self.source.coroutine;
        let root = self.source.analysis.scopes[0].region.root;
        let arguments = self.body.arguments(self.entry)[1..].to_vec();
        for (&from, to) in coroutine.arguments(root).iter().zip(arguments) {
            self.mapping.map_value(from, to);
            self.initial.insert(from, to);
        }
        self.make_allocations();
        for item in self.source.analysis.items(&self.scope.loads) {
            let mut builder = Builder::new(self.source.context, self.body);
            builder.at_end(self.entry);
            let loaded = self.access.load(&mut builder, item);
            match item {
                Item::Value(value) => {
                    self.initial.insert(value, loaded);
                }
                Item::Memory(reference) => {
                    let reference = self.initial[&reference];
                    xir::store(&mut builder, loaded, reference);
                }
                Item::Snapshot(..) => unreachable!("a snapshot is never live at a scope, so no scope loads it"),
            }
        }
    }

    /// Every scope has its own copy of each allocation that it reaches: once, at its entry, wherever the original is.
    /// An allocation that is executed again begins a life with unspecified contents, so the old ones will do.
    fn make_allocations(&mut self) {
        let coroutine = self.source.coroutine;
        for &block in &self.scope.region.blocks {
            let mut reached: Vec<ValueId> = Vec::new();
            for op in coroutine.ops(block) {
                reached.extend(coroutine.results(op));
                for inner in std::iter::once(op).chain(coroutine.ops_inside(op)) {
                    reached.extend(coroutine.operands(inner));
                }
            }
            while let Some(value) = reached.pop() {
                match self.source.recipes.of(value) {
                    Recipe::Allocation => self.make_allocation(value),
                    Recipe::Rebuild | Recipe::Recompute => {
                        let op = coroutine.defining_op(value).expect("only results are computed again");
                        reached.extend(coroutine.operands(op));
                    }
                    Recipe::Argument | Recipe::Load | Recipe::Impossible => {}
                }
            }
        }
    }

    fn make_allocation(&mut self, value: ValueId) {
        if self.initial.contains_key(&value) {
            return;
        }
        let coroutine = self.source.coroutine;
        let original = coroutine.defining_op(value).expect("a reference to an allocation is a result");
        let copy = self.body.import_op(coroutine, original, &mut self.mapping);
        self.builder().insert(copy);
        self.initial.insert(value, self.body.result(copy, 0));
    }

    /// The value at the start of the scope of something that is not defined before its use there.
    fn initial_value(&mut self, value: ValueId) -> ValueId {
        let mut pending = vec![value];
        while let Some(&current) = pending.last() {
            if self.initial.contains_key(&current) {
                pending.pop();
                continue;
            }
            let coroutine = self.source.coroutine;
            let op = coroutine
                .defining_op(current)
                .filter(|_| matches!(self.source.recipes.of(current), Recipe::Recompute | Recipe::Rebuild));
            let op = op.expect("a value that a scope needs is loaded, or can be computed again from what is");
            let missing: Vec<ValueId> =
                coroutine.operands(op).filter(|operand| !self.initial.contains_key(operand)).collect();
            if !missing.is_empty() {
                pending.extend(missing);
                continue;
            }
            let mut mapping = IrMapping::new();
            for operand in coroutine.operands(op) {
                mapping.map_value(operand, self.initial[&operand]);
            }
            let copy = self.body.import_op(coroutine, op, &mut mapping);
            self.builder().insert(copy);
            for (from, to) in coroutine.results(op).zip(self.body.results(copy)) {
                self.initial.entry(from).or_insert(to);
            }
        }
        self.initial[&value]
    }

    /// Copies blocks and operations; operands still name the originals' values.
    fn copy_blocks(&mut self) {
        let coroutine = self.source.coroutine;
        let region = self.body.regions(self.body.root())[0];
        for &block in &self.scope.region.blocks {
            // The coroutine's entry block has the arguments of the continuation's own entry.
            let arguments =
                if block == self.source.analysis.scopes[0].region.root { &[][..] } else { coroutine.arguments(block) };
            let types: Vec<Type> = arguments.iter().map(|&argument| coroutine.value_type(argument)).collect();
            let copy = self.body.create_block(&types);
            self.body.append_block(region, copy);
            self.mapping.map_block(block, copy);
            for (&from, &to) in arguments.iter().zip(self.body.arguments(copy)) {
                self.mapping.map_value(from, to);
            }
        }
        for &block in &self.scope.region.blocks {
            let target = self.mapping.block(block);
            for op in coroutine.ops(block) {
                let view = OpRef::new(self.source.context, coroutine, op);
                if Suspend::matches(view) || is_return(view) || xir::is_local_allocation(view) {
                    continue;
                }
                let copies = self.body.import_unconnected(coroutine, op, &mut self.mapping);
                self.body.append_op(target, copies[0].1);
                self.copies.extend(copies);
            }
        }
    }

    /// Gives the copies their operands and successors, and ends the blocks that leave the scope.
    fn connect(&mut self) {
        let coroutine = self.source.coroutine;
        let copies = std::mem::take(&mut self.copies);
        for &(original, copy) in &copies {
            let operands: Vec<ValueId> = coroutine.operands(original).map(|value| self.current(value)).collect();
            self.body.set_operands(copy, &operands);
            let successors: Vec<BlockId> =
                coroutine.successors(original).map(|block| self.mapping.block(block)).collect();
            self.body.set_successors(copy, &successors);
        }
        for &block in &self.scope.region.blocks {
            let Some(last) = coroutine.last_op(block) else { continue };
            let view = OpRef::new(self.source.context, coroutine, last);
            let block = self.mapping.block(block);
            if is_return(view) {
                self.transition(block, last, TOKEN_DONE);
            } else if Suspend::matches(view) {
                self.suspend(block, last);
            }
        }
        self.branch_to_root();
    }

    /// The copy's value for an operand: the one defined inside if there is one, else the one from the start.
    fn current(&mut self, value: ValueId) -> ValueId {
        // What is computed again at the start is the same wherever it is computed.
        if self.scope.recomputed.contains(&value) {
            return self.initial_value(value);
        }
        match self.mapping.mapped_value(value) {
            Some(mapped) => mapped,
            None => self.initial_value(value),
        }
    }

    fn suspend(&mut self, block: BlockId, suspend: OpId) {
        let analysis = self.source.analysis;
        let transfer = &analysis.transfers[self.source.transfer_index[&(self.index, suspend)]];
        let mut stores = Vec::new();
        for item in analysis.items(&transfer.stores) {
            let value = self.stored_value(block, transfer, item);
            stores.push((item, value));
        }
        let mut builder = Builder::new(self.source.context, self.body);
        builder.at_end(block).set_location(self.source.coroutine.location(suspend));
        self.access.clear_shared_words(&mut builder, transfer);
        for (item, value) in stores {
            self.access.store(&mut builder, item, value);
        }
        self.transition(block, suspend, analysis.scopes[transfer.to].token);
    }

    /// The value that an item has on the way out.
    fn stored_value(&mut self, block: BlockId, transfer: &Transfer, item: Item) -> ValueId {
        let coroutine = self.source.coroutine;
        let view = Suspend::from_ref_unchecked(OpRef::new(self.source.context, coroutine, transfer.suspend));
        match item {
            Item::Memory(reference) => {
                let reference = self.initial[&reference];
                let mut builder = Builder::new(self.source.context, self.body);
                builder.at_end(block).set_location(coroutine.location(transfer.suspend));
                xir::load(&mut builder, reference)
            }
            Item::Snapshot(suspend, number) => self.current(coroutine.operand(suspend, number as usize)),
            Item::Value(value) => {
                let arguments = coroutine.arguments(coroutine.successor(transfer.suspend, 0));
                let forwarded = arguments.iter().skip(view.produced_count()).zip(view.resume_operands());
                let own = forwarded.into_iter().find(|&(&argument, _)| argument == value).map(|(_, operand)| operand);
                self.current(own.unwrap_or(value))
            }
        }
    }

    fn transition(&mut self, block: BlockId, original: OpId, token: u32) {
        let location = self.source.coroutine.location(original);
        let mut builder = Builder::new(self.source.context, self.body);
        builder.at_end(block).set_location(location);
        Transition::build(&mut builder, token);
    }

    /// Leads from the entry to the copy of the scope's root.
    fn branch_to_root(&mut self) {
        let coroutine = self.source.coroutine;
        let root = self.scope.region.root;
        let target = self.mapping.block(root);
        let is_entry = root == self.source.analysis.scopes[0].region.root;
        let arguments: Vec<ValueId> = if is_entry { Vec::new() } else { coroutine.arguments(root).to_vec() };
        let operands: Vec<ValueId> = arguments.into_iter().map(|argument| self.root_argument(argument)).collect();
        let mut builder = self.builder();
        xir::branch(&mut builder, target, &operands);
    }

    /// What the entry passes for an argument of the root: its value from the frame, or anything if nobody uses it.
    fn root_argument(&mut self, argument: ValueId) -> ValueId {
        if let Some(&initial) = self.initial.get(&argument) {
            return initial;
        }
        let ty = self.source.coroutine.value_type(argument);
        let mut builder = self.builder();
        xir::zero(&mut builder, ty)
    }

    /// Repairs SSA where a value is there from the start and defined inside as well.
    fn finish(&mut self) {
        let root = self.mapping.block(self.scope.region.root);
        let arguments: FxHashSet<ValueId> = self.body.arguments(root).iter().copied().collect();
        let twice = self.initial.iter().filter_map(|(&value, &initial)| {
            let inside = self.mapping.mapped_value(value)?;
            let settled = self.scope.recomputed.contains(&value) || arguments.contains(&inside);
            (initial != inside && !settled).then_some((initial, inside))
        });
        let mut twice: Vec<(ValueId, ValueId)> = twice.collect();
        twice.sort_unstable();
        let variables: Vec<SsaVariable> = twice
            .into_iter()
            .map(|(initial, inside)| SsaVariable {
                definitions: vec![initial, inside],
                uses: self.body.uses(inside).collect(),
            })
            .collect();
        let region = self.body.regions(self.body.root())[0];
        let reconstructed = reconstruct_ssa(self.source.context, self.body, region, &variables, &mut |_, _| {
            unreachable!("the value from the start reaches every block: the entry defines it")
        });
        reconstructed.expect("every edge between blocks of a coroutine says what it passes");
    }
}

fn is_return(op: OpRef<'_>) -> bool {
    op.has_trait(OperationTraits::RETURN_LIKE) && op.successors().len() == 0
}
