//! Functions, branches, suspension, calls and structured regions.

use std::ops::Range;

use fermata_ir::attributes::{Attribute, Dictionary};
use fermata_ir::interfaces::{
    BranchInterface, BranchModel, CallInterface, CallModel, Callee, FunctionInterface, FunctionModel, LoopInterface,
    LoopModel, RegionBranchInterface, RegionBranchModel, RegionPoint, RegionSuccessor, SuccessorOperands,
    SuspendPointInterface, SuspendPointModel,
};
use fermata_ir::operation::{Arity, OperationDeclaration};
use fermata_ir::{OpRef, OperationTraits, Type};

use super::{arithmetic::number, declaration, many, one, property, region, successor};

struct Function;

impl FunctionInterface for Function {
    fn function_type(op: OpRef<'_>) -> Option<Type> {
        match op.property("function_type")?.kind(op.context) {
            fermata_ir::AttributeKind::Type(ty) => Some(*ty),
            _ => None,
        }
    }
    fn is_inlinable(op: OpRef<'_>) -> bool {
        op.property("no_inline").is_none()
    }
}

/// All operands are forwarded to the only successor.
struct Br;

impl BranchInterface for Br {
    fn successor_operands(op: OpRef<'_>, _index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 0, forwarded: 0..op.operand_count() }
    }
}

struct CondBr;

impl BranchInterface for CondBr {
    fn successor_operands(op: OpRef<'_>, index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 0, forwarded: op.operand_group(index + 1) }
    }
    fn taken_successor(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Option<usize> {
        Some(usize::from(number(op.context, operands[0]?)? == 0))
    }
}

/// Goes to the successor that the operand names, to the last one if there are not so many. `sizes` holds how many
/// operands each successor gets.
struct SwitchBr;

impl BranchInterface for SwitchBr {
    fn successor_operands(op: OpRef<'_>, index: usize) -> SuccessorOperands {
        let sizes = op.property("sizes").expect("a switch has sizes");
        let sizes: Vec<usize> =
            sizes.dense_i32_values(op.context).expect("sizes are numbers").map(|size| size as usize).collect();
        let start = 1 + sizes[..index].iter().sum::<usize>();
        SuccessorOperands { produced: 0, forwarded: start..start + sizes[index] }
    }
    fn properties_for_counts(op: OpRef<'_>, counts: &[usize]) -> Dictionary {
        let counts: Vec<i32> = counts.iter().map(|&count| count as i32).collect();
        op.properties().with(op.context, "sizes", Some(Attribute::dense_i32(op.context, &counts)))
    }
    fn taken_successor(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Option<usize> {
        let value = number(op.context, operands[0]?)?;
        let last = op.successors().len() - 1;
        Some(usize::try_from(value).map_or(last, |value| value.min(last)))
    }
}

/// Prints its first operand group and delivers one value to the resume block, which gets the other operands as well.
struct Suspend;

impl BranchInterface for Suspend {
    fn successor_operands(op: OpRef<'_>, _index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 1, forwarded: op.operand_group(1) }
    }
}

impl SuspendPointInterface for Suspend {
    fn resume_successor(_op: OpRef<'_>) -> usize {
        0
    }
}

struct Call;

impl CallInterface for Call {
    fn callee(op: OpRef<'_>) -> Option<Callee> {
        Some(Callee::Symbol(op.property("callee")?.symbol_value(op.context)?.clone()))
    }
    fn arguments(op: OpRef<'_>) -> Range<usize> {
        0..op.operand_count()
    }
}

struct If;

impl RegionBranchInterface for If {
    fn entry_successors(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Vec<RegionSuccessor> {
        let region = |index: usize| RegionSuccessor { point: RegionPoint::Region(index), inputs: vec![] };
        match operands[0].and_then(|value| number(op.context, value)) {
            Some(0) => vec![region(1)],
            Some(_) => vec![region(0)],
            None => vec![region(0), region(1)],
        }
    }
    fn terminator_successors(op: OpRef<'_>, terminator: OpRef<'_>) -> Vec<RegionSuccessor> {
        if terminator.name().as_str(op.context) == "toy.leave" {
            return vec![];
        }
        vec![RegionSuccessor { point: RegionPoint::Parent, inputs: op.results().collect() }]
    }
    fn passed_operands(op: OpRef<'_>, from: OpRef<'_>, _point: RegionPoint) -> Range<usize> {
        if from.id == op.id { 0..0 } else { 0..from.operand_count() }
    }
}

/// Runs its region with its operands, then again with what `toy.next` passes behind its condition while that holds;
/// what is passed last are the results.
struct Loop;

impl RegionBranchInterface for Loop {
    fn entry_successors(op: OpRef<'_>, _operands: &[Option<Attribute>]) -> Vec<RegionSuccessor> {
        vec![Self::body(op)]
    }
    fn terminator_successors(op: OpRef<'_>, terminator: OpRef<'_>) -> Vec<RegionSuccessor> {
        if terminator.name().as_str(op.context) == "toy.leave" {
            return vec![];
        }
        vec![Self::body(op), RegionSuccessor { point: RegionPoint::Parent, inputs: op.results().collect() }]
    }
    fn passed_operands(op: OpRef<'_>, from: OpRef<'_>, _point: RegionPoint) -> Range<usize> {
        if from.id == op.id { 0..op.operand_count() } else { 1..from.operand_count() }
    }
}

impl Loop {
    fn body(op: OpRef<'_>) -> RegionSuccessor {
        let entry = op.body.entry_block(op.regions()[0]);
        let inputs = entry.map_or(vec![], |entry| op.body.arguments(entry).to_vec());
        RegionSuccessor { point: RegionPoint::Region(0), inputs }
    }
}

impl LoopInterface for Loop {
    fn loop_regions(_op: OpRef<'_>) -> Range<usize> {
        0..1
    }
    fn always_ends(op: OpRef<'_>) -> bool {
        op.property("ends").is_some()
    }
}

const TERMINATOR: OperationTraits = OperationTraits::TERMINATOR;
const PURE_TERMINATOR: OperationTraits = TERMINATOR.union(OperationTraits::PURE);
const PURE_RETURN: OperationTraits = PURE_TERMINATOR.union(OperationTraits::RETURN_LIKE);

static FUNC: OperationDeclaration = OperationDeclaration {
    properties: &[property("sym_name"), property("function_type")],
    regions: &[region("body")],
    interfaces: &[const { &FunctionModel::of::<Function>() }],
    ..declaration("toy.func", OperationTraits::ISOLATED_FROM_ABOVE.union(OperationTraits::SYMBOL))
};
static BR: OperationDeclaration = OperationDeclaration {
    operands: &[many("arguments")],
    successors: &[successor("dest", Arity::One)],
    interfaces: &[const { &BranchModel::of::<Br>() }],
    ..declaration("toy.br", PURE_TERMINATOR)
};
static COND_BR: OperationDeclaration = OperationDeclaration {
    operands: &[one("condition"), many("yes"), many("no")],
    successors: &[successor("yes", Arity::One), successor("no", Arity::One)],
    properties: &[property("operandSegmentSizes")],
    interfaces: &[const { &BranchModel::of::<CondBr>() }],
    ..declaration("toy.cond_br", PURE_TERMINATOR)
};
static SWITCH_BR: OperationDeclaration = OperationDeclaration {
    operands: &[one("selector"), many("arguments")],
    successors: &[successor("cases", Arity::Variadic)],
    properties: &[property("sizes")],
    interfaces: &[const { &BranchModel::of::<SwitchBr>() }],
    ..declaration("toy.switch_br", PURE_TERMINATOR)
};
static RETURN: OperationDeclaration =
    OperationDeclaration { operands: &[many("values")], ..declaration("toy.return", PURE_RETURN) };
static SUSPEND: OperationDeclaration = OperationDeclaration {
    operands: &[many("exports"), many("arguments")],
    successors: &[successor("resume", Arity::One)],
    properties: &[property("operandSegmentSizes")],
    interfaces: &[const { &BranchModel::of::<Suspend>() }, const { &SuspendPointModel::of::<Suspend>() }],
    ..declaration("toy.suspend", TERMINATOR)
};
static CALL: OperationDeclaration = OperationDeclaration {
    operands: &[many("arguments")],
    results: &[many("results")],
    properties: &[property("callee")],
    interfaces: &[const { &CallModel::of::<Call>() }],
    ..declaration("toy.call", OperationTraits::empty())
};
static IF: OperationDeclaration = OperationDeclaration {
    operands: &[one("condition")],
    results: &[many("results")],
    regions: &[region("yes"), region("no")],
    interfaces: &[const { &RegionBranchModel::of::<If>() }],
    ..declaration("toy.if", OperationTraits::PURE.union(OperationTraits::SINGLE_BLOCK))
};
static LOOP: OperationDeclaration = OperationDeclaration {
    operands: &[many("initial")],
    results: &[many("results")],
    regions: &[region("body")],
    interfaces: &[const { &RegionBranchModel::of::<Loop>() }, const { &LoopModel::of::<Loop>() }],
    ..declaration("toy.loop", OperationTraits::PURE.union(OperationTraits::SINGLE_BLOCK))
};
static YIELD: OperationDeclaration =
    OperationDeclaration { operands: &[many("values")], ..declaration("toy.yield", PURE_RETURN) };
static NEXT: OperationDeclaration =
    OperationDeclaration { operands: &[one("again"), many("values")], ..declaration("toy.next", PURE_RETURN) };
/// Leaves the function from wherever it stands, with no results.
static LEAVE: OperationDeclaration = declaration("toy.leave", PURE_TERMINATOR);

pub(super) const OPERATIONS: &[&OperationDeclaration] =
    &[&FUNC, &BR, &COND_BR, &SWITCH_BR, &RETURN, &SUSPEND, &CALL, &IF, &LOOP, &YIELD, &NEXT, &LEAVE];
