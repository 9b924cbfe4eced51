//! Texts to start from.

use std::fs;
use std::path::Path;

use crate::Target;

/// Larger files are left out: mutating them is slow and seldom finds more.
const LARGEST_FILE: u64 = 16 << 10;

/// Texts, and the words in them.
pub struct Corpus {
    pub(crate) texts: Vec<Vec<u8>>,
    /// Distinct words and punctuation of all texts, sorted.
    pub(crate) words: Vec<Vec<u8>>,
}

impl Corpus {
    /// The seeds of a target, and if inputs are IR, the files below `folders` that hold any, in order of their paths.
    pub fn new(target: Target, folders: &[&Path]) -> Self {
        let mut texts: Vec<Vec<u8>> = target.seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect();
        if target.name != crate::pipeline::TARGET.name {
            folders.iter().for_each(|folder| collect(folder, &mut texts));
        }
        let mut words: Vec<Vec<u8>> = texts.iter().flat_map(|text| split_words(text)).map(<[u8]>::to_vec).collect();
        words.sort_unstable();
        words.dedup();
        Self { texts, words }
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

fn collect(folder: &Path, texts: &mut Vec<Vec<u8>>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, texts);
        } else if path.extension().is_some_and(|extension| extension == "xir" || extension == "mlir")
            && fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= LARGEST_FILE)
            && let Ok(text) = fs::read(&path)
        {
            // A file with several parts is as many texts.
            let parts = String::from_utf8_lossy(&text).into_owned();
            texts.extend(parts.split("// -----\n").map(|part| part.as_bytes().to_vec()));
        }
    }
}

/// Words, numbers with their sigils, and single characters that are neither.
pub(crate) fn split_words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        rest = &rest[start..];
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.$-".contains(byte);
        let sigil = usize::from(b"%^@#!\"".contains(&rest[0]));
        let length = sigil + rest[sigil..].iter().take_while(|byte| is_word(byte)).count();
        let (word, tail) = rest.split_at(length.max(1));
        rest = tail;
        Some(word)
    })
}
