//! The bodies that are being read.

use rustc_hash::FxHashMap;

use super::{ParseResult, Parser};
use crate::attributes::Dictionary;
use crate::body::{BlockId, Body, RegionId, ValueId};
use crate::location::Location;
use crate::operation::OperationName;
use crate::source::Span;
use crate::types::Type;

/// A body that is being read.
pub(super) struct BodyState<'c> {
    pub(super) body: Body,
    /// The block that operations are put into.
    pub(super) block: Option<BlockId>,
    /// Blocks of the regions around the current place.
    pub(super) labels: Vec<FxHashMap<&'c str, Label>>,
    /// How many regions enclose this body. Names that were bound there are not seen in it.
    pub(super) outer_level: u32,
    /// The operation that the body is, for messages.
    pub(super) name: OperationName,
    /// Whether names that are not defined are nobody's fault: what would define them could not be read.
    pub(super) tolerant: bool,
    /// Places where the name of something that is defined is missing: each explains one name that is not defined.
    pub(super) lost: Vec<u32>,
    /// Headers of blocks without a label in the current region.
    pub(super) labels_lost: usize,
    /// Its arguments stand for values that are not defined yet.
    placeholders: Option<BlockId>,
}

/// A block by its label.
pub(super) struct Label {
    pub(super) block: BlockId,
    pub(super) defined: Option<Span>,
    pub(super) first_use: Span,
}

impl<'c> Parser<'c, '_> {
    pub(super) fn state(&self) -> &BodyState<'c> {
        self.bodies.last().expect("a parser always has the body of the whole text")
    }

    pub(super) fn state_mut(&mut self) -> &mut BodyState<'c> {
        self.bodies.last_mut().expect("a parser always has the body of the whole text")
    }

    pub(super) fn body(&self) -> &Body {
        &self.state().body
    }

    pub(super) fn body_mut(&mut self) -> &mut Body {
        &mut self.state_mut().body
    }

    /// Makes a new body the current one.
    pub(super) fn begin_body(&mut self, name: OperationName, location: Location) {
        self.bodies.push(BodyState {
            body: Body::new(name, location, 0),
            block: None,
            labels: Vec::new(),
            outer_level: self.level,
            name,
            tolerant: false,
            lost: Vec::new(),
            labels_lost: 0,
            placeholders: None,
        });
    }

    /// Ends the current body.
    pub(super) fn finish_body(
        &mut self,
        parts: ParseResult<(Dictionary, Dictionary, Vec<RegionId>)>,
    ) -> ParseResult<Body> {
        let state = self.bodies.pop().expect("a body is finished after it was begun");
        let (properties, attributes, regions) = parts?;
        let mut body = state.body;
        let root = body.root();
        body.set_properties(root, properties);
        body.set_attributes(root, attributes);
        for region in regions {
            body.attach_region(root, region);
        }
        // After an error some are still in use. Then nobody gets the body.
        if let Some(block) = state.placeholders
            && body.arguments(block).iter().all(|&placeholder| body.is_unused(placeholder))
        {
            body.erase_blocks(&[block]);
        }
        body.shrink_to_fit();
        Ok(body)
    }

    /// A value that stands for one that is not defined, yet or at all.
    pub(super) fn placeholder(&mut self, ty: Type) -> ValueId {
        let state = self.state_mut();
        let body = &mut state.body;
        let block = *state.placeholders.get_or_insert_with(|| body.create_block(&[]));
        body.add_argument(block, ty)
    }
}
