//! Interrupts that reach another core, with bounds by hand.

use vorrang_analysis::bounds;
use vorrang_model::system::{InterruptId, System, TaskId};
use vorrang_model::{Format, read};

fn system(costs: &str) -> System {
    let text = format!(
        r#"
        version = 1
        {costs}
        [core.0]
        scheduler = "linux"
        fair-server = "none"
        [core.1]
        scheduler = "linux"
        fair-server = "none"
        [vcpu.g]
        on = "core.1"
        server = "sched-deadline"
        budget = "4ms"
        period = "5ms"
        [task.t]
        on = "vcpu.g"
        wcet = "100us"
        deadline = "5ms"
        priority = 1
        [interrupt.other]
        on = "core.0"
        isr = "20us"
        min-interarrival = "1ms"
        [interrupt.nic]
        on = "core.0"
        isr = "3us"
        min-interarrival = "5ms"
        virtual = {{ vcpu = "vcpu.g", isr = "2us", wakes = "task.t" }}
        [require.nic]
        of = "interrupt.nic"
        handled-within = "1ms"
        "#
    );
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"))
}

/// The bounds of the routine, of the kick and of the task, in nanoseconds.
fn found(system: &System) -> [u64; 3] {
    let known = bounds(system);
    let interrupts = [InterruptId(1), InterruptId(2)].map(|id| known.interrupt(id).bound());
    [interrupts[0], interrupts[1], known.task(TaskId(0)).bound()].map(|at| at.unwrap().as_ns())
}

/// The routine waits for the other one. Then the guest takes its routine and the task: its budget is never used up.
#[test]
fn a_kick_is_as_late_as_the_routine_of_the_other_core() {
    let [routine, kick, task] = found(&system(""));
    assert_eq!(routine, 23_000);
    assert_eq!(kick, task);
    assert_eq!(task, 23_000 + 2_000 + 100_000);
}

/// Entering and leaving once on each core, and a guest once for the end of its routine; the kick may find it running.
#[test]
fn the_costs_of_a_kick_are_counted_on_its_core() {
    let costs = "[costs]\ninterrupt-entry = \"1us\"\ninterrupt-exit = \"1us\"\nvm-exit = \"5us\"";
    let [routine, _, task] = found(&system(costs));
    assert_eq!(routine, 23_000 + 2 * 2_000);
    let free = found(&system(""))[2];
    assert!(task >= free + 3 * 2_000 + 5_000, "{task} beside {free}");
}
