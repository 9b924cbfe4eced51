//! Where operations stand and how blocks end.

use super::body::BodyVerifier;
use super::names::NameFacts;
use crate::body::{BlockId, OpId};
use crate::nearest::nearest;
use crate::operation::OperationTraits;
use crate::symbols::symbol_name;

impl BodyVerifier<'_, '_> {
    /// Checks that the root of the body is an isolated operation. Says whether nothing is wrong.
    pub(super) fn check_root_place(&mut self, root: OpId, facts: &NameFacts) -> bool {
        if facts.declared.is_some() && !facts.traits.contains(OperationTraits::ISOLATED_FROM_ABOVE) {
            let error = self
                .error("isolated-operation", root, "is the root of a body, but does not isolate its regions")
                .help("only an operation with the trait ISOLATED_FROM_ABOVE can own a body");
            self.faults.report_broken(root, error);
            return false;
        }
        self.check_has_no_values(root)
    }

    /// Checks what an operation that is in a block must be there, and its successors. Says whether nothing is wrong.
    pub(super) fn check_place(&mut self, op: OpId, facts: &NameFacts) -> bool {
        let mut holds = true;
        if self.body.is_erased(op) {
            let error = self.error("erased", op, "was erased, but stands in a block");
            self.faults.report_broken(op, error);
            holds = false;
        }
        if let Some(nested) = self.body.nested(op) {
            holds &= self.check_has_no_values(op);
            if nested.operation_name(nested.root()) != self.body.operation_name(op) {
                let inner = nested.operation_name(nested.root()).as_str(self.context);
                let error = self.error("isolated-operation", op, &format!("owns the body of a '{inner}'"));
                self.faults.report_broken(op, error);
                holds = false;
            } else if !self.body.regions(op).is_empty() {
                let error = self.error("isolated-operation", op, "has regions outside of the body that it owns");
                self.faults.report_broken(op, error);
                holds = false;
            }
        } else if facts.traits.contains(OperationTraits::ISOLATED_FROM_ABOVE) {
            let error = self.error("isolated-operation", op, "isolates its regions, but does not own a body");
            self.faults.report_broken(op, error);
            holds = false;
        }
        if facts.traits.contains(OperationTraits::SYMBOL) {
            self.check_symbol_place(op);
        }
        let is_last = self.body.next_op(op).is_none();
        if !is_last && facts.traits.contains(OperationTraits::TERMINATOR) {
            let following = self.body.next_op(op).expect("an operation that is not the last has one after it");
            let error = self
                .error("misplaced-terminator", op, "ends a block, but is not the last operation of its block")
                .note(self.body.location(following), "this operation follows");
            self.faults.report(op, error);
            self.innermost().has_misplaced_terminator = true;
            holds = false;
        }
        if self.body.successor_count(op) > 0 {
            holds &= self.check_successors(op, is_last);
        }
        holds
    }

    fn check_has_no_values(&mut self, op: OpId) -> bool {
        let body = self.body;
        if body.operand_count(op) == 0 && body.result_count(op) == 0 && body.successor_count(op) == 0 {
            return true;
        }
        let error = self.error(
            "isolated-operation",
            op,
            "is isolated from above, so it can have no operands, results or successors",
        );
        self.faults.report_broken(op, error);
        false
    }

    /// A name that no table holds could not be found.
    fn check_symbol_place(&mut self, op: OpId) {
        let holder = self.innermost().holder;
        let facts = self.facts(holder);
        let is_table = facts.declared.is_none() || facts.traits.contains(OperationTraits::SYMBOL_TABLE);
        if is_table || symbol_name(self.context, self.body, op).is_none() {
            return;
        }
        let what =
            format!("has a symbol name, but the '{}' around it is no symbol table", self.view(holder).name_str());
        let error = self.error("symbol-place", op, &what).note(self.body.location(holder), "it is held by this one");
        self.faults.report(op, error);
    }

    fn check_successors(&mut self, op: OpId, is_last: bool) -> bool {
        let body = self.body;
        let region = self.innermost().region;
        let mut wrong = Vec::new();
        if !is_last {
            wrong.push("has successors, but is not the last operation of its block".to_owned());
            self.innermost().has_misplaced_terminator = true;
        }
        for (index, block) in body.successors(op).enumerate() {
            let parent = body.block_parent(block).filter(|_| !body.is_block_erased(block));
            if parent != Some(region) {
                let place = if parent.is_some() { "in another region" } else { "not part of the body" };
                wrong.push(format!("successor #{index} is a block that is {place}"));
            } else if body.is_entry_block(block) {
                wrong.push(format!("successor #{index} is the entry block of its region, to which nothing may lead"));
            }
        }
        for what in &wrong {
            let error = self.error("successor", op, what);
            self.faults.report_broken(op, error);
        }
        wrong.is_empty()
    }

    /// Checks a block of `holder` before its operations.
    pub(super) fn check_block(&mut self, holder: OpId, block: BlockId) {
        if self.body.is_block_erased(block) {
            let error = self.error("erased", holder, "has a block that was erased");
            self.faults.report_broken_block(holder, holder, error);
        }
        self.check_argument_types(holder, block);
    }

    /// Checks the end of a block of `holder`.
    pub(super) fn check_end(&mut self, holder: OpId, block: BlockId) {
        let body = self.body;
        let facts = self.facts(holder);
        // Where there must not be several blocks, that there are is a fault of its own.
        let is_alone = body.is_entry_block(block) && body.next_block(block).is_none()
            || facts.traits.intersects(OperationTraits::SINGLE_BLOCK.union(OperationTraits::GRAPH_REGION));
        let may_do_without = facts.declared.is_none() || facts.traits.contains(OperationTraits::NO_TERMINATOR);
        if is_alone && may_do_without || self.innermost().has_misplaced_terminator {
            return;
        }
        let Some(last) = body.last_op(block) else {
            let error = self
                .error("missing-terminator", holder, "has a block without operations")
                .help("end the block with a terminator");
            self.faults.report_broken_block(holder, holder, error);
            return;
        };
        let last_facts = self.facts(last);
        if last_facts.declared.is_some() && !last_facts.traits.contains(OperationTraits::TERMINATOR) {
            let error = self
                .error("missing-terminator", last, "is the last operation of its block, but does not end it")
                .note(body.location(holder), format!("a block of this '{}'", self.view(holder).name_str()))
                .help("add a terminator after it");
            self.faults.report_broken_block(holder, last, error);
        }
    }

    /// Refuses an operation that nobody declares, unless such are allowed.
    pub(super) fn check_unregistered(&mut self, op: OpId) {
        let view = self.view(op);
        let name = view.name_str();
        let namespace = view.name().dialect(self.context);
        let mut error = match self.context.dialect(namespace) {
            Some(dialect) => {
                let error = self.error("unregistered-operation", op, "is not one that its dialect declares");
                match nearest(name, dialect.operations().iter().map(|declaration| declaration.name)) {
                    Some(meant) => error.help(format!("did you mean '{meant}'?")),
                    None => error,
                }
            }
            None if self.session.options.allow_unregistered => return,
            None => self.error("unregistered-operation", op, &format!("is of the unregistered dialect '{namespace}'")),
        };
        if error.help.is_none() {
            error = error.remark_note("operations of dialects that are not registered are accepted if asked for");
        }
        self.faults.report_broken(op, error);
    }
}
