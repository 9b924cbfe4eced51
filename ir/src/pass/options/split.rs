//! How the text of options falls into names, values and list elements.
//!
//! MLIR's rules: settings are separated by blanks; a value goes on to the next blank that is not inside quotes or
//! braces; quotes have no escapes; braces nest and may hold quotes. Quotes or braces around a whole value are not part
//! of it.

use super::OptionText;
use crate::diagnostic::Diagnostic;

/// `name` or `name=value`
pub(crate) struct Setting<'t> {
    pub(crate) name: OptionText<'t>,
    pub(crate) value: Option<OptionText<'t>>,
}

/// The settings in the text between the braces after the name of a pass.
pub(crate) fn split_settings(text: OptionText<'_>) -> Result<Vec<Setting<'_>>, Box<Diagnostic>> {
    let bytes = text.text.as_bytes();
    let mut settings = Vec::new();
    let mut at = 0;
    loop {
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if at == bytes.len() {
            return Ok(settings);
        }
        let length = bytes[at..].iter().take_while(|&&byte| byte != b'=' && !byte.is_ascii_whitespace()).count();
        let name = text.part(at, &text.text[at..at + length]);
        at += length;
        let mut value = None;
        if bytes.get(at) == Some(&b'=') {
            at += 1;
            let end = value_end(text, at)?;
            value = Some(unwrap(text.part(at, &text.text[at..end])));
            at = end;
        }
        if name.text.is_empty() {
            let end = if value.is_some() { name.start + 1 } else { name.start };
            let span = crate::source::Span { start: name.start, end };
            return Err(Box::new(Diagnostic::error("option-name", span, "expected the name of an option before '='")));
        }
        if let Some(rest) = name.text.strip_suffix(',').or(name.text.strip_prefix(',')) {
            let message = format!("expected the name of an option, found '{}'", name.text);
            let help = match rest {
                "" => "options are separated by blanks, not by commas".to_owned(),
                _ => format!("options are separated by blanks, not by commas: write '{rest}' alone"),
            };
            return Err(Box::new(Diagnostic::error("option-name", name.span(), message).help(help)));
        }
        settings.push(Setting { name, value });
    }
}

/// Where the value that starts at `start` ends.
fn value_end(text: OptionText<'_>, start: usize) -> Result<usize, Box<Diagnostic>> {
    scan(text, start, |byte, depth| depth == 0 && byte.is_ascii_whitespace())
}

/// Goes on from `start`, over quotes, to the first byte outside them at which `stop`, given the depth of braces, says
/// so, or to the end.
fn scan(text: OptionText<'_>, start: usize, stop: impl Fn(u8, usize) -> bool) -> Result<usize, Box<Diagnostic>> {
    let bytes = text.text.as_bytes();
    let mut open: Vec<usize> = Vec::new();
    let mut at = start;
    while at < bytes.len() && !stop(bytes[at], open.len()) {
        match bytes[at] {
            quote @ (b'"' | b'\'') => match memchr::memchr(quote, &bytes[at + 1..]) {
                Some(length) => at += length + 1,
                None => return Err(unclosed(text, at, "this quote is never closed")),
            },
            b'{' => open.push(at),
            b'}' if open.pop().is_none() => {
                return Err(unclosed(text, at, "this brace closes nothing"));
            }
            _ => {}
        }
        at += 1;
    }
    match open.last() {
        Some(&brace) => Err(unclosed(text, brace, "this brace is never closed")),
        None => Ok(at),
    }
}

/// Where the brace closes whose inside starts at `start`.
pub(crate) fn closing_brace(text: OptionText<'_>, start: usize) -> Result<usize, Box<Diagnostic>> {
    let end = scan(text, start, |byte, depth| depth == 0 && byte == b'}')?;
    if end == text.text.len() { Err(unclosed(text, start - 1, "this brace is never closed")) } else { Ok(end) }
}

fn unclosed(text: OptionText<'_>, at: usize, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("unbalanced-option", text.part(at, &text.text[at..=at]).span(), message))
}

/// A value without the blanks around it and without the quotes or braces around the whole of it.
pub(crate) fn unwrap(text: OptionText<'_>) -> OptionText<'_> {
    let text = trim(text);
    let bytes = text.text.as_bytes();
    let inner = |text: OptionText<'_>| 1..text.text.len() - 1;
    match bytes {
        [open @ (b'"' | b'\''), middle @ .., close] if open == close && memchr::memchr(*open, middle).is_none() => {
            text.part(1, &text.text[inner(text)])
        }
        [b'{', .., b'}'] => {
            let first_close = scan(text, 1, |byte, depth| byte == b'}' && depth == 0);
            match first_close {
                Ok(at) if at == text.text.len() - 1 => trim(text.part(1, &text.text[inner(text)])),
                _ => text,
            }
        }
        _ => text,
    }
}

fn trim(text: OptionText<'_>) -> OptionText<'_> {
    let start = text.text.trim_ascii_start();
    text.part(text.text.len() - start.len(), start.trim_ascii_end())
}

/// The elements of a list: what stands between commas outside quotes, braces and parentheses. An empty text is an
/// empty list.
pub(crate) fn split_list(text: OptionText<'_>) -> Result<Vec<OptionText<'_>>, Box<Diagnostic>> {
    let mut elements = Vec::new();
    if text.text.is_empty() {
        return Ok(elements);
    }
    let mut at = 0;
    loop {
        let start = at;
        let mut parentheses = 0usize;
        loop {
            at = scan(text, at, |byte, depth| depth == 0 && matches!(byte, b',' | b'(' | b')'))?;
            match text.text.as_bytes().get(at) {
                Some(b'(') => parentheses += 1,
                Some(b')') => parentheses = parentheses.saturating_sub(1),
                Some(_) if parentheses > 0 => {}
                _ => break,
            }
            at += 1;
        }
        elements.push(unwrap(text.part(start, &text.text[start..at])));
        if at == text.text.len() {
            return Ok(elements);
        }
        at += 1;
    }
}

/// A text as a value or as an element of a list, wrapped where it must be. A text that neither braces nor one kind of
/// quotes can wrap, which no pipeline string can hold, comes out in double quotes.
pub(crate) fn quoted(text: &str) -> String {
    let special =
        |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'{' | b'}' | b'"' | b'\'' | b'(' | b')');
    if !text.is_empty() && !text.bytes().any(special) {
        return text.to_owned();
    }
    match (text.contains('"'), text.contains('\'')) {
        (true, false) => format!("'{text}'"),
        (true, true) => format!("{{{text}}}"),
        (false, _) => format!("\"{text}\""),
    }
}
