//! Overheads of the machine: small schedules by hand, and where the time goes.

use crate::build::{core, interrupt, server, task, time};
use crate::drawing::{arrivals, at, draw, draw_history};
use vorrang_model::system::{
    Cache, CacheId, CacheModel, Costs, Scheduler, ServerKind, SupplyId, System, TaskId,
};
use vorrang_sim::{Cause, Context, History, Job, Observer, simulate};
use vorrang_time::{Duration, Instant};

const CORE: SupplyId = SupplyId(0);

fn costs(scheduler_call: &str, context_switch: &str) -> Costs {
    let (scheduler_call, context_switch) = (time(scheduler_call), time(context_switch));
    Costs { scheduler_call, context_switch, ..Costs::default() }
}

/// Two tasks on a core, the second more urgent.
fn two_tasks(costs: Costs) -> System {
    let mut system = core(Scheduler::FixedPriority);
    task(&mut system, "task.a", CORE, ["4ms", "30ms"], 1);
    task(&mut system, "task.b", CORE, ["2ms", "30ms"], 2);
    system.costs = costs;
    system
}

#[test]
fn every_event_calls_the_scheduler_and_every_other_context_is_switched_to() {
    // b is released while a has the core, and a goes on when b is complete.
    assert_eq!(draw(&two_tasks(costs("1ms", "0ms")), &[0, 2], 12), "^a^bb^aaa^..");
    assert_eq!(draw(&two_tasks(costs("0ms", "1ms")), &[0, 2], 12), "^a^bb^aaa...");
    assert_eq!(draw(&two_tasks(costs("1ms", "1ms")), &[0, 4], 16), "^^aa^^bb^^aa^...");
}

#[test]
fn less_urgent_work_goes_on_when_something_becomes_ready_on_an_idle_core() {
    let mut system = core(Scheduler::Linux);
    task(&mut system, "task.a", CORE, ["2ms", "30ms"], 1);
    task(&mut system, "task.b", CORE, ["2ms", "30ms"], 2);
    interrupt(&mut system, "interrupt.i", ["1ms", "30ms"]);
    system.supplies[0].sections = time("3ms");
    let drawn = |sections: &str, length: u64| {
        let mut history = History { tasks: arrivals(&[1, 9]), ..History::quiet(&system) };
        history.interrupts = arrivals(&[2]);
        history.sections = time(sections);
        draw_history(&system, &history, length)
    };
    assert_eq!(drawn("0ms", 12), ".a0a.....bb.");
    // Not interrupted, and nothing is longer than the core says.
    assert_eq!(drawn("2ms", 14), ".^^0aa...^^bb.");
    assert_eq!(drawn("5ms", 15), ".^^^0aa..^^^bb.");
    // Only where nothing runs: b is released while a does.
    let mut history = History { tasks: arrivals(&[0, 4]), ..History::quiet(&system) };
    history.sections = time("3ms");
    assert_eq!(draw_history(&system, &history, 9), "^^^abba..");
}

/// How often the scheduler is called.
#[derive(Default)]
struct Calls(u64);

impl Observer for Calls {
    fn called(&mut self, _at: Instant) {
        self.0 += 1;
    }
}

#[test]
fn calls_are_counted_whatever_they_cost() {
    for costs in [costs("0ms", "0ms"), costs("0ms", "1ms"), costs("1ms", "0ms")] {
        let system = two_tasks(costs);
        let history = History { tasks: arrivals(&[0, 2]), ..History::quiet(&system) };
        let mut calls = Calls::default();
        simulate(&system, CORE, &history, at(12), &mut calls).unwrap();
        // Each of the two tasks is released and completes.
        assert_eq!(calls.0, 4);
    }
}

#[test]
fn what_happens_during_a_call_needs_no_other_but_during_a_switch_it_does() {
    let system = two_tasks(costs("2ms", "2ms"));
    assert_eq!(draw(&system, &[0, 1], 16), "^^^^bb^^^^aaaa^^");
    assert_eq!(draw(&system, &[0, 2], 16), "^^^^bb^^^^aaaa^^");
    assert_eq!(draw(&system, &[0, 3], 18), "^^^^^^^^bb^^^^aaaa");
    assert_eq!(draw(&system, &[0, 4], 18), "^^^^^^^^bb^^^^aaaa");
}

#[test]
fn service_routines_wait_for_sections_and_calls_wait_for_routines() {
    let mut system = two_tasks(costs("2ms", "1ms"));
    interrupt(&mut system, "interrupt.0", ["1ms", "30ms"]);
    let drawn = |first: u64| {
        let interrupts = arrivals(&[first]);
        let history = History { tasks: arrivals(&[0, 20]), interrupts, ..History::quiet(&system) };
        draw_history(&system, &history, 12)
    };
    // At the same instant, during the call, at its end, during the switch, later: the routine
    // needs no call of its own.
    assert_eq!(drawn(0), "0^^^aaaa^^..");
    assert_eq!(drawn(1), "^^^0aaaa^^..");
    assert_eq!(drawn(2), "^^^0aaaa^^..");
    assert_eq!(drawn(3), "^^^0aaaa^^..");
    assert_eq!(drawn(5), "^^^aa0aa^^..");
}

#[test]
fn guests_schedule_themselves_for_nothing() {
    let mut system = core(Scheduler::FixedPriority);
    let a = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["9ms", "30ms"], 1);
    system.supplies[a.0].vm = Some("vcpu.a".into());
    task(&mut system, "task.a", a, ["3ms", "30ms"], 1);
    task(&mut system, "task.b", a, ["2ms", "30ms"], 2);
    system.costs = costs("1ms", "1ms");
    // The replenishment at 0 and the guest's sleep are what the host sees.
    assert_eq!(draw(&system, &[0, 3], 9), "^^abbaa^.");
    system.supplies[a.0].vm = None;
    assert_eq!(draw(&system, &[0, 3], 14), "^^a^^bb^^aa^..");
}

/// Sums of losses by context and cause; completions.
#[derive(Default)]
struct Losses {
    lost: Vec<(Option<Context>, Cause, Duration)>,
    completed: Vec<Instant>,
    switches: u32,
}

impl Observer for Losses {
    fn lost(&mut self, context: Option<Context>, cause: Cause, amount: Duration, _at: Instant) {
        match self.lost.iter_mut().find(|(own, why, _)| (*own, *why) == (context, cause)) {
            Some((_, _, sum)) => *sum += amount,
            None => self.lost.push((context, cause, amount)),
        }
    }
    fn completed(&mut self, _job: &Job, at: Instant) {
        self.completed.push(at);
    }
    fn switched(&mut self, from: Option<Context>, to: Context, _at: Instant) {
        assert_ne!(from, Some(to));
        self.switches += 1;
    }
}

fn losses(system: &System, first: &[u64], horizon: u64) -> Losses {
    let history = History { tasks: arrivals(first), ..History::quiet(system) };
    let mut losses = Losses::default();
    simulate(system, CORE, &history, at(horizon), &mut losses).unwrap();
    losses
}

#[test]
fn lost_time_is_counted_for_who_gets_the_core() {
    let system = two_tasks(costs("1ms", "2ms"));
    let [a, b] = [0, 1].map(|id| Some(Context::Task(TaskId(id))));
    // ^^^ a ^^^ bb ^^^ aaa ^
    let seen = losses(&system, &[0, 4], 20);
    assert_eq!(
        seen.lost,
        [
            (a, Cause::SchedulerCall, time("2ms")),
            (a, Cause::ContextSwitch, time("4ms")),
            (b, Cause::SchedulerCall, time("1ms")),
            (b, Cause::ContextSwitch, time("2ms")),
            (None, Cause::SchedulerCall, time("1ms")),
        ]
    );
    assert_eq!(seen.switches, 3);
    assert_eq!(seen.completed, [at(9), at(15)]);
}

fn with_cache(mut system: System, model: CacheModel) -> System {
    let (useful_ppm, sustained) = (90_000, time("85us"));
    system.caches.push(Cache { name: "cache.64k".into(), model, useful_ppm, sustained });
    for task in &mut system.tasks {
        task.cache = Some(CacheId(0));
    }
    system
}

#[test]
fn a_cold_cache_slows_a_job_by_exactly_what_is_lost() {
    for (model, loss) in
        [(CacheModel::Flood, Duration::from_ns(77_350)), (CacheModel::Exponential, time("77350ns"))]
    {
        let system = with_cache(two_tasks(Costs::default()), model);
        let seen = losses(&system, &[0, 10], 20);
        let end = |ms: u64| at(ms) + loss;
        assert_eq!(seen.completed, [end(4), end(12)], "{model:?}");
        // b interrupts a: both are cold when they get the core.
        let seen = losses(&system, &[0, 2], 20);
        assert_eq!(seen.completed, [end(4), end(6) + loss + loss], "{model:?}");
        let lost = |id: usize| Some(Context::Task(TaskId(id)));
        let cold = Cause::ColdCache;
        assert_eq!(seen.lost, [(lost(0), cold, loss + loss), (lost(1), cold, loss)], "{model:?}");
    }
}

#[test]
fn an_interval_that_is_cut_short_stays_cold() {
    let mut system = with_cache(two_tasks(Costs::default()), CacheModel::Flood);
    system.tasks[0].wcet = time("9us");
    // 9 us of work take 100 us cold; a second job of the same task goes on where it was: neither
    // a routine nor idling makes it cold.
    system.tasks[0].min_interarrival = time("1ms");
    interrupt(&mut system, "interrupt.0", ["10us", "1ms"]);
    let mut history = History::quiet(&system);
    history.tasks = arrivals(&[0, 10]);
    history.interrupts = arrivals(&[0]);
    let mut seen = Losses::default();
    simulate(&system, CORE, &history, at(2), &mut seen).unwrap();
    let us = |us: u64| Instant::from_ns(us * 1_000);
    // 10 us for the routine, 85 us for 7.65 us of work, 1.35 us for the rest.
    let first = us(95) + Duration::from_ns(1_350);
    assert_eq!(seen.completed, [us(10), first, us(1_010), us(1_019)]);
}
