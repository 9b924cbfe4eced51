//! Names of symbol tables, and the calls that mention them.

use super::faults::{Faults, NestedBodies};
use super::message::{about, counted, type_text};
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::interfaces::{CallModel, Callee, FunctionModel};
use crate::nearest::nearest;
use crate::operation::OpRef;
use crate::symbols::{ResolvedSymbol, SymbolTables, Unresolved};

/// Checks all tables of the bodies, and the operations that were found to use symbols.
pub(super) fn verify_symbols(context: &Context, bodies: &NestedBodies<'_>, faults: &mut [Faults]) {
    let outermost = bodies.get(0);
    if !bodies.all_walkable() {
        return;
    }
    let tables = SymbolTables::new(context, outermost.body);
    for duplicate in tables.duplicates() {
        let location = duplicate.body.location(duplicate.op);
        let view = OpRef::new(context, duplicate.body, duplicate.op);
        let name = duplicate.name.as_str(context);
        let error =
            Diagnostic::error("duplicate-symbol", location, about(view, &format!("is a second symbol @{name}")))
                .note(duplicate.body.location(duplicate.first), "the first one is here")
                .help("rename one of them");
        let index = bodies.index_of(duplicate.body).expect("a table is in one of the bodies that are verified");
        faults[index].report(duplicate.op, error);
    }
    for (index, faults) in faults.iter_mut().enumerate() {
        let body = bodies.get(index).body;
        for op in std::mem::take(&mut faults.symbol_users) {
            for error in check_call(&tables, OpRef::new(context, body, op)) {
                faults.report(op, error);
            }
        }
    }
}

/// What is wrong with a call.
fn check_call(tables: &SymbolTables<'_>, op: OpRef<'_>) -> Vec<Diagnostic> {
    let Some(call) = op.interface::<CallModel>() else { return Vec::new() };
    let Some(Callee::Symbol(symbol)) = (call.callee)(op) else { return Vec::new() };
    match tables.resolve(op, &symbol) {
        Ok(target) => check_callee(op, call, target),
        Err(unresolved) => unresolved_call(tables, op, unresolved).into_iter().collect(),
    }
}

fn unresolved_call(tables: &SymbolTables<'_>, op: OpRef<'_>, unresolved: Unresolved<'_>) -> Option<Diagnostic> {
    let context = op.context;
    let error = |what: &str| Diagnostic::error("unknown-symbol", op.location(), about(op, what));
    match unresolved {
        Unresolved::NoTable => None,
        Unresolved::NoSymbol { name, table } => {
            let name = name.as_str(context);
            let error = error(&format!("calls @{name}, which is not in the symbol table"));
            let names = tables.names(table).map(|known| known.as_str(context));
            Some(match nearest(name, names) {
                Some(meant) => error.help(format!("did you mean @{meant}?")),
                None => error,
            })
        }
        Unresolved::NotATable { name, at } => {
            let what = format!("looks for @{} in a symbol that is no symbol table", name.as_str(context));
            Some(error(&what).note(at.location(), "the symbol is here"))
        }
    }
}

fn check_callee(op: OpRef<'_>, call: &CallModel, target: ResolvedSymbol<'_>) -> Vec<Diagnostic> {
    let context = op.context;
    let callee = target.definition();
    if !callee.name().is_registered(context) {
        return Vec::new();
    }
    let error = |code, what: &str| {
        Diagnostic::error(code, op.location(), about(op, what)).note(callee.location(), "the callee is here")
    };
    let Some(function) = callee.interface::<FunctionModel>() else {
        return vec![error("not-a-function", &format!("calls a '{}', which is no function", callee.name_str()))];
    };
    // A callee without a function type has its own fault.
    let parts = (function.function_type)(callee).and_then(|ty| ty.function_parts(context));
    let Some((inputs, results)) = parts else { return Vec::new() };
    let mut errors = Vec::new();
    let arguments = (call.arguments)(op);
    let arguments = arguments.start.min(op.operand_count())..arguments.end.min(op.operand_count());
    if arguments.len() != inputs.len() {
        let what = format!("passes {}, but the callee takes {}", counted(arguments.len(), "argument"), inputs.len());
        errors.push(error("call-arguments", &what));
    } else {
        for (index, operand) in
            arguments.enumerate().filter(|&(index, operand)| op.operand_type(operand) != inputs[index])
        {
            let (found, wanted) = (type_text(context, op.operand_type(operand)), type_text(context, inputs[index]));
            let what = format!("passes {found} as argument #{index}, but the callee takes {wanted}");
            errors.push(error("call-arguments", &what));
        }
    }
    if op.result_count() != results.len() {
        let what = format!("has {}, but the callee returns {}", counted(op.result_count(), "result"), results.len());
        errors.push(error("call-results", &what));
    } else {
        for index in (0..results.len()).filter(|&index| op.result_type(index) != results[index]) {
            let (found, wanted) = (type_text(context, op.result_type(index)), type_text(context, results[index]));
            let what = format!("has {found} as result #{index}, but the callee returns {wanted}");
            errors.push(error("call-results", &what));
        }
    }
    errors
}
