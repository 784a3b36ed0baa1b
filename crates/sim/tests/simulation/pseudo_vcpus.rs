//! Pseudo-VCPUs: the three rules drawn by hand.

use crate::build::{core, interrupt, server, task, time};
use crate::drawing::{CORE, Drawing, arrivals, at};
use core::fmt::Write as _;
use vorrang_model::system::{
    Activation, Delivery, InterruptId, PseudoVcpu, PseudoVcpuRule, Scheduler, ServerKind, SupplyId,
    System,
};
use vorrang_sim::{History, Job, Observer, Payer, Source, simulate};
use vorrang_time::{Duration, Instant};

/// The interrupt has a routine in a guest and a pseudo-VCPU of `[budget, period]`.
pub(crate) fn deliver(
    system: &mut System,
    interrupt: InterruptId,
    vcpu: SupplyId,
    isr: &str,
    [budget, period]: [&str; 2],
    rule: PseudoVcpuRule,
) {
    let (budget, period) = (time(budget), time(period));
    let pseudo_vcpu = Some(PseudoVcpu { budget, period, priority: None, rule });
    let delivery = Delivery { vcpu, isr: time(isr), pseudo_vcpu };
    system.interrupts[interrupt.0].delivery = Some(delivery);
}

/// A host task `a` above a virtual processor with hardly any budget, and one interrupt of 1 ms
/// at the core that the guest serves for `isr`; it arrives at 1, 4, 7, …
fn system(isr: &str, reserved: [&str; 2], rule: PseudoVcpuRule) -> (System, History) {
    let mut system = core(Scheduler::FixedPriority);
    let vcpu = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["1ms", "40ms"], 1);
    task(&mut system, "task.a", CORE, ["40ms", "40ms"], 2);
    let id = interrupt(&mut system, "interrupt.0", ["1ms", "3ms"]);
    deliver(&mut system, id, vcpu, isr, reserved, rule);
    let history =
        History { tasks: arrivals(&[0]), interrupts: arrivals(&[1]), ..History::quiet(&system) };
    (system, history)
}

/// Notes which requests are held back (`-4`) and when they are let through again (`+7`), and what the
/// pseudo-VCPU has left.
#[derive(Default)]
struct Masks {
    masks: String,
    budgets: String,
}

impl Observer for Masks {
    fn masked(&mut self, _: InterruptId, at: Instant) {
        write!(self.masks, "-{} ", at.as_ns() / 1_000_000).unwrap();
    }

    fn unmasked(&mut self, _: InterruptId, at: Instant) {
        write!(self.masks, "+{} ", at.as_ns() / 1_000_000).unwrap();
    }

    fn pseudo_vcpu_budget(&mut self, _: InterruptId, left: Duration, at: Instant) {
        let [left, at] = [left.as_ns(), at.as_ns()].map(|ns| ns / 1_000_000);
        write!(self.budgets, "{at}:{left} ").unwrap();
    }
}

/// What ran, what was held back, and the budget.
fn run(system: &System, history: &History, length: u64) -> [String; 3] {
    let (mut drawing, mut masks) = (Drawing::default(), Masks::default());
    simulate(system, CORE, history, at(length), &mut (&mut drawing, &mut masks)).unwrap();
    [drawing.0, masks.masks, masks.budgets].map(|text| text.trim_end().to_owned())
}

#[test]
fn by_arrival_a_credit_is_back_a_period_after_the_request_that_took_it() {
    let (mut system, history) = system("2ms", ["2ms", "6ms"], PseudoVcpuRule::Arrival);
    let [drawn, masks, budgets] = run(&system, &history, 16);
    assert_eq!(drawn, "a0AAaaa0AAaaa0AA");
    assert_eq!(masks, "-4 +7 -7 -10 -13");
    assert_eq!(budgets, "0:0 2:2 4:0 8:2 10:0 14:2 16:0");
    system.interrupts[0].min_interarrival = time("6ms");
    assert_eq!(run(&system, &history, 16), [drawn, String::new(), budgets]);
}

#[test]
fn deferrable_budget_comes_with_the_period_and_others_may_use_it() {
    let (system, history) = system("2ms", ["2ms", "6ms"], PseudoVcpuRule::Deferrable);
    let [drawn, masks, budgets] = run(&system, &history, 17);
    assert_eq!(drawn, "a0AAaa00AAaa00AAa");
    assert_eq!(masks, "-4 +6 -10 +12 -16");
    assert_eq!(budgets, "0:2 4:0 6:2 10:0 12:2 16:0");
}

#[test]
fn as_released_credit_is_lost_at_the_period_unless_the_routine_runs() {
    let (system, mut history) = system("2ms", ["2ms", "12ms"], PseudoVcpuRule::Released);
    // Q is credited once in [0, 12); everything held back comes at 12.
    let expected = ["a0AAaaaaaaaa00000", "-4 -7 -10 +12", "0:0 2:2 4:0 13:2"];
    assert_eq!(run(&system, &history, 17), expected);
    // Credited at 12 and dropped there, before it has run; the next one is credited at 15.
    history.interrupts[0].first = Some(at(11));
    assert_eq!(
        run(&system, &history, 18),
        ["aaaaaaaaaaa0aa0AAa", "-17", "0:0 12:2 12:0 15:2 17:0"]
    );
    // It runs at 12 and may go on with what it has left.
    history.interrupts[0].first = Some(at(10));
    assert_eq!(
        run(&system, &history, 17),
        ["aaaaaaaaaa0AA0AAa", "-16", "0:0 11:2 12:1 13:0 14:2 16:0"]
    );
}

#[test]
fn what_the_guest_runs_first_is_charged_to_the_chosen_pseudo_vcpu() {
    let mut system = core(Scheduler::FixedPriority);
    let vcpu = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["2ms", "20ms"], 1);
    let woken = task(&mut system, "task.a", vcpu, ["1ms", "40ms"], 1);
    task(&mut system, "task.b", vcpu, ["4ms", "40ms"], 2);
    task(&mut system, "task.c", CORE, ["5ms", "40ms"], 2);
    let id = interrupt(&mut system, "interrupt.0", ["1ms", "40ms"]);
    deliver(&mut system, id, vcpu, "1ms", ["2ms", "40ms"], PseudoVcpuRule::Arrival);
    system.interrupts[id.0].wakes = Some(woken);
    system.tasks[woken.0].activation = Activation::Interrupt(id);
    let history = History {
        tasks: arrivals(&[0, 0, 1]),
        interrupts: arrivals(&[2]),
        ..History::quiet(&system)
    };
    let mut drawing = Drawing::default();
    let mut paid = Paid::default();
    let mut released = Released::default();
    let mut observers = (&mut drawing, &mut paid, &mut released);
    simulate(&system, CORE, &history, at(40), &mut observers).unwrap();
    // Its own task gets nothing of the second millisecond: b is more urgent in the guest.
    assert_eq!(drawing.0, "bc0Abccccb..........ba..................");
    assert_eq!(released.0, "1 2 0 ", "each once, and complete");
    assert_eq!(paid.0, "v0-1 p3-4 p4-5 v9-10 v20-21 v21-22 ");
}

/// Lists the tasks whose jobs are released.
#[derive(Default)]
struct Released(String);

impl Observer for Released {
    fn released(&mut self, job: &Job) {
        if let Source::Task(id) = job.source {
            write!(self.0, "{} ", id.0).unwrap();
        }
    }

    fn unfinished(&mut self, job: &Job, _: Instant) {
        write!(self.0, "{:?} is not complete", job.source).unwrap();
    }
}

/// Lists which budget was charged from when to when.
#[derive(Default)]
struct Paid(String);

impl Observer for Paid {
    fn paid(&mut self, payer: Payer, from: Instant, to: Instant) {
        let name = match payer {
            Payer::Server(_) => 'v',
            Payer::PseudoVcpu(_) => 'p',
        };
        let [from, to] = [from, to].map(|at| at.as_ns() / 1_000_000);
        write!(self.0, "{name}{from}-{to} ").unwrap();
    }
}

/// The smallest history in which the rule *as released* breaks the published bound: the second
/// handler is interrupted by the first just when its period begins.
///
/// ```text
///   1 B . . B     by arrival: 6 = 2 + 1 + 1 + 2, the least fixed point of the bound
///       0 A A
///           | the credit of B is dropped; its virtual processor has budget again at 35
/// ```
#[test]
fn as_released_a_handler_that_is_preempted_when_its_period_begins_waits_for_its_virtual_processor()
{
    let run_rule = |rule| {
        let mut system = core(Scheduler::FixedPriority);
        let a = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["3ms", "38ms"], 2);
        let b = server(&mut system, "vcpu.b", CORE, ServerKind::Deferrable, ["7ms", "33ms"], 1);
        task(&mut system, "task.a", a, ["100ms", "100ms"], 1);
        let first = interrupt(&mut system, "interrupt.0", ["1ms", "31ms"]);
        let second = interrupt(&mut system, "interrupt.1", ["1ms", "40ms"]);
        deliver(&mut system, first, b, "2ms", ["2ms", "31ms"], rule);
        deliver(&mut system, second, a, "2ms", ["2ms", "40ms"], rule);
        let mut history = History {
            tasks: arrivals(&[0]),
            interrupts: arrivals(&[12, 10]),
            ..History::quiet(&system)
        };
        history.phases[a.0] = Duration::from_ms(35);
        history.pseudo_vcpu_phases[second.0] = Duration::from_ms(14);
        run(&system, &history, 38)[0].clone()
    };
    let released = run_rule(PseudoVcpuRule::Released);
    assert_eq!(released, "aaa.......1B0AA....................Baa");
    let by_arrival = run_rule(PseudoVcpuRule::Arrival);
    assert_eq!(by_arrival, "aaa.......1B0AAB...................aaa");
}

/// More members than are kept in a short list, counting pseudo-VCPUs.
#[test]
fn many_pseudo_vcpus_on_one_core_are_ready_at_once() {
    let mut system = core(Scheduler::FixedPriority);
    let count = 100;
    for index in 0..count {
        let (name, priority) = (format!("vcpu.{index}"), u32::try_from(index).unwrap());
        let kind = ServerKind::Deferrable;
        let vcpu = server(&mut system, &name, CORE, kind, ["1ms", "1s"], priority);
        task(&mut system, &format!("task.{index}"), vcpu, ["1ms", "10s"], 1);
        let id = interrupt(&mut system, &format!("interrupt.{index}"), ["1ms", "1s"]);
        deliver(&mut system, id, vcpu, "1ms", ["1ms", "1s"], PseudoVcpuRule::Deferrable);
    }
    let mut history = History::quiet(&system);
    history.tasks = arrivals(&vec![0; count]);
    history.interrupts = arrivals(&vec![0; count]);
    let mut paid = Paid::default();
    simulate(&system, CORE, &history, at(400), &mut paid).unwrap();
    // All routines of the core, then everything in the guests: first on the pseudo-VCPUs.
    assert_eq!(paid.0.matches('p').count(), count);
    assert!(paid.0.starts_with("p100-101 ") && paid.0.trim_end().ends_with("v299-300"));
}
