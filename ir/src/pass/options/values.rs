//! The types that options have.

use super::{OptionText, OptionValue, quoted, split_list};
use crate::diagnostic::Diagnostic;

/// An enumeration that an option may have: `impl KeywordOption for Order { const CHOICES: .. }`.
pub trait KeywordOption: Copy + PartialEq + 'static {
    /// The words and what they stand for.
    const CHOICES: &'static [(&'static str, Self)];
}

impl<T: KeywordOption> OptionValue for T {
    fn expected(&self) -> String {
        let words: Vec<&str> = T::CHOICES.iter().map(|(word, _)| *word).collect();
        format!("one of {}", words.join(", "))
    }

    fn parse(&mut self, text: OptionText<'_>) -> Result<(), Box<Diagnostic>> {
        match T::CHOICES.iter().find(|(word, _)| *word == text.text) {
            Some((_, value)) => *self = *value,
            None => {
                let near = crate::nearest::nearest(text.text, T::CHOICES.iter().map(|(word, _)| *word));
                let mismatch = *text.mismatch(&self.expected());
                return Err(Box::new(match near {
                    Some(near) => mismatch.help(format!("did you mean '{near}'?")),
                    None => mismatch,
                }));
            }
        }
        Ok(())
    }

    fn text(&self) -> String {
        let word = T::CHOICES.iter().find(|(_, value)| value == self);
        word.expect("every value of the enumeration has a word").0.to_owned()
    }
}

impl OptionValue for bool {
    fn expected(&self) -> String {
        "true or false".to_owned()
    }

    fn parse(&mut self, text: OptionText<'_>) -> Result<(), Box<Diagnostic>> {
        *self = match text.text {
            "true" | "TRUE" | "True" | "1" => true,
            "false" | "FALSE" | "False" | "0" => false,
            _ => return Err(text.mismatch(&self.expected())),
        };
        Ok(())
    }

    fn set_by_name(&mut self) -> bool {
        *self = true;
        true
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

macro_rules! integers {
    ($($ty:ident $signedness:literal),*) => {$(
        impl OptionValue for $ty {
            fn expected(&self) -> String {
                format!(concat!($signedness, " integer of {} bits"), $ty::BITS)
            }

            fn parse(&mut self, text: OptionText<'_>) -> Result<(), Box<Diagnostic>> {
                let parsed = match text.text.strip_prefix("0x") {
                    Some(digits) if !digits.starts_with(['+', '-']) => $ty::from_str_radix(digits, 16),
                    _ => text.text.parse(),
                };
                *self = parsed.map_err(|_| text.mismatch(&self.expected()))?;
                Ok(())
            }

            fn text(&self) -> String {
                self.to_string()
            }
        }
    )*};
}
integers!(u8 "an unsigned", u32 "an unsigned", u64 "an unsigned", i32 "a signed", i64 "a signed");

impl OptionValue for usize {
    fn expected(&self) -> String {
        "an unsigned integer".to_owned()
    }

    fn parse(&mut self, text: OptionText<'_>) -> Result<(), Box<Diagnostic>> {
        *self = text.text.parse().map_err(|_| text.mismatch(&self.expected()))?;
        Ok(())
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl OptionValue for f64 {
    fn expected(&self) -> String {
        "a number".to_owned()
    }

    fn parse(&mut self, text: OptionText<'_>) -> Result<(), Box<Diagnostic>> {
        *self = text.text.parse().map_err(|_| text.mismatch(&self.expected()))?;
        Ok(())
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl OptionValue for String {
    fn expected(&self) -> String {
        "a text".to_owned()
    }

    fn parse(&mut self, text: OptionText<'_>) -> Result<(), Box<Diagnostic>> {
        text.text.clone_into(self);
        Ok(())
    }

    fn text(&self) -> String {
        quoted(self)
    }
}

impl<T: OptionValue + Default> OptionValue for Vec<T> {
    fn expected(&self) -> String {
        format!("a list, each element {}", T::default().expected())
    }

    fn parse(&mut self, text: OptionText<'_>) -> Result<(), Box<Diagnostic>> {
        let mut values = Vec::new();
        for element in split_list(text)? {
            let mut value = T::default();
            value.parse(element)?;
            values.push(value);
        }
        *self = values;
        Ok(())
    }

    fn text(&self) -> String {
        let text = self.iter().map(T::text).collect::<Vec<_>>().join(",");
        // Quotes or braces around the only element would be taken for those around the whole list.
        if self.len() == 1 && text.starts_with(['"', '\'', '{']) { format!("{{{text}}}") } else { text }
    }

    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl<T: OptionValue + Default> OptionValue for Option<T> {
    fn expected(&self) -> String {
        T::default().expected()
    }

    fn parse(&mut self, text: OptionText<'_>) -> Result<(), Box<Diagnostic>> {
        self.insert(T::default()).parse(text)
    }

    fn set_by_name(&mut self) -> bool {
        self.get_or_insert_default().set_by_name()
    }

    fn text(&self) -> String {
        self.as_ref().map(T::text).unwrap_or_default()
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}
