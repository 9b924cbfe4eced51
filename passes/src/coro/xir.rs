//! The operations of XIR that the coroutine passes look at and make.

use fermata_ir::attributes::Dictionary;
use fermata_ir::operation::with_defaults;
use fermata_ir::{Attribute, BlockId, Body, Builder, Context, OpRef, Type, ValueId};
use fermata_xir::constant;
use fermata_xir::ops::{Extract, Gep, GepIndex};
use fermata_xir::types::{AddressSpace, RefType, part_count, part_type};

/// Whether an operation allocates memory of one thread.
pub(crate) fn is_local_allocation(op: OpRef<'_>) -> bool {
    op.name_str() == "xir.alloca"
        && op.result_type(0).downcast::<RefType>(op.context).is_some_and(|ty| ty.space == AddressSpace::Local)
}

/// Whether an operation gives what stays the same for the whole life of a coroutine.
pub(crate) fn is_dispatch_constant(op: OpRef<'_>) -> bool {
    matches!(op.name_str(), "xir.dispatch_id" | "xir.dispatch_size")
}

/// Whether an operation loads a value through its only operand.
pub(crate) fn is_load(op: OpRef<'_>) -> bool {
    op.name_str() == "xir.load"
}

/// The value that a store writes.
pub(crate) fn stored_value(op: OpRef<'_>) -> Option<ValueId> {
    (op.name_str() == "xir.store").then(|| op.operand(0))
}

fn result(builder: &Builder<'_>, op: fermata_ir::OpId) -> ValueId {
    builder.body().result(op, 0)
}

/// `xir.br`
pub(crate) fn branch(builder: &mut Builder<'_>, target: BlockId, operands: &[ValueId]) {
    let state = fermata_ir::body::OperationState {
        operands: operands.into(),
        successors: [target].into_iter().collect(),
        ..builder.state("xir.br")
    };
    builder.create(state);
}

/// `xir.return` of one value.
pub(crate) fn return_value(builder: &mut Builder<'_>, value: ValueId) {
    builder.create_op("xir.return", &[value], &[], &[]);
}

/// `xir.load` of the whole that a reference is to.
pub(crate) fn load(builder: &mut Builder<'_>, reference: ValueId) -> ValueId {
    let ty = builder.body().value_type(reference).downcast::<RefType>(builder.context());
    let pointee = ty.expect("what is loaded through is a reference").pointee;
    let op = builder.create_op("xir.load", &[reference], &[pointee], &[]);
    result(builder, op)
}

/// `xir.store`
pub(crate) fn store(builder: &mut Builder<'_>, value: ValueId, reference: ValueId) {
    builder.create_op("xir.store", &[value, reference], &[], &[]);
}

fn constant_value(builder: &mut Builder<'_>, value: Attribute, ty: Type) -> ValueId {
    let op = builder.create_op("xir.constant", &[], &[ty], &[("value", value)]);
    result(builder, op)
}

/// A constant of a value type whose bits are all zero.
pub(crate) fn zero(builder: &mut Builder<'_>, ty: Type) -> ValueId {
    let value = constant::zero(builder.context(), ty);
    constant_value(builder, value, ty)
}

/// A constant `i32` by its bits.
pub(crate) fn i32_constant(builder: &mut Builder<'_>, bits: u32) -> ValueId {
    let ty = Type::integer(builder.context(), 32);
    let value = Attribute::integer(builder.context(), i128::from(bits.cast_signed()), ty);
    constant_value(builder, value, ty)
}

/// `xir.build` of all parts.
pub(crate) fn build(builder: &mut Builder<'_>, ty: Type, parts: &[ValueId]) -> ValueId {
    let op = builder.create_op("xir.build", parts, &[ty], &[]);
    result(builder, op)
}

/// A value from its scalars, in order.
pub(crate) fn assemble(builder: &mut Builder<'_>, ty: Type, scalars: &[ValueId]) -> ValueId {
    let mut rest = scalars;
    // Types nest no deeper than the layout's limit.
    assemble_from(builder, ty, &mut rest)
}

fn assemble_from(builder: &mut Builder<'_>, ty: Type, scalars: &mut &[ValueId]) -> ValueId {
    let context = builder.context();
    let Some(count) = part_count(context, ty) else {
        let (&first, rest) = scalars.split_first().expect("there is a scalar for each leaf of the type");
        *scalars = rest;
        return first;
    };
    let parts: Vec<ValueId> = (0..count)
        .map(|index| {
            let part = part_type(context, ty, index).expect("the index is below the count");
            assemble_from(builder, part, scalars)
        })
        .collect();
    build(builder, ty, &parts)
}

/// `xir.extract` along a path of constant indices.
pub(crate) fn extract_path(builder: &mut Builder<'_>, value: ValueId, path: &[u32]) -> ValueId {
    if path.is_empty() {
        return value;
    }
    let context = builder.context();
    let whole = builder.body().value_type(value);
    let ty = path
        .iter()
        .fold(whole, |ty, &index| part_type(context, ty, index.into()).expect("the path leads to a part of the value"));
    let path: Vec<i64> = path.iter().map(|&index| index.into()).collect();
    let op = Extract::build(builder, value, ty, path);
    result(builder, op)
}

/// `xir.bitcast`; nothing if the type is the same.
pub(crate) fn bitcast(builder: &mut Builder<'_>, value: ValueId, ty: Type) -> ValueId {
    if builder.body().value_type(value) == ty {
        return value;
    }
    let op = builder.create_op("xir.bitcast", &[value], &[ty], &[]);
    result(builder, op)
}

fn binary(builder: &mut Builder<'_>, name: &str, left: ValueId, right: ValueId) -> ValueId {
    let ty = builder.body().value_type(left);
    let op = builder.create_op(name, &[left, right], &[ty], &[]);
    result(builder, op)
}

/// An `i32` shifted to the right by a constant.
pub(crate) fn shift_right(builder: &mut Builder<'_>, value: ValueId, bits: u32) -> ValueId {
    if bits == 0 {
        return value;
    }
    let amount = i32_constant(builder, bits);
    binary(builder, "xir.shrui", value, amount)
}

/// An `i32` shifted to the left by a constant.
pub(crate) fn shift_left(builder: &mut Builder<'_>, value: ValueId, bits: u32) -> ValueId {
    if bits == 0 {
        return value;
    }
    let amount = i32_constant(builder, bits);
    binary(builder, "xir.shli", value, amount)
}

/// The bits of an `i32` that a constant has set.
pub(crate) fn and_constant(builder: &mut Builder<'_>, value: ValueId, mask: u32) -> ValueId {
    let mask = i32_constant(builder, mask);
    binary(builder, "xir.andi", value, mask)
}

/// `xir.ori`
pub(crate) fn or(builder: &mut Builder<'_>, left: ValueId, right: ValueId) -> ValueId {
    binary(builder, "xir.ori", left, right)
}

/// The low bits of an `i32`.
pub(crate) fn truncate(builder: &mut Builder<'_>, value: ValueId, bits: u32) -> ValueId {
    let ty = Type::integer(builder.context(), bits);
    let op = builder.create_op("xir.trunci", &[value], &[ty], &[]);
    result(builder, op)
}

/// A narrower integer as an `i32`, filled with zeros.
pub(crate) fn extend(builder: &mut Builder<'_>, value: ValueId) -> ValueId {
    let ty = Type::integer(builder.context(), 32);
    let op = builder.create_op("xir.extui", &[value], &[ty], &[]);
    result(builder, op)
}

fn word_reference(builder: &mut Builder<'_>, frame: ValueId, word: u32) -> ValueId {
    let op = Gep::at(builder, frame, &[GepIndex::Constant(word.into())]);
    result(builder, op)
}

/// A word of the frame that a reference to an array of words is to.
pub(crate) fn load_word(builder: &mut Builder<'_>, frame: ValueId, word: u32) -> ValueId {
    let reference = word_reference(builder, frame, word);
    load(builder, reference)
}

/// Writes a word of the frame.
pub(crate) fn store_word(builder: &mut Builder<'_>, value: ValueId, frame: ValueId, word: u32) {
    let reference = word_reference(builder, frame, word);
    store(builder, value, reference);
}

/// A coroutine without suspensions as a kernel.
pub(crate) fn into_kernel(context: &Context, body: Body) -> Body {
    let properties = body.properties(body.root());
    rename(context, body, "xir.kernel", properties, &["sym_name", "function_type", "sym_visibility", "block_size"])
}

/// A continuation as a callable with these results.
pub(crate) fn into_callable(context: &Context, body: Body, results: &[Type]) -> Body {
    let region = body.regions(body.root())[0];
    let entry = body.entry_block(region).expect("a continuation has a body");
    let inputs: Vec<Type> = body.arguments(entry).iter().map(|&argument| body.value_type(argument)).collect();
    let ty = Attribute::type_attribute(context, Type::function(context, &inputs, results));
    let properties = body.properties(body.root()).with(context, "function_type", Some(ty));
    rename(context, body, "xir.callable", properties, &["sym_name", "function_type", "sym_visibility"])
}

/// A body whose root is another operation, with those of the properties that the new one has.
fn rename(context: &Context, body: Body, name: &str, properties: Dictionary, kept: &[&str]) -> Body {
    let entries = properties.entries(context).iter().copied();
    let kept: Vec<_> = entries.filter(|(key, _)| kept.contains(&key.as_str(context))).collect();
    let root = body.root();
    let mut renamed = Body::new(context.operation_name(name), body.location(root), 1);
    let (from, to) = (body.regions(root)[0], renamed.regions(renamed.root())[0]);
    renamed.import_region(&body, from, to, &mut fermata_ir::body::IrMapping::new());
    let root = renamed.root();
    let mut properties = Dictionary::new(context, &kept);
    if let Some(declaration) = context.operation_name(name).declaration(context) {
        properties = with_defaults(context, declaration, properties);
    }
    renamed.set_properties(root, properties);
    renamed.set_attributes(root, body.attributes(body.root()));
    renamed
}
