//! The documentation hangs together: every page is in the book's summary, and every relative link leads somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use fermata_test_runner::repository_root;

/// The targets of a page's links, without fences of code, web addresses and places within the page.
fn relative_links(text: &str) -> Vec<String> {
    let mut in_code = false;
    let prose = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        !in_code && !fence
    });
    let targets = prose.flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
    let without_anchor = targets.map(|target| target.split('#').next().unwrap_or_default());
    without_anchor.filter(|target| !target.is_empty() && !target.contains("://")).map(str::to_owned).collect()
}

fn markdown_files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).expect("the folder is part of the repository") {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                files.insert(path);
            }
        }
    }
    files
}

#[test]
fn the_summary_lists_every_page() {
    let source = repository_root().join("docs/src");
    let summary = source.join("SUMMARY.md");
    let text = fs::read_to_string(&summary).expect("the book has a summary");
    let listed: BTreeSet<_> = relative_links(&text).iter().map(|link| source.join(link)).chain([summary]).collect();
    assert_eq!(listed, markdown_files(&source));
}

#[test]
fn relative_links_lead_somewhere() {
    let root = repository_root();
    let mut pages = markdown_files(&root.join("docs"));
    pages.extend(["README.md", "CHANGELOG.md"].map(|page| root.join(page)));
    for page in pages {
        let text = fs::read_to_string(&page).expect("the page is readable");
        let folder = page.parent().expect("a page lies in a folder");
        for link in relative_links(&text) {
            assert!(folder.join(&link).exists(), "{}: {link} leads nowhere", page.display());
        }
    }
}
