//! Operations on vectors and matrices that are defined by a sequence of scalar operations.
//!
//! The order of the scalar operations is part of the meaning, for each of them rounds. It is written here once, over an
//! abstract [`Arithmetic`]: evaluating [bits](BitArithmetic) gives the semantics, and emitting operations gives the
//! expansion that a lowering may use.
//!
//! Matrices are slices of columns, columns are slices of lanes.

use super::{FloatBinary, FloatFormat, FloatUnary};

/// Scalar floating-point arithmetic on some kind of value.
pub trait Arithmetic {
    /// A scalar.
    type Value: Copy;
    /// 1
    fn one(&mut self) -> Self::Value;
    /// `-x`
    fn negate(&mut self, x: Self::Value) -> Self::Value;
    /// `x + y`
    fn add(&mut self, x: Self::Value, y: Self::Value) -> Self::Value;
    /// `x - y`
    fn subtract(&mut self, x: Self::Value, y: Self::Value) -> Self::Value;
    /// `x * y`
    fn multiply(&mut self, x: Self::Value, y: Self::Value) -> Self::Value;
    /// `x / y`
    fn divide(&mut self, x: Self::Value, y: Self::Value) -> Self::Value;
    /// The square root.
    fn square_root(&mut self, x: Self::Value) -> Self::Value;
}

/// Arithmetic on the bits of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitArithmetic(pub FloatFormat);

impl Arithmetic for BitArithmetic {
    type Value = u64;
    fn one(&mut self) -> u64 {
        self.0.one()
    }
    fn negate(&mut self, x: u64) -> u64 {
        FloatUnary::Negate.evaluate(self.0, x)
    }
    fn add(&mut self, x: u64, y: u64) -> u64 {
        FloatBinary::Add.evaluate(self.0, x, y)
    }
    fn subtract(&mut self, x: u64, y: u64) -> u64 {
        FloatBinary::Subtract.evaluate(self.0, x, y)
    }
    fn multiply(&mut self, x: u64, y: u64) -> u64 {
        FloatBinary::Multiply.evaluate(self.0, x, y)
    }
    fn divide(&mut self, x: u64, y: u64) -> u64 {
        FloatBinary::Divide.evaluate(self.0, x, y)
    }
    fn square_root(&mut self, x: u64) -> u64 {
        FloatUnary::SquareRoot.evaluate(self.0, x)
    }
}

/// The sum of the products of the lanes, added up from the first lane to the last.
pub fn dot<A: Arithmetic>(arithmetic: &mut A, x: &[A::Value], y: &[A::Value]) -> A::Value {
    sum_of_products(arithmetic, x.iter().copied().zip(y.iter().copied()))
}

fn sum_of_products<A: Arithmetic>(
    arithmetic: &mut A,
    pairs: impl IntoIterator<Item = (A::Value, A::Value)>,
) -> A::Value {
    let mut sum = None;
    for (x, y) in pairs {
        let product = arithmetic.multiply(x, y);
        sum = Some(sum.map_or(product, |sum| arithmetic.add(sum, product)));
    }
    sum.expect("vectors have two lanes at least")
}

/// `(x1 y2 - x2 y1, x2 y0 - x0 y2, x0 y1 - x1 y0)`
pub fn cross<A: Arithmetic>(arithmetic: &mut A, x: [A::Value; 3], y: [A::Value; 3]) -> [A::Value; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
        let first = arithmetic.multiply(x[i], y[j]);
        let second = arithmetic.multiply(x[j], y[i]);
        arithmetic.subtract(first, second)
    })
}

/// The square root of the dot product with itself.
pub fn length<A: Arithmetic>(arithmetic: &mut A, x: &[A::Value]) -> A::Value {
    let square = dot(arithmetic, x, x);
    arithmetic.square_root(square)
}

/// The length of `x - y`.
pub fn distance<A: Arithmetic>(arithmetic: &mut A, x: &[A::Value], y: &[A::Value]) -> A::Value {
    let difference: Vec<_> = x.iter().zip(y).map(|(&x, &y)| arithmetic.subtract(x, y)).collect();
    length(arithmetic, &difference)
}

/// Each lane divided by the length. Zero vectors become NaNs.
pub fn normalize<A: Arithmetic>(arithmetic: &mut A, x: &[A::Value]) -> Vec<A::Value> {
    let length = length(arithmetic, x);
    x.iter().map(|&lane| arithmetic.divide(lane, length)).collect()
}

/// Matrix by vector: lane `r` is the sum over `c` of `matrix[c][r] vector[c]`, from the first column to the last.
pub fn matrix_by_vector<A: Arithmetic>(
    arithmetic: &mut A,
    matrix: &[Vec<A::Value>],
    vector: &[A::Value],
) -> Vec<A::Value> {
    (0..matrix.len())
        .map(|row| sum_of_products(arithmetic, matrix.iter().zip(vector).map(|(column, &lane)| (column[row], lane))))
        .collect()
}

/// Vector by matrix: lane `c` is the dot product of the vector and column `c`.
pub fn vector_by_matrix<A: Arithmetic>(
    arithmetic: &mut A,
    vector: &[A::Value],
    matrix: &[Vec<A::Value>],
) -> Vec<A::Value> {
    matrix.iter().map(|column| dot(arithmetic, vector, column)).collect()
}

/// Matrix by matrix: column `c` is the left matrix by column `c` of the right one.
pub fn matrix_by_matrix<A: Arithmetic>(
    arithmetic: &mut A,
    left: &[Vec<A::Value>],
    right: &[Vec<A::Value>],
) -> Vec<Vec<A::Value>> {
    right.iter().map(|column| matrix_by_vector(arithmetic, left, column)).collect()
}

/// Each lane of a matrix multiplied by a scalar.
pub fn matrix_by_scalar<A: Arithmetic>(
    arithmetic: &mut A,
    matrix: &[Vec<A::Value>],
    scalar: A::Value,
) -> Vec<Vec<A::Value>> {
    let mut scale = |lane: &A::Value| arithmetic.multiply(*lane, scalar);
    matrix.iter().map(|column| column.iter().map(&mut scale).collect()).collect()
}

/// Rows and columns exchanged.
#[must_use]
pub fn transpose<V: Copy>(matrix: &[Vec<V>]) -> Vec<Vec<V>> {
    (0..matrix.len()).map(|row| matrix.iter().map(|column| column[row]).collect()).collect()
}

/// The determinant, by expansion along the first row: the first lane of each column times the determinant of what is left
/// without that column and the first row, subtracted and added in turn.
pub fn determinant<A: Arithmetic>(arithmetic: &mut A, matrix: &[Vec<A::Value>]) -> A::Value {
    // There are at most four columns, so this goes no deeper than three calls.
    if let [column] = matrix {
        return column[0];
    }
    let mut sum = None;
    for (index, column) in matrix.iter().enumerate() {
        let minor = determinant(arithmetic, &without(matrix, index, 0));
        let term = arithmetic.multiply(column[0], minor);
        sum = Some(match sum {
            None => term,
            Some(sum) if index % 2 == 1 => arithmetic.subtract(sum, term),
            Some(sum) => arithmetic.add(sum, term),
        });
    }
    sum.expect("matrices have two columns at least")
}

/// The inverse: the lane in column `c` and row `r` is the determinant of what is left without column `r` and row `c`,
/// negated if `c + r` is odd, times the quotient of 1 and the determinant.
pub fn inverse<A: Arithmetic>(arithmetic: &mut A, matrix: &[Vec<A::Value>]) -> Vec<Vec<A::Value>> {
    let one = arithmetic.one();
    let determinant_of_all = determinant(arithmetic, matrix);
    let factor = arithmetic.divide(one, determinant_of_all);
    (0..matrix.len())
        .map(|column| {
            (0..matrix.len())
                .map(|row| {
                    let minor = determinant(arithmetic, &without(matrix, row, column));
                    let cofactor = if (column + row) % 2 == 1 { arithmetic.negate(minor) } else { minor };
                    arithmetic.multiply(cofactor, factor)
                })
                .collect()
        })
        .collect()
}

/// A matrix without one column and one row.
fn without<V: Copy>(matrix: &[Vec<V>], column: usize, row: usize) -> Vec<Vec<V>> {
    let kept_lanes =
        |lanes: &Vec<V>| lanes.iter().enumerate().filter(|&(index, _)| index != row).map(|(_, &lane)| lane).collect();
    matrix.iter().enumerate().filter(|&(index, _)| index != column).map(|(_, lanes)| kept_lanes(lanes)).collect()
}
