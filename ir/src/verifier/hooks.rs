//! Rules of operations themselves, and the checks that ask their interfaces.

use rustc_hash::FxHashSet;

use super::body::BodyVerifier;
use super::faults::Trust;
use crate::body::{Body, OpId};
use crate::diagnostic::{Diagnostics, Severity};

/// Of which operations the interfaces may be asked.
pub(super) struct Askable {
    trust: Option<Trust>,
    /// Operations whose own rules are broken, or could not be checked.
    unsure: FxHashSet<OpId>,
}

impl Askable {
    /// Whether what an operation declares holds, its own rules included.
    pub(super) fn holds(&self, op: OpId) -> bool {
        self.declaration_holds(op) && !self.unsure.contains(&op)
    }

    /// Whether what an operation declares holds, its own rules aside.
    fn declaration_holds(&self, op: OpId) -> bool {
        self.trust.as_ref().is_none_or(|trust| trust.holds(op))
    }

    fn allows_own_rules(&self, body: &Body, op: OpId) -> bool {
        self.trust.as_ref().is_none_or(|trust| trust.holds_widely(body, op))
    }
}

impl BodyVerifier<'_, '_> {
    /// Runs what the walk has put off.
    pub(super) fn run_hooks(&mut self) {
        let hooked = std::mem::take(&mut self.hooked);
        if hooked.is_empty() {
            return;
        }
        let mut askable = Askable { trust: self.faults.trust(self.body), unsure: FxHashSet::default() };
        let mut diagnostics = Diagnostics::new();
        for &op in &hooked {
            let Some(verify) = self.facts(op).declared.and_then(|declared| declared.models.verify) else { continue };
            if !askable.allows_own_rules(self.body, op) {
                askable.unsure.insert(op);
                continue;
            }
            (verify.verify)(self.view(op), &mut diagnostics);
            if !diagnostics.as_slice().is_empty() {
                if diagnostics.has_errors() {
                    askable.unsure.insert(op);
                }
                self.report_own(op, std::mem::take(&mut diagnostics));
            }
        }
        for &op in &hooked {
            self.ask_interfaces(op, &askable);
        }
    }

    /// Takes over what an operation's own rules report. A note that was reported as a diagnostic of its own stays
    /// behind the one that it belongs to, since all are kept under the same operation.
    fn report_own(&mut self, op: OpId, diagnostics: Diagnostics) {
        for diagnostic in diagnostics.into_vec() {
            debug_assert!(
                diagnostic.severity != Severity::Error || !diagnostic.code.is_empty(),
                "an error names the rule that is broken"
            );
            self.faults.report(op, diagnostic);
        }
    }

    fn ask_interfaces(&mut self, op: OpId, askable: &Askable) {
        let Some(declared) = self.facts(op).declared else { return };
        let models = declared.models;
        if let Some(function) = models.function
            && askable.declaration_holds(op)
        {
            self.check_function(op, function, askable);
        }
        if !askable.holds(op) {
            return;
        }
        if self.body.successor_count(op) > 0 {
            self.check_branch(op, models.branch);
        }
        if let Some(region_branch) = models.region_branch {
            self.check_region_branch(op, region_branch, askable);
        }
        if models.call.is_some() {
            self.faults.symbol_users.push(op);
        }
    }
}
