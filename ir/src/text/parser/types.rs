//! Types.

use smallvec::SmallVec;

use super::{ParseResult, Parser, TokenKind, similar};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::types::{FloatKind, Signedness, Type, TypeKind};

/// The largest width of an integer type, as in MLIR.
const LARGEST_WIDTH: u32 = 16_777_215;

/// The parts of a function type.
pub(super) type InputsAndResults = (SmallVec<[Type; 4]>, SmallVec<[Type; 2]>);

pub(super) const FLOAT_NAMES: &[(&str, FloatKind)] = &[
    ("f8E5M2", FloatKind::F8E5M2),
    ("f8E4M3", FloatKind::F8E4M3),
    ("f8E4M3FN", FloatKind::F8E4M3Fn),
    ("f8E5M2FNUZ", FloatKind::F8E5M2Fnuz),
    ("f8E4M3FNUZ", FloatKind::F8E4M3Fnuz),
    ("f8E4M3B11FNUZ", FloatKind::F8E4M3B11Fnuz),
    ("f8E3M4", FloatKind::F8E3M4),
    ("f6E3M2FN", FloatKind::F6E3M2Fn),
    ("f6E2M3FN", FloatKind::F6E2M3Fn),
    ("f4E2M1FN", FloatKind::F4E2M1Fn),
    ("bf16", FloatKind::BF16),
    ("f16", FloatKind::F16),
    ("tf32", FloatKind::TF32),
    ("f32", FloatKind::F32),
    ("f64", FloatKind::F64),
    ("f80", FloatKind::F80),
    ("f128", FloatKind::F128),
];

const OTHER_NAMES: &[&str] = &["index", "none", "complex", "tuple", "vector", "tensor", "memref"];

impl<'c> Parser<'c, '_> {
    /// Whether a type may start here.
    pub(super) fn starts_type(&self) -> bool {
        match self.token.kind {
            TokenKind::ExclamationIdentifier => true,
            TokenKind::BareIdentifier => is_builtin(self.token_text()),
            _ => self.at("("),
        }
    }

    /// Reads a type.
    ///
    /// # Errors
    /// If there is none; reported.
    pub fn parse_type(&mut self) -> ParseResult<Type> {
        match self.token.kind {
            TokenKind::BareIdentifier => self.builtin_type(),
            TokenKind::ExclamationIdentifier => self.nested(Self::named_type),
            _ if self.at("(") => self.nested(|parser| {
                let (inputs, results) = parser.function_type_parts()?;
                Ok(Type::function(parser.context, &inputs, &results))
            }),
            _ => Err(self.expected("a type")),
        }
    }

    /// Reads `(types) -> types`.
    pub(super) fn function_type_parts(&mut self) -> ParseResult<InputsAndResults> {
        let mut inputs = SmallVec::new();
        self.comma_list("(", ")", |parser| {
            inputs.push(parser.parse_type()?);
            Ok(())
        })?;
        self.expect("->")?;
        let mut results = SmallVec::new();
        if self.at("(") {
            self.comma_list("(", ")", |parser| {
                results.push(parser.parse_type()?);
                Ok(())
            })?;
        } else {
            results.push(self.parse_type()?);
        }
        Ok((inputs, results))
    }

    fn builtin_type(&mut self) -> ParseResult<Type> {
        let (text, span) = (self.token_text(), self.span());
        if let Some((width, signedness)) = integer_name(text) {
            self.advance();
            return self.integer_type(width, signedness, span);
        }
        if let Some(&(_, kind)) = FLOAT_NAMES.iter().find(|(name, _)| *name == text) {
            self.advance();
            return Ok(Type::float(self.context, kind));
        }
        if !OTHER_NAMES.contains(&text) {
            let message = format!("there is no type '{}'", text.chars().take(40).collect::<String>());
            let diagnostic = Diagnostic::error("unknown-type", span, message);
            let known = FLOAT_NAMES
                .iter()
                .map(|(name, _)| *name)
                .chain(OTHER_NAMES.iter().copied())
                .chain(["i1", "i8", "i16", "i32", "i64"]);
            let near = crate::nearest::nearest(text, known);
            self.advance();
            return Err(self.report(match near {
                Some(near) => diagnostic.help(format!("a type with a similar name exists: '{near}'")),
                None => diagnostic,
            }));
        }
        self.advance();
        match text {
            "index" => Ok(Type::index_type(self.context)),
            "none" => Ok(self.context.intern_type(TypeKind::None)),
            _ => self.nested(|parser| match text {
                "complex" => {
                    parser.expect("<")?;
                    let element = parser.parse_type()?;
                    parser.expect(">")?;
                    Ok(parser.context.intern_type(TypeKind::Complex(element)))
                }
                "tuple" => {
                    let mut elements = Vec::new();
                    parser.comma_list("<", ">", |parser| {
                        elements.push(parser.parse_type()?);
                        Ok(())
                    })?;
                    Ok(parser.context.intern_type(TypeKind::Tuple(elements.into())))
                }
                _ => parser.shaped_type(text, span),
            }),
        }
    }

    fn integer_type(&mut self, width: &str, signedness: Signedness, span: Span) -> ParseResult<Type> {
        match width.parse::<u32>() {
            Ok(width) if width <= LARGEST_WIDTH => {
                Ok(self.context.intern_type(TypeKind::Integer { width, signedness }))
            }
            _ => {
                let message = format!("an integer type has at most {LARGEST_WIDTH} bits");
                Err(self.error(span, "integer-width", message))
            }
        }
    }

    /// Reads `!alias` or `!dialect.type<...>`.
    fn named_type(&mut self) -> ParseResult<Type> {
        let (name, span) = (self.name_text(), self.span());
        if let Some(&ty) = self.type_aliases.get(name) {
            self.advance();
            return ty.ok_or(super::ParseFailure);
        }
        let Some((dialect, mnemonic)) = name.split_once('.') else {
            if self.next_is_adjacent_angle() {
                return self.pretty_opaque_type(name, span);
            }
            self.advance();
            if self.aliases_lost {
                return Err(super::ParseFailure);
            }
            let diagnostic =
                Diagnostic::error("undefined-alias", span, format!("the type alias '!{name}' is not defined here"));
            let near = similar(name, self.type_aliases.keys().copied());
            return Err(self.report(match near {
                Some(near) => diagnostic.help(format!("an alias with a similar name is defined: '!{near}'")),
                None => diagnostic.help("type aliases must be defined before they are used"),
            }));
        };
        if self.context.dialect(dialect).is_some() {
            return self.declared_type(name, span);
        }
        self.check_dialect(dialect, span)?;
        let _ = mnemonic;
        let body = self.opaque_body(dialect)?;
        let dialect = self.context.identifier(dialect);
        Ok(self.context.intern_type(TypeKind::Opaque { dialect, body }))
    }

    fn declared_type(&mut self, name: &'c str, span: Span) -> ParseResult<Type> {
        self.advance();
        if let Some(declaration) = self.context.registry().type_declaration(name) {
            return (declaration.parse)(self);
        }
        let diagnostic = Diagnostic::error("unknown-type", span, format!("there is no type '!{name}'"));
        let dialects = self.context.registry().dialects();
        let known = dialects.iter().flat_map(|dialect| dialect.types()).map(|declaration| declaration.name);
        Err(self.report(match crate::nearest::nearest(name, known) {
            Some(near) => diagnostic.help(format!("a type with a similar name exists: '!{near}'")),
            None => diagnostic,
        }))
    }

    /// Reads `!dialect<name...>`, which is `!dialect.name...`.
    fn pretty_opaque_type(&mut self, dialect: &'c str, span: Span) -> ParseResult<Type> {
        if self.context.dialect(dialect).is_some() {
            self.advance();
            let help = format!("write '!{dialect}.name<...>'");
            let message = "a registered type is written with a dot after the dialect";
            return Err(self.report(Diagnostic::error("unknown-type", span, message).help(help)));
        }
        self.check_dialect(dialect, span)?;
        let body = self.opaque_inside_brackets()?;
        let dialect = self.context.identifier(dialect);
        Ok(self.context.intern_type(TypeKind::Opaque { dialect, body }))
    }

    pub(super) fn check_dialect(&mut self, dialect: &str, span: Span) -> ParseResult<()> {
        if dialect.contains('-') {
            return Err(self.error(span, "dialect-name", "the name of a dialect must not contain a hyphen"));
        }
        if self.options.allow_unregistered {
            return Ok(());
        }
        let message = format!("the dialect '{dialect}' is not registered");
        let diagnostic = Diagnostic::error("unknown-dialect", span, message);
        let known = self.context.registry().dialects().iter().map(|dialect| dialect.namespace());
        let failure = self.report(match crate::nearest::nearest(dialect, known) {
            Some(near) => diagnostic.help(format!("a dialect with a similar name is: '{near}'")),
            None => diagnostic.help("--allow-unregistered-dialect accepts it"),
        });
        self.advance();
        Err(failure)
    }
}

fn is_builtin(text: &str) -> bool {
    integer_name(text).is_some() || FLOAT_NAMES.iter().any(|(name, _)| *name == text) || OTHER_NAMES.contains(&text)
}

/// The digits and the signedness of `i32`, `si8`, `ui64`.
fn integer_name(text: &str) -> Option<(&str, Signedness)> {
    let (digits, signedness) = match text.as_bytes() {
        [b'i', ..] => (&text[1..], Signedness::Signless),
        [b's', b'i', ..] => (&text[2..], Signedness::Signed),
        [b'u', b'i', ..] => (&text[2..], Signedness::Unsigned),
        _ => return None,
    };
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some((digits, signedness))
}
