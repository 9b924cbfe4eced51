//! Vectors and matrices: closed forms in small integers, where nothing rounds, and the order of rounding.

use fermata_xir::semantics::FloatFormat;
use fermata_xir::semantics::composite::{
    BitArithmetic, cross, determinant, distance, dot, inverse, length, matrix_by_matrix, matrix_by_scalar,
    matrix_by_vector, normalize, transpose, vector_by_matrix,
};

const FORMAT: FloatFormat = FloatFormat::F32;

fn bits(values: &[f32]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits().into()).collect()
}

fn floats(bits: &[u64]) -> Vec<f32> {
    bits.iter().map(|&bits| f32::from_bits(bits as u32)).collect()
}

fn matrix(columns: &[&[f32]]) -> Vec<Vec<u64>> {
    columns.iter().map(|column| bits(column)).collect()
}

fn columns(matrix: &[Vec<u64>]) -> Vec<Vec<f32>> {
    matrix.iter().map(|column| floats(column)).collect()
}

fn arithmetic() -> BitArithmetic {
    BitArithmetic(FORMAT)
}

#[test]
fn closed_forms_of_vectors() {
    let (x, y) = (bits(&[1.0, 2.0, 3.0]), bits(&[4.0, 5.0, 6.0]));
    assert_eq!(floats(&[dot(&mut arithmetic(), &x, &y)]), [32.0]);
    let product = cross(&mut arithmetic(), [x[0], x[1], x[2]], [y[0], y[1], y[2]]);
    assert_eq!(floats(&product), [-3.0, 6.0, -3.0]);
    assert_eq!(floats(&[length(&mut arithmetic(), &bits(&[2.0, 3.0, 6.0]))]), [7.0]);
    assert_eq!(floats(&[distance(&mut arithmetic(), &bits(&[5.0, 1.0]), &bits(&[2.0, 5.0]))]), [5.0]);
    assert_eq!(floats(&normalize(&mut arithmetic(), &bits(&[0.0, 3.0, 4.0]))), [0.0, 0.6, 0.8]);
    assert!(floats(&normalize(&mut arithmetic(), &bits(&[0.0, 0.0])))[0].is_nan());
}

#[test]
fn sums_are_taken_from_the_first_lane_to_the_last() {
    // (1e8 + 1) rounds to 1e8, so that the order shows.
    let ones = bits(&[1.0; 3]);
    assert_eq!(floats(&[dot(&mut arithmetic(), &bits(&[1e8, 1.0, -1e8]), &ones)]), [0.0]);
    assert_eq!(floats(&[dot(&mut arithmetic(), &bits(&[1e8, -1e8, 1.0]), &ones)]), [1.0]);
}

#[test]
fn closed_forms_of_matrices() {
    let m = matrix(&[&[1.0, 2.0], &[3.0, 4.0]]);
    let n = matrix(&[&[5.0, 6.0], &[7.0, 8.0]]);
    // By columns: rows of m are (1 3), (2 4).
    assert_eq!(floats(&matrix_by_vector(&mut arithmetic(), &m, &bits(&[10.0, 100.0]))), [310.0, 420.0]);
    assert_eq!(floats(&vector_by_matrix(&mut arithmetic(), &bits(&[10.0, 100.0]), &m)), [210.0, 430.0]);
    assert_eq!(columns(&matrix_by_matrix(&mut arithmetic(), &m, &n)), [[23.0, 34.0], [31.0, 46.0]]);
    assert_eq!(columns(&matrix_by_scalar(&mut arithmetic(), &m, bits(&[2.0])[0])), [[2.0, 4.0], [6.0, 8.0]]);
    assert_eq!(columns(&transpose(&m)), [[1.0, 3.0], [2.0, 4.0]]);
}

#[test]
fn determinants_and_inverses() {
    let two = matrix(&[&[1.0, 2.0], &[3.0, 4.0]]);
    let three = matrix(&[&[2.0, 0.0, 1.0], &[1.0, 3.0, 2.0], &[1.0, 1.0, 4.0]]);
    let four = matrix(&[&[1.0, 0.0, 2.0, -1.0], &[3.0, 0.0, 0.0, 5.0], &[2.0, 1.0, 4.0, -3.0], &[1.0, 0.0, 5.0, 0.0]]);
    let determinants: Vec<u64> = [&two, &three, &four].map(|m| determinant(&mut arithmetic(), m)).to_vec();
    // By hand: 1*4 - 3*2; 2*(3*4 - 1*2) - 1*(0*4 - 1*1) + 1*(0*2 - 3*1); 30.
    assert_eq!(floats(&determinants), [-2.0, 18.0, 30.0]);
    assert_eq!(columns(&inverse(&mut arithmetic(), &two)), [[-2.0, 1.0], [1.5, -0.5]]);
    for m in [&two, &three, &four] {
        let inverted = inverse(&mut arithmetic(), m);
        let product = columns(&matrix_by_matrix(&mut arithmetic(), m, &inverted));
        for (c, column) in product.iter().enumerate() {
            for (r, &lane) in column.iter().enumerate() {
                let expected = if c == r { 1.0 } else { 0.0 };
                assert!((lane - expected).abs() < 1e-5, "column {c}, row {r}: {lane}");
            }
        }
    }
    let singular = matrix(&[&[1.0, 2.0], &[2.0, 4.0]]);
    assert!(floats(&inverse(&mut arithmetic(), &singular)[0])[0].is_infinite());
}
