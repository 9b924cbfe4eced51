//! Operations with canonicalization patterns.

use fermata_ir::interfaces::{ConstantScopeInterface, ConstantScopeModel};
use fermata_ir::operation::OperationDeclaration;
use fermata_ir::rewrite::{CanonicalizeInterface, CanonicalizeModel, NoMatch, PatternSet, RewriteResult};
use fermata_ir::{Builder, OpId, OpRef, OperationTraits};

use super::{declaration, many, one, region};

/// Replaces an operation of one operand by another one.
fn rename(op: OpId, builder: &mut Builder<'_>, to: &str) -> RewriteResult {
    let (operand, ty) = (builder.body().operand(op, 0), builder.op(op).result_type(0));
    let made = builder.create_op(to, &[operand], &[ty], &[]);
    let value = builder.body().result(made, 0);
    builder.replace_op(op, &[value]);
    Ok(())
}

struct Ping;

impl CanonicalizeInterface for Ping {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("ping-to-pong", "toy.ping", |op, builder| rename(op, builder, "toy.pong"));
    }
}

struct Pong;

impl CanonicalizeInterface for Pong {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("pong-to-ping", "toy.pong", |op, builder| rename(op, builder, "toy.ping"));
    }
}

/// `twice(x) = x + x`
struct Twice;

impl CanonicalizeInterface for Twice {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("twice-to-add", "toy.twice", |op, builder| {
            let view = builder.op(op);
            let (operand, ty) = (view.operand(0), view.result_type(0));
            if view.attribute("keep").is_some() {
                return Err(NoMatch("it is to be kept"));
            }
            let sum = builder.create_op("toy.add", &[operand, operand], &[ty], &[]);
            let value = builder.body().result(sum, 0);
            builder.replace_op(op, &[value]);
            Ok(())
        });
    }
}

struct Holder;

impl ConstantScopeInterface for Holder {
    fn keeps_constants(_op: OpRef<'_>, _region: usize) -> bool {
        true
    }
}

const PURE: OperationTraits = OperationTraits::PURE;

static PING: OperationDeclaration = OperationDeclaration {
    operands: &[one("operand")],
    results: &[one("result")],
    interfaces: &[const { &CanonicalizeModel::of::<Ping>() }],
    ..declaration("toy.ping", PURE)
};
static PONG: OperationDeclaration = OperationDeclaration {
    operands: &[one("operand")],
    results: &[one("result")],
    interfaces: &[const { &CanonicalizeModel::of::<Pong>() }],
    ..declaration("toy.pong", PURE)
};
static TWICE: OperationDeclaration = OperationDeclaration {
    operands: &[one("operand")],
    results: &[one("result")],
    interfaces: &[const { &CanonicalizeModel::of::<Twice>() }],
    ..declaration("toy.twice", PURE)
};
/// Runs its region somewhere else, so that it brings its own constants.
static ELSEWHERE: OperationDeclaration = OperationDeclaration {
    operands: &[many("operands")],
    regions: &[region("body")],
    interfaces: &[const { &ConstantScopeModel::of::<Holder>() }],
    ..declaration("toy.elsewhere", OperationTraits::SINGLE_BLOCK)
};

pub(super) const OPERATIONS: &[&OperationDeclaration] = &[&PING, &PONG, &TWICE, &ELSEWHERE];
