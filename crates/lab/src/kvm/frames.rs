//! Frames from a thread to the task of a guest: what the kernel did, between what the simulator does and the work alone.
//!
//! ```text
//!   releases in the kernel ─┬─> simulator, each task its work alone ──> no response is below
//!                           └─> simulator, as described ──────────────> none is above; and none of these above its bound
//! ```
//!
//! **Model.** The simulator is given the releases that the threads told, so that each job has its own response there. Where
//! the path begins is what the thread that sends was woken for; a response counts from there, in the guest too.
//!
//! **Not covered.** The end of vhost's own job is not seen, only what comes of it.

use super::load::MS;
use crate::check::Check;
use crate::data::ns;
use crate::evidence::Evidence;
use crate::written::{Scenario, words};
use serde::Deserialize;
use std::collections::BTreeMap;
use vorrang_analysis::bounds;
use vorrang_guest::frames::Told;
use vorrang_guest::{DONE, Job, LoadedTask, Policy, Record, Step, TICK, Work};
use vorrang_model::system::{Costs, System, Task, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Observer, ScriptedJob, Source, simulate};
use vorrang_time::{Duration, Instant};

/// What was seen of the frames.
const TOLD: &str = "/run/frames";
/// Until all of it is there.
const LIMIT: u64 = 60_000 * MS;
/// The tasks of the program that sends, in the order of the path; vhost is between the first two.
const PATH: [&str; 3] = ["sender", "driver", "control"];
const VHOST: &str = "vhost";
const GUEST: &str = "vcpu.guest";

/// The frames of a scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Frames {
    /// Until the first one.
    #[serde(deserialize_with = "ns")]
    delay: u64,
    count: usize,
}

/// Releases and responses by task, in the order of its jobs.
type Responses = BTreeMap<String, Vec<(u64, u64)>>;

/// Frames are sent while the other threads of the description do their jobs.
pub(crate) fn steps(of: &Scenario) -> Vec<Step> {
    let (system, frames, work) = (system(of), of.given::<Frames>("frames"), work(of));
    let period = named(&system, PATH[0]).1.min_interarrival;
    let priority = |name: &str| named(&system, name).1.priority.0;
    let guest = system.supply_ids().map(|id| system.supply(id)).find(|one| one.name == GUEST);
    let guest = guest.expect("a guest").priority().0;
    let [sends, driver, control] = PATH.map(|name| Duration::from_ns(work[name]));
    let line = format!(
        "/bin/vorrang-vcpu frames {TOLD} {} {} {period} {} {} {guest} {sends} {driver} {control}",
        Duration::from_ns(frames.delay),
        frames.count,
        priority(PATH[0]),
        priority(VHOST),
    );
    let length = frames.delay + frames.count as u64 * period.as_ns();
    let others = others(&system).map(|(_, name, task)| {
        let period = task.min_interarrival.as_ns();
        LoadedTask {
            name: name.to_owned(),
            cpu: None,
            policy: Policy::Fifo(task.priority.0),
            offset: 0,
            period,
            jobs: u32::try_from(length / period).expect("a few"),
            work: Work::Compute(work[name]),
        }
    });
    let awaited = |path: &str| {
        let path = path.to_owned();
        [Step::Await { path: path.clone(), text: String::new(), limit: LIMIT }, Step::Read { path }]
    };
    let start = [
        Step::Start { command: words(&line) },
        Step::StartLoad { tasks: others.collect(), until: 0 },
    ];
    start.into_iter().chain(awaited(TOLD)).chain(awaited(DONE)).collect()
}

/// Every frame comes to its end, and each response is between what the work alone takes and what is described.
pub(crate) fn checks(of: &Scenario, evidence: &Evidence) -> Vec<Check> {
    let (system, count) = (system(of), of.given::<Frames>("frames").count);
    let text = evidence.texts(TOLD).next().unwrap_or_default();
    let told: Told = match serde_json::from_str(text) {
        Ok(told) => told,
        Err(why) => return vec![Check::new("the frames are told", why.to_string(), false)],
    };
    let [sent, taken, done] = [told.sender.len(), told.driver.len(), told.control.len()];
    let seen = format!("{sent} sent, {taken} taken by the driver, {done} done by control");
    let all = [sent, taken, done] == [count; 3];
    let mut checks = vec![Check::new("every frame comes to the guest's task", seen, all)];
    if !all {
        return checks;
    }
    let kernel = in_the_kernel(&told, evidence);
    let described = simulated(&system, &kernel);
    let alone = simulated(&alone(system.clone(), &work(of)), &kernel);
    let found = bounds(&system);
    for (name, jobs) in &kernel {
        let (id, _) = named(&system, name);
        let bound = found.task(id).bound().map_or(0, Duration::as_ns);
        checks.push(compared(
            (name, told.uncertain),
            jobs,
            [&alone[name], &described[name]],
            bound,
        ));
    }
    checks
}

/// Each response of a task beside those of the simulator, and the longest beside the bound.
fn compared(
    (name, uncertain): (&str, u64),
    kernel: &[(u64, u64)],
    [alone, described]: [&Vec<(u64, u64)>; 2],
    bound: u64,
) -> Check {
    let all = kernel.len() == alone.len() && kernel.len() == described.len() && !kernel.is_empty();
    let rows = || kernel.iter().zip(alone).zip(described);
    let above = rows().filter(|((seen, _), most)| seen.1 > most.1 + uncertain).count();
    let below = rows().filter(|((seen, least), _)| seen.1 + uncertain < least.1).count();
    let longest = |of: &[(u64, u64)]| of.iter().map(|job| job.1).max().unwrap_or_default();
    let [seen, alone, most] = [kernel, alone, described].map(longest);
    let holds = all && above == 0 && below == 0 && bound >= most && bound >= seen;
    let said = format!(
        "{bound} >= {most} >= {seen} ns, the work alone {alone}; of {} jobs {above} above, {below} below",
        kernel.len()
    );
    Check::new(format!("{name}: bound >= simulation >= kernel"), said, holds)
}

/// What the threads and the guest told.
fn in_the_kernel(told: &Told, evidence: &Evidence) -> Responses {
    let of_jobs = |jobs: &[Job]| -> Vec<(u64, u64)> {
        jobs.iter().map(|job| (job.release, job.finish - job.release)).collect()
    };
    let of_guest = |stamps: &[(u64, u64)]| -> Vec<(u64, u64)> {
        let pairs = told.sender.iter().zip(stamps);
        pairs.map(|(job, (_, end))| (job.release, end.saturating_sub(job.release))).collect()
    };
    let path = [of_jobs(&told.sender), of_guest(&told.driver), of_guest(&told.control)];
    let mut all: Responses = PATH.map(str::to_owned).into_iter().zip(path).collect();
    let lines = evidence.texts(DONE).flat_map(str::lines);
    for record in lines.filter_map(|line| serde_json::from_str(line).ok()) {
        if let Record::Jobs { task, jobs, .. } = record {
            all.insert(task, of_jobs(&jobs));
        }
    }
    all
}

/// The same releases in the simulator, ticks at their instants.
fn simulated(system: &System, kernel: &Responses) -> Responses {
    let releases = kernel.values().flatten().map(|(release, _)| *release);
    let origin = releases.clone().min().unwrap_or_default() / TICK * TICK;
    let end = releases.max().unwrap_or_default() - origin + LIMIT;
    let mut history = History::quiet(system);
    history.interrupts.fill(Arrivals::from(Instant::ZERO));
    for (id, task) in system.tasks.iter().enumerate() {
        let Some(jobs) = kernel.get(own(task)).filter(|_| !task.activation.is_by_tasks()) else {
            continue;
        };
        let scripted = |(release, _): &(u64, u64)| {
            let at = Instant::from_ns(release - origin);
            ScriptedJob { arrival: at, release: at, execution: task.wcet, yields: false }
        };
        history.scripts[id] = jobs.iter().map(scripted).collect();
    }
    let mut watch = Watch { system, origin, seen: Responses::new() };
    let core = system.cores().next().expect("a core");
    simulate(system, core, &history, Instant::from_ns(end), &mut watch).expect("it is covered");
    watch.seen
}

/// The same where each task takes its work and nothing else takes time.
fn alone(mut system: System, work: &BTreeMap<String, u64>) -> System {
    system.costs = Costs::default();
    system.interrupts.iter_mut().for_each(|one| one.isr = Duration::from_ns(1));
    for task in &mut system.tasks {
        task.wcet = Duration::from_ns(work.get(own(task)).copied().unwrap_or(1));
    }
    system
}

/// The responses of tasks, with their arrivals in the time of the kernel.
struct Watch<'a> {
    system: &'a System,
    origin: u64,
    seen: Responses,
}

impl Observer for Watch<'_> {
    fn completed(&mut self, job: &vorrang_sim::Job, at: Instant) {
        if let Source::Task(TaskId(id)) = job.source {
            let arrival = (job.arrival - Instant::ZERO).as_ns() + self.origin;
            let seen = self.seen.entry(own(&self.system.tasks[id]).to_owned()).or_default();
            seen.push((arrival, (at - job.arrival).as_ns()));
        }
    }
}

fn system(of: &Scenario) -> System {
    let text = of.text(&of.given::<String>("description"));
    read(text, Format::Toml).expect("it is right")
}

/// What each task computes, in nanoseconds.
fn work(of: &Scenario) -> BTreeMap<String, u64> {
    let times: BTreeMap<String, crate::data::Time> = of.given("work");
    times.into_iter().map(|(name, time)| (name, time.0)).collect()
}

/// The tasks that are neither on the path nor woken by it.
fn others(system: &System) -> impl Iterator<Item = (TaskId, &str, &Task)> {
    let tasks = system.tasks.iter().enumerate().map(|(id, task)| (TaskId(id), own(task), task));
    tasks.filter(|(_, name, task)| *name != PATH[0] && !task.activation.is_by_tasks())
}

fn named<'a>(system: &'a System, name: &str) -> (TaskId, &'a Task) {
    let place = system.tasks.iter().position(|task| own(task) == name);
    let place = place.unwrap_or_else(|| panic!("no task {name}"));
    (TaskId(place), &system.tasks[place])
}

/// The name of a task without its kind.
fn own(task: &Task) -> &str {
    task.name.trim_start_matches("task.")
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000;

    /// Everything is released at once: `urgent` delays vhost, `storage` the guest, and `urgent` control once more.
    #[test]
    fn work_alone_takes_what_is_worked_out_by_hand() {
        let of = Scenario::read("kvm/kvm-virtio");
        let twice = |period: u64| vec![(0, 0), (period * US, 0)];
        let kernel: Responses = [
            ("sender".to_owned(), vec![(0, 0)]),
            ("urgent".to_owned(), twice(3_000)),
            ("storage".to_owned(), vec![(0, 0)]),
        ]
        .into();
        let seen = simulated(&alone(system(&of), &work(&of)), &kernel);
        let expected = [
            // Two ticks and the job of vhost take a nanosecond each.
            ("control", vec![(0, 4_500 * US + 3)]),
            ("driver", vec![(0, 2_900 * US + 2)]),
            ("sender", vec![(0, 500 * US + 1)]),
            ("storage", vec![(0, 2_600 * US + 2)]),
            ("urgent", vec![(0, 1_100 * US + 1), (3_000 * US, 600 * US)]),
            ("vhost", vec![(0, 1_100 * US + 2)]),
        ];
        let expected: Responses = expected.map(|(name, jobs)| (name.to_owned(), jobs)).into();
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_response_above_the_described_or_below_the_work_does_not_hold() {
        let (least, most) = (vec![(0, 5), (9, 5)], vec![(0, 8), (9, 8)]);
        let holds =
            |kernel: &[(u64, u64)], bound| compared(("a", 1), kernel, [&least, &most], bound).holds;
        assert!(holds(&[(0, 4), (9, 9)], 9));
        assert!(!holds(&[(0, 3), (9, 9)], 9), "below the work alone");
        assert!(!holds(&[(0, 4), (9, 10)], 10), "above what is described");
        assert!(!holds(&[(0, 4), (9, 8)], 7), "above the bound");
        assert!(!holds(&[(0, 4)], 9), "a job is missing");
    }
}
