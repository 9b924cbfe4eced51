//! `coro-materialize`: continuations on plain memory.
//!
//! A continuation becomes a callable whose first argument is a reference to the frame's words and whose result is the
//! next token. A load or store of a part of a word shifts and masks; whole words are moved as they are, and an aggregate
//! word by word in the order of its scalars.

use fermata_coro::{Continuation, FrameLayout, FrameLoad, FrameStore, FrameType, Transition};
use fermata_ir::pass::{Pass, PassOutcome, PassResult, PassTarget};
use fermata_ir::{Body, Builder, Context, OpId, OpRef, OperationView, Type, ValueId};
use fermata_xir::types::{AddressSpace, ArrayType, RefType};
use rustc_hash::FxHashMap;

use super::storage::{scalar_bits, scalars_of_whole};
use super::xir;

/// The pass `coro-materialize`: a continuation becomes a callable on a reference to the words of its frame, whose result
/// is the next token.
#[derive(Clone, Copy, Default, Debug)]
pub struct CoroMaterialize;

impl Pass for CoroMaterialize {
    fn name(&self) -> &'static str {
        "coro-materialize"
    }

    fn description(&self) -> &'static str {
        "Turns continuations into callables on plain memory"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn anchor(&self) -> Option<&'static str> {
        Some("builtin.module")
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        let (context, module, _) = target.parts();
        let words = frame_words(context, module);
        let anchors = module.all_ops();
        let found = anchors.into_iter().filter(|&op| {
            module.nested(op).is_some_and(|body| Continuation::matches(OpRef::new(context, body, body.root())))
        });
        let found: Vec<OpId> = found.collect();
        for &continuation in &found {
            let mut body = module.nested(continuation).expect("a continuation owns its body").clone();
            let callable = materialize(context, &mut body, &words);
            let mut builder = Builder::new(context, module);
            builder.before(continuation);
            builder.create_anchor(callable);
            builder.erase_op(continuation);
        }
        Ok(PassOutcome::changed_if(!found.is_empty()))
    }
}

/// The size of each frame by the symbol of its layout.
fn frame_words(context: &Context, module: &Body) -> FxHashMap<String, u32> {
    let views = module.all_ops().into_iter().filter_map(|op| OpRef::new(context, module, op).cast::<FrameLayout<'_>>());
    views.map(|layout| (layout.sym_name().to_owned(), layout.words())).collect()
}

/// The type of a reference to a frame of so many words. There is no array of none, so an empty frame has one word.
pub(super) fn frame_reference(context: &Context, words: u32) -> Type {
    let i32_type = Type::integer(context, 32);
    RefType::get(context, ArrayType::get(context, i32_type, u64::from(words.max(1))), AddressSpace::Local)
}

fn materialize(context: &Context, body: &mut Body, words: &FxHashMap<String, u32>) -> Body {
    let region = body.regions(body.root())[0];
    let entry = body.entry_block(region).expect("a continuation has a body");
    let frame = body.arguments(entry)[0];
    let layout =
        body.value_type(frame).downcast::<FrameType>(context).expect("a continuation's first argument is a frame");
    let layout = layout.layout.symbol_value(context).expect("a frame type names its layout").root.as_str(context);
    let reference = frame_reference(context, words.get(layout).copied().unwrap_or(0));
    body.set_value_type(frame, reference);
    for op in body.all_ops() {
        let view = OpRef::new(context, body, op);
        if FrameLoad::matches(view) {
            replace_load(context, body, op, frame);
        } else if FrameStore::matches(view) {
            replace_store(context, body, op, frame);
        } else if let Some(transition) = view.cast::<Transition<'_>>() {
            let token = transition.token();
            let mut builder = Builder::new(context, body);
            builder.before(op);
            let token = xir::i32_constant(&mut builder, token);
            xir::return_value(&mut builder, token);
            builder.erase_op(op);
        }
    }
    xir::into_callable(context, body.clone(), &[Type::integer(context, 32)])
}

fn replace_load(context: &Context, body: &mut Body, op: OpId, frame: ValueId) {
    let load = FrameLoad::from_ref_unchecked(OpRef::new(context, body, op));
    let (word, bit, ty) = (load.word(), load.bit(), body.value_type(body.result(op, 0)));
    let mut builder = Builder::new(context, body);
    builder.before(op);
    let value = load_value(&mut builder, frame, word, bit, ty);
    builder.replace_op(op, &[value]);
}

fn replace_store(context: &Context, body: &mut Body, op: OpId, frame: ValueId) {
    let store = FrameStore::from_ref_unchecked(OpRef::new(context, body, op));
    let (word, bit, value) = (store.word(), store.bit(), store.value());
    let ty = body.value_type(value);
    let mut builder = Builder::new(context, body);
    builder.before(op);
    store_value(&mut builder, frame, word, bit, value, ty);
    builder.erase_op(op);
}

fn load_value(builder: &mut Builder<'_>, frame: ValueId, word: u32, bit: u32, ty: Type) -> ValueId {
    let context = builder.context();
    match scalar_bits(context, ty) {
        Some(32) => {
            let bits = xir::load_word(builder, frame, word);
            xir::bitcast(builder, bits, ty)
        }
        Some(64) => {
            let parts = [word, word + 1].map(|word| xir::load_word(builder, frame, word));
            let pair = xir::build(builder, Type::vector(context, 2, Type::integer(context, 32)), &parts);
            xir::bitcast(builder, pair, ty)
        }
        Some(width) => {
            let whole = xir::load_word(builder, frame, word);
            let shifted = xir::shift_right(builder, whole, bit);
            let narrow = xir::truncate(builder, shifted, width);
            xir::bitcast(builder, narrow, ty)
        }
        None => {
            let parts = scalars_of_whole(context, ty)
                .into_iter()
                .map(|scalar| load_value(builder, frame, word + scalar.offset / 4, scalar.offset % 4 * 8, scalar.ty));
            let parts: Vec<ValueId> = parts.collect();
            xir::assemble(builder, ty, &parts)
        }
    }
}

fn store_value(builder: &mut Builder<'_>, frame: ValueId, word: u32, bit: u32, value: ValueId, ty: Type) {
    let context = builder.context();
    match scalar_bits(context, ty) {
        Some(32) => {
            let bits = xir::bitcast(builder, value, Type::integer(context, 32));
            xir::store_word(builder, bits, frame, word);
        }
        Some(64) => {
            let pair = xir::bitcast(builder, value, Type::vector(context, 2, Type::integer(context, 32)));
            for index in 0..2 {
                let half = xir::extract_path(builder, pair, &[index]);
                xir::store_word(builder, half, frame, word + index);
            }
        }
        Some(width) => {
            let bits = xir::bitcast(builder, value, Type::integer(context, width));
            let wide = xir::extend(builder, bits);
            let placed = xir::shift_left(builder, wide, bit);
            let old = xir::load_word(builder, frame, word);
            let mask = !(((1_u32 << width) - 1) << bit);
            let kept = xir::and_constant(builder, old, mask);
            let merged = xir::or(builder, kept, placed);
            xir::store_word(builder, merged, frame, word);
        }
        None => {
            for scalar in scalars_of_whole(context, ty) {
                let part = xir::extract_path(builder, value, &scalar.path);
                store_value(builder, frame, word + scalar.offset / 4, scalar.offset % 4 * 8, part, scalar.ty);
            }
        }
    }
}
