//! Chains of simulated systems, of all cores, in the Best Trace Format: what is observed is what the simulator finds in the
//! same jobs, and never above the bound.

use crate::limits;
use vorrang_model::System;
use vorrang_model::system::{Communication, SupplyId, TaskId};
use vorrang_observe::Schedule;
use vorrang_observe::comparison::Verdict;
use vorrang_observe::matching::Matching;
use vorrang_observe::observation::{Kind, Latency, Observation, Row};
use vorrang_sim::{Job, Observer, Passage, Pattern, Running, Simulator, Source, latency, time_of};
use vorrang_time::{Duration, Instant};
use vorrang_trace::Btf;

/// Random systems with chains.
const SYSTEMS: u64 = 300;
/// Jobs of a history.
const JOBS: u64 = 300;

/// The release of a job, and its reading and completion once they are.
type Told = (Instant, Option<Instant>, Option<Instant>);

/// The jobs of each task.
struct Recorded(Vec<Vec<Told>>);

impl Observer for Recorded {
    fn released(&mut self, job: &Job) {
        if let Source::Task(TaskId(id)) = job.source {
            self.0[id].push((job.release, None, None));
        }
    }

    fn runs(&mut self, what: Running, at: Instant) {
        let Running::Task(TaskId(id)) = what else { return };
        if let Some((_, read, _)) = self.0[id].iter_mut().find(|(.., end)| end.is_none()) {
            read.get_or_insert(at);
        }
    }

    fn completed(&mut self, job: &Job, at: Instant) {
        let Source::Task(TaskId(id)) = job.source else { return };
        let first = self.0[id].iter_mut().find(|(.., end)| end.is_none());
        first.expect("it was released").2 = Some(at);
    }
}

impl Recorded {
    /// Of a task, as from its wake-ups: these are what a trace has.
    fn passages(&self, system: &System, id: TaskId) -> Vec<Passage> {
        let task = system.task(id);
        let deadline = task.deadline.filter(|_| task.communication == Communication::Let);
        let of = |&(release, read, end): &Told| {
            let end = end?;
            let (read, write) = match deadline {
                Some(deadline) => (release, end.max(release + deadline)),
                None => (read.unwrap_or(end), end),
            };
            Some(Passage { arrival: release, read, write })
        };
        self.0[id.0].iter().filter_map(of).collect()
    }
}

/// The cores that are simulated: of those that paths connect, the first.
fn cores(system: &System) -> Vec<SupplyId> {
    system.cores().filter(|&core| system.connected(core)[0] == core).collect()
}

/// One history of all cores, as a trace and as the simulator tells it.
fn history(system: &System, pattern: &str) -> Option<(Schedule, Recorded)> {
    let pattern = Pattern::parse(pattern, system).expect("a pattern");
    let histories: Option<Vec<_>> = cores(system)
        .into_iter()
        .map(|core| Some((core, pattern.history(system, core).ok()?)))
        .collect();
    let histories = histories?;
    let times = histories.iter().map(|(core, of)| time_of(system, *core, of, JOBS));
    let end = Instant::ZERO + times.max()?.min(Duration::from_ms(10_000));
    let mut trace = Btf::new(system);
    let mut recorded = Recorded(vec![Vec::new(); system.tasks.len()]);
    for (core, history) in &histories {
        let mut simulator = Simulator::new(system, *core).ok()?;
        let mut both = (trace.core(*core), recorded);
        let ended = simulator.run_together(history, end, &mut both);
        recorded = both.1;
        if ended.is_early() {
            return None;
        }
    }
    let mut schedule: Schedule = trace.text("").parse().ok()?;
    // Its instants are exact.
    schedule.resolution = 0;
    (!schedule.events.is_empty()).then_some((schedule, recorded))
}

/// Each task is the thread with its name.
fn named(mut system: System) -> System {
    for task in &system.tasks {
        system.host.threads.insert(task.name.clone(), format!("name:{}", task.name));
    }
    system
}

fn chains(system: &System, schedule: &Schedule) -> Vec<Row> {
    let matching = Matching::in_trace(system, schedule);
    let observation = Observation::of(system, schedule, &matching, &limits(system));
    observation.rows.into_iter().filter(|row| row.kind == Kind::Chain).collect()
}

#[derive(Debug, Default)]
struct Looked {
    values: u64,
    equal: usize,
    bounded: usize,
    tight: usize,
}

fn compare(system: &System, pattern: &str, looked: &mut Looked) {
    let Some((schedule, recorded)) = history(system, pattern) else { return };
    for (chain, row) in system.chains.iter().zip(chains(system, &schedule)) {
        let Ok(seen) = &row.seen else { continue };
        let handed = seen.handed.as_ref().expect("it is a chain");
        let jobs: Vec<Vec<Passage>> =
            chain.path.iter().map(|&id| recorded.passages(system, id)).collect();
        let jobs: Vec<&[Passage]> = jobs.iter().map(Vec::as_slice).collect();
        let (reaction, age) = latency(&jobs);
        let longest = |of: &Latency| of.times.map(|times| times.longest);
        let told = |of: Option<(Duration, Instant)>| of.map(|(time, _)| time.as_ns());
        let of = format!("{pattern} {chain:?}\n{:?}", system.tasks);
        assert_eq!(longest(&handed.reaction), told(reaction), "reaction, {of}");
        assert_eq!(longest(&handed.age), told(age), "age, {of}");
        looked.values += handed.reaction.values + handed.age.values;
        looked.equal += usize::from(reaction.is_some());
        for one in row.comparisons() {
            assert_ne!(one.verdict, Verdict::Above, "{row:?}\n{of}");
            looked.bounded += usize::from(one.worst.is_some());
            looked.tight += usize::from(one.worst.is_some_and(|at| 10 * at.time >= 9 * at.bound));
        }
    }
}

#[test]
fn what_is_observed_of_chains_is_what_the_simulator_finds() {
    let mut looked = Looked::default();
    for index in 0..SYSTEMS {
        let system = named(vorrang_campaign::generate::chained_system(20_261, index));
        for pattern in ["synchronous", "random:7"] {
            compare(&system, pattern, &mut looked);
        }
    }
    let Looked { values, equal, bounded, tight } = looked;
    assert!(values > 50_000 && equal > 250 && bounded > 150 && tight > 10, "{looked:?}");
}

fn example(name: &str) -> String {
    let path = format!("{}/../../examples/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("an example")
}

fn read(text: &str) -> System {
    vorrang_model::read(text, vorrang_model::Format::Toml).expect("a system")
}

/// From the field bus to the actuator: jobs that others wake, over two cores and two guests.
fn field_bus() -> String {
    let woken = "[task.irq-fieldbus]\n";
    example("path").replace(woken, &format!("{woken}latest-interarrival = \"2ms\"\n"))
        + r#"
        [chain.axis]
        path = ["task.irq-fieldbus", "task.vhost-in", "task.driver", "task.control", "task.vhost-out", "task.actuator"]
        reaction = "3ms"
        age = "3ms"
        "#
}

#[test]
fn the_examples_are_observed_as_simulated() {
    for text in [example("chain"), field_bus()] {
        let mut looked = Looked::default();
        let system = named(read(&text));
        for pattern in ["synchronous", "random:7", "periodic:3", "random:11"] {
            compare(&system, pattern, &mut looked);
        }
        let of = 4 * system.chains.len();
        assert_eq!((looked.equal, looked.bounded), (of, 2 * of), "{looked:?}");
    }
}

/// A machine on which the first task of each chain comes four times too rarely is seen to be above the bounds.
#[test]
fn what_comes_too_rarely_is_above() {
    let (mut above, mut seen) = (0, 0);
    for index in 0..SYSTEMS / 2 {
        let system = named(vorrang_campaign::generate::chained_system(20_261, index));
        let mut rare = system.clone();
        for chain in &system.chains {
            let task = &mut rare.tasks[chain.path[0].0];
            let latest = task.latest_interarrival.expect("it is stated");
            task.min_interarrival = latest * 4;
            task.latest_interarrival = Some(latest * 4);
        }
        let Some((schedule, _)) = history(&rare, "synchronous") else { continue };
        for row in chains(&system, &schedule) {
            above += row.comparisons().iter().filter(|one| one.verdict == Verdict::Above).count();
            seen += row.comparisons().iter().filter(|one| one.worst.is_some()).count();
        }
    }
    assert!(above > 20, "{above} of {seen}");
}
