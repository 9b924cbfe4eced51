//! Declarative custom forms: reading and writing by the list of [`FormatElement`]s of a declaration.
//!
//! Types that are not written follow from the declared rules. Blanks are put between elements except around
//! punctuation, as MLIR's printer does.

mod parse;
mod print;
mod printable;

pub(crate) use parse::parse;
pub(crate) use print::print;
pub(crate) use printable::{fits_format, has_declared_parts};

use crate::operation::{FormatElement, OPERAND_SEGMENT_SIZES, OperationDeclaration};

/// Calls back for every element, those in optional groups as well.
fn visit(elements: &[FormatElement], callback: &mut dyn FnMut(&FormatElement)) {
    for element in elements {
        callback(element);
        if let FormatElement::Group { elements, .. } = element {
            visit(elements, callback);
        }
    }
}

/// Keys of the properties that a format writes by themselves, which its dictionary leaves out.
fn written_properties(declaration: &OperationDeclaration, format: &[FormatElement]) -> Vec<&'static str> {
    let mut keys = vec![OPERAND_SEGMENT_SIZES];
    visit(format, &mut |element| {
        if let FormatElement::Property(index) = element {
            keys.push(declaration.properties[*index].name);
        }
    });
    keys
}
