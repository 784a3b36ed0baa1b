//! Traces that this program recorded, and some lines that were made up where the machine that records
//! them does not do such a thing.

use super::*;

fn found(trace: &str, late: Late) -> Vec<(String, u64)> {
    parts(trace, late).into_iter().map(|part| (format!("{:?}", part.culprit), part.ns)).collect()
}

#[test]
fn a_more_urgent_thread_is_named() {
    let late = Late { id: 16_972, cpu: 1, due_ns: 49_082_706_435_500, ran_ns: 49_082_781_326_000 };
    let found = found(include_str!("urgent.trace"), late);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..2], [r#"Urgent("sh")"#, r#"Urgent("timeout")"#]);
    // Interrupts came in between, and are told apart.
    assert!(
        names.contains(&r#"Interrupt("virtio1-req.0")"#)
            && names.contains(&r#"SoftInterrupt("BLOCK")"#)
    );
    assert!(found[0].1 > 74_000_000);
    assert_eq!(found.iter().map(|(_, ns)| ns).sum::<u64>(), late.ran_ns - late.due_ns);
}

#[test]
fn a_timer_that_came_late_is_charged_to_what_ran() {
    let late = Late { id: 11_315, cpu: 1, due_ns: 48_454_971_497_700, ran_ns: 48_454_971_582_900 };
    let found = found(include_str!("late-timer.trace"), late);
    let expected = [
        (r#"Masked("rustc")"#.to_owned(), 27_300),
        (r#"Interrupt("local_timer")"#.to_owned(), 27_000),
        ("Itself".to_owned(), 19_900),
        (r#"Thread("rustc")"#.to_owned(), 11_000),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_trace_that_does_not_reach_back_says_nothing() {
    let late = Late { id: 11_315, cpu: 1, due_ns: 48_454_000_000_000, ran_ns: 48_454_971_582_900 };
    assert!(parts(include_str!("late-timer.trace"), late).is_empty());
    assert!(parts("", late).is_empty());
    // Another processor is none of this thread's.
    assert!(parts(include_str!("late-timer.trace"), Late { cpu: 0, ..late }).is_empty());
}

/// Made up, with the fields of the kernel's events.
const THROTTLED: &str = "
  vorrang-7 [000] d..2. 1.000000: sched_switch: prev_comm=vorrang prev_pid=7 prev_prio=19 prev_state=S ==> next_comm=a b next_pid=9 next_prio=9
  a b-9 [000] d.h2. 1.000110: sched_wakeup: comm=vorrang pid=7 prio=19 target_cpu=000
  a b-9 [000] d..2. 1.000200: sched_switch: prev_comm=a b prev_pid=9 prev_prio=9 prev_state=R ==> next_comm=cc next_pid=8 next_prio=120
  cc-8 [000] d..2. 1.050200: sched_switch: prev_comm=cc prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=vorrang next_pid=7 next_prio=19
";

#[test]
fn throttling_is_named() {
    let late = Late { id: 7, cpu: 0, due_ns: 1_000_100_000, ran_ns: 1_050_210_000 };
    let expected = [
        (r#"Throttled("cc")"#.to_owned(), 50_000_000),
        (r#"Urgent("a b")"#.to_owned(), 90_000),
        (r#"Masked("a b")"#.to_owned(), 10_000),
        ("Itself".to_owned(), 10_000),
    ];
    assert_eq!(found(THROTTLED, late), expected);
}

#[test]
fn an_idle_processor_and_an_unpreempted_thread_are_told_apart() {
    let idle = THROTTLED
        .replace(
            "next_comm=a b next_pid=9 next_prio=9",
            "next_comm=swapper/0 next_pid=0 next_prio=120",
        )
        .replace("a b-9", "<idle>-0");
    let late = Late { id: 7, cpu: 0, due_ns: 1_000_100_000, ran_ns: 1_000_190_000 };
    assert_eq!(found(&idle, late), [("Asleep".to_owned(), 90_000)]);
    let normal = THROTTLED.replace("next_prio=9\n", "next_prio=120\n");
    let expected =
        [(r#"Thread("a b")"#.to_owned(), 80_000), (r#"Masked("a b")"#.to_owned(), 10_000)];
    assert_eq!(found(&normal, late), expected);
}

#[test]
fn interrupts_may_be_nested() {
    let nested = "
  x-9 [000] d..2. 1.000000: softirq_entry: vec=3 [action=NET_RX]
  x-9 [000] d..2. 1.000010: local_timer_entry: vector=236
  x-9 [000] d..2. 1.000011: hrtimer_expire_entry: hrtimer=00 function=hrtimer_wakeup now=1
  x-9 [000] d..2. 1.000030: local_timer_exit: vector=236
  x-9 [000] d..2. 1.000040: softirq_exit: vec=3 [action=NET_RX]
";
    let late = Late { id: 7, cpu: 0, due_ns: 1_000_000_000, ran_ns: 1_000_050_000 };
    let expected = [
        (r#"Interrupt("local_timer")"#.to_owned(), 20_000),
        (r#"SoftInterrupt("NET_RX")"#.to_owned(), 20_000),
        (r#"Masked("x")"#.to_owned(), 10_000),
    ];
    assert_eq!(found(nested, late), expected);
}

#[test]
fn culprits_are_sentences() {
    let sentence = Culprit::Throttled("cc".into()).to_string();
    assert_eq!(sentence, "real-time throttling, during which the thread cc ran");
    assert!(Culprit::Masked("cc".into()).to_string().contains("while the thread cc ran"));
}
