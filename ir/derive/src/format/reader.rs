//! Reading a format string.

use syn::LitStr;

use super::Element;
use crate::fields::{Arity, Fields, Place, Presence};

/// Reads the pieces of a format.
pub(super) fn read(format: &LitStr, fields: &Fields) -> syn::Result<Vec<Element>> {
    let text = format.value();
    let mut reader = Reader { rest: &text, fields };
    reader.elements(None).map_err(|message| {
        let rest = reader.rest.trim_start();
        let place = match rest.char_indices().nth(24) {
            _ if rest.is_empty() => "at its end".to_owned(),
            Some((end, _)) => format!("before \"{}...\"", &rest[..end]),
            None => format!("before \"{rest}\""),
        };
        syn::Error::new(format.span(), format!("{message} (in the format, {place})"))
    })
}

type Result<T> = std::result::Result<T, String>;

struct Reader<'t> {
    rest: &'t str,
    fields: &'t Fields,
}

impl Reader<'_> {
    /// Reads up to the end or to a closing parenthesis; `anchor` gets the anchor of the group that is read.
    fn elements(&mut self, mut anchor: Option<&mut Option<Place>>) -> Result<Vec<Element>> {
        let mut elements = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || anchor.is_some() && self.rest.starts_with(')') {
                return Ok(elements);
            }
            elements.push(self.element(anchor.as_deref_mut())?);
        }
    }

    fn element(&mut self, anchor: Option<&mut Option<Place>>) -> Result<Element> {
        if self.optional("`") {
            return self.literal();
        }
        if self.optional("(") {
            return self.group();
        }
        if self.rest.starts_with('$') {
            let place = self.place()?;
            let element = self.variable(place)?;
            self.anchor(place, anchor)?;
            return Ok(element);
        }
        let word = self.word();
        match word {
            "type" => {
                self.expect("(")?;
                let place = self.place()?;
                self.expect(")")?;
                let element = match place {
                    Place::Operand(index) => Element::OperandTypes(index),
                    Place::Result(index) => Element::ResultTypes(index),
                    _ => return Err(format!("`{}` has no type", self.fields.name(place))),
                };
                self.anchor(place, anchor)?;
                Ok(element)
            }
            "operands" => Ok(Element::AllOperands),
            "functional-type" => Ok(Element::FunctionalType),
            "attr-dict" => Ok(Element::AttributeDictionary { keyword: false }),
            "attr-dict-with-keyword" => Ok(Element::AttributeDictionary { keyword: true }),
            "" => Err("this begins no piece of a format".to_owned()),
            other => Err(format!(
                "`{other}` is no directive; there are type, operands, functional-type, attr-dict, attr-dict-with-keyword"
            )),
        }
    }

    fn literal(&mut self) -> Result<Element> {
        let Some((literal, rest)) = self.rest.split_once('`') else {
            return Err("a literal has no closing backtick".to_owned());
        };
        if !is_token(literal) {
            return Err(format!(
                "the literal `{literal}` is not one word or one of -> :: ... and - : , = {{ }} ( ) [ ] < > ? * + / |"
            ));
        }
        self.rest = rest;
        Ok(Element::Literal(literal.to_owned()))
    }

    fn variable(&mut self, place: Place) -> Result<Element> {
        Ok(match place {
            Place::Operand(index) => Element::Operand(index),
            Place::Property(index) => Element::Property(index),
            Place::Region(index) => Element::Region(index),
            Place::Result(_) => {
                let name = self.fields.name(place);
                return Err(format!(
                    "`${name}` is a result: it stands before the operation, only its type can be here"
                ));
            }
            Place::Successor(successor) if self.optional("(") => {
                let forwarded = self.place()?;
                self.expect(")")?;
                let Place::Operand(operands) = forwarded else {
                    return Err(format!("`${}` is not an operand", self.fields.name(forwarded)));
                };
                Element::Successor { successor, operands: Some(operands) }
            }
            Place::Successor(successor) => Element::Successor { successor, operands: None },
        })
    }

    fn group(&mut self) -> Result<Element> {
        let mut anchor = None;
        let elements = self.elements(Some(&mut anchor))?;
        self.expect(")")?;
        if !self.optional("?") {
            return Err("an optional group ends in `)?`".to_owned());
        }
        match anchor {
            Some(anchor) => Ok(Element::Group { anchor, elements }),
            None => Err("the optional group before this has no anchor, such as `$name^`".to_owned()),
        }
    }

    /// Reads the mark of an anchor, if it stands here.
    fn anchor(&mut self, place: Place, anchor: Option<&mut Option<Place>>) -> Result<()> {
        if !self.optional("^") {
            return Ok(());
        }
        let name = self.fields.name(place);
        let Some(anchor) = anchor else { return Err(format!("the anchor `${name}^` is in no optional group")) };
        if anchor.is_some() {
            return Err(format!("`${name}^` is a second anchor of its group"));
        }
        let always = match place {
            Place::Operand(index) => self.fields.operands[index].arity == Arity::One,
            Place::Result(index) => self.fields.results[index].arity == Arity::One,
            Place::Successor(index) => self.fields.successors[index].arity == Arity::One,
            Place::Property(index) => matches!(self.fields.properties[index].presence, Presence::Required),
            // One that is always there is anchored on being empty or not.
            Place::Region(_) => false,
        };
        if always {
            return Err(format!("`${name}^` is always there, so it decides nothing"));
        }
        *anchor = Some(place);
        Ok(())
    }

    /// Reads `$name`.
    fn place(&mut self) -> Result<Place> {
        self.rest = self.rest.trim_start();
        self.expect("$")?;
        let fields = self.fields;
        let name = self.word();
        fields.find(name).ok_or_else(|| format!("the operation has nothing called `{name}`"))
    }

    fn word(&mut self) -> &str {
        let is_end = |character: char| !(character.is_alphanumeric() || matches!(character, '_' | '-'));
        let (word, rest) = self.rest.split_at(self.rest.find(is_end).unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn optional(&mut self, expected: &str) -> bool {
        let rest = self.rest.strip_prefix(expected);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, expected: &str) -> Result<()> {
        if self.optional(expected) { Ok(()) } else { Err(format!("expected `{expected}`")) }
    }
}

/// Whether the lexer takes a literal for one token.
fn is_token(literal: &str) -> bool {
    let is_word = literal.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && literal.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '.'));
    let is_character = literal.len() == 1 && "-:,={}()[]<>?*+/|".contains(literal);
    is_word || is_character || matches!(literal, "->" | "::" | "...")
}
