//! Numbers of values and blocks.
//!
//! As MLIR: arguments of entry blocks are `%arg0`, `%arg1`, ..., all other values `%0`, `%1`, ..., and a whole region is
//! numbered before the regions nested in it.
//!
//! In the generic form the numbers go on through all regions of the text, of several nested regions the last one first:
//! that is what `mlir-opt` 19 prints for operations that it does not know. In the custom form, meant for people, numbers
//! start anew in each isolated operation, and sibling regions start from the same numbers.

use rustc_hash::FxHashMap;

use super::Printer;
use crate::body::{BlockId, Body, RegionId, ValueId};

const ARGUMENT: u32 = 1 << 31;
const NONE: u32 = u32::MAX;

/// The numbers in one body.
pub(super) struct BodyNames<'a> {
    pub(super) body: &'a Body,
    values: Vec<u32>,
    blocks: Vec<u32>,
}

impl<'a> BodyNames<'a> {
    pub(super) fn new(body: &'a Body) -> Self {
        Self { body, values: vec![NONE; body.value_capacity()], blocks: vec![NONE; body.block_capacity()] }
    }
}

/// The next free numbers.
#[derive(Clone, Copy, Default)]
pub(super) struct Counters {
    value: u32,
    argument: u32,
}

impl BodyNames<'_> {
    /// Numbers all values and blocks of a region.
    fn number(&mut self, region: RegionId, next: &mut Counters) {
        let body = self.body;
        for (index, block) in body.blocks(region).enumerate() {
            self.blocks[block.index()] = index as u32;
            for &argument in body.arguments(block) {
                if index == 0 {
                    self.values[argument.index()] = next.argument | ARGUMENT;
                    next.argument += 1;
                } else {
                    self.values[argument.index()] = next.value;
                    next.value += 1;
                }
            }
            for op in body.ops(block) {
                if body.result_count(op) > 0 {
                    self.values[body.result(op, 0).index()] = next.value;
                    next.value += 1;
                }
            }
        }
    }
}

/// The numbers of the whole text in the generic form, by the address of each body.
pub(super) fn number_all(root: &Body) -> FxHashMap<*const Body, BodyNames<'_>> {
    let mut numbered: FxHashMap<*const Body, BodyNames<'_>> = FxHashMap::default();
    let mut next = Counters::default();
    let mut pending: Vec<(&Body, RegionId)> = Vec::new();
    let push_regions = |pending: &mut Vec<_>, body, op| {
        let body: &Body = body;
        pending.extend(body.regions(op).iter().map(|&region| (body, region)));
    };
    push_regions(&mut pending, root, root.root());
    while let Some((body, region)) = pending.pop() {
        let names = numbered.entry(std::ptr::from_ref(body)).or_insert_with(|| BodyNames::new(body));
        names.number(region, &mut next);
        for block in body.blocks(region) {
            for op in body.ops(block) {
                match body.nested(op) {
                    Some(nested) => push_regions(&mut pending, nested, nested.root()),
                    None => push_regions(&mut pending, body, op),
                }
            }
        }
    }
    numbered
}

impl<'a> Printer<'a> {
    /// Makes a body the current one.
    pub(super) fn enter_body(&mut self, body: &'a Body) {
        let names = self.numbered.remove(&std::ptr::from_ref(body)).unwrap_or_else(|| BodyNames::new(body));
        self.bodies.push(names);
    }

    /// Numbers all values and blocks of a region of the current body, if that has not been done for the whole text.
    pub(super) fn number_region(&mut self, region: RegionId) {
        if !self.options.generic {
            let names = self.bodies.last_mut().expect("a region is printed as a part of its body");
            names.number(region, &mut self.next);
        }
    }

    /// Gives the values of a region their names before it is printed, so that a custom form can write its arguments.
    pub(crate) fn prepare_region(&mut self, region: RegionId) {
        let saved = self.next;
        self.number_region(region);
        self.next = saved;
    }

    /// Writes the name of a value: `%0`, `%arg0`, or `%0#1` for one of several results.
    pub fn value(&mut self, value: ValueId) {
        let Some(names) = self.bodies.last() else { return self.write("<<no body>>") };
        let body = names.body;
        let (base, part) = match body.definition(value) {
            crate::body::ValueDefinition::Result { op, index } if !body.is_erased(op) && body.result_count(op) > 1 => {
                (body.result(op, 0), Some(index))
            }
            _ => (value, None),
        };
        match names.values.get(base.index()).copied().unwrap_or(NONE) {
            NONE => return self.write("<<unknown value>>"),
            number if number & ARGUMENT != 0 => {
                self.write("%arg");
                self.number(number & !ARGUMENT);
            }
            number => {
                self.write("%");
                self.number(number);
            }
        }
        if let Some(part) = part {
            self.write("#");
            self.number(part);
        }
    }

    /// Writes values with commas between them.
    pub fn values(&mut self, values: impl IntoIterator<Item = ValueId>) {
        self.list(values, Self::value);
    }

    /// Writes the label of a block.
    pub fn block(&mut self, block: BlockId) {
        let number = self.bodies.last().and_then(|names| names.blocks.get(block.index()).copied()).unwrap_or(NONE);
        if number == NONE {
            return self.write("<<unknown block>>");
        }
        self.write("^bb");
        self.number(number);
    }

    /// The number of a block in its region, if it has been given one.
    pub(super) fn block_number(&self, block: BlockId) -> u32 {
        self.bodies.last().map_or(NONE, |names| names.blocks[block.index()])
    }
}
