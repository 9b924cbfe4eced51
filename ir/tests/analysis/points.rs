//! Where execution may go, spelled out place by place from what the operations of the test dialect mean.

use fermata_ir::{BlockId, Body, Context, OpId};

/// A place in a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Point {
    /// The start of a block.
    Start(BlockId),
    /// Before an operation.
    Before(OpId),
    /// After an operation, and after what its regions do.
    After(OpId),
    /// Outside.
    Exit,
}

/// The way on from a place.
pub(crate) struct Way {
    pub(crate) to: Vec<Point>,
    /// Nobody knows where it goes: these places, or what it does is not known.
    pub(crate) is_unknown: bool,
}

pub(crate) struct Points<'a> {
    context: &'a Context,
    body: &'a Body,
}

impl<'a> Points<'a> {
    pub(crate) fn new(context: &'a Context, body: &'a Body) -> Self {
        Self { context, body }
    }

    pub(crate) fn all(&self) -> Vec<Point> {
        let regions = self.body.all_regions();
        let blocks = regions.into_iter().flat_map(|region| self.body.blocks(region).collect::<Vec<_>>());
        let starts = blocks.map(Point::Start);
        starts.chain(self.body.all_ops().into_iter().flat_map(|op| [Point::Before(op), Point::After(op)])).collect()
    }

    pub(crate) fn name(&self, op: OpId) -> &'a str {
        self.body.operation_name(op).as_str(self.context)
    }

    fn entry(&self, op: OpId, region: usize) -> Point {
        Point::Start(self.body.entry_block(self.body.regions(op)[region]).expect("regions have blocks"))
    }

    fn entries(&self, op: OpId) -> Vec<Point> {
        (0..self.body.regions(op).len()).map(|region| self.entry(op, region)).collect()
    }

    /// The operations around, without the root.
    pub(crate) fn holders(&self, op: OpId) -> Vec<OpId> {
        let around = std::iter::successors(self.body.parent_op(op), |&op| self.body.parent_op(op));
        around.filter(|&op| op != self.body.root()).collect()
    }

    pub(crate) fn way(&self, from: Point) -> Way {
        let body = self.body;
        let known = |to: Vec<Point>| Way { to, is_unknown: false };
        match from {
            Point::Exit => known(vec![]),
            Point::Start(block) => known(vec![Point::Before(body.first_op(block).expect("blocks have a terminator"))]),
            Point::After(op) => known(body.next_op(op).map(Point::Before).into_iter().collect()),
            Point::Before(op) => match self.name(op) {
                "a.op" => known(vec![Point::After(op)]),
                "a.return" => known(vec![Point::Exit]),
                "a.jump" => known(body.successors(op).map(Point::Start).collect()),
                "a.if" => known(self.entries(op)),
                "a.loop" | "a.while" => known(vec![self.entry(op, 0)]),
                "a.opaque" => known([self.entries(op), vec![Point::After(op)]].concat()),
                "a.leave" => self.anywhere(op),
                "a.yield" => self.yield_way(op),
                other => panic!("the dialect has no '{other}'"),
            },
        }
    }

    fn yield_way(&self, op: OpId) -> Way {
        let body = self.body;
        let holder = body.parent_op(op).expect("it is in an operation");
        let region = body.parent_block(op).and_then(|block| body.block_parent(block)).expect("it is in a region");
        let index = body.regions(holder).iter().position(|&own| own == region).expect("the region is the holder's");
        let after = Point::After(holder);
        let to = match (self.name(holder), index) {
            ("a.if", _) => vec![after],
            ("a.loop", _) => vec![self.entry(holder, 0), after],
            ("a.while", 0) => vec![self.entry(holder, 1), after],
            ("a.while", _) => vec![self.entry(holder, 0)],
            // It ends the region for certain, and only then nobody knows.
            _ => return Way { to: self.places(holder), is_unknown: true },
        };
        Way { to, is_unknown: false }
    }

    fn anywhere(&self, op: OpId) -> Way {
        Way { to: self.holders(op).into_iter().flat_map(|holder| self.places(holder)).collect(), is_unknown: true }
    }

    fn places(&self, holder: OpId) -> Vec<Point> {
        [self.entries(holder), vec![Point::After(holder)]].concat()
    }

    /// The block that a place is in.
    pub(crate) fn block(&self, point: Point) -> Option<BlockId> {
        match point {
            Point::Start(block) => Some(block),
            Point::Before(op) | Point::After(op) => self.body.parent_block(op),
            Point::Exit => None,
        }
    }
}
