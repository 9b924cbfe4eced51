//! Where the programs under test and LLVM's are, and what this machine can do.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Something that not every machine has, and a test may require.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// An NVIDIA GPU with its driver.
    Gpu,
    /// MLIR 19's `mlir-opt`.
    MlirOpt,
    /// An LLVM that generates code for nvptx64.
    Nvptx,
}

impl Feature {
    pub(crate) const ALL: [Self; 3] = [Self::Gpu, Self::MlirOpt, Self::Nvptx];

    /// As `REQUIRES:` spells it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::MlirOpt => "mlir-opt",
            Self::Nvptx => "nvptx",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|feature| feature.name() == name)
    }
}

/// The programs that tests run.
#[derive(Debug)]
pub struct Toolbox {
    llvm_prefix: PathBuf,
    own: BTreeMap<String, PathBuf>,
    features: Vec<Feature>,
}

impl Toolbox {
    /// LLVM's tools alone, for tests that run none of ours.
    pub fn without_own_tools(llvm_prefix: PathBuf) -> Self {
        let features = detect_features(&llvm_prefix);
        Self { llvm_prefix, own: BTreeMap::new(), features }
    }

    /// LLVM's tools and ours, which cargo brings up to date first, in the profile of this very program.
    ///
    /// # Errors
    ///
    /// A message when a tool does not build.
    pub fn with_own_tools(llvm_prefix: PathBuf, root: &Path) -> Result<Self, String> {
        let mut toolbox = Self::without_own_tools(llvm_prefix);
        toolbox.own = build_own_tools(root)?;
        Ok(toolbox)
    }

    /// Whether this machine has a feature.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// LLVM's folder, the one that `llvm-config --prefix` names.
    pub fn llvm_prefix(&self) -> &Path {
        &self.llvm_prefix
    }

    /// The folder with the programs of this workspace, where one was built.
    pub fn own_programs_folder(&self) -> Option<&Path> {
        self.own.values().next().and_then(|path| path.parent())
    }

    /// A program beneath LLVM's folder.
    ///
    /// # Errors
    ///
    /// A message when it is not there.
    pub fn llvm_program(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.llvm_prefix.join("bin").join(name);
        match path.exists() {
            true => Ok(path),
            false => Err(format!("{} is missing; `./x test` installs it", path.display())),
        }
    }

    /// A program of this workspace.
    ///
    /// # Errors
    ///
    /// A message when the workspace has none of that name.
    pub fn program(&self, name: &str) -> Result<PathBuf, String> {
        self.own.get(name).cloned().ok_or_else(|| format!("the workspace builds no program `{name}`"))
    }
}

/// Where LLVM 19 is: what `.cargo/config.toml` says, which the environment may override.
pub fn llvm_prefix() -> PathBuf {
    std::env::var_os("LLVM_SYS_191_PREFIX").map_or_else(|| PathBuf::from("/usr/lib/llvm-19"), PathBuf::from)
}

fn detect_features(llvm_prefix: &Path) -> Vec<Feature> {
    let has = |feature: &Feature| match feature {
        Feature::Gpu => Path::new("/dev/nvidiactl").exists(),
        Feature::MlirOpt => llvm_prefix.join("bin/mlir-opt").exists(),
        Feature::Nvptx => llvm_targets(llvm_prefix).split_whitespace().any(|target| target == "NVPTX"),
    };
    Feature::ALL.into_iter().filter(has).collect()
}

fn llvm_targets(llvm_prefix: &Path) -> String {
    let output = Command::new(llvm_prefix.join("bin/llvm-config")).arg("--targets-built").output();
    output.map_or_else(|_| String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Builds the programs of the workspace and asks cargo where they lie.
///
/// All of them at once: the features of shared crates are then those of `cargo test --workspace`, and nothing is compiled twice.
fn build_own_tools(root: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let output = Command::new(cargo)
        .args(["build", "--workspace", "--bins", "--quiet", "--message-format=json-render-diagnostics"])
        .args(profile_arguments())
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo does not run: {error}"))?;
    if !output.status.success() {
        return Err("the workspace's programs do not build".to_owned());
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    Ok(messages.lines().filter_map(executable_of_message).collect())
}

/// The profile of the running program, read off the folder that cargo put it in (`target/debug/deps`, `target/release/deps`).
fn profile_arguments() -> Vec<String> {
    let executable = std::env::current_exe().ok();
    let folder = executable.as_deref().and_then(|path| path.ancestors().nth(2)?.file_name()?.to_str());
    match folder {
        None | Some("debug") => Vec::new(),
        Some(profile) => vec![format!("--profile={profile}")],
    }
}

fn executable_of_message(message: &str) -> Option<(String, PathBuf)> {
    let message: Value = serde_json::from_str(message).ok()?;
    let path = message.get("executable")?.as_str()?;
    let name = message.get("target")?.get("name")?.as_str()?;
    Some((name.to_owned(), PathBuf::from(path)))
}
