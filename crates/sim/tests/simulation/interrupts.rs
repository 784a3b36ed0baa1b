//! Interrupts: orders of service routines, what they wake, storms and guests.

use crate::build::{core, interrupt, server, task, time};
use crate::drawing::{CORE, Drawing, arrivals, at, draw_history};
use vorrang_model::system::{
    Activation, Delivery, InterruptId, InterruptOrder, InterruptTime, Priority, Scheduler,
    ServerKind, SupplyId, System, TaskId,
};
use vorrang_sim::{History, Job, Observer, Source, simulate};
use vorrang_time::Instant;

/// The task is woken by the interrupt.
fn wake(system: &mut System, interrupt: InterruptId, task: TaskId) {
    system.interrupts[interrupt.0].wakes = Some(task);
    system.tasks[task.0].activation = Activation::Interrupt(interrupt);
}

/// The interrupt has a routine in a guest.
fn deliver(system: &mut System, interrupt: InterruptId, vcpu: SupplyId, isr: &str) {
    let delivery = Delivery { vcpu, isr: time(isr), pseudo_vcpu: None };
    system.interrupts[interrupt.0].delivery = Some(delivery);
}

/// Lists completions as `a3-5` (a job of task a from its arrival at 3 to 5, in milliseconds),
/// those of interrupts by number, and merged requests as `0+4`.
#[derive(Default)]
struct Log(Vec<String>);

impl Log {
    fn note(&mut self, job: &Job, text: &str, at: Instant) {
        let name = match job.source {
            Source::Task(id) => char::from(b'a' + u8::try_from(id.0).unwrap()),
            Source::Interrupt(id) => char::from(b'0' + u8::try_from(id.0).unwrap()),
        };
        let [from, to] = [job.arrival, at].map(|at| at.as_ns() / 1_000_000);
        self.0.push(format!("{name}{from}{text}{to}"));
    }
}

impl Observer for Log {
    fn completed(&mut self, job: &Job, at: Instant) {
        self.note(job, "-", at);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.note(job, "…", at);
    }

    fn merged(&mut self, interrupt: InterruptId, at: Instant) {
        self.0.push(format!("{}+{}", interrupt.0, at.as_ns() / 1_000_000));
    }
}

/// What ran and what was complete when.
fn run(system: &System, history: &History, length: u64) -> (String, String) {
    let (mut drawing, mut log) = (Drawing::default(), Log::default());
    simulate(system, CORE, history, at(length), &mut drawing).unwrap();
    simulate(system, CORE, history, at(length), &mut log).unwrap();
    (drawing.0, log.0.join(" "))
}

fn quiet_with(system: &System, interrupts: &[u64]) -> History {
    History { interrupts: arrivals(interrupts), ..History::quiet(system) }
}

/// A server of Linux, 4 in 10, for a task of some length; its interrupts take 3.
#[test]
fn a_server_pays_for_what_interrupts_it() {
    let drawn = |task_of: [&str; 2], first: u64, interrupt_at: u64, length: u64| {
        let mut system = core(Scheduler::Linux);
        let kind = ServerKind::SchedDeadline;
        let on = server(&mut system, "server.s", CORE, kind, ["4ms", "10ms"], 0);
        task(&mut system, "task.a", on, task_of, 0);
        interrupt(&mut system, "interrupt.0", ["3ms", "100ms"]);
        let quiet = quiet_with(&system, &[interrupt_at]);
        let history = History { tasks: arrivals(&[first]), ..quiet };
        let apart = draw_history(&system, &history, length);
        system.supplies[0].interrupt_time = InterruptTime::Charged;
        [apart, draw_history(&system, &history, length)]
    };
    // One unit of work, and the rest of the budget.
    assert_eq!(
        drawn(["9ms", "40ms"], 0, 1, 24),
        ["a000aaa...aaaa......a...", "a000......aaaa......aaaa"]
    );
    // Two more than the budget, an overrun that the next budget pays back.
    assert_eq!(
        drawn(["9ms", "40ms"], 0, 3, 24),
        ["aaa000a...aaaa......a...", "aaa000....aa........aaaa"]
    );
    // It is charged although its guest sleeps by then: the second job finds two, until 20.
    let both = ["aaa000......aaa.........", "aaa000......aa......a..."];
    assert_eq!(drawn(["3ms", "12ms"], 0, 3, 24), both);
    // Nothing runs: no server is charged.
    assert_eq!(drawn(["3ms", "40ms"], 4, 1, 12), [".000aaa.....", ".000aaa....."]);
}

#[test]
fn the_three_orders_of_service_routines() {
    let mut system = core(Scheduler::FixedPriority);
    for (name, isr, priority) in
        [("interrupt.0", "4ms", 1), ("interrupt.1", "2ms", 2), ("interrupt.2", "2ms", 3)]
    {
        let id = interrupt(&mut system, name, [isr, "20ms"]);
        system.interrupts[id.0].priority = Priority(priority);
    }
    let mut drawn = |order| {
        system.supplies[0].interrupt_order = order;
        draw_history(&system, &quiet_with(&system, &[0, 1, 2]), 10)
    };
    assert_eq!(drawn(InterruptOrder::FirstCome), "00001122..");
    assert_eq!(drawn(InterruptOrder::Priority), "00002211..");
    assert_eq!(drawn(InterruptOrder::Nested), "01221000..");
}

#[test]
fn simultaneous_routines_come_by_declaration_or_by_priority() {
    let mut system = core(Scheduler::FixedPriority);
    for (name, priority) in [("interrupt.0", 1), ("interrupt.1", 2), ("interrupt.2", 2)] {
        let id = interrupt(&mut system, name, ["1ms", "20ms"]);
        system.interrupts[id.0].priority = Priority(priority);
    }
    let mut drawn = |order| {
        system.supplies[0].interrupt_order = order;
        draw_history(&system, &quiet_with(&system, &[1, 1, 1]), 5)
    };
    assert_eq!(drawn(InterruptOrder::FirstCome), ".012.");
    assert_eq!(drawn(InterruptOrder::Priority), ".120.");
    assert_eq!(drawn(InterruptOrder::Nested), ".120.");
}

#[test]
fn an_interrupt_is_handled_when_the_task_it_wakes_is_complete() {
    let mut system = core(Scheduler::FixedPriority);
    let woken = task(&mut system, "task.a", CORE, ["2ms", "6ms"], 1);
    task(&mut system, "task.b", CORE, ["2ms", "20ms"], 2);
    let id = interrupt(&mut system, "interrupt.0", ["1ms", "6ms"]);
    wake(&mut system, id, woken);
    // The inter-arrival time of task a has no effect.
    let history = History { tasks: arrivals(&[0, 3]), ..quiet_with(&system, &[1]) };
    let (drawn, log) = run(&system, &history, 14);
    assert_eq!(drawn, ".0abba.0aa...0");
    assert_eq!(log, "b3-5 a1-6 01-6 a7-10 07-10 a13…14 013…14");
}

#[test]
fn a_guest_s_routine_runs_first_in_its_guest_and_the_guest_pays() {
    let mut system = core(Scheduler::FixedPriority);
    let vcpu = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["3ms", "8ms"], 2);
    task(&mut system, "task.a", vcpu, ["3ms", "40ms"], 9);
    let woken = task(&mut system, "task.b", vcpu, ["1ms", "40ms"], 1);
    task(&mut system, "task.c", CORE, ["9ms", "40ms"], 1);
    let id = interrupt(&mut system, "interrupt.0", ["1ms", "40ms"]);
    deliver(&mut system, id, vcpu, "2ms");
    wake(&mut system, id, woken);
    // The virtual processor has something ready while only a routine is pending in it.
    let history = History { tasks: arrivals(&[1, 0, 0]), ..quiet_with(&system, &[0]) };
    let (drawn, log) = run(&system, &history, 18);
    assert_eq!(drawn, "0AAaccccaabccccc..");
    assert_eq!(log, "a1-10 b0-11 00-11 c0-16");
}

#[test]
fn a_guest_s_routine_waits_for_the_budget_of_its_virtual_processor() {
    let mut system = core(Scheduler::FixedPriority);
    let vcpu = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["2ms", "8ms"], 1);
    task(&mut system, "task.a", vcpu, ["2ms", "40ms"], 1);
    let id = interrupt(&mut system, "interrupt.0", ["1ms", "40ms"]);
    deliver(&mut system, id, vcpu, "1ms");
    let history = History { tasks: arrivals(&[0]), ..quiet_with(&system, &[2]) };
    assert_eq!(run(&system, &history, 10), ("aa0.....A.".into(), "a0-2 02-9".into()));
}

#[test]
fn a_storm_merges_with_what_waits_at_the_core_and_in_the_guest() {
    let mut system = core(Scheduler::FixedPriority);
    let vcpu = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["3ms", "20ms"], 1);
    let other = task(&mut system, "task.a", CORE, ["4ms", "40ms"], 9);
    interrupt(&mut system, "interrupt.0", ["3ms", "40ms"]);
    let id = interrupt(&mut system, "interrupt.1", ["1ms", "10ms"]);
    deliver(&mut system, id, vcpu, "1ms");
    system.interrupts[id.0].storm = Some(time("1ms"));
    let mut history = quiet_with(&system, &[0, 0]);
    history.tasks[other.0].first = Some(at(4));
    let calm = run(&system, &history, 13);
    assert_eq!(calm, ("0001aaaaB.1B.".into(), "00-3 a4-8 10-9 110-12".into()));
    history.storms[id.0] = true;
    // Those of 1 and 2 and 3 merge with that of 0, which begins at 3; from 4 on each one is
    // served at the core at once, and merges in the guest with the first.
    let (drawn, log) = run(&system, &history, 8);
    assert_eq!(drawn, "00011111");
    assert_eq!(log, "1+1 1+2 00-3 1+3 1+5 1+6 1+7 1+8 a4…8 10…8");
}
