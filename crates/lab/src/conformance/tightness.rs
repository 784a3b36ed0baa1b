//! How tight the bounds of reservations are beside interrupts, and the row of the specification with the
//! numbers.
//!
//! **Model.** Of each task in a server of `SCHED_DEADLINE`, in each case with interrupts besides the tick or with ticks
//! for long, the longest response in the kernel and in the simulation, as parts of the bound. Scripts are not
//! worst cases: a response far below its bound says little about the bound.
//!
//! **Not covered:** tasks without a bound, because they overload their reservation on purpose.

use super::body::Longest;
use super::case::Case;
use crate::check::Check;
use std::path::Path;
use std::{env, fs};

const SPECIFICATION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../SPECIFICATION.md");

/// The row may say so many thousandths more or less: a boot repeats, but for some instructions.
const THOUSANDTHS: u64 = 5;

/// A task in a reservation.
#[derive(Clone, Debug)]
struct Task {
    what: String,
    /// Longest responses in thousandths of the bound.
    kernel: u64,
    simulation: u64,
}

/// Every such task of the cases.
#[derive(Clone, Debug, Default)]
pub struct Tightness {
    tasks: Vec<Task>,
}

impl Tightness {
    /// Records the result of a case with interrupts.
    pub fn note(&mut self, case: &Case, seen: &[Longest]) {
        let is_interrupted = case.source.is_some() || case.name.starts_with("ticks-");
        for longest in seen.iter().filter(|longest| is_interrupted && longest.is_reserved) {
            let Ok(bound) = longest.bound else { continue };
            let part = |response: u64| response * 1_000 / bound.max(1);
            self.tasks.push(Task {
                what: format!("{}: {}", case.title(), longest.task),
                kernel: part(longest.kernel),
                simulation: part(longest.simulation),
            });
        }
    }

    /// Each task, their medians, and whether the specification has them.
    pub fn checks(&self, line: &str) -> Vec<Check> {
        let one = |task: &Task| {
            let Task { what, kernel, simulation } = task;
            let seen =
                format!("{} in the kernel, {} in the simulation", part(*kernel), part(*simulation));
            Check::new(format!("{what}: longest response / bound"), seen, *kernel <= 1_000)
        };
        let mut checks: Vec<Check> = self.tasks.iter().map(one).collect();
        let what = "the specification says how tight bounds of reservations are (VORRANG_WRITE_DOCS=1 writes it)";
        checks.push(match self.row(line) {
            None => Check::new(what, "no task has a bound", false),
            Some(row) => match compare(Path::new(SPECIFICATION), &row) {
                Ok(holds) => Check::new(what, row, holds),
                Err(why) => Check::new(what, why, false),
            },
        });
        checks
    }

    /// The row of the specification.
    fn row(&self, line: &str) -> Option<String> {
        let kernel = said(self.tasks.iter().map(|task| task.kernel))?;
        let simulation = said(self.tasks.iter().map(|task| task.simulation))?;
        let count = self.tasks.len();
        Some(format!(
            "{BEGIN} {line}, longest response / bound | in the kernel median {kernel}, in the simulation {simulation}, of {count} tasks | \
             *lab* `conformance --kernel {line}` |"
        ))
    }
}

/// How every such row begins.
const BEGIN: &str =
    "| tightness of `SCHED_DEADLINE` under interrupts in the cases of conformance on";

/// Of a thousand.
fn part(thousandths: u64) -> String {
    format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000)
}

/// The median with the least and the most.
fn said(of: impl Iterator<Item = u64>) -> Option<String> {
    let mut all: Vec<u64> = of.collect();
    all.sort_unstable();
    let (first, last) = (all.first()?, all.last()?);
    let median = all[all.len() / 2];
    Some(format!("{} ({} to {})", part(median), part(*first), part(*last)))
}

/// Whether the file has the row, but for some thousandths; or the row is written.
fn compare(path: &Path, row: &str) -> Result<bool, String> {
    let told = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|why| told(&why))?;
    let begin = row.split(',').next().unwrap_or(row);
    let there = text.lines().find(|known| known.starts_with(begin));
    let there = there.ok_or_else(|| told(&format!("no row begins with {begin}")))?;
    if env::var("VORRANG_WRITE_DOCS").is_ok_and(|wish| wish == "1") {
        return fs::write(path, text.replace(there, row)).map(|()| true).map_err(|why| told(&why));
    }
    Ok(is_alike(there, row))
}

fn is_alike(one: &str, other: &str) -> bool {
    let (one, other): (Vec<&str>, Vec<&str>) = (words(one), words(other));
    let alike = |(one, other): (&&str, &&str)| match (thousandths(one), thousandths(other)) {
        (Some(one), Some(other)) => one.abs_diff(other) <= THOUSANDTHS,
        _ => one == other,
    };
    one.len() == other.len() && one.iter().zip(&other).all(alike)
}

fn words(row: &str) -> Vec<&str> {
    row.split(|letter: char| letter.is_whitespace() || "(),;".contains(letter)).collect()
}

/// `0.217`.
fn thousandths(word: &str) -> Option<u64> {
    let (whole, rest) = word.split_once('.')?;
    let rest = Some(rest).filter(|rest| rest.len() == 3)?;
    Some(whole.parse::<u64>().ok()? * 1_000 + rest.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::super::machine::{Kind, Source};
    use super::*;

    fn timers() -> Case {
        Case { source: Some(Source { kind: Kind::Timer, khz: 1 }), ..Case::default() }
    }

    fn seen(bound: u64, kernel: u64, is_reserved: bool) -> Longest {
        let task = "x".to_owned();
        Longest { task, is_reserved, bound: Ok(bound), simulation: bound * 9 / 10, kernel }
    }

    fn noted(kernels: &[u64]) -> Tightness {
        let mut tightness = Tightness::default();
        let all: Vec<Longest> = kernels.iter().map(|&kernel| seen(2_000, kernel, true)).collect();
        tightness.note(&timers(), &all);
        tightness
    }

    #[test]
    fn only_reservations_that_are_interrupted_and_have_a_bound_count() {
        let mut tightness = noted(&[1_000, 1_600, 400]);
        tightness.note(&Case::default(), &[seen(2_000, 1, true)]);
        let none = Longest { bound: Err("none".to_owned()), ..seen(1, 1, true) };
        tightness.note(&timers(), &[seen(2_000, 1, false), none]);
        let row = tightness.row("9.1-rt").expect("three");
        assert!(row.contains("in the kernel median 0.500 (0.200 to 0.800)"), "{row}");
        assert!(row.contains("in the simulation 0.900 (0.900 to 0.900), of 3 tasks"), "{row}");
        assert_eq!(Tightness::default().row("9.1-rt"), None);
    }

    #[test]
    fn a_row_may_differ_by_some_thousandths_and_by_nothing_else() {
        let row = |kernels: &[u64]| noted(kernels).row("9.1-rt").expect("some");
        let there = row(&[1_000, 1_600, 400]);
        assert!(is_alike(&there, &row(&[1_010, 1_590, 400])));
        assert!(!is_alike(&there, &row(&[1_012, 1_600, 400])), "six thousandths");
        assert!(!is_alike(&there, &row(&[1_000, 1_000, 1_600, 400])), "another task");
        assert!(!is_alike(&there, &there.replace("9.1-rt", "9.2-rt")), "another kernel");
    }

    /// A kernel above a bound is noticed whatever the row says.
    #[test]
    fn above_the_bound_is_not_tight() {
        let checks = noted(&[2_100]).checks("9.1-rt");
        assert!(!checks[0].holds && checks[0].seen.contains("1.050 in the kernel"), "{checks:?}");
    }
}
