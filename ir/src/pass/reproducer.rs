//! Reproducers: files that hold a module and the pipeline that fails on it.
//!
//! The format is MLIR's: the IR, then a section `{-# ... #-}` with the pipeline and the settings of the run.

use crate::body::Body;
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::text::{FileMetadata, PrintOptions, print_module};

/// What a reproducer says about the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReproducerSettings {
    /// The pipeline string.
    pub pipeline: String,
    /// Whether to run on one thread.
    pub disable_threading: bool,
    /// Whether to verify after each pass.
    pub verify_each: bool,
}

impl ReproducerSettings {
    /// The file that holds a module and these settings.
    pub fn file(&self, context: &Context, module: &Body) -> String {
        let module = print_module(context, module, &PrintOptions::default());
        let mut pipeline = String::new();
        for character in self.pipeline.chars() {
            match character {
                '"' | '\\' => pipeline.extend(['\\', character]),
                '\n' => pipeline.push_str("\\n"),
                '\t' => pipeline.push_str("\\t"),
                other => pipeline.push(other),
            }
        }
        format!(
            "{module}\n{{-#\n  external_resources: {{\n    mlir_reproducer: {{\n      pipeline: \"{pipeline}\",\n      \
             disable_threading: {},\n      verify_each: {}\n    }}\n  }}\n#-}}\n",
            self.disable_threading, self.verify_each
        )
    }

    /// Reads the settings from the metadata of a file; nothing if there are none of a reproducer.
    ///
    /// # Errors
    /// If the metadata is malformed.
    pub fn parse(metadata: &FileMetadata) -> Result<Option<Self>, Box<Diagnostic>> {
        let mut reader = Reader { text: &metadata.text, at: 0, span: metadata.span };
        let mut settings = None;
        reader.dictionary_entries(None, &mut |reader, section| match section {
            "external_resources" => reader.dictionary(&mut |reader, owner| match owner {
                "mlir_reproducer" => {
                    settings = Some(reader.settings()?);
                    Ok(())
                }
                _ => reader.skip_value(),
            }),
            "dialect_resources" => reader.skip_value(),
            other => Err(reader.error(format!("unknown key '{other}' in the file's metadata"))),
        })?;
        Ok(settings)
    }
}

/// Reads `key: value` pairs, where a value is a string, a word or number, or a dictionary.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    span: Span,
}

type Entry<'f, 't> = dyn FnMut(&mut Reader<'t>, &str) -> Result<(), Box<Diagnostic>> + 'f;

impl<'t> Reader<'t> {
    fn settings(&mut self) -> Result<ReproducerSettings, Box<Diagnostic>> {
        let mut pipeline = None;
        let mut settings = ReproducerSettings { pipeline: String::new(), disable_threading: false, verify_each: true };
        self.dictionary(&mut |reader, key| {
            match key {
                "pipeline" => pipeline = Some(reader.string()?),
                "disable_threading" => settings.disable_threading = reader.boolean()?,
                "verify_each" => settings.verify_each = reader.boolean()?,
                other => return Err(reader.error(format!("unknown key '{other}' of a reproducer"))),
            }
            Ok(())
        })?;
        settings.pipeline = pipeline.ok_or_else(|| self.error("a reproducer names no pipeline".to_owned()))?;
        Ok(settings)
    }

    fn dictionary(&mut self, entry: &mut Entry<'_, 't>) -> Result<(), Box<Diagnostic>> {
        self.expect(b'{')?;
        self.dictionary_entries(Some(b'}'), entry)
    }

    fn dictionary_entries(&mut self, close: Option<u8>, entry: &mut Entry<'_, 't>) -> Result<(), Box<Diagnostic>> {
        loop {
            if self.ends(close) {
                return Ok(());
            }
            let key = if self.peek() == Some(b'"') { self.string()? } else { self.word()?.to_owned() };
            self.expect(b':')?;
            entry(self, &key)?;
            if self.ends(close) {
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    /// Whether the dictionary ends here; goes past its end.
    fn ends(&mut self, close: Option<u8>) -> bool {
        let found = self.peek();
        if found.is_some() && found == close {
            self.at += 1;
        }
        found == close
    }

    /// Goes past a value that means nothing here. Keeps a count instead of recursion: dictionaries may nest deep.
    fn skip_value(&mut self) -> Result<(), Box<Diagnostic>> {
        let mut depth = 0usize;
        loop {
            match self.peek() {
                Some(b'"') => drop(self.string()?),
                Some(b'{') => (depth, self.at) = (depth + 1, self.at + 1),
                Some(b'}') if depth > 0 => (depth, self.at) = (depth - 1, self.at + 1),
                Some(b':' | b',') if depth > 0 => self.at += 1,
                _ => drop(self.word()?),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn boolean(&mut self) -> Result<bool, Box<Diagnostic>> {
        match self.word()? {
            "true" => Ok(true),
            "false" => Ok(false),
            other => Err(self.error(format!("expected true or false, found '{other}'"))),
        }
    }

    fn word(&mut self) -> Result<&'t str, Box<Diagnostic>> {
        self.peek();
        let rest = &self.text[self.at..];
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-');
        let length = rest.bytes().position(|byte| !is_word(byte)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.error("expected a key or a value".to_owned()));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    fn string(&mut self) -> Result<String, Box<Diagnostic>> {
        self.expect(b'"')?;
        let mut bytes = Vec::new();
        let source = self.text.as_bytes();
        loop {
            match source.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.at += 1;
                    bytes.push(self.escape()?);
                }
                Some(&byte) => bytes.push(byte),
                None => return Err(self.error("a string is never closed".to_owned())),
            }
            self.at += 1;
        }
        self.at += 1;
        String::from_utf8(bytes).map_err(|_| self.error("a string is not UTF-8".to_owned()))
    }

    /// The byte that stands for an escape; the position is left on its last byte.
    fn escape(&mut self) -> Result<u8, Box<Diagnostic>> {
        let source = self.text.as_bytes();
        let digit = |at: usize| source.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        match source.get(self.at) {
            Some(b'n') => Ok(b'\n'),
            Some(b't') => Ok(b'\t'),
            Some(&byte @ (b'"' | b'\\')) => Ok(byte),
            _ => match (digit(self.at), digit(self.at + 1)) {
                (Some(high), Some(low)) => {
                    self.at += 1;
                    Ok((high << 4 | low) as u8)
                }
                _ => Err(self.error("a string holds an escape that is none".to_owned())),
            },
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Box<Diagnostic>> {
        if self.peek() != Some(byte) {
            return Err(self.error(format!("expected '{}'", char::from(byte))));
        }
        self.at += 1;
        Ok(())
    }

    /// The next byte that is neither blank nor in a comment.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_ascii_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with("//") {
                return trimmed.bytes().next();
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// An error at the current position.
    fn error(&self, message: String) -> Box<Diagnostic> {
        // The text begins after the three characters that open the section.
        let start = self.span.start + 3 + self.at as u32;
        Box::new(Diagnostic::error("file-metadata", Span { start, end: start + 1 }, message))
    }
}
