//! The frame of a split coroutine: words, each bit written or not.

use fermata_ir::{Context, Type};
use fermata_xir::semantics::ScalarType;
use fermata_xir::types::{ElementwiseType, part_count};

use crate::memory::{Codec, Object};
use crate::value::Value;

/// Words of a frame.
#[derive(Clone, Default, Debug)]
pub(crate) struct Frame {
    words: Vec<u32>,
    written: Vec<u32>,
}

impl Frame {
    fn reserve(&mut self, words: usize) {
        if self.words.len() < words {
            self.words.resize(words, 0);
            self.written.resize(words, 0);
        }
    }

    /// Reads a value; says whether all of it had been written.
    pub(crate) fn load(&mut self, context: &Context, word: usize, bit: u32, ty: Type) -> (Value, bool) {
        match ScalarType::of(context, ty) {
            Some(scalar) => {
                self.reserve(word + 2);
                let (bits, written) = self.bits(word, bit, scalar.bits());
                (Value::scalar(bits), written)
            }
            None => {
                let mut codec = Codec::new(context);
                let size = codec.size(ty);
                let mut object = Object::new(size.next_multiple_of(4));
                self.reserve(word + size.div_ceil(4));
                for index in 0..size.div_ceil(4) {
                    object.bytes[index * 4..index * 4 + 4].copy_from_slice(&self.words[word + index].to_le_bytes());
                    for byte in 0..4 {
                        object.written[index * 4 + byte] = self.written[word + index] >> (byte * 8) & 0xFF == 0xFF;
                    }
                }
                codec.read(&object, 0, ty)
            }
        }
    }

    fn bits(&self, word: usize, bit: u32, width: u32) -> (u64, bool) {
        let pair = |words: &[u32]| u64::from(words[word]) | u64::from(words[word + 1]) << 32;
        let mask = u64::MAX >> (64 - width);
        (pair(&self.words) >> bit & mask, pair(&self.written) >> bit & mask == mask)
    }

    /// Writes a value.
    pub(crate) fn store(&mut self, context: &Context, word: usize, bit: u32, ty: Type, value: &Value) {
        match ScalarType::of(context, ty) {
            Some(scalar) => {
                self.reserve(word + 2);
                let mask = (u64::MAX >> (64 - scalar.bits())) << bit;
                let placed = value.bits() << bit & mask;
                for (index, shift) in [(word, 0), (word + 1, 32)] {
                    let (mask, placed) = ((mask >> shift) as u32, (placed >> shift) as u32);
                    self.words[index] = self.words[index] & !mask | placed;
                    self.written[index] |= mask;
                }
            }
            None => {
                debug_assert!(ElementwiseType::of(context, ty).is_some() || part_count(context, ty).is_some());
                let mut codec = Codec::new(context);
                let size = codec.size(ty);
                let mut object = Object::new(size.next_multiple_of(4));
                codec.write(&mut object, 0, ty, value);
                self.reserve(word + size.div_ceil(4));
                for index in 0..size.div_ceil(4) {
                    for byte in 0..4 {
                        if object.written[index * 4 + byte] {
                            let shift = byte as u32 * 8;
                            let cleared = self.words[word + index] & !(0xFF << shift);
                            self.words[word + index] = cleared | u32::from(object.bytes[index * 4 + byte]) << shift;
                            self.written[word + index] |= 0xFF << shift;
                        }
                    }
                }
            }
        }
    }
}
