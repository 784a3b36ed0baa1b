//! A scenario as its file says it: `scenarios/FAMILY/NAME.toml`.
//!
//! **Model.** A file states the kernels, the machine, what is in it, the steps of its first process, and what is expected. What
//! has to be a program is named: a part of the steps, a check, a file that is built. A scenario that is `like` another one
//! states what it has of its own.

mod files;
mod row;

pub(crate) use row::{Line, Row, words};

use crate::check::Check;
use crate::data;
use crate::emulator::Machine;
use crate::evidence::Evidence;
use crate::image::File;
use crate::kernel;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};
use vorrang_guest::{Record, Step};

/// A scenario.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scenario {
    /// Its name: that of its file.
    #[serde(skip)]
    pub name: String,
    /// Its claim, as a sentence without a full stop.
    pub shows: String,
    /// The lines of kernels it is for.
    pub kernels: Vec<String>,
    /// Those of them that `ci` runs it on.
    pub ci: Vec<String>,
    /// The machine.
    pub machine: Machine,
    /// The modules that are loaded.
    pub modules: Vec<String>,
    /// Programs of this project in its `/bin`.
    pub programs: Vec<String>,
    /// Files, as paths below `scenarios/`; in the machine they are at the top.
    files: Vec<files::From>,
    /// Programs of the host.
    tools: Vec<files::Tool>,
    /// Files that are built for the kernel, or are its own, by name.
    pub built: Vec<String>,
    /// What the first process does.
    steps: Vec<Row>,
    /// The names of what is expected.
    #[serde(rename = "checks")]
    pub expected: Vec<String>,
    /// How long a boot may take on the host, if that is long.
    pub minutes: Option<u64>,
    /// What its programs are told.
    given: Table,
}

impl Scenario {
    /// The scenario of a file, by its path below `scenarios/` without the ending.
    ///
    /// # Panics
    /// There is none, or it is wrong.
    pub fn read(path: &str) -> Self {
        let scenario: Self = Value::Table(table(path))
            .try_into()
            .unwrap_or_else(|why| panic!("scenarios/{path}.toml: {why}"));
        let (_, name) = path.rsplit_once('/').expect("a family and a name");
        Self { name: name.to_owned(), ..scenario }
    }

    /// The lines of kernels it is for, or one of them.
    pub fn lines(&self, only: Option<kernel::Line>) -> impl Iterator<Item = kernel::Line> {
        let is_asked = move |line: &kernel::Line| only.is_none_or(|only| only == *line);
        let is_for = |line: &kernel::Line| self.kernels.iter().any(|name| name == line.name);
        kernel::LINES.iter().copied().filter(move |line| is_for(line) && is_asked(line))
    }

    /// What its programs are told under a name.
    ///
    /// # Panics
    /// Nothing, or something else.
    pub fn given<T: DeserializeOwned>(&self, name: &str) -> T {
        let value = self.given.get(name).cloned();
        let value = value.unwrap_or_else(|| panic!("{}: no {name} is given", self.name));
        value.try_into().unwrap_or_else(|why| panic!("{}: {name}: {why}", self.name))
    }

    /// The same, or something else if nothing is given.
    pub(crate) fn gives<T: DeserializeOwned>(&self, name: &str, otherwise: T) -> T {
        if self.given.contains_key(name) { self.given(name) } else { otherwise }
    }

    /// Its files, but for those that depend on the kernel.
    pub fn files(&self) -> Vec<File> {
        files::read(&self.files, &self.tools)
    }

    /// The text of a file of it.
    ///
    /// # Panics
    /// It has no such file.
    pub fn text(&self, path: &str) -> String {
        let file = self.files.iter().find(|file| file.path() == path);
        file.unwrap_or_else(|| panic!("{}: it has no {path}", self.name)).text()
    }

    /// Its steps, with the parts that are programs.
    pub fn steps(&self, part: &dyn Fn(&str) -> Vec<Step>) -> Vec<Step> {
        self.steps.iter().flat_map(|row| row.steps(part)).collect()
    }

    /// What is expected of its commands.
    pub(crate) fn commands(&self, evidence: &Evidence, told: Told) -> Vec<Check> {
        let mut ran = evidence.records.iter().filter_map(|record| match record {
            Record::Ran { command, exit, output, errors } => {
                Some((command, *exit, format!("{output}{errors}")))
            }
            _ => None,
        });
        let mut checks = Vec::new();
        for row in &self.steps {
            let Row::Run { run, exit, says, check } = row else { continue };
            let wanted = run.command();
            let found = ran.find(|(command, ..)| **command == wanted);
            let what = match (check, told) {
                (Some(check), _) => check.clone(),
                (None, Told::InBrief) => wanted.join(" "),
                (None, _) => continue,
            };
            let Some((_, seen, said)) = found else {
                checks.push(Check::new(what, "it did not run", false));
                continue;
            };
            let line = said.lines().find(|line| line.contains(says.as_str()));
            let is_said = if says.is_empty() && told == Told::InBrief {
                said.is_empty() || *exit != 0
            } else {
                said.contains(says.as_str())
            };
            let holds = seen == *exit && is_said;
            let seen = match told {
                // Unexpected output is shown as it is.
                Told::InBrief if holds => format!("exit code {seen}, {says}"),
                Told::InBrief => format!("exit code {seen}, {said}"),
                Told::Line if holds => line.unwrap_or_default().trim().to_owned(),
                _ => format!("exit code {seen}\n{said}"),
            };
            checks.push(Check::new(what, seen, holds));
        }
        checks
    }
}

/// What is told of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// All that they printed.
    Everything,
    /// What was expected, of every command. Where one ends with 0 and nothing is, nothing may be printed.
    InBrief,
    /// The line with what was expected.
    Line,
}

/// What a file says, and what it is like.
fn table(path: &str) -> Table {
    let mut own: Table = data::read(&format!("{path}.toml"));
    let Some(Value::String(like)) = own.remove("like") else { return own };
    let mut whole = table(&like);
    let given = own.remove("given");
    whole.extend(own);
    if let Some(Value::Table(given)) = given {
        let before = whole.entry("given").or_insert_with(|| Value::Table(Table::new()));
        merge(before, given);
    }
    whole
}

/// Keys of the one take the place of those of the other, table by table.
fn merge(into: &mut Value, from: Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(there @ Value::Table(_)), Value::Table(value)) => merge(there, value),
            (Some(there), value) => *there = value,
            (None, value) => {
                let Value::Table(table) = into else { continue };
                table.insert(key, value);
            }
        }
    }
}
