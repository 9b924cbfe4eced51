//! The custom form writes everything, once.

use super::Checker;
use crate::operation::{Anchor, FormatElement, OperationDeclaration, Slot};

/// What a format has written so far.
#[derive(Default)]
struct Written {
    operands: Vec<usize>,
    properties: Vec<usize>,
    regions: Vec<usize>,
    successors: Vec<usize>,
    dictionaries: usize,
    is_out_of_range: bool,
}

impl Checker<'_> {
    pub(super) fn form(&mut self) {
        let declaration = self.declaration;
        let Some(format) = declaration.format else { return };
        let mut written = Written::default();
        written.visit(declaration, format);
        if written.is_out_of_range {
            self.fault("the format points at a part that there is not");
            return;
        }
        if written.dictionaries != 1 {
            self.fault("the format has no place for attributes, or two");
        }
        let parts = [
            ("operands", &written.operands, declaration.operands.len(), true),
            ("properties", &written.properties, declaration.properties.len(), false),
            ("regions", &written.regions, declaration.regions.len(), true),
            ("successors", &written.successors, declaration.successors.len(), true),
        ];
        for (what, indices, count, all) in parts {
            let mut times = vec![0; count];
            indices.iter().for_each(|&index| times[index] += 1);
            if times.iter().any(|&times| times > 1 || all && times == 0) {
                self.fault(format!("the format does not write all {what} once"));
            }
        }
    }
}

impl Written {
    fn visit(&mut self, declaration: &OperationDeclaration, elements: &[FormatElement]) {
        for element in elements {
            self.element(declaration, element);
        }
    }

    fn element(&mut self, declaration: &OperationDeclaration, element: &FormatElement) {
        let (operands, results) = (declaration.operands.len(), declaration.results.len());
        let (regions, successors) = (declaration.regions.len(), declaration.successors.len());
        let properties = declaration.properties.len();
        match *element {
            FormatElement::Literal(_) | FormatElement::FunctionalType => {}
            FormatElement::Operands(index) => self.add(index, operands, |written| &mut written.operands),
            FormatElement::AllOperands => self.operands.extend(0..operands),
            FormatElement::Types(Slot::Operand(index)) => self.is_out_of_range |= index >= operands,
            FormatElement::Types(Slot::Result(index)) => self.is_out_of_range |= index >= results,
            FormatElement::Property(index) => self.add(index, properties, |written| &mut written.properties),
            FormatElement::AttributeDictionary { .. } => self.dictionaries += 1,
            FormatElement::Regions(index) => self.add(index, regions, |written| &mut written.regions),
            FormatElement::Successors { successor, operands: forwarded } => {
                self.add(successor, successors, |written| &mut written.successors);
                if let Some(index) = forwarded {
                    self.add(index, operands, |written| &mut written.operands);
                }
            }
            FormatElement::Group { anchor, elements } => {
                self.is_out_of_range |= match anchor {
                    Anchor::Operands(index) => index >= operands,
                    Anchor::Results(index) => index >= results,
                    Anchor::Property(index) => index >= properties,
                    Anchor::Regions(index) => index >= regions,
                    Anchor::Successors(index) => index >= successors,
                };
                self.visit(declaration, elements);
            }
        }
    }

    fn add(&mut self, index: usize, count: usize, list: fn(&mut Self) -> &mut Vec<usize>) {
        if index < count {
            list(self).push(index);
        } else {
            self.is_out_of_range = true;
        }
    }
}
