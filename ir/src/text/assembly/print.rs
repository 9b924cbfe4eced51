//! Writing a declarative custom form.

use super::written_properties;
use crate::operation::{Anchor, Arity, FormatElement, OpRef, OperationDeclaration, Presence, Slot};
use crate::text::printer::Printer;

/// Whether an operation has the parts that its declaration names, so that a custom form may rely on them: numbers of
/// operands, results, successors and regions, and the required properties, each property of its declared kind. A broken
/// one is printed in the generic form instead.
pub(crate) fn is_printable(op: OpRef<'_>, declaration: &OperationDeclaration) -> bool {
    let counts = |arities: &mut dyn ExactSizeIterator<Item = Arity>, count: usize| {
        let groups = arities.len();
        let singles = arities.filter(|&arity| arity == Arity::One).count();
        count >= singles && (singles < groups || count == singles)
    };
    let mut good = counts(&mut declaration.operands.iter().map(|group| group.arity), op.operand_count())
        && counts(&mut declaration.results.iter().map(|group| group.arity), op.result_count())
        && counts(&mut declaration.successors.iter().map(|group| group.arity), op.successors().len())
        && counts(&mut declaration.regions.iter().map(|group| group.arity), op.regions().len());
    if declaration.has_operand_segments() {
        let sizes = op.property("operandSegmentSizes").and_then(|sizes| {
            let sizes: Vec<i32> = sizes.dense_i32_values(op.context)?.collect();
            Some(sizes)
        });
        good &= sizes.is_some_and(|sizes| {
            sizes.len() == declaration.operands.len()
                && sizes.iter().all(|&size| size >= 0)
                && sizes.iter().map(|&size| size as usize).sum::<usize>() == op.operand_count()
                && sizes.iter().zip(declaration.operands).all(|(&size, group)| match group.arity {
                    Arity::One => size == 1,
                    Arity::Optional => size <= 1,
                    Arity::Variadic => true,
                })
        });
    }
    for property in declaration.properties {
        let value = op.property(property.name);
        good &= match property.presence {
            Presence::Required => value.is_some(),
            Presence::Optional | Presence::Default(_) => true,
        };
        good &= value.is_none_or(|value| (property.rule.accepts)(op.context, value));
    }
    good
}

/// Writes what follows the operation's name.
pub(crate) fn print(
    printer: &mut Printer<'_>,
    op: OpRef<'_>,
    declaration: &OperationDeclaration,
    format: &'static [FormatElement],
) {
    let mut writer = Writer { printer, op, declaration, skip: written_properties(declaration, format), tight: false };
    writer.elements(format);
}

struct Writer<'p, 'a, 'b, 'd> {
    printer: &'p mut Printer<'a>,
    op: OpRef<'b>,
    declaration: &'d OperationDeclaration,
    skip: Vec<&'static str>,
    /// Whether what comes next follows without a blank.
    tight: bool,
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
        match element {
            FormatElement::Literal(literal) => {
                let attached = matches!(*literal, "," | ")" | "]" | ">" | "(" | "[" | "<");
                self.tight |= attached;
                self.blank();
                self.printer.write(literal);
                self.tight = matches!(*literal, "(" | "[" | "<");
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
            FormatElement::Property(index) | FormatElement::SymbolName(index) => {
                let property = &self.declaration.properties[*index];
                let value = op.property(property.name).or(match property.presence {
                    Presence::Default(make) => Some(make(op.context)),
                    Presence::Required | Presence::Optional => None,
                });
                if let Some(value) = value {
                    self.blank();
                    (property.rule.print)(value, self.printer);
                }
            }
            FormatElement::AttributeDictionary { keyword } => self.dictionary(*keyword),
            FormatElement::Successors { successor, operands } => self.successors(*successor, *operands),
            FormatElement::Regions(group) => {
                let count = self.declaration.regions.len();
                let regions = op.regions();
                let range = if *group + 1 == count { *group..regions.len() } else { *group..*group + 1 };
                for &region in regions.get(range).unwrap_or(&[]) {
                    self.blank();
                    self.printer.region(region, true);
                }
            }
            FormatElement::Group { anchor, elements } => {
                if self.is_present(*anchor) {
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

    /// Everything in the two dictionaries that has no place of its own; defaults are not worth writing.
    fn dictionary(&mut self, keyword: bool) {
        let mut skip = self.skip.clone();
        for property in self.declaration.properties {
            if let Presence::Default(make) = property.presence
                && self.op.property(property.name) == Some(make(self.op.context))
            {
                skip.push(property.name);
            }
        }
        let before = self.tight;
        if keyword {
            self.printer.attribute_dictionary_with_keyword(self.op, &skip);
        } else {
            self.printer.attribute_dictionary(self.op, &skip);
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

    fn is_present(&self, anchor: Anchor) -> bool {
        match anchor {
            Anchor::Operands(group) => !self.op.operand_group(group).is_empty(),
            Anchor::Results(group) => !self.op.result_group(group).is_empty(),
            Anchor::Property(index) => {
                let property = &self.declaration.properties[index];
                self.op.property(property.name).is_some_and(|value| match property.presence {
                    Presence::Default(make) => value != make(self.op.context),
                    Presence::Required | Presence::Optional => true,
                })
            }
            Anchor::Regions(group) => {
                self.op.regions().get(group).is_some_and(|&region| self.op.body.entry_block(region).is_some())
            }
        }
    }
}
