//! Texts to begin with, and words to put into them.
//!
//! **Model.** Everything in the repository that a reader takes: examples, published systems and machines, fixtures of
//! tests, traces of real kernels. Words are those of the schema of descriptions, which the key tables
//! write, and values at the edges of what is allowed.

use crate::reader::Reader;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};
use vorrang_campaign::random::Random;
use vorrang_model::{Format, System, read, read_profile};

/// What inputs are made of.
#[derive(Debug)]
pub struct Corpus {
    toml: Texts,
    json: Texts,
    profiles: Texts,
    traces: Texts,
    pages: Texts,
    journals: Texts,
    imports: Texts,
    patterns: Texts,
    values: Texts,
    outputs: Texts,
    words: Vec<String>,
    /// The systems that witnesses and traces are read with.
    pub systems: Vec<System>,
    /// The profile that every description finds.
    pub profile: Vec<u8>,
}

/// Texts of a reader.
#[derive(Debug)]
struct Texts {
    /// Those that it accepts, or at least should.
    sound: Vec<Vec<u8>>,
    /// Those that it does not: fixtures of tests.
    others: Vec<Vec<u8>>,
}

/// Where texts are, from the root of the repository.
const FOLDERS: [&str; 9] = [
    "crates/bpf/tests",
    "examples",
    "published",
    "crates/model/tests",
    "crates/campaign/tests",
    "crates/analysis/tests",
    "crates/sim/tests",
    "crates/observe/tests",
    "crates/vorrang/tests",
];

/// A description that is longer is left to the tests that it is made for.
const LONGEST: usize = 16 << 10;

/// Ends of names of traces.
const TRACES: [&str; 5] = ["trace", "trace-cmd", "perf", "btf", "dat"];

/// Threads of `observe.toml` among them, and all kinds of entities.
const SYSTEMS: [&str; 6] = [
    "crates/observe/tests/data/observe.toml",
    "examples/interrupts.toml",
    "examples/timers.toml",
    "examples/network.toml",
    "examples/storm.toml",
    "examples/turns.toml",
];

/// A journal with every kind of change.
const JOURNAL: &str = include_str!("corpus/journal");

/// Files of each form that is imported, and of each place of a machine.
const IMPORTS: [&str; 19] = [
    include_str!("corpus/imports/domain.xml"),
    include_str!("corpus/imports/domain.cfg"),
    include_str!("corpus/imports/rtds"),
    include_str!("corpus/imports/workload.json"),
    include_str!("corpus/imports/phases.json"),
    include_str!("corpus/imports/guests.system"),
    include_str!("corpus/imports/plan.xml"),
    include_str!("corpus/imports/model.amxmi"),
    include_str!("corpus/imports/clock.amxmi"),
    include_str!("corpus/imports/models"),
    include_str!("corpus/imports/service"),
    include_str!("corpus/imports/cmdline"),
    include_str!("corpus/imports/interrupts"),
    include_str!("corpus/imports/tuned"),
    include_str!("corpus/imports/stat"),
    include_str!("corpus/imports/ps"),
    include_str!("corpus/imports/sched_debug"),
    include_str!("corpus/imports/report"),
    include_str!("corpus/imports/state.xml"),
];

/// Histories, a line each; their names are those of [`SYSTEMS`].
const PATTERNS: &str = include_str!("corpus/patterns");

/// Durations, lists of processors, threads, probabilities.
const VALUES: &str = include_str!("corpus/values");

/// The beginnings of what commands write.
const OUTPUTS: [&[u8]; 5] = [
    include_bytes!("corpus/outputs/trace.pftrace"),
    include_bytes!("corpus/outputs/distributions.csv"),
    include_bytes!("corpus/outputs/picture.svg"),
    include_bytes!("corpus/outputs/histogram"),
    include_bytes!("corpus/outputs/latencies"),
];

/// What stands at an edge somewhere, in every way that numbers and times are written; words of patterns and traces.
const WORDS: &str = include_str!("corpus/words");

impl Corpus {
    /// Reads it, from the repository that the program was built in.
    ///
    /// # Errors
    /// That is no longer there.
    pub fn of_repository() -> io::Result<Self> {
        Self::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
    }

    /// Reads that of the repository in this folder.
    ///
    /// # Errors
    /// There is none.
    pub fn of(root: &Path) -> io::Result<Self> {
        if let Some(missing) = FOLDERS.iter().map(|own| root.join(own)).find(|own| !own.is_dir()) {
            let message = format!(
                "run it in the repository, by `cargo run -p vorrang-fuzz`: its inputs are made of the files there, and \
                 there is no {}",
                missing.display()
            );
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        Ok(Self::read(root))
    }

    fn read(root: &Path) -> Self {
        let mut files = Vec::new();
        for folder in FOLDERS {
            files_below(&root.join(folder), &mut files);
        }
        let of_kind = |path: &&PathBuf, ends: &[&str]| {
            ends.iter().any(|end| path.extension().is_some_and(|own| own == *end))
        };
        let texts = |ends: &[&str], longest: usize| {
            let paths = files.iter().filter(|path| of_kind(path, ends));
            let texts = paths.map(|path| fs::read(path).expect("a file of the repository"));
            texts.filter(|text| text.len() <= longest).collect::<Vec<_>>()
        };
        let system = |path: &&str| {
            let text = fs::read(root.join(path)).expect("a description");
            read(text, Format::Toml).unwrap_or_else(|why| panic!("{path}: {why:?}"))
        };
        let is_profile = |text: &Vec<u8>| read_profile(text, Format::Toml).is_ok();
        let profiles = Texts::of(texts(&["toml"], LONGEST), is_profile).sound;
        let is_system = |text: &Vec<u8>| read(text, Format::Toml).is_ok();
        let toml = Texts::of(texts(&["toml"], LONGEST), is_system);
        let mut json = texts(&["json"], LONGEST);
        json.extend(toml.sound.iter().map(|text| in_json(text)));
        let json = Texts::of(json, |text| read(text, Format::Json).is_ok());
        Self {
            profile: profiles.last().expect("a profile").clone(),
            profiles: Texts::all_sound(profiles),
            traces: Texts::all_sound(texts(&TRACES, usize::MAX)),
            pages: Texts::all_sound(texts(&["pages", "types"], usize::MAX)),
            journals: Texts::all_sound(vec![JOURNAL.as_bytes().to_vec()]),
            imports: Texts::all_sound(IMPORTS.map(|text| text.as_bytes().to_vec()).to_vec()),
            patterns: Texts::all_sound(lines(PATTERNS)),
            values: Texts::all_sound(lines(VALUES)),
            outputs: Texts::all_sound(OUTPUTS.map(<[u8]>::to_vec).to_vec()),
            words: words(),
            systems: SYSTEMS.iter().map(system).collect(),
            toml,
            json,
        }
    }

    /// A text of a reader, mostly one that it accepts.
    pub fn text(&self, random: &mut Random, reader: Reader) -> &[u8] {
        let Texts { sound, others } = match reader {
            Reader::Toml => &self.toml,
            Reader::Json => &self.json,
            Reader::Profile => &self.profiles,
            Reader::Trace => &self.traces,
            Reader::Pages => &self.pages,
            Reader::Journal => &self.journals,
            Reader::Import => &self.imports,
            Reader::Pattern => &self.patterns,
            Reader::Output => &self.outputs,
            Reader::Value | Reader::Names | Reader::Planted => &self.values,
        };
        let texts = if others.is_empty() || random.chance(7, 8) { sound } else { others };
        &texts[random.index(texts.len())]
    }

    /// A word that may stand in any text.
    pub fn word(&self, random: &mut Random) -> &str {
        &self.words[random.index(self.words.len())]
    }
}

impl Texts {
    fn of(texts: Vec<Vec<u8>>, is_sound: impl Fn(&Vec<u8>) -> bool) -> Self {
        let (sound, others) = texts.into_iter().partition(is_sound);
        Self { sound, others }
    }

    fn all_sound(sound: Vec<Vec<u8>>) -> Self {
        Self { sound, others: Vec::new() }
    }
}

fn lines(text: &str) -> Vec<Vec<u8>> {
    text.lines().map(|line| line.as_bytes().to_vec()).collect()
}

/// The same tables and keys.
fn in_json(toml: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(toml).expect("it was read");
    let tree: Value = toml::from_str(text).expect("it was read");
    serde_json::to_vec_pretty(&tree).expect("a tree of values")
}

/// In the order of their names, so that it is the same everywhere.
fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn words() -> Vec<String> {
    let mut words = BTreeSet::new();
    words_of(&vorrang_model::schema(), &mut words);
    words.extend(WORDS.lines().map(str::to_owned));
    words.into_iter().collect()
}

/// Keys, and the texts that values may be.
fn words_of(schema: &Value, words: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            for (key, value) in object {
                match (key.as_str(), value) {
                    ("properties", Value::Object(keys)) => words.extend(keys.keys().cloned()),
                    ("enum", Value::Array(values)) => {
                        words.extend(values.iter().filter_map(Value::as_str).map(str::to_owned));
                    }
                    ("const" | "default", Value::String(text)) => drop(words.insert(text.clone())),
                    _ => {}
                }
                words_of(value, words);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| words_of(value, words)),
        _ => {}
    }
}
