//! Every pattern's text parses back to the same history, and wrong texts are refused.

use crate::build::{core, interrupt, server, task, time};
use crate::pseudo_vcpus::deliver;
use vorrang_model::system::{
    Activation, Priority, PseudoVcpuRule, Scheduler, ServerKind, SupplyId, System, TaskId, Timer,
};
use vorrang_sim::{Arrivals, Execution, ParsePatternError, Pattern, Source};
use vorrang_time::Instant;

const CORE: SupplyId = SupplyId(0);

fn system() -> System {
    let mut system = core(Scheduler::FixedPriority);
    let a = server(&mut system, "vcpu.a", CORE, ServerKind::Deferrable, ["3ms", "10ms"], 5);
    let b = server(&mut system, "vcpu.b", CORE, ServerKind::Periodic, ["4ms", "20ms"], 4);
    let c = server(&mut system, "server.c", b, ServerKind::Sporadic, ["2ms", "40ms"], 1);
    task(&mut system, "task.a", a, ["1ms", "20ms"], 2);
    task(&mut system, "task.a2", a, ["3ms", "50ms"], 1);
    task(&mut system, "task.b", b, ["1ms", "60ms"], 2);
    let x = task(&mut system, "task.x", c, ["3ms", "100ms"], 2);
    task(&mut system, "task.y", c, ["5ms", "200ms"], 1);
    system.tasks[x.0].jitter = time("7ms");
    system.tasks[x.0].blocking = time("1ms");
    interrupt(&mut system, "interrupt.i", ["10us", "1ms"]);
    interrupt(&mut system, "interrupt.j", ["20us", "1ms"]);
    system
}

#[test]
fn texts_parse_back_and_mean_the_same() {
    let system = system();
    for text in [
        "synchronous",
        "exhausted:task.x:0",
        "exhausted:task.x:1",
        "exhausted:task.x:2",
        "blocked:task.x",
        "blocked:task.x:1",
        "last:interrupt.i",
        "charged:vcpu.a",
        "random:1",
        "random:2",
        "random:3",
        "periodic:1",
        "periodic:2",
        "storm:interrupt.j",
        "storm:interrupt.j:7",
    ] {
        let pattern = Pattern::parse(text, &system).unwrap();
        assert_eq!(pattern.to_string(), text);
        let history = pattern.history(&system, CORE).unwrap();
        assert_eq!(pattern.history(&system, CORE).unwrap(), history, "{text}: pure");
        let explicit = Pattern::explicit(&system, CORE, &history);
        let again = Pattern::parse(&explicit.to_string(), &system).unwrap();
        assert_eq!(again, explicit, "{text}");
        assert_eq!(again.history(&system, CORE).unwrap(), history, "{text}");
        for source in sources(&system) {
            assert_eq!(again.counts(&system, source), pattern.counts(&system, source), "{text}");
        }
    }
}

fn sources(system: &System) -> Vec<Source> {
    let tasks = system.task_ids().map(Source::Task);
    tasks.chain(system.interrupt_ids().map(Source::Interrupt)).collect()
}

#[test]
fn who_misbehaves_or_is_not_held_up_does_not_count() {
    let mut system = system();
    system.interrupts[1].wakes = Some(TaskId(0));
    let counted = |text: &str| {
        let pattern = Pattern::parse(text, &system).unwrap();
        let counts = |source: &Source| pattern.counts(&system, *source);
        sources(&system).into_iter().filter(counts).collect::<Vec<_>>()
    };
    let all = sources(&system);
    assert_eq!(counted("synchronous"), all);
    let others = [&all[1..6], &[]].concat();
    for text in ["storm:interrupt.j", "storm:interrupt.j:3", "explicit:interrupt.j=1ms,storm"] {
        assert_eq!(counted(text), others, "{text}");
    }
    assert_eq!(counted("blocked:task.x"), [Source::Task(TaskId(3))]);
    assert_eq!(counted("explicit:blocking=task.x@1ms"), [Source::Task(TaskId(3))]);
}

/// A task of the guest that `interrupt.i` wakes, which a pseudo-VCPU of that priority pays for, and `interrupt.j`
/// without one: which of the three count where their virtual processor, of priority 5, is held up.
fn held_up(rule: PseudoVcpuRule, priority: u32) -> [bool; 3] {
    let mut system = system();
    let vcpu = SupplyId(1);
    system.supplies[vcpu.0].server_mut().unwrap().blocking = time("1ms");
    for id in system.interrupt_ids().collect::<Vec<_>>() {
        deliver(&mut system, id, vcpu, "1us", ["2ms", "20ms"], rule);
    }
    let [paid, unpaid] = &mut system.interrupts[..] else { panic!("two interrupts") };
    paid.wakes = Some(TaskId(0));
    let by = paid.delivery.as_mut().and_then(|own| own.pseudo_vcpu.as_mut());
    by.unwrap().priority = Some(Priority(priority));
    unpaid.delivery.as_mut().unwrap().pseudo_vcpu = None;
    system.tasks[0].activation = Activation::Interrupt(system.interrupt_ids().next().unwrap());
    let pattern = Pattern::parse("explicit:blocking=vcpu.a@1ms", &system).unwrap();
    let all = sources(&system);
    let other = Source::Task(TaskId(1));
    assert!(pattern.counts(&system, other), "the rest of the guest is held up");
    [all[0], all[5], all[6]].map(|source| pattern.counts(&system, source))
}

#[test]
fn sections_before_a_virtual_processor_are_not_added_to_what_a_less_urgent_pseudo_vcpu_waits_for() {
    for (rule, priority, paid) in [
        (PseudoVcpuRule::Arrival, 4, false),
        (PseudoVcpuRule::Arrival, 5, true),
        (PseudoVcpuRule::Arrival, 6, true),
        // Nothing is claimed of what these give.
        (PseudoVcpuRule::Deferrable, 4, true),
        (PseudoVcpuRule::Released, 4, true),
    ] {
        assert_eq!(held_up(rule, priority), [paid, paid, true], "{rule:?} {priority}");
    }
}

#[test]
fn what_differs_from_the_plain_history_is_written_by_name() {
    let mut system = system();
    for name in ["timer.t", "timer.u"] {
        let (armed_by, period) = (TaskId(0), time("5ms"));
        system.timers.push(Timer { name: name.into(), armed_by, period, wakes: false });
    }
    for text in [
        "explicit:timer.u=3ms,spread=1ms",
        "explicit:timer.t=never;interrupt.i=0s,storm;interrupt.j=2ms,storm,pseudo-vcpu=30us",
        "explicit:interrupt.i=0s,pseudo-vcpu=1us",
        "explicit:interrupt.i=0s,late,storm",
        "explicit:interrupt.i=never,storm",
        "explicit:interrupt.i=never;sections=50us",
    ] {
        let pattern = Pattern::parse(text, &system).unwrap();
        let history = pattern.history(&system, CORE).unwrap();
        assert_eq!(Pattern::explicit(&system, CORE, &history).to_string(), text);
    }
}

#[test]
fn strict_periods_begin_below_the_period_and_use_no_jitter() {
    let system = system();
    for seed in 0..20 {
        let pattern = Pattern::parse(&format!("periodic:{seed}"), &system).unwrap();
        let history = pattern.history(&system, CORE).unwrap();
        assert_eq!(history.execution, Execution::Random);
        for (task, arrivals) in system.tasks.iter().zip(&history.tasks) {
            let first = arrivals.first.unwrap();
            assert_eq!(*arrivals, Arrivals::from(first));
            assert!(first - Instant::ZERO < task.min_interarrival);
        }
    }
}

#[test]
fn wrong_texts_are_refused_with_what_is_wrong() {
    let system = system();
    let unknown_kind = |word: &str| ParsePatternError::UnknownKind { word: word.into() };
    let unknown_name = |name: &str| ParsePatternError::UnknownName { name: name.into() };
    let malformed = |part: &str| ParsePatternError::Malformed { part: part.into() };
    let twice = |name: &str| ParsePatternError::Twice { name: name.into() };
    for (text, error) in [
        ("", unknown_kind("")),
        ("worst", unknown_kind("worst")),
        ("synchronous:1", unknown_kind("synchronous")),
        ("exhausted:task.z:1", unknown_name("task.z")),
        ("exhausted:task.z", unknown_name("task.z")),
        ("exhausted:task.x:one", malformed("one")),
        ("blocked:task.x:-1", malformed("-1")),
        ("last:task.x", unknown_name("task.x")),
        ("random:", malformed("")),
        ("random:1.5", malformed("1.5")),
        ("explicit:task.x", malformed("task.x")),
        ("explicit:task.x=1", malformed("1")),
        ("explicit:task.x=1ms,soon", malformed("soon")),
        ("explicit:task.x=1ms;task.x=5ms", twice("task.x")),
        ("explicit:seed=1;seed=1", twice("seed")),
        ("explicit:vcpu.z=1ms", unknown_name("vcpu.z")),
        ("explicit:execution=short", malformed("execution=short")),
        ("explicit:blocking=task.x", malformed("task.x")),
        ("explicit:task.x=1ms,storm", malformed("storm")),
        ("explicit:interrupt.i=1ms,pseudo-vcpu=x", malformed("x")),
        ("periodic:x", malformed("x")),
        ("storm:task.x", unknown_name("task.x")),
        ("storm:interrupt.i:x", malformed("x")),
    ] {
        assert_eq!(Pattern::parse(text, &system).unwrap_err(), error, "{text}");
    }
}
