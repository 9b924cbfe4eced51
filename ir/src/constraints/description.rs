//! Descriptions put together at compile time.

/// A text of limited length.
pub(super) struct Text {
    bytes: [u8; Self::LONGEST],
    length: usize,
}

impl Text {
    const LONGEST: usize = 256;

    /// All parts in a row.
    pub(super) const fn join(parts: &[&str]) -> Self {
        let mut text = Self { bytes: [0; Self::LONGEST], length: 0 };
        let mut part = 0;
        while part < parts.len() {
            let bytes = parts[part].as_bytes();
            let mut index = 0;
            while index < bytes.len() {
                assert!(text.length < Self::LONGEST, "a description is at most 256 bytes long");
                text.bytes[text.length] = bytes[index];
                text.length += 1;
                index += 1;
            }
            part += 1;
        }
        text
    }

    /// The decimal digits of a number.
    pub(super) const fn number(value: u32) -> Self {
        let mut digits = [0; 10];
        let mut count = 0;
        let mut rest = value;
        loop {
            digits[count] = b'0' + (rest % 10) as u8;
            count += 1;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let mut text = Self { bytes: [0; Self::LONGEST], length: count };
        let mut index = 0;
        while index < count {
            text.bytes[index] = digits[count - 1 - index];
            index += 1;
        }
        text
    }

    pub(super) const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.length);
        match std::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => panic!("whole texts were joined"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn parts_follow_each_other() {
        assert_eq!(Text::join(&["vector of ", "ü", "", "!"]).as_str(), "vector of ü!");
        assert_eq!(Text::join(&[]).as_str(), "");
    }

    #[test]
    fn numbers_are_decimal() {
        for value in [0, 7, 10, 64, 1_000_000, u32::MAX] {
            assert_eq!(Text::number(value).as_str(), value.to_string());
        }
    }
}
