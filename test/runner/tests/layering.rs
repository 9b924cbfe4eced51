//! Dependencies point one way, and what needs LLVM stays apart from what does not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fermata_test_runner::repository_root;
use serde_json::Value;

/// The layers from the bottom up, by the folders of their crates. A crate depends on crates of its own layer or of lower ones.
const LAYERS: [&[&str]; 6] =
    [&["ir"], &["dialects", "math"], &["passes", "interp"], &["lowering"], &["runtime"], &["cudarc-runtime"]];

/// Above every layer: programs, benchmarks, fuzz targets and test crates.
const TOP: [&str; 6] = ["benches", "fuzz", "test", "tools", "docs", "examples"];

/// The first layer that may link LLVM, and that may hold unsafe code.
const FIRST_LLVM_LAYER: usize = 3;

/// Crates that link LLVM.
const LLVM_CRATES: [&str; 4] = ["inkwell", "llvm-sys", "melior", "mlir-sys"];

struct Workspace {
    members: Vec<Member>,
    /// Resolved dependencies of every package by identifier, without those for tests alone.
    dependencies: BTreeMap<String, Vec<String>>,
    names: BTreeMap<String, String>,
}

struct Member {
    id: String,
    name: String,
    folder: PathBuf,
}

impl Workspace {
    fn read() -> Self {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version=1"])
            .current_dir(repository_root())
            .output()
            .expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
        let member_ids: BTreeSet<_> = list(&metadata, "workspace_members").iter().map(text).collect();
        let packages = list(&metadata, "packages");
        let members = packages.iter().filter(|package| member_ids.contains(&text(&package["id"])));
        let members = members.map(|package| Member {
            id: text(&package["id"]),
            name: text(&package["name"]),
            folder: relative_folder(&text(&package["manifest_path"])),
        });
        let nodes = list(&metadata["resolve"], "nodes");
        Self {
            members: members.collect(),
            dependencies: nodes.iter().map(|node| (text(&node["id"]), linked_dependencies(node))).collect(),
            names: packages.iter().map(|package| (text(&package["id"]), text(&package["name"]))).collect(),
        }
    }

    /// Everything that a package links, itself included.
    fn closure(&self, id: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::from([id.to_owned()]);
        let mut pending = vec![id.to_owned()];
        while let Some(package) = pending.pop() {
            let next = &self.dependencies[&package];
            pending.extend(next.iter().filter(|dependency| reached.insert((*dependency).clone())).cloned());
        }
        reached
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("cargo's metadata has a list {key}"))
}

fn text(value: &Value) -> String {
    value.as_str().expect("cargo's metadata has text here").to_owned()
}

fn relative_folder(manifest: &str) -> PathBuf {
    let folder = Path::new(manifest).parent().expect("a manifest lies in a folder");
    folder.strip_prefix(repository_root()).expect("members lie in the repository").to_owned()
}

fn linked_dependencies(node: &Value) -> Vec<String> {
    let for_tests_alone = |kind: &Value| kind["kind"] == "dev";
    let linked = list(node, "deps").iter().filter(|dep| !list(dep, "dep_kinds").iter().all(for_tests_alone));
    linked.map(|dep| text(&dep["pkg"])).collect()
}

/// The layer of a crate; `LAYERS.len()` for those above all.
fn layer(folder: &Path) -> usize {
    let within = |roots: &[&str]| roots.iter().any(|root| folder.starts_with(root));
    match LAYERS.iter().position(|roots| within(roots)) {
        Some(layer) => layer,
        None if within(&TOP) => LAYERS.len(),
        None => panic!("{} belongs to no layer; give it a place here", folder.display()),
    }
}

#[test]
fn dependencies_point_downwards() {
    let workspace = Workspace::read();
    let layers: BTreeMap<_, _> = workspace.members.iter().map(|member| (&member.id, layer(&member.folder))).collect();
    for member in &workspace.members {
        for dependency in &workspace.dependencies[&member.id] {
            let upwards = layers.get(dependency).is_some_and(|&below| below > layers[&member.id]);
            assert!(!upwards, "{} depends on {}, a layer above", member.name, workspace.names[dependency]);
        }
    }
}

#[test]
fn the_lower_layers_link_no_llvm() {
    let workspace = Workspace::read();
    for member in workspace.members.iter().filter(|member| layer(&member.folder) < FIRST_LLVM_LAYER) {
        for package in workspace.closure(&member.id) {
            let name = &workspace.names[&package];
            assert!(!LLVM_CRATES.contains(&name.as_str()), "{} links {name}", member.name);
        }
    }
}

#[test]
fn every_crate_takes_the_workspace_lints() {
    for member in Workspace::read().members {
        let manifest = repository_root().join(&member.folder).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("the manifest is readable");
        let inherits = manifest.contains("[lints]\nworkspace = true");
        let may_differ = (FIRST_LLVM_LAYER..LAYERS.len()).contains(&layer(&member.folder));
        assert!(
            inherits || may_differ,
            "{} does not take the workspace's lints, which forbid unsafe code",
            member.name
        );
    }
}

#[test]
fn the_code_map_names_every_crate() {
    let map =
        fs::read_to_string(repository_root().join("docs/ARCHITECTURE.md")).expect("the page is part of the repository");
    for member in Workspace::read().members {
        let row = format!("| `{}/` | `{}` |", member.folder.display(), member.name);
        assert!(map.contains(&row), "docs/ARCHITECTURE.md has no row that begins {row}");
    }
}

#[test]
fn the_core_names_no_dialect() {
    let mut pending = vec![repository_root().join("ir/src")];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).expect("the core is part of the repository") {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                pending.push(path);
            } else {
                let source = fs::read_to_string(&path).expect("sources are text");
                let code = source.split("#[cfg(test)]").next().unwrap_or_default();
                let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                for (line, dialect) in code.flat_map(|line| ["ast", "xir", "coro"].map(|dialect| (line, dialect))) {
                    let named = line.contains(&format!("\"{dialect}.")) || line.contains(&format!("\"{dialect}\""));
                    assert!(!named, "{}: the core names the dialect {dialect}: {line}", path.display());
                }
            }
        }
    }
}
