//! The table of value names.
//!
//! One table serves the whole text. A name has a *slot*; what the slot holds at a time is its *binding*, made at a
//! *level*: how many regions enclose the place. A change that outlives neither its region nor its name is written to a
//! log first, so that the end of a region takes back what was bound in it, in time linear in that.
//!
//! Names that are numbers, as printers write them, index a vector; only others are hashed.

use rustc_hash::FxHashMap;

use crate::body::ValueId;
use crate::source::Span;
use crate::types::Type;

/// Where the binding of a name is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Slot(u32);

const NAMED: u32 = 1 << 31;

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) struct Binding {
    pub(super) meaning: Meaning,
    /// At how many enclosing regions it was bound.
    pub(super) level: u32,
}

#[derive(Clone, Copy)]
pub(super) enum Meaning {
    /// Nothing.
    Unbound,
    /// `count` values in a row, defined at a position.
    Values { first: ValueId, count: u32, position: u32 },
    /// The results of an operation that could not be read: uses are silent.
    Poisoned { position: u32 },
    /// Something that is used and may be defined further on; an index into [`Names::forward`].
    Forward(u32),
}

const UNBOUND: Binding = Binding { meaning: Meaning::Unbound, level: 0 };

/// Uses of a name before its definition, in one region and those in it that have ended.
#[derive(Default)]
pub(super) struct Forward {
    /// One for each result number that is used.
    pub(super) uses: Vec<ForwardUse>,
}

/// A value used before its definition.
#[derive(Clone, Copy)]
pub(super) struct ForwardUse {
    pub(super) index: u32,
    pub(super) ty: Type,
    /// Stands for the value until it is defined.
    pub(super) placeholder: ValueId,
    pub(super) first_use: Span,
}

/// The table; see the [module](self).
pub(super) struct Names<'c> {
    numbered: Vec<Binding>,
    /// Larger numbers are hashed like other names, so that the vector stays in proportion to the text.
    largest_number: u32,
    slots: FxHashMap<&'c str, Slot>,
    named: Vec<(&'c str, Binding)>,
    log: Vec<(Slot, Binding)>,
    pub(super) forward: Vec<Forward>,
}

impl<'c> Names<'c> {
    /// An empty table for a text of so many bytes.
    pub(super) fn new(text_length: usize) -> Self {
        // The shortest operation that defines a value has 24 bytes, and a printer numbers values without gaps.
        let largest_number = u32::try_from(text_length / 16 + 16).unwrap_or(NAMED - 1).min(NAMED - 1);
        Self {
            numbered: Vec::new(),
            largest_number,
            slots: FxHashMap::default(),
            named: Vec::new(),
            log: Vec::new(),
            forward: Vec::new(),
        }
    }

    /// The slot of a name.
    pub(super) fn slot(&mut self, name: &'c str) -> Slot {
        if let Some(number) = plain_number(name)
            && number <= self.largest_number
        {
            if number as usize >= self.numbered.len() {
                self.numbered.resize(number as usize + 1, UNBOUND);
            }
            return Slot(number);
        }
        if let Some(&slot) = self.slots.get(name) {
            return slot;
        }
        let slot = Slot(self.named.len() as u32 | NAMED);
        self.named.push((name, UNBOUND));
        self.slots.insert(name, slot);
        slot
    }

    /// The slot of a name, if it has one.
    pub(super) fn known_slot(&self, name: &str) -> Option<Slot> {
        match plain_number(name) {
            Some(number) if number <= self.largest_number => {
                ((number as usize) < self.numbered.len()).then_some(Slot(number))
            }
            _ => self.slots.get(name).copied(),
        }
    }

    /// The name of a slot.
    pub(super) fn text(&self, slot: Slot) -> String {
        match slot.0 & NAMED {
            0 => slot.0.to_string(),
            _ => self.named[(slot.0 & !NAMED) as usize].0.to_owned(),
        }
    }

    /// What a slot holds.
    pub(super) fn get(&self, slot: Slot) -> Binding {
        match slot.0 & NAMED {
            0 => self.numbered[slot.0 as usize],
            _ => self.named[(slot.0 & !NAMED) as usize].1,
        }
    }

    /// Changes what a slot holds, for good.
    pub(super) fn set(&mut self, slot: Slot, binding: Binding) {
        match slot.0 & NAMED {
            0 => self.numbered[slot.0 as usize] = binding,
            _ => self.named[(slot.0 & !NAMED) as usize].1 = binding,
        }
    }

    /// Changes what a slot holds until the end of the region.
    pub(super) fn bind(&mut self, slot: Slot, binding: Binding) {
        let old = self.get(slot);
        // A forward reference of the same region was logged when it was made.
        if !(matches!(old.meaning, Meaning::Forward(_)) && old.level == binding.level) {
            self.log.push((slot, old));
        }
        self.set(slot, binding);
    }

    /// Where the log is now; what comes later belongs to the region that begins here.
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// The changes since a mark, in order, each a slot and what it held before.
    pub(super) fn take_log(&mut self, mark: usize) -> Vec<(Slot, Binding)> {
        self.log.split_off(mark)
    }

    /// Keeps a change in the log: it belongs to the region around the one that ended.
    pub(super) fn keep(&mut self, slot: Slot, old: Binding) {
        self.log.push((slot, old));
    }
}

/// The value of a name that is a number as printers write it: without leading zeros.
fn plain_number(name: &str) -> Option<u32> {
    let bytes = name.as_bytes();
    if bytes.is_empty() || bytes.len() > 9 || bytes[0] == b'0' && bytes.len() > 1 {
        return None;
    }
    bytes.iter().try_fold(0, |number, &byte| byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(level: u32) -> Binding {
        let meaning = Meaning::Values { first: ValueId::from_index(7), count: 1, position: 0 };
        Binding { meaning, level }
    }

    fn is_bound(names: &Names<'_>, slot: Slot) -> bool {
        matches!(names.get(slot).meaning, Meaning::Values { .. })
    }

    fn restore(names: &mut Names<'_>, mark: usize) {
        for (slot, old) in names.take_log(mark).into_iter().rev() {
            names.set(slot, old);
        }
    }

    #[test]
    fn different_spellings_are_different_names() {
        let mut names = Names::new(1000);
        let spellings = ["0", "00", "1", "01", "a", "999999999", "9999999999", "4294967296", "a1", "_"];
        let slots: Vec<Slot> = spellings.iter().map(|name| names.slot(name)).collect();
        for (index, &slot) in slots.iter().enumerate() {
            assert_eq!(names.text(slot), spellings[index]);
            assert!(slots[..index].iter().all(|&other| other != slot));
            assert!(names.known_slot(spellings[index]) == Some(slot));
        }
        assert!(names.known_slot("77").is_none());
        assert!(names.numbered.len() < 100, "a large number must not make a large table");
    }

    #[test]
    fn the_end_of_a_region_takes_back_its_names() {
        let mut names = Names::new(1000);
        let (a, b) = (names.slot("0"), names.slot("x"));
        names.bind(a, values(1));
        let mark = names.mark();
        names.bind(a, values(2));
        names.bind(b, values(2));
        restore(&mut names, mark);
        assert_eq!(names.get(a).level, 1);
        assert!(is_bound(&names, a) && !is_bound(&names, b));
        restore(&mut names, 0);
        assert!(!is_bound(&names, a));
    }
}
