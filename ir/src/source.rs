//! Source texts and positions in them.
//!
//! All texts of a context share one space of byte positions, so a position is four bytes and says both which text
//! and where. Lines and columns are worked out when somebody asks.

use std::sync::{Mutex, OnceLock};

/// A half-open range of bytes in the space of all source texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from the start of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.end) }
    }
}

/// One source text.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    start: u32,
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// The name as messages show it: a path, or `<stdin>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Position of the first byte.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// 1-based line and column of `position`; columns count bytes, as MLIR's do.
    pub fn line_and_column(&self, position: u32) -> (u32, u32) {
        let offset = position - self.start;
        let starts = self.line_starts.get_or_init(|| {
            let newlines = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(newlines.map(|at| at as u32 + 1)).collect()
        });
        let line = starts.partition_point(|&start| start <= offset);
        (line as u32, offset - starts[line - 1] + 1)
    }
}

/// A text does not fit in what is left of the position space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceTooLarge;

impl std::fmt::Display for SourceTooLarge {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the source texts of one context together hold at most 2 GiB")
    }
}

impl std::error::Error for SourceTooLarge {}

/// All source texts of a context.
pub struct SourceMap {
    files: boxcar::Vec<SourceFile>,
    next_start: Mutex<u32>,
}

impl SourceMap {
    /// Positions stay below this, so that a location has a bit to spare.
    const LIMIT: usize = (1 << 31) - 2;

    pub(crate) fn new() -> Self {
        Self { files: boxcar::Vec::new(), next_start: Mutex::new(0) }
    }

    /// Adds a text.
    ///
    /// # Errors
    /// If the texts together would pass 2 GiB.
    pub fn add(&self, name: impl Into<String>, text: impl Into<String>) -> Result<&SourceFile, SourceTooLarge> {
        let text = text.into();
        let mut next = self.next_start.lock().expect("no thread panics while it adds a source");
        let start = *next;
        let end = start as usize + text.len();
        if end >= Self::LIMIT {
            return Err(SourceTooLarge);
        }
        // One position past the end belongs to this text too: errors at its end point there.
        *next = end as u32 + 1;
        let index = self.files.push(SourceFile { name: name.into(), text, start, line_starts: OnceLock::new() });
        Ok(&self.files[index])
    }

    /// The text that holds `position`.
    pub fn file_at(&self, position: u32) -> Option<&SourceFile> {
        let (mut low, mut high) = (0, self.files.count());
        while low < high {
            let middle = low.midpoint(high);
            if self.files[middle].start <= position { low = middle + 1 } else { high = middle }
        }
        let file = &self.files[low.checked_sub(1)?];
        (position as usize <= file.start as usize + file.text.len()).then_some(file)
    }
}
