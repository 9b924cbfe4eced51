//! Which IR is shown before and after passes, and where.

use std::fs;
use std::path::{Path, PathBuf};

use super::Pass;
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::operation::OpRef;
use crate::text::{PrintOptions, print_module};

/// A choice of passes.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub enum PassFilter {
    /// None.
    #[default]
    None,
    /// Those of these names.
    Named(Vec<String>),
    /// All.
    All,
}

impl PassFilter {
    fn contains(&self, name: &str) -> bool {
        match self {
            Self::None => false,
            Self::Named(names) => names.iter().any(|known| known == name),
            Self::All => true,
        }
    }
}

/// Which IR is shown.
#[derive(Clone, Default, Debug)]
pub struct IrPrinting {
    /// Before which passes.
    pub before: PassFilter,
    /// After which passes.
    pub after: PassFilter,
    /// After a pass, only if the text is another one than before it.
    pub only_changed: bool,
    /// After a pass, only if it failed.
    pub only_failed: bool,
    /// Show the whole module, not just what the pass runs on. Passes then run one after the other.
    pub module_scope: bool,
    /// Write files below this folder, a folder for each operation, instead of one stream.
    pub tree_directory: Option<PathBuf>,
    /// How the IR is printed.
    pub options: PrintOptions,
}

/// Whether the IR is shown before or after a pass.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    Before,
    After,
    AfterFailure,
}

/// What is to be shown, and of what.
pub(crate) struct Dump<'a> {
    pub(crate) context: &'a Context,
    pub(crate) pass: &'a dyn Pass,
    /// Index of the pass in its pipeline, after those of the pipelines around it.
    pub(crate) place: &'a [u32],
    /// The operation that the pass runs on.
    pub(crate) op: OpRef<'a>,
    /// The operation that holds everything, as far as it can be seen.
    pub(crate) top: OpRef<'a>,
    /// Names of the folders for the operations around and for this one.
    pub(crate) folders: &'a [String],
}

impl IrPrinting {
    /// Whether the text before a pass is needed, to compare.
    pub(crate) fn compares(&self, pass: &dyn Pass) -> bool {
        self.only_changed && self.after.contains(pass.name())
    }

    pub(crate) fn shows(&self, pass: &dyn Pass, moment: Moment) -> bool {
        match moment {
            Moment::Before => self.before.contains(pass.name()),
            Moment::After => self.after.contains(pass.name()) && !self.only_failed,
            Moment::AfterFailure => self.after.contains(pass.name()),
        }
    }

    /// The text of the operation alone, to compare.
    pub(crate) fn text(&self, context: &Context, op: OpRef<'_>) -> String {
        print_module(context, op.body, &self.options)
    }

    /// Shows the IR: appends it to `stream` or writes a file.
    pub(crate) fn dump(&self, moment: Moment, dump: &Dump<'_>, stream: &mut Vec<u8>) -> Result<(), Box<Diagnostic>> {
        let shown = if self.module_scope { dump.top } else { dump.op };
        let header = self.header(moment, dump);
        let text = print_module(dump.context, shown.body, &self.options);
        match &self.tree_directory {
            None => {
                stream.extend_from_slice(header.as_bytes());
                stream.extend_from_slice(text.as_bytes());
                stream.push(b'\n');
                Ok(())
            }
            Some(root) => {
                let path = file_path(root, moment, dump);
                write(&path, &(header + &text)).map_err(|error| {
                    let message = format!("cannot write '{}': {error}", path.display());
                    Box::new(Diagnostic::warning("print-ir", dump.op.location(), message))
                })
            }
        }
    }

    /// The comment that MLIR's tools put before the IR.
    fn header(&self, moment: Moment, dump: &Dump<'_>) -> String {
        let pass = dump.pass.name();
        let when = match moment {
            Moment::Before => format!("Before {pass}"),
            Moment::After => format!("After {pass}"),
            Moment::AfterFailure => format!("After {pass} Failed"),
        };
        let op = if self.module_scope {
            let symbol = symbol(dump.op).map_or(String::new(), |symbol| format!(": @{symbol}"));
            format!(" ('{}' operation{symbol})", dump.op.name_str())
        } else {
            String::new()
        };
        format!("// -----// IR Dump {when}{op} //----- //\n")
    }
}

fn symbol<'a>(op: OpRef<'a>) -> Option<&'a str> {
    op.property("sym_name")?.string_value(op.context)
}

/// The name of the folder for an operation: its name and symbol. Where that does not tell it from its siblings, since
/// it has no symbol or one with characters that do not belong in a path, `index` is added.
pub(crate) fn folder_name(op: OpRef<'_>, index: usize) -> String {
    let clean = |text: &str| -> String {
        text.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' }).collect()
    };
    let name = clean(op.name_str());
    match symbol(op) {
        Some(symbol) if clean(symbol) == symbol => format!("{name}_{symbol}"),
        Some(symbol) => format!("{name}_{}_{index}", clean(symbol)),
        None if index == 0 => format!("{name}_no-symbol-name"),
        None => format!("{name}_no-symbol-name_{index}"),
    }
}

fn file_path(root: &Path, moment: Moment, dump: &Dump<'_>) -> PathBuf {
    let place: Vec<String> = dump.place.iter().map(u32::to_string).collect();
    let suffix = if moment == Moment::Before { "-before" } else { "" };
    let file = format!("{}_{}{suffix}.xir", place.join("_"), dump.pass.name());
    dump.folders.iter().fold(root.to_owned(), |path, folder| path.join(folder)).join(file)
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
