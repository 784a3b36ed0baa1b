//! The history of a longest response once more: in the oracle and, where it can be told, in the simulator.

use super::layout::{Layout, Part};
use super::reach::{Longest, Planned, Script};
use super::work::Origin;
use crate::check::Effort;
use crate::oracle;
use vorrang_model::system::{Member, ServerKind, SupplyId, System, TaskId};
use vorrang_sim::{Blocker, History, Job, Observer, ScriptedJob, Search, Source, simulate};
use vorrang_time::{Duration, Instant};

/// What is different, if anything is.
///
/// Both must complete the target's last job of the history exactly when the explorer does, and none later.
pub fn difference(system: &System, layout: &Layout, longest: &Longest) -> Option<String> {
    let expected = u64::from(longest.response);
    let script = &longest.shown_by;
    let oracle = in_oracle(system, layout, script);
    if oracle != Some(expected) {
        return Some(format!("explorer {expected}, oracle {oracle:?}"));
    }
    // Arrivals of interrupts are patterns there, not lists.
    if !system.interrupts.is_empty() {
        return None;
    }
    let simulator = in_simulator(system, layout, script);
    (simulator != Some(expected)).then(|| format!("explorer {expected}, simulator {simulator:?}"))
}

/// The longest response of the target that the search of the simulator finds.
pub fn searched(system: &System, layout: &Layout, seed: u64) -> Option<u64> {
    let search = Search { seed, ..Effort::brief().search };
    let found = vorrang_sim::search(system, &search);
    let worst = match layout.work[layout.target].of {
        Origin::Task(id) => &found.tasks[id.0],
        Origin::Routine(id) | Origin::GuestRoutine(id) => &found.interrupts[id.0],
    };
    worst.as_ref().map(|worst| worst.response.as_ns())
}

fn in_oracle(system: &System, layout: &Layout, script: &Script) -> Option<u64> {
    let mut history = oracle::History {
        phases: by_supply(layout, script, false),
        overruns: by_supply(layout, script, true),
        tasks: vec![Vec::new(); system.tasks.len()],
        interrupts: vec![Vec::new(); system.interrupts.len()],
        guest_routines: vec![Vec::new(); system.interrupts.len()],
        blocker: blocker(layout, script),
        ..oracle::History::default()
    };
    let job = |&Planned { arrival, release, execution }: &Planned| oracle::Job {
        arrival,
        release,
        execution,
    };
    for (work, jobs) in layout.work.iter().zip(&script.jobs) {
        match work.of {
            Origin::Task(id) => history.tasks[id.0] = jobs.iter().map(job).collect(),
            Origin::Routine(id) => history.interrupts[id.0] = jobs.iter().map(job).collect(),
            Origin::GuestRoutine(id) => {
                history.guest_routines[id.0] = jobs.iter().map(|job| job.execution).collect();
            }
        }
    }
    let outcome = oracle::run(system, SupplyId(0), &history, script.until);
    let done = match layout.work[layout.target].of {
        Origin::Task(id) => &outcome.tasks[id.0],
        Origin::Routine(id) | Origin::GuestRoutine(id) => &outcome.interrupts[id.0],
    };
    let last = done.last().filter(|done| done.at == script.until);
    last.map(|_| done.iter().map(|done| done.at - done.arrival).max().unwrap_or(0))
}

/// By how much runtimes end late, by supply, or the first replenishments.
fn by_supply(layout: &Layout, script: &Script, is_late: bool) -> Vec<u64> {
    let of_servers = layout.servers.iter().zip(&script.phases).map(|(server, &open)| {
        if is_late == (server.kind == ServerKind::SchedDeadline) { open.into() } else { 0 }
    });
    core::iter::once(0).chain(of_servers).collect()
}

/// What is held up, and from when on.
fn blocker(layout: &Layout, script: &Script) -> Option<(Member, u64)> {
    let member = match layout.blocked?.0 {
        Part::Work(id) => Member::Task(TaskId(id)),
        Part::Server(id) => Member::Server(SupplyId(id)),
    };
    Some((member, script.held_up_from?))
}

/// The longest response of a task whose last job ends at the horizon.
struct Seen {
    of: Source,
    longest: Option<u64>,
}

impl Observer for Seen {
    fn completed(&mut self, job: &Job, at: Instant) {
        if job.source == self.of {
            self.longest = self.longest.max(Some((at - job.arrival).as_ns()));
        }
    }
}

fn in_simulator(system: &System, layout: &Layout, script: &Script) -> Option<u64> {
    let mut history = History::quiet(system);
    let by_supply = |is_late| by_supply(layout, script, is_late).into_iter().map(Duration::from_ns);
    history.phases = by_supply(false).collect();
    history.overruns = by_supply(true).collect();
    history.blocker = blocker(layout, script)
        .map(|(member, from)| Blocker { member, from: Instant::from_ns(from) });
    let mut of = None;
    for (index, (work, jobs)) in layout.work.iter().zip(&script.jobs).enumerate() {
        let Origin::Task(id) = work.of else { continue };
        let job = |job: &Planned| ScriptedJob {
            arrival: Instant::from_ns(job.arrival),
            release: Instant::from_ns(job.release),
            execution: Duration::from_ns(job.execution),
            yields: false,
        };
        history.scripts[id.0] = jobs.iter().map(job).collect();
        if index == layout.target {
            of = Some(Source::Task(id));
        }
    }
    let mut seen = Seen { of: of?, longest: None };
    let end = Instant::from_ns(script.until + 1);
    simulate(system, SupplyId(0), &history, end, &mut seen).ok()?;
    seen.longest
}
