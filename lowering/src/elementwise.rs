//! What one lane computes, on scalars and vectors alike.

use fermata_xir::semantics::{
    Cast, FloatBinary, FloatFormat, FloatPredicate, FloatTernary, FloatUnary, IntegerBinary, IntegerPredicate,
    IntegerUnary, IntegerWidth, ScalarFunction, ScalarType,
};
use fermata_xir::types::ElementwiseType;
use inkwell::types::BasicTypeEnum;
use inkwell::values::BasicValueEnum;
use inkwell::{FloatPredicate as LlvmFloatPredicate, IntPredicate};

use crate::function::FunctionLowering;
use crate::values::{
    bitcast, built, compare_floats, compare_integers, float_binary, integer_binary, select, shift_right,
};

impl<'l> FunctionLowering<'_, '_, 'l, '_> {
    /// Applies a function to scalars or vectors of `vector` lanes.
    pub(crate) fn apply(
        &self,
        function: ScalarFunction,
        vector: Option<u64>,
        operands: &[BasicValueEnum<'l>],
    ) -> BasicValueEnum<'l> {
        match (function, operands) {
            (ScalarFunction::IntegerUnary(operation, width), &[x]) => self.integer_unary(operation, width, vector, x),
            (ScalarFunction::IntegerBinary(operation, width), &[x, y]) => {
                self.integer_binary(operation, width, vector, x, y)
            }
            (ScalarFunction::FloatUnary(operation, format), &[x]) => self.float_unary(operation, format, vector, x),
            (ScalarFunction::FloatBinary(operation, format), &[x, y]) => {
                self.float_binary(operation, format, vector, x, y)
            }
            (ScalarFunction::FloatTernary(operation, format), &[x, y, z]) => match operation {
                FloatTernary::FusedMultiplyAdd => self.overloaded("llvm.fma", &[x, y, z]),
                FloatTernary::Clamp => {
                    let raised = self.float_binary(FloatBinary::Maximum, format, vector, x, y);
                    self.float_binary(FloatBinary::Minimum, format, vector, raised, z)
                }
            },
            (ScalarFunction::CompareIntegers(predicate, _), &[x, y]) => {
                compare_integers(&self.builder, integer_predicate(predicate), x, y)
            }
            (ScalarFunction::CompareFloats(predicate, _), &[x, y]) => {
                compare_floats(&self.builder, float_predicate(predicate), x, y)
            }
            (ScalarFunction::Cast(cast), &[x]) => self.cast(cast, vector, x),
            (ScalarFunction::Select(_), &[condition, x, y]) => select(&self.builder, condition, x, y),
            _ => unreachable!("the verifier has checked the number of operands"),
        }
    }

    /// Calls an intrinsic that is overloaded on the type of its first operand.
    pub(crate) fn overloaded(&self, name: &str, operands: &[BasicValueEnum<'l>]) -> BasicValueEnum<'l> {
        crate::intrinsic::call(self.shared.module, &self.builder, name, &[operands[0].get_type()], operands)
    }

    fn type_of(&self, scalar: ScalarType, vector: Option<u64>) -> BasicTypeEnum<'l> {
        self.shared.types.elementwise(ElementwiseType { scalar, vector })
    }

    /// The integer `value`, in each lane.
    fn integer_constant(&self, width: IntegerWidth, vector: Option<u64>, value: u64) -> BasicValueEnum<'l> {
        let scalar = self.shared.types.integer(width.bits()).const_int(width.truncate(value), false);
        self.spread(scalar.into(), vector)
    }

    fn float_constant(&self, format: FloatFormat, vector: Option<u64>, value: f64) -> BasicValueEnum<'l> {
        let BasicTypeEnum::FloatType(ty) = self.shared.types.scalar(ScalarType::Float(format)) else {
            unreachable!("a float format is a float type")
        };
        self.spread(ty.const_float(value).into(), vector)
    }

    /// A constant in each lane.
    fn spread(&self, scalar: BasicValueEnum<'l>, vector: Option<u64>) -> BasicValueEnum<'l> {
        let Some(lanes) = vector else { return scalar };
        let lanes = lanes as usize;
        match scalar {
            BasicValueEnum::IntValue(value) => inkwell::types::VectorType::const_vector(&vec![value; lanes]).into(),
            BasicValueEnum::FloatValue(value) => inkwell::types::VectorType::const_vector(&vec![value; lanes]).into(),
            _ => unreachable!("a scalar is an integer or a float"),
        }
    }

    fn integer_unary(
        &self,
        operation: IntegerUnary,
        _width: IntegerWidth,
        _vector: Option<u64>,
        x: BasicValueEnum<'l>,
    ) -> BasicValueEnum<'l> {
        // The flag says whether the least number (or zero) gives poison.
        let defined = self.shared.llvm.bool_type().const_zero().into();
        match operation {
            IntegerUnary::Absolute => self.overloaded("llvm.abs", &[x, defined]),
            IntegerUnary::PopulationCount => self.overloaded("llvm.ctpop", &[x]),
            IntegerUnary::CountLeadingZeros => self.overloaded("llvm.ctlz", &[x, defined]),
            IntegerUnary::CountTrailingZeros => self.overloaded("llvm.cttz", &[x, defined]),
            IntegerUnary::ReverseBits => self.overloaded("llvm.bitreverse", &[x]),
        }
    }

    fn integer_binary(
        &self,
        operation: IntegerBinary,
        width: IntegerWidth,
        vector: Option<u64>,
        x: BasicValueEnum<'l>,
        y: BasicValueEnum<'l>,
    ) -> BasicValueEnum<'l> {
        let builder = &self.builder;
        let bits = u64::from(width.bits());
        // Shift amounts count modulo the width, which is a power of two.
        let amount = || {
            let mask = self.integer_constant(width, vector, bits - 1);
            let amount: BasicValueEnum<'l> = integer_binary!(builder, build_and, y, mask);
            amount
        };
        match operation {
            IntegerBinary::Add => integer_binary!(builder, build_int_add, x, y),
            IntegerBinary::Subtract => integer_binary!(builder, build_int_sub, x, y),
            IntegerBinary::Multiply => integer_binary!(builder, build_int_mul, x, y),
            IntegerBinary::MultiplyHighSigned => self.multiply_high(width, vector, x, y, true),
            IntegerBinary::MultiplyHighUnsigned => self.multiply_high(width, vector, x, y, false),
            IntegerBinary::DivideSigned => {
                integer_binary!(builder, build_int_signed_div, x, self.safe_divisor(width, vector, x, y, true))
            }
            IntegerBinary::DivideUnsigned => {
                integer_binary!(builder, build_int_unsigned_div, x, self.safe_divisor(width, vector, x, y, false))
            }
            IntegerBinary::RemainderSigned => {
                integer_binary!(builder, build_int_signed_rem, x, self.safe_divisor(width, vector, x, y, true))
            }
            IntegerBinary::RemainderUnsigned => {
                integer_binary!(builder, build_int_unsigned_rem, x, self.safe_divisor(width, vector, x, y, false))
            }
            IntegerBinary::And => integer_binary!(builder, build_and, x, y),
            IntegerBinary::Or => integer_binary!(builder, build_or, x, y),
            IntegerBinary::Xor => integer_binary!(builder, build_xor, x, y),
            IntegerBinary::ShiftLeft => integer_binary!(builder, build_left_shift, x, amount()),
            IntegerBinary::ShiftRightSigned => shift_right(builder, x, amount(), true),
            IntegerBinary::ShiftRightUnsigned => shift_right(builder, x, amount(), false),
            // A rotation is a funnel shift of a number into itself, which counts modulo the width.
            IntegerBinary::RotateLeft => self.overloaded("llvm.fshl", &[x, x, y]),
            IntegerBinary::RotateRight => self.overloaded("llvm.fshr", &[x, x, y]),
            IntegerBinary::MinimumSigned => self.overloaded("llvm.smin", &[x, y]),
            IntegerBinary::MinimumUnsigned => self.overloaded("llvm.umin", &[x, y]),
            IntegerBinary::MaximumSigned => self.overloaded("llvm.smax", &[x, y]),
            IntegerBinary::MaximumUnsigned => self.overloaded("llvm.umax", &[x, y]),
        }
    }

    /// The divisor, or 1 where LLVM's division has no result: `x / 1 = x` and `x % 1 = 0` are what is wanted there.
    fn safe_divisor(
        &self,
        width: IntegerWidth,
        vector: Option<u64>,
        x: BasicValueEnum<'l>,
        y: BasicValueEnum<'l>,
        signed: bool,
    ) -> BasicValueEnum<'l> {
        let constant = |value: u64| self.integer_constant(width, vector, value);
        let equal = |left, right| compare_integers(&self.builder, IntPredicate::EQ, left, right);
        let mut unsafe_divisor = equal(y, constant(0));
        if signed {
            let least = 1_u64 << (width.bits() - 1);
            let overflows: BasicValueEnum<'l> =
                integer_binary!(self.builder, build_and, equal(x, constant(least)), equal(y, constant(u64::MAX)));
            unsafe_divisor = integer_binary!(self.builder, build_or, unsafe_divisor, overflows);
        }
        select(&self.builder, unsafe_divisor, constant(1), y)
    }

    fn multiply_high(
        &self,
        width: IntegerWidth,
        vector: Option<u64>,
        x: BasicValueEnum<'l>,
        y: BasicValueEnum<'l>,
        signed: bool,
    ) -> BasicValueEnum<'l> {
        let bits = width.bits();
        let wide = self.shared.types.integer(bits * 2);
        let amount = self.spread(wide.const_int(u64::from(bits), false).into(), vector);
        let extend = |value: BasicValueEnum<'l>| -> BasicValueEnum<'l> {
            match (value, vector) {
                (BasicValueEnum::IntValue(value), None) if signed => {
                    built(self.builder.build_int_s_extend(value, wide, "")).into()
                }
                (BasicValueEnum::IntValue(value), None) => {
                    built(self.builder.build_int_z_extend(value, wide, "")).into()
                }
                (BasicValueEnum::VectorValue(value), Some(lanes)) => {
                    let wide = wide.vec_type(lanes as u32);
                    if signed {
                        built(self.builder.build_int_s_extend(value, wide, "")).into()
                    } else {
                        built(self.builder.build_int_z_extend(value, wide, "")).into()
                    }
                }
                _ => unreachable!("an operand is an integer, or a vector of as many"),
            }
        };
        let product: BasicValueEnum<'l> = integer_binary!(self.builder, build_int_mul, extend(x), extend(y));
        let high = shift_right(&self.builder, product, amount, false);
        self.truncate_integer(high, ScalarType::Integer(width), vector)
    }

    fn truncate_integer(&self, value: BasicValueEnum<'l>, to: ScalarType, vector: Option<u64>) -> BasicValueEnum<'l> {
        match (value, self.type_of(to, vector)) {
            (BasicValueEnum::IntValue(value), BasicTypeEnum::IntType(ty)) => {
                built(self.builder.build_int_truncate(value, ty, "")).into()
            }
            (BasicValueEnum::VectorValue(value), BasicTypeEnum::VectorType(ty)) => {
                built(self.builder.build_int_truncate(value, ty, "")).into()
            }
            _ => unreachable!("an integer becomes an integer"),
        }
    }

    fn float_unary(
        &self,
        operation: FloatUnary,
        format: FloatFormat,
        vector: Option<u64>,
        x: BasicValueEnum<'l>,
    ) -> BasicValueEnum<'l> {
        let builder = &self.builder;
        let constant = |value: f64| self.float_constant(format, vector, value);
        match operation {
            FloatUnary::Negate => match x {
                BasicValueEnum::FloatValue(x) => built(builder.build_float_neg(x, "")).into(),
                BasicValueEnum::VectorValue(x) => built(builder.build_float_neg(x, "")).into(),
                _ => unreachable!("the operand is a float, or a vector of them"),
            },
            FloatUnary::Absolute => self.overloaded("llvm.fabs", &[x]),
            FloatUnary::SquareRoot => self.overloaded("llvm.sqrt", &[x]),
            FloatUnary::ReciprocalSquareRoot => {
                let root = self.overloaded("llvm.sqrt", &[x]);
                float_binary!(builder, build_float_div, constant(1.0), root)
            }
            FloatUnary::Floor => self.overloaded("llvm.floor", &[x]),
            FloatUnary::Ceil => self.overloaded("llvm.ceil", &[x]),
            FloatUnary::Truncate => self.overloaded("llvm.trunc", &[x]),
            FloatUnary::Round => self.overloaded("llvm.round", &[x]),
            FloatUnary::RoundEven => self.overloaded("llvm.roundeven", &[x]),
            FloatUnary::Fraction => {
                let floor = self.overloaded("llvm.floor", &[x]);
                float_binary!(builder, build_float_sub, x, floor)
            }
            FloatUnary::Sign => {
                let zero = constant(0.0);
                let negative = compare_floats(builder, LlvmFloatPredicate::OLT, x, zero);
                let positive = compare_floats(builder, LlvmFloatPredicate::OGT, x, zero);
                let other = select(builder, negative, constant(-1.0), x);
                select(builder, positive, constant(1.0), other)
            }
        }
    }

    fn float_binary(
        &self,
        operation: FloatBinary,
        format: FloatFormat,
        vector: Option<u64>,
        x: BasicValueEnum<'l>,
        y: BasicValueEnum<'l>,
    ) -> BasicValueEnum<'l> {
        let builder = &self.builder;
        match operation {
            FloatBinary::Add => float_binary!(builder, build_float_add, x, y),
            FloatBinary::Subtract => float_binary!(builder, build_float_sub, x, y),
            FloatBinary::Multiply => float_binary!(builder, build_float_mul, x, y),
            FloatBinary::Divide => float_binary!(builder, build_float_div, x, y),
            FloatBinary::Remainder => float_binary!(builder, build_float_rem, x, y),
            FloatBinary::Minimum => self.lesser(format, vector, x, y, false),
            FloatBinary::Maximum => self.lesser(format, vector, x, y, true),
            FloatBinary::CopySign => self.overloaded("llvm.copysign", &[x, y]),
        }
    }

    /// minimumNumber or maximumNumber. LLVM's own leave the order of zeros open.
    fn lesser(
        &self,
        format: FloatFormat,
        vector: Option<u64>,
        x: BasicValueEnum<'l>,
        y: BasicValueEnum<'l>,
        reverse: bool,
    ) -> BasicValueEnum<'l> {
        let builder = &self.builder;
        let (x_wins, y_wins) = if reverse {
            (LlvmFloatPredicate::OGT, LlvmFloatPredicate::OLT)
        } else {
            (LlvmFloatPredicate::OLT, LlvmFloatPredicate::OGT)
        };
        // Equal numbers have equal bits, but for zeros, of which `or` gives the negative and `and` the positive one.
        let width = match format {
            FloatFormat::F16 => IntegerWidth::W16,
            FloatFormat::F32 => IntegerWidth::W32,
            FloatFormat::F64 => IntegerWidth::W64,
        };
        let bits = self.type_of(ScalarType::Integer(width), vector);
        let (x_bits, y_bits) = (bitcast(builder, x, bits), bitcast(builder, y, bits));
        let merged: BasicValueEnum<'l> = if reverse {
            integer_binary!(builder, build_and, x_bits, y_bits)
        } else {
            integer_binary!(builder, build_or, x_bits, y_bits)
        };
        let equal = bitcast(builder, merged, self.type_of(ScalarType::Float(format), vector));
        let is_nan = |value| compare_floats(builder, LlvmFloatPredicate::UNO, value, value);
        let unordered = select(builder, is_nan(y), x, equal);
        let unordered = select(builder, is_nan(x), y, unordered);
        let rest = select(builder, compare_floats(builder, y_wins, x, y), y, unordered);
        select(builder, compare_floats(builder, x_wins, x, y), x, rest)
    }

    fn cast(&self, cast: Cast, vector: Option<u64>, x: BasicValueEnum<'l>) -> BasicValueEnum<'l> {
        let builder = &self.builder;
        let target = self.type_of(cast.target(), vector);
        macro_rules! convert {
            ($method:ident, $from:ident, $to:ident) => {
                match (x, target) {
                    (BasicValueEnum::$from(x), BasicTypeEnum::$to(ty)) => built(builder.$method(x, ty, "")).into(),
                    (BasicValueEnum::VectorValue(x), BasicTypeEnum::VectorType(ty)) => {
                        built(builder.$method(x, ty, "")).into()
                    }
                    _ => unreachable!("the verifier has checked the types of a conversion"),
                }
            };
        }
        match cast {
            Cast::ExtendSigned { .. } => convert!(build_int_s_extend, IntValue, IntType),
            Cast::ExtendUnsigned { .. } => convert!(build_int_z_extend, IntValue, IntType),
            Cast::Truncate { .. } => convert!(build_int_truncate, IntValue, IntType),
            Cast::SignedToFloat { .. } => convert!(build_signed_int_to_float, IntValue, FloatType),
            Cast::UnsignedToFloat { .. } => convert!(build_unsigned_int_to_float, IntValue, FloatType),
            Cast::FloatToSigned { .. } => self.saturate("llvm.fptosi.sat", target, x),
            Cast::FloatToUnsigned { .. } => self.saturate("llvm.fptoui.sat", target, x),
            Cast::Float { from, to } if from.bits() < to.bits() => convert!(build_float_ext, FloatValue, FloatType),
            Cast::Float { from, to } if from.bits() > to.bits() => convert!(build_float_trunc, FloatValue, FloatType),
            Cast::Float { .. } => x,
            Cast::Bits { .. } => bitcast(builder, x, target),
        }
    }

    fn saturate(&self, name: &str, target: BasicTypeEnum<'l>, x: BasicValueEnum<'l>) -> BasicValueEnum<'l> {
        crate::intrinsic::call(self.shared.module, &self.builder, name, &[target, x.get_type()], &[x])
    }
}

fn integer_predicate(predicate: IntegerPredicate) -> IntPredicate {
    match predicate {
        IntegerPredicate::Eq => IntPredicate::EQ,
        IntegerPredicate::Ne => IntPredicate::NE,
        IntegerPredicate::Slt => IntPredicate::SLT,
        IntegerPredicate::Sle => IntPredicate::SLE,
        IntegerPredicate::Sgt => IntPredicate::SGT,
        IntegerPredicate::Sge => IntPredicate::SGE,
        IntegerPredicate::Ult => IntPredicate::ULT,
        IntegerPredicate::Ule => IntPredicate::ULE,
        IntegerPredicate::Ugt => IntPredicate::UGT,
        IntegerPredicate::Uge => IntPredicate::UGE,
    }
}

fn float_predicate(predicate: FloatPredicate) -> LlvmFloatPredicate {
    match predicate {
        FloatPredicate::Oeq => LlvmFloatPredicate::OEQ,
        FloatPredicate::Ogt => LlvmFloatPredicate::OGT,
        FloatPredicate::Oge => LlvmFloatPredicate::OGE,
        FloatPredicate::Olt => LlvmFloatPredicate::OLT,
        FloatPredicate::Ole => LlvmFloatPredicate::OLE,
        FloatPredicate::One => LlvmFloatPredicate::ONE,
        FloatPredicate::Ord => LlvmFloatPredicate::ORD,
        FloatPredicate::Ueq => LlvmFloatPredicate::UEQ,
        FloatPredicate::Ugt => LlvmFloatPredicate::UGT,
        FloatPredicate::Uge => LlvmFloatPredicate::UGE,
        FloatPredicate::Ult => LlvmFloatPredicate::ULT,
        FloatPredicate::Ule => LlvmFloatPredicate::ULE,
        FloatPredicate::Une => LlvmFloatPredicate::UNE,
        FloatPredicate::Uno => LlvmFloatPredicate::UNO,
    }
}
