//! Pipeline strings.
//!
//! ```text
//! pipeline := anchor '(' [ element (',' element)* ] ')'        anchor := name of an operation | 'any'
//! element  := pipeline | name [ '{' option (' ' option)* '}' ]  option := key [ '=' value ]
//! ```
//!
//! The grammar is MLIR's. A name is that of a pass, or of a registered pipeline, which stands for its elements.
//! Mistakes that leave the structure clear are all reported, each at its place in the string. Takes time linear in
//! the string; nesting is limited.

use super::manager::ANY;
use super::options::OptionText;
use super::{OptionValue, PassManager, PassRegistry};
use crate::context::Context;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::nearest::nearest;
use crate::operation::OperationTraits;
use crate::source::{SourceFile, Span};

/// Pipelines nest at most so deep.
const NESTING_LIMIT: usize = 64;

/// A mistake was found and reported.
struct Malformed;

impl PassManager {
    /// Reads a pipeline such as `builtin.module(canonicalize,xir.kernel(cse))` from a source text of the context;
    /// nothing if there is a mistake in it, which is reported.
    pub fn parse(
        context: &Context,
        registry: &PassRegistry,
        source: &SourceFile,
        diagnostics: &mut Diagnostics,
    ) -> Option<PassManager> {
        let text = OptionText { text: source.text(), start: source.start(), context, registry };
        let mut parser = PipelineParser { text, at: 0, diagnostics, sound: true };
        let manager = parser.top_level().ok()?;
        parser.sound.then_some(manager)
    }

    /// Adds the pass or registered pipeline of a name, with options as in a pipeline string but without the braces.
    /// What does not run on the operations of this pipeline is nested. Mistakes are reported; `name_span` is where
    /// the name stands. Returns whether there was none.
    pub fn add_named(
        &mut self,
        context: &Context,
        registry: &PassRegistry,
        name: (&str, Span),
        options: Option<&SourceFile>,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let start = name.1.start;
        let text = |text| OptionText { text, start, context, registry };
        let mut parser = PipelineParser { text: text(name.0), at: 0, diagnostics, sound: true };
        let options =
            options.map(|source| OptionText { text: source.text(), start: source.start(), context, registry });
        parser.add_element(self, text(name.0), options, true);
        parser.sound
    }
}

struct PipelineParser<'t, 'd> {
    text: OptionText<'t>,
    at: usize,
    diagnostics: &'d mut Diagnostics,
    sound: bool,
}

impl<'t> PipelineParser<'t, '_> {
    fn top_level(&mut self) -> Result<PassManager, Malformed> {
        let name = self.name();
        if name.text.is_empty() || !self.take(b'(') {
            let span = if name.text.is_empty() { self.here() } else { name.span() };
            let message =
                "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'";
            return Err(self.malformed(Diagnostic::error("pipeline-anchor", span, message)));
        }
        let manager = self.pipeline(name, 1)?;
        self.skip_blanks();
        if self.at < self.text.text.len() {
            let message = match self.peek() {
                Some(b')') => "encountered extra closing ')' creating unbalanced parentheses while parsing pipeline",
                _ => "expected nothing after the pipeline",
            };
            return Err(self.malformed(Diagnostic::error("pipeline-syntax", self.here(), message)));
        }
        Ok(manager)
    }

    /// What follows `anchor(`, up to and with the closing parenthesis.
    fn pipeline(&mut self, anchor: OptionText<'t>, depth: usize) -> Result<PassManager, Malformed> {
        if depth > NESTING_LIMIT {
            let message = format!("pipelines nest more than {NESTING_LIMIT} deep");
            return Err(self.malformed(Diagnostic::error("pipeline-nesting", anchor.span(), message)));
        }
        self.check_anchor(anchor);
        let mut manager = PassManager::new(anchor.text);
        self.skip_blanks();
        if self.take(b')') {
            return Ok(manager);
        }
        loop {
            self.element(&mut manager, depth)?;
            self.skip_blanks();
            if self.take(b')') {
                return Ok(manager);
            }
            if self.take(b',') {
                continue;
            }
            let open = Span { start: anchor.start, end: anchor.span().end + 1 };
            let diagnostic = match self.peek() {
                None => {
                    Diagnostic::error("pipeline-syntax", self.here(), "expected ')' before the end of the pipeline")
                        .note(open, "to close this")
                }
                Some(_) => Diagnostic::error("pipeline-syntax", self.here(), "expected ',' or ')' after a pass"),
            };
            return Err(self.malformed(diagnostic));
        }
    }

    fn element(&mut self, manager: &mut PassManager, depth: usize) -> Result<(), Malformed> {
        let name = self.name();
        if name.text.is_empty() {
            let message = "expected the name of a pass or of an operation to nest in";
            return Err(self.malformed(Diagnostic::error("pipeline-syntax", self.here(), message)));
        }
        match self.peek() {
            Some(b'(') => {
                self.at += 1;
                let nested = self.pipeline(name, depth + 1)?;
                manager.add_pipeline(nested);
            }
            Some(b'{') => {
                let options = self.braces()?;
                self.add_element(manager, name, Some(options), false);
            }
            _ => self.add_element(manager, name, None, false),
        }
        Ok(())
    }

    /// Adds a pass, or the elements of a registered pipeline.
    fn add_element(
        &mut self,
        manager: &mut PassManager,
        name: OptionText<'_>,
        options: Option<OptionText<'_>>,
        nesting: bool,
    ) {
        let context = name.context;
        if let Some(mut pass) = name.registry.create(name.text) {
            if let Some(options) = options
                && let Err(diagnostic) = pass.options().parse(name.text, options)
            {
                return self.report(*diagnostic);
            }
            if nesting {
                manager.add_nesting(context, pass);
            } else if let Err(error) = self.check_accepted(manager, &*pass, name).and_then(|()| {
                let wrong = manager.add(pass).err();
                wrong.map_or(Ok(()), |wrong| Err(Diagnostic::error("pass-anchor", name.span(), wrong.to_string())))
            }) {
                self.report(error.help("nest it, as in 'builtin.module(OPERATION(PASS))'"));
            }
            return;
        }
        let Some(mut pipeline) = name.registry.create_pipeline(name.text) else {
            return self.unknown(name);
        };
        if let Some(options) = options
            && let Err(diagnostic) = pipeline.options().parse(name.text, options)
        {
            return self.report(*diagnostic);
        }
        if let Err(wrong) = pipeline.build(context, manager) {
            self.report(Diagnostic::error("pass-anchor", name.span(), wrong.to_string()));
        }
    }

    fn check_accepted(
        &self,
        manager: &PassManager,
        pass: &dyn super::Pass,
        name: OptionText<'_>,
    ) -> Result<(), Diagnostic> {
        let anchor = manager.anchor().as_str();
        if anchor == ANY || pass.accepts(name.context, name.context.operation_name(anchor)) {
            return Ok(());
        }
        let message = format!("the pass '{}' does not run on '{anchor}'", name.text);
        Err(Diagnostic::error("pass-anchor", name.span(), message))
    }

    fn unknown(&mut self, name: OptionText<'_>) {
        let message = format!("'{}' does not refer to a registered pass or pass pipeline", name.text);
        let diagnostic = Diagnostic::error("unknown-pass", name.span(), message);
        let help = match nearest(name.text, name.registry.all_names()) {
            Some(near) => format!("did you mean '{near}'?"),
            None if name.text == ANY || name.context.registry().operation(name.text).is_some() => {
                format!("to run passes on '{0}' write '{0}(...)'", name.text)
            }
            None => "--list-passes shows the passes".to_owned(),
        };
        self.report(diagnostic.help(help));
    }

    /// Pipelines run on registered isolated operations only; a name that is none would never run.
    fn check_anchor(&mut self, anchor: OptionText<'_>) {
        if anchor.text == ANY {
            return;
        }
        let registry = anchor.context.registry();
        let declarations = registry.dialects().iter().flat_map(|dialect| dialect.operations());
        let isolated = |traits: OperationTraits| traits.contains(OperationTraits::ISOLATED_FROM_ABOVE);
        let message = match registry.operation(anchor.text) {
            Some(declaration) if isolated(declaration.traits) => return,
            Some(_) => format!("pipelines run on isolated operations; '{}' is not isolated from above", anchor.text),
            None => format!("pipelines run on registered operations; '{}' is not registered", anchor.text),
        };
        let names = declarations.filter(|declaration| isolated(declaration.traits)).map(|declaration| declaration.name);
        let diagnostic = Diagnostic::error("pipeline-anchor", anchor.span(), message);
        self.report(match nearest(anchor.text, names.chain(anchor.registry.all_names())) {
            Some(near) => diagnostic.help(format!("did you mean '{near}'?")),
            None => diagnostic,
        });
    }

    /// A name, without the blanks around it.
    fn name(&mut self) -> OptionText<'t> {
        self.skip_blanks();
        let rest = &self.text.text[self.at..];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'(' | b')' | b'{' | b'}');
        let length = rest.bytes().position(|byte| ends(&byte)).unwrap_or(rest.len());
        let name = self.text.part(self.at, &rest[..length]);
        self.at += length;
        self.skip_blanks();
        name
    }

    /// The text between the braces that open here, with the position after them.
    fn braces(&mut self) -> Result<OptionText<'t>, Malformed> {
        let start = self.at + 1;
        match super::options::closing_brace(self.text, start) {
            Ok(end) => {
                self.at = end + 1;
                Ok(self.text.part(start, &self.text.text[start..end]))
            }
            Err(diagnostic) => Err(self.malformed(*diagnostic)),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    /// The character here, or the end of the text.
    fn here(&self) -> Span {
        let length = self.text.text[self.at..].chars().next().map_or(0, char::len_utf8);
        self.text.part(self.at, &self.text.text[self.at..self.at + length]).span()
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.sound = false;
        self.diagnostics.report(diagnostic);
    }

    fn malformed(&mut self, diagnostic: Diagnostic) -> Malformed {
        self.report(diagnostic);
        Malformed
    }
}

/// A pipeline as the value of an option: `any(canonicalize,cse)`, or the elements alone for any operation.
impl OptionValue for PassManager {
    fn expected(&self) -> String {
        "a pass pipeline".to_owned()
    }

    fn parse(&mut self, text: OptionText<'_>) -> Result<(), Box<Diagnostic>> {
        let mut diagnostics = Diagnostics::new();
        let mut parser = PipelineParser { text, at: 0, diagnostics: &mut diagnostics, sound: true };
        let parsed = parser.elements_to_end();
        let sound = parser.sound;
        match parsed {
            Ok(manager) if sound => {
                *self = manager;
                Ok(())
            }
            _ => {
                let first = diagnostics.into_vec().into_iter().next();
                Err(Box::new(first.expect("a pipeline is refused with a diagnostic")))
            }
        }
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

impl PipelineParser<'_, '_> {
    fn elements_to_end(&mut self) -> Result<PassManager, Malformed> {
        let mut manager = PassManager::default();
        self.skip_blanks();
        if self.at == self.text.text.len() {
            return Ok(manager);
        }
        loop {
            self.element(&mut manager, 1)?;
            self.skip_blanks();
            if self.at == self.text.text.len() {
                return Ok(manager.unwrap_single_pipeline());
            }
            if !self.take(b',') {
                let message = "expected ',' or the end of the pipeline after a pass";
                return Err(self.malformed(Diagnostic::error("pipeline-syntax", self.here(), message)));
            }
        }
    }
}
