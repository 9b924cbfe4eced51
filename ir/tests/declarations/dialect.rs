//! A dialect with every structural feature that a declaration can have.

use fermata_ir::attributes::DialectAttribute;
use fermata_ir::constraints::{
    AnyAttribute, AnyInteger, AnyType, BoolAttribute, DenseI32Attribute, I1, I32, I64Attribute, StringAttribute,
    SymbolName, SymbolReference, TypeAttribute, TypedAttribute, U32Attribute, UnitFlag,
};
use fermata_ir::interfaces::{BranchInterface, BranchModel, SuccessorOperands};
use fermata_ir::operation::OperationDeclaration;
use fermata_ir::types::DialectType;
use fermata_ir::{
    Attribute, Context, Dialect, Keyword, OpRef, OperationView, Type, attribute_definition, operation, type_definition,
};

/// A constant.
#[operation(
    name = "d.constant",
    traits = [PURE, CONSTANT_LIKE],
    rules = [from_property(result, value)],
    format = "$value attr-dict",
)]
pub(crate) struct Constant {
    #[property]
    value: TypedAttribute,
    #[result]
    result: AnyType,
}

/// One type for all.
#[operation(
    name = "d.add",
    traits = [PURE, COMMUTATIVE],
    rules = [same(left, right, sum)],
    format = "$left `,` $right attr-dict `:` type($sum)",
)]
pub(crate) struct Add {
    /// The one.
    #[operand]
    left: AnyInteger,
    /// The other.
    #[operand]
    right: AnyInteger,
    #[result]
    sum: AnyInteger,
}

/// How two numbers compare.
#[derive(Keyword, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[keyword(attribute = "d.predicate")]
pub(crate) enum Predicate {
    Equal,
    LessThan,
}

/// A keyword as a property, and a result whose type has to be only one.
#[operation(
    name = "d.compare",
    traits = [PURE],
    rules = [same(left, right)],
    format = "$predicate `,` $left `,` $right attr-dict `:` type($left)",
)]
pub(crate) struct Compare {
    #[operand]
    left: AnyInteger,
    #[operand]
    right: AnyInteger,
    #[result(only)]
    truth: I1,
    #[property]
    predicate: Predicate,
}

fn pair_of(context: &Context, ty: Type) -> Option<Type> {
    ty.integer_width(context).map(|_| Type::function(context, &[], &[ty, ty]))
}

/// A result whose type is a function of another.
#[operation(
    name = "d.pair",
    traits = [PURE],
    rules = [derived(pair from part, pair_of, "the pair of")],
    format = "$part attr-dict `:` type($part)",
)]
pub(crate) struct Pair {
    #[operand]
    part: AnyInteger,
    #[result]
    pair: AnyType,
}

/// Operand groups of all arities.
#[operation(
    name = "d.groups",
    format = "$first (`else` $maybe^ `:` type($maybe))? `[` $many `]` $last attr-dict `:` type($first) `(` type($many) \
              `)`"
)]
pub(crate) struct Groups {
    #[operand]
    first: AnyType,
    #[operand(optional)]
    maybe: AnyType,
    #[operand(variadic)]
    many: AnyType,
    #[operand(only)]
    last: I32,
}

/// All operands, and the type of a function.
#[operation(name = "d.call", format = "`(` operands `)` attr-dict `:` functional-type")]
pub(crate) struct Call {
    #[operand]
    callee: AnyType,
    #[operand(variadic)]
    arguments: AnyType,
    #[result]
    status: I1,
    #[result(variadic)]
    values: AnyType,
}

/// An optional result.
#[operation(name = "d.maybe_result", format = "attr-dict (`->` type($value)^)?")]
pub(crate) struct MaybeResult {
    #[result(optional)]
    value: AnyType,
}

/// A variadic result.
#[operation(name = "d.many_results", format = "attr-dict (`->` `(` type($values)^ `)`)?")]
pub(crate) struct ManyResults {
    #[result(variadic)]
    values: AnyType,
}

/// Properties of all kinds of presence.
#[operation(
    name = "d.properties",
    format = "$count (`name` $name^)? (`volatile` $volatile^)? (`align` $align^)? ($link^)? attr-dict"
)]
pub(crate) struct Properties {
    /// How many.
    #[property]
    count: U32Attribute,
    #[property(optional)]
    name: StringAttribute,
    #[property(optional)]
    volatile: UnitFlag,
    #[property(default = 4)]
    align: U32Attribute,
    #[property(optional)]
    link: SymbolName,
    /// Has no place of its own.
    #[property(optional)]
    extra: AnyAttribute,
}

/// Properties of all kinds of text.
#[operation(name = "d.kinds", format = "$target $type $flag $offset $shape `default` $unwritten `=` $any attr-dict")]
pub(crate) struct Kinds {
    #[property]
    target: SymbolReference,
    #[property]
    r#type: TypeAttribute,
    #[property]
    flag: BoolAttribute,
    #[property]
    offset: I64Attribute,
    #[property]
    shape: DenseI32Attribute,
    #[property(default = -7)]
    unwritten: I64Attribute,
    #[property]
    any: AnyAttribute,
}

/// Two parts that go together only if both are there.
#[operation(name = "d.together", format = "(`at` $place^ `size` $size)? attr-dict")]
pub(crate) struct Together {
    #[property(optional)]
    place: U32Attribute,
    #[property(optional)]
    size: U32Attribute,
}

/// Regions that are always there; the second may be empty.
#[operation(name = "d.if", traits = [NO_TERMINATOR], format = "$condition attr-dict-with-keyword $then (`else` $other^)?")]
pub(crate) struct If {
    #[operand(only)]
    condition: I1,
    #[region]
    then: AnyRegion,
    #[region]
    other: AnyRegion,
}

/// An optional region.
#[operation(name = "d.optional_region", traits = [NO_TERMINATOR], format = "attr-dict-with-keyword $body (`also` $extra^)?")]
pub(crate) struct OptionalRegion {
    #[region]
    body: AnyRegion,
    #[region(optional)]
    extra: AnyRegion,
}

/// Any number of regions.
#[operation(name = "d.many_regions", traits = [NO_TERMINATOR], format = "attr-dict-with-keyword (`cases` $cases^)?")]
pub(crate) struct ManyRegions {
    #[region(variadic)]
    cases: AnyRegion,
}

/// An isolated symbol.
#[operation(
    name = "d.scope",
    traits = [ISOLATED_FROM_ABOVE, SYMBOL, SYMBOL_TABLE, SINGLE_BLOCK, NO_TERMINATOR],
    format = "$sym_name (`level` $level^)? attr-dict-with-keyword $body",
)]
pub(crate) struct Scope {
    #[property]
    sym_name: SymbolName,
    #[property(default = 1)]
    level: U32Attribute,
    #[region]
    body: AnyRegion,
}

/// A jump.
#[operation(name = "d.br", traits = [TERMINATOR, PURE], interfaces = [Branch], format = "$dest($arguments) attr-dict")]
pub(crate) struct Br {
    #[operand(variadic)]
    arguments: AnyType,
    #[successor]
    dest: AnyBlock,
}

impl BranchInterface for Br<'_> {
    fn successor_operands(op: OpRef<'_>, _index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 0, forwarded: op.operand_group(0) }
    }
}

/// A branch.
#[operation(
    name = "d.cond_br",
    traits = [TERMINATOR, PURE],
    interfaces = [Branch],
    format = "$condition `,` $yes($yes_arguments) `,` $no($no_arguments) attr-dict",
)]
pub(crate) struct CondBr {
    #[operand(only)]
    condition: I1,
    #[operand(variadic)]
    yes_arguments: AnyType,
    #[operand(variadic)]
    no_arguments: AnyType,
    #[successor]
    yes: AnyBlock,
    #[successor]
    no: AnyBlock,
}

impl BranchInterface for CondBr<'_> {
    fn successor_operands(op: OpRef<'_>, index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 0, forwarded: op.operand_group(1 + index) }
    }
}

/// Any number of successors.
#[operation(
    name = "d.choose",
    traits = [TERMINATOR, PURE],
    interfaces = [Branch],
    format = "$selector (`or` $cases^)? attr-dict `:` type($selector)",
)]
pub(crate) struct Choose {
    #[operand]
    selector: AnyInteger,
    #[successor(variadic)]
    cases: AnyBlock,
}

impl BranchInterface for Choose<'_> {
    fn successor_operands(_op: OpRef<'_>, _index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 0, forwarded: 1..1 }
    }
}

/// An optional successor.
#[operation(
    name = "d.leave",
    traits = [TERMINATOR, PURE],
    interfaces = [Branch],
    format = "($values^ `:` type($values))? attr-dict (`to` $dest^)?",
)]
pub(crate) struct Leave {
    #[operand(variadic)]
    values: AnyType,
    #[successor(optional)]
    dest: AnyBlock,
}

impl BranchInterface for Leave<'_> {
    fn successor_operands(op: OpRef<'_>, _index: usize) -> SuccessorOperands {
        let end = op.operand_count();
        SuccessorOperands { produced: 0, forwarded: end..end }
    }
}

/// Where something is.
#[derive(Keyword, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Space {
    Local,
    ReadOnly,
}

fn no_nested_reference(reference: &RefType, context: &Context) -> Result<(), String> {
    if reference.pointee.is::<RefType>(context) { Err("a reference to a reference".to_owned()) } else { Ok(()) }
}

fn parts_of(reference: &RefType, _context: &Context) -> Option<Vec<Type>> {
    Some(vec![reference.pointee; 2])
}

/// A reference.
#[type_definition(name = "d.ref", verify = no_nested_reference, destructure = parts_of)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RefType {
    /// What it refers to.
    pub(crate) pointee: Type,
    pub(crate) space: Space,
}

/// A type without parameters.
#[type_definition(name = "d.token")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TokenType;

/// Parameters of all kinds.
#[type_definition(name = "d.all")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct AllType {
    pub(crate) small: u32,
    pub(crate) large: u64,
    pub(crate) signed: i64,
    pub(crate) truth: bool,
    pub(crate) text: String,
    pub(crate) list: Vec<Type>,
    pub(crate) value: Attribute,
    pub(crate) last: Option<i32>,
}

/// Nothing but an optional parameter.
#[type_definition(name = "d.maybe")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MaybeType {
    pub(crate) width: Option<u32>,
}

fn type_of_typed(typed: &TypedNumber, _context: &Context) -> Option<Type> {
    Some(typed.ty)
}

/// A number with a type of its own.
#[attribute_definition(name = "d.number", typed = type_of_typed)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TypedNumber {
    pub(crate) value: u32,
    pub(crate) ty: Type,
}

/// The dialect.
pub(crate) struct D;

impl Dialect for D {
    fn namespace(&self) -> &'static str {
        "d"
    }

    fn documentation(&self) -> &'static str {
        "Every feature of a declaration."
    }

    fn operations(&self) -> &'static [&'static OperationDeclaration] {
        static OPERATIONS: &[&OperationDeclaration] = &[
            Constant::DECLARATION,
            Add::DECLARATION,
            Compare::DECLARATION,
            Pair::DECLARATION,
            Groups::DECLARATION,
            Call::DECLARATION,
            MaybeResult::DECLARATION,
            ManyResults::DECLARATION,
            Properties::DECLARATION,
            Kinds::DECLARATION,
            Together::DECLARATION,
            If::DECLARATION,
            OptionalRegion::DECLARATION,
            ManyRegions::DECLARATION,
            Scope::DECLARATION,
            Br::DECLARATION,
            CondBr::DECLARATION,
            Choose::DECLARATION,
            Leave::DECLARATION,
        ];
        OPERATIONS
    }

    fn types(&self) -> &'static [&'static fermata_ir::types::TypeDeclaration] {
        static TYPES: &[&fermata_ir::types::TypeDeclaration] =
            &[RefType::DECLARATION, TokenType::DECLARATION, AllType::DECLARATION, MaybeType::DECLARATION];
        TYPES
    }

    fn attributes(&self) -> &'static [&'static fermata_ir::attributes::AttributeDeclaration] {
        static ATTRIBUTES: &[&fermata_ir::attributes::AttributeDeclaration] =
            &[TypedNumber::DECLARATION, <Predicate as DialectAttribute>::DECLARATION];
        ATTRIBUTES
    }
}
