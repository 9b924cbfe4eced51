//! Calls of LLVM's intrinsic functions.
//!
//! Only those named in this crate are ever called, each known to be selected by the host's code generator for the types
//! it is called with: an unknown one would end the process inside of LLVM.

use inkwell::builder::Builder;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, ValueKind};

use crate::values::built;

/// Calls an intrinsic that is overloaded on these types and has a result.
pub(crate) fn call<'l>(
    module: &Module<'l>,
    builder: &Builder<'l>,
    name: &str,
    types: &[BasicTypeEnum<'l>],
    arguments: &[BasicValueEnum<'l>],
) -> BasicValueEnum<'l> {
    let intrinsic = Intrinsic::find(name).expect("the intrinsics that the lowering names exist in LLVM 19");
    let function = intrinsic.get_declaration(module, types).expect("the intrinsic is overloaded on these types");
    let arguments: Vec<BasicMetadataValueEnum<'l>> = arguments.iter().map(|&argument| argument.into()).collect();
    match built(builder.build_call(function, &arguments, "")).try_as_basic_value() {
        ValueKind::Basic(value) => value,
        ValueKind::Instruction(_) => unreachable!("the intrinsics called here have a result"),
    }
}
