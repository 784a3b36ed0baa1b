//! The same input gives the same events; what a run reports is complete.

use crate::build::{core, interrupt, server, task, time};
use vorrang_model::system::{Scheduler, ServerKind, SupplyId, System};
use vorrang_sim::{Job, Observer, Pattern, Running, Search, Simulator, search};
use vorrang_time::Instant;

const CORE: SupplyId = SupplyId(0);

fn system() -> System {
    let mut system = core(Scheduler::FixedPriority);
    let a = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["3ms", "10ms"], 5);
    let idling = server(&mut system, "vcpu.b", CORE, ServerKind::Periodic, ["4ms", "20ms"], 4);
    let c = server(&mut system, "server.c", idling, ServerKind::Sporadic, ["2ms", "40ms"], 1);
    let d = server(&mut system, "server.d", c, ServerKind::CbsHard, ["1ms", "41ms"], 1);
    system.supplies[c.0].scheduler = Scheduler::Edf;
    task(&mut system, "task.a", a, ["1ms", "20ms"], 2);
    task(&mut system, "task.b", idling, ["1ms", "60ms"], 2);
    let late = task(&mut system, "task.x", c, ["3ms", "100ms"], 2);
    task(&mut system, "task.y", d, ["5ms", "700ms"], 1);
    task(&mut system, "task.z", CORE, ["2ms", "9ms"], 5);
    system.tasks[late.0].jitter = time("130ms");
    interrupt(&mut system, "interrupt.i", ["10us", "1ms"]);
    interrupt(&mut system, "interrupt.j", ["20us", "1ms"]);
    system
}

/// Everything that is told, as text.
#[derive(Default, PartialEq)]
struct Log(Vec<String>);

impl Observer for Log {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        self.0.push(format!("{from} {to} {what:?}"));
    }
    fn released(&mut self, job: &Job) {
        self.0.push(format!("{job:?}"));
    }
    fn completed(&mut self, job: &Job, at: Instant) {
        self.0.push(format!("{job:?} completed at {at}"));
    }
    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.0.push(format!("{job:?} unfinished at {at}"));
    }
    fn replenished(&mut self, server: SupplyId, at: Instant) {
        self.0.push(format!("{server:?} replenished at {at}"));
    }
    fn exhausted(&mut self, server: SupplyId, at: Instant) {
        self.0.push(format!("{server:?} exhausted at {at}"));
    }
}

#[test]
fn the_same_history_gives_the_same_events_whatever_ran_before() {
    let system = system();
    let mut reused = Simulator::new(&system, CORE).unwrap();
    for seed in 0..20 {
        let pattern = Pattern::parse(&format!("random:{seed}"), &system).unwrap();
        let history = pattern.history(&system, CORE).unwrap();
        let horizon = Instant::from_ns(1_000_000_000);
        let (mut first, mut second) = (Log::default(), Log::default());
        Simulator::new(&system, CORE).unwrap().run(&history, horizon, &mut first);
        reused.run(&history, horizon, &mut second);
        assert!(first.0.len() > 1000);
        assert!(first == second, "random:{seed}");
    }
}

/// Time is accounted for without gaps; responses agree with what was released.
#[derive(Default)]
struct Account {
    until: Instant,
    last: Option<Running>,
    open: Vec<Job>,
}

impl Observer for Account {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        assert_eq!(from, self.until);
        assert!(from < to);
        assert_ne!(self.last, Some(what), "equal neighbours are one interval");
        (self.until, self.last) = (to, Some(what));
    }
    fn released(&mut self, job: &Job) {
        assert!(job.arrival <= job.release);
        self.open.push(*job);
    }
    fn completed(&mut self, job: &Job, _at: Instant) {
        self.close(job);
    }
    fn unfinished(&mut self, job: &Job, at: Instant) {
        if job.release < at {
            self.close(job);
        }
    }
}

impl Account {
    /// Jobs of one source are closed in order.
    fn close(&mut self, job: &Job) {
        let place = self.open.iter().position(|open| open.source == job.source).unwrap();
        assert_eq!(self.open.remove(place), *job);
    }
}

#[test]
fn every_nanosecond_and_every_job_is_accounted_for() {
    let system = system();
    for text in ["synchronous", "random:1", "random:2", "random:3", "exhausted:task.x:1"] {
        let pattern = Pattern::parse(text, &system).unwrap();
        let history = pattern.history(&system, CORE).unwrap();
        let horizon = Instant::from_ns(987_654_321);
        let mut account = Account::default();
        Simulator::new(&system, CORE).unwrap().run(&history, horizon, &mut account);
        assert_eq!(account.until, horizon);
        assert_eq!(account.open, [], "{text}");
    }
}

#[test]
fn a_search_finds_the_same_twice() {
    let system = system();
    let small = Search { work: 200_000, ..Search::default() };
    let first = search(&system, &small);
    assert_eq!(first, search(&system, &small));
    assert!(first.tasks.iter().all(Option::is_some));
    for worst in first.tasks.iter().chain(&first.interrupts).flatten() {
        let again = Pattern::parse(&worst.pattern.to_string(), &system).unwrap();
        assert_eq!(again, worst.pattern);
    }
}

/// The witness shows what the search says it shows.
struct Find {
    arrival: Instant,
    response: vorrang_time::Duration,
    found: bool,
}

impl Observer for Find {
    fn completed(&mut self, job: &Job, at: Instant) {
        self.found |= job.arrival == self.arrival && at - job.arrival == self.response;
    }
}

#[test]
fn worst_responses_replay_from_their_text() {
    let system = system();
    let seen = search(&system, &Search { work: 200_000, ..Search::default() });
    for worst in seen.tasks.iter().flatten().filter(|worst| worst.finished) {
        let pattern = Pattern::parse(&worst.pattern.to_string(), &system).unwrap();
        let history = pattern.history(&system, CORE).unwrap();
        let mut find = Find { arrival: worst.arrival, response: worst.response, found: false };
        let horizon = worst.arrival + worst.response;
        Simulator::new(&system, CORE).unwrap().run(&history, horizon, &mut find);
        assert!(find.found, "{worst:?}");
    }
}
