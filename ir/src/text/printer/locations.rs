//! Locations.

use super::Printer;
use crate::location::{Location, LocationKind};

impl Printer<'_> {
    /// Writes ` loc(...)` if locations are wanted.
    pub fn trailing_location(&mut self, location: Location) {
        if self.options.debug_info {
            self.write(" ");
            self.location(location);
        }
    }

    /// Writes `loc(...)`.
    pub fn location(&mut self, location: Location) {
        self.write("loc(");
        self.deeper(|printer| printer.location_inside(location));
        self.write(")");
    }

    fn location_inside(&mut self, location: Location) {
        match location.kind(self.context) {
            LocationKind::Unknown => self.write("unknown"),
            LocationKind::Source { position } => match self.context.sources().file_at(position) {
                Some(file) => {
                    let (line, column) = file.line_and_column(position);
                    self.file_line_column(file.name(), line, column);
                }
                None => self.write("unknown"),
            },
            LocationKind::FileLineColumn { file, line, column } => {
                let file = file.as_str(self.context);
                self.file_line_column(file, line, column);
            }
            LocationKind::Name { name, child } => {
                let name = name.as_str(self.context);
                self.string(name);
                if child != Location::UNKNOWN {
                    self.write("(");
                    self.deeper(|printer| printer.location_inside(child));
                    self.write(")");
                }
            }
            LocationKind::CallSite { callee, caller } => {
                self.write("callsite(");
                self.deeper(|printer| printer.location_inside(callee));
                self.write(" at ");
                self.deeper(|printer| printer.location_inside(caller));
                self.write(")");
            }
            LocationKind::Fused { metadata, locations } => {
                self.write("fused");
                if let Some(metadata) = metadata {
                    self.write("<");
                    self.attribute(metadata);
                    self.write(">");
                }
                self.write("[");
                self.list(locations.iter().copied(), |printer, inner| {
                    printer.deeper(|printer| printer.location_inside(inner));
                });
                self.write("]");
            }
        }
    }

    fn file_line_column(&mut self, file: &str, line: u32, column: u32) {
        self.string(file);
        self.write(":");
        self.number(line);
        self.write(":");
        self.number(column);
    }
}
