//! Tokens.
//!
//! The lexer works on bytes, allocates nothing and never fails: what is no token is reported by the parser and
//! skipped. Rules are those of MLIR 19.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// `name`, `dialect.name`
    BareIdentifier,
    /// `@name`, `@"name"`
    AtIdentifier,
    /// `#name`
    HashIdentifier,
    /// `%name`
    PercentIdentifier,
    /// `^name`
    CaretIdentifier,
    /// `!name`
    ExclamationIdentifier,
    /// `12`, `0x1F`
    Integer,
    /// `1.5`, `1.e5`
    Float,
    /// `"text"`
    String,
    /// One of `-> :: ... {-# #-}` and single characters.
    Punctuation,
    /// No token; see [`LexicalFault`].
    Error(LexicalFault),
    /// The end.
    End,
}

/// Why something is no token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LexicalFault {
    /// A character that begins no token.
    Character,
    /// A string without an end on its line.
    UnterminatedString,
    /// A sigil without a name.
    MissingName,
}

/// A token and where it is, in bytes of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The token that starts at or after `position`, in `text` up to `limit`.
pub(crate) fn next_token(text: &[u8], position: usize, limit: usize) -> Token {
    let text = &text[..limit];
    let start = skip_blank(text, position);
    let (kind, end) = scan(text, start);
    Token { kind, start: start as u32, end: end as u32 }
}

fn skip_blank(text: &[u8], mut at: usize) -> usize {
    loop {
        match text.get(at) {
            Some(b' ' | b'\n' | b'\t' | b'\r') => at += 1,
            Some(b'/') if text.get(at + 1) == Some(&b'/') => {
                at = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length);
            }
            _ => return at,
        }
    }
}

fn scan(text: &[u8], start: usize) -> (TokenKind, usize) {
    let Some(&first) = text.get(start) else { return (TokenKind::End, start) };
    let punctuation = |length: usize| (TokenKind::Punctuation, start + length);
    match first {
        b'%' => suffixed(text, start, TokenKind::PercentIdentifier),
        b'"' => string(text, start, TokenKind::String),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => (TokenKind::BareIdentifier, while_in(text, start + 1, IDENTIFIER)),
        b'0'..=b'9' => number(text, start),
        b'^' => suffixed(text, start, TokenKind::CaretIdentifier),
        b'@' => match text.get(start + 1) {
            Some(b'"') => string(text, start + 1, TokenKind::AtIdentifier),
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => (TokenKind::AtIdentifier, while_in(text, start + 2, IDENTIFIER)),
            _ => (TokenKind::Error(LexicalFault::MissingName), start + 1),
        },
        b'!' => suffixed(text, start, TokenKind::ExclamationIdentifier),
        b'#' if text[start..].starts_with(b"#-}") => punctuation(3),
        b'#' => suffixed(text, start, TokenKind::HashIdentifier),
        b'{' if text[start..].starts_with(b"{-#") => punctuation(3),
        b'-' if text.get(start + 1) == Some(&b'>') => punctuation(2),
        b':' if text.get(start + 1) == Some(&b':') => punctuation(2),
        b'.' if text[start..].starts_with(b"...") => punctuation(3),
        b'-' | b':' | b',' | b'=' | b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'<' | b'>' | b'?' | b'*' | b'+'
        | b'/' | b'|' => punctuation(1),
        _ => {
            // All bytes of one character outside of ASCII are one fault.
            let rest = &text[start + 1..];
            let more = rest.iter().take_while(|&&byte| first >= 0x80 && byte & 0xC0 == 0x80).count();
            (TokenKind::Error(LexicalFault::Character), start + 1 + more)
        }
    }
}

const IDENTIFIER: u8 = 1;
const SUFFIX: u8 = 2;

/// Which characters go on in a bare identifier and in a name after a sigil.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let character = byte as u8;
        if character.is_ascii_alphanumeric() || matches!(character, b'_' | b'$' | b'.') {
            classes[byte] = IDENTIFIER | SUFFIX;
        } else if character == b'-' {
            classes[byte] = SUFFIX;
        }
        byte += 1;
    }
    classes
};

fn while_in(text: &[u8], mut at: usize, class: u8) -> usize {
    while text.get(at).is_some_and(|&byte| CLASSES[byte as usize] & class != 0) {
        at += 1;
    }
    at
}

/// A sigil followed by digits alone, or by a name that does not begin with a digit.
fn suffixed(text: &[u8], start: usize, kind: TokenKind) -> (TokenKind, usize) {
    let first = start + 1;
    let end = match text.get(first) {
        Some(b'0'..=b'9') => {
            let mut at = first;
            while text.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        }
        Some(&byte) if CLASSES[byte as usize] & SUFFIX != 0 => while_in(text, first, SUFFIX),
        _ => return (TokenKind::Error(LexicalFault::MissingName), first),
    };
    (kind, end)
}

fn number(text: &[u8], start: usize) -> (TokenKind, usize) {
    let digits = |mut at: usize, is_digit: fn(&u8) -> bool| {
        while text.get(at).is_some_and(is_digit) {
            at += 1;
        }
        at
    };
    if text[start] == b'0'
        && text.get(start + 1) == Some(&b'x')
        && text.get(start + 2).is_some_and(u8::is_ascii_hexdigit)
    {
        return (TokenKind::Integer, digits(start + 2, u8::is_ascii_hexdigit));
    }
    let end = digits(start, u8::is_ascii_digit);
    if text.get(end) != Some(&b'.') {
        return (TokenKind::Integer, end);
    }
    let end = digits(end + 1, u8::is_ascii_digit);
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        if text.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            return (TokenKind::Float, digits(end + 1 + sign, u8::is_ascii_digit));
        }
    }
    (TokenKind::Float, end)
}

/// A string that starts with the quote at `quote`.
fn string(text: &[u8], quote: usize, kind: TokenKind) -> (TokenKind, usize) {
    let mut at = quote + 1;
    loop {
        match text.get(at) {
            Some(b'"') => return (kind, at + 1),
            Some(b'\\') if at + 1 < text.len() && text[at + 1] != b'\n' => at += 2,
            Some(b'\n') | None => return (TokenKind::Error(LexicalFault::UnterminatedString), at),
            Some(_) => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        let mut found = Vec::new();
        let mut at = 0;
        loop {
            let token = next_token(text.as_bytes(), at, text.len());
            if token.kind == TokenKind::End {
                return found;
            }
            at = token.end as usize;
            found.push((token.kind, &text[token.start as usize..at]));
        }
    }

    #[test]
    fn names_follow_the_table_of_mlir() {
        use TokenKind::*;
        assert_eq!(kinds("%1a"), [(PercentIdentifier, "%1"), (BareIdentifier, "a")]);
        assert_eq!(kinds("%a-b.c$1"), [(PercentIdentifier, "%a-b.c$1")]);
        assert_eq!(kinds("a-b"), [(BareIdentifier, "a"), (Punctuation, "-"), (BareIdentifier, "b")]);
        assert_eq!(kinds("@\"a b\"@c.d"), [(AtIdentifier, "@\"a b\""), (AtIdentifier, "@c.d")]);
        assert_eq!(kinds("@1"), [(Error(LexicalFault::MissingName), "@"), (Integer, "1")]);
    }

    #[test]
    fn numbers_and_punctuation() {
        use TokenKind::*;
        assert_eq!(
            kinds("0x1F 1.5e-3 1.e5 12"),
            [(Integer, "0x1F"), (Float, "1.5e-3"), (Float, "1.e5"), (Integer, "12")]
        );
        assert_eq!(kinds("1.5e"), [(Float, "1.5"), (BareIdentifier, "e")]);
        assert_eq!(kinds("->::{-##-}"), ["->", "::", "{-#", "#-}"].map(|text| (Punctuation, text)));
    }

    #[test]
    fn faults_cover_whole_characters_and_lines() {
        use TokenKind::*;
        assert_eq!(kinds("ü;"), [(Error(LexicalFault::Character), "ü"), (Error(LexicalFault::Character), ";")]);
        let fault = Error(LexicalFault::UnterminatedString);
        assert_eq!(kinds("\"abc\nd"), [(fault, "\"abc"), (BareIdentifier, "d")]);
        assert_eq!(kinds("\"a\\\"b\" // \"c"), [(String, "\"a\\\"b\"")]);
    }
}
