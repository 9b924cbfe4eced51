//! Resources: what a kernel is given from outside.

use fermata_ir::{Context, Keyword, Type, type_definition};

use super::is_value_type;
use crate::semantics::ScalarType;

/// A buffer of elements: `!xir.buffer<f32>`. How many there are is known when the kernel runs. Elements lie at the
/// stride of their type.
#[type_definition(name = "xir.buffer", verify = verify_buffer)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BufferType {
    /// Type of an element, a value type.
    pub element: Type,
}

fn verify_buffer(ty: &BufferType, context: &Context) -> Result<(), String> {
    if is_value_type(context, ty.element) {
        Ok(())
    } else {
        Err("the elements of a buffer are scalars, vectors, matrices, arrays or structures".to_owned())
    }
}

impl BufferType {
    /// The buffer type in a context.
    #[must_use]
    pub fn get(context: &Context, element: Type) -> Type {
        fermata_ir::types::DialectType::intern(Self { element }, context)
    }
}

/// A texture: `!xir.texture<f32, 2>`. A texel is a vector of four channels.
#[type_definition(name = "xir.texture", verify = verify_texture)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TextureType {
    /// Type that a channel has in the kernel: `f32` or `i32`.
    pub channel: Type,
    /// 2 or 3.
    pub dimensions: u32,
}

fn verify_texture(ty: &TextureType, context: &Context) -> Result<(), String> {
    match ScalarType::of(context, ty.channel) {
        Some(scalar) if scalar.bits() == 32 => {}
        _ => return Err("the channels of a texture are f32 or i32".to_owned()),
    }
    if matches!(ty.dimensions, 2 | 3) { Ok(()) } else { Err("a texture has 2 or 3 dimensions".to_owned()) }
}

/// An array of buffers and textures that a kernel picks from by number: `!xir.bindless_array`.
#[type_definition(name = "xir.bindless_array")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BindlessArrayType;

/// An acceleration structure for finding where rays hit: `!xir.accel`.
#[type_definition(name = "xir.accel")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AccelType;

/// Which hits a ray query looks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Keyword)]
pub enum RayQueryKind {
    /// The closest one, so it sees all.
    All,
    /// Any one: it ends at the first.
    Any,
}

/// The search for where a ray hits an acceleration structure, while it goes on: `!xir.ray_query<all>`.
#[type_definition(name = "xir.ray_query")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RayQueryType {
    /// Which hits it looks for.
    pub kind: RayQueryKind,
}
