//! Whether declarations make sense; for the tests of dialects.
//!
//! The declaration macro refuses most contradictions at compile time. This looks at the data itself, so that it holds
//! for declarations written by hand as well, and at what a macro cannot see: what a constraint accepts and which
//! interfaces there are.

mod form;
mod types;

use std::collections::BTreeSet;

use super::declaration::{Arity, OperationDeclaration, Presence, ResultRule, Slot};
use super::traits::OperationTraits;
use crate::context::Context;
use crate::dialect::{Dialect, DialectRegistry};

/// Everything that is wrong with the declarations of a dialect, each line with the name that it is about; empty if
/// they are good.
pub fn check_dialect(dialect: &dyn Dialect) -> Vec<String> {
    let mut faults = Vec::new();
    let mut names = BTreeSet::new();
    if dialect.documentation().trim().is_empty() {
        faults.push(format!("{}: a dialect says what it is for", dialect.namespace()));
    }
    for declaration in dialect.operations() {
        if !names.insert(declaration.name) {
            faults.push(format!("{}: declared twice", declaration.name));
        }
        faults.extend(check_declaration(declaration).into_iter().map(|fault| format!("{}: {fault}", declaration.name)));
    }
    let types = dialect.types().iter().map(|one| ('!', one.name, one.documentation));
    let attributes = dialect.attributes().iter().map(|one| ('#', one.name, one.documentation));
    let mut names = BTreeSet::new();
    for (sigil, name, documentation) in types.chain(attributes) {
        if !names.insert((sigil, name)) {
            faults.push(format!("{sigil}{name}: declared twice"));
        }
        if documentation.trim().is_empty() {
            faults.push(format!("{sigil}{name}: there is no documentation"));
        }
    }
    faults
}

/// Everything that is wrong with a declaration; empty if it is good.
pub fn check_declaration(declaration: &OperationDeclaration) -> Vec<String> {
    let mut checker = Checker { declaration, faults: Vec::new() };
    checker.names();
    checker.arities();
    checker.traits();
    checker.interfaces();
    checker.defaults();
    checker.rules();
    // What follows relies on indices that are in range.
    if checker.faults.is_empty() {
        checker.form();
    }
    if checker.faults.is_empty() {
        checker.types();
    }
    checker.faults
}

struct Checker<'d> {
    declaration: &'d OperationDeclaration,
    faults: Vec<String>,
}

impl Checker<'_> {
    fn fault(&mut self, message: impl Into<String>) {
        self.faults.push(message.into());
    }

    fn has_interface(&self, name: &str) -> bool {
        self.declaration.interfaces.iter().any(|model| model.interface_name() == name)
    }

    fn names(&mut self) {
        let declaration = self.declaration;
        let is_part = |part: &str| {
            part.starts_with(|first: char| first.is_ascii_lowercase())
                && part.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '_')
        };
        if !declaration.name.contains('.') || !declaration.name.split('.').all(is_part) {
            self.fault("the name is not 'dialect.name' of lower-case letters, digits and underscores");
        }
        if declaration.documentation.trim().is_empty() {
            self.fault("there is no documentation");
        }
        let operands = declaration.operands.iter().map(|one| one.name);
        let results = declaration.results.iter().map(|one| one.name);
        let properties = declaration.properties.iter().map(|one| one.name);
        let regions = declaration.regions.iter().map(|one| one.name);
        let successors = declaration.successors.iter().map(|one| one.name);
        let mut seen = BTreeSet::new();
        for name in operands.chain(results).chain(properties).chain(regions).chain(successors) {
            if !seen.insert(name) {
                self.fault(format!("two parts are called '{name}'"));
            }
        }
    }

    fn arities(&mut self) {
        let declaration = self.declaration;
        if declaration.results.iter().filter(|group| group.arity != Arity::One).count() > 1 {
            self.fault("more than one result group is optional or variadic");
        }
        let not_last = |arities: Vec<Arity>| match arities.split_last() {
            Some((_, others)) => others.iter().any(|&arity| arity != Arity::One),
            None => false,
        };
        if not_last(declaration.regions.iter().map(|group| group.arity).collect())
            || not_last(declaration.successors.iter().map(|group| group.arity).collect())
        {
            self.fault("a region or successor group that is not the last one is optional or variadic");
        }
    }

    fn traits(&mut self) {
        let declaration = self.declaration;
        let has = |traits: OperationTraits| declaration.traits.contains(traits);
        let has_property = |key: &str| declaration.properties.iter().any(|property| property.name == key);
        let one_result = matches!(declaration.results, [single] if single.arity == Arity::One);
        let one_operand = matches!(declaration.operands, [single] if single.arity == Arity::One);
        let no_values = declaration.operands.is_empty() && declaration.results.is_empty();
        let fixed_operands = declaration.operands.iter().all(|group| group.arity == Arity::One);
        let repeatable = OperationTraits::INVOLUTION.union(OperationTraits::IDEMPOTENT);
        let about_regions = OperationTraits::SINGLE_BLOCK
            .union(OperationTraits::NO_TERMINATOR)
            .union(OperationTraits::GRAPH_REGION)
            .union(OperationTraits::SYMBOL_TABLE);
        let contradictions = [
            (
                has(OperationTraits::ISOLATED_FROM_ABOVE) && !(no_values && declaration.successors.is_empty()),
                "an isolated operation has operands, results or successors",
            ),
            (
                has(OperationTraits::CONSTANT_LIKE)
                    && !(declaration.operands.is_empty() && one_result && has_property("value")),
                "a constant has no operands, one result, and the property 'value'",
            ),
            (has(OperationTraits::SYMBOL) && !has_property("sym_name"), "a symbol has the property 'sym_name'"),
            (
                has(OperationTraits::COMMUTATIVE) && fixed_operands && declaration.operands.len() < 2,
                "a commutative operation has fewer than two operands",
            ),
            (
                declaration.traits.intersects(repeatable) && !(one_operand && one_result),
                "an operation that can be applied to its own result has one operand and one result",
            ),
            (has(OperationTraits::RETURN_LIKE) && !has(OperationTraits::TERMINATOR), "RETURN_LIKE without TERMINATOR"),
            (
                !declaration.successors.is_empty() && !has(OperationTraits::TERMINATOR),
                "an operation with successors is no TERMINATOR",
            ),
            (
                declaration.traits.intersects(about_regions) && declaration.regions.is_empty(),
                "a trait about regions, but no regions",
            ),
        ];
        let broken = contradictions.iter().filter(|(is_broken, _)| *is_broken);
        self.faults.extend(broken.map(|&(_, message)| message.to_owned()));
    }

    fn interfaces(&mut self) {
        let declaration = self.declaration;
        let mut seen = BTreeSet::new();
        for model in declaration.interfaces {
            if !seen.insert(model.interface_name()) {
                self.fault(format!("{} is implemented twice", model.interface_name()));
            }
        }
        let terminator = declaration.traits.contains(OperationTraits::TERMINATOR);
        let pure = declaration.traits.contains(OperationTraits::PURE);
        let isolated = declaration.traits.contains(OperationTraits::ISOLATED_FROM_ABOVE);
        let contradictions = [
            (
                !declaration.successors.is_empty() && !self.has_interface("BranchInterface"),
                "an operation with successors does not say through BranchInterface what it passes to them",
            ),
            (
                self.has_interface("BranchInterface") && declaration.successors.is_empty(),
                "BranchInterface without successors",
            ),
            (self.has_interface("SuspendPointInterface") && !terminator, "a suspension point is no TERMINATOR"),
            (
                self.has_interface("FunctionInterface") && !(isolated && declaration.regions.len() == 1),
                "a function is isolated from above and has one region",
            ),
            (
                pure && self.has_interface("MemoryEffectsInterface"),
                "PURE says that there are no effects, so MemoryEffectsInterface has nothing to say",
            ),
            (
                declaration.format.is_some() && self.has_interface("SyntaxInterface"),
                "there are two custom forms: a format and SyntaxInterface",
            ),
            (
                (self.has_interface("RegionBranchInterface") || self.has_interface("LoopInterface"))
                    && declaration.regions.is_empty(),
                "an interface about regions, but no regions",
            ),
        ];
        let broken = contradictions.iter().filter(|(is_broken, _)| *is_broken);
        self.faults.extend(broken.map(|&(_, message)| message.to_owned()));
    }

    fn defaults(&mut self) {
        let context = Context::new(DialectRegistry::new());
        for property in self.declaration.properties {
            if let Presence::Default(make) = property.presence
                && !(property.rule.accepts)(&context, make(&context))
            {
                self.fault(format!("the default of '{}' is not {}", property.name, property.rule.description));
            }
        }
    }

    fn rules(&mut self) {
        let declaration = self.declaration;
        let exists = |slot: Slot| match slot {
            Slot::Operand(index) => index < declaration.operands.len(),
            Slot::Result(index) => index < declaration.results.len(),
        };
        for rule in declaration.rules {
            let good = match *rule {
                ResultRule::Same(slots) => slots.len() > 1 && slots.iter().all(|&slot| exists(slot)),
                ResultRule::Derived { target, source, .. } => exists(target) && exists(source) && target != source,
                ResultRule::FromProperty { target, property } => {
                    exists(target) && declaration.properties.iter().any(|one| one.name == property)
                }
            };
            if !good {
                self.fault("a rule names a group or property that there is not");
            }
        }
    }
}
