//! Threads by selectors, in a trace.

use super::*;
use crate::schedule::Routine;

fn schedule() -> Schedule {
    let names = [
        (7, "receiver"),
        (8, "worker"),
        (9, "worker"),
        (10, "CPU 0/KVM"),
        (24, "irq/24-eth0-rx"),
        (31, "napi/eth0-10"),
        (30, "napi/eth0-9"),
        (40, "a-very-long-nam"),
    ];
    let routine = Routine { cpu: 0, interrupt: 24, name: "eth0-rx".to_owned(), begin: 1, end: 2 };
    Schedule {
        names: names.map(|(number, name)| (number, name.to_owned())).into(),
        routines: vec![routine],
        ..Schedule::default()
    }
}

#[test]
fn a_selector_means_one_thread() {
    let found = [
        ("pid:7", 7),
        ("name:receiver", 7),
        ("name:a-very-long-name-of-a-thread", 40),
        ("process:qemu/receiver", 7),
        ("vm:engine/0", 10),
        ("irq:eth0", 24),
        ("irq:24", 24),
        ("irq:eth0-rx", 24),
        ("napi:eth0/0", 30),
        ("napi:eth0/1", 31),
    ];
    for (text, number) in found {
        let selector = Selector::read(text).expect("a selector");
        assert_eq!(thread_in(&schedule(), &selector), Ok(number), "{text}");
    }
}

#[test]
fn none_and_several_are_said() {
    let refused = [
        ("pid:99", "pid:99 has no event in the trace"),
        ("name:nobody", "no thread of the trace is name:nobody"),
        ("name:worker", "2 threads of the trace may be name:worker: worker (8), worker (9)"),
        (
            "napi:eth0",
            "2 threads of the trace may be napi:eth0: napi/eth0-9 (30), napi/eth0-10 (31)",
        ),
        ("irq:eth", "no thread of the trace is irq:eth"),
        ("vm:engine/1", "no thread of the trace is vm:engine/1"),
    ];
    for (text, why) in refused {
        let selector = Selector::read(text).expect("a selector");
        assert_eq!(thread_in(&schedule(), &selector), Err(why.to_owned()), "{text}");
    }
    assert_eq!(interrupts_in(&schedule(), "eth0"), [24]);
    assert!(interrupts_in(&schedule(), "eth").is_empty());
}

#[test]
fn a_vector_is_that_of_its_processor() {
    let vector =
        |cpu, name: &str| Routine { cpu, interrupt: 236, name: name.to_owned(), begin: 1, end: 2 };
    let vectors = [(0, "local_timer"), (1, "local_timer"), (1, "reschedule")];
    let schedule =
        Schedule { vectors: vectors.map(|(cpu, name)| vector(cpu, name)).into(), ..schedule() };
    let system = |cpu: &str| {
        let text = format!(
            "version = 1\n[core.0]\nscheduler = \"linux\"\n{cpu}\n[interrupt.timer]\non = \"core.0\"\nisr = \"2us\"\nmin-interarrival = \"1ms\"\nirq = \"local_timer\"\n"
        );
        vorrang_model::read(text, vorrang_model::Format::Toml).expect("a description")
    };
    let found = Matching::in_trace(&system("cpu = 1"), &schedule).interrupts.remove(0);
    let line = found.expect("it is there");
    let own: Vec<&Routine> = line.routines(&schedule).collect();
    assert_eq!(
        (own, line.to_string().as_str()),
        (vec![&vector(1, "local_timer")], "local_timer of 1")
    );
    let found = Matching::in_trace(&system(""), &schedule).interrupts.remove(0);
    let why = "the description does not say which processor core.0 is (`cpu`)";
    assert_eq!(found, Err(why.to_owned()));
}
