//! Numbers of values and blocks.
//!
//! As MLIR: arguments of entry blocks are `%arg0`, `%arg1`, ..., all other values `%0`, `%1`, ...; a whole region is
//! numbered before the regions nested in it, and each of those starts from where its parent region ended.

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

impl<'a> Printer<'a> {
    /// Numbers all values and blocks of a region of the current body.
    pub(super) fn number_region(&mut self, region: RegionId) {
        let names = self.bodies.last_mut().expect("a region is printed as a part of its body");
        let body = names.body;
        for (index, block) in body.blocks(region).enumerate() {
            names.blocks[block.index()] = index as u32;
            for &argument in body.arguments(block) {
                if index == 0 {
                    names.values[argument.index()] = self.next_argument | ARGUMENT;
                    self.next_argument += 1;
                } else {
                    names.values[argument.index()] = self.next_value;
                    self.next_value += 1;
                }
            }
            for op in body.ops(block) {
                if body.result_count(op) > 0 {
                    names.values[body.result(op, 0).index()] = self.next_value;
                    self.next_value += 1;
                }
            }
        }
    }

    /// Gives the values of a region their names before it is printed, so that a custom form can write its arguments.
    pub(crate) fn prepare_region(&mut self, region: RegionId) {
        let saved = (self.next_value, self.next_argument);
        self.number_region(region);
        (self.next_value, self.next_argument) = saved;
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
