//! Writing a declarative custom form.

use super::printable::is_present;
use super::written_properties;
use crate::operation::{FormatElement, OpRef, OperationDeclaration, Presence, Slot};
use crate::text::printer::Printer;

/// Writes what follows the operation's name.
pub(crate) fn print(
    printer: &mut Printer<'_>,
    op: OpRef<'_>,
    declaration: &OperationDeclaration,
    format: &'static [FormatElement],
) {
    let mut writer = Writer {
        printer,
        op,
        declaration,
        skip: written_properties(declaration, format),
        tight: false,
        after_punctuation: false,
    };
    writer.elements(format);
}

struct Writer<'p, 'a, 'b, 'd> {
    printer: &'p mut Printer<'a>,
    op: OpRef<'b>,
    declaration: &'d OperationDeclaration,
    skip: Vec<&'static str>,
    /// Whether what comes next follows without a blank.
    tight: bool,
    /// Whether the piece before is punctuation.
    after_punctuation: bool,
}

impl Writer<'_, '_, '_, '_> {
    fn elements(&mut self, elements: &'static [FormatElement]) {
        for element in elements {
            self.element(element);
        }
    }

    fn blank(&mut self) {
        if !self.tight {
            self.printer.write(" ");
        }
        self.tight = false;
    }

    fn element(&mut self, element: &'static FormatElement) {
        let op = self.op;
        let after_punctuation = std::mem::take(&mut self.after_punctuation);
        match element {
            FormatElement::Literal(literal) => {
                // An opening bracket belongs to a word or value before it, and not to punctuation.
                self.tight |= match *literal {
                    "," | ")" | "]" | ">" => true,
                    "(" | "[" | "<" => !after_punctuation,
                    _ => false,
                };
                self.blank();
                self.printer.write(literal);
                self.tight = matches!(*literal, "(" | "[" | "<");
                self.after_punctuation = !literal.starts_with(|first: char| first.is_alphabetic() || first == '_');
            }
            FormatElement::Operands(group) => {
                let range = op.operand_group(*group);
                if !range.is_empty() {
                    self.blank();
                    self.printer.values(range.map(|index| op.operand(index)));
                }
            }
            FormatElement::AllOperands => {
                if op.operand_count() > 0 {
                    self.blank();
                    self.printer.values(op.operands());
                }
            }
            FormatElement::Types(slot) => self.types(*slot),
            FormatElement::FunctionalType => {
                self.blank();
                self.printer.function_type_of(op);
            }
            FormatElement::Property(index) => {
                let property = &self.declaration.properties[*index];
                let value = op.property(property.name).or(match property.presence {
                    Presence::Default(make) => Some(make(op.context)),
                    Presence::Required | Presence::Optional => None,
                });
                if let Some(value) = value {
                    let (before, was_tight) = (self.printer.position(), self.tight);
                    self.blank();
                    let start = self.printer.position();
                    (property.rule.print)(value, self.printer);
                    // A flag is said by the literals around it.
                    if self.printer.position() == start {
                        self.printer.go_back(before);
                        self.tight = was_tight;
                    }
                }
            }
            FormatElement::AttributeDictionary { keyword } => self.dictionary(*keyword),
            FormatElement::Successors { successor, operands } => self.successors(*successor, *operands),
            FormatElement::Regions(group) => {
                let count = self.declaration.regions.len();
                let regions = op.regions();
                let range = if *group + 1 == count { *group..regions.len() } else { *group..*group + 1 };
                for (index, &region) in regions.get(range).unwrap_or(&[]).iter().enumerate() {
                    if index > 0 {
                        self.printer.write(",");
                    }
                    self.blank();
                    self.printer.region(region, true);
                }
            }
            FormatElement::Group { anchor, elements } => {
                if is_present(self.op, self.declaration, *anchor) {
                    self.elements(elements);
                }
            }
        }
    }

    fn types(&mut self, slot: Slot) {
        let op = self.op;
        let types: Vec<_> = match slot {
            Slot::Operand(group) => op.operand_group(group).map(|index| op.operand_type(index)).collect(),
            Slot::Result(group) => op.result_group(group).map(|index| op.result_type(index)).collect(),
        };
        if !types.is_empty() {
            self.blank();
            self.printer.list(types, Printer::ty);
        }
    }

    /// Everything in the two dictionaries that has no place of its own.
    fn dictionary(&mut self, keyword: bool) {
        let before = self.tight;
        if keyword {
            self.printer.attribute_dictionary_with_keyword(self.op, &self.skip);
        } else {
            self.printer.attribute_dictionary(self.op, &self.skip);
        }
        self.tight = before;
    }

    fn successors(&mut self, group: usize, operand_group: Option<usize>) {
        let op = self.op;
        let last = group + 1 == self.declaration.successors.len();
        let all: Vec<_> = op.successors().collect();
        let range = if last { group..all.len() } else { group..group + 1 };
        let blocks = all.get(range).unwrap_or(&[]);
        if blocks.is_empty() {
            return;
        }
        self.blank();
        for (index, &block) in blocks.iter().enumerate() {
            if index > 0 {
                self.printer.write(", ");
            }
            self.printer.block(block);
        }
        let Some(operand_group) = operand_group else { return };
        let range = op.operand_group(operand_group);
        if !range.is_empty() {
            self.printer.write("(");
            self.printer.list(range, |printer, index| {
                printer.value(op.operand(index));
                printer.write(" : ");
                printer.ty(op.operand_type(index));
            });
            self.printer.write(")");
        }
    }
}
