//! Interrupts that reach another core.

use crate::drawing::{CORE, at, draw_of};
use vorrang_model::system::{InterruptId, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{
    Arrivals, Cause, Context, History, Job, NotCovered, Observer, Simulator, Source, covered,
};
use vorrang_time::{Duration, Instant};

const AWAY: SupplyId = SupplyId(1);

/// An interrupt and another one on the first core; on the second a task, and what the interrupt reaches there.
fn described(costs: &str, reached: &str, wakes: &str) -> System {
    let text = format!(
        r#"
        version = 1
        {costs}
        [core.0]
        scheduler = "fixed-priority"
        [core.1]
        scheduler = "fixed-priority"
        [task.own]
        on = "core.1"
        wcet = "3ms"
        period = "100ms"
        priority = 2
        {reached}
        [interrupt.other]
        on = "core.0"
        isr = "2ms"
        min-interarrival = "100ms"
        [interrupt.card]
        on = "core.0"
        isr = "1ms"
        min-interarrival = "100ms"
        {wakes}
        "#
    );
    read(text.as_bytes(), Format::Toml).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"))
}

const THREAD: &str = r#"
    [task.thread]
    on = "core.1"
    wcet = "2ms"
    priority = 3
"#;

const GUEST: &str = r#"
    [vcpu.g]
    on = "core.1"
    server = "none"
    priority = 3
    [task.in-guest]
    on = "vcpu.g"
    wcet = "2ms"
    priority = 1
"#;

const TO_GUEST: &str = r#"virtual = { vcpu = "vcpu.g", isr = "1ms", wakes = "task.in-guest" }"#;

/// The task of the second core and both interrupts arrive at once.
fn history(system: &System, own: u64) -> History {
    let mut history = History::quiet(system);
    history.tasks[0] = Arrivals::from(at(own));
    history.interrupts[0] = Arrivals::from(at(0));
    history.interrupts[1] = Arrivals::from(at(0));
    history
}

/// Jobs in milliseconds: what, arrival, release, completion; and time lost by leaving guests.
#[derive(Default)]
struct Seen(Vec<(Source, [u64; 3])>, Duration);

impl Observer for Seen {
    fn completed(&mut self, job: &Job, at: Instant) {
        let times = [job.arrival, job.release, at].map(|at| at.as_ns() / 1_000_000);
        self.0.push((job.source, times));
    }

    fn lost(&mut self, _: Option<Context>, cause: Cause, amount: Duration, _: Instant) {
        if cause == Cause::VmExit {
            self.1 += amount;
        }
    }
}

fn followed(system: &System, history: &History) -> Seen {
    let mut seen = Seen::default();
    Simulator::new(system, CORE).unwrap().run_together(history, at(50), &mut seen);
    seen
}

#[test]
fn a_routine_wakes_a_thread_of_another_core() {
    let system = described("", THREAD, r#"wakes = "task.thread""#);
    let history = history(&system, 2);
    assert_eq!(draw_of(&system, CORE, &history, 8), "001.....");
    assert_eq!(draw_of(&system, AWAY, &history, 8), "..abbaa.");
    let kick = InterruptId(2);
    assert_eq!(system.interrupt(kick).name, "interrupt.card/kick");
    let found = followed(&system, &history).0;
    // The kick is handled with the job that it wakes, and counts from the interrupt, not from the routine.
    for seen in [
        (Source::Interrupt(InterruptId(1)), [0, 0, 3]),
        (Source::Interrupt(kick), [0, 3, 5]),
        (Source::Task(TaskId(1)), [0, 3, 5]),
    ] {
        assert!(found.contains(&seen), "{found:?}");
    }
}

#[test]
fn a_kick_takes_what_interrupts_take_on_the_other_core() {
    let costs = "[costs]\ninterrupt-entry = \"1ms\"\nvm-exit = \"2ms\"";
    let system = described(costs, GUEST, TO_GUEST);
    // Both routines enter: the kick comes at 5. It enters, and nothing leaves a guest. The guest's routine takes 1 and
    // its end 2.
    let history = history(&system, 4);
    assert_eq!(draw_of(&system, AWAY, &history, 14), "....a2CCCbbaa.");
    assert_eq!(followed(&system, &history).1, Duration::from_ms(2));
}

#[test]
fn a_kick_that_finds_a_guest_running_leaves_it() {
    let costs = "[costs]\nvm-exit = \"2ms\"";
    let also = format!("{GUEST}\n[task.late]\non = \"vcpu.g\"\nwcet = \"9ms\"\nperiod = \"100ms\"");
    let system = described(costs, &format!("{also}\npriority = 9"), TO_GUEST);
    let mut history = history(&system, 40);
    history.tasks[2] = Arrivals::from(at(0));
    assert_eq!(draw_of(&system, AWAY, &history, 20), "ccc22CCCccccccbb....");
    assert_eq!(followed(&system, &history).1, Duration::from_ms(4));
}

#[test]
fn what_a_kick_of_a_storm_reaches_is_not_simulated() {
    let storm = "storm = \"10ms\"\nwakes = \"task.thread\"";
    let system = described("", THREAD, storm);
    assert!(matches!(covered(&system, AWAY), Err(NotCovered::Feature { .. })));
}
