//! What an operation's traits say about it.

use super::body::BodyVerifier;
use super::message::type_text;
use crate::body::OpId;
use crate::operation::{OperationTraits, type_of_attribute};

/// Traits that ask for something here.
const CHECKED: OperationTraits = OperationTraits::SINGLE_BLOCK
    .union(OperationTraits::GRAPH_REGION)
    .union(OperationTraits::CONSTANT_LIKE)
    .union(OperationTraits::SYMBOL);

impl BodyVerifier<'_, '_> {
    /// Checks what the traits of an operation say about it, once its declaration holds. Says whether nothing is wrong.
    pub(super) fn check_traits(&mut self, op: OpId, traits: OperationTraits) -> bool {
        if !traits.intersects(CHECKED) {
            return true;
        }
        let mut holds = true;
        if traits.contains(OperationTraits::SINGLE_BLOCK) {
            let what = "must have no more than one block in each region";
            holds &= self.check_block_count(op, "single-block", what);
        } else if traits.contains(OperationTraits::GRAPH_REGION) {
            let what = "has a region without order, which must have no more than one block";
            holds &= self.check_block_count(op, "graph-region", what);
        }
        if traits.contains(OperationTraits::CONSTANT_LIKE) {
            holds &= self.check_constant(op);
        }
        if traits.contains(OperationTraits::SYMBOL) {
            holds &= self.check_symbol(op);
        }
        holds
    }

    fn check_block_count(&mut self, op: OpId, code: &'static str, what: &str) -> bool {
        let body = self.body;
        let mut holds = true;
        for (index, &region) in body.regions(op).iter().enumerate() {
            if body.entry_block(region) != body.last_block(region) {
                let count = body.blocks(region).count();
                let error = self.error(code, op, &format!("{what}, but region #{index} has {count}"));
                self.faults.report_broken(op, error);
                holds = false;
            }
        }
        holds
    }

    fn check_constant(&mut self, op: OpId) -> bool {
        let (context, body) = (self.context, self.body);
        let value = body.properties(op).get(context, "value");
        let what = match value {
            _ if body.operand_count(op) != 0 || body.result_count(op) != 1 => {
                "is a constant, so it must have no operands and one result".to_owned()
            }
            None => "is a constant, so it needs the property 'value'".to_owned(),
            Some(value) => {
                let result = body.value_type(body.result(op, 0));
                match type_of_attribute(context, value) {
                    Some(ty) if ty != result && value.type_value(context).is_none() => {
                        let (ty, result) = (type_text(context, ty), type_text(context, result));
                        format!("has a value of type {ty}, but its result is {result}")
                    }
                    _ => return true,
                }
            }
        };
        let error = self.error("constant-like", op, &what);
        self.faults.report_broken(op, error);
        false
    }

    fn check_symbol(&mut self, op: OpId) -> bool {
        let (context, properties) = (self.context, self.body.properties(op));
        let mut holds = true;
        if let Some(name) = properties.get(context, "sym_name")
            && name.string_value(context).is_none_or(str::is_empty)
        {
            let error = self.error("symbol-name", op, "property 'sym_name' must be a string that is not empty");
            self.faults.report_broken(op, error);
            holds = false;
        }
        if let Some(visibility) = properties.get(context, "sym_visibility")
            && !matches!(visibility.string_value(context), Some("public" | "private" | "nested"))
        {
            let what = "property 'sym_visibility' must be \"public\", \"private\" or \"nested\"";
            let error = self.error("symbol-visibility", op, what);
            self.faults.report_broken(op, error);
            holds = false;
        }
        holds
    }
}
