//! Posted interrupts, with bounds by hand.

use vorrang_analysis::{Assumption, bounds};
use vorrang_model::system::{InterruptId, System, TaskId};
use vorrang_model::{Format, read};

fn system(costs: &str, card: &str) -> System {
    let text = format!(
        r#"
        version = 1
        {costs}
        [core.0]
        scheduler = "fixed-priority"
        [vcpu.plc]
        vm = "plc"
        on = "core.0"
        server = "none"
        priority = 1
        [task.control]
        on = "vcpu.plc"
        wcet = "100us"
        deadline = "1ms"
        priority = 2
        [task.idle]
        on = "vcpu.plc"
        polls = true
        priority = 1
        [interrupt.card]
        on = "core.0"
        {card}
        jitter = "20us"
        min-interarrival = "1ms"
        virtual = {{ vcpu = "vcpu.plc", isr = "4us", wakes = "task.control" }}
        [interrupt.tick]
        on = "core.0"
        isr = "5us"
        min-interarrival = "1ms"
        [require.tick]
        of = "interrupt.tick"
        handled-within = "1ms"
        "#
    );
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"))
}

/// The bounds of the task and of the other routine, in nanoseconds.
fn found(system: &System) -> [u64; 2] {
    let known = bounds(system);
    let bounds = [known.task(TaskId(0)).bound(), known.interrupt(InterruptId(1)).bound()];
    bounds.map(|at| at.unwrap().as_ns())
}

const POSTED: &str = "posted = true";
const ROUTINE: &str = "isr = \"3us\"";

/// The task waits for its jitter, the other routine and its own in the guest; nothing waits for it on the core.
#[test]
fn it_takes_nothing_of_its_core() {
    assert_eq!(found(&system("", POSTED)), [20_000 + 5_000 + 4_000 + 100_000, 5_000]);
    // Its routine and the other one are first come, first served; the guest counts them once more, one after the other.
    let [task, tick] = found(&system("", ROUTINE));
    assert_eq!(tick, 8_000);
    assert!(task >= 20_000 + 8_000 + 4_000 + 100_000, "{task}");
}

/// Only the other routine is entered and leaves the guest.
#[test]
fn the_processor_sees_to_its_beginning_and_its_end() {
    let costs = "[costs]\ninterrupt-entry = \"1us\"\ninterrupt-exit = \"1us\"\nvm-exit = \"7us\"";
    let tick = 5_000 + 2_000 + 7_000;
    assert_eq!(found(&system(costs, POSTED)), [20_000 + tick + 4_000 + 100_000, tick]);
}

#[test]
fn that_the_machine_does_so_is_assumed() {
    let assumed = |card| bounds(&system("", card)).task(TaskId(0)).assumptions().to_vec();
    let posted = Assumption::Posted(vec!["interrupt.card".to_owned()]);
    assert!(assumed(POSTED).contains(&posted));
    assert!(!assumed(ROUTINE).contains(&posted));
}
