//! What comes of jobs that may be several, and of storms.

use super::*;
use crate::comparison::What;

/// A task every 10 ms, and an interrupt that may storm.
const SYSTEM: &str = r#"
version = 1
[core.0]
scheduler = "linux"
cpu = 0
[task.control]
on = "core.0"
priority = 10
wcet = "2ms"
period = "10ms"
thread = "name:control"
[task.unnamed]
on = "core.0"
priority = 9
wcet = "1ms"
period = "10ms"
[interrupt.net]
on = "core.0"
isr = "10us"
min-interarrival = "1ms"
storm = "20us"
irq = "net"
"#;

/// A thread of each policy and an interrupt, on processor 2.
const ELSEWHERE: &str = r#"
version = 1
[core.0]
scheduler = "linux"
cpu = 2
[task.control]
on = "core.0"
priority = 10
wcet = "2ms"
period = "10ms"
thread = "pid:7"
[server.reserved]
on = "core.0"
server = "sched-deadline"
budget = "1ms"
period = "10ms"
thread = "pid:8"
[task.reserved]
on = "server.reserved"
wcet = "1ms"
period = "10ms"
[interrupt.net]
on = "core.0"
isr = "10us"
min-interarrival = "1ms"
irq = "net"
"#;

/// Jobs of `control`, from wake-up to sleep in milliseconds, and routines of `net`, in microseconds.
fn observation(jobs: &[(u64, u64)], routines: &[(u64, u64)], bound: u64) -> Observation {
    let system = vorrang_model::read(SYSTEM, vorrang_model::Format::Toml).expect("a system");
    let mut lines = Vec::new();
    let mut line = |at: u64, event: &str| {
        lines.push((at, format!("x-1 [000] d..2. 1.{at:06}: {event}\n")));
    };
    for &(begin, end) in jobs {
        let (begin, end) = (begin * 1000, end * 1000);
        line(begin, "sched_waking: comm=control pid=7 prio=89 target_cpu=000");
        line(
            begin,
            "sched_switch: prev_comm=idle prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=control next_pid=7 next_prio=89",
        );
        line(
            end,
            "sched_switch: prev_comm=control prev_pid=7 prev_prio=89 prev_state=S ==> next_comm=idle next_pid=0 next_prio=120",
        );
    }
    for &(begin, end) in routines {
        line(begin, "irq_handler_entry: irq=24 name=net");
        line(end, "irq_handler_exit: irq=24 ret=handled");
    }
    lines.sort_by_key(|(at, _)| *at);
    let text: String = lines.into_iter().map(|(_, line)| line).collect();
    let schedule: Schedule = text.parse().expect("a trace");
    let limits = Limits {
        tasks: vec![Ok(Duration::from_ms(bound)); 2],
        interrupts: vec![Ok(Duration::from_us(20))],
        chains: Vec::new(),
    };
    Observation::of(&system, &schedule, &Matching::in_trace(&system, &schedule), &limits)
}

fn word(observation: &Observation, name: &str, what: What) -> &'static str {
    let row = observation.rows.iter().find(|row| row.name == name).expect("a row");
    let comparison = row.comparisons().iter().find(|one| one.what == what);
    comparison.expect("a comparison").verdict.word()
}

#[test]
fn a_job_is_held_against_bound_and_wcet() {
    let seen = observation(&[(0, 2), (20, 23)], &[(5_000, 5_005)], 4);
    assert_eq!(word(&seen, "task.control", What::Response), "below");
    assert_eq!(word(&seen, "task.control", What::Execution), "ABOVE");
    assert_eq!(word(&seen, "interrupt.net", What::Response), "below");
    assert_eq!(seen.outcome(), Outcome::Above);
    let missing = seen.rows.iter().find(|row| row.name == "task.unnamed").expect("a row");
    let why = missing.seen.as_ref().expect_err("it names no thread");
    assert!(why.contains("`thread`"), "{why}");
}

/// Jobs may overlap if the bound says so; a long one may be two.
#[test]
fn what_may_be_several_jobs_is_open() {
    let long = [(0, 12)];
    assert_eq!(word(&observation(&long, &[], 11), "task.control", What::Response), "open");
    assert_eq!(word(&observation(&long, &[], 13), "task.control", What::Response), "below");
    // By this bound the first was complete before the second came: it is broken either way.
    assert_eq!(word(&observation(&long, &[], 8), "task.control", What::Response), "ABOVE");
    assert_eq!(word(&observation(&[(0, 9)], &[], 8), "task.control", What::Response), "ABOVE");
}

#[test]
fn nothing_is_required_in_a_storm() {
    let calm = observation(&[(0, 1)], &[(100, 130), (5_000, 5_005)], 4);
    assert_eq!(word(&calm, "interrupt.net", What::Response), "ABOVE");
    let storm = observation(&[(0, 1)], &[(100, 130), (150, 155)], 4);
    assert_eq!(word(&storm, "interrupt.net", What::Response), "open");
    assert_eq!(word(&storm, "interrupt.net", What::Execution), "ABOVE");
}

#[test]
fn wake_ups_too_close_are_said() {
    let seen = observation(&[(0, 1), (9, 10)], &[], 4);
    let said = "task.control: two wake-ups were 9ms apart, and the description says 10ms at least";
    assert_eq!(notes(&seen, "task.control"), [said]);
    assert_eq!(seen.outcome(), Outcome::Open);
}

fn notes(observation: &Observation, name: &str) -> Vec<String> {
    let row = observation.rows.iter().find(|row| row.name == name).expect("a row");
    row.seen.as_ref().expect("it was seen").notes.clone()
}

/// What runs elsewhere, or by another policy, is not what the bounds are of.
#[test]
fn what_is_not_as_described_is_said() {
    let system = vorrang_model::read(ELSEWHERE, vorrang_model::Format::Toml).expect("a system");
    let switch = |cpu: usize, at: u64, from: (u32, i32), to: (u32, i32)| {
        format!(
            "x-1 [{cpu:03}] d..2. 1.{at:06}: sched_switch: prev_comm=t{0} prev_pid={0} prev_prio={1} prev_state=S ==> next_comm=t{2} next_pid={2} next_prio={3}\n",
            from.0, from.1, to.0, to.1
        )
    };
    let seen = |cpu: usize, control: i32, reserved: i32| {
        let text = [
            switch(cpu, 1, (0, 120), (7, control)),
            switch(cpu, 2, (7, control), (8, reserved)),
            switch(cpu, 3, (8, reserved), (0, 120)),
            format!("x-1 [{cpu:03}] d..2. 1.000004: irq_handler_entry: irq=24 name=net\n"),
            format!("x-1 [{cpu:03}] d..2. 1.000005: irq_handler_exit: irq=24 ret=handled\n"),
        ];
        let schedule: Schedule = text.concat().parse().expect("a trace");
        let limits = Limits {
            tasks: vec![Ok(Duration::from_ms(1)); 2],
            interrupts: vec![Ok(Duration::from_us(20))],
            chains: Vec::new(),
        };
        let matching = Matching::in_trace(&system, &schedule);
        Observation::of(&system, &schedule, &matching, &limits)
    };
    let good = seen(2, 89, -1);
    let bad = seen(1, 120, 49);
    let elsewhere = |name: &str| format!("{name}: it ran on processor 1, not only on 2");
    for (name, why) in [
        ("task.control", Some("it last ran as SCHED_OTHER, not as SCHED_FIFO (or _RR), 10")),
        ("server.reserved", Some("it last ran as SCHED_FIFO (or _RR), 50, not as SCHED_DEADLINE")),
        ("interrupt.net", None),
    ] {
        assert!(notes(&good, name).is_empty(), "{name}");
        let why = why.map(|why| format!("{name}: {why}"));
        let expected: Vec<String> = [Some(elsewhere(name)), why].into_iter().flatten().collect();
        assert_eq!(notes(&bad, name), expected);
    }
    // What is said of the reservation is not said of its task again.
    assert!(notes(&bad, "task.reserved").is_empty());
    assert!(bad.rows.iter().any(Row::is_not_as_described));
    assert!(!good.rows.iter().any(Row::is_not_as_described));
}

/// A task that holds a lock, beside a more urgent one whose line BLOCKING may be.
const LOCKS: &str = r#"
version = 1
[core.0]
scheduler = "linux"
cpu = 0
[task.high]
on = "core.0"
priority = 80
wcet = "1ms"
period = "10ms"
thread = "name:high"
BLOCKING
[task.low]
on = "core.0"
priority = 10
wcet = "2ms"
period = "10ms"
thread = "name:low"
"#;

/// Notes and remarks of `low`, which is lent the priority of `high`, and ran with it or not.
fn of_inheritance(blocking: &str, is_told: bool) -> (Vec<String>, Vec<String>) {
    let text = LOCKS.replace("BLOCKING", blocking);
    let system = vorrang_model::read(&text, vorrang_model::Format::Toml).expect("a system");
    let lent = "x-1 [000] d..2. 1.000200: sched_pi_setprio: comm=low pid=8 oldprio=89 newprio=19\n";
    let text = format!(
        "\
x-1 [000] d..2. 1.000100: sched_switch: prev_comm=idle prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=low next_pid=8 next_prio=89
{}x-1 [000] d..2. 1.000300: sched_switch: prev_comm=low prev_pid=8 prev_prio=19 prev_state=R ==> next_comm=high next_pid=9 next_prio=19
",
        if is_told { lent } else { "" }
    );
    let schedule: Schedule = text.parse().expect("a trace");
    let limits = Limits {
        tasks: vec![Ok(Duration::from_ms(5)); 2],
        interrupts: Vec::new(),
        chains: Vec::new(),
    };
    let matching = Matching::in_trace(&system, &schedule);
    let seen = Observation::of(&system, &schedule, &matching, &limits);
    let low = seen.rows.into_iter().find(|row| row.name == "task.low").expect("a row");
    let low = low.seen.expect("it was seen");
    (low.notes, low.remarks)
}

/// An inherited priority is named; it is a deviation where no more urgent thread allows for it.
#[test]
fn priority_inheritance_is_named() {
    let (notes, remarks) = of_inheritance("", true);
    let told = "task.low: it was SCHED_FIFO (or _RR), 80, not SCHED_FIFO (or _RR), 10, at 1.000200, by priority inheritance (sched_pi_setprio): a more urgent thread waited for what it held";
    assert_eq!(notes, [format!("{told}, and no more urgent task states `blocking`")]);
    assert!(remarks.is_empty());
    let (notes, remarks) = of_inheritance("blocking = \"20us\"", true);
    assert_eq!((notes, remarks), (Vec::new(), vec![told.to_owned()]));
    let (notes, _) = of_inheritance("", false);
    assert!(notes[0].contains("at 1.000300, which looks like priority inheritance"), "{notes:?}");
}

/// More than its work is all right where a kernel with costs of its own counts them for the job.
#[test]
fn costs_of_the_kernel_excuse_only_what_is_too_long() {
    let costs = "[costs]\nscheduler-call = \"1us\"\n";
    let system = format!("{SYSTEM}{costs}");
    let system = vorrang_model::read(&system, vorrang_model::Format::Toml).expect("a system");
    let verdict = |end: u64| {
        let text = format!(
            "\
x-1 [000] d..2. 1.000000: sched_waking: comm=control pid=7 prio=89 target_cpu=000
x-1 [000] d..2. 1.000000: sched_switch: prev_comm=idle prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=control next_pid=7 next_prio=89
x-1 [000] d..2. 1.{end:06}: sched_switch: prev_comm=control prev_pid=7 prev_prio=89 prev_state=S ==> next_comm=idle next_pid=0 next_prio=120
"
        );
        let schedule: Schedule = text.parse().expect("a trace");
        let limits = Limits {
            tasks: vec![Ok(Duration::from_ms(5)); 2],
            interrupts: vec![Ok(Duration::from_us(20))],
            chains: Vec::new(),
        };
        let matching = Matching::in_trace(&system, &schedule);
        let seen = Observation::of(&system, &schedule, &matching, &limits);
        word(&seen, "task.control", What::Execution)
    };
    assert_eq!((verdict(1_500), verdict(2_500)), ("below", "open"));
}
