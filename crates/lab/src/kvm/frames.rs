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

use super::between::Between;
use super::load::MS;
use super::phases::Phases;
use crate::check::Check;
use crate::data::ns;
use crate::evidence::Evidence;
use crate::written::{Scenario, words};
use serde::Deserialize;
use std::collections::BTreeMap;
use vorrang_analysis::bounds;
use vorrang_guest::frames::Told;
use vorrang_guest::{Job, Policy, ScriptedThread, Step, TICK, Work};
use vorrang_model::system::{Costs, SupplyId, System, Task, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, Observer, Simulator, Source};
use vorrang_time::{Duration, Instant};

/// What was seen of the frames.
const TOLD: &str = "/run/frames";
/// Until all of it is there.
const LIMIT: u64 = 60_000 * MS;
/// Until the last frame is done. Before that nothing is told: the serial port would interrupt.
const REST: u64 = 500 * MS;
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
    let place = |on: SupplyId, priority: u32| match cpu(&system, on) {
        Some(cpu) => format!("{priority}@{cpu}"),
        None => priority.to_string(),
    };
    let thread = |name: &str| {
        let task = named(&system, name).1;
        place(task.on, task.priority.0)
    };
    let guest = system.supply_ids().find(|id| system.supply(*id).name == GUEST).expect("a guest");
    let [sends, driver, control] = PATH.map(|name| Duration::from_ns(work[name]));
    let line = format!(
        "/bin/vorrang-vcpu frames {TOLD} {} {} {period} {} {} {} {sends} {driver} {control}",
        Duration::from_ns(frames.delay),
        frames.count,
        thread(PATH[0]),
        thread(VHOST),
        place(guest, system.supply(guest).priority().0),
    );
    let length = frames.delay + frames.count as u64 * period.as_ns();
    let phases: BTreeMap<String, Phases> = of.gives("phases", BTreeMap::new());
    let others = others(&system).map(|(_, name, task)| {
        let phases = phases.get(name).copied().unwrap_or(Phases::of(task));
        ScriptedThread {
            name: name.to_owned(),
            cpu: cpu(&system, task.on),
            policy: Policy::Fifo(task.priority.0),
            after: Vec::new(),
            jobs: phases.jobs(length, Work::Compute(work[name])),
        }
    });
    let path = TOLD.to_owned();
    vec![
        Step::Start { command: words(&line) },
        // It makes the guest meanwhile.
        Step::Sleep { time: frames.delay / 2 },
        Step::Script { threads: others.collect(), until: length + REST },
        Step::Await { path: path.clone(), text: String::new(), limit: LIMIT },
        Step::Read { path },
    ]
}

/// The processor of a supply, where the description states one.
fn cpu(system: &System, on: SupplyId) -> Option<usize> {
    let core = &system.supply(system.core_of(on)).name;
    system.host.cpus.get(core).map(|&cpu| cpu as usize)
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
    let kernel = in_the_kernel(&system, &told, evidence);
    let described = simulated(&system, &kernel);
    let alone = simulated(&alone(system.clone(), &work(of)), &kernel);
    let found = bounds(&system);
    let is_one = system.cores().count() == 1;
    checks.extend(kernel.iter().map(|(name, jobs)| {
        let between = Between {
            name,
            uncertain: told.uncertain,
            kernel: jobs,
            alone: &alone[name],
            described: &described[name],
            bound: found.task(named(&system, name).0).bound().map_or(0, Duration::as_ns),
        };
        if is_one { between.each() } else { between.together() }
    }));
    checks
}

/// What the threads and the guest told.
fn in_the_kernel(system: &System, told: &Told, evidence: &Evidence) -> Responses {
    let of_jobs = |jobs: &[Job]| -> Vec<(u64, u64)> {
        jobs.iter().map(|job| (job.release, job.finish - job.release)).collect()
    };
    let of_guest = |stamps: &[(u64, u64)]| -> Vec<(u64, u64)> {
        let pairs = told.sender.iter().zip(stamps);
        pairs.map(|(job, (_, end))| (job.release, end.saturating_sub(job.release))).collect()
    };
    let path = [of_jobs(&told.sender), of_guest(&told.driver), of_guest(&told.control)];
    let mut all: Responses = PATH.map(str::to_owned).into_iter().zip(path).collect();
    all.extend(
        others(system).map(|(_, name, _)| (name.to_owned(), of_jobs(evidence.jobs(name).0))),
    );
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
            vorrang_sim::ScriptedJob {
                arrival: at,
                release: at,
                execution: task.wcet,
                yields: false,
            }
        };
        history.scripts[id] = jobs.iter().map(scripted).collect();
    }
    let mut watch = Watch { system, origin, seen: Responses::new() };
    let core = system.cores().next().expect("a core");
    let mut simulator = Simulator::new(system, core).expect("it is covered");
    simulator.run_together(&history, Instant::from_ns(end), &mut watch);
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
}
