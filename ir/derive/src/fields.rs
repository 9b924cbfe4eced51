//! The fields of an operation's declaration.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, Field, Ident, ItemStruct, Token, Type};

/// How many things a field stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arity {
    One,
    Optional,
    Variadic,
}

impl Arity {
    pub(crate) fn tokens(self) -> TokenStream {
        match self {
            Self::One => quote!(One),
            Self::Optional => quote!(Optional),
            Self::Variadic => quote!(Variadic),
        }
    }
}

/// Whether a property must be there.
pub(crate) enum Presence {
    Required,
    Optional,
    Default(Box<Expr>),
}

/// An operand, result, region or successor group.
pub(crate) struct Group {
    pub(crate) name: Ident,
    pub(crate) constraint: Type,
    pub(crate) arity: Arity,
    /// Whether a result's constraint has just one type.
    pub(crate) only: bool,
    pub(crate) docs: Vec<Attribute>,
}

/// A property.
pub(crate) struct Property {
    pub(crate) name: Ident,
    pub(crate) constraint: Type,
    pub(crate) presence: Presence,
    pub(crate) docs: Vec<Attribute>,
}

/// All fields by what they are, each kind in order.
#[derive(Default)]
pub(crate) struct Fields {
    pub(crate) operands: Vec<Group>,
    pub(crate) results: Vec<Group>,
    pub(crate) properties: Vec<Property>,
    pub(crate) regions: Vec<Group>,
    pub(crate) successors: Vec<Group>,
}

/// What stands in the parentheses of a field's mark.
#[derive(Default)]
struct Options {
    optional: Option<Span>,
    variadic: Option<Span>,
    only: Option<Span>,
    default: Option<Expr>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut options = Self::default();
        while !input.is_empty() {
            let word: Ident = input.parse()?;
            match word.to_string().as_str() {
                "optional" => options.optional = Some(word.span()),
                "variadic" => options.variadic = Some(word.span()),
                "only" => options.only = Some(word.span()),
                "default" => {
                    input.parse::<Token![=]>()?;
                    options.default = Some(input.parse()?);
                }
                other => {
                    let message = format!("unknown option `{other}`; expected optional, variadic, only or default");
                    return Err(syn::Error::new(word.span(), message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

const MARKS: [&str; 5] = ["operand", "result", "property", "region", "successor"];

impl Fields {
    /// Sorts the fields of a declaration.
    pub(crate) fn new(item: &ItemStruct) -> syn::Result<Self> {
        let mut fields = Self::default();
        for field in &item.fields {
            fields.add(field)?;
        }
        fields.check()?;
        Ok(fields)
    }

    fn add(&mut self, field: &Field) -> syn::Result<()> {
        let name = field.ident.clone().ok_or_else(|| syn::Error::new_spanned(field, "fields must have names"))?;
        let is_mark = |attribute: &&Attribute| MARKS.iter().any(|mark| attribute.path().is_ident(mark));
        let marks: Vec<&Attribute> = field.attrs.iter().filter(is_mark).collect();
        let [mark] = marks[..] else {
            let message =
                "a field must have exactly one of #[operand], #[result], #[property], #[region], #[successor]";
            return Err(syn::Error::new_spanned(&name, message));
        };
        let options = match &mark.meta {
            syn::Meta::Path(_) => Options::default(),
            _ => mark.parse_args::<Options>()?,
        };
        let docs = field.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).cloned().collect();
        let constraint = field.ty.clone();
        if mark.path().is_ident("property") {
            if let Some(span) = options.variadic.or(options.only) {
                return Err(syn::Error::new(span, "a property is `optional`, has a `default`, or is required"));
            }
            let presence = match (options.default, options.optional) {
                (Some(default), None) => Presence::Default(Box::new(default)),
                (Some(_), Some(span)) => {
                    return Err(syn::Error::new(span, "a property that has a default is always there"));
                }
                (None, Some(_)) => Presence::Optional,
                (None, None) => Presence::Required,
            };
            self.properties.push(Property { name, constraint, presence, docs });
            return Ok(());
        }
        if let Some(default) = options.default {
            return Err(syn::Error::new_spanned(default, "only a property has a default"));
        }
        let arity = match (options.optional, options.variadic) {
            (None, None) => Arity::One,
            (Some(_), None) => Arity::Optional,
            (None, Some(_)) => Arity::Variadic,
            (Some(span), Some(_)) => return Err(syn::Error::new(span, "`variadic` includes none already")),
        };
        let group = Group { name, constraint, arity, only: options.only.is_some(), docs };
        let groups = if mark.path().is_ident("operand") {
            &mut self.operands
        } else if mark.path().is_ident("result") {
            &mut self.results
        } else if mark.path().is_ident("region") {
            &mut self.regions
        } else {
            &mut self.successors
        };
        groups.push(group);
        Ok(())
    }

    fn check(&self) -> syn::Result<()> {
        let flexible = self.results.iter().filter(|group| group.arity != Arity::One);
        if let Some(second) = flexible.into_iter().nth(1) {
            return Err(syn::Error::new(second.name.span(), "at most one result group may be optional or variadic"));
        }
        for groups in [&self.regions, &self.successors] {
            let last = groups.len().saturating_sub(1);
            let early = groups.iter().take(last).find(|group| group.arity != Arity::One);
            if let Some(group) = early {
                return Err(syn::Error::new(group.name.span(), "only the last group may be optional or variadic"));
            }
        }
        Ok(())
    }
}
