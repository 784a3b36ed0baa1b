//! The limits of a search, and what is stored of a history in overload.

use vorrang_model::system::{Member, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{
    Ceilings, End, History, Job, Observations, Observer, Pattern, Running, Search, Simulator,
    search_observed,
};
use vorrang_time::{Duration, Instant};

const CORE: SupplyId = SupplyId(0);

fn at(ns: u64) -> Instant {
    Instant::from_ns(ns)
}

fn system(text: &str) -> System {
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// Descriptions for which a search took minutes.
fn endless() -> Vec<System> {
    let consolidation = include_str!("../../../../examples/consolidation.toml");
    let storm = "min-interarrival = \"94us\"\nstorm = \"1ns\"";
    let storm = consolidation.replace("min-interarrival = \"94us\"", storm);
    assert_ne!(storm, consolidation);
    let texts = [
        include_str!("../../../vorrang/tests/systems/turns-of-2ns.toml"),
        include_str!("../../../vorrang/tests/systems/turns-of-143ns.toml"),
        include_str!("../../../vorrang/tests/systems/storm-of-1ns.toml"),
        include_str!("../../../vorrang/tests/systems/twice-overloaded.toml"),
        include_str!("../../../vorrang/tests/systems/an-hour-every-nanosecond.toml"),
        &storm,
    ];
    texts.map(system).into()
}

/// Counts the instants of all histories.
#[derive(Default)]
struct Instants(u64);

impl Observer for Instants {
    fn runs(&mut self, _what: Running, _at: Instant) {
        self.0 += 1;
    }
}

fn searched(system: &System, steps: u64) -> (Observations, u64) {
    let mut instants = Instants::default();
    let search = Search { steps, ..Search::default() };
    let observations =
        search_observed(system, &search, &Ceilings::default(), &mut instants, &mut |_| {});
    (observations, instants.0)
}

#[test]
fn a_search_takes_no_more_steps_than_it_may_and_counts_what_it_leaves_out() {
    for system in endless() {
        let name = &system.tasks[0].name;
        let (_, instants) = searched(&system, 100_000);
        assert!((1..=100_000).contains(&instants), "{name}: {instants}");
        // So few that no shorter search follows.
        let (observations, instants) = searched(&system, 80_000);
        assert!((1..=80_000).contains(&instants), "{name}: {instants}");
        let count = |own: &vorrang_sim::Omission| own.left_out + own.cut_short;
        let omitted: u64 = observations.omissions.iter().map(count).sum();
        assert!(omitted > 0, "{name}");
        let left_out: u64 = observations.omissions.iter().map(|own| own.left_out).sum();
        let (whole, _) = searched(&system, 0);
        let wanted: u64 = whole.omissions.iter().map(|own| own.wanted).sum();
        assert_eq!((whole.runs(), observations.runs() + left_out), (0, wanted), "{name}");
        assert_eq!(searched(&system, 80_000).0, observations, "{name}");
    }
}

#[test]
fn every_core_has_its_share_of_the_steps() {
    let two = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[core.1]\n\
               scheduler = \"fixed-priority\"\n[task.greedy]\non = \"core.0\"\nwcet = \"1h\"\n\
               period = \"1ns\"\n[task.modest]\non = \"core.1\"\nwcet = \"1ms\"\nperiod = \"10ms\"\n";
    let system = system(two);
    let (observations, _) = searched(&system, 1_000_000);
    assert!(observations.omissions.iter().all(|own| own.core == CORE), "{observations:?}");
    let modest = observations.tasks[1].as_ref().expect("it was seen");
    assert_eq!(modest.response, Duration::from_ms(1));
}

/// All responses of a task, in order, and whether the job was complete.
#[derive(Default)]
struct Responses(Vec<(u64, Instant, Instant, bool)>);

impl Observer for Responses {
    fn completed(&mut self, job: &Job, now: Instant) {
        self.0.push((job.number, job.arrival, now, true));
    }

    fn unfinished(&mut self, job: &Job, now: Instant) {
        self.0.push((job.number, job.arrival, now, false));
    }
}

/// Alone on a core a job begins when it is released and its predecessor is complete; however many
/// wait, each is seen as if it had been written down.
#[test]
fn jobs_that_wait_are_exact_however_many_there_are() {
    let system = system(
        "version = 1\n[core.0]\nscheduler = \"edf\"\n[task.a]\non = \"core.0\"\n\
         bcet = \"50ns\"\nwcet = \"250ns\"\nperiod = \"100ns\"\njitter = \"1us\"\n",
    );
    for pattern in ["synchronous", "random:1", "random:2", "periodic:3"] {
        let pattern = Pattern::parse(pattern, &system).unwrap();
        let history = pattern.history(&system, CORE).unwrap();
        let end = at(100_000);
        let mut seen = Responses::default();
        let mut simulator = Simulator::new(&system, CORE).unwrap();
        assert_eq!(simulator.run(&history, end, &mut seen), End::Horizon);
        let mut free = Instant::ZERO;
        let mut expected = Vec::new();
        let jobs = history.jobs_of_task(&system, TaskId(0));
        for job in jobs.take_while(|job| job.arrival < end) {
            free = free.max(job.release) + job.execution;
            expected.push((job.number, job.arrival, free.min(end), free <= end));
        }
        assert_eq!(seen.0, expected, "{pattern}");
        let waiting = seen.0.iter().filter(|(.., complete)| !complete).count();
        assert!(waiting > 100, "{pattern}: {waiting}");
    }
}

/// A section that blocks stands before one of the jobs that are only counted.
#[test]
fn a_section_is_found_again_among_the_jobs_that_wait() {
    let system = system(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[task.a]\non = \"core.0\"\n\
         wcet = \"200ns\"\nperiod = \"100ns\"\nblocking = \"7ns\"\n",
    );
    let synchronous = Pattern::parse("synchronous", &system).unwrap();
    let mut history = synchronous.history(&system, CORE).unwrap();
    // By then 500 jobs are released and 250 complete.
    history.blocker =
        Some(vorrang_sim::Blocker { member: Member::Task(TaskId(0)), from: at(50_000) });
    let mut seen = Responses::default();
    Simulator::new(&system, CORE).unwrap().run(&history, at(110_000), &mut seen);
    let completed = |job: usize| seen.0[job].2;
    assert_eq!(completed(499), at(100_000));
    assert_eq!(completed(500), at(100_207));
    assert_eq!(completed(501), at(100_407));
}

#[test]
fn a_history_ends_where_more_waits_than_is_kept() {
    let system = system(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[interrupt.i]\non = \"core.0\"\n\
         isr = \"200ns\"\nmin-interarrival = \"100ns\"\n",
    );
    let history = Pattern::parse("synchronous", &system).unwrap().history(&system, CORE).unwrap();
    let mut seen = Responses::default();
    let mut simulator = Simulator::new(&system, CORE).unwrap();
    assert_eq!(simulator.run(&history, at(1_000_000_000), &mut seen), End::FullBooks);
    let reached = seen.0.last().expect("some wait").2;
    assert!(reached < at(10_000_000), "{reached}");
    // What was seen is what a history of that length shows.
    let mut shorter = Responses::default();
    assert_eq!(simulator.run(&history, reached, &mut shorter), End::Horizon);
    assert_eq!(shorter.0, seen.0);
}

/// Where steps are limited, the oldest of what is left over is told in any case.
#[test]
fn a_history_without_steps_tells_the_oldest_job_that_waits() {
    let system = system(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n[task.a]\non = \"core.0\"\n\
         wcet = \"1h\"\nperiod = \"1ns\"\njitter = \"1s\"\n",
    );
    let mut history = History::quiet(&system);
    history.tasks[0] = vorrang_sim::Arrivals::from(at(5));
    let mut seen = Responses::default();
    let mut simulator = Simulator::new(&system, CORE).unwrap();
    simulator.allow(1_000);
    assert_eq!(simulator.run(&history, at(1_000_000), &mut seen), End::OutOfSteps);
    assert_eq!(simulator.steps_left(), 0);
    assert_eq!((seen.0[0].0, seen.0[0].1), (0, at(5)));
}
