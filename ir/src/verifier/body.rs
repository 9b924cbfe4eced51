//! The walk through one body.

use super::VerifyOptions;
use super::attributes::ValidAttributes;
use super::faults::{Faults, NestedBody};
use super::message::about;
use super::names::{NameFacts, NameTable};
use super::properties::ValidProperties;
use crate::analysis::RegionTree;
use crate::body::{BlockId, Body, OpId, RegionId};
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::identifier::Identifier;
use crate::operation::{OpRef, OperationTraits};

/// What is remembered from body to body.
pub(super) struct Session<'a> {
    pub(super) context: &'a Context,
    pub(super) options: VerifyOptions,
    pub(super) names: NameTable,
    pub(super) properties: ValidProperties,
    pub(super) attributes: ValidAttributes,
    pub(super) segment_sizes: Identifier,
}

impl<'a> Session<'a> {
    pub(super) fn new(context: &'a Context, options: &VerifyOptions) -> Self {
        Self {
            context,
            options: *options,
            names: NameTable::default(),
            properties: ValidProperties::default(),
            attributes: ValidAttributes::default(),
            segment_sizes: context.identifier("operandSegmentSizes"),
        }
    }
}

/// A region that the walk is in, and how far it got there.
pub(super) struct Frame {
    pub(super) region: RegionId,
    /// Which region of the operation around it this is.
    index: usize,
    pub(super) holder: OpId,
    pub(super) block: BlockId,
    /// The operation that is looked at, or that holds the regions that are.
    pub(super) current: Option<OpId>,
    next: Option<OpId>,
    /// A terminator stands in the middle of the block, which explains what else is wrong with its end.
    pub(super) has_misplaced_terminator: bool,
    /// Whether definitions come before uses within a block.
    pub(super) is_ordered: bool,
    /// Made when the first use crosses blocks.
    pub(super) tree: Option<RegionTree>,
}

/// Verifies one body, without the bodies nested in it.
pub(super) struct BodyVerifier<'s, 'a> {
    pub(super) session: &'s mut Session<'a>,
    pub(super) context: &'a Context,
    pub(super) body: &'a Body,
    /// The regions around the operation that is looked at, outermost first.
    pub(super) frames: Vec<Frame>,
    /// For each region that was entered, its place in `frames` while it is there.
    pub(super) depths: Vec<u32>,
    pub(super) faults: Faults,
    /// Operations whose interfaces are asked once the walk is over.
    pub(super) hooked: Vec<OpId>,
}

impl<'s, 'a> BodyVerifier<'s, 'a> {
    pub(super) fn verify(session: &'s mut Session<'a>, nested: NestedBody<'a>) -> Faults {
        let (context, body) = (session.context, nested.body);
        let mut verifier = Self {
            session,
            context,
            body,
            frames: Vec::new(),
            depths: vec![u32::MAX; body.region_capacity()],
            faults: Faults::default(),
            hooked: Vec::new(),
        };
        if nested.is_walkable {
            verifier.check_root();
            verifier.walk();
            verifier.run_hooks();
        } else {
            verifier.report_unwalkable();
        }
        verifier.faults
    }

    pub(super) fn view(&self, op: OpId) -> OpRef<'a> {
        OpRef::new(self.context, self.body, op)
    }

    /// The region that the walk is in.
    pub(super) fn innermost(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the walk is in a region whenever it is at an operation or block")
    }

    pub(super) fn facts(&mut self, op: OpId) -> NameFacts {
        self.session.names.get(self.context, self.body.operation_name(op))
    }

    /// An error at an operation.
    pub(super) fn error(&self, code: &'static str, op: OpId, what: &str) -> Diagnostic {
        let view = self.view(op);
        Diagnostic::error(code, view.location(), about(view, what))
    }

    fn report_unwalkable(&mut self) {
        let root = self.body.root();
        if self.body.parent_block(root).is_some() {
            let error = self.error("isolated-operation", root, "is the root of a body but stands in a block of it");
            self.faults.report_broken(root, error);
            return;
        }
        for (op, message) in self.body.broken_links() {
            let error = Diagnostic::error("broken-link", self.body.location(op), message);
            self.faults.report_broken(op, error);
        }
    }

    /// Visits all operations in the order of the text, with a stack of its own: nesting may be deep.
    fn walk(&mut self) {
        self.enter_region(self.body.root(), 0);
        while let Some(frame) = self.frames.last_mut() {
            match frame.next {
                Some(op) => {
                    frame.current = Some(op);
                    frame.next = self.body.next_op(op);
                    self.check_operation(op);
                    self.enter_region(op, 0);
                }
                None => self.leave_block(),
            }
        }
    }

    /// Goes into the first region of `holder`, from number `index` on, that has a block.
    fn enter_region(&mut self, holder: OpId, index: usize) {
        let regions = self.body.regions(holder).iter().enumerate().skip(index);
        let mut filled = regions.filter_map(|(index, &region)| Some((index, region, self.body.entry_block(region)?)));
        let Some((index, region, block)) = filled.next() else { return };
        let facts = self.facts(holder);
        let is_ordered = facts.declared.is_some() && !facts.traits.contains(OperationTraits::GRAPH_REGION);
        self.depths[region.index()] = self.frames.len() as u32;
        self.frames.push(Frame {
            region,
            index,
            holder,
            block,
            current: None,
            next: None,
            has_misplaced_terminator: false,
            is_ordered,
            tree: None,
        });
        self.enter_block(block);
    }

    fn enter_block(&mut self, block: BlockId) {
        let first = self.body.first_op(block);
        let frame = self.innermost();
        (frame.block, frame.current, frame.next) = (block, None, first);
        frame.has_misplaced_terminator = false;
        let holder = frame.holder;
        self.check_block(holder, block);
    }

    fn leave_block(&mut self) {
        let frame = self.innermost();
        let (block, holder, index) = (frame.block, frame.holder, frame.index);
        self.check_end(holder, block);
        match self.body.next_block(block) {
            Some(next) => self.enter_block(next),
            None => {
                self.frames.pop();
                self.enter_region(holder, index + 1);
            }
        }
    }

    /// All that is checked of one operation during the walk.
    fn check_operation(&mut self, op: OpId) {
        let facts = self.facts(op);
        let place_holds = self.check_place(op, &facts);
        self.check_operands(op);
        if self.body.nested(op).is_none() {
            self.check_contents(op, &facts, place_holds);
        }
    }

    /// What an operation is by itself, wherever it stands. `place_holds` says whether the checks before have found
    /// nothing on which these build.
    fn check_contents(&mut self, op: OpId, facts: &NameFacts, place_holds: bool) {
        self.check_attributes(op);
        let Some(declared) = &facts.declared else {
            self.check_unregistered(op);
            return;
        };
        let counts_hold = self.check_counts(op, declared);
        let properties_hold = self.check_properties(op, declared);
        let types_hold = counts_hold && self.check_types(op, declared);
        let holds = place_holds && types_hold && properties_hold;
        if holds && self.check_traits(op, facts.traits) && (declared.models.any() || self.body.successor_count(op) > 0)
        {
            self.hooked.push(op);
        }
    }

    fn check_root(&mut self) {
        let root = self.body.root();
        let facts = self.facts(root);
        let place_holds = self.check_root_place(root, &facts);
        self.check_contents(root, &facts, place_holds);
    }
}
