//! Elementary functions as operations.

use std::cell::RefCell;

use fermata_ir::builder::Builder;
use fermata_ir::{OpId, OpRef, Type, ValueId};
use fermata_math::{Arithmetic, Format, Function};

use crate::constant::splat_attribute;
use crate::interfaces::ElementwiseModel;
use crate::ops::{
    AbsF, AddF, AddI, AndI, Bitcast, CmpF, CmpI, Constant, CopySign, DivF, ExtF, FPToSI, Fma, MulF, MulHUI, MulI, NegF,
    OrI, RoundEven, SIToFP, Select, Shape, ShlI, ShrSI, ShrUI, Sqrt, SubF, SubI, TruncF, XorI,
};
use crate::semantics::{FloatFormat, FloatPredicate, IntegerPredicate, IntegerWidth, ScalarFunction, ScalarType};
use crate::types::ElementwiseType;

/// What an operation on shapes of bits gives, lane by lane.
pub(in crate::ops) fn evaluate(op: OpRef<'_>, operands: &[Shape<u64>]) -> Option<Shape<u64>> {
    let function = (op.interface::<ElementwiseModel>()?.function)(op)?;
    if operands.len() != op.operand_count() {
        return None;
    }
    let lanes: Vec<Vec<u64>> = operands
        .iter()
        .map(|operand| match operand {
            Shape::Scalar(bits) => Some(vec![*bits]),
            Shape::Vector(lanes) => Some(lanes.clone()),
            Shape::Matrix(_) => None,
        })
        .collect::<Option<_>>()?;
    let count = lanes.first()?.len();
    let lane = |index: usize| {
        let operands: Vec<u64> = lanes.iter().map(|lanes| lanes.get(index).copied()).collect::<Option<_>>()?;
        Some(function.evaluate(&operands))
    };
    match operands.first()? {
        Shape::Scalar(_) => lane(0).map(Shape::Scalar),
        _ => (0..count).map(lane).collect::<Option<_>>().map(Shape::Vector),
    }
}

/// Makes the operations that an elementary function consists of, before `op`, on all lanes at once, and gives its result.
/// The flags of `op` are not theirs: the function is exact only if each of them is.
pub(in crate::ops) fn expand(builder: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    builder.before(op);
    let context = builder.context();
    let view = builder.op(op);
    let ScalarFunction::Elementary(function, format) = (view.interface::<ElementwiseModel>()?.function)(view)? else {
        return None;
    };
    let ty = ElementwiseType::of(context, view.result_type(0))?;
    let operands: Vec<ValueId> = view.operands().collect();
    if format != FloatFormat::F16 {
        return Emit::new(builder, ty)?.apply(function, &operands);
    }
    let single = ty.with_scalar(ScalarType::Float(FloatFormat::F32));
    let wide: Vec<ValueId> = operands
        .into_iter()
        .map(|operand| {
            let op = ExtF::build(builder, operand, single.ty(context));
            builder.body().result(op, 0)
        })
        .collect();
    let result = Emit::new(builder, single)?.apply(function, &wide)?;
    let op = TruncF::build(builder, result, ty.ty(context));
    Some(builder.body().result(op, 0))
}

/// Arithmetic that makes an operation for each call.
struct Emit<'b, 'a> {
    builder: RefCell<&'b mut Builder<'a>>,
    format: Format,
    float: ElementwiseType,
    integer: ElementwiseType,
    boolean: ElementwiseType,
}

impl<'b, 'a> Emit<'b, 'a> {
    fn new(builder: &'b mut Builder<'a>, float: ElementwiseType) -> Option<Self> {
        let (format, width) = match float.scalar {
            ScalarType::Float(FloatFormat::F32) => (Format::F32, IntegerWidth::W32),
            ScalarType::Float(FloatFormat::F64) => (Format::F64, IntegerWidth::W64),
            _ => return None,
        };
        Some(Self {
            builder: RefCell::new(builder),
            format,
            float,
            integer: float.with_scalar(ScalarType::Integer(width)),
            boolean: float.with_scalar(ScalarType::Integer(IntegerWidth::W1)),
        })
    }

    fn apply(&self, function: Function, operands: &[ValueId]) -> Option<ValueId> {
        function.apply(self, operands)
    }

    fn make(&self, make: impl FnOnce(&mut Builder<'a>) -> OpId) -> ValueId {
        let mut builder = self.builder.borrow_mut();
        let op = make(&mut builder);
        builder.body().result(op, 0)
    }

    fn constant(&self, ty: ElementwiseType, bits: u64) -> ValueId {
        self.make(|builder| {
            let value = splat_attribute(builder.context(), ty, bits);
            Constant::build(builder, value)
        })
    }

    fn convert(
        &self,
        value: ValueId,
        ty: ElementwiseType,
        build: fn(&mut Builder<'_>, ValueId, Type) -> OpId,
    ) -> ValueId {
        self.make(|builder| {
            let ty = ty.ty(builder.context());
            build(builder, value, ty)
        })
    }

    fn compare_floats(&self, predicate: FloatPredicate, x: ValueId, y: ValueId) -> ValueId {
        self.make(|builder| CmpF::build(builder, x, y, predicate))
    }

    fn compare_integers(&self, predicate: IntegerPredicate, x: ValueId, y: ValueId) -> ValueId {
        self.make(|builder| CmpI::build(builder, x, y, predicate))
    }
}

/// Methods of two operands that make one operation.
macro_rules! binary {
    ($($name:ident => $Op:ident;)*) => {$(
        fn $name(&self, x: ValueId, y: ValueId) -> ValueId {
            self.make(|builder| $Op::build(builder, x, y))
        }
    )*};
}

/// Methods of one operand that make one operation.
macro_rules! unary {
    ($($name:ident => $Op:ident;)*) => {$(
        fn $name(&self, x: ValueId) -> ValueId {
            self.make(|builder| $Op::build(builder, x))
        }
    )*};
}

impl Arithmetic for Emit<'_, '_> {
    type Float = ValueId;
    type Integer = ValueId;
    type Boolean = ValueId;

    fn format(&self) -> Format {
        self.format
    }
    fn float(&self, value: f64) -> ValueId {
        let bits = self.float.scalar.float().map_or(0, |format| format.from_f64(value));
        self.constant(self.float, bits)
    }
    fn integer(&self, value: i64) -> ValueId {
        self.constant(self.integer, value.cast_unsigned())
    }

    unary! {
        sqrt => Sqrt;
        round_even => RoundEven;
        neg => NegF;
        abs => AbsF;
    }
    binary! {
        add => AddF;
        sub => SubF;
        mul => MulF;
        div => DivF;
        copysign => CopySign;
        int_add => AddI;
        int_sub => SubI;
        int_mul => MulI;
        int_mul_high => MulHUI;
        int_and => AndI;
        int_or => OrI;
        int_xor => XorI;
        int_shl => ShlI;
        int_shr => ShrUI;
        int_sar => ShrSI;
        and => AndI;
        or => OrI;
    }
    fn fma(&self, x: ValueId, y: ValueId, z: ValueId) -> ValueId {
        self.make(|builder| Fma::build(builder, x, y, z))
    }

    fn lt(&self, x: ValueId, y: ValueId) -> ValueId {
        self.compare_floats(FloatPredicate::Olt, x, y)
    }
    fn eq(&self, x: ValueId, y: ValueId) -> ValueId {
        self.compare_floats(FloatPredicate::Oeq, x, y)
    }
    fn unordered(&self, x: ValueId, y: ValueId) -> ValueId {
        self.compare_floats(FloatPredicate::Uno, x, y)
    }
    fn select(&self, condition: ValueId, x: ValueId, y: ValueId) -> ValueId {
        self.make(|builder| Select::build(builder, condition, x, y))
    }
    fn int_eq(&self, x: ValueId, y: ValueId) -> ValueId {
        self.compare_integers(IntegerPredicate::Eq, x, y)
    }
    fn int_lt(&self, x: ValueId, y: ValueId) -> ValueId {
        self.compare_integers(IntegerPredicate::Slt, x, y)
    }
    fn int_lt_unsigned(&self, x: ValueId, y: ValueId) -> ValueId {
        self.compare_integers(IntegerPredicate::Ult, x, y)
    }
    fn int_select(&self, condition: ValueId, x: ValueId, y: ValueId) -> ValueId {
        self.make(|builder| Select::build(builder, condition, x, y))
    }
    fn not(&self, x: ValueId) -> ValueId {
        let ones = self.constant(self.boolean, 1);
        self.make(|builder| XorI::build(builder, x, ones))
    }

    fn float_to_bits(&self, x: ValueId) -> ValueId {
        self.convert(x, self.integer, Bitcast::build)
    }
    fn bits_to_float(&self, x: ValueId) -> ValueId {
        self.convert(x, self.float, Bitcast::build)
    }
    fn int_to_float(&self, x: ValueId) -> ValueId {
        self.convert(x, self.float, SIToFP::build)
    }
    fn float_to_int(&self, x: ValueId) -> ValueId {
        self.convert(x, self.integer, FPToSI::build)
    }
}
