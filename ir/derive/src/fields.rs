//! The fields of an operation's declaration.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, Field, Ident, ItemStruct, Token, Type};

use crate::expand::documentation;
use crate::rules::Slot;

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
    /// What is written for its type; regions and successors have [`ANY_REGION`] and [`ANY_BLOCK`].
    pub(crate) constraint: Type,
    pub(crate) arity: Arity,
    /// Whether the constraint has just one type.
    pub(crate) only: bool,
    pub(crate) documentation: String,
}

/// A property.
pub(crate) struct Property {
    pub(crate) name: Ident,
    pub(crate) constraint: Type,
    pub(crate) presence: Presence,
    pub(crate) documentation: String,
}

/// The name of a part in texts: without the mark of a raw identifier.
pub(crate) fn text_of(name: &Ident) -> String {
    name.unraw().to_string()
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

/// A field by kind and index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Operand(usize),
    Result(usize),
    Property(usize),
    Region(usize),
    Successor(usize),
}

impl Place {
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Operand(_) => "operand",
            Self::Result(_) => "result",
            Self::Property(_) => "property",
            Self::Region(_) => "region",
            Self::Successor(_) => "successor",
        }
    }
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

/// Names that the generated view has already.
const TAKEN: [&str; 6] = ["op", "build", "create_body", "cast", "matches", "from_ref_unchecked"];

/// What stands for the type of a region: every region will do.
const ANY_REGION: &str = "AnyRegion";

/// What stands for the type of a successor: every block will do.
const ANY_BLOCK: &str = "AnyBlock";

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

    /// The field of a name, as a format or a rule writes it.
    pub(crate) fn find(&self, name: &str) -> Option<Place> {
        self.names().find(|&(_, known)| text_of(known) == name).map(|(place, _)| place)
    }

    /// Name of a field.
    pub(crate) fn name(&self, place: Place) -> String {
        text_of(match place {
            Place::Operand(index) => &self.operands[index].name,
            Place::Result(index) => &self.results[index].name,
            Place::Property(index) => &self.properties[index].name,
            Place::Region(index) => &self.regions[index].name,
            Place::Successor(index) => &self.successors[index].name,
        })
    }

    /// The operand or result group of a slot.
    pub(crate) fn group(&self, slot: Slot) -> &Group {
        match slot {
            Slot::Operand(index) => &self.operands[index],
            Slot::Result(index) => &self.results[index],
        }
    }

    /// The last word of the name of a property's constraint: the stock ones are known by it.
    pub(crate) fn constraint(&self, property: usize) -> String {
        match &self.properties[property].constraint {
            Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
            _ => String::new(),
        }
    }

    fn names(&self) -> impl Iterator<Item = (Place, &Ident)> {
        let operands = self.operands.iter().enumerate().map(|(index, group)| (Place::Operand(index), &group.name));
        let results = self.results.iter().enumerate().map(|(index, group)| (Place::Result(index), &group.name));
        let properties = self.properties.iter().enumerate().map(|(index, one)| (Place::Property(index), &one.name));
        let regions = self.regions.iter().enumerate().map(|(index, group)| (Place::Region(index), &group.name));
        let successors =
            self.successors.iter().enumerate().map(|(index, group)| (Place::Successor(index), &group.name));
        operands.chain(results).chain(properties).chain(regions).chain(successors)
    }

    fn add(&mut self, field: &Field) -> syn::Result<()> {
        let name = field.ident.clone().ok_or_else(|| syn::Error::new_spanned(field, "fields must have names"))?;
        if TAKEN.contains(&text_of(&name).as_str()) {
            return Err(syn::Error::new(name.span(), format!("`{name}` is a method of every operation's view")));
        }
        if let Some(place) = self.find(&text_of(&name)) {
            let message = format!("the {} above is called `{name}` already", place.kind());
            return Err(syn::Error::new(name.span(), message));
        }
        let is_mark = |attribute: &&Attribute| MARKS.iter().any(|mark| attribute.path().is_ident(mark));
        let marks: Vec<&Attribute> = field.attrs.iter().filter(is_mark).collect();
        let [mark] = marks[..] else {
            let message =
                "a field must have exactly one of #[operand], #[result], #[property], #[region], #[successor]";
            return Err(syn::Error::new(name.span(), message));
        };
        let is_known = |attribute: &Attribute| is_mark(&attribute) || attribute.path().is_ident("doc");
        if let Some(foreign) = field.attrs.iter().find(|attribute| !is_known(attribute)) {
            return Err(syn::Error::new_spanned(
                foreign,
                "a field of a declaration has its mark and its documentation",
            ));
        }
        let options = match &mark.meta {
            syn::Meta::Path(_) => Options::default(),
            _ => mark.parse_args::<Options>()?,
        };
        let documentation = documentation(&field.attrs);
        let constraint = field.ty.clone();
        if mark.path().is_ident("property") {
            let presence = presence(options)?;
            self.properties.push(Property { name, constraint, presence, documentation });
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
        if let Some(span) = options.only
            && !(mark.path().is_ident("operand") || mark.path().is_ident("result") && arity == Arity::One)
        {
            return Err(syn::Error::new(span, "`only` is for operands, and for a single result"));
        }
        let group = Group { name, constraint, arity, only: options.only.is_some(), documentation };
        let groups = if mark.path().is_ident("operand") {
            &mut self.operands
        } else if mark.path().is_ident("result") {
            &mut self.results
        } else if mark.path().is_ident("region") {
            expect_word(&group.constraint, ANY_REGION)?;
            &mut self.regions
        } else {
            expect_word(&group.constraint, ANY_BLOCK)?;
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

fn presence(options: Options) -> syn::Result<Presence> {
    if let Some(span) = options.variadic.or(options.only) {
        return Err(syn::Error::new(span, "a property is `optional`, has a `default`, or is required"));
    }
    match (options.default, options.optional) {
        (Some(default), None) => Ok(Presence::Default(Box::new(default))),
        (Some(_), Some(span)) => Err(syn::Error::new(span, "a property that has a default is always there")),
        (None, Some(_)) => Ok(Presence::Optional),
        (None, None) => Ok(Presence::Required),
    }
}

/// Regions and successors have no constraints of their own; one word stands in their place.
fn expect_word(constraint: &Type, word: &str) -> syn::Result<()> {
    match constraint {
        Type::Path(path) if path.path.is_ident(word) => Ok(()),
        _ => Err(syn::Error::new_spanned(constraint, format!("expected `{word}`"))),
    }
}
