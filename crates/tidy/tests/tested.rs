//! What a manifest says has no tests is not built for them; a test that is added there would never run.

use std::fs;
use std::path::{Path, PathBuf};
use toml::Value;

/// Blocks in the docs of their commands are sessions, which tests of their own run.
const DOCS_ARE_SESSIONS: [&str; 3] = ["command", "host", "vorrang"];

#[test]
fn what_is_not_built_for_tests_has_none() {
    let mut wrong = Vec::new();
    let mut left_out = 0;
    for (folder, manifest) in manifests() {
        let library = manifest.get("lib").map(|lib| (lib, folder.join("src/lib.rs")));
        let programs = manifest.get("bin").and_then(Value::as_array).into_iter().flatten();
        let programs =
            programs.map(|bin| (bin, folder.join(bin["path"].as_str().expect("a path"))));
        for (target, path) in library.into_iter().chain(programs) {
            if !is_off(target, "test") {
                continue;
            }
            left_out += 1;
            let has_test = |file: &PathBuf| fs::read_to_string(file).unwrap().contains("#[test]");
            wrong.extend(files(&path).into_iter().filter(has_test));
        }
    }
    assert!(left_out > 10, "{left_out} targets");
    assert!(wrong.is_empty(), "tests that never run: {wrong:?}");
}

#[test]
fn docs_that_are_not_run_have_no_code() {
    let mut wrong = Vec::new();
    for (folder, manifest) in manifests() {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let is_left_out = manifest.get("lib").is_some_and(|lib| is_off(lib, "doctest"));
        if !is_left_out || DOCS_ARE_SESSIONS.contains(&name) {
            continue;
        }
        let has_code = |file: &PathBuf| has_code(&fs::read_to_string(file).unwrap());
        wrong.extend(files(&folder.join("src/lib.rs")).into_iter().filter(has_code));
    }
    assert!(wrong.is_empty(), "examples that never run: {wrong:?}");
}

#[test]
fn a_block_of_code_is_seen_and_a_block_of_text_is_not() {
    assert!(has_code("/// ```\n/// let x = 1;\n/// ```\n"));
    assert!(has_code("//! ```text\n//! a\n//! ```\n//! ```should_panic\n"));
    assert!(!has_code("/// ```text\n/// a picture\n/// ```\nfn f() {}\n"));
}

/// Whether a block of the docs is one that rustdoc runs: its first line names no other language.
fn has_code(source: &str) -> bool {
    let mut is_inside = false;
    source.lines().any(|line| {
        let line = line.trim_start();
        let doc = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let Some(language) = doc.and_then(|doc| doc.trim().strip_prefix("```")) else {
            return false;
        };
        is_inside = !is_inside;
        is_inside && !["text", "toml", "json", "sh", "console"].contains(&language)
    })
}

/// The folder and the manifest of each crate.
fn manifests() -> Vec<(PathBuf, Value)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path());
    let read = |folder: PathBuf| {
        let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        Some((folder, toml::from_str(&text).expect("a manifest")))
    };
    folders.filter_map(read).collect()
}

fn is_off(target: &Value, key: &str) -> bool {
    target.get(key).is_some_and(|value| value.as_bool() == Some(false))
}

/// A file and its modules.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = vec![root.to_owned()];
    let mut next = 0;
    while next < found.len() {
        let file = found[next].clone();
        next += 1;
        let folder = file.parent().unwrap();
        let stem = file.file_stem().unwrap();
        let is_root = file == root || stem == "mod";
        let below = if is_root { folder.to_owned() } else { folder.join(stem) };
        for line in fs::read_to_string(&file).unwrap().lines() {
            let declared = line.trim().strip_suffix(';').and_then(|line| line.split_once("mod "));
            let Some((visibility, name)) = declared else { continue };
            if visibility.is_empty() || visibility.starts_with("pub") {
                let places = [below.join(format!("{name}.rs")), below.join(name).join("mod.rs")];
                found.extend(places.into_iter().filter(|place| place.is_file()));
            }
        }
    }
    found
}
