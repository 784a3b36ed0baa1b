//! `vorrang-lab experiment`: boots, reports checks that do not hold, and writes tables.

use crate::stop::{Stop, line};
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use vorrang_lab::evidence::Evidence;
use vorrang_lab::experiment::{self, Case, Outcome, Shown, Study, ping};
use vorrang_lab::failure::Failure;
use vorrang_lab::kernel::Line;
use vorrang_lab::runner::{self, Run};
use vorrang_lab::scenario;
use vorrang_lab::written::Scenario;

/// The page with the tables.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lab-measurements.md");

/// The tables as Markdown; the checks and their results on standard error.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    /// On this line of kernels only
    #[arg(long, value_name = "LINE")]
    kernel: Option<String>,
    /// Write rows and distributions of responses into files of comma-separated values in this folder
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,
    /// Write the tables into docs/lab-measurements.md, if everything holds
    #[arg(long, conflicts_with = "kernel")]
    docs: bool,
}

impl Asked {
    pub(crate) fn run(&self) -> Result<u8, Stop> {
        let only = line(self.kernel.as_deref())?;
        let (mut held, mut all) = (true, Vec::new());
        for study in experiment::studies() {
            let runs = runs_of(&study.scenario, only)?;
            let programs = scenario::programs_of([&study.scenario])?;
            runner::run(&runs, &programs, NonZero::<usize>::MIN, |run, evidence| {
                held &= told(run, evidence);
                all.push(shown(&study, run, evidence));
            })?;
        }
        let mut trips = Vec::new();
        let pings = experiment::pings();
        let programs = scenario::programs_of([&pings])?;
        runner::run(&runs_of(&pings, only)?, &programs, NonZero::<usize>::MIN, |run, evidence| {
            held &= told(run, evidence);
            let heading = format!("Linux {}", run.kernel.release);
            trips.push(ping::table(&heading, &ping::trips(evidence)));
        })?;
        if let Some(folder) = &self.csv {
            fs::create_dir_all(folder).map_err(|why| Failure::at(folder, why))?;
            written(&folder.join("reservations.csv"), &experiment::values(&all))?;
            written(&folder.join("responses.csv"), &experiment::distributions(&all))?;
        }
        let tables: Vec<String> = all.iter().map(experiment::table).chain(trips).collect();
        let tables = tables.join("\n");
        if self.docs && held {
            document(&tables)?;
        } else {
            println!("{tables}");
        }
        Ok(u8::from(!held))
    }
}

/// On the kernels that a scenario is for.
fn runs_of(scenario: &Scenario, only: Option<Line>) -> Result<Vec<Run>, Failure> {
    let run =
        |line: Line| Ok(Run { scenario: scenario.clone(), kernel: line.kernel()?, stride: 1 });
    scenario.lines(only).map(run).collect()
}

/// Whether everything held.
fn told(run: &Run, evidence: &Evidence) -> bool {
    let checks = run.scenario.checks(evidence);
    eprintln!("{} on {}", run.scenario.name, run.kernel.release);
    for check in &checks {
        eprintln!("  {check}");
    }
    checks.iter().all(|check| check.holds)
}

fn shown(study: &Study, run: &Run, evidence: &Evidence) -> Shown {
    let outcomes = experiment::outcomes(&study.cases, evidence);
    let taken = experiment::taken(evidence);
    let row = |(case, outcome): (&Case, Outcome)| {
        (case.clone(), outcome, experiment::predict(case, taken))
    };
    Shown {
        heading: format!("Linux {}, {}", run.kernel.release, study.means),
        rows: study.cases.iter().zip(outcomes).map(row).collect(),
    }
}

/// Puts the tables into their place.
fn document(tables: &str) -> Result<(), Failure> {
    let path = Path::new(PAGE);
    let page = fs::read_to_string(path).map_err(|why| Failure::at(path, why))?;
    let page = experiment::documented(&page, tables)
        .ok_or_else(|| Failure::at(path, "it has no place for the tables"))?;
    written(path, &page)
}

fn written(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|why| Failure::at(path, why))
}
