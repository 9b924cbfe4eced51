//! The printer.
//!
//! The generic form is byte for byte what `mlir-opt --mlir-print-op-generic` 19 prints. Broken IR is printed as far as
//! it goes, with marks in double angle brackets, so that a failure can be looked at.

mod attributes;
mod locations;
mod names;
mod operations;
mod types;

use std::fmt::Display;
use std::io;

use rustc_hash::FxHashMap;

use crate::attributes::Attribute;
use crate::body::Body;
use crate::context::Context;
use crate::types::Type;
use names::{BodyNames, Counters};

/// How a module is printed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct PrintOptions {
    /// All operations in the generic form.
    pub generic: bool,
    /// With locations, each where it belongs.
    pub debug_info: bool,
}

/// Writes a body as text; what custom forms are written with.
pub struct Printer<'a> {
    context: &'a Context,
    options: PrintOptions,
    output: Vec<u8>,
    sink: Option<&'a mut dyn io::Write>,
    failure: Option<io::Error>,
    bodies: Vec<BodyNames<'a>>,
    indent: usize,
    /// Bodies that are numbered but not printed yet.
    numbered: FxHashMap<*const Body, BodyNames<'a>>,
    /// The next free numbers in the region being printed.
    next: Counters,
    depth: usize,
}

/// How deep regions, types and attributes are followed.
const DEEPEST: usize = 1000;

/// Text is passed on in pieces of this size.
const PIECE: usize = 64 * 1024;

/// The text of a body: its root operation and all that it holds, and a final empty line.
pub fn print_module(context: &Context, body: &Body, options: &PrintOptions) -> String {
    let mut printer = Printer::new(context, *options, None);
    printer.root(body);
    String::from_utf8(printer.output).expect("the printer writes UTF-8 only")
}

/// Writes the text of a body piece by piece.
///
/// # Errors
/// If the sink fails.
pub fn print_to(context: &Context, body: &Body, options: &PrintOptions, sink: &mut dyn io::Write) -> io::Result<()> {
    let mut printer = Printer::new(context, *options, Some(sink));
    printer.root(body);
    printer.flush();
    match printer.failure {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

/// The text of a type.
pub fn type_to_string(context: &Context, ty: Type) -> String {
    let mut printer = Printer::new(context, PrintOptions::default(), None);
    printer.ty(ty);
    String::from_utf8(printer.output).expect("the printer writes UTF-8 only")
}

/// The text of an attribute.
pub fn attribute_to_string(context: &Context, attribute: Attribute) -> String {
    let mut printer = Printer::new(context, PrintOptions::default(), None);
    printer.attribute(attribute);
    String::from_utf8(printer.output).expect("the printer writes UTF-8 only")
}

impl<'a> Printer<'a> {
    fn new(context: &'a Context, options: PrintOptions, sink: Option<&'a mut dyn io::Write>) -> Self {
        Self {
            context,
            options,
            output: Vec::new(),
            sink,
            failure: None,
            bodies: Vec::new(),
            indent: 0,
            numbered: FxHashMap::default(),
            next: Counters::default(),
            depth: 0,
        }
    }

    /// The context.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// Writes text as it is.
    pub fn write(&mut self, text: &str) {
        self.output.extend_from_slice(text.as_bytes());
    }

    /// Writes a value in its own form.
    pub fn display(&mut self, value: impl Display) {
        use std::io::Write;
        write!(self.output, "{value}").expect("writing to memory does not fail");
    }

    /// How much is written, for [`go_back`](Self::go_back).
    pub(super) fn position(&self) -> usize {
        self.output.len()
    }

    /// Takes back what was written on this line after `position`.
    pub(super) fn go_back(&mut self, position: usize) {
        self.output.truncate(position);
    }

    fn number(&mut self, value: u32) {
        let mut buffer = itoa::Buffer::new();
        self.output.extend_from_slice(buffer.format(value).as_bytes());
    }

    fn new_line(&mut self) {
        self.output.push(b'\n');
        if self.output.len() >= PIECE && self.sink.is_some() {
            self.flush();
        }
        self.output.resize(self.output.len() + self.indent, b' ');
    }

    fn flush(&mut self) {
        if let Some(sink) = &mut self.sink
            && self.failure.is_none()
        {
            self.failure = sink.write_all(&self.output).err();
        }
        self.output.clear();
    }

    /// Runs `print` one level deeper, or marks that the IR nests too deep to print.
    fn deeper(&mut self, print: impl FnOnce(&mut Self)) {
        if self.depth >= DEEPEST {
            self.write("<<nested too deep>>");
            return;
        }
        self.depth += 1;
        print(self);
        self.depth -= 1;
    }

    /// Writes elements with commas between them.
    pub fn list<T>(&mut self, elements: impl IntoIterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        for (index, element) in elements.into_iter().enumerate() {
            if index > 0 {
                self.write(", ");
            }
            print(self, element);
        }
    }

    /// Writes a string in quotes.
    pub fn string(&mut self, text: &str) {
        self.output.push(b'"');
        super::quote::escape(text, &mut self.output);
        self.output.push(b'"');
    }

    /// Writes `@name`, in quotes if it must be.
    pub fn symbol(&mut self, name: &str) {
        self.output.push(b'@');
        if super::quote::is_bare_name(name) { self.write(name) } else { self.string(name) }
    }
}
