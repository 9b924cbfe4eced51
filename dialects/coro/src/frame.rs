//! Frames: where values wait while a coroutine is suspended.
//!
//! A frame is a row of 32-bit words with no header. A value of 8 or 16 bits or a boolean takes a part of a word, a
//! 64-bit value two words in a row, and an aggregate that stays whole as many as its size in memory says. Which word
//! holds what depends on the token: values that are never live at the same suspension share words.

use fermata_ir::constraints::TypeIs;
use fermata_ir::constraints::U32Attribute;
use fermata_ir::constraints::{AnyType, ArrayAttribute, StringAttribute, SymbolName};
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    EffectKind, MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel, VerifyInterface, VerifyModel,
};
use fermata_ir::{Attribute, Context, OpRef, OperationView, Type, attribute_definition, operation, type_definition};

/// The frame of a coroutine, laid out as the symbol says: `!coro.frame<@path.frame>`.
#[type_definition(name = "coro.frame", verify = verify_frame_type)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FrameType {
    /// Symbol of the [`FrameLayout`].
    pub layout: Attribute,
}

fn verify_frame_type(frame: &FrameType, context: &Context) -> Result<(), String> {
    match frame.layout.symbol_value(context) {
        Some(_) => Ok(()),
        None => Err("the parameter of !coro.frame must be the symbol of a frame layout".into()),
    }
}

/// Where one atom of a coroutine waits: `#coro.slot<3, 0, f32>`.
#[attribute_definition(name = "coro.slot")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    /// First word.
    pub word: u32,
    /// First bit in the word; not 0 only for values narrower than a word.
    pub bit: u32,
    /// Type of the value.
    pub ty: Type,
}

/// The layout of a coroutine's frame: its size in 32-bit words, and a slot for each atom of the analysis.
#[operation(
    name = "coro.frame_layout",
    traits = [SYMBOL],
    interfaces = [Verify],
    format = "$sym_name `words` $words `slots` $slots attr-dict",
)]
pub struct FrameLayout {
    #[property]
    sym_name: SymbolName,
    #[property(optional)]
    sym_visibility: StringAttribute,
    #[property]
    words: U32Attribute,
    #[property]
    slots: ArrayAttribute,
}

impl VerifyInterface for FrameLayout<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let layout = FrameLayout::from_ref_unchecked(op);
        for attribute in layout.slots() {
            let fault = match attribute.downcast::<Slot>(op.context) {
                None => "every slot must be a #coro.slot".to_owned(),
                Some(slot) if slot.word >= layout.words() || slot.bit >= 32 => {
                    format!("slot at word {}, bit {} is outside of {} words", slot.word, slot.bit, layout.words())
                }
                Some(_) => continue,
            };
            let message = format!("'coro.frame_layout' op {fault}");
            diagnostics.report(Diagnostic::error("frame-slot", op.location(), message));
        }
    }
}

/// Reads a value from the frame, from bit `bit` of word `word` on.
#[operation(
    name = "coro.frame_load",
    interfaces = [MemoryEffects],
    format = "$frame `[` $word `,` $bit `]` attr-dict `:` type($frame) `->` type($result)",
)]
pub struct FrameLoad {
    #[operand]
    frame: TypeIs<FrameType>,
    #[property]
    word: U32Attribute,
    #[property]
    bit: U32Attribute,
    #[result]
    result: AnyType,
}

impl MemoryEffectsInterface for FrameLoad<'_> {
    fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        effects.push(MemoryEffect { kind: EffectKind::Read, value: Some(op.operand(0)) });
    }
}

/// Writes a value to the frame, from bit `bit` of word `word` on. Other bits of the word keep their values.
#[operation(
    name = "coro.frame_store",
    interfaces = [MemoryEffects],
    format = "$value `,` $frame `[` $word `,` $bit `]` attr-dict `:` type($value) `,` type($frame)",
)]
pub struct FrameStore {
    #[operand]
    value: AnyType,
    #[operand]
    frame: TypeIs<FrameType>,
    #[property]
    word: U32Attribute,
    #[property]
    bit: U32Attribute,
}

impl MemoryEffectsInterface for FrameStore<'_> {
    fn effects(op: OpRef<'_>, effects: &mut Vec<MemoryEffect>) {
        effects.push(MemoryEffect { kind: EffectKind::Write, value: Some(op.operand(1)) });
    }
}
