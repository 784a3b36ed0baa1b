//! The workspace is tidy, but for what is listed in `exceptions.toml`. A line there may go and a number
//! fall: what is no longer needed must be taken out.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use vorrang_tidy::{Modules, Source};

/// A file is one idea.
const FILE: usize = 300;
/// A function fits on a screen.
const FUNCTION: usize = 60;
/// The crates whose modules hold theorems.
const THEORY: [&str; 2] = ["analysis", "design"];
/// How a module says what it proves.
const PROVES: [&str; 4] = ["**Model.**", "**Argument.**", "**Theorem", "**Proof"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    /// By crate: circles of files.
    circles: BTreeMap<String, Vec<BTreeSet<String>>>,
    /// By crate: circles of what lies in one folder, folders as one.
    circles_of_folders: BTreeMap<String, Vec<BTreeSet<String>>>,
    /// By file: its lines.
    files: BTreeMap<String, usize>,
    /// By file and name: its lines.
    functions: BTreeMap<String, usize>,
    /// Files that hold a theorem without its assumptions.
    without_assumptions: BTreeSet<String>,
}

impl Exceptions {
    fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("exceptions.toml");
        toml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    }
}

/// The crates, by the names of their folders.
fn crates() -> BTreeMap<String, Modules> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, Modules::read(&path.join("src")).unwrap())
    };
    folders.filter(|path| path.join("Cargo.toml").is_file()).map(read).collect()
}

/// Every file of the workspace, with its path from the top.
fn sources(crates: &BTreeMap<String, Modules>) -> impl Iterator<Item = (String, &Source)> {
    crates.iter().flat_map(|(name, modules)| {
        modules.sources().iter().map(move |of| (format!("crates/{name}/src/{}", of.file), of))
    })
}

/// What is longer than it may be, and which exceptions nothing needs.
fn too_long(
    found: impl Iterator<Item = (String, usize)>,
    most: usize,
    exceptions: &BTreeMap<String, usize>,
) -> Vec<String> {
    let long: BTreeMap<String, usize> = found.filter(|&(_, lines)| lines > most).collect();
    let over =
        long.iter().filter(|(what, lines)| exceptions.get(*what).is_none_or(|may| *lines > may));
    let over = over.map(|(what, lines)| format!("{what}: {lines} lines, of {most} at most"));
    let gone = exceptions.keys().filter(|what| !long.contains_key(*what));
    let gone = gone.map(|what| format!("{what}: no exception is needed any more"));
    over.chain(gone).collect()
}

#[track_caller]
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n(crates/tidy/exceptions.toml)", wrong.join("\n"));
}

/// Circles that are not listed, and listed ones that are gone.
fn round_about(
    circles: impl Fn(&Modules) -> Vec<Vec<&str>>,
    exceptions: &BTreeMap<String, Vec<BTreeSet<String>>>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, modules) in crates() {
        let listed = exceptions.get(&name).map_or(&[][..], Vec::as_slice);
        let circles: Vec<BTreeSet<String>> = circles(&modules)
            .into_iter()
            .map(|circle| circle.into_iter().map(str::to_owned).collect())
            .collect();
        for circle in &circles {
            if !listed.iter().any(|one| circle.is_subset(one)) {
                wrong.push(format!("{name}: a circle of {circle:?}"));
            }
        }
        for one in listed.iter().filter(|one| !circles.contains(one)) {
            wrong.push(format!("{name}: not a circle any more, or a smaller one: {one:?}"));
        }
    }
    wrong
}

#[test]
fn no_files_need_each_other_round_about() {
    assert_none(&round_about(Modules::circles, &Exceptions::read().circles));
}

#[test]
fn no_folders_need_each_other_round_about() {
    assert_none(&round_about(Modules::circles_of_folders, &Exceptions::read().circles_of_folders));
}

#[test]
fn files_are_one_idea_long() {
    let crates = crates();
    let lengths = sources(&crates).map(|(file, source)| (file, source.lines));
    assert_none(&too_long(lengths, FILE, &Exceptions::read().files));
}

#[test]
fn functions_fit_on_a_screen() {
    let crates = crates();
    let lengths = sources(&crates).flat_map(|(file, source)| {
        let named = move |of: &vorrang_tidy::Function| (format!("{file} {}", of.name), of.lines);
        source.functions.iter().map(named).collect::<Vec<_>>()
    });
    assert_none(&too_long(lengths, FUNCTION, &Exceptions::read().functions));
}

#[test]
fn where_a_theorem_stands_its_assumptions_do() {
    let crates: BTreeMap<String, Modules> =
        crates().into_iter().filter(|(name, _)| THEORY.contains(&name.as_str())).collect();
    let proves = |source: &Source| PROVES.iter().any(|mark| source.doc.contains(mark));
    let without = |source: &Source| proves(source) && !source.doc.contains("**Assumption");
    let found: BTreeSet<String> =
        sources(&crates).filter(|(_, source)| without(source)).map(|(file, _)| file).collect();
    let listed = Exceptions::read().without_assumptions;
    let wrong: Vec<String> = found.symmetric_difference(&listed).cloned().collect();
    assert_none(&wrong);
}
