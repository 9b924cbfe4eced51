//! A dialect of control flow, with a random program of it.

use std::ops::Range;

use fermata_ir::attributes::Attribute;
use fermata_ir::constraints::{AnyType, DenseI32Attribute, I32Attribute, UnitFlag};
use fermata_ir::interfaces::{
    BranchInterface, BranchModel, RegionBranchInterface, RegionBranchModel, RegionPoint, RegionSuccessor,
    SuccessorOperands,
};
use fermata_ir::operation::OperationDeclaration;
use fermata_ir::{Context, Dialect, DialectRegistry, OpRef, OperationView, operation};

/// The function.
#[operation(name = "a.func", traits = [ISOLATED_FROM_ABOVE])]
pub(crate) struct Func {
    #[region]
    body: AnyRegion,
}

/// Adds its operands and `value`, modulo 4; gives the sum as each of its results.
#[operation(name = "a.op", traits = [PURE])]
pub(crate) struct Op {
    #[operand(variadic)]
    operands: AnyType,
    #[property(optional)]
    value: I32Attribute,
    #[property(optional)]
    sink: UnitFlag,
    #[result(variadic)]
    results: AnyType,
}

/// Goes to the successor that its first operand names. `sizes` holds how many of the operands after it each successor
/// gets, to its last arguments; the operation makes the others.
#[operation(name = "a.jump", traits = [TERMINATOR], interfaces = [Branch])]
pub(crate) struct Jump {
    #[operand(variadic)]
    operands: AnyType,
    #[property]
    sizes: DenseI32Attribute,
    #[successor(variadic)]
    targets: AnyBlock,
}

impl BranchInterface for Jump<'_> {
    fn successor_operands(op: OpRef<'_>, index: usize) -> SuccessorOperands {
        let sizes: Vec<usize> = Jump::from_ref_unchecked(op).sizes().iter().map(|&size| size as usize).collect();
        let start = 1 + sizes[..index].iter().sum::<usize>();
        let arguments = op.body.arguments(op.body.successor(op.id, index)).len();
        SuccessorOperands { produced: arguments - sizes[index], forwarded: start..start + sizes[index] }
    }
    fn taken_successor(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Option<usize> {
        Some(operands[0]?.integer_value(op.context)? as usize % op.successors().len())
    }
}

/// Leaves the function.
#[operation(name = "a.return", traits = [TERMINATOR, RETURN_LIKE])]
pub(crate) struct Return {
    #[operand(variadic)]
    operands: AnyType,
}

/// Ends a region, with the values for where control goes.
#[operation(name = "a.yield", traits = [TERMINATOR, RETURN_LIKE])]
pub(crate) struct Yield {
    #[operand(variadic)]
    operands: AnyType,
}

/// Leaves a region for somewhere further out.
#[operation(name = "a.leave", traits = [TERMINATOR])]
pub(crate) struct Leave {
    #[operand(variadic)]
    operands: AnyType,
}

macro_rules! structured {
    ($($(#[$meta:meta])* $name:ident $text:literal: $entry:expr, $from:expr;)*) => {$(
        $(#[$meta])*
        #[operation(name = $text, interfaces = [RegionBranch])]
        pub(crate) struct $name {
            #[operand(variadic)]
            operands: AnyType,
            #[result(variadic)]
            results: AnyType,
            #[region(variadic)]
            bodies: AnyRegion,
        }

        impl RegionBranchInterface for $name<'_> {
            fn entry_successors(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Vec<RegionSuccessor> {
                let chosen = operands.first().copied().flatten().and_then(|value| value.integer_value(op.context));
                let points: fn(Option<i128>) -> Vec<RegionPoint> = $entry;
                points(chosen).into_iter().map(|point| successor(op, point)).collect()
            }
            fn terminator_successors(op: OpRef<'_>, terminator: OpRef<'_>) -> Vec<RegionSuccessor> {
                if !Yield::matches(terminator) {
                    return vec![];
                }
                let region = terminator.block().and_then(|block| op.body.block_parent(block));
                let index = op.regions().iter().position(|&own| Some(own) == region).expect("it is in a region");
                let points: fn(usize) -> Vec<RegionPoint> = $from;
                points(index).into_iter().map(|point| successor(op, point)).collect()
            }
            fn passed_operands(op: OpRef<'_>, from: OpRef<'_>, _point: RegionPoint) -> Range<usize> {
                if from.id == op.id { 1..from.operand_count() } else { 0..from.operand_count() }
            }
        }
    )*};
}

/// One argument or result, if there are any, is made by the operation itself.
fn successor(op: OpRef<'_>, point: RegionPoint) -> RegionSuccessor {
    let inputs = match point {
        RegionPoint::Parent => op.results().collect(),
        RegionPoint::Region(index) => {
            let entry = op.body.entry_block(op.regions()[index]).expect("regions have blocks");
            op.body.arguments(entry).iter().skip(1).copied().collect()
        }
    };
    RegionSuccessor { point, inputs }
}

use RegionPoint::{Parent, Region};

structured! {
    /// Executes one of two regions: the second one if the first operand is 0.
    If "a.if": |chosen| match chosen {
        Some(0) => vec![Region(1)],
        Some(_) => vec![Region(0)],
        None => vec![Region(0), Region(1)],
    }, |_| vec![Parent];
    /// Executes its region any number of times, but once.
    Loop "a.loop": |_| vec![Region(0)], |_| vec![Region(0), Parent];
    /// Executes its regions in turn, until it stops after the first one.
    While "a.while": |_| vec![Region(0)], |index| if index == 0 { vec![Region(1), Parent] } else { vec![Region(0)] };
}

/// Does who knows what with its regions.
#[operation(name = "a.opaque")]
pub(crate) struct Opaque {
    #[operand(variadic)]
    operands: AnyType,
    #[result(variadic)]
    results: AnyType,
    #[region(variadic)]
    bodies: AnyRegion,
}

struct ControlDialect;

impl Dialect for ControlDialect {
    fn namespace(&self) -> &'static str {
        "a"
    }
    fn documentation(&self) -> &'static str {
        "For tests."
    }
    fn operations(&self) -> &'static [&'static OperationDeclaration] {
        static OPERATIONS: &[&OperationDeclaration] = &[
            Func::DECLARATION,
            Op::DECLARATION,
            Jump::DECLARATION,
            Return::DECLARATION,
            Yield::DECLARATION,
            Leave::DECLARATION,
            If::DECLARATION,
            Loop::DECLARATION,
            While::DECLARATION,
            Opaque::DECLARATION,
        ];
        OPERATIONS
    }
}

pub(crate) fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&ControlDialect);
    Context::new(registry)
}
