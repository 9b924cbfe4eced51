//! A dialect with one operation for each thing that can be declared.

use std::ops::Range;

use fermata_ir::attributes::{Attribute, AttributeDeclaration};
use fermata_ir::constraints::{
    AnyType, I1, I32Attribute, IntegerLike, StringAttribute, SymbolName, SymbolReference, TypeAttribute, TypeIs,
    TypedAttribute,
};
use fermata_ir::interfaces::{
    BranchInterface, BranchModel, CallInterface, CallModel, Callee, FunctionInterface, FunctionModel,
    RegionBranchInterface, RegionBranchModel, RegionPoint, RegionSuccessor, SuccessorOperands, VerifyInterface,
    VerifyModel,
};
use fermata_ir::operation::OperationDeclaration;
use fermata_ir::types::TypeDeclaration;
use fermata_ir::{
    Context, Diagnostic, Diagnostics, Dialect, DialectRegistry, Dictionary, OpRef, OperationView, Type,
    attribute_definition, operation, type_definition,
};

/// A pointer.
#[type_definition(name = "t.ptr", verify = no_function)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pointer {
    /// What it points to.
    pub pointee: Type,
}

fn no_function(pointer: &Pointer, context: &Context) -> Result<(), String> {
    match pointer.pointee.function_parts(context) {
        Some(_) => Err("functions are not in memory".to_owned()),
        None => Ok(()),
    }
}

/// A range of numbers.
#[attribute_definition(name = "t.range", verify = ascending)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NumberRange {
    /// The least.
    pub least: i64,
    /// The most.
    pub most: i64,
}

fn ascending(range: &NumberRange, _context: &Context) -> Result<(), String> {
    if range.least <= range.most { Ok(()) } else { Err(format!("{} is more than {}", range.least, range.most)) }
}

/// Whatever somebody wants to keep.
#[attribute_definition(name = "t.bag")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Bag {
    /// Named things.
    pub named: Dictionary,
    /// Things in order.
    pub things: Vec<Attribute>,
    /// A type.
    pub ty: Type,
}

/// A type that says who made it.
#[type_definition(name = "t.made_by")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MadeBy {
    /// Who.
    pub maker: Attribute,
}

/// A function.
#[operation(name = "t.func", traits = [ISOLATED_FROM_ABOVE, SYMBOL], interfaces = [Function])]
pub(crate) struct Func {
    #[property]
    sym_name: SymbolName,
    #[property]
    function_type: TypeAttribute,
    #[property(optional)]
    sym_visibility: StringAttribute,
    #[region]
    body: AnyRegion,
}

impl FunctionInterface for Func<'_> {
    fn function_type(op: OpRef<'_>) -> Option<Type> {
        op.property("function_type")?.type_value(op.context)
    }
}

/// Returns.
#[operation(name = "t.return", traits = [TERMINATOR, RETURN_LIKE])]
pub(crate) struct Return {
    #[operand(variadic)]
    values: AnyType,
}

/// Goes on.
#[operation(name = "t.br", traits = [TERMINATOR], interfaces = [Branch])]
pub(crate) struct Br {
    #[operand(variadic)]
    arguments: AnyType,
    #[successor]
    dest: AnyBlock,
}

impl BranchInterface for Br<'_> {
    fn successor_operands(op: OpRef<'_>, _index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 0, forwarded: 0..op.operand_count() }
    }
}

/// Waits, and gives the block that it goes on to one value of its own.
#[operation(name = "t.wait", traits = [TERMINATOR], interfaces = [Branch])]
pub(crate) struct Wait {
    #[operand(variadic)]
    arguments: AnyType,
    #[successor]
    dest: AnyBlock,
}

impl BranchInterface for Wait<'_> {
    fn successor_operands(op: OpRef<'_>, _index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 1, forwarded: 0..op.operand_count() }
    }
}

/// Goes one way or the other.
#[operation(name = "t.cond_br", traits = [TERMINATOR], interfaces = [Branch])]
pub(crate) struct CondBr {
    #[operand]
    condition: I1,
    #[operand(variadic)]
    yes_values: AnyType,
    #[operand(variadic)]
    no_values: AnyType,
    #[successor]
    yes: AnyBlock,
    #[successor]
    no: AnyBlock,
}

impl BranchInterface for CondBr<'_> {
    fn successor_operands(op: OpRef<'_>, index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 0, forwarded: op.operand_group(index + 1) }
    }
}

/// Goes somewhere without saying what it passes.
#[operation(name = "t.go", traits = [TERMINATOR])]
pub(crate) struct Go {
    #[successor(variadic)]
    dests: AnyBlock,
}

/// Passes more operands than it has.
#[operation(name = "t.overlap", traits = [TERMINATOR], interfaces = [Branch])]
pub(crate) struct Overlap {
    #[operand(variadic)]
    arguments: AnyType,
    #[successor(variadic)]
    dests: AnyBlock,
}

impl BranchInterface for Overlap<'_> {
    fn successor_operands(op: OpRef<'_>, _index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 0, forwarded: 0..op.operand_count() }
    }
}

/// Adds.
#[operation(name = "t.add", traits = [PURE], rules = [same(lhs, rhs, result)])]
pub(crate) struct Add {
    #[operand]
    lhs: IntegerLike,
    #[operand]
    rhs: IntegerLike,
    #[result]
    result: IntegerLike,
}

/// A constant.
#[operation(name = "t.constant", traits = [PURE, CONSTANT_LIKE])]
pub(crate) struct Constant {
    #[property]
    value: TypedAttribute,
    #[result]
    result: AnyType,
}

/// A literal, whose type a rule ties to its value.
#[operation(name = "t.literal", traits = [PURE], rules = [from_property(result, value)])]
pub(crate) struct Literal {
    #[property]
    value: TypedAttribute,
    #[result]
    result: AnyType,
}

fn pointee(context: &Context, ty: Type) -> Option<Type> {
    ty.downcast::<Pointer>(context).map(|pointer| pointer.pointee)
}

/// Loads.
#[operation(name = "t.load", rules = [derived(result from pointer, pointee, "the pointee of")])]
pub(crate) struct Load {
    #[operand]
    pointer: TypeIs<Pointer>,
    #[result]
    result: AnyType,
}

/// Calls.
#[operation(name = "t.call", interfaces = [Call])]
pub(crate) struct Call {
    #[operand(variadic)]
    arguments: AnyType,
    #[property]
    callee: SymbolReference,
    #[result(variadic)]
    results: AnyType,
}

impl CallInterface for Call<'_> {
    fn callee(op: OpRef<'_>) -> Option<Callee> {
        Some(Callee::Symbol(op.property("callee")?.symbol_value(op.context)?.clone()))
    }
    fn arguments(op: OpRef<'_>) -> Range<usize> {
        0..op.operand_count()
    }
}

/// Does one thing or the other, with a value for it.
#[operation(name = "t.if", traits = [SINGLE_BLOCK], interfaces = [RegionBranch])]
pub(crate) struct If {
    #[operand]
    condition: I1,
    #[operand(variadic)]
    values: AnyType,
    #[result(variadic)]
    results: AnyType,
    #[region]
    yes: AnyRegion,
    #[region]
    no: AnyRegion,
}

impl RegionBranchInterface for If<'_> {
    fn entry_successors(op: OpRef<'_>, _operands: &[Option<Attribute>]) -> Vec<RegionSuccessor> {
        let region = |index: usize| {
            let entry = op.body.entry_block(op.regions()[index]);
            let inputs = entry.map_or(vec![], |entry| op.body.arguments(entry).to_vec());
            RegionSuccessor { point: RegionPoint::Region(index), inputs }
        };
        vec![region(0), region(1)]
    }
    fn terminator_successors(op: OpRef<'_>, _terminator: OpRef<'_>) -> Vec<RegionSuccessor> {
        vec![RegionSuccessor { point: RegionPoint::Parent, inputs: op.results().collect() }]
    }
    fn passed_operands(op: OpRef<'_>, from: OpRef<'_>, _point: RegionPoint) -> Range<usize> {
        if from.id == op.id { 1..op.operand_count() } else { 0..from.operand_count() }
    }
}

/// Ends a region.
#[operation(name = "t.yield", traits = [TERMINATOR, RETURN_LIKE])]
pub(crate) struct Yield {
    #[operand(variadic)]
    values: AnyType,
}

/// A table of symbols.
#[operation(name = "t.table", traits = [SYMBOL_TABLE, SYMBOL, NO_TERMINATOR])]
pub(crate) struct Table {
    #[property]
    sym_name: StringAttribute,
    #[property(optional)]
    sym_visibility: StringAttribute,
    #[region]
    body: AnyRegion,
}

/// A symbol that is no function.
#[operation(name = "t.global", traits = [SYMBOL])]
pub(crate) struct Global {
    #[property]
    sym_name: StringAttribute,
    #[property(optional)]
    sym_visibility: StringAttribute,
}

/// A region in which order means nothing.
#[operation(name = "t.graph", traits = [GRAPH_REGION, NO_TERMINATOR])]
pub(crate) struct Graph {
    #[region]
    body: AnyRegion,
}

/// Any regions.
#[operation(name = "t.scope")]
pub(crate) struct Scope {
    #[result(variadic)]
    results: AnyType,
    #[region(variadic)]
    bodies: AnyRegion,
}

/// Groups of operands.
#[operation(name = "t.groups")]
pub(crate) struct Groups {
    #[operand]
    single: AnyType,
    #[operand(optional)]
    maybe: AnyType,
    #[operand(variadic)]
    many: AnyType,
}

/// Properties.
#[operation(name = "t.named", interfaces = [Verify])]
pub(crate) struct Named {
    #[property]
    name: StringAttribute,
    #[property(optional)]
    count: I32Attribute,
    #[region(variadic)]
    bodies: AnyRegion,
}

impl VerifyInterface for Named<'_> {
    /// Relies on all that it declares, and on what the operations in it declare.
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let named = Named::from_ref_unchecked(op);
        if named.name().contains(' ') {
            diagnostics.report(Diagnostic::error("no-spaces", op.location(), "'t.named' op has a name with a space"));
        }
        for inner in op.body.ops_inside(op.id) {
            if let Some(add) = op.at(inner).cast::<Add<'_>>() {
                assert_eq!(op.type_of(add.lhs()), op.type_of(add.result()), "the rule of the operation holds");
            }
        }
    }
}

pub(crate) struct TestDialect;

impl Dialect for TestDialect {
    fn namespace(&self) -> &'static str {
        "t"
    }
    fn documentation(&self) -> &'static str {
        "For tests."
    }
    fn operations(&self) -> &'static [&'static OperationDeclaration] {
        static OPERATIONS: &[&OperationDeclaration] = &[
            Func::DECLARATION,
            Return::DECLARATION,
            Br::DECLARATION,
            Wait::DECLARATION,
            CondBr::DECLARATION,
            Go::DECLARATION,
            Overlap::DECLARATION,
            Add::DECLARATION,
            Constant::DECLARATION,
            Literal::DECLARATION,
            Load::DECLARATION,
            Call::DECLARATION,
            If::DECLARATION,
            Yield::DECLARATION,
            Table::DECLARATION,
            Global::DECLARATION,
            Graph::DECLARATION,
            Scope::DECLARATION,
            Groups::DECLARATION,
            Named::DECLARATION,
        ];
        OPERATIONS
    }
    fn types(&self) -> &'static [&'static TypeDeclaration] {
        use fermata_ir::types::DialectType;
        static TYPES: &[&TypeDeclaration] = &[Pointer::DECLARATION, MadeBy::DECLARATION];
        TYPES
    }
    fn attributes(&self) -> &'static [&'static AttributeDeclaration] {
        use fermata_ir::attributes::DialectAttribute;
        static ATTRIBUTES: &[&AttributeDeclaration] = &[NumberRange::DECLARATION, Bag::DECLARATION];
        ATTRIBUTES
    }
    fn verify_attribute(&self, op: OpRef<'_>, key: &str, _value: Attribute, diagnostics: &mut Diagnostics) {
        if key != "t.known" {
            let message = format!("the dialect 't' has no discardable attribute '{key}'");
            diagnostics.report(Diagnostic::error("unknown-attribute", op.location(), message));
        }
    }
}

pub(crate) fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&TestDialect);
    Context::new(registry)
}
