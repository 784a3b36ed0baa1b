//! The body of every conformance test: the checks of a case on every platform.
//!
//! **Model.** A *platform* runs a case and returns its course. On each of them the course must be the one
//! that is drawn, all jobs must be complete, and no response may be longer than its bound. Then two platforms
//! are compared, event by event: *bound ≥ simulation ≥ kernel*, up to a tolerance.

use super::case::Case;
use super::compare::{Comparison, compare, time};
use super::course::Course;
use super::job::MS;
use super::machine::Measured;
use super::{seen, simulated};
use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_analysis::bounds;
use vorrang_model::system::{ServerKind, System, TaskId};

/// Runs a case.
pub trait Platform {
    /// What happened.
    ///
    /// # Errors
    /// It could not be done, as a sentence.
    fn perform(&self, case: &Case) -> Result<Course, String>;

    /// Its name.
    fn name(&self) -> &'static str;
}

/// The simulator.
#[derive(Clone, Copy, Debug)]
pub struct Simulator;

/// A kernel that ran the case, by threads whose names have a prefix.
#[derive(Debug)]
pub struct Kernel<'a> {
    /// Its evidence.
    pub evidence: &'a Evidence,
    /// The prefix.
    pub prefix: String,
}

impl Platform for Simulator {
    fn perform(&self, case: &Case) -> Result<Course, String> {
        Ok(simulated::course(case))
    }

    fn name(&self) -> &'static str {
        "simulation"
    }
}

impl Platform for Kernel<'_> {
    fn perform(&self, case: &Case) -> Result<Course, String> {
        seen::course(case, &self.prefix, self.evidence)
    }

    fn name(&self) -> &'static str {
        "kernel"
    }
}

/// The checks of a platform; and its course.
pub fn examine(case: &Case, platform: &impl Platform) -> (Course, Vec<Check>) {
    let of = |what: &str| format!("{}, {}: {what}", case.title(), platform.name());
    let course = match platform.perform(case) {
        Ok(course) => course,
        Err(why) => return (Course::default(), vec![Check::new(of("it is done"), why, false)]),
    };
    let jobs: usize = case.script.values().map(Vec::len).sum();
    let complete = course.completions.len();
    let mut checks = Vec::new();
    if !case.drawn.is_empty() {
        // On an ideal machine at the instants that are drawn, but for a routine of a nanosecond; else later, but in the same
        // order.
        let later = if case.costs == Measured::NOTHING { MS / 1_000 } else { MS };
        let drawn = compare(&case.course(), &course, &case.names(), later);
        checks.push(said(of("as drawn"), &drawn));
    }
    if complete != jobs {
        let seen = format!("{complete} of {jobs}");
        checks.push(Check::new(of("all jobs are complete"), seen, false));
    }
    (course, checks)
}

/// The checks of a simulation and a kernel that ran the same case, and the longest responses of both.
pub fn conform(case: &Case, simulated: &Course, seen: &Course) -> (Vec<Check>, Vec<Longest>) {
    let comparison = compare(simulated, seen, &case.names(), case.tolerance());
    let what = format!("{}: simulation and kernel do the same", case.title());
    let mut checks = vec![said(what, &comparison)];
    let longest = longest(case, simulated, seen);
    checks.extend(longest.iter().map(|task| chain(case, task)));
    (checks, longest)
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

/// The longest responses of a task.
#[derive(Clone, Debug)]
pub struct Longest {
    /// Its name, without its kind.
    pub task: String,
    /// Whether it is in a server of `SCHED_DEADLINE`.
    pub is_reserved: bool,
    /// No response may be longer; or why there is no bound.
    pub bound: Result<u64, String>,
    /// In the simulation.
    pub simulation: u64,
    /// In the kernel.
    pub kernel: u64,
}

fn longest(case: &Case, simulated: &Course, seen: &Course) -> Vec<Longest> {
    let system = case.for_bounds();
    let found = bounds(&system);
    let not_described = case.not_described();
    let one = |(task, name): (usize, String)| {
        let longest = |course: &Course| {
            let own = course.completions.iter().filter(|one| one.task == task);
            own.map(super::course::Completion::response).max().unwrap_or_default()
        };
        let bound = if not_described.is_empty() {
            let found = found.task(TaskId(task)).found.as_ref();
            found.map(|proof| proof.bound.as_ns()).map_err(ToString::to_string)
        } else {
            Err(not_described.join(", "))
        };
        let kind = system.supply(system.tasks[task].on).server_kind();
        let is_reserved = kind == Some(ServerKind::SchedDeadline);
        let (simulation, kernel) = (longest(simulated), longest(seen));
        Longest { task: name, is_reserved, bound, simulation, kernel }
    };
    case.names().into_iter().enumerate().map(one).collect()
}

/// No job takes longer than the bound, in the simulator and in the kernel, and none in the kernel longer than in the
/// simulation and the tolerance.
fn chain(case: &Case, of: &Longest) -> Check {
    let Longest { task, bound, simulation, kernel, .. } = of;
    let (first, within) = match bound {
        Ok(bound) => (time(*bound), bound >= simulation.max(kernel)),
        Err(why) => (format!("no bound ({why})"), true),
    };
    Check::new(
        format!("{}: {task}: bound >= simulation >= kernel", case.title()),
        format!("{first} >= {} >= {}", time(*simulation), time(*kernel)),
        within && simulation + case.tolerance() >= *kernel && *kernel > 0,
    )
}

/// Whether the analysis guarantees every server its budget in each period.
pub(super) fn guarantees(system: &System) -> bool {
    let found = bounds(system);
    let tasks = system.task_ids();
    tasks.into_iter().all(|id| found.task(id).bound().is_some())
}

#[cfg(test)]
mod tests {
    use super::super::cases;
    use super::super::course::Ended;
    use super::super::machine::OWN_TIMERS;
    use super::super::shipped;
    use super::*;
    use std::collections::BTreeSet;
    use vorrang_model::{Format, read};

    /// What 7.2 takes.
    fn measured() -> Measured {
        shipped::all().last().expect("the newest").costs()
    }

    fn none_is_wrong(checks: &[Check]) {
        let wrong: Vec<_> = checks.iter().filter(|check| !check.holds).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// The body, on the simulator alone: here a wrong rule is noticed without a kernel.
    #[test]
    fn the_simulator_does_what_is_drawn() {
        for case in cases::all().into_iter().chain(cases::shield()) {
            none_is_wrong(&examine(&case, &Simulator).1);
            none_is_wrong(&examine(&case.on(measured()), &Simulator).1);
        }
    }

    /// A kernel that does what is simulated conforms, and one that is later does not.
    #[test]
    fn a_simulation_conforms_to_itself_and_not_to_a_later_one() {
        for case in cases::all() {
            let case = case.on(measured());
            let course = simulated::course(&case);
            none_is_wrong(&conform(&case, &course, &course).0);
            let mut late = course.clone();
            let last = late.completions.len() - 1;
            late.completions[last].at += case.tolerance() + 1;
            let wrong = conform(&case, &course, &late).0.into_iter().filter(|check| !check.holds);
            assert!(wrong.count() >= 1, "{}", case.title());
        }
    }

    fn differ(case: &Case, other: &Course) -> bool {
        let names = case.names();
        let comparison = compare(&simulated::course(case), other, &names, case.tolerance());
        !comparison.differences.is_empty()
    }

    /// A kernel without these interrupts would not conform, nor a simulator that forgets them.
    #[test]
    fn interrupts_at_ten_thousand_a_second_are_noticed() {
        let all = cases::all().into_iter().map(|case| case.on(measured()));
        for case in all.filter(|case| case.source.is_some_and(|source| source.khz >= 10)) {
            let without = Case { source: None, ..case.clone() };
            assert!(differ(&case, &simulated::course(&without)), "{}", case.title());
        }
    }

    /// Nor one that charges them to no budget.
    #[test]
    fn who_pays_for_interrupts_is_noticed() {
        let noticed = |case: &Case| {
            let core = "scheduler = \"linux\"\n";
            let apart = case.text().replace(core, &format!("{core}interrupt-time = \"apart\"\n"));
            let apart = read(apart.as_bytes(), Format::Toml).expect("a description");
            differ(case, &simulated::of_system(case, &apart))
        };
        let all = cases::all().into_iter().map(|case| case.on(measured()));
        let throttled = |case: &Case| {
            simulated::course(case).stretches.iter().any(|one| one.ended == Ended::Throttled)
        };
        let fast = |case: &Case| case.source.is_some_and(|source| source.khz >= 10);
        let paid: Vec<Case> = all.filter(|case| fast(case) && throttled(case)).collect();
        let silent: Vec<String> =
            paid.iter().filter(|case| !noticed(case)).map(Case::title).collect();
        assert!(paid.len() >= 10 && silent.is_empty(), "{silent:?}");
    }

    /// The tolerance is for the timers of wake-ups, and of beginnings and ends of runtimes.
    #[test]
    fn no_case_has_more_timers_of_its_own_than_the_tolerance_is_for() {
        for case in cases::all() {
            let course = simulated::course(&case.on(measured()));
            let throttled = course.stretches.iter().filter(|one| one.ended == Ended::Throttled);
            let own = (course.completions.len() + 2 * throttled.count()) as u64;
            assert!(own <= OWN_TIMERS, "{}: {own}", case.title());
        }
    }

    /// The simulator without a shield would not conform.
    #[test]
    fn who_waits_behind_a_shield_is_noticed() {
        let later = |case: &&Case| {
            let plain = case.text().replace("timers = \"timershield\"\n", "");
            let plain = plain.replace("max-defer = \"2ms\"\n", "");
            let plain = read(plain.as_bytes(), Format::Toml).expect("a description");
            simulated::of_system(case, &plain) != simulated::course(case)
        };
        let cases: Vec<Case> = cases::shield().iter().map(|case| case.on(measured())).collect();
        let noticed = cases.iter().filter(later).count();
        assert!(cases.len() >= 12 && noticed >= 8, "{noticed} of {}", cases.len());
    }

    #[test]
    fn there_are_so_many_cases_of_different_names() {
        let all = cases::all();
        let titles: BTreeSet<String> = all.iter().map(Case::title).collect();
        assert_eq!(titles.len(), all.len());
        let interrupted = all.iter().filter(|case| case.source.is_some()).count();
        assert!(all.len() >= 56 && interrupted >= 30, "{} and {interrupted}", all.len());
    }
}
