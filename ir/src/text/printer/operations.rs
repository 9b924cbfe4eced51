//! Operations, regions and blocks.

use super::Printer;
use super::names::number_all;
use crate::attributes::{Attribute, Dictionary};
use crate::body::{BlockId, Body, OpId, RegionId};
use crate::interfaces::SyntaxModel;
use crate::operation::{OpRef, Presence};
use crate::text::assembly;
use crate::types::TypeKind;

impl<'a> Printer<'a> {
    /// Prints a body as the whole text.
    pub(super) fn root(&mut self, body: &'a Body) {
        if self.options.generic {
            self.numbered = number_all(body);
        }
        self.enter_body(body);
        self.operation(body, body.root());
        self.bodies.pop();
        self.output.push(b'\n');
        // As mlir-opt does, but where it prints all locations in place.
        if self.options.generic && !self.options.debug_info {
            self.output.push(b'\n');
        }
    }

    /// Prints an operation of the current body, without the end of the line.
    fn operation(&mut self, body: &'a Body, op: OpId) {
        self.results(body, op);
        if let Some(nested) = body.nested(op) {
            let saved = std::mem::take(&mut self.next);
            self.enter_body(nested);
            self.operation_form(nested, nested.root());
            self.bodies.pop();
            self.next = saved;
        } else {
            self.operation_form(body, op);
        }
    }

    fn results(&mut self, body: &Body, op: OpId) {
        let count = body.result_count(op);
        if count == 0 {
            return;
        }
        let first = body.result(op, 0);
        if count == 1 {
            self.value(first);
        } else {
            // The name of a group is that of its first value without its place in the group.
            let start = self.output.len();
            self.value(first);
            let name_end =
                self.output[start..].iter().rposition(|&byte| byte == b'#').map_or(self.output.len(), |at| start + at);
            self.output.truncate(name_end);
            self.write(":");
            self.display(count);
        }
        self.write(" = ");
    }

    fn operation_form(&mut self, body: &'a Body, op: OpId) {
        let view = OpRef::new(self.context, body, op);
        let declaration = if self.options.generic { None } else { view.declaration() };
        if let Some(declaration) = declaration.filter(|declaration| assembly::has_declared_parts(view, declaration)) {
            if let Some(syntax) = view.interface::<SyntaxModel>() {
                self.custom_name(declaration.name);
                (syntax.print)(view, self);
                return self.trailing_location(body.location(op));
            }
            if let Some(format) = declaration.format.filter(|format| assembly::fits_format(view, declaration, format)) {
                self.custom_name(declaration.name);
                assembly::print(self, view, declaration, format);
                return self.trailing_location(body.location(op));
            }
        }
        self.generic(view);
    }

    /// Operations of the builtin dialect are written without its name.
    fn custom_name(&mut self, name: &str) {
        self.write(name.strip_prefix("builtin.").unwrap_or(name));
    }

    fn generic(&mut self, op: OpRef<'a>) {
        self.string(op.name_str());
        self.write("(");
        self.values(op.operands());
        self.write(")");
        let mut successors = op.successors();
        if let Some(first) = successors.next() {
            self.write("[");
            self.list(std::iter::once(first).chain(successors), Self::block);
            self.write("]");
        }
        if !op.properties().is_empty() {
            self.write(" <");
            self.dictionary(op.properties());
            self.write(">");
        }
        let regions = op.regions();
        if !regions.is_empty() {
            self.write(" (");
            self.list(regions.iter().copied(), |printer, region| printer.region(region, true));
            self.write(")");
        }
        if !op.attributes().is_empty() {
            self.write(" ");
            self.dictionary(op.attributes());
        }
        self.write(" : ");
        self.function_type_of(op);
        self.trailing_location(op.location());
    }

    /// Writes `(operand types) -> result types` of an operation.
    pub fn function_type_of(&mut self, op: OpRef<'_>) {
        self.write("(");
        self.list(op.operands(), |printer, operand| printer.ty(op.type_of(operand)));
        self.write(") -> ");
        let single =
            op.result_count() == 1 && !matches!(op.result_type(0).kind(self.context), TypeKind::Function { .. });
        if single {
            self.ty(op.result_type(0));
        } else {
            self.write("(");
            self.list(op.results(), |printer, result| printer.ty(op.type_of(result)));
            self.write(")");
        }
    }

    /// Writes a region of the current body in braces. `entry_arguments` says whether the entry block's label with its
    /// arguments is written; a custom form that writes them elsewhere leaves it out.
    pub fn region(&mut self, region: RegionId, entry_arguments: bool) {
        self.deeper(|printer| printer.region_in_braces(region, entry_arguments, true));
    }

    /// Writes a region that always has a block, as [`Parser::parse_block_region`](crate::text::Parser::parse_block_region)
    /// reads it: without a label if its only block is empty.
    pub fn block_region(&mut self, region: RegionId) {
        self.deeper(|printer| printer.region_in_braces(region, true, false));
    }

    fn region_in_braces(&mut self, region: RegionId, entry_arguments: bool, label_if_empty: bool) {
        let Some(body) = self.bodies.last().map(|names| names.body) else { return self.write("<<no body>>") };
        let saved = self.next;
        self.number_region(region);
        self.write("{");
        let alone = body.entry_block(region) == body.last_block(region);
        for (index, block) in body.blocks(region).enumerate() {
            let is_entry = index == 0;
            let has_label = !is_entry
                || entry_arguments && !body.arguments(block).is_empty()
                || label_if_empty && alone && body.first_op(block).is_none();
            if has_label {
                self.new_line();
                self.block_label(body, block, is_entry);
            }
            self.indent += 2;
            for op in body.ops(block) {
                self.new_line();
                self.operation(body, op);
            }
            self.indent -= 2;
        }
        self.new_line();
        self.write("}");
        self.next = saved;
    }

    fn block_label(&mut self, body: &Body, block: BlockId, is_entry: bool) {
        self.block(block);
        let arguments = body.arguments(block);
        if !arguments.is_empty() {
            self.write("(");
            self.list(arguments.iter().copied(), |printer, argument| {
                printer.value(argument);
                printer.write(": ");
                printer.ty(body.value_type(argument));
                printer.trailing_location(body.argument_location(argument));
            });
            self.write(")");
        }
        self.write(":");
        if is_entry {
            return;
        }
        let mut predecessors: Vec<BlockId> = body.predecessors(block).collect();
        predecessors.sort_by_key(|&predecessor| self.block_number(predecessor));
        match predecessors[..] {
            [] => self.write("  // no predecessors"),
            [single] => {
                self.write("  // pred: ");
                self.block(single);
            }
            _ => {
                self.write("  // ");
                self.display(predecessors.len());
                self.write(" preds: ");
                self.list(predecessors, Self::block);
            }
        }
    }

    /// Writes the properties and discardable attributes of an operation in one dictionary, without the keys in `skip`
    /// and the properties that are what they are by default, and with a blank before it; nothing if none are left.
    pub fn attribute_dictionary(&mut self, op: OpRef<'_>, skip: &[&str]) {
        let rest = self.rest_of_attributes(op, skip);
        if !rest.is_empty() {
            self.write(" ");
            self.dictionary(rest);
        }
    }

    /// As [`attribute_dictionary`](Self::attribute_dictionary), after the word `attributes`.
    pub fn attribute_dictionary_with_keyword(&mut self, op: OpRef<'_>, skip: &[&str]) {
        let rest = self.rest_of_attributes(op, skip);
        if !rest.is_empty() {
            self.write(" attributes ");
            self.dictionary(rest);
        }
    }

    fn rest_of_attributes(&self, op: OpRef<'_>, skip: &[&str]) -> Dictionary {
        let context = self.context;
        let (properties, attributes) = (op.properties(), op.attributes());
        let properties = properties.entries(context).iter();
        let declared = op.declaration().map_or(&[][..], |declaration| declaration.properties);
        // The parser gives a property that is not written its default.
        let is_default = |key: &str, value: Attribute| {
            declared.iter().any(|property| {
                property.name == key && matches!(property.presence, Presence::Default(make) if make(context) == value)
            })
        };
        let kept = properties.filter(|&&(key, value)| {
            let key = key.as_str(context);
            !skip.contains(&key) && !is_default(key, value)
        });
        let entries: Vec<_> = kept.chain(attributes.entries(context)).copied().collect();
        Dictionary::new(context, &entries)
    }
}
