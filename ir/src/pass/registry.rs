//! Which passes there are.

use std::collections::BTreeMap;

use super::Pass;

type PassConstructor = Box<dyn Fn() -> Box<dyn Pass> + Send + Sync>;

/// What a registry says about a pass, or about an option of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// The one operation that it runs on, if there is one.
    pub anchor: Option<&'static str>,
    /// Its options, in the order in which they were declared.
    pub options: Vec<OptionInfo>,
}

/// What a registry says about an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it takes, in words.
    pub expected: String,
    /// The text of its default; empty if there is none.
    pub default: String,
    /// What it does.
    pub help: &'static str,
}

/// The passes that a tool knows, by name.
#[derive(Default)]
pub struct PassRegistry {
    passes: BTreeMap<&'static str, PassConstructor>,
}

impl PassRegistry {
    /// A registry of no passes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pass, given how to make one with all options at their defaults:
    /// `registry.register(|| Box::new(Cse::default()))`.
    ///
    /// # Panics
    /// If there is a pass of this name already; that is a mistake in a program, not in its input.
    pub fn register(&mut self, construct: impl Fn() -> Box<dyn Pass> + Send + Sync + 'static) -> &mut Self {
        let name = construct().name();
        let known = self.passes.insert(name, Box::new(construct));
        assert!(known.is_none(), "two passes are called '{name}'");
        self
    }

    /// A new pass of a name, with all options at their defaults.
    pub fn create(&self, name: &str) -> Option<Box<dyn Pass>> {
        self.passes.get(name).map(|construct| construct())
    }

    /// The names of all passes, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.passes.keys().copied()
    }

    /// What there is to know about each pass, sorted by name.
    pub fn infos(&self) -> Vec<PassInfo> {
        self.passes.values().map(|construct| info(&mut *construct())).collect()
    }
}

fn info(pass: &mut dyn Pass) -> PassInfo {
    let (name, description, anchor) = (pass.name(), pass.description(), pass.anchor());
    let options = pass.options();
    let option = |row: &super::options::PassOption<'_>| OptionInfo {
        name: row.name,
        expected: row.value.expected(),
        default: if row.value.is_absent() { String::new() } else { row.value.text() },
        help: row.help,
    };
    PassInfo { name, description, anchor, options: options.rows().iter().map(option).collect() }
}
