//! The command line, as data.

use std::path::PathBuf;

use clap::{ArgAction, Args, ValueEnum};

/// A switch as LLVM's tools have them: the name alone, or with `=true`, `=1`, `=false` or `=0`.
fn switch(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err("expected true, false, 1 or 0".to_owned()),
    }
}

/// A limit of nesting. The stack is made for the largest.
fn nesting(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(limit @ 1..=LARGEST_NESTING) => Ok(limit),
        _ => Err(format!("expected a number from 1 to {LARGEST_NESTING}")),
    }
}

const LARGEST_NESTING: usize = 1000;

/// Other names of an option.
fn names(names: &'static [&'static str]) -> impl Iterator<Item = &'static str> {
    names.iter().copied()
}

/// What a report is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

/// How times are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TimingLayout {
    /// As the pipeline nests
    Tree,
    /// One row for each name, the longest first
    List,
}

/// How statistics are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StatisticsLayout {
    /// Each pass in its place
    Pipeline,
    /// Passes of one name together
    List,
}

/// When messages are coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Everything but the passes, which the tool adds by their names.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// File to read; standard input if it is `-` or not given
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) input: PathBuf,

    #[command(flatten)]
    pub(crate) input_options: InputArguments,

    #[command(flatten)]
    pub(crate) pipeline: PipelineArguments,

    #[command(flatten)]
    pub(crate) output: OutputArguments,

    #[command(flatten)]
    pub(crate) printing: PrintingArguments,

    #[command(flatten)]
    pub(crate) reports: ReportArguments,
}

macro_rules! switches {
    ($(#[$meta:meta])* $name:ident $heading:literal {
        $($(#[doc = $help:literal])+ $field:ident $flag:literal $default:literal [$($alias:literal),*];)*
        --
        $($(#[$other_meta:meta])* $other:ident: $ty:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(Args, Debug)]
        #[command(next_help_heading = $heading)]
        pub(crate) struct $name {
            $(
                $(#[doc = $help])+
                #[arg(
                    long = $flag, aliases = names(&[$($alias),*]), action = ArgAction::Set, value_name = "BOOL",
                    num_args = 0..=1, require_equals = true, overrides_with = $flag, id = $flag,
                    default_value = $default, default_missing_value = "true", value_parser = switch,
                    hide_default_value = true, hide_possible_values = true,
                )]
                pub(crate) $field: bool,
            )*
            $($(#[$other_meta])* pub(crate) $other: $ty,)*
        }
    };
}

switches! {
    /// What is read.
    InputArguments "Input" {
        /// Accept operations, types and attributes of dialects that are not registered
        allow_unregistered_dialect "allow-unregistered-dialect" "false" [];
        /// Do not put a module around a file that has none
        no_implicit_module "no-implicit-module" "false" [];
        /// Run the pipeline and settings that a reproducer file holds
        run_reproducer "run-reproducer" "false" [];
        /// Compare diagnostics with the `expected-error {{...}}` comments of the file instead of showing them
        verify_diagnostics "verify-diagnostics" "false" [];
        --
        /// Split the file at lines that are this marker, and handle each part on its own
        #[arg(
            long, value_name = "MARKER", num_args = 0..=1, require_equals = true,
            default_missing_value = "// -----",
        )]
        split_input_file: Option<String>,
        /// How deep types and attributes may nest
        #[arg(long, value_name = "N", default_value_t = 256, value_parser = nesting)]
        max_nesting: usize,
        /// How deep regions may nest
        #[arg(long, value_name = "N", default_value_t = 1000, value_parser = nesting)]
        max_region_nesting: usize,
        /// How many errors are reported before the rest of the input is left unread
        #[arg(long, value_name = "N", default_value_t = 200)]
        max_errors: usize,
    }
}

switches! {
    /// What is done to it.
    PipelineArguments "Pipeline" {
        /// Verify after each pass that changed something; on by default
        verify_each "verify-each" "true" [];
        /// Check that the IR reads back from its text, in the custom and in the generic form
        verify_roundtrip "verify-roundtrip" "false" [];
        /// Run on one thread
        disable_threading "disable-threading" "false" ["mlir-disable-threading"];
        /// Show the pipeline that will be run
        dump_pass_pipeline "dump-pass-pipeline" "false" [];
        /// Make the crash reproducer hold only the pass that failed
        local_reproducer "local-reproducer" "false" ["mlir-pass-pipeline-local-reproducer"];
        --
        /// Passes to run, such as `builtin.module(canonicalize,xir.kernel(cse))`
        #[arg(long, value_name = "PIPELINE")]
        pass_pipeline: Option<String>,
        /// Number of threads; all processors if 0
        #[arg(short = 'j', long = "threads", value_name = "N", default_value_t = 0, hide_default_value = true)]
        threads: usize,
        /// If a pass fails or breaks down, write to this file what it takes to see it again
        #[arg(long, value_name = "FILE", alias = "mlir-pass-pipeline-crash-reproducer")]
        crash_reproducer: Option<PathBuf>,
        /// Before the passes run, write to this file what it takes to run them again
        #[arg(long, value_name = "FILE", alias = "mlir-generate-reproducer")]
        generate_reproducer: Option<PathBuf>,
    }
}

switches! {
    /// What is written.
    OutputArguments "Output" {
        /// Print all operations in the generic form
        print_op_generic "print-op-generic" "false" ["mlir-print-op-generic"];
        /// Print locations
        print_debuginfo "print-debuginfo" "false" ["mlir-print-debuginfo"];
        --
        /// File to write; standard output if it is `-`
        #[arg(short = 'o', value_name = "FILE", default_value = "-", hide_default_value = true)]
        output: PathBuf,
        /// Marker between the outputs of the parts of a split file
        #[arg(long, value_name = "MARKER", default_value = "// -----")]
        output_split_marker: String,
        /// When messages are coloured
        #[arg(long, value_name = "WHEN", default_value = "auto")]
        color: ColorChoice,
    }
}

switches! {
    /// Which IR is shown while passes run, on standard error.
    PrintingArguments "Printing between passes" {
        /// Print before every pass
        print_ir_before_all "print-ir-before-all" "false" ["mlir-print-ir-before-all"];
        /// Print after every pass
        print_ir_after_all "print-ir-after-all" "false" ["mlir-print-ir-after-all"];
        /// Print after passes that changed the IR only; after every one of these if no others are named
        print_ir_after_change "print-ir-after-change" "false" ["mlir-print-ir-after-change"];
        /// Print after passes that failed only; after every one of these if no others are named
        print_ir_after_failure "print-ir-after-failure" "false" ["mlir-print-ir-after-failure"];
        /// Print the whole module each time; the passes then run one after the other
        print_ir_module_scope "print-ir-module-scope" "false" ["mlir-print-ir-module-scope"];
        --
        /// Print before these passes; before every one if none is named
        #[arg(
            long, value_name = "PASS,...", num_args = 0..=1, require_equals = true, value_delimiter = ',',
            default_missing_value = "", alias = "mlir-print-ir-before",
        )]
        print_ir_before: Vec<String>,
        /// Print after these passes; after every one if none is named
        #[arg(
            long, value_name = "PASS,...", num_args = 0..=1, require_equals = true, value_delimiter = ',',
            default_missing_value = "", alias = "mlir-print-ir-after",
        )]
        print_ir_after: Vec<String>,
        /// Print to files below this folder instead, a folder for each operation
        #[arg(long, value_name = "DIR", alias = "mlir-print-ir-tree-dir")]
        print_ir_tree_dir: Option<PathBuf>,
    }
}

switches! {
    /// What is reported, on standard error but for lists that were asked for.
    ReportArguments "Reports" {
        /// Show where the time went
        timing "timing" "false" ["mlir-timing"];
        /// Show what the passes counted
        pass_statistics "pass-statistics" "false" ["mlir-pass-statistics"];
        /// Show the registered dialects, and do nothing else
        show_dialects "show-dialects" "false" [];
        --
        /// How times are shown
        #[arg(long, value_name = "LAYOUT", default_value = "tree", alias = "mlir-timing-display")]
        timing_display: TimingLayout,
        /// How statistics are shown
        #[arg(long, value_name = "LAYOUT", default_value = "pipeline", alias = "mlir-pass-statistics-display")]
        pass_statistics_display: StatisticsLayout,
        /// What reports are written as
        #[arg(long, value_name = "FORMAT", default_value = "text", alias = "mlir-output-format")]
        output_format: ReportFormat,
        /// Show the passes with their options, and do nothing else
        #[arg(
            long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text",
        )]
        list_passes: Option<ReportFormat>,
    }
}
