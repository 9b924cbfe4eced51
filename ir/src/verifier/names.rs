//! What the checks ask about an operation's name, looked up once for each name.

use crate::context::Context;
use crate::interfaces::{BranchModel, CallModel, FunctionModel, RegionBranchModel, VerifyModel};
use crate::operation::{Arity, OperationDeclaration, OperationName, OperationTraits};

/// How many values, regions or successors a list of declared groups may stand for.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    pub(super) least: u32,
    /// `u32::MAX` if there is no limit.
    pub(super) most: u32,
    /// Groups that do not stand for exactly one.
    pub(super) flexible: u32,
}

impl Counts {
    fn new(arities: impl Iterator<Item = Arity>) -> Self {
        let mut counts = Self { least: 0, most: 0, flexible: 0 };
        for arity in arities {
            counts.least += u32::from(arity == Arity::One);
            counts.flexible += u32::from(arity != Arity::One);
            counts.most = if arity == Arity::Variadic { u32::MAX } else { counts.most.saturating_add(1) };
        }
        counts
    }

    pub(super) fn accept(&self, count: usize) -> bool {
        (self.least as usize..=self.most as usize).contains(&count)
    }
}

/// A registered operation's name.
#[derive(Clone, Copy)]
pub(super) struct Declared {
    pub(super) declaration: &'static OperationDeclaration,
    pub(super) operands: Counts,
    pub(super) results: Counts,
    pub(super) regions: Counts,
    pub(super) successors: Counts,
    pub(super) models: Models,
}

/// The interfaces that the verifier speaks.
#[derive(Clone, Copy)]
pub(super) struct Models {
    pub(super) verify: Option<&'static VerifyModel>,
    pub(super) branch: Option<&'static BranchModel>,
    pub(super) region_branch: Option<&'static RegionBranchModel>,
    pub(super) function: Option<&'static FunctionModel>,
    pub(super) call: Option<&'static CallModel>,
}

impl Models {
    /// Whether there is anything to ask once the body has been walked through.
    pub(super) fn any(&self) -> bool {
        self.verify.is_some()
            || self.branch.is_some()
            || self.region_branch.is_some()
            || self.function.is_some()
            || self.call.is_some()
    }
}

/// A name, registered or not.
#[derive(Clone, Copy)]
pub(super) struct NameFacts {
    pub(super) traits: OperationTraits,
    pub(super) declared: Option<Declared>,
}

impl NameFacts {
    fn new(context: &Context, name: OperationName) -> Self {
        let declared = name.declaration(context).map(|declaration| Declared {
            declaration,
            operands: Counts::new(declaration.operands.iter().map(|group| group.arity)),
            results: Counts::new(declaration.results.iter().map(|group| group.arity)),
            regions: Counts::new(declaration.regions.iter().map(|group| group.arity)),
            successors: Counts::new(declaration.successors.iter().map(|group| group.arity)),
            models: Models {
                verify: name.interface(context),
                branch: name.interface(context),
                region_branch: name.interface(context),
                function: name.interface(context),
                call: name.interface(context),
            },
        });
        Self { traits: name.traits(context), declared }
    }
}

/// The facts of all names that were met.
#[derive(Default)]
pub(super) struct NameTable {
    facts: Vec<Option<NameFacts>>,
}

impl NameTable {
    pub(super) fn get(&mut self, context: &Context, name: OperationName) -> NameFacts {
        let index = name.0 as usize;
        if self.facts.len() <= index {
            self.facts.resize(index + 1, None);
        }
        *self.facts[index].get_or_insert_with(|| NameFacts::new(context, name))
    }
}
