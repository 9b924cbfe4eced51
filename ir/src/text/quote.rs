//! Quoted strings.

/// The bytes of a string token's inside, or the offset and length of an escape that there is not.
pub(crate) fn unescape(inside: &str) -> Result<String, (usize, usize)> {
    let bytes = inside.as_bytes();
    if !bytes.contains(&b'\\') {
        return Ok(inside.to_owned());
    }
    let mut result = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte != b'\\' {
            result.push(byte);
            at += 1;
            continue;
        }
        let hex = |offset: usize| bytes.get(at + offset).and_then(|&digit| char::from(digit).to_digit(16));
        match (bytes.get(at + 1), hex(1), hex(2)) {
            (Some(quoted @ (b'"' | b'\\')), ..) => result.push(*quoted),
            (Some(b'n'), ..) => result.push(b'\n'),
            (Some(b't'), ..) => result.push(b'\t'),
            (_, Some(high), Some(low)) => {
                result.push((high * 16 + low) as u8);
                at += 1;
            }
            _ => return Err((at, 2.min(bytes.len() - at))),
        }
        at += 2;
    }
    // Strings are texts here: bytes that are no UTF-8 have no place in one.
    String::from_utf8(result).map_err(|error| (error.utf8_error().valid_up_to().min(inside.len()), 1))
}

/// Appends `text` with MLIR's escapes: everything that is not printable ASCII as two upper-case hex digits.
pub(crate) fn escape(text: &str, output: &mut Vec<u8>) {
    for &byte in text.as_bytes() {
        match byte {
            b'\\' => output.extend_from_slice(b"\\\\"),
            b'"' | 0..=0x1F | 0x7F.. => {
                let digit = |value: u8| b"0123456789ABCDEF"[usize::from(value)];
                output.extend_from_slice(&[b'\\', digit(byte >> 4), digit(byte & 15)]);
            }
            _ => output.push(byte),
        }
    }
}

/// Whether a symbol name can stand bare after an at sign, and an attribute key bare in a dictionary.
pub(crate) fn is_bare_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_round_trip() {
        let text = "a\n\t\"\\ü\u{7f}~";
        let mut escaped = Vec::new();
        escape(text, &mut escaped);
        let escaped = String::from_utf8(escaped).expect("escapes are ASCII");
        assert_eq!(escaped, "a\\0A\\09\\22\\\\\\C3\\BC\\7F~");
        assert_eq!(unescape(&escaped).as_deref(), Ok(text));
    }

    #[test]
    fn unknown_escapes_are_found() {
        assert_eq!(unescape("ab\\rc"), Err((2, 2)));
        assert_eq!(unescape("\\x41"), Err((0, 2)));
        assert_eq!(unescape("\\u00e4"), Err((0, 2)));
    }
}
