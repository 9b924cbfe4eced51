//! Declarative custom forms: the format string and its check.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, LitStr};

use crate::expand::ir;
use crate::fields::{Arity, Fields, Presence};
use crate::rules::{Rule, Slot, close};

/// One piece of a format, by name.
enum Element {
    Literal(String),
    Variable(String),
    Successors { successor: String, operands: Option<String> },
    Types(String),
    AllOperands,
    FunctionalType,
    AttributeDictionary { keyword: bool },
    Group { anchor: String, elements: Vec<Element> },
}

/// Parses and checks a format and gives it as static data.
pub(crate) fn expand(format: &LitStr, fields: &Fields, rules: &[Rule]) -> syn::Result<TokenStream> {
    let text = format.value();
    let mut reader = Reader { rest: &text, span: format };
    let elements = reader.elements(false)?;
    check(&elements, fields, rules, format)?;
    let elements = tokens(&elements, fields, format)?;
    Ok(quote!(&[#(#elements),*]))
}

struct Reader<'a> {
    rest: &'a str,
    span: &'a LitStr,
}

impl<'a> Reader<'a> {
    fn error<T>(&self, message: impl std::fmt::Display) -> syn::Result<T> {
        Err(syn::Error::new(self.span.span(), message))
    }

    fn elements(&mut self, nested: bool) -> syn::Result<Vec<Element>> {
        let mut elements = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || nested && self.rest.starts_with(')') {
                return Ok(elements);
            }
            elements.push(self.element()?);
        }
    }

    fn element(&mut self) -> syn::Result<Element> {
        if let Some(rest) = self.rest.strip_prefix('`') {
            let Some((literal, rest)) = rest.split_once('`') else { return self.error("a literal has no end") };
            self.rest = rest;
            return Ok(Element::Literal(literal.to_owned()));
        }
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            return self.group();
        }
        if self.rest.starts_with('$') {
            return self.variable();
        }
        let word = self.word();
        match word {
            "type" => {
                self.punctuation("(")?;
                let name = self.name()?;
                self.punctuation(")")?;
                Ok(Element::Types(name))
            }
            "operands" => Ok(Element::AllOperands),
            "functional-type" => Ok(Element::FunctionalType),
            "attr-dict" => Ok(Element::AttributeDictionary { keyword: false }),
            "attr-dict-with-keyword" => Ok(Element::AttributeDictionary { keyword: true }),
            other => self.error(format!("unknown directive `{other}` in a format")),
        }
    }

    fn variable(&mut self) -> syn::Result<Element> {
        let name = self.name()?;
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            let operands = self.name()?;
            self.punctuation(")")?;
            return Ok(Element::Successors { successor: name, operands: Some(operands) });
        }
        Ok(Element::Variable(name))
    }

    fn group(&mut self) -> syn::Result<Element> {
        let start = self.rest;
        let Some(anchor_end) = start.find('^') else { return self.error("an optional group has no anchor (`$name^`)") };
        let anchor_start = start[..anchor_end].rfind('$').map_or(anchor_end, |at| at + 1);
        let anchor = start[anchor_start..anchor_end].to_owned();
        let elements = self.elements(true)?;
        match self.rest.strip_prefix(")?") {
            Some(rest) => {
                self.rest = rest;
                Ok(Element::Group { anchor, elements })
            }
            None => self.error("an optional group must end in `)?`"),
        }
    }

    fn name(&mut self) -> syn::Result<String> {
        let Some(rest) = self.rest.trim_start().strip_prefix('$') else { return self.error("expected `$name`") };
        self.rest = rest;
        let name = self.word().to_owned();
        self.rest = self.rest.strip_prefix('^').unwrap_or(self.rest);
        Ok(name)
    }

    fn word(&mut self) -> &'a str {
        let end = self
            .rest
            .find(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '-')))
            .unwrap_or(self.rest.len())
            .max(usize::from(!self.rest.is_empty() && !self.rest.starts_with('^') && !self.rest.starts_with('(')));
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn punctuation(&mut self, expected: &str) -> syn::Result<()> {
        match self.rest.trim_start().strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => self.error(format!("expected `{expected}`")),
        }
    }
}

/// Everything must be written or follow from what is.
fn check(elements: &[Element], fields: &Fields, rules: &[Rule], format: &LitStr) -> syn::Result<()> {
    let mut written = Written::default();
    written.visit(elements);
    let error = |message: String| Err(syn::Error::new(format.span(), message));
    if !written.dictionary {
        return error("a format must have `attr-dict` or `attr-dict-with-keyword`".into());
    }
    for group in &fields.operands {
        if !written.all_operands && !written.names.contains(&group.name.to_string()) {
            return error(format!("the format does not write the operand `{}`", group.name));
        }
    }
    for group in fields.successors.iter().chain(&fields.regions) {
        if !written.names.contains(&group.name.to_string()) {
            return error(format!("the format does not write `{}`", group.name));
        }
    }
    if written.functional_type {
        return Ok(());
    }
    let mut known = Vec::new();
    for name in &written.types {
        known.push(Slot::find(fields, &Ident::new(name, format.span()))?);
    }
    close(fields, rules, &mut known)?;
    let operands = fields.operands.iter().enumerate().map(|(index, group)| (Slot::Operand(index), group));
    let results = fields.results.iter().enumerate().map(|(index, group)| (Slot::Result(index), group));
    for (slot, group) in operands.chain(results) {
        let implied =
            known.contains(&slot) || group.only || written.successor_operands.contains(&group.name.to_string());
        if !implied {
            return error(format!("the type of `{}` is neither written nor follows from a rule", group.name));
        }
    }
    Ok(())
}

#[derive(Default)]
struct Written {
    names: Vec<String>,
    types: Vec<String>,
    successor_operands: Vec<String>,
    dictionary: bool,
    all_operands: bool,
    functional_type: bool,
}

impl Written {
    fn visit(&mut self, elements: &[Element]) {
        for element in elements {
            match element {
                Element::Literal(_) => {}
                Element::Variable(name) => self.names.push(name.clone()),
                Element::Successors { successor, operands } => {
                    self.names.push(successor.clone());
                    self.names.extend(operands.clone());
                    self.successor_operands.extend(operands.clone());
                }
                Element::Types(name) => self.types.push(name.clone()),
                Element::AllOperands => self.all_operands = true,
                Element::FunctionalType => self.functional_type = true,
                Element::AttributeDictionary { .. } => self.dictionary = true,
                Element::Group { elements, .. } => self.visit(elements),
            }
        }
    }
}

fn tokens(elements: &[Element], fields: &Fields, format: &LitStr) -> syn::Result<Vec<TokenStream>> {
    elements.iter().map(|element| element.tokens(fields, format)).collect()
}

impl Element {
    fn tokens(&self, fields: &Fields, format: &LitStr) -> syn::Result<TokenStream> {
        let ir = ir();
        let element = quote!(#ir::operation::FormatElement);
        Ok(match self {
            Self::Literal(literal) => quote!(#element::Literal(#literal)),
            Self::Variable(name) => match find(fields, name, format)? {
                Found::Operand(index) => quote!(#element::Operands(#index)),
                Found::Property(index) => quote!(#element::Property(#index)),
                Found::Region(index) => quote!(#element::Regions(#index)),
                Found::Successor(successor) => {
                    quote!(#element::Successors { successor: #successor, operands: ::core::option::Option::None })
                }
                Found::Result(_) => {
                    let message = format!("`${name}` is a result; only its type can be written");
                    return Err(syn::Error::new(format.span(), message));
                }
            },
            Self::Successors { successor, operands } => {
                let Found::Successor(successor) = find(fields, successor, format)? else {
                    return Err(syn::Error::new(format.span(), format!("`${successor}` is not a successor")));
                };
                let operands = match operands {
                    None => quote!(::core::option::Option::None),
                    Some(name) => match find(fields, name, format)? {
                        Found::Operand(index) => quote!(::core::option::Option::Some(#index)),
                        _ => return Err(syn::Error::new(format.span(), format!("`${name}` is not an operand"))),
                    },
                };
                quote!(#element::Successors { successor: #successor, operands: #operands })
            }
            Self::Types(name) => {
                let slot = Slot::find(fields, &Ident::new(name, format.span()))?.tokens();
                quote!(#element::Types(#slot))
            }
            Self::AllOperands => quote!(#element::AllOperands),
            Self::FunctionalType => quote!(#element::FunctionalType),
            Self::AttributeDictionary { keyword } => quote!(#element::AttributeDictionary { keyword: #keyword }),
            Self::Group { anchor, elements } => {
                let anchor = anchor_tokens(fields, anchor, format)?;
                let elements = tokens(elements, fields, format)?;
                quote!(#element::Group { anchor: #anchor, elements: &[#(#elements),*] })
            }
        })
    }
}

enum Found {
    Operand(usize),
    Result(usize),
    Property(usize),
    Region(usize),
    Successor(usize),
}

fn find(fields: &Fields, name: &str, format: &LitStr) -> syn::Result<Found> {
    let position = |groups: &[crate::fields::Group]| groups.iter().position(|group| group.name == name);
    let property = fields.properties.iter().position(|property| property.name == name);
    position(&fields.operands)
        .map(Found::Operand)
        .or(position(&fields.results).map(Found::Result))
        .or(property.map(Found::Property))
        .or(position(&fields.regions).map(Found::Region))
        .or(position(&fields.successors).map(Found::Successor))
        .ok_or_else(|| syn::Error::new(format.span(), format!("the operation has nothing called `{name}`")))
}

fn anchor_tokens(fields: &Fields, name: &str, format: &LitStr) -> syn::Result<TokenStream> {
    let ir = ir();
    let anchor = quote!(#ir::operation::Anchor);
    let wrong = |what: &str| syn::Error::new(format.span(), format!("the anchor `{name}` is always there: {what}"));
    Ok(match find(fields, name, format)? {
        Found::Operand(index) if fields.operands[index].arity == Arity::One => return Err(wrong("it is one operand")),
        Found::Result(index) if fields.results[index].arity == Arity::One => return Err(wrong("it is one result")),
        Found::Property(index) if matches!(fields.properties[index].presence, Presence::Required) => {
            return Err(wrong("it is a required property"));
        }
        Found::Operand(index) => quote!(#anchor::Operands(#index)),
        Found::Result(index) => quote!(#anchor::Results(#index)),
        Found::Property(index) => quote!(#anchor::Property(#index)),
        Found::Region(index) => quote!(#anchor::Regions(#index)),
        Found::Successor(_) => return Err(wrong("it is a successor")),
    })
}
