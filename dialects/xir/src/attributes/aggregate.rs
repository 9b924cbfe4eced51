//! Constants of matrices, arrays and structures.

use fermata_ir::attributes::{AttributeDeclaration, DialectAttribute};
use fermata_ir::nested_attributes::ParameterMap;
use fermata_ir::text::{ParameterDeclaration, ParseResult, Parser, Printer};
use fermata_ir::{Attribute, Context, Type};

use crate::constant::constant_type;
use crate::types::{is_value_type, part_count, part_type};

/// A constant matrix, array or structure by its parts: `#xir.aggregate<!xir.struct<"P", [i32, f32]>, [1 : i32, 2.0 :
/// f32]>`. Columns of matrices are `dense` vectors.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AggregateAttribute {
    /// Type of the constant.
    pub ty: Type,
    /// The parts in order.
    pub parts: Vec<Attribute>,
}

impl DialectAttribute for AggregateAttribute {
    const DECLARATION: &'static AttributeDeclaration = &AGGREGATE_DECLARATION;

    fn print_parameters(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        printer.ty(self.ty);
        printer.write(", [");
        for (index, &part) in self.parts.iter().enumerate() {
            printer.write(if index == 0 { "" } else { ", " });
            printer.attribute(part);
        }
        printer.write("]>");
    }

    fn map_parameters(&mut self, map: &mut dyn ParameterMap) {
        self.ty = map.ty(self.ty);
        self.parts.iter_mut().for_each(|part| *part = map.attribute(*part));
    }

    fn typed(&self, _context: &Context) -> Option<Type> {
        Some(self.ty)
    }

    fn verify(&self, context: &Context) -> Result<(), String> {
        let count = match part_count(context, self.ty) {
            Some(count) if self.ty.vector_parts(context).is_none() => count,
            _ => return Err("an aggregate is a matrix, an array or a structure".to_owned()),
        };
        if count != self.parts.len() as u64 {
            return Err(format!("the type has {count} parts, but the list has {}", self.parts.len()));
        }
        for (index, &part) in self.parts.iter().enumerate() {
            if constant_type(context, part) != part_type(context, self.ty, index as u64) {
                return Err(format!("the value of part {index} is no constant of its type"));
            }
        }
        Ok(())
    }
}

static AGGREGATE_DECLARATION: AttributeDeclaration = AttributeDeclaration {
    name: "xir.aggregate",
    documentation: "A constant matrix, array or structure by its parts: `#xir.aggregate<!xir.struct<\"P\", [i32, f32]>, [1 \
                    : i32, 2.0 : f32]>`.\n\nThe parts are constants of the types that the type names; columns of matrices \
                    are `dense` vectors.",
    parameters: &[
        ParameterDeclaration::of::<Type>("type", "The type of the constant."),
        ParameterDeclaration::of::<Vec<Attribute>>("parts", "Its parts."),
    ],
    parse: parse_aggregate,
};

fn parse_aggregate(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
    let start = parser.span();
    parser.expect("<")?;
    let ty = parser.parse_type()?;
    parser.expect(",")?;
    let mut parts = Vec::new();
    parser.comma_list("[", "]", |parser| {
        parts.push(parser.parse_attribute()?);
        Ok(())
    })?;
    parser.expect(">")?;
    let attribute = AggregateAttribute { ty, parts };
    let context = parser.context();
    attribute.verify(context).map_err(|message| parser.error(start, "invalid-parameters", message))?;
    Ok(attribute.intern(context))
}

/// The constant of a type whose bits are all zero: `#xir.zero<!xir.array<f32, 8>>`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ZeroAttribute {
    /// Type of the constant.
    pub ty: Type,
}

impl DialectAttribute for ZeroAttribute {
    const DECLARATION: &'static AttributeDeclaration = &ZERO_DECLARATION;

    fn print_parameters(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        printer.ty(self.ty);
        printer.write(">");
    }

    fn map_parameters(&mut self, map: &mut dyn ParameterMap) {
        self.ty = map.ty(self.ty);
    }

    fn typed(&self, _context: &Context) -> Option<Type> {
        Some(self.ty)
    }

    fn verify(&self, context: &Context) -> Result<(), String> {
        if is_value_type(context, self.ty) {
            Ok(())
        } else {
            Err("zero is a scalar, vector, matrix, array or structure".to_owned())
        }
    }
}

static ZERO_DECLARATION: AttributeDeclaration = AttributeDeclaration {
    name: "xir.zero",
    documentation: "The constant of a type whose bits are all zero: `#xir.zero<!xir.array<f32, 8>>`.\n\nZero scalars and \
                    vectors have builtin attributes, which folds give; this one is accepted for them too.",
    parameters: &[ParameterDeclaration::of::<Type>("type", "The type of the constant.")],
    parse: parse_zero,
};

fn parse_zero(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
    let start = parser.span();
    parser.expect("<")?;
    let ty = parser.parse_type()?;
    parser.expect(">")?;
    let attribute = ZeroAttribute { ty };
    let context = parser.context();
    attribute.verify(context).map_err(|message| parser.error(start, "invalid-parameters", message))?;
    Ok(attribute.intern(context))
}
