//! From a module of XIR to a module of LLVM.

use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::FunctionModel;
use fermata_ir::{Body, Context, OpId, OpRef, Type};
use fermata_xir::expand_operations;
use fermata_xir::interfaces::ElementwiseModel;
use fermata_xir::semantics::ScalarFunction;
use inkwell::context::Context as LlvmContext;
use inkwell::module::{Linkage, Module};
use inkwell::types::BasicType;
use inkwell::values::FunctionValue;
use rustc_hash::FxHashMap;

use crate::function::FunctionLowering;
use crate::types::Types;

/// What is known of a function of the module.
pub(crate) struct Callee<'l> {
    pub(crate) function: FunctionValue<'l>,
    pub(crate) returns_value: bool,
}

/// What all functions of a module share.
pub(crate) struct ModuleLowering<'c, 'l, 'm> {
    pub(crate) context: &'c Context,
    pub(crate) llvm: &'l LlvmContext,
    pub(crate) module: &'m Module<'l>,
    pub(crate) types: Types<'c, 'l>,
    pub(crate) callees: FxHashMap<String, Callee<'l>>,
}

/// Lowers all kernels and callables of a module.
///
/// # Errors
/// If the module holds what the host has no code for; everything is reported, and nothing is lowered.
pub fn lower<'l>(
    context: &Context,
    body: &Body,
    llvm: &'l LlvmContext,
    name: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Module<'l>> {
    let errors = diagnostics.error_count();
    let module = llvm.create_module(name);
    let types = Types::new(context, module.get_context());
    let mut lowering = ModuleLowering { context, llvm, module: &module, types, callees: FxHashMap::default() };
    let body = with_elementary_functions_expanded(context, body);
    let functions: Vec<(OpId, &Body)> = functions(&body);
    for &(_, function) in &functions {
        lowering.declare(function, diagnostics);
    }
    if diagnostics.error_count() > errors {
        return None;
    }
    for &(_, function) in &functions {
        FunctionLowering::run(&lowering, function, diagnostics);
    }
    if diagnostics.error_count() > errors {
        return None;
    }
    if let Err(message) = module.verify() {
        // Not a fault of the input: every operation that is accepted above has well-formed code.
        panic!("the lowering built a module that LLVM refuses: {message}");
    }
    Some(module)
}

/// The module with elementary functions as the operations that they consist of, which are the same on every target.
fn with_elementary_functions_expanded(context: &Context, module: &Body) -> Body {
    let mut module = module.clone();
    let is_elementary = |op: OpRef<'_>| {
        let function = op.interface::<ElementwiseModel>().and_then(|model| (model.function)(op));
        matches!(function, Some(ScalarFunction::Elementary(..)))
    };
    for op in module.all_ops() {
        if let Some(function) = module.nested_mut(op) {
            expand_operations(context, function, is_elementary);
        }
    }
    module
}

fn functions(module: &Body) -> Vec<(OpId, &Body)> {
    let anchors = module.all_ops().into_iter();
    anchors.filter_map(|op| Some((op, module.nested(op)?))).collect()
}

/// Name of a function.
pub(crate) fn symbol<'c>(context: &'c Context, function: &Body) -> &'c str {
    let name = function.properties(function.root()).get(context, "sym_name");
    name.and_then(|name| name.string_value(context)).unwrap_or("")
}

impl<'l> ModuleLowering<'_, 'l, '_> {
    fn declare(&mut self, function: &Body, diagnostics: &mut Diagnostics) {
        let op = OpRef::new(self.context, function, function.root());
        let kind = op.name_str();
        if !matches!(kind, "xir.kernel" | "xir.callable" | "xir.external") {
            let message = format!("'{kind}' has no host code");
            let help = "coroutines are lowered after --coro-pipeline, which leaves kernels and callables";
            diagnostics.report(Diagnostic::error("no-host-code", op.location(), message).help(help));
            return;
        }
        if kind == "xir.external" {
            let message = "external functions cannot be called from host code: nothing defines them";
            diagnostics.report(Diagnostic::error("no-host-code", op.location(), message));
            return;
        }
        let model = op.interface::<FunctionModel>();
        let ty = model.and_then(|model| (model.function_type)(op)).and_then(|ty| ty.function_parts(self.context));
        let (inputs, results) = ty.expect("the verifier has checked that a function has a function type");
        let Some(parameters) = self.parameters(op, inputs, diagnostics) else { return };
        let parameters: Vec<_> = parameters.into_iter().map(Into::into).collect();
        let llvm_type = match results {
            [] => self.llvm.void_type().fn_type(&parameters, false),
            [single] => match self.types.register(*single) {
                Some(result) => result.fn_type(&parameters, false),
                None => return self.report_type(op, *single, diagnostics),
            },
            _ => {
                let message = "functions of several results have no host code";
                diagnostics.report(Diagnostic::error("no-host-code", op.location(), message));
                return;
            }
        };
        let name = symbol(self.context, function);
        let value = self.module.add_function(&format!("fermata.{name}"), llvm_type, Some(Linkage::Internal));
        self.callees.insert(name.to_owned(), Callee { function: value, returns_value: !results.is_empty() });
    }

    /// Types of the parameters: those of the function, then a pointer to what the thread knows about itself.
    fn parameters(
        &self,
        op: OpRef<'_>,
        inputs: &[Type],
        diagnostics: &mut Diagnostics,
    ) -> Option<Vec<inkwell::types::BasicTypeEnum<'l>>> {
        let mut parameters = Vec::new();
        for &input in inputs {
            match self.types.register(input) {
                Some(ty) => parameters.push(ty),
                None => {
                    self.report_type(op, input, diagnostics);
                    return None;
                }
            }
        }
        parameters.push(self.types.pointer().into());
        Some(parameters)
    }

    fn report_type(&self, op: OpRef<'_>, ty: Type, diagnostics: &mut Diagnostics) {
        let text = fermata_ir::text::type_to_string(self.context, ty);
        let message = format!("the type '{text}' has no host code");
        diagnostics.report(Diagnostic::error("no-host-code", op.location(), message));
    }
}
