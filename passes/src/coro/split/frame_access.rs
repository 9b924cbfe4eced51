//! Moving items between values and the frame.

use fermata_coro::{FrameLoad, FrameStore};
use fermata_ir::{Builder, Type, ValueId};
use rustc_hash::FxHashMap;

use super::continuation::Source;
use crate::coro::analysis::{Item, Transfer};
use crate::coro::storage::{item_type, scalar_bits};
use crate::coro::xir;

/// Reads and writes the frame of one continuation.
pub(super) struct FrameAccess<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) frame: ValueId,
}

impl FrameAccess<'_> {
    /// Loads all atoms of an item and puts them together.
    pub(super) fn load(&self, builder: &mut Builder<'_>, item: Item) -> ValueId {
        let analysis = self.source.analysis;
        let mut loaded = Vec::new();
        for atom in analysis.ranges[&item].clone() {
            let (place, ty) = (self.source.places[atom as usize], analysis.atoms[atom as usize].ty);
            let load = FrameLoad::build(builder, self.frame, ty, place.word, place.bit);
            loaded.push(builder.body().result(load, 0));
        }
        let whole = item_type(self.source.context, self.source.coroutine, item);
        self.assemble(builder, whole, item, &loaded)
    }

    fn assemble(&self, builder: &mut Builder<'_>, whole: Type, item: Item, loaded: &[ValueId]) -> ValueId {
        let first = self.source.analysis.ranges[&item].start;
        if self.source.analysis.atoms[first as usize].path.is_empty() {
            return loaded[0];
        }
        xir::assemble(builder, whole, loaded)
    }

    /// Takes a value apart and stores all atoms of an item.
    pub(super) fn store(&self, builder: &mut Builder<'_>, item: Item, value: ValueId) {
        let analysis = self.source.analysis;
        for atom in analysis.ranges[&item].clone() {
            let place = self.source.places[atom as usize];
            let piece = xir::extract_path(builder, value, &analysis.atoms[atom as usize].path);
            FrameStore::build(builder, piece, self.frame, place.word, place.bit);
        }
    }

    /// Sets to zero the words which this transfer writes in parts and of which nothing else is alive, so that writing
    /// a part does not read what nobody wrote.
    pub(super) fn clear_shared_words(&self, builder: &mut Builder<'_>, transfer: &Transfer) {
        let analysis = self.source.analysis;
        let mut stored: FxHashMap<u32, bool> = FxHashMap::default();
        let partial_word = |atom: u32| {
            let bits = scalar_bits(self.source.context, analysis.atoms[atom as usize].ty)?;
            (bits < 32).then(|| self.source.places[atom as usize].word)
        };
        for word in transfer.stores.iter().filter_map(|&atom| partial_word(atom)) {
            stored.insert(word, true);
        }
        let live = &analysis.scopes[transfer.to].live;
        let kept = live.iter().filter(|atom| transfer.stores.binary_search(atom).is_err());
        for word in kept.filter_map(|&atom| partial_word(atom)) {
            stored.insert(word, false);
        }
        let mut words: Vec<u32> = stored.into_iter().filter_map(|(word, clear)| clear.then_some(word)).collect();
        words.sort_unstable();
        for word in words {
            let i32_type = Type::integer(self.source.context, 32);
            let zero = xir::zero(builder, i32_type);
            FrameStore::build(builder, zero, self.frame, word, 0);
        }
    }
}
