//! How arguments are written on the command line.
//!
//! `3`, `2.5`, `true`, `[1,2,3]`, `zeros:N`, `fill:V:N`, `iota:N`, `random:SEED:N`, `PATH.npy`.

use std::path::PathBuf;
use std::str::FromStr;

use fermata_runtime::Number;

/// Buffers of more elements are refused before memory is asked for.
const MOST_ELEMENTS: usize = 1 << 32;

/// What an argument is to hold.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Spec {
    /// One number: a value, or a buffer of one element.
    Number(Number),
    /// Numbers in a row: a value of several scalars, or the scalars of a buffer.
    List(Vec<Number>),
    /// So many elements that are zero.
    Zeros(usize),
    /// So many elements whose scalars are all this number.
    Fill(Number, usize),
    /// So many elements, whose scalars are 0, 1, 2, ...
    Iota(usize),
    /// So many elements of pseudorandom scalars: floats in `[0, 1)`, integers of all bits.
    Random(u64, usize),
    /// The contents of a NumPy file.
    File(PathBuf),
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.ends_with(".npy") {
            return Ok(Self::File(text.into()));
        }
        if let Some(inside) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let parts = inside.split(',').map(str::trim).filter(|part| !part.is_empty());
            return parts.map(number).collect::<Result<_, _>>().map(Self::List);
        }
        match text.split(':').collect::<Vec<_>>()[..] {
            ["zeros", count] => Ok(Self::Zeros(elements(count)?)),
            ["fill", value, count] => Ok(Self::Fill(number(value)?, elements(count)?)),
            ["iota", count] => Ok(Self::Iota(elements(count)?)),
            ["random", seed, count] => {
                let seed = seed.parse().map_err(|_| format!("'{seed}' is no seed: expected a number without sign"))?;
                Ok(Self::Random(seed, elements(count)?))
            }
            [single] => number(single).map(Self::Number),
            _ => Err(format!(
                "'{text}' is no argument: expected a number, [1,2,3], zeros:N, fill:V:N, iota:N, random:SEED:N or a .npy file"
            )),
        }
    }
}

fn number(text: &str) -> Result<Number, String> {
    match text {
        "true" => return Ok(Number::Integer(1)),
        "false" => return Ok(Number::Integer(0)),
        _ => {}
    }
    if let Ok(value) = text.parse::<i128>() {
        return Ok(Number::Integer(value));
    }
    text.parse().map(Number::Float).map_err(|_| format!("'{text}' is no number"))
}

fn elements(text: &str) -> Result<usize, String> {
    let count: usize = text.parse().map_err(|_| format!("'{text}' is no number of elements"))?;
    if count > MOST_ELEMENTS { Err(format!("{count} elements are more than fit")) } else { Ok(count) }
}

/// The generator of `random:SEED:N`: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// 2014), the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number in `[0, 1)` with 24 random bits, which every float format but the smallest holds exactly.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 40) as f64 / f64::from(1 << 24)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read() {
        assert_eq!("3".parse(), Ok(Spec::Number(Number::Integer(3))));
        assert_eq!("-2.5".parse(), Ok(Spec::Number(Number::Float(-2.5))));
        assert_eq!("[1, 2.5]".parse(), Ok(Spec::List(vec![Number::Integer(1), Number::Float(2.5)])));
        assert_eq!("[]".parse(), Ok(Spec::List(Vec::new())));
        assert_eq!("zeros:8".parse(), Ok(Spec::Zeros(8)));
        assert_eq!("fill:true:2".parse(), Ok(Spec::Fill(Number::Integer(1), 2)));
        assert_eq!("random:7:3".parse(), Ok(Spec::Random(7, 3)));
        assert_eq!("a/b.npy".parse(), Ok(Spec::File("a/b.npy".into())));
        for wrong in ["", "x", "zeros", "zeros:-1", "fill:1", "[1,x]", "zeros:99999999999999", "random:-1:2"] {
            assert!(wrong.parse::<Spec>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_generator_is_splitmix64() {
        // First outputs for seed 1234567, from the reference implementation.
        let mut random = Random::new(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
