//! Local memory as slots, which passes may turn into values or take apart.

use fermata_ir::builder::Builder;
use fermata_ir::interfaces::{
    DestructurableAccessInterface, DestructurableAllocationInterface, MemorySlot, PartSlots, PromotableAccessInterface,
    PromotableAllocationInterface, PromotedAccess, SlotAccess,
};
use fermata_ir::{OpId, OpRef, OperationView, Type, ValueId};

use super::{Alloca, Gep, GepIndex, Load, Store};
use crate::constant;
use crate::ops::{Build, Constant, Extract};
use crate::types::{AddressSpace, LARGEST_DESTRUCTURED, RefType, part_count, parts};

/// Values of more parts are not loaded and stored part by part.
const LARGEST_SPLIT: u64 = 16;

/// The slot of an allocation in the space `local`.
fn local_slot(op: OpRef<'_>) -> Option<MemorySlot> {
    let reference = op.result_type(0).downcast::<RefType>(op.context)?;
    (reference.space == AddressSpace::Local).then(|| MemorySlot { pointer: op.result(0), ty: reference.pointee })
}

impl PromotableAllocationInterface for Alloca<'_> {
    fn promotable_slots(op: OpRef<'_>) -> Vec<MemorySlot> {
        local_slot(op).into_iter().collect()
    }

    /// Zero: as good as any value.
    fn uninitialized_value(builder: &mut Builder<'_>, slot: &MemorySlot) -> ValueId {
        let zero = constant::zero(builder.context(), slot.ty);
        let op = Constant::build(builder, zero);
        builder.body().result(op, 0)
    }
}

impl PromotableAccessInterface for Load<'_> {
    fn slot_access(op: OpRef<'_>, slot: &MemorySlot) -> Option<SlotAccess> {
        (op.operand(0) == slot.pointer && op.result_type(0) == slot.ty)
            .then_some(SlotAccess { reads: true, writes: false })
    }

    fn promote(_builder: &mut Builder<'_>, _op: OpId, _slot: &MemorySlot, reaching: Option<ValueId>) -> PromotedAccess {
        let value = reaching.expect("an access that reads is given the value of its slot");
        PromotedAccess { results: vec![value], stored: None }
    }
}

impl PromotableAccessInterface for Store<'_> {
    fn slot_access(op: OpRef<'_>, slot: &MemorySlot) -> Option<SlotAccess> {
        (op.operand(1) == slot.pointer && op.operand_type(0) == slot.ty)
            .then_some(SlotAccess { reads: false, writes: true })
    }

    fn promote(builder: &mut Builder<'_>, op: OpId, _slot: &MemorySlot, _reaching: Option<ValueId>) -> PromotedAccess {
        PromotedAccess { results: Vec::new(), stored: Some(builder.body().operand(op, 0)) }
    }
}

impl DestructurableAllocationInterface for Alloca<'_> {
    /// Memory of which only the whole is accessed is left as it is: it becomes a value as a whole.
    fn destructurable_slots(op: OpRef<'_>) -> Vec<(MemorySlot, Vec<Type>)> {
        let slot = local_slot(op).filter(|slot| {
            part_count(op.context, slot.ty).is_some_and(|count| count <= LARGEST_DESTRUCTURED)
                && op.body.users(slot.pointer).any(|user| Gep::matches(op.at(user)))
        });
        slot.and_then(|slot| Some((slot, parts(op.context, slot.ty)?))).into_iter().collect()
    }

    fn allocate_part(builder: &mut Builder<'_>, _op: OpId, _slot: &MemorySlot, part: Type) -> MemorySlot {
        let ty = RefType::get(builder.context(), part, AddressSpace::Local);
        let op = Alloca::build(builder, ty);
        MemorySlot { pointer: builder.body().result(op, 0), ty: part }
    }
}

/// All parts, for an access to the whole.
fn all_parts(parts: &[Type]) -> Option<Vec<usize>> {
    (parts.len() as u64 <= LARGEST_SPLIT).then(|| (0..parts.len()).collect())
}

impl DestructurableAccessInterface for Load<'_> {
    fn accessed_parts(op: OpRef<'_>, slot: &MemorySlot, parts: &[Type]) -> Option<Vec<usize>> {
        if op.operand(0) == slot.pointer && op.result_type(0) == slot.ty { all_parts(parts) } else { None }
    }

    fn rewire(builder: &mut Builder<'_>, _op: OpId, slot: &MemorySlot, parts: &PartSlots) -> Vec<ValueId> {
        let values: Vec<ValueId> = parts
            .parts
            .iter()
            .map(|(_, part)| {
                let load = Load::build(builder, part.pointer);
                builder.body().result(load, 0)
            })
            .collect();
        let whole = Build::build(builder, &values, slot.ty);
        vec![builder.body().result(whole, 0)]
    }
}

impl DestructurableAccessInterface for Store<'_> {
    fn accessed_parts(op: OpRef<'_>, slot: &MemorySlot, parts: &[Type]) -> Option<Vec<usize>> {
        if op.operand(1) == slot.pointer && op.operand_type(0) == slot.ty { all_parts(parts) } else { None }
    }

    fn rewire(builder: &mut Builder<'_>, op: OpId, _slot: &MemorySlot, parts: &PartSlots) -> Vec<ValueId> {
        let value = builder.body().operand(op, 0);
        for &(index, part) in &parts.parts {
            let extract = Extract::at(builder, value, &[index as i64]);
            let value = builder.body().result(extract, 0);
            Store::build(builder, value, part.pointer);
        }
        Vec::new()
    }
}

impl DestructurableAccessInterface for Gep<'_> {
    fn accessed_parts(op: OpRef<'_>, slot: &MemorySlot, parts: &[Type]) -> Option<Vec<usize>> {
        let gep = Gep::cast(op).filter(|gep| gep.base() == slot.pointer)?;
        let index = usize::try_from(*gep.path().first()?).ok()?;
        (index < parts.len()).then(|| vec![index])
    }

    fn rewire(builder: &mut Builder<'_>, op: OpId, _slot: &MemorySlot, parts: &PartSlots) -> Vec<ValueId> {
        let gep = Gep::cast(builder.op(op)).expect("the access that is rewired is the one that agreed");
        let indices = gep.index_list();
        let Some((&GepIndex::Constant(first), rest)) = indices.split_first() else {
            unreachable!("an access agrees only if its first index is a constant");
        };
        let part = parts.slot(first as usize).pointer;
        if rest.is_empty() {
            return vec![part];
        }
        let inner = Gep::at(builder, part, rest);
        vec![builder.body().result(inner, 0)]
    }
}
