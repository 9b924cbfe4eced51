//! Which passes there are.

use std::collections::BTreeMap;

use super::{Pass, PassManager, PassOptions, WrongAnchor};
use crate::context::Context;

type PassConstructor = Box<dyn Fn() -> Box<dyn Pass> + Send + Sync>;

type PipelineConstructor = Box<dyn Fn() -> Box<dyn PassPipeline> + Send + Sync>;

/// A pipeline that has a name: in a pipeline string the name stands for its elements.
pub trait PassPipeline: Send + Sync {
    /// The name, in kebab case.
    fn name(&self) -> &'static str;

    /// What it does, in one sentence without a full stop.
    fn description(&self) -> &'static str;

    /// What a user may set, as with [`Pass::options`].
    fn options(&mut self) -> PassOptions<'_> {
        PassOptions::none()
    }

    /// Adds its elements to a pipeline.
    ///
    /// # Errors
    /// If they do not run on the operations of that pipeline.
    fn build(&self, context: &Context, manager: &mut PassManager) -> Result<(), WrongAnchor>;
}

/// What a registry says about a pass or a pipeline.
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
    pipelines: BTreeMap<&'static str, PipelineConstructor>,
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
    /// If there is a pass or pipeline of this name already; that is a mistake in a program, not in its input.
    pub fn register(&mut self, construct: impl Fn() -> Box<dyn Pass> + Send + Sync + 'static) -> &mut Self {
        let name = construct().name();
        self.check_new(name);
        self.passes.insert(name, Box::new(construct));
        self
    }

    /// Adds a pipeline that has a name, given how to make one with all options at their defaults.
    ///
    /// # Panics
    /// If there is a pass or pipeline of this name already.
    pub fn register_pipeline(
        &mut self,
        construct: impl Fn() -> Box<dyn PassPipeline> + Send + Sync + 'static,
    ) -> &mut Self {
        let name = construct().name();
        self.check_new(name);
        self.pipelines.insert(name, Box::new(construct));
        self
    }

    fn check_new(&self, name: &str) {
        let known = self.passes.contains_key(name) || self.pipelines.contains_key(name);
        assert!(!known, "two passes or pipelines are called '{name}'");
    }

    /// A new pass of a name, with all options at their defaults.
    pub fn create(&self, name: &str) -> Option<Box<dyn Pass>> {
        self.passes.get(name).map(|construct| construct())
    }

    /// A new pipeline of a name, with all options at their defaults.
    pub fn create_pipeline(&self, name: &str) -> Option<Box<dyn PassPipeline>> {
        self.pipelines.get(name).map(|construct| construct())
    }

    /// The names of all passes, sorted, and then those of all pipelines.
    pub fn all_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.passes.keys().chain(self.pipelines.keys()).copied()
    }

    /// The names of all passes, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.passes.keys().copied()
    }

    /// What there is to know about each pass, sorted by name.
    pub fn infos(&self) -> Vec<PassInfo> {
        let info = |construct: &PassConstructor| {
            let mut pass = construct();
            PassInfo {
                name: pass.name(),
                description: pass.description(),
                anchor: pass.anchor(),
                options: option_infos(&pass.options()),
            }
        };
        self.passes.values().map(info).collect()
    }

    /// What there is to know about each pipeline, sorted by name.
    pub fn pipeline_infos(&self) -> Vec<PassInfo> {
        let info = |construct: &PipelineConstructor| {
            let mut pipeline = construct();
            PassInfo {
                name: pipeline.name(),
                description: pipeline.description(),
                anchor: None,
                options: option_infos(&pipeline.options()),
            }
        };
        self.pipelines.values().map(info).collect()
    }
}

fn option_infos(options: &PassOptions<'_>) -> Vec<OptionInfo> {
    let info = |row: &super::options::PassOption<'_>| OptionInfo {
        name: row.name,
        expected: row.value.expected(),
        default: if row.value.is_absent() { String::new() } else { row.value.text() },
        help: row.help,
    };
    options.rows().iter().map(info).collect()
}
