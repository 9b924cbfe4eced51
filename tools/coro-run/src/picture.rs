//! Pictures.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use fermata_runtime::{Buffer, Number};

/// Writes a buffer as a PNG file of `width` by `height` pixels: an element is a pixel of 1 (grey), 3 or 4 (red, green,
/// blue, ignored) scalars. Floats from 0 to 1 become 0 to 255, rounded; integers are taken as they are. What is outside
/// is clamped, NaN is black.
pub(crate) fn write(path: &Path, buffer: &Buffer, width: u32, height: u32) -> Result<(), String> {
    let name = path.display();
    let scalars = buffer.shape().scalars.len();
    if !matches!(scalars, 1 | 3 | 4) {
        return Err(format!("cannot write '{name}': a pixel has 1, 3 or 4 scalars, not {scalars}"));
    }
    if buffer.count() as u64 != u64::from(width) * u64::from(height) || buffer.count() == 0 {
        let count = buffer.count();
        return Err(format!("cannot write '{name}': {count} elements are no picture of {width} by {height} pixels"));
    }
    let channels = scalars.min(3);
    let mut bytes = Vec::with_capacity(buffer.count() * channels);
    for index in 0..buffer.count() {
        bytes.extend(buffer.get(index).into_iter().take(channels).map(level));
    }
    let file = File::create(path).map_err(|error| format!("cannot create '{name}': {error}"))?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), width, height);
    encoder.set_color(if channels == 1 { png::ColorType::Grayscale } else { png::ColorType::Rgb });
    encoder.set_depth(png::BitDepth::Eight);
    let failed = |error: png::EncodingError| format!("cannot write '{name}': {error}");
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&bytes).map_err(failed)?;
    writer.finish().map_err(failed)
}

fn level(number: Number) -> u8 {
    match number {
        Number::Integer(value) => value.clamp(0, 255) as u8,
        // The conversion saturates and takes NaN to 0.
        Number::Float(value) => (value * 255.0).round() as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_clamped() {
        let levels = [0.0, 0.5, 1.0, 2.0, -1.0, f64::NAN].map(|value| level(Number::Float(value)));
        assert_eq!(levels, [0, 128, 255, 255, 0, 0]);
        assert_eq!([-5, 7, 300].map(|value| level(Number::Integer(value))), [0, 7, 255]);
    }
}
