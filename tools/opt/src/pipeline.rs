//! The pipeline that a call asks for.

use fermata_ir::pass::{IrPrinting, PassFilter, PassManager, PassRegistry, ReproducerScope, RunOptions};
use fermata_ir::source::Span;
use fermata_ir::text::PrintOptions;
use fermata_ir::{Context, Diagnostics};

use crate::arguments::Arguments;

/// A pass or pipeline given as an option of its name.
pub(crate) struct PassFlag {
    pub(crate) name: &'static str,
    /// Its options, as in a pipeline string but without the braces.
    pub(crate) options: String,
}

/// Where the passes to run come from.
pub(crate) enum PassSource {
    /// A pipeline string.
    Pipeline(PassManager),
    /// Options, for whatever operation stands at the top.
    Flags(Vec<PassFlag>),
}

impl PassSource {
    /// The pipeline for a module whose root is an operation of this name; nothing if it has mistakes, which are
    /// reported.
    pub(crate) fn manager(
        &self,
        context: &Context,
        passes: &PassRegistry,
        root: &str,
        diagnostics: &mut Diagnostics,
    ) -> Option<PassManager> {
        match self {
            Self::Pipeline(manager) => Some(manager.clone()),
            Self::Flags(flags) => {
                let mut manager = PassManager::new(root);
                let mut sound = true;
                for flag in flags {
                    sound &= add_flag(&mut manager, context, passes, flag, diagnostics);
                }
                sound.then_some(manager)
            }
        }
    }
}

fn add_flag(
    manager: &mut PassManager,
    context: &Context,
    passes: &PassRegistry,
    flag: &PassFlag,
    diagnostics: &mut Diagnostics,
) -> bool {
    let add = |name: String, text: &str| context.sources().add(name, text).ok();
    let Some(name) = add("<command line>".to_owned(), flag.name) else {
        return false;
    };
    let options = add(format!("--{}", flag.name), &flag.options).filter(|options| !options.text().is_empty());
    let span = Span { start: name.start(), end: name.start() + flag.name.len() as u32 };
    manager.add_named(context, passes, (flag.name, span), options, diagnostics)
}

/// How the passes run.
pub(crate) fn run_options(arguments: &Arguments, print: PrintOptions) -> RunOptions {
    let pipeline = &arguments.pipeline;
    let printing = &arguments.printing;
    let filter = |names: &[String], all: bool| match names {
        _ if all || names.iter().any(String::is_empty) => PassFilter::All,
        [] => PassFilter::None,
        names => PassFilter::Named(names.to_vec()),
    };
    let only = printing.print_ir_after_change || printing.print_ir_after_failure;
    let all_after = printing.print_ir_after_all || (only && printing.print_ir_after.is_empty());
    RunOptions {
        threads: if pipeline.disable_threading { 1 } else { pipeline.threads },
        verify_each: pipeline.verify_each,
        allow_unregistered: arguments.input_options.allow_unregistered_dialect,
        printing: IrPrinting {
            before: filter(&printing.print_ir_before, printing.print_ir_before_all),
            after: filter(&printing.print_ir_after, all_after),
            only_changed: printing.print_ir_after_change,
            only_failed: printing.print_ir_after_failure,
            module_scope: printing.print_ir_module_scope,
            tree_directory: printing.print_ir_tree_dir.clone(),
            options: print,
        },
        reproducer: match (&pipeline.crash_reproducer, pipeline.local_reproducer) {
            (None, _) => ReproducerScope::None,
            (Some(_), false) => ReproducerScope::Whole,
            (Some(_), true) => ReproducerScope::Local,
        },
    }
}
