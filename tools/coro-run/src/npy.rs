//! NumPy files.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use fermata_runtime::{Buffer, Number};
use fermata_xir::semantics::{FloatFormat, ScalarType};
use npyz::{DType, TypeChar, TypeStr, WriterBuilder};

/// The numbers of an array, in C order.
pub(crate) fn read(path: &Path) -> Result<Vec<Number>, String> {
    let name = path.display();
    let file = File::open(path).map_err(|error| format!("cannot open '{name}': {error}"))?;
    let file = npyz::NpyFile::new(BufReader::new(file)).map_err(|error| format!("cannot read '{name}': {error}"))?;
    let DType::Plain(ty) = file.dtype() else {
        return Err(format!("'{name}' holds records; expected an array of plain numbers"));
    };
    if file.order() != npyz::Order::C {
        return Err(format!("'{name}' is in Fortran order; expected C order"));
    }
    let unsupported = || format!("'{name}' holds numbers of type '{ty}', which are not read");
    let failed = |error: std::io::Error| format!("cannot read '{name}': {error}");
    macro_rules! numbers {
        ($ty:ty, $kind:ident) => {
            file.into_vec::<$ty>().map_err(failed)?.into_iter().map(|value| Number::$kind(value.into())).collect()
        };
    }
    Ok(match (ty.type_char(), ty.size_field()) {
        (TypeChar::Bool, _) => {
            file.into_vec::<bool>().map_err(failed)?.into_iter().map(|value| Number::Integer(value.into())).collect()
        }
        (TypeChar::Int, 1) => numbers!(i8, Integer),
        (TypeChar::Int, 2) => numbers!(i16, Integer),
        (TypeChar::Int, 4) => numbers!(i32, Integer),
        (TypeChar::Int, 8) => numbers!(i64, Integer),
        (TypeChar::Uint, 1) => numbers!(u8, Integer),
        (TypeChar::Uint, 2) => numbers!(u16, Integer),
        (TypeChar::Uint, 4) => numbers!(u32, Integer),
        (TypeChar::Uint, 8) => numbers!(u64, Integer),
        (TypeChar::Float, 4) => numbers!(f32, Float),
        (TypeChar::Float, 8) => numbers!(f64, Float),
        _ => return Err(unsupported()),
    })
}

/// Writes a buffer as an array: one dimension for the elements, and one for the scalars of each if there are several. All
/// scalars of an element must be of one type.
pub(crate) fn write(path: &Path, buffer: &Buffer) -> Result<(), String> {
    let name = path.display();
    let scalars = &buffer.shape().scalars;
    let ty = scalars[0].1;
    if scalars.iter().any(|&(_, other)| other != ty) {
        return Err(format!("cannot write '{name}': the scalars of an element are of different types"));
    }
    let mut shape = vec![buffer.count() as u64];
    if scalars.len() > 1 {
        shape.push(scalars.len() as u64);
    }
    let file = File::create(path).map_err(|error| format!("cannot create '{name}': {error}"))?;
    let failed = |error: std::io::Error| format!("cannot write '{name}': {error}");
    let numbers = (0..buffer.count()).flat_map(|index| buffer.get(index));
    macro_rules! write_as {
        ($ty:ty, $dtype:literal) => {{
            let dtype: TypeStr = $dtype.parse().expect("the type strings here are NumPy's");
            let options = npyz::WriteOptions::new().dtype(DType::Plain(dtype)).shape(&shape);
            let mut writer = options.writer(BufWriter::new(file)).begin_nd().map_err(failed)?;
            for number in numbers {
                let value = match number {
                    Number::Integer(value) => value as $ty,
                    Number::Float(value) => value as $ty,
                };
                writer.push(&value).map_err(failed)?;
            }
            writer.finish().map_err(failed)
        }};
    }
    match ty {
        ScalarType::Integer(width) => match width.bits() {
            1 => write_as!(u8, "|u1"),
            8 => write_as!(i8, "|i1"),
            16 => write_as!(i16, "<i2"),
            32 => write_as!(i32, "<i4"),
            _ => write_as!(i64, "<i8"),
        },
        // A binary16 is written as a binary32, which holds it exactly.
        ScalarType::Float(FloatFormat::F16 | FloatFormat::F32) => write_as!(f32, "<f4"),
        ScalarType::Float(FloatFormat::F64) => write_as!(f64, "<f8"),
    }
}
