//! Functions.

use fermata_ir::constraints::{AnyType, StringAttribute, SymbolName, SymbolReference, TypeAttribute};
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    CallInterface, CallModel, Callee, FunctionInterface, FunctionModel, SyntaxInterface, SyntaxModel, VerifyInterface,
    VerifyModel,
};
use fermata_ir::operation::{AttributeConstraint, TypeConstraint};
use fermata_ir::text::{ParseResult, Parser, Printer, parse_function, print_function};
use fermata_ir::{Attribute, Context, OpId, OpRef, Type, operation};

use crate::constraints::{Argument, Value};
use crate::types::RefType;

/// The threads of a block that a kernel is made for, in each dimension: `array<i32: 64, 1, 1>`. Each number is one at
/// least, and their product is [`LARGEST_BLOCK`] at most.
pub struct BlockShape;

/// The most threads that a block has.
pub const LARGEST_BLOCK: u32 = 1024;

/// The shape of a block unless a kernel says otherwise.
const DEFAULT_BLOCK: [u32; 3] = [64, 1, 1];

impl AttributeConstraint for BlockShape {
    type Value<'c> = [u32; 3];
    const DESCRIPTION: &'static str = "array of three i32 numbers from 1, whose product is at most 1024";

    fn decode(context: &Context, attribute: Attribute) -> Option<[u32; 3]> {
        let numbers: Vec<u32> =
            attribute.dense_i32_values(context)?.map(u32::try_from).collect::<Result<_, _>>().ok()?;
        let shape: [u32; 3] = numbers.try_into().ok()?;
        let threads = shape.iter().try_fold(1_u32, |product, &count| product.checked_mul(count))?;
        (1..=LARGEST_BLOCK).contains(&threads).then_some(shape)
    }

    fn encode(context: &Context, value: [u32; 3]) -> Attribute {
        Attribute::dense_i32(context, &value.map(u32::cast_signed))
    }
}

/// A kernel: what a dispatch runs for each of its threads. It returns nothing, never suspends, and takes values and
/// resources.
///
/// ```mlir
/// xir.kernel @double(%b: !xir.buffer<f32>) attributes {block_size = array<i32: 256, 1, 1>} {
///   xir.return
/// }
/// ```
#[operation(name = "xir.kernel", traits = [ISOLATED_FROM_ABOVE, SYMBOL], interfaces = [Function, Syntax, Verify])]
pub struct Kernel {
    #[property]
    sym_name: SymbolName,
    #[property]
    function_type: TypeAttribute,
    #[property(optional)]
    sym_visibility: StringAttribute,
    /// The threads of a block in each dimension.
    #[property(default = DEFAULT_BLOCK)]
    block_size: BlockShape,
    #[region]
    body: AnyRegion,
}

/// A function that kernels, coroutines and other callables call. It takes values, references and resources, and returns a
/// value or nothing. References are passed as they are: the callable works on the caller's memory, and they may alias.
///
/// ```mlir
/// xir.callable @twice(%x: f32) -> f32 {
///   %y = xir.addf %x, %x : f32
///   xir.return %y : f32
/// }
/// ```
#[operation(name = "xir.callable", traits = [ISOLATED_FROM_ABOVE, SYMBOL], interfaces = [Function, Syntax, Verify])]
pub struct Callable {
    #[property]
    sym_name: SymbolName,
    #[property]
    function_type: TypeAttribute,
    #[property(optional)]
    sym_visibility: StringAttribute,
    #[region]
    body: AnyRegion,
}

/// A function that is defined elsewhere.
///
/// ```mlir
/// xir.external @noise(vector<3xf32>) -> f32
/// ```
#[operation(name = "xir.external", traits = [ISOLATED_FROM_ABOVE, SYMBOL], interfaces = [Function, Syntax, Verify])]
pub struct External {
    #[property]
    sym_name: SymbolName,
    #[property]
    function_type: TypeAttribute,
    #[property(optional)]
    sym_visibility: StringAttribute,
    /// Empty.
    #[region]
    body: AnyRegion,
}

/// Calls a callable or an external function.
///
/// ```mlir
/// %y = xir.call @twice(%x) : (f32) -> f32
/// ```
#[operation(
    name = "xir.call",
    interfaces = [Call],
    format = "$callee `(` $arguments `)` attr-dict `:` functional-type",
)]
pub struct Call {
    #[operand(variadic)]
    arguments: AnyType,
    #[result(optional)]
    result: AnyType,
    /// The function's name.
    #[property]
    callee: SymbolReference,
}

impl CallInterface for Call<'_> {
    fn callee(op: OpRef<'_>) -> Option<Callee> {
        op.property("callee")?.symbol_value(op.context).cloned().map(Callee::Symbol)
    }

    fn arguments(op: OpRef<'_>) -> std::ops::Range<usize> {
        0..op.operand_count()
    }
}

macro_rules! function_forms {
    ($($Op:ident, $is_inlinable:literal;)*) => {$(
        impl FunctionInterface for $Op<'_> {
            fn function_type(op: OpRef<'_>) -> Option<Type> {
                op.property("function_type")?.type_value(op.context)
            }

            fn is_inlinable(_op: OpRef<'_>) -> bool {
                $is_inlinable
            }
        }

        impl SyntaxInterface for $Op<'_> {
            fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
                parse_function(parser)
            }

            fn print(op: OpRef<'_>, printer: &mut Printer<'_>) {
                print_function(op, printer);
            }
        }
    )*};
}

function_forms! {
    Kernel, false;
    Callable, true;
    External, false;
}

/// The inputs and results of a function.
fn signature(op: OpRef<'_>) -> Option<(&[Type], &[Type])> {
    op.property("function_type")?.type_value(op.context)?.function_parts(op.context)
}

fn report(op: OpRef<'_>, diagnostics: &mut Diagnostics, code: &'static str, message: &str) {
    diagnostics.report(Diagnostic::error(code, op.location(), format!("'{}' op {message}", op.name_str())));
}

fn has_body(op: OpRef<'_>) -> bool {
    op.regions().iter().any(|&region| op.body.entry_block(region).is_some())
}

impl VerifyInterface for Kernel<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let Some((inputs, results)) = signature(op) else { return };
        let is_fine = |ty: Type| Argument::accepts(op.context, ty) && !ty.is::<RefType>(op.context);
        if !inputs.iter().all(|&ty| is_fine(ty)) {
            report(op, diagnostics, "kernel-argument", "the arguments of a kernel are values and resources");
        }
        if !results.is_empty() {
            report(op, diagnostics, "kernel-result", "a kernel returns nothing");
        }
        if !has_body(op) {
            report(op, diagnostics, "function-body", "a kernel has a body");
        }
    }
}

/// What a function may be given and may return.
fn verify_signature(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
    let Some((inputs, results)) = signature(op) else { return };
    if !inputs.iter().all(|&ty| Argument::accepts(op.context, ty)) {
        report(
            op,
            diagnostics,
            "callable-argument",
            "the arguments of a function are values, references and resources",
        );
    }
    if results.len() > 1 || !results.iter().all(|&ty| Value::accepts(op.context, ty)) {
        report(op, diagnostics, "callable-result", "a function returns one value or nothing");
    }
}

impl VerifyInterface for Callable<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        verify_signature(op, diagnostics);
        if !has_body(op) {
            report(
                op,
                diagnostics,
                "function-body",
                "a callable has a body; one that is defined elsewhere is external",
            );
        }
    }
}

impl VerifyInterface for External<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        verify_signature(op, diagnostics);
        if has_body(op) {
            report(op, diagnostics, "function-body", "an external function has no body");
        }
    }
}
