//! Locations written in the text.

use super::{ParseResult, Parser, TokenKind};
use crate::location::Location;

impl Parser<'_, '_> {
    /// Reads `loc(...)` if it stands here.
    pub fn optional_location(&mut self) -> ParseResult<Option<Location>> {
        if !self.at_keyword("loc") {
            return Ok(None);
        }
        self.advance();
        self.location_in_parentheses().map(Some)
    }

    pub(super) fn location_in_parentheses(&mut self) -> ParseResult<Location> {
        self.expect("(")?;
        let location = self.nested(Self::location_inside)?;
        self.expect(")")?;
        Ok(location)
    }

    pub(super) fn location_inside(&mut self) -> ParseResult<Location> {
        match self.token.kind {
            TokenKind::HashIdentifier => self.location_alias(),
            TokenKind::String => self.file_or_name(),
            TokenKind::BareIdentifier => match self.one_of(&["unknown", "callsite", "fused"])? {
                "unknown" => Ok(Location::UNKNOWN),
                "callsite" => {
                    self.expect("(")?;
                    let callee = self.nested(Self::location_inside)?;
                    self.keyword("at")?;
                    let caller = self.nested(Self::location_inside)?;
                    self.expect(")")?;
                    Ok(Location::call_site(self.context, callee, caller))
                }
                _ => self.fused(),
            },
            _ => Err(self.expected("a location")),
        }
    }

    fn file_or_name(&mut self) -> ParseResult<Location> {
        let text = self.parse_string()?;
        if self.eat(":") {
            let line = self.parse_unsigned()?;
            self.expect(":")?;
            let column = self.parse_unsigned()?;
            return Ok(Location::file_line_column(self.context, &text, line, column));
        }
        let child = if self.eat("(") {
            let child = self.nested(Self::location_inside)?;
            self.expect(")")?;
            child
        } else {
            Location::UNKNOWN
        };
        Ok(Location::name(self.context, &text, child))
    }

    fn fused(&mut self) -> ParseResult<Location> {
        let metadata = if self.eat("<") {
            let metadata = self.parse_attribute()?;
            self.expect(">")?;
            Some(metadata)
        } else {
            None
        };
        let mut locations = Vec::new();
        self.comma_list("[", "]", |parser| {
            locations.push(parser.nested(Self::location_inside)?);
            Ok(())
        })?;
        Ok(Location::fused(self.context, metadata, &locations))
    }
}
