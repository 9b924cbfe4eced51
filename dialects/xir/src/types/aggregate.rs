//! Types that have parts: matrices, arrays, structures.

use fermata_ir::nested_attributes::ParameterMap;
use fermata_ir::text::{ParameterDeclaration, ParseResult, Parser, Printer};
use fermata_ir::types::{DialectType, TypeDeclaration};
use fermata_ir::{Context, Type, type_definition};

use super::is_value_type;
use crate::layout::Layouts;
use crate::semantics::ScalarType;

/// A square matrix: `!xir.matrix<f32, 3>`. Its parts are its columns, each a vector of as many lanes.
#[type_definition(name = "xir.matrix", verify = verify_matrix, destructure = destructure_matrix)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MatrixType {
    /// Type of a lane, a float.
    pub element: Type,
    /// Number of columns and of rows, from 2 to 4.
    pub columns: u32,
}

fn verify_matrix(ty: &MatrixType, context: &Context) -> Result<(), String> {
    if !matches!(ScalarType::of(context, ty.element), Some(ScalarType::Float(_))) {
        return Err("the elements of a matrix are f16, f32 or f64".to_owned());
    }
    if (2..=4).contains(&ty.columns) { Ok(()) } else { Err("a matrix has 2 to 4 columns".to_owned()) }
}

fn destructure_matrix(ty: &MatrixType, context: &Context) -> Option<Vec<Type>> {
    Some(vec![ty.column(context); ty.columns as usize])
}

impl MatrixType {
    /// The matrix type in a context.
    #[must_use]
    pub fn get(context: &Context, element: Type, columns: u32) -> Type {
        Self { element, columns }.intern(context)
    }

    /// Type of a column.
    #[must_use]
    pub fn column(&self, context: &Context) -> Type {
        Type::vector(context, self.columns.into(), self.element)
    }
}

/// An array of elements of one type: `!xir.array<f32, 8>`.
#[type_definition(name = "xir.array", verify = verify_array, destructure = destructure_array)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayType {
    /// Type of an element, a value type.
    pub element: Type,
    /// Number of elements, not zero.
    pub count: u64,
}

fn verify_array(ty: &ArrayType, context: &Context) -> Result<(), String> {
    if ty.count == 0 {
        return Err("an array has an element at least".to_owned());
    }
    if !is_value_type(context, ty.element) {
        return Err("the elements of an array are scalars, vectors, matrices, arrays or structures".to_owned());
    }
    Layouts::new(context).array(ty).map(drop).map_err(|error| error.to_string())
}

fn destructure_array(ty: &ArrayType, _context: &Context) -> Option<Vec<Type>> {
    (ty.count <= LARGEST_DESTRUCTURED).then(|| vec![ty.element; ty.count as usize])
}

/// Arrays of more elements are never taken apart: a slot for each would be larger than the code that uses them.
pub const LARGEST_DESTRUCTURED: u64 = 64;

impl ArrayType {
    /// The array type in a context.
    #[must_use]
    pub fn get(context: &Context, element: Type, count: u64) -> Type {
        Self { element, count }.intern(context)
    }
}

/// A structure: `!xir.struct<"Ray", [vector<3xf32>, f32]>`, or `!xir.struct<"Ray", [vector<3xf32>, f32], 32>` with an
/// alignment in bytes, which raises that of its members. Structures of different names are different types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructType {
    /// The name; it may be empty.
    pub name: String,
    /// Types of the members, value types; there is one at least.
    pub members: Vec<Type>,
    /// The least alignment in bytes, a power of two up to 256; 1 unless it is written.
    pub alignment: u32,
}

impl DialectType for StructType {
    const DECLARATION: &'static TypeDeclaration = &STRUCT_DECLARATION;

    fn print_parameters(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        printer.string(&self.name);
        printer.write(", [");
        for (index, &member) in self.members.iter().enumerate() {
            printer.write(if index == 0 { "" } else { ", " });
            printer.ty(member);
        }
        printer.write("]");
        if self.alignment != 1 {
            printer.write(", ");
            printer.display(self.alignment);
        }
        printer.write(">");
    }

    fn map_parameters(&mut self, map: &mut dyn ParameterMap) {
        self.members.iter_mut().for_each(|member| *member = map.ty(*member));
    }

    fn destructure(&self, _context: &Context) -> Option<Vec<Type>> {
        Some(self.members.clone())
    }

    fn verify(&self, context: &Context) -> Result<(), String> {
        if self.members.is_empty() {
            return Err("a structure has a member at least".to_owned());
        }
        if !self.members.iter().all(|&member| is_value_type(context, member)) {
            return Err("the members of a structure are scalars, vectors, matrices, arrays or structures".to_owned());
        }
        if !self.alignment.is_power_of_two() || self.alignment > 256 {
            return Err("the alignment of a structure is a power of two up to 256".to_owned());
        }
        Layouts::new(context).structure(self).map(drop).map_err(|error| error.to_string())
    }
}

static STRUCT_DECLARATION: TypeDeclaration = TypeDeclaration {
    name: "xir.struct",
    documentation: "A structure: `!xir.struct<\"Ray\", [vector<3xf32>, f32]>`, or `!xir.struct<\"Ray\", [vector<3xf32>, f32], \
                    32>` with an alignment in bytes, which raises that of its members.\n\nStructures of different names \
                    are different types. Members lie in order, each at its own alignment.",
    parameters: &[
        ParameterDeclaration::of::<String>("name", "Its name."),
        ParameterDeclaration::of::<Vec<Type>>("members", "The types of its members."),
        ParameterDeclaration::of::<u32>("alignment", "Its least alignment in bytes.").optional(),
    ],
    parse: parse_struct,
};

fn parse_struct(parser: &mut Parser<'_, '_>) -> ParseResult<Type> {
    let start = parser.span();
    parser.expect("<")?;
    let name = parser.parse_string()?;
    parser.expect(",")?;
    let mut members = Vec::new();
    parser.comma_list("[", "]", |parser| {
        members.push(parser.parse_type()?);
        Ok(())
    })?;
    let alignment = if parser.optional(",") { parser.parse_unsigned()? } else { 1 };
    parser.expect(">")?;
    let ty = StructType { name, members, alignment };
    let context = parser.context();
    ty.verify(context).map_err(|message| parser.error(start, "invalid-parameters", message))?;
    Ok(ty.intern(context))
}

impl StructType {
    /// The structure type in a context, with the alignment of its members.
    #[must_use]
    pub fn get(context: &Context, name: &str, members: &[Type]) -> Type {
        Self { name: name.to_owned(), members: members.into(), alignment: 1 }.intern(context)
    }
}

/// The number of parts of a vector, matrix, array or structure.
#[must_use]
pub fn part_count(context: &Context, ty: Type) -> Option<u64> {
    if let Some((lanes, _)) = ty.vector_parts(context) {
        return Some(lanes);
    }
    if let Some(matrix) = ty.downcast::<MatrixType>(context) {
        return Some(matrix.columns.into());
    }
    if let Some(array) = ty.downcast::<ArrayType>(context) {
        return Some(array.count);
    }
    ty.downcast::<StructType>(context).map(|structure| structure.members.len() as u64)
}

/// The type of a part of a vector, matrix, array or structure; nothing if there is no such part.
#[must_use]
pub fn part_type(context: &Context, ty: Type, index: u64) -> Option<Type> {
    if index >= part_count(context, ty)? {
        return None;
    }
    match ty.downcast::<StructType>(context) {
        Some(structure) => structure.members.get(usize::try_from(index).ok()?).copied(),
        None => uniform_part_type(context, ty),
    }
}

/// The type that all parts of a vector, matrix or array have.
#[must_use]
pub fn uniform_part_type(context: &Context, ty: Type) -> Option<Type> {
    if let Some((_, element)) = ty.vector_parts(context) {
        return Some(element);
    }
    if let Some(matrix) = ty.downcast::<MatrixType>(context) {
        return Some(matrix.column(context));
    }
    ty.downcast::<ArrayType>(context).map(|array| array.element)
}

/// The types of all parts of a vector, matrix, array or structure. An array has as many as it has elements: ask
/// [`part_count`] first where there may be a lot.
#[must_use]
pub fn parts(context: &Context, ty: Type) -> Option<Vec<Type>> {
    match ty.downcast::<StructType>(context) {
        Some(structure) => Some(structure.members.clone()),
        None => Some(vec![uniform_part_type(context, ty)?; usize::try_from(part_count(context, ty)?).ok()?]),
    }
}
