//! Timers in both kinds of queue, drawn by hand. `^` is the kernel: an entry, a callback and an
//! exit take a millisecond each, unless nothing costs anything.

use crate::build::{core, interrupt, server, task, time};
use crate::drawing::{CORE, Drawing, arrivals, at};
use core::fmt::Write as _;
use vorrang_model::system::{
    Activation, InterruptOrder, InterruptTime, Scheduler, ServerKind, System, TaskId, Timer,
    TimerId, TimerQueue,
};
use vorrang_sim::{Arrivals, Cause, Context, History, Observer, simulate};
use vorrang_time::{Duration, Instant};

/// Adds a timer of a task that expires once in a test.
fn timer(system: &mut System, name: &str, armed_by: TaskId, wakes: bool) -> TimerId {
    let id = TimerId(system.timers.len());
    system.timers.push(Timer { name: name.into(), armed_by, period: time("1000s"), wakes });
    if wakes {
        system.tasks[armed_by.0].activation = Activation::Timer(id);
    }
    id
}

fn charge(system: &mut System) {
    system.costs.timer_expiry = time("1ms");
    system.costs.interrupt_entry = time("1ms");
    system.costs.interrupt_exit = time("1ms");
}

fn queue(system: &System, kind: TimerQueue) -> System {
    let mut system = system.clone();
    system.supplies[0].timer_queue = kind;
    system
}

/// Lists callbacks as `0:2-4`: timer 0, which expired at 2, at the end of its callback at 4.
#[derive(Default)]
struct Callbacks(String);

impl Observer for Callbacks {
    fn expired(&mut self, timer: TimerId, due: Instant, at: Instant) {
        let [due, at] = [due, at].map(|at| at.as_ns() / 1_000_000);
        write!(self.0, "{}:{due}-{at} ", timer.0).unwrap();
    }
}

/// What ran and which callbacks, with tasks and timers that come first as given.
fn run(system: &System, tasks: &[u64], timers: &[u64], length: u64) -> (String, String) {
    let history =
        History { tasks: arrivals(tasks), timers: arrivals(timers), ..History::quiet(system) };
    run_history(system, &history, length)
}

fn run_history(system: &System, history: &History, length: u64) -> (String, String) {
    let (mut drawing, mut callbacks) = (Drawing::default(), Callbacks::default());
    simulate(system, CORE, history, at(length), &mut (&mut drawing, &mut callbacks)).unwrap();
    (drawing.0, callbacks.0.trim_end().to_owned())
}

/// A budget returns and ends by an interrupt where it does once in a period, and a guest is left
/// for it. What returns in pieces does so without one.
#[test]
fn budgets_return_and_end_by_timer_interrupts() {
    let with = |kind, scheduler| {
        let mut system = core(scheduler);
        let id = server(&mut system, "vcpu.a", CORE, kind, ["3ms", "10ms"], 1);
        system.supplies[id.0].vm = Some("vcpu.a".into());
        task(&mut system, "task.a", id, ["4ms", "100ms"], 1);
        charge(&mut system);
        system.costs.vm_exit = time("1ms");
        run(&system, &[0], &[], 16).0
    };
    assert_eq!(with(ServerKind::Deferrable, Scheduler::FixedPriority), "^^^aaa^^^^^^^a..");
    assert_eq!(with(ServerKind::Periodic, Scheduler::FixedPriority), "^^^aaa^^^^^^^a~~");
    assert_eq!(with(ServerKind::Polling, Scheduler::FixedPriority), "^^^aaa^^^^^^^a..");
    assert_eq!(with(ServerKind::CbsHard, Scheduler::Edf), "aaa^^^^...^^^a..");
    assert_eq!(with(ServerKind::SchedDeadline, Scheduler::Linux), "aaa^^^^...^^^a..");
    assert_eq!(with(ServerKind::Sporadic, Scheduler::FixedPriority), "aaa.......a.....");
}

/// The first timer expires at 1, and its interrupt uses the budget up just as it is over, at 5: what
/// has expired at 4 is requested in step 1, the end of the budget in step 2.
#[test]
fn what_expires_while_the_timer_interrupt_exits_comes_before_a_budget_that_ends_then() {
    let mut system = core(Scheduler::Linux);
    system.supplies[0].interrupt_time = InterruptTime::Charged;
    let budget = ["5ms", "40ms"];
    let id = server(&mut system, "server.a", CORE, ServerKind::SchedDeadline, budget, 1);
    let task = task(&mut system, "task.a", id, ["9ms", "100ms"], 1);
    for name in ["timer.0", "timer.1"] {
        timer(&mut system, name, task, false);
    }
    charge(&mut system);
    system.costs.interrupt_exit = time("2ms");
    assert_eq!(run(&system, &[0], &[1, 4], 15), ("a^^^^^^^^^^^^..".into(), "0:1-3 1:4-7".into()));
}

/// Task b in a guest below task a of the host: its timer interrupts the guest at 3 like any, and the
/// guest's routine (1 ms, and an exit) waits for the guest's time and comes before what runs there.
#[test]
fn a_guest_takes_the_timers_of_its_tasks_with_a_routine_of_its_own() {
    let mut system = core(Scheduler::FixedPriority);
    task(&mut system, "task.a", CORE, ["2ms", "40ms"], 2);
    let vcpu = server(&mut system, "vcpu.v", CORE, ServerKind::Sporadic, ["30ms", "40ms"], 1);
    system.supplies[vcpu.0].vm = Some("vcpu.v".into());
    let b = task(&mut system, "task.b", vcpu, ["2ms", "40ms"], 2);
    task(&mut system, "task.c", vcpu, ["4ms", "40ms"], 1);
    timer(&mut system, "timer.0", b, true);
    charge(&mut system);
    system.costs.vm_exit = time("1ms");
    let drawn = |system: &System| run(system, &[5, 0, 0], &[3], 20);
    assert_eq!(drawn(&system), ("ccc^^^^aabbc........".into(), "0:3-6".into()));
    system.deliver_timer(TimerId(0), time("1ms"), None);
    assert_eq!(drawn(&system), ("ccc^^^^aaAAbbc......".into(), "0:3-6".into()));
}

/// Task a above task b, which a timer wakes.
fn two_tasks(scheduler: Scheduler) -> System {
    let mut system = core(scheduler);
    task(&mut system, "task.a", CORE, ["4ms", "40ms"], 2);
    let b = task(&mut system, "task.b", CORE, ["2ms", "40ms"], 1);
    timer(&mut system, "timer.0", b, true);
    charge(&mut system);
    system
}

#[test]
fn a_less_urgent_timer_delays_a_job_with_hrtimers_and_not_with_timershield() {
    let system = two_tasks(Scheduler::FixedPriority);
    let drawn = |kind| run(&queue(&system, kind), &[0, 0], &[2], 10);
    assert_eq!(drawn(TimerQueue::HrTimer), ("aa^^^aabb.".into(), "0:2-4".into()));
    assert_eq!(drawn(TimerQueue::TimerShield), ("aaaa^^^bb.".into(), "0:2-6".into()));
}

#[test]
fn a_timer_that_is_as_urgent_as_what_runs_interrupts_it() {
    let mut system = two_tasks(Scheduler::FixedPriority);
    system.tasks[0].priority = system.tasks[1].priority;
    let drawn = |kind| run(&queue(&system, kind), &[0, 0], &[2], 10).0;
    assert_eq!(drawn(TimerQueue::HrTimer), "aa^^^aabb.");
    assert_eq!(drawn(TimerQueue::TimerShield), "aa^^^aabb.");
}

#[test]
fn no_timer_waits_where_deadlines_order_tasks() {
    let drawn = |kind| run(&queue(&two_tasks(Scheduler::Edf), kind), &[0, 0], &[2], 10).0;
    assert_eq!(drawn(TimerQueue::HrTimer), "aa^^^aabb.");
    assert_eq!(drawn(TimerQueue::TimerShield), "aa^^^aabb.");
}

#[test]
fn deferred_timers_are_handled_in_one_interrupt_before_something_as_urgent_or_less_runs() {
    let mut system = core(Scheduler::FixedPriority);
    let a = task(&mut system, "task.a", CORE, ["3ms", "40ms"], 3);
    let b = task(&mut system, "task.b", CORE, ["2ms", "40ms"], 2);
    let c = task(&mut system, "task.c", CORE, ["1ms", "40ms"], 1);
    for (name, owner) in [("timer.0", c), ("timer.1", b), ("timer.2", c), ("timer.3", b)] {
        timer(&mut system, name, owner, false);
    }
    charge(&mut system);
    let tasks = [a, b, c].map(|_| 0);
    // Those of b before b, in the order of expiry; that of 4 expires meanwhile; then those of c.
    let (drawn, callbacks) =
        run(&queue(&system, TimerQueue::TimerShield), &tasks, &[1, 2, 2, 4], 15);
    assert_eq!(drawn, "aaa^^^^bb^^^^c.");
    assert_eq!(callbacks, "1:2-5 3:4-6 0:1-11 2:2-12");
    // Each expiry interrupts; what expires during the callbacks is handled with them.
    let (drawn, callbacks) = run(&queue(&system, TimerQueue::HrTimer), &tasks, &[1, 2, 2, 4], 14);
    assert_eq!(drawn, "a^^^^^^aabbc..");
    assert_eq!(callbacks, "0:1-3 1:2-4 2:2-5 3:4-6");
}

#[test]
fn a_batch_that_releases_something_more_urgent_is_followed_by_it() {
    let mut system = core(Scheduler::FixedPriority);
    task(&mut system, "task.a", CORE, ["3ms", "40ms"], 3);
    let b = task(&mut system, "task.b", CORE, ["2ms", "40ms"], 2);
    task(&mut system, "task.c", CORE, ["4ms", "40ms"], 1);
    timer(&mut system, "timer.0", b, true);
    charge(&mut system);
    let shield = queue(&system, TimerQueue::TimerShield);
    assert_eq!(run(&shield, &[0, 0, 0], &[1], 14).0, "aaa^^^bbcccc..");
    // A call of the scheduler decides before the interrupt, and after it for what was released.
    system.costs.scheduler_call = time("1ms");
    let shield = queue(&system, TimerQueue::TimerShield);
    assert_eq!(run(&shield, &[0, 0, 0], &[2], 18).0, "^aaa^^^^^bb^cccc^.");
}

#[test]
fn timers_that_cost_nothing_wake_their_task_when_they_expire() {
    let mut system = two_tasks(Scheduler::FixedPriority);
    system.costs = vorrang_model::system::Costs::default();
    system.timers[0].period = time("3ms");
    let drawn = |kind| run(&queue(&system, kind), &[4, 0], &[1], 14);
    let (hrtimer, callbacks) = drawn(TimerQueue::HrTimer);
    assert_eq!(hrtimer, ".bb.aaaabbbbbb");
    assert_eq!(callbacks, "0:1-1 0:4-4 0:7-7 0:10-10 0:13-13");
    let (shield, callbacks) = drawn(TimerQueue::TimerShield);
    assert_eq!(shield, ".bb.aaaabbbbbb");
    assert_eq!(callbacks, "0:1-1 0:4-4 0:7-8 0:10-10 0:13-13");
}

#[test]
fn the_timer_interrupt_comes_before_others_of_its_instant_and_by_priority_before_all() {
    let mut system = two_tasks(Scheduler::FixedPriority);
    interrupt(&mut system, "interrupt.0", ["2ms", "40ms"]);
    interrupt(&mut system, "interrupt.1", ["1ms", "40ms"]);
    system.costs = vorrang_model::system::Costs::default();
    system.costs.timer_expiry = time("1ms");
    let mut drawn = |order, timer| {
        system.supplies[0].interrupt_order = order;
        let history = History {
            timers: arrivals(&[timer]),
            interrupts: arrivals(&[1, 2]),
            ..History::quiet(&system)
        };
        run_history(&system, &history, 8).0
    };
    assert_eq!(drawn(InterruptOrder::FirstCome, 1), ".^001bb.");
    assert_eq!(drawn(InterruptOrder::FirstCome, 2), ".00^1bb.");
    assert_eq!(drawn(InterruptOrder::Priority, 2), ".00^1bb.");
    assert_eq!(drawn(InterruptOrder::Nested, 2), ".0^01bb.");
}

#[test]
fn a_timer_is_as_urgent_as_the_server_through_which_its_task_runs() {
    let mut system = core(Scheduler::FixedPriority);
    let vcpu = server(&mut system, "vcpu.a", CORE, ServerKind::Sporadic, ["5ms", "40ms"], 3);
    let inside = task(&mut system, "task.a", vcpu, ["1ms", "40ms"], 1);
    task(&mut system, "task.b", CORE, ["3ms", "40ms"], 2);
    timer(&mut system, "timer.0", inside, true);
    charge(&mut system);
    let shield = queue(&system, TimerQueue::TimerShield);
    assert_eq!(run(&shield, &[0, 0], &[1], 10).0, "b^^^abb...");
}

/// Sums what was lost, by cause.
#[derive(Default)]
struct Losses(Vec<(Cause, Duration)>);

impl Observer for Losses {
    fn lost(&mut self, _: Option<Context>, cause: Cause, amount: Duration, _: Instant) {
        match self.0.iter_mut().find(|(other, _)| *other == cause) {
            Some((_, sum)) => *sum += amount,
            None => self.0.push((cause, amount)),
        }
    }
}

#[test]
fn time_for_timers_and_routines_is_lost_by_the_interrupted_context() {
    let mut system = core(Scheduler::FixedPriority);
    let vcpu = server(&mut system, "vcpu.a", CORE, ServerKind::Sporadic, ["9ms", "40ms"], 3);
    system.supplies[vcpu.0].vm = Some("vm.a".into());
    let inside = task(&mut system, "task.a", vcpu, ["4ms", "40ms"], 1);
    timer(&mut system, "timer.0", inside, false);
    interrupt(&mut system, "interrupt.0", ["2ms", "40ms"]);
    charge(&mut system);
    system.costs.vm_exit = time("2ms");
    let history = History {
        tasks: arrivals(&[0]),
        timers: arrivals(&[1]),
        interrupts: vec![Arrivals::from(at(7))],
        ..History::quiet(&system)
    };
    // [entry and exit of the guest] callback, exit; the routine takes 1 + 2 + 1 + 2.
    assert_eq!(run_history(&system, &history, 20).0, "a^^^^^a000000aa.....");
    let mut losses = Losses::default();
    simulate(&system, CORE, &history, at(20), &mut losses).unwrap();
    losses.0.sort_unstable();
    let ms = Duration::from_ms;
    let expected =
        [(Cause::TimerExpiry, ms(1)), (Cause::InterruptEntry, ms(4)), (Cause::VmExit, ms(4))];
    assert_eq!(losses.0, expected);
}
