//! Global cells, output, and local memory.

use fermata_ir::attributes::Attribute;
use fermata_ir::body::OperationState;
use fermata_ir::interfaces::{
    DestructurableAccessInterface, DestructurableAccessModel, DestructurableAllocationInterface,
    DestructurableAllocationModel, EffectKind, MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel, MemorySlot,
    PartSlots, PromotableAccessInterface, PromotableAccessModel, PromotableAllocationInterface,
    PromotableAllocationModel, PromotedAccess, SlotAccess,
};
use fermata_ir::operation::OperationDeclaration;
use fermata_ir::{Builder, Context, OpId, OpRef, OperationTraits, Type, TypeKind, ValueId};

use super::{declaration, many, one, property};

/// The type of pointers to `ty`.
pub(crate) fn pointer_to(context: &Context, ty: Type) -> Type {
    context.intern_type(TypeKind::MemRef { shape: Box::new([]), element: ty, layout: None, space: None })
}

fn pointee(context: &Context, ty: Type) -> Option<Type> {
    match ty.kind(context) {
        TypeKind::MemRef { element, .. } => Some(*element),
        _ => None,
    }
}

fn tuple_parts(context: &Context, ty: Type) -> Option<&[Type]> {
    match ty.kind(context) {
        TypeKind::Tuple(parts) => Some(parts),
        _ => None,
    }
}

fn index_of(op: OpRef<'_>) -> usize {
    op.property("index").and_then(|index| index.integer_value(op.context)).expect("the operation has an index") as usize
}

fn index_attribute(context: &Context, index: usize) -> Attribute {
    Attribute::integer(context, index as i128, Type::integer(context, 32))
}

/// Effects that depend on the operation's name only.
struct Effects;

impl MemoryEffectsInterface for Effects {
    fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        let (kind, value) = match op.name().as_str(op.context) {
            "toy.read" => (EffectKind::Read, None),
            "toy.write" => (EffectKind::Write, None),
            "toy.alloc" => (EffectKind::Allocate, Some(op.result(0))),
            "toy.load" => (EffectKind::Read, Some(op.operand(0))),
            "toy.store" | "toy.store_part" => (EffectKind::Write, Some(op.operand(1))),
            _ => (EffectKind::Other, None),
        };
        effects.push(MemoryEffect { kind, value });
    }
}

struct Alloc;

impl PromotableAllocationInterface for Alloc {
    fn promotable_slots(op: OpRef<'_>) -> Vec<MemorySlot> {
        pointee(op.context, op.result_type(0)).map(|ty| MemorySlot { pointer: op.result(0), ty }).into_iter().collect()
    }
    fn uninitialized_value(builder: &mut Builder<'_>, slot: &MemorySlot) -> ValueId {
        zero(builder, slot.ty)
    }
}

/// Zero of a type, tuples of tuples included.
fn zero(builder: &mut Builder<'_>, ty: Type) -> ValueId {
    let context = builder.context();
    let op = match tuple_parts(context, ty) {
        Some(parts) => {
            let parts: Vec<ValueId> = parts.iter().map(|&part| zero(builder, part)).collect();
            builder.create_op("toy.pack", &parts, &[ty], &[])
        }
        None => builder.create_op("toy.constant", &[], &[ty], &[("value", Attribute::integer(context, 0, ty))]),
    };
    builder.body().result(op, 0)
}

impl DestructurableAllocationInterface for Alloc {
    fn destructurable_slots(op: OpRef<'_>) -> Vec<(MemorySlot, Vec<Type>)> {
        let parts = |slot: MemorySlot| Some((slot, tuple_parts(op.context, slot.ty)?.to_vec()));
        Self::promotable_slots(op).into_iter().filter_map(parts).collect()
    }
    fn allocate_part(builder: &mut Builder<'_>, _op: OpId, _slot: &MemorySlot, part: Type) -> MemorySlot {
        let pointer = pointer_to(builder.context(), part);
        let op = builder.create_op("toy.alloc", &[], &[pointer], &[]);
        MemorySlot { pointer: builder.body().result(op, 0), ty: part }
    }
}

/// Loads, stores and stores of a part.
struct Access;

impl PromotableAccessInterface for Access {
    fn slot_access(op: OpRef<'_>, slot: &MemorySlot) -> Option<SlotAccess> {
        let kept = |operand: usize, ty: Type| (op.operand(operand) == slot.pointer && ty == slot.ty).then_some(());
        match op.name().as_str(op.context) {
            "toy.load" => kept(0, op.result_type(0)).map(|()| SlotAccess { reads: true, writes: false }),
            _ if op.operand(0) == slot.pointer => None,
            "toy.store" => kept(1, op.operand_type(0)).map(|()| SlotAccess { reads: false, writes: true }),
            _ => kept(1, slot.ty).map(|()| SlotAccess { reads: true, writes: true }),
        }
    }
    fn promote(builder: &mut Builder<'_>, op: OpId, slot: &MemorySlot, reaching: Option<ValueId>) -> PromotedAccess {
        let view = builder.op(op);
        match view.name().as_str(view.context) {
            "toy.load" => PromotedAccess { results: vec![reaching.expect("a load reads")], stored: None },
            "toy.store" => PromotedAccess { results: vec![], stored: Some(view.operand(0)) },
            _ => {
                let operands = [view.operand(0), reaching.expect("a store of a part reads")];
                let index = index_attribute(view.context, index_of(view));
                let inserted = builder.create_op("toy.insert", &operands, &[slot.ty], &[("index", index)]);
                PromotedAccess { results: vec![], stored: Some(builder.body().result(inserted, 0)) }
            }
        }
    }
}

impl DestructurableAccessInterface for Access {
    fn accessed_parts(op: OpRef<'_>, slot: &MemorySlot, parts: &[Type]) -> Option<Vec<usize>> {
        let all = || (0..parts.len()).collect();
        match op.name().as_str(op.context) {
            "toy.load" => Some(all()),
            _ if op.operand(0) == slot.pointer && op.name().as_str(op.context) != "toy.part" => None,
            "toy.store" => Some(all()),
            _ => Some(vec![index_of(op)]).filter(|index| index[0] < parts.len()),
        }
    }
    fn rewire(builder: &mut Builder<'_>, op: OpId, slot: &MemorySlot, parts: &PartSlots) -> Vec<ValueId> {
        let context = builder.context();
        let view = builder.op(op);
        match view.name().as_str(context) {
            "toy.part" => vec![parts.slot(index_of(view)).pointer],
            "toy.store_part" => {
                let operands = [view.operand(0), parts.slot(index_of(view)).pointer];
                builder.create_op("toy.store", &operands, &[], &[]);
                vec![]
            }
            "toy.store" => {
                let whole = view.operand(0);
                for (index, part) in &parts.parts {
                    let properties = [("index", index_attribute(context, *index))];
                    let value = builder.create_op("toy.extract", &[whole], &[part.ty], &properties);
                    let value = builder.body().result(value, 0);
                    builder.create_op("toy.store", &[value, part.pointer], &[], &[]);
                }
                vec![]
            }
            _ => {
                let mut loaded = Vec::new();
                for (_, part) in &parts.parts {
                    let op = builder.create_op("toy.load", &[part.pointer], &[part.ty], &[]);
                    loaded.push(builder.body().result(op, 0));
                }
                let whole = builder.create_op("toy.pack", &loaded, &[slot.ty], &[]);
                vec![builder.body().result(whole, 0)]
            }
        }
    }
}

const EFFECTS: super::Model = &MemoryEffectsModel::of::<Effects>();
const PROMOTABLE: super::Model = &PromotableAccessModel::of::<Access>();
const DESTRUCTURABLE: super::Model = &DestructurableAccessModel::of::<Access>();
const NONE: OperationTraits = OperationTraits::empty();

static PRINT: OperationDeclaration =
    OperationDeclaration { operands: &[many("values")], interfaces: &[EFFECTS], ..declaration("toy.print", NONE) };
/// Which thread executes: not the same after a suspension.
static LANE: OperationDeclaration =
    OperationDeclaration { results: &[one("result")], interfaces: &[EFFECTS], ..declaration("toy.lane", NONE) };
static READ: OperationDeclaration = OperationDeclaration {
    results: &[one("result")],
    properties: &[property("cell")],
    interfaces: &[EFFECTS],
    ..declaration("toy.read", NONE)
};
static WRITE: OperationDeclaration = OperationDeclaration {
    operands: &[one("value")],
    properties: &[property("cell")],
    interfaces: &[EFFECTS],
    ..declaration("toy.write", NONE)
};
static ALLOC: OperationDeclaration = OperationDeclaration {
    results: &[one("pointer")],
    interfaces: &[
        EFFECTS,
        const { &PromotableAllocationModel::of::<Alloc>() },
        const { &DestructurableAllocationModel::of::<Alloc>() },
    ],
    ..declaration("toy.alloc", NONE)
};
static LOAD: OperationDeclaration = OperationDeclaration {
    operands: &[one("pointer")],
    results: &[one("result")],
    interfaces: &[EFFECTS, PROMOTABLE, DESTRUCTURABLE],
    ..declaration("toy.load", NONE)
};
static STORE: OperationDeclaration = OperationDeclaration {
    operands: &[one("value"), one("pointer")],
    interfaces: &[EFFECTS, PROMOTABLE, DESTRUCTURABLE],
    ..declaration("toy.store", NONE)
};
static STORE_PART: OperationDeclaration = OperationDeclaration {
    operands: &[one("value"), one("pointer")],
    properties: &[property("index")],
    interfaces: &[EFFECTS, PROMOTABLE, DESTRUCTURABLE],
    ..declaration("toy.store_part", NONE)
};
static PART: OperationDeclaration = OperationDeclaration {
    operands: &[one("pointer")],
    results: &[one("result")],
    properties: &[property("index")],
    interfaces: &[DESTRUCTURABLE],
    ..declaration("toy.part", OperationTraits::PURE)
};
/// A part chosen by a value.
static PART_AT: OperationDeclaration = OperationDeclaration {
    operands: &[one("pointer"), one("index")],
    results: &[one("result")],
    ..declaration("toy.part_at", OperationTraits::PURE)
};
/// Compares addresses.
static SAME: OperationDeclaration = OperationDeclaration {
    operands: &[one("lhs"), one("rhs")],
    results: &[one("result")],
    ..declaration("toy.same", OperationTraits::PURE)
};
/// Does something that nothing is known about.
static OPAQUE: OperationDeclaration = OperationDeclaration {
    operands: &[many("values")],
    results: &[many("results")],
    ..declaration("toy.opaque", NONE)
};

pub(super) const OPERATIONS: &[&OperationDeclaration] =
    &[&PRINT, &LANE, &READ, &WRITE, &ALLOC, &LOAD, &STORE, &STORE_PART, &PART, &PART_AT, &SAME, &OPAQUE];

/// The description of an operation without operands, for callers that set them.
#[allow(dead_code, reason = "used by the tests of some passes only")]
pub(crate) fn plain(builder: &Builder<'_>, name: &str) -> OperationState {
    builder.state(name)
}
