//! Constants, and building, taking apart and multiplying vectors, matrices and aggregates.

use fermata_ir::{Attribute, OpRef, OperationView, Type};
use fermata_xir::constant;
use fermata_xir::ops::{Extract, Insert, Shuffle};
use fermata_xir::semantics::ScalarType;
use fermata_xir::semantics::composite::{self, Arithmetic};
use fermata_xir::types::{ElementwiseType, MatrixType, part_count, part_type};
use inkwell::values::{BasicValueEnum, FloatValue};

use crate::function::FunctionLowering;
use crate::values::{bitcast, built, extract_part, float, insert_part, integer, integer_binary, select};

impl<'l> FunctionLowering<'_, '_, 'l, '_> {
    /// A constant.
    pub(crate) fn constant(&self, attribute: Attribute) -> BasicValueEnum<'l> {
        let context = self.shared.context;
        let ty = constant::constant_type(context, attribute).expect("a verified constant is of a value type");
        let register = self.register(ty);
        if constant::is_zero(context, attribute) {
            return register.const_zero();
        }
        let Some(elementwise) = ElementwiseType::of(context, ty) else {
            let count = part_count(context, ty).expect("an aggregate has parts");
            let mut whole = register.const_zero();
            for index in 0..count {
                let part = constant::part(context, attribute, index).expect("an aggregate constant has all its parts");
                whole = self.insert(whole, self.constant(part), index as u32);
            }
            return whole;
        };
        let lanes = constant::lanes(context, attribute).expect("an elementwise constant has the bits of its lanes");
        let scalars: Vec<_> = lanes.iter().map(|&bits| self.scalar_constant(elementwise.scalar, bits)).collect();
        if elementwise.vector.is_none() {
            return scalars[0];
        }
        let mut whole = register.const_zero();
        for (index, scalar) in scalars.into_iter().enumerate() {
            whole = self.insert(whole, scalar, index as u32);
        }
        whole
    }

    fn scalar_constant(&self, ty: ScalarType, bits: u64) -> BasicValueEnum<'l> {
        let integer = self.shared.types.integer(ty.bits()).const_int(bits, false);
        bitcast(&self.builder, integer.into(), self.shared.types.scalar(ty))
    }

    pub(crate) fn register(&self, ty: Type) -> inkwell::types::BasicTypeEnum<'l> {
        self.shared.types.register(ty).expect("the verifier accepts only value types here")
    }

    /// A part of a vector or aggregate in a register.
    pub(crate) fn extract(&self, whole: BasicValueEnum<'l>, index: u32) -> BasicValueEnum<'l> {
        extract_part(&self.builder, whole, index)
    }

    /// A vector or aggregate with one part replaced.
    pub(crate) fn insert(&self, whole: BasicValueEnum<'l>, part: BasicValueEnum<'l>, index: u32) -> BasicValueEnum<'l> {
        insert_part(&self.builder, whole, part, index)
    }

    /// A dynamic index, clamped to the last part.
    fn clamped(&self, index: BasicValueEnum<'l>, count: u64) -> inkwell::values::IntValue<'l> {
        let last = integer(index).get_type().const_int(count - 1, false);
        integer(self.overloaded("llvm.umin", &[index, last.into()]))
    }

    /// Lowers operations on vectors, matrices and aggregates; says whether `op` is one.
    pub(crate) fn composite(&mut self, op: OpRef<'_>) -> bool {
        let operands = self.operands(op);
        let result = match op.name_str() {
            "xir.build" => self.build(op.result_type(0), &operands),
            "xir.splat" => {
                let count = part_count(op.context, op.result_type(0)).expect("a splat gives a vector");
                self.build(op.result_type(0), &vec![operands[0]; count as usize])
            }
            "xir.extract" => {
                let path = self.path(op);
                path.into_iter().fold(operands[0], |whole, index| self.extract(whole, index))
            }
            "xir.insert" => {
                let path = self.path(op);
                self.insert_path(operands[1], operands[0], &path)
            }
            "xir.extract_dynamic" => self.extract_dynamic(op.operand_type(0), operands[0], operands[1]),
            "xir.insert_dynamic" => self.insert_dynamic(op.operand_type(1), operands[1], operands[0], operands[2]),
            "xir.shuffle" => self.shuffle(op, operands[0], operands[1]),
            "xir.select" => select(&self.builder, operands[0], operands[1], operands[2]),
            "xir.any" | "xir.all" => self.reduce(op, operands[0]),
            "xir.bitcast" => self.bitcast(op, operands[0]),
            "xir.dot" | "xir.cross" | "xir.length" | "xir.distance" | "xir.normalize" => {
                self.vector_product(op, &operands)
            }
            "xir.matmul" | "xir.matrix_scale" | "xir.transpose" | "xir.determinant" | "xir.inverse" => {
                self.matrix_product(op, &operands)
            }
            _ => return false,
        };
        self.set_result(op, result);
        true
    }

    fn path(&self, op: OpRef<'_>) -> Vec<u32> {
        let path = match op.cast::<Extract<'_>>() {
            Some(extract) => extract.path(),
            None => Insert::from_ref_unchecked(op).path(),
        };
        path.into_iter().map(|index| index as u32).collect()
    }

    fn build(&self, ty: Type, parts: &[BasicValueEnum<'l>]) -> BasicValueEnum<'l> {
        let mut whole = self.register(ty).const_zero();
        for (index, &part) in parts.iter().enumerate() {
            whole = self.insert(whole, part, index as u32);
        }
        whole
    }

    fn insert_path(&self, whole: BasicValueEnum<'l>, part: BasicValueEnum<'l>, path: &[u32]) -> BasicValueEnum<'l> {
        match path {
            [] => part,
            [index] => self.insert(whole, part, *index),
            [index, rest @ ..] => {
                let inner = self.extract(whole, *index);
                self.insert(whole, self.insert_path(inner, part, rest), *index)
            }
        }
    }

    /// Extraction at an index that is known at run time: a vector has an instruction for it, anything else goes through
    /// memory, which has addresses.
    fn extract_dynamic(&self, ty: Type, whole: BasicValueEnum<'l>, index: BasicValueEnum<'l>) -> BasicValueEnum<'l> {
        let count = part_count(self.shared.context, ty).expect("what is indexed has parts");
        let index = self.clamped(index, count);
        if let BasicValueEnum::VectorValue(whole) = whole {
            return built(self.builder.build_extract_element(whole, index, ""));
        }
        let memory = self.allocate(ty);
        self.store(ty, whole, memory);
        let address = self.part_address(ty, memory, index);
        self.load(part_type(self.shared.context, ty, 0).expect("the parts are equal"), address)
    }

    fn insert_dynamic(
        &self,
        ty: Type,
        whole: BasicValueEnum<'l>,
        part: BasicValueEnum<'l>,
        index: BasicValueEnum<'l>,
    ) -> BasicValueEnum<'l> {
        let count = part_count(self.shared.context, ty).expect("what is indexed has parts");
        let index = self.clamped(index, count);
        if let BasicValueEnum::VectorValue(whole) = whole {
            return built(self.builder.build_insert_element(whole, part, index, "")).into();
        }
        let memory = self.allocate(ty);
        self.store(ty, whole, memory);
        let address = self.part_address(ty, memory, index);
        self.store(part_type(self.shared.context, ty, 0).expect("the parts are equal"), part, address);
        self.load(ty, memory)
    }

    fn shuffle(&self, op: OpRef<'_>, left: BasicValueEnum<'l>, right: BasicValueEnum<'l>) -> BasicValueEnum<'l> {
        let lanes = Shuffle::from_ref_unchecked(op).mask();
        let count = part_count(op.context, op.operand_type(0)).expect("a shuffle is of vectors") as i64;
        let parts: Vec<_> = lanes
            .into_iter()
            .map(|lane| {
                if lane < count { self.extract(left, lane as u32) } else { self.extract(right, (lane - count) as u32) }
            })
            .collect();
        self.build(op.result_type(0), &parts)
    }

    fn reduce(&self, op: OpRef<'_>, operand: BasicValueEnum<'l>) -> BasicValueEnum<'l> {
        let count = part_count(op.context, op.operand_type(0)).expect("a reduction is of a vector") as u32;
        let lanes = (0..count).map(|lane| self.extract(operand, lane));
        let is_any = op.name_str() == "xir.any";
        let combine = |left: BasicValueEnum<'l>, right: BasicValueEnum<'l>| -> BasicValueEnum<'l> {
            if is_any {
                integer_binary!(self.builder, build_or, left, right)
            } else {
                integer_binary!(self.builder, build_and, left, right)
            }
        };
        lanes.reduce(combine).expect("a vector has lanes")
    }

    /// The first lane of a vector is its lowest bits, on this little-endian target as in LLVM's bitcast.
    fn bitcast(&self, op: OpRef<'_>, operand: BasicValueEnum<'l>) -> BasicValueEnum<'l> {
        bitcast(&self.builder, operand, self.register(op.result_type(0)))
    }

    fn lanes(&self, vector: BasicValueEnum<'l>) -> Vec<FloatValue<'l>> {
        let BasicValueEnum::VectorValue(vector) = vector else { unreachable!("lanes are those of a vector") };
        (0..vector.get_type().get_size()).map(|lane| float(self.extract(vector.into(), lane))).collect()
    }

    fn columns(&self, matrix: BasicValueEnum<'l>) -> Vec<Vec<FloatValue<'l>>> {
        let BasicValueEnum::ArrayValue(array) = matrix else { unreachable!("a matrix is an array of columns") };
        (0..array.get_type().len()).map(|column| self.lanes(self.extract(matrix, column))).collect()
    }

    fn vector(&self, ty: Type, lanes: &[FloatValue<'l>]) -> BasicValueEnum<'l> {
        let lanes: Vec<BasicValueEnum<'l>> = lanes.iter().map(|&lane| lane.into()).collect();
        self.build(ty, &lanes)
    }

    fn matrix(&self, ty: Type, columns: &[Vec<FloatValue<'l>>]) -> BasicValueEnum<'l> {
        let column = part_type(self.shared.context, ty, 0).expect("a matrix has columns");
        let columns: Vec<_> = columns.iter().map(|lanes| self.vector(column, lanes)).collect();
        self.build(ty, &columns)
    }

    fn vector_product(&self, op: OpRef<'_>, operands: &[BasicValueEnum<'l>]) -> BasicValueEnum<'l> {
        let x = self.lanes(operands[0]);
        let mut emit = Emit { function: self, ty: x[0].get_type() };
        let y = operands.get(1).map(|&y| self.lanes(y)).unwrap_or_default();
        match op.name_str() {
            "xir.dot" => composite::dot(&mut emit, &x, &y).into(),
            "xir.length" => composite::length(&mut emit, &x).into(),
            "xir.distance" => composite::distance(&mut emit, &x, &y).into(),
            "xir.normalize" => self.vector(op.result_type(0), &composite::normalize(&mut emit, &x)),
            _ => {
                let three = |lanes: &[FloatValue<'l>]| [lanes[0], lanes[1], lanes[2]];
                self.vector(op.result_type(0), &composite::cross(&mut emit, three(&x), three(&y)))
            }
        }
    }

    /// The type of a lane of the matrix among the operands.
    fn lane_type(&self, op: OpRef<'_>) -> inkwell::types::FloatType<'l> {
        let matrix = op.operands().find_map(|operand| op.type_of(operand).downcast::<MatrixType>(op.context));
        let element = matrix.expect("an operand is a matrix").element;
        self.register(element).into_float_type()
    }

    fn matrix_product(&self, op: OpRef<'_>, operands: &[BasicValueEnum<'l>]) -> BasicValueEnum<'l> {
        let mut emit = Emit { function: self, ty: self.lane_type(op) };
        let is_matrix = |index: usize| op.operand_type(index).is::<MatrixType>(op.context);
        let ty = op.result_type(0);
        match op.name_str() {
            "xir.transpose" => self.matrix(ty, &composite::transpose(&self.columns(operands[0]))),
            "xir.determinant" => composite::determinant(&mut emit, &self.columns(operands[0])).into(),
            "xir.inverse" => self.matrix(ty, &composite::inverse(&mut emit, &self.columns(operands[0]))),
            "xir.matrix_scale" => {
                let columns = self.columns(operands[0]);
                self.matrix(ty, &composite::matrix_by_scalar(&mut emit, &columns, float(operands[1])))
            }
            _ if is_matrix(0) && is_matrix(1) => {
                let (left, right) = (self.columns(operands[0]), self.columns(operands[1]));
                self.matrix(ty, &composite::matrix_by_matrix(&mut emit, &left, &right))
            }
            _ if is_matrix(0) => {
                let (matrix, vector) = (self.columns(operands[0]), self.lanes(operands[1]));
                self.vector(ty, &composite::matrix_by_vector(&mut emit, &matrix, &vector))
            }
            _ => {
                let (vector, matrix) = (self.lanes(operands[0]), self.columns(operands[1]));
                self.vector(ty, &composite::vector_by_matrix(&mut emit, &vector, &matrix))
            }
        }
    }
}

/// Emits the operations that define a vector or matrix operation, in their order.
struct Emit<'f, 'c, 'b, 'l, 's> {
    function: &'f FunctionLowering<'c, 'b, 'l, 's>,
    /// Type of a lane.
    ty: inkwell::types::FloatType<'l>,
}

impl<'l> Arithmetic for Emit<'_, '_, '_, 'l, '_> {
    type Value = FloatValue<'l>;

    fn one(&mut self) -> Self::Value {
        self.ty.const_float(1.0)
    }
    fn negate(&mut self, x: Self::Value) -> Self::Value {
        built(self.function.builder.build_float_neg(x, ""))
    }
    fn add(&mut self, x: Self::Value, y: Self::Value) -> Self::Value {
        built(self.function.builder.build_float_add(x, y, ""))
    }
    fn subtract(&mut self, x: Self::Value, y: Self::Value) -> Self::Value {
        built(self.function.builder.build_float_sub(x, y, ""))
    }
    fn multiply(&mut self, x: Self::Value, y: Self::Value) -> Self::Value {
        built(self.function.builder.build_float_mul(x, y, ""))
    }
    fn divide(&mut self, x: Self::Value, y: Self::Value) -> Self::Value {
        built(self.function.builder.build_float_div(x, y, ""))
    }
    fn square_root(&mut self, x: Self::Value) -> Self::Value {
        float(self.function.overloaded("llvm.sqrt", &[x.into()]))
    }
}
