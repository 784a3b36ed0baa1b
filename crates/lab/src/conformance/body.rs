//! The body of every conformance test: what must hold of a case, wherever it is run.
//!
//! **Model.** A *platform* does a case and says what happened. On each of them the course must be
//! the one that is drawn, all jobs must be complete, and no response may be longer than its bound. Then two
//! platforms are compared, event by event: *bound ≥ simulation ≥ kernel*, but for a tolerance.

use super::case::Case;
use super::compare::{Comparison, compare, time};
use super::course::Course;
use super::{seen, simulated};
use crate::evidence::Evidence;
use crate::scenario::Check;
use vorrang_analysis::{Finding, bounds};
use vorrang_model::system::{System, TaskId};

/// Does a case.
pub trait Platform {
    /// What happened.
    ///
    /// # Errors
    /// It could not be done, as a sentence.
    fn perform(&self, case: &Case) -> Result<Course, String>;

    /// How far instants may lie from those that are worked out.
    fn tolerance(&self, case: &Case) -> u64;

    /// What it is called.
    fn name(&self) -> &'static str;
}

/// The simulator.
#[derive(Clone, Copy, Debug)]
pub struct Simulator;

/// A kernel that did the case, by threads whose names have a prefix.
#[derive(Debug)]
pub struct Kernel<'a> {
    /// What was seen of it.
    pub evidence: &'a Evidence,
    /// The prefix.
    pub prefix: String,
}

impl Platform for Simulator {
    fn perform(&self, case: &Case) -> Result<Course, String> {
        Ok(simulated::course(case))
    }

    fn tolerance(&self, _case: &Case) -> u64 {
        0
    }

    fn name(&self) -> &'static str {
        "simulation"
    }
}

impl Platform for Kernel<'_> {
    fn perform(&self, case: &Case) -> Result<Course, String> {
        seen::course(case, &self.prefix, self.evidence)
    }

    fn tolerance(&self, case: &Case) -> u64 {
        case.tolerance
    }

    fn name(&self) -> &'static str {
        "kernel"
    }
}

/// What must hold on a platform; and what happened on it.
pub fn examine(case: &Case, platform: &impl Platform) -> (Course, Vec<Check>) {
    let of = |what: &str| format!("{}, {}: {what}", case.name, platform.name());
    let course = match platform.perform(case) {
        Ok(course) => course,
        Err(why) => return (Course::default(), vec![Check::new(of("it is done"), why, false)]),
    };
    let tolerance = platform.tolerance(case);
    let jobs: usize = case.script.iter().map(|(_, jobs)| jobs.len()).sum();
    let complete = course.completions.len();
    let mut checks = Vec::new();
    if case.measured.is_none() {
        let drawn = compare(&case.course(), &course, &case.names(), tolerance);
        checks.push(said(of("as drawn"), &drawn));
    }
    if complete != jobs {
        let seen = format!("{complete} of {jobs}");
        checks.push(Check::new(of("all jobs are complete"), seen, false));
    }
    (course, checks)
}

/// What must hold of a simulation and a kernel that did the same.
pub fn conform(case: &Case, simulated: &Course, seen: &Course) -> Vec<Check> {
    let comparison = compare(simulated, seen, &case.names(), case.tolerance);
    let what = format!("{}: simulation and kernel do the same", case.name);
    let mut checks = vec![said(what, &comparison)];
    checks.extend(chain(case, simulated, seen));
    checks
}

fn said(what: String, comparison: &Comparison) -> Check {
    let Comparison { events, largest, differences } = comparison;
    let seen = if differences.is_empty() {
        format!("{events} events, at most {} us apart", largest.div_ceil(1_000))
    } else {
        differences.join("; ")
    };
    Check::new(what, seen, differences.is_empty())
}

/// Of each task: no job takes longer in the simulation than the bound, and none in the kernel
/// longer than in the simulation and the tolerance.
fn chain(case: &Case, simulated: &Course, seen: &Course) -> Vec<Check> {
    let found = bounds(&case.system());
    let not_described = case.not_described();
    let mut checks = Vec::new();
    for (task, name) in case.names().iter().enumerate() {
        let longest = |course: &Course| {
            let own = course.completions.iter().filter(|one| one.task == task);
            own.map(super::course::Completion::response).max().unwrap_or_default()
        };
        let (simulation, kernel) = (longest(simulated), longest(seen));
        let Finding { bound, reason, .. } = found.task(TaskId(task));
        let bound = bound.filter(|_| not_described.is_empty());
        let (first, within) = match bound {
            Some(bound) => (time(bound.as_ns()), bound.as_ns() >= simulation),
            None if !not_described.is_empty() => {
                (format!("no bound ({})", not_described.join(", ")), true)
            }
            None => {
                let why = reason.as_ref().map(ToString::to_string).unwrap_or_default();
                (format!("no bound ({why})"), true)
            }
        };
        checks.push(Check::new(
            format!("{}: {name}: bound >= simulation >= kernel", case.name),
            format!("{first} >= {} >= {}", time(simulation), time(kernel)),
            within && simulation + case.tolerance >= kernel && kernel > 0,
        ));
    }
    checks
}

/// Whether the analysis guarantees every server its budget in each period.
pub(super) fn guarantees(system: &System) -> bool {
    let found = bounds(system);
    let tasks = (0..system.tasks.len()).map(TaskId);
    tasks.into_iter().all(|id| found.task(id).bound.is_some())
}

#[cfg(test)]
mod tests {
    use super::super::cases;
    use super::*;

    /// The body, on the simulator alone: here a wrong rule is noticed without a kernel.
    #[test]
    fn the_simulator_does_what_is_drawn() {
        for case in cases::all() {
            let (_, checks) = examine(&case, &Simulator);
            let wrong: Vec<_> = checks.iter().filter(|check| !check.holds).collect();
            assert!(wrong.is_empty(), "{wrong:#?}");
        }
    }

    /// A kernel that does what is simulated conforms, and one that is later does not.
    #[test]
    fn a_simulation_conforms_to_itself_and_not_to_a_later_one() {
        for case in cases::all() {
            let course = simulated::course(&case);
            let checks = conform(&case, &course, &course);
            let wrong: Vec<_> = checks.iter().filter(|check| !check.holds).collect();
            assert!(wrong.is_empty(), "{wrong:#?}");
            let mut late = course.clone();
            let last = late.completions.len() - 1;
            late.completions[last].at += case.tolerance + 1;
            let wrong = conform(&case, &course, &late).into_iter().filter(|check| !check.holds);
            assert!(wrong.count() >= 1, "{}", case.name);
        }
    }
}
