//! Buffers.

use fermata_ir::body::OperationState;
use fermata_ir::interfaces::{
    EffectKind, MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel, SyntaxInterface, SyntaxModel,
};
use fermata_ir::operation::AttributeConstraint;
use fermata_ir::text::{ParseResult, Parser, Printer};
use fermata_ir::{Context, Dictionary, OpId, OpRef, Type, ValueId, operation};
use smallvec::smallvec;

use crate::attributes::Bounds;
use crate::constraints::{Buffer, BufferIndex, Count, Reference, Value};
use crate::types::{AddressSpace, BufferType, RefType};

/// The type of the elements of a buffer.
pub(crate) fn element(context: &Context, buffer: Type) -> Option<Type> {
    buffer.downcast::<BufferType>(context).map(|buffer| buffer.element)
}

/// The type of a reference to an element of a buffer.
fn element_reference(context: &Context, buffer: Type) -> Option<Type> {
    Some(RefType::get(context, element(context, buffer)?, AddressSpace::Buffer))
}

/// Reads an element of a buffer. The index is read as an unsigned number.
///
/// Out of bounds it gives zero; with `trap` the program stops with an error; with `unchecked` the front end promises that
/// the index is in bounds.
///
/// ```mlir
/// %0 = xir.buffer_read %b[%i] : !xir.buffer<f32>
/// %1 = xir.buffer_read %b[%j] unchecked : !xir.buffer<f32>, i64
/// ```
#[operation(
    name = "xir.buffer_read",
    interfaces = [MemoryEffects, Syntax],
    rules = [derived(result from buffer, element, "the type of the elements of")],
)]
pub struct BufferRead {
    #[operand]
    buffer: Buffer,
    #[operand]
    index: BufferIndex,
    #[result]
    result: Value,
    /// What happens out of bounds.
    #[property(default = Bounds::Checked)]
    bounds: Bounds,
}

/// Writes an element of a buffer. The index is read as an unsigned number.
///
/// Out of bounds it does nothing; with `trap` the program stops with an error; with `unchecked` the front end promises
/// that the index is in bounds.
///
/// ```mlir
/// xir.buffer_write %x, %b[%i] : !xir.buffer<f32>
/// ```
#[operation(
    name = "xir.buffer_write",
    interfaces = [MemoryEffects, Syntax],
    rules = [derived(value from buffer, element, "the type of the elements of")],
)]
pub struct BufferWrite {
    #[operand]
    value: Value,
    #[operand]
    buffer: Buffer,
    #[operand]
    index: BufferIndex,
    /// What happens out of bounds.
    #[property(default = Bounds::Checked)]
    bounds: Bounds,
}

/// The number of elements of a buffer.
///
/// ```mlir
/// %0 = xir.buffer_size %b : !xir.buffer<f32>
/// ```
#[operation(name = "xir.buffer_size", traits = [PURE], format = "$buffer attr-dict `:` type($buffer)")]
pub struct BufferSize {
    #[operand]
    buffer: Buffer,
    #[result(only)]
    result: Count,
}

/// A reference to an element of a buffer. The index is read as an unsigned number.
///
/// Out of bounds it is a reference to nothing: reads through it give zero, writes and atomics through it do nothing. With
/// `trap` the program stops with an error; with `unchecked` the front end promises that the index is in bounds.
///
/// ```mlir
/// %r = xir.buffer_element %b[%i] : !xir.buffer<i32>
/// ```
#[operation(
    name = "xir.buffer_element",
    interfaces = [MemoryEffects, Syntax],
    rules = [derived(result from buffer, element_reference, "the type of a reference to an element of")],
)]
pub struct BufferElement {
    #[operand]
    buffer: Buffer,
    #[operand]
    index: BufferIndex,
    #[result]
    result: Reference,
    /// What happens out of bounds.
    #[property(default = Bounds::Checked)]
    bounds: Bounds,
}

/// What an access of a buffer does out of bounds.
fn bounds_of(op: OpRef<'_>) -> Bounds {
    op.property("bounds").and_then(|bounds| Bounds::decode(op.context, bounds)).unwrap_or(Bounds::Checked)
}

/// Stopping the program is seen outside.
fn trap_effect(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
    if bounds_of(op) == Bounds::Trap {
        effects.push(MemoryEffect { kind: EffectKind::Other, value: None });
    }
}

impl MemoryEffectsInterface for BufferRead<'_> {
    fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        effects.push(MemoryEffect { kind: EffectKind::Read, value: Some(op.operand(0)) });
        trap_effect(op, effects);
    }
}

impl MemoryEffectsInterface for BufferWrite<'_> {
    fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        effects.push(MemoryEffect { kind: EffectKind::Write, value: Some(op.operand(1)) });
        trap_effect(op, effects);
    }
}

impl MemoryEffectsInterface for BufferElement<'_> {
    fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        trap_effect(op, effects);
    }
}

/// `%buffer[%index] bounds attributes : type, index type`, as read.
struct Access {
    buffer: ValueId,
    index: ValueId,
    buffer_type: Type,
    properties: Dictionary,
    attributes: Dictionary,
}

fn parse_access(parser: &mut Parser<'_, '_>) -> ParseResult<Access> {
    let context = parser.context();
    let buffer = parser.parse_operand()?;
    parser.expect("[")?;
    let index = parser.parse_operand()?;
    parser.expect("]")?;
    let word = [Bounds::Checked, Bounds::Unchecked, Bounds::Trap]
        .into_iter()
        .find(|bounds| parser.optional_keyword(bounds.as_keyword()));
    let dictionary = parser.optional_attribute_dictionary()?;
    let (mut properties, attributes) = parser.split_properties(dictionary);
    if let Some(bounds) = word.filter(|&bounds| bounds != Bounds::Checked) {
        properties = properties.with(context, "bounds", Some(Bounds::encode(context, bounds)));
    }
    parser.expect(":")?;
    let span = parser.span();
    let buffer_type = parser.parse_type()?;
    if element(context, buffer_type).is_none() {
        return Err(parser.error(span, "operand-type", "this is no buffer type"));
    }
    let index_type = if parser.optional(",") { parser.parse_type()? } else { Type::integer(context, 32) };
    Ok(Access {
        buffer: parser.resolve(&buffer, buffer_type)?,
        index: parser.resolve(&index, index_type)?,
        buffer_type,
        properties,
        attributes,
    })
}

fn print_access(op: OpRef<'_>, buffer: usize, printer: &mut Printer<'_>) {
    printer.value(op.operand(buffer));
    printer.write("[");
    printer.value(op.operand(buffer + 1));
    printer.write("]");
    let bounds = bounds_of(op);
    // A default that is written out in the generic form stays in the dictionary, so that it is still there when read.
    let written = bounds != Bounds::Checked;
    if written {
        printer.write(" ");
        printer.write(bounds.as_keyword());
    }
    printer.attribute_dictionary(op, if written { &["bounds"] } else { &[] });
    printer.write(" : ");
    printer.ty(op.operand_type(buffer));
    if op.operand_type(buffer + 1) != Type::integer(op.context, 32) {
        printer.write(", ");
        printer.ty(op.operand_type(buffer + 1));
    }
}

/// Reads an access that has a result, whose type follows from that of the buffer.
fn parse_with_result(parser: &mut Parser<'_, '_>, result: fn(&Context, Type) -> Option<Type>) -> ParseResult<OpId> {
    let span = parser.span();
    let access = parse_access(parser)?;
    let Some(ty) = result(parser.context(), access.buffer_type) else {
        return Err(parser.error(span, "operand-type", "this is no access of a buffer"));
    };
    parser.create_op(OperationState {
        operands: smallvec![access.buffer, access.index],
        results: smallvec![ty],
        properties: access.properties,
        attributes: access.attributes,
        ..OperationState::new(parser.operation_name(), parser.location())
    })
}

impl SyntaxInterface for BufferRead<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        parse_with_result(parser, element)
    }

    fn print(op: OpRef<'_>, printer: &mut Printer<'_>) {
        printer.write(" ");
        print_access(op, 0, printer);
    }
}

impl SyntaxInterface for BufferElement<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        parse_with_result(parser, element_reference)
    }

    fn print(op: OpRef<'_>, printer: &mut Printer<'_>) {
        printer.write(" ");
        print_access(op, 0, printer);
    }
}

impl SyntaxInterface for BufferWrite<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        let value = parser.parse_operand()?;
        parser.expect(",")?;
        let access = parse_access(parser)?;
        let Some(ty) = element(parser.context(), access.buffer_type) else {
            return Err(parser.error(value.span, "operand-type", "this is no access of a buffer"));
        };
        let operands = smallvec![parser.resolve(&value, ty)?, access.buffer, access.index];
        parser.create_op(OperationState {
            operands,
            properties: access.properties,
            attributes: access.attributes,
            ..OperationState::new(parser.operation_name(), parser.location())
        })
    }

    fn print(op: OpRef<'_>, printer: &mut Printer<'_>) {
        printer.write(" ");
        printer.value(op.operand(0));
        printer.write(", ");
        print_access(op, 1, printer);
    }
}
