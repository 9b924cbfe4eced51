//! What stands for `%…` in RUN lines, and which programs they may run.

use std::path::{Path, PathBuf};

use crate::tools::Toolbox;

/// The names that a RUN line may use after `%`.
pub(crate) const TOOL_SUBSTITUTIONS: [&str; 3] = ["%coro-opt", "%coro-run", "%mlir-opt"];

/// Programs that come with LLVM, found beneath its prefix.
const LLVM_PROGRAMS: [&str; 9] =
    ["FileCheck", "count", "split-file", "opt", "llc", "lli", "llvm-as", "llvm-dis", "mlir-translate"];

/// Programs of the system that behave alike everywhere.
const SYSTEM_PROGRAMS: [&str; 8] = ["cat", "cmp", "diff", "echo", "false", "mkdir", "sort", "true"];

/// The values for one test file.
pub(crate) struct Substitutions<'a> {
    pub(crate) tools: &'a Toolbox,
    /// `%s`
    pub(crate) file: &'a Path,
    /// `%S`
    pub(crate) folder: &'a Path,
    /// `%t`
    pub(crate) temporary: &'a Path,
}

impl Substitutions<'_> {
    /// The program of a command; its words are not empty.
    pub(crate) fn program(&self, words: &[String]) -> Result<PathBuf, String> {
        let word = words[0].as_str();
        if TOOL_SUBSTITUTIONS.contains(&word) || word.starts_with("%S/") {
            return self.expand(word).map(PathBuf::from);
        }
        if LLVM_PROGRAMS.contains(&word) {
            return self.tools.llvm_program(word);
        }
        if word == "cat" && words.len() == 1 {
            return Err("`cat` without a file: lit's own `cat` does not read its input".to_owned());
        }
        if SYSTEM_PROGRAMS.contains(&word) {
            return Ok(PathBuf::from(word));
        }
        let substitution = format!("%{word}");
        if TOOL_SUBSTITUTIONS.contains(&substitution.as_str()) {
            return Err(format!("write `{substitution}`: `{word}` alone need not be the one just built"));
        }
        Err(format!("`{word}` is no program that RUN lines may run"))
    }

    /// Replaces what stands after `%` in a word.
    pub(crate) fn expand(&self, word: &str) -> Result<String, String> {
        let mut expanded = String::with_capacity(word.len());
        let mut rest = word;
        while let Some(at) = rest.find('%') {
            expanded.push_str(&rest[..at]);
            rest = &rest[at..];
            let length = substitution_length(rest)
                .ok_or_else(|| format!("`{rest}` begins with no substitution that is understood"))?;
            let value = self.value(&rest[..length])?;
            let value = value.to_str().ok_or_else(|| format!("{} is not UTF-8", value.display()))?;
            expanded.push_str(value);
            rest = &rest[length..];
        }
        expanded.push_str(rest);
        Ok(expanded)
    }

    fn value(&self, name: &str) -> Result<PathBuf, String> {
        match name {
            "%s" => Ok(self.file.to_owned()),
            "%S" => Ok(self.folder.to_owned()),
            "%t" => Ok(self.temporary.to_owned()),
            "%mlir-opt" => self.tools.llvm_program("mlir-opt"),
            tool => self.tools.program(tool.trim_start_matches('%')),
        }
    }
}

/// The length of the substitution that the text begins with. lit would also replace `%t` in `%tmp`; that is refused.
fn substitution_length(text: &str) -> Option<usize> {
    let end = text[1..]
        .find(|character: char| !(character.is_ascii_alphanumeric() || character == '-' || character == '_'))
        .map_or(text.len(), |at| at + 1);
    let name = &text[..end];
    (matches!(name, "%s" | "%S" | "%t") || TOOL_SUBSTITUTIONS.contains(&name)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_expanded_or_refused() {
        let tools = Toolbox::without_own_tools(PathBuf::from("/llvm"));
        let substitutions = Substitutions {
            tools: &tools,
            file: Path::new("/a/b.xir"),
            folder: Path::new("/a"),
            temporary: Path::new("/c/t"),
        };
        let expand = |word| substitutions.expand(word);
        assert_eq!(expand("x=%s,%S/y,%t.z").as_deref(), Ok("x=/a/b.xir,/a/y,/c/t.z"));
        assert_eq!(expand("plain").as_deref(), Ok("plain"));
        for word in ["%x", "%", "%%", "%tmp", "%s1", "%{s}", "%coro-optimize", "%T", "%p"] {
            assert!(expand(word).is_err(), "accepted: {word}");
        }
        let program = |word: &str| substitutions.program(&[word.to_owned()]);
        assert!(program("coro-opt").is_err_and(|message| message.contains("%coro-opt")));
        assert!(program("bash").is_err());
        assert!(program("%s").is_err());
        assert_eq!(program("%S/run").as_deref(), Ok(Path::new("/a/run")));
    }
}
