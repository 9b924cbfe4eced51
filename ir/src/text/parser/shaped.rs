//! Vectors, tensors and memory references, and the verbatim bodies of unregistered types and attributes.

use super::{ParseResult, Parser, TokenKind};
use crate::identifier::Identifier;
use crate::source::Span;
use crate::types::{Dimension, Type, TypeKind};

struct Shape {
    dimensions: Vec<Dimension>,
    scalable: Vec<bool>,
    /// `*`
    unranked: bool,
}

impl Parser<'_, '_> {
    /// Reads what follows `vector`, `tensor` or `memref`.
    pub(super) fn shaped_type(&mut self, keyword: &str, span: Span) -> ParseResult<Type> {
        if !self.at("<") {
            return Err(self.expected("'<'"));
        }
        let shape = self.shape(keyword)?;
        let element_span = self.span();
        let element = self.parse_type()?;
        self.check_element(keyword, element, element_span)?;
        let kind = match keyword {
            "vector" => {
                if shape.unranked || shape.dimensions.contains(&Dimension::Dynamic) {
                    return Err(self.error(span, "vector-shape", "the dimensions of a vector are numbers"));
                }
                if shape.dimensions.contains(&Dimension::Fixed(0)) {
                    return Err(self.error(span, "vector-shape", "the dimensions of a vector are at least 1"));
                }
                let (shape, scalable) = (shape.dimensions.into(), shape.scalable.into());
                TypeKind::Vector { shape, scalable, element }
            }
            "tensor" if shape.unranked => TypeKind::UnrankedTensor(element),
            "tensor" => {
                let encoding = if self.eat(",") { Some(self.parse_attribute()?) } else { None };
                TypeKind::RankedTensor { shape: shape.dimensions.into(), element, encoding }
            }
            _ if shape.unranked => {
                let space = if self.eat(",") { Some(self.parse_attribute()?) } else { None };
                TypeKind::UnrankedMemRef { element, space }
            }
            _ => self.memref_rest(shape.dimensions, element)?,
        };
        self.expect(">")?;
        Ok(self.context.intern_type(kind))
    }

    fn memref_rest(&mut self, shape: Vec<Dimension>, element: Type) -> ParseResult<TypeKind> {
        let (mut layout, mut space) = (None, None);
        while self.eat(",") {
            let span = self.span();
            let is_layout = self.at_keyword("affine_map") || self.at_keyword("strided");
            let attribute = self.parse_attribute()?;
            let slot = if is_layout && layout.is_none() && space.is_none() { &mut layout } else { &mut space };
            if slot.replace(attribute).is_some() {
                return Err(self.error(span, "memref-shape", "a memref has at most one layout and one memory space"));
            }
        }
        Ok(TypeKind::MemRef { shape: shape.into(), element, layout, space })
    }

    fn check_element(&mut self, keyword: &str, element: Type, span: Span) -> ParseResult<()> {
        let legal = match (keyword, element.kind(self.context)) {
            (_, TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index) => true,
            ("vector", _) => false,
            (_, TypeKind::Complex(_) | TypeKind::Vector { .. }) => true,
            ("tensor", TypeKind::Opaque { .. } | TypeKind::Dialect(_)) => true,
            ("memref", TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. }) => true,
            _ => false,
        };
        if legal {
            return Ok(());
        }
        let text = self.type_text(element);
        Err(self.error(span, "element-type", format!("'{text}' cannot be an element of a {keyword}")))
    }

    /// Reads `<4x?x`, up to the element type. Works on bytes, because tokens split `4x8xf32` in the wrong places.
    fn shape(&mut self, keyword: &str) -> ParseResult<Shape> {
        let mut shape = Shape { dimensions: Vec::new(), scalable: Vec::new(), unranked: false };
        let mut at = self.token.end as usize;
        loop {
            at += self.blanks_at(at);
            let Some(&byte) = self.text.as_bytes()[..self.limit].get(at) else { break };
            let scalable = byte == b'[' && keyword == "vector";
            let start = at + usize::from(scalable);
            let digits =
                self.text.as_bytes()[..self.limit].iter().skip(start).take_while(|byte| byte.is_ascii_digit()).count();
            let mut end = start + digits;
            let dimension = match byte {
                b'?' => {
                    end = at + 1;
                    Some(Dimension::Dynamic)
                }
                b'*' if shape.dimensions.is_empty() && keyword != "vector" => {
                    end = at + 1;
                    shape.unranked = true;
                    None
                }
                _ if digits > 0 => Some(Dimension::Fixed(self.dimension(start, end)?)),
                _ => break,
            };
            if scalable {
                if self.text.as_bytes().get(end) != Some(&b']') {
                    self.move_to(end);
                    return Err(self.expected("']' after a scalable dimension"));
                }
                end += 1;
            }
            end += self.blanks_at(end);
            if self.text.as_bytes().get(end) != Some(&b'x') {
                self.move_to(end);
                return Err(self.expected("'x' after a dimension"));
            }
            shape.dimensions.extend(dimension);
            shape.scalable.extend(dimension.map(|_| scalable));
            at = end + 1;
            if shape.unranked {
                break;
            }
        }
        self.move_to(at);
        Ok(shape)
    }

    fn dimension(&mut self, start: usize, end: usize) -> ParseResult<u64> {
        match self.text[start..end].parse::<i64>() {
            Ok(value) => Ok(value as u64),
            Err(_) => {
                let base = self.file.start();
                let span = Span { start: base + start as u32, end: base + end as u32 };
                Err(self.error(span, "number-range", "a dimension is at most 9223372036854775807"))
            }
        }
    }

    fn blanks_at(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes()[..self.limit].iter().skip(at);
        bytes.take_while(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r')).count()
    }

    /// Whether the current token is followed by `<` without a blank.
    pub(super) fn next_is_adjacent_angle(&self) -> bool {
        self.text.as_bytes()[..self.limit].get(self.token.end as usize) == Some(&b'<')
    }

    /// The text of a `dialect.name<...>` token after the dialect and its dot, brackets included.
    pub(super) fn opaque_body(&mut self, dialect: &str) -> ParseResult<Identifier> {
        let start = self.token.start as usize + 1 + dialect.len() + 1;
        let end = if self.next_is_adjacent_angle() { self.balanced_end()? } else { self.token.end as usize };
        let body = self.context.identifier(&self.text[start..end]);
        self.move_to(end);
        Ok(body)
    }

    /// The text between the angle brackets after a dialect's name.
    pub(super) fn opaque_inside_brackets(&mut self) -> ParseResult<Identifier> {
        let start = self.token.end as usize + 1;
        let end = self.balanced_end()?;
        let body = self.context.identifier(&self.text[start..end - 1]);
        self.move_to(end);
        Ok(body)
    }

    /// The end of the brackets that open right after the current token. All kinds of bracket must balance outside of
    /// strings; `->` is the only place where a `>` may stand alone.
    pub(super) fn balanced_end(&mut self) -> ParseResult<usize> {
        let bytes = &self.text.as_bytes()[..self.limit];
        let mut open: Vec<(u8, usize)> = Vec::new();
        let mut at = self.token.end as usize;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'<' | b'(' | b'[' | b'{' => open.push((byte, at)),
                b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1,
                b'>' | b')' | b']' | b'}' => {
                    let opener = match byte {
                        b'>' => b'<',
                        b')' => b'(',
                        b']' => b'[',
                        _ => b'{',
                    };
                    match open.pop() {
                        Some((found, _)) if found == opener => {}
                        _ => return Err(self.unbalanced(at, char::from(byte))),
                    }
                    if open.is_empty() {
                        return Ok(at + 1);
                    }
                }
                b'"' => {
                    let token = super::next_token(self.text.as_bytes(), at, self.limit);
                    if token.kind != TokenKind::String {
                        return Err(self.unbalanced(at, '"'));
                    }
                    at = token.end as usize - 1;
                }
                _ => {}
            }
            at += 1;
        }
        let (bracket, place) = open.pop().unwrap_or((b'<', self.token.end as usize));
        Err(self.unbalanced(place, char::from(bracket)))
    }

    fn unbalanced(&mut self, at: usize, bracket: char) -> super::ParseFailure {
        let start = self.file.start() + at as u32;
        let failure = self.error(
            Span { start, end: start + 1 },
            "unbalanced-bracket",
            format!("unbalanced '{bracket}' in the body of a type or attribute"),
        );
        self.advance();
        failure
    }
}
