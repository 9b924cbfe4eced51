//! Making simpler operations of those that are defined by them.

use fermata_ir::builder::Builder;
use fermata_ir::{Body, Context, OpId};

use crate::interfaces::ExpandModel;

/// Replaces the operations of a body that have the [`ExpandInterface`](crate::interfaces::ExpandInterface) and of which
/// `wanted` says so by the simpler ones that they are defined by, and gives their number. Bodies nested in it are left
/// alone. Takes time linear in what there is afterwards.
pub fn expand_operations(context: &Context, body: &mut Body, wanted: impl Fn(fermata_ir::OpRef<'_>) -> bool) -> usize {
    let ops: Vec<OpId> = body.ops_inside(body.root());
    let mut count = 0;
    for op in ops {
        let mut builder = Builder::new(context, body);
        let view = builder.op(op);
        let Some(model) = view.interface::<ExpandModel>().filter(|_| wanted(view)) else { continue };
        if let Some(value) = (model.expand)(&mut builder, op) {
            builder.replace_op(op, &[value]);
            count += 1;
        }
    }
    count
}
