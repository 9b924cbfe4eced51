//! Elementary functions: Fermata's own, the same on every target.

use fermata_math::Function;
use smallvec::SmallVec;

use super::FloatFormat;

/// The bits of the result. On binary16 the function is that on binary32, rounded.
pub(super) fn evaluate(function: Function, format: FloatFormat, operands: &[u64]) -> u64 {
    let counted = "an elementary function is evaluated with as many operands as it takes";
    match format {
        FloatFormat::F16 | FloatFormat::F32 => {
            let operands: SmallVec<[f32; 2]> = operands.iter().map(|&bits| format.to_f64(bits) as f32).collect();
            let result = function.evaluate_f32(&operands).expect(counted);
            format.from_f64(f64::from(result))
        }
        FloatFormat::F64 => {
            let operands: SmallVec<[f64; 2]> = operands.iter().map(|&bits| f64::from_bits(bits)).collect();
            function.evaluate_f64(&operands).expect(counted).to_bits()
        }
    }
}
