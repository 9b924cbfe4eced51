//! The text of an expectation.

use regex_lite::Regex;

/// A part of a message: text, or text with regular expressions in double braces.
pub(super) struct Pattern {
    text: String,
    expression: Option<Regex>,
}

impl Pattern {
    /// A pattern that is found as it is.
    pub(super) fn verbatim(text: &str) -> Self {
        Self { text: text.to_owned(), expression: None }
    }

    /// A pattern with regular expressions; the error says what is wrong with it.
    pub(super) fn with_expressions(text: &str) -> Result<Self, String> {
        let mut expression = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let Some((inside, after)) = after.split_once("}}") else {
                return Err("a regular expression has no end '}}'".to_owned());
            };
            expression.push_str(&regex_lite::escape(before));
            expression.push_str("(?:");
            expression.push_str(inside);
            expression.push(')');
            rest = after;
        }
        expression.push_str(&regex_lite::escape(rest));
        let expression = Regex::new(&expression).map_err(|error| format!("not a regular expression: {error}"))?;
        Ok(Self { text: text.to_owned(), expression: Some(expression) })
    }

    /// The text as written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether a message contains the pattern.
    pub(super) fn matches(&self, message: &str) -> bool {
        match &self.expression {
            Some(expression) => expression.is_match(message),
            None => message.contains(&self.text),
        }
    }
}
