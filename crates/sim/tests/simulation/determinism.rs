//! The same input gives the same events; what a run reports is complete.

use crate::build::{core, interrupt, server, share, task, time};
use vorrang_model::system::{
    Cache, CacheId, CacheModel, Costs, Delivery, Scheduler, ServerKind, ServerRule, SupplyId,
    System, TaskId, Timer,
};
use vorrang_sim::{
    Cause, Context, Job, Observer, Pattern, Payer, Running, Search, Section, Simulator, search,
};
use vorrang_time::{Duration, Instant};

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

/// A Linux core with servers of every kind that it can have, guests that take turns, costs, cold
/// caches, timers and interrupts.
fn linux() -> System {
    let mut system = core(Scheduler::Linux);
    let kind = ServerKind::SchedDeadline;
    let dl = server(&mut system, "server.dl", CORE, kind, ["2ms", "10ms"], 0);
    let constrained = server(&mut system, "server.constrained", CORE, kind, ["1ms", "20ms"], 0);
    let v = server(&mut system, "vcpu.v", CORE, ServerKind::PosixSporadic, ["3ms", "20ms"], 5);
    let w = server(&mut system, "vcpu.w", CORE, ServerKind::Polling, ["2ms", "15ms"], 6);
    let share = share(&mut system, "server.share", v, 2);
    let soft = server(&mut system, "server.soft", w, ServerKind::CbsSoft, ["1ms", "9ms"], 0);
    let refills = server(&mut system, "vcpu.r", CORE, ServerKind::RefillQueue, ["2ms", "30ms"], 4);
    for (place, (on, work)) in [
        (dl, ["3ms", "21ms"]),
        (constrained, ["1ms", "25ms"]),
        (v, ["2ms", "30ms"]),
        (v, ["1ms", "35ms"]),
        (share, ["2ms", "45ms"]),
        (soft, ["2ms", "50ms"]),
        (w, ["1ms", "55ms"]),
        (refills, ["3ms", "60ms"]),
        (CORE, ["1ms", "20ms"]),
    ]
    .into_iter()
    .enumerate()
    {
        let id = task(&mut system, &format!("task.{place}"), on, work, 7);
        system.tasks[id.0].share = 1 + u32::try_from(id.0).unwrap() % 3;
        system.tasks[id.0].bcet = time("300us");
    }
    system.supplies[dl.0].server_mut().unwrap().rule =
        ServerRule::SchedDeadline { deadline: None, reclaims: true };
    system.supplies[constrained.0].server_mut().unwrap().rule =
        ServerRule::SchedDeadline { deadline: Some(time("5ms")), reclaims: false };
    system.supplies[v.0].scheduler = Scheduler::Vtrr;
    system.supplies[v.0].quantum = time("500us");
    system.supplies[w.0].scheduler = Scheduler::Edf;
    let [cold, colder] = [CacheModel::Flood, CacheModel::Exponential];
    for (id, model) in [(v, cold), (w, colder), (refills, colder)] {
        system.supplies[id.0].vm = Some(system.supplies[id.0].name.clone());
        system.supplies[id.0].cache = Some(CacheId(system.caches.len()));
        let (useful_ppm, sustained) = (90_000, time("85us"));
        let name = format!("cache.{}", system.caches.len());
        system.caches.push(Cache { name, model, useful_ppm, sustained });
    }
    system.costs = Costs {
        scheduler_call: time("2us"),
        context_switch: time("3us"),
        timer_expiry: time("1us"),
        interrupt_entry: time("1us"),
        interrupt_exit: time("700ns"),
        vm_exit: time("900ns"),
    };
    let (armed_by, period) = (TaskId(8), time("7ms"));
    system.timers.push(Timer { name: "timer.t".into(), armed_by, period, wakes: false });
    let i = interrupt(&mut system, "interrupt.i", ["10us", "11ms"]);
    system.interrupts[i.0].storm = Some(time("300us"));
    let (isr, pseudo_vcpu) = (time("20us"), None);
    system.interrupts[i.0].delivery = Some(Delivery { vcpu: w, isr, pseudo_vcpu });
    interrupt(&mut system, "interrupt.j", ["20us", "13ms"]);
    system
}

/// Machines that take turns of their core by stride scheduling, tasks by weighted round-robin.
fn turns() -> System {
    let mut system = core(Scheduler::Stride);
    system.supplies[0].quantum = time("900us");
    for place in 0..3 {
        let name = format!("vcpu.{place}");
        let id = share(&mut system, &name, CORE, place + 1);
        system.supplies[id.0].vm = Some(name);
        system.supplies[id.0].scheduler = Scheduler::WeightedRoundRobin;
        system.supplies[id.0].quantum = time("200us");
        for (name, work) in [("x", ["1ms", "9ms"]), ("y", ["2ms", "17ms"])] {
            let id = task(&mut system, &format!("task.{name}{place}"), id, work, 0);
            system.tasks[id.0].share = place + 1;
            system.tasks[id.0].jitter = time("3ms");
        }
    }
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
    fn lost(&mut self, context: Option<Context>, cause: Cause, amount: Duration, at: Instant) {
        self.0.push(format!("{context:?} lost {amount} to {cause:?} at {at}"));
    }
    fn switched(&mut self, from: Option<Context>, to: Context, at: Instant) {
        self.0.push(format!("{from:?} to {to:?} at {at}"));
    }
    fn paid(&mut self, payer: Payer, from: Instant, to: Instant) {
        self.0.push(format!("{payer:?} paid from {from} to {to}"));
    }
}

#[test]
fn the_same_history_gives_the_same_events_whatever_ran_before() {
    for system in [system(), linux(), turns()] {
        same_twice(&system);
    }
}

fn same_twice(system: &System) {
    let mut reused = Simulator::new(system, CORE).unwrap();
    let texts = (0..6).flat_map(|seed| [format!("random:{seed}"), format!("periodic:{seed}")]);
    for text in texts {
        let pattern = Pattern::parse(&text, system).unwrap();
        let history = pattern.history(system, CORE).unwrap();
        let horizon = Instant::from_ns(1_000_000_000);
        let (mut first, mut second) = (Log::default(), Log::default());
        Simulator::new(system, CORE).unwrap().run(&history, horizon, &mut first);
        reused.run(&history, horizon, &mut second);
        assert!(first.0.len() > 1000);
        assert!(first == second, "{text}");
    }
}

/// Time is accounted for without gaps; responses agree with what was released.
#[derive(Default)]
struct Account {
    until: Instant,
    last: Option<Running>,
    open: Vec<Job>,
    /// What the kernel ran for itself, and what was lost to it.
    kernel: Duration,
    lost: Duration,
}

impl Observer for Account {
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        assert_eq!(from, self.until);
        assert!(from < to);
        assert_ne!(self.last, Some(what), "equal neighbours are one interval");
        (self.until, self.last) = (to, Some(what));
        if let Running::Kernel(Section::SchedulerCall | Section::ContextSwitch) = what {
            self.kernel += to - from;
        }
    }
    fn lost(&mut self, _context: Option<Context>, cause: Cause, amount: Duration, _at: Instant) {
        if let Cause::SchedulerCall | Cause::ContextSwitch = cause {
            self.lost += amount;
        }
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
    let plain = ["synchronous", "random:1", "random:2", "random:3"];
    all_is_accounted_for(&system(), &[&plain[..], &["exhausted:task.x:1"]].concat());
    // Requests that merge in the guest are released and not complete.
    let mut without_merging = linux();
    without_merging.interrupts[0].storm = None;
    all_is_accounted_for(&without_merging, &[&plain[..], &["periodic:1"]].concat());
    all_is_accounted_for(&turns(), &plain);
}

fn all_is_accounted_for(system: &System, texts: &[&str]) {
    for text in texts {
        let pattern = Pattern::parse(text, system).unwrap();
        let history = pattern.history(system, CORE).unwrap();
        let horizon = Instant::from_ns(987_654_321);
        let mut account = Account::default();
        Simulator::new(system, CORE).unwrap().run(&history, horizon, &mut account);
        assert_eq!(account.until, horizon);
        assert_eq!(account.open, [], "{text}");
        assert_eq!(account.kernel, account.lost, "{text}");
    }
}

#[test]
fn a_search_finds_the_same_twice() {
    for system in [system(), linux(), turns()] {
        let small = Search { work: 60_000, ..Search::default() };
        let first = search(&system, &small);
        assert_eq!(first, search(&system, &small));
        assert!(first.tasks.iter().all(Option::is_some));
        for worst in first.tasks.iter().chain(&first.interrupts).flatten() {
            let again = Pattern::parse(&worst.pattern.to_string(), &system).unwrap();
            assert_eq!(again, worst.pattern);
        }
    }
}

/// The witness shows what the search says it shows.
struct Find {
    arrival: Instant,
    response: Duration,
    found: bool,
}

impl Observer for Find {
    fn completed(&mut self, job: &Job, at: Instant) {
        self.found |= job.arrival == self.arrival && at - job.arrival == self.response;
    }
}

#[test]
fn worst_responses_replay_from_their_text() {
    for system in [system(), linux(), turns()] {
        worst_of_tasks_replay(&system);
    }
}

fn worst_of_tasks_replay(system: &System) {
    let seen = search(system, &Search { work: 60_000, ..Search::default() });
    for worst in seen.tasks.iter().flatten().filter(|worst| worst.finished) {
        let pattern = Pattern::parse(&worst.pattern.to_string(), system).unwrap();
        let history = pattern.history(system, CORE).unwrap();
        let mut find = Find { arrival: worst.arrival, response: worst.response, found: false };
        let horizon = worst.arrival + worst.response;
        Simulator::new(system, CORE).unwrap().run(&history, horizon, &mut find);
        assert!(find.found, "{worst:?}");
    }
}
