//! Arguments of the kernel from what the command line says.

use fermata_ir::text::type_to_string;
use fermata_ir::{Context, Type};
use fermata_runtime::{Buffer, Number, Shape, Value};
use fermata_xir::semantics::ScalarType;
use fermata_xir::types::BufferType;

use crate::npy;
use crate::spec::{Random, Spec};

/// An argument that the tool owns.
pub(crate) enum Owned {
    Value(Value),
    Buffer(Buffer),
}

/// Makes the argument of a type that a specification describes.
pub(crate) fn make(context: &Context, ty: Type, spec: &Spec) -> Result<Owned, String> {
    let Some(buffer) = ty.downcast::<BufferType>(context) else {
        let numbers = match spec {
            Spec::Number(number) => vec![*number],
            Spec::List(numbers) => numbers.clone(),
            _ => {
                return Err(format!("it is of type '{}', so it takes a number or a list", type_to_string(context, ty)));
            }
        };
        let value = Value::new(context, ty, &numbers);
        return value.map(Owned::Value).ok_or_else(|| {
            format!("its type '{}' does not consist of {} numbers", type_to_string(context, ty), numbers.len())
        });
    };
    make_buffer(context, buffer.element, spec).map(Owned::Buffer)
}

fn make_buffer(context: &Context, element: Type, spec: &Spec) -> Result<Buffer, String> {
    let shape = Shape::of(context, element).ok_or("memory cannot hold its elements")?;
    let scalars = shape.scalars.len();
    let count = match spec {
        Spec::Zeros(count) | Spec::Fill(_, count) | Spec::Iota(count) | Spec::Random(_, count) => *count,
        Spec::Number(_) => 1,
        Spec::List(numbers) => elements(numbers.len(), scalars)?,
        Spec::File(path) => {
            let numbers = npy::read(path)?;
            let mut buffer = allocate(context, element, elements(numbers.len(), scalars)?)?;
            fill(&mut buffer, |index, _| numbers[index]);
            return Ok(buffer);
        }
    };
    let mut buffer = allocate(context, element, count)?;
    match spec {
        Spec::Zeros(_) | Spec::File(_) => {}
        Spec::Number(number) | Spec::Fill(number, _) => fill(&mut buffer, |_, _| *number),
        Spec::List(numbers) => fill(&mut buffer, |index, _| numbers[index]),
        Spec::Iota(_) => fill(&mut buffer, |index, _| Number::Integer(index as i128)),
        Spec::Random(seed, _) => {
            let mut random = Random::new(*seed);
            fill(&mut buffer, |_, ty| match ty {
                ScalarType::Float(_) => Number::Float(random.unit()),
                ScalarType::Integer(_) => Number::Integer(random.next().into()),
            });
        }
    }
    Ok(buffer)
}

fn allocate(context: &Context, element: Type, count: usize) -> Result<Buffer, String> {
    Buffer::new(context, element, count).ok_or_else(|| format!("{count} elements do not fit in memory"))
}

fn elements(numbers: usize, scalars: usize) -> Result<usize, String> {
    if numbers.is_multiple_of(scalars) {
        return Ok(numbers / scalars);
    }
    Err(format!("an element consists of {scalars} numbers, and {numbers} is no multiple of that"))
}

/// Sets all scalars of a buffer by their index.
fn fill(buffer: &mut Buffer, mut number: impl FnMut(usize, ScalarType) -> Number) {
    let types: Vec<ScalarType> = buffer.shape().scalars.iter().map(|&(_, ty)| ty).collect();
    for element in 0..buffer.count() {
        let scalars = types.iter().enumerate();
        let numbers: Vec<Number> = scalars.map(|(scalar, &ty)| number(element * types.len() + scalar, ty)).collect();
        buffer.set(element, &numbers);
    }
}
