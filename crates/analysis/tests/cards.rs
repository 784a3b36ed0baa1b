//! Network cards on Linux cores, by hand: interrupt, polling, reader, and what they take from others.

use vorrang_analysis::bounds;
use vorrang_model::system::{InterruptId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_time::Duration;

const CARD: &str = r#"
version = 1

[core.0]
scheduler = "linux"
fair-server = "none"

[interrupt.eth0]
on = "core.0"
min-interarrival = "1ms"
isr = "2us"
wakes = "task.poll"

[device.eth0]
interrupt = "interrupt.eth0"
ring = 16
budget = 2
per-packet = "3us"
socket = 8
receiver = "task.reader"
packets = { arrive = "burst", burst = 5, interval = "1ms", payload = 64 }

[task.poll]
on = "core.0"
priority = POLL
wcet = "10us"
period = "1ms"
deadline = "1ms"

[task.reader]
on = "core.0"
priority = READER
wcet = "7us"
period = "1ms"
deadline = "1ms"

[task.last]
on = "core.0"
priority = 1
wcet = "100us"
period = "10ms"
"#;

fn system(poll: &str, reader: &str) -> System {
    let text = CARD.replace("POLL", poll).replace("READER", reader);
    read(&text, Format::Toml).expect("a description")
}

fn us(system: &System, task: usize) -> Option<u64> {
    bounds(system).task(TaskId(task)).bound().map(|bound| bound.as_ns() / 1_000)
}

/// 2 + 3 rounds of 10 + 5 packets of 3 = 47 until the last packet is polled, which its reader finds
/// behind four others of 7 at the latest, 35 in all; polling interferes once more with what is below it.
#[test]
fn a_burst_is_polled_then_read() {
    let system = system("50", "40");
    let found = bounds(&system);
    assert_eq!(us(&system, 0), Some(47));
    assert_eq!(found.interrupt(InterruptId(0)).bound(), Some(Duration::from_us(47)));
    // Released 47 late, then routine, rounds and packets before it, and its own.
    assert_eq!(us(&system, 1), Some(47 + 47 + 35));
    assert_eq!(us(&system, 2), Some(100 + 47 + 35));
}

/// The reader interrupts the polling of what comes behind its packet; its jobs are as late as that.
#[test]
fn a_reader_that_is_more_urgent_delays_the_polling() {
    let system = system("40", "50");
    assert_eq!(us(&system, 0), Some(47 + 35));
    assert_eq!(us(&system, 1), Some(47 + 35 + 2 + 35));
}

/// Beside an equal a round may hold one packet: 2 + 5 (10 + 3) + 35.
#[test]
fn an_equal_may_cut_rounds_short() {
    let system = system("50", "50");
    assert_eq!(us(&system, 0), Some(2 + 5 * 13 + 35));
}

/// So many packets that the ring never runs empty: no bound, and why.
#[test]
fn packets_that_are_too_many_have_no_bound() {
    let text =
        CARD.replace("POLL", "50").replace("READER", "40").replace("burst = 5", "burst = 300");
    let system = read(&text, Format::Toml).expect("a description");
    let found = bounds(&system);
    for task in 0..3 {
        let finding = found.task(TaskId(task));
        assert!(finding.bound().is_none(), "{task}");
    }
}

/// Three packets may wait for a fourth as long as they like; what they take from others is known.
#[test]
fn packets_that_wait_for_others_have_no_bound_but_delay_nobody_for_ever() {
    let text = CARD.replace("POLL", "50").replace("READER", "10");
    let text = text.replace("ring = 16\n", "ring = 16\ncoalesce-packets = 9\n");
    let between =
        "[task.between]\non = \"core.0\"\npriority = 20\nwcet = \"1us\"\nperiod = \"10ms\"\n";
    let system = read(&(text + between), Format::Toml).expect("a description");
    let found = bounds(&system);
    let why = found.task(TaskId(0)).reason().map(ToString::to_string);
    let expected = "no analysis covers how long packets of device.eth0 wait for others (write a `coalesce-time`)";
    assert_eq!(why.as_deref(), Some(expected));
    assert_eq!(found.task(TaskId(1)).bound(), None);
}
