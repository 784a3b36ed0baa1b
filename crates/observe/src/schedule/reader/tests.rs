//! Texts of traces, and what is read from them.

use super::*;

const TRACE: &str = "\
# tracer: nop
#
          <idle>-0       [000] dN..3.     1.000010: sched_wakeup: comm=low [0]: x pid=67 prio=120 target_cpu=000
          <idle>-0       [000] d...2.     1.000012: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=low [0]: x next_pid=67 next_prio=120
     low [0]: x-67       [000] d..h1.     1.000100: irq_handler_entry: irq=24 name=eth0
     low [0]: x-67       [000] d..h1.     1.000103: irq_handler_exit: irq=24 ret=handled
     low [0]: x-67       [000] d...2.     1.000112: sched_switch: prev_comm=low [0]: x prev_pid=67 prev_prio=120 prev_state=R+ ==> next_comm=high next_pid=68 next_prio=9
            high-68      [000] d...2.     1.000212: sched_switch: prev_comm=high prev_pid=68 prev_prio=9 prev_state=S ==> next_comm=low [0]: x next_pid=67 next_prio=120
";

#[test]
fn a_trace_becomes_a_schedule() {
    let schedule: Schedule = TRACE.parse().expect("a trace");
    let names: Vec<(&str, u64, u64, bool)> = schedule
        .runs
        .iter()
        .map(|run| (run.name.as_str(), run.begin, run.end, run.preempted))
        .collect();
    assert_eq!(
        names,
        [
            ("low [0]: x", 1_000_012_000, 1_000_112_000, true),
            ("high", 1_000_112_000, 1_000_212_000, false)
        ]
    );
    assert_eq!(schedule.wakeups[0].at, 1_000_010_000);
    assert_eq!(schedule.wakeups[0].thread, 67);
    assert_eq!(schedule.routines.len(), 1);
    assert_eq!((schedule.routines[0].interrupt, schedule.routines[0].name.as_str()), (24, "eth0"));
    assert_eq!(schedule.received("high", 1_000_150_000, 2_000_000_000), 62_000);
}

#[test]
fn what_is_no_event_is_refused_with_its_line() {
    let refused = "# tracer\nnonsense\n".parse::<Schedule>().expect_err("nonsense");
    assert_eq!(refused, Malformed { line: 2, why: "this is no event" });
    let lost = "CPU:0 [LOST 12 EVENTS]\n".parse::<Schedule>().expect_err("a gap");
    assert_eq!(lost.why, "the kernel lost events");
    let cut = TRACE.replace("next_pid=68 next_prio=9", "");
    assert!(cut.parse::<Schedule>().is_err());
}

/// A line of processor 0, so many microseconds after the first second.
fn line(at: u64, event: &str) -> String {
    format!("          x-1     [000] d..2.     1.{at:06}: {event}\n")
}

const COMES: &str = "sched_switch: prev_comm=idle prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=vcpu next_pid=7 next_prio=-1";

#[test]
fn guests_and_routines_of_the_processor_are_kept_beside_threads() {
    let text = [
        line(1, COMES),
        line(2, "kvm_entry: vcpu 0, rip 0xffff"),
        line(5, "kvm_exit: vcpu 0 reason EXTERNAL_INTERRUPT rip 0xffff info 0 0"),
        line(6, "local_timer_entry: vector=236"),
        line(7, "local_timer_exit: vector=236"),
        line(8, "softirq_entry: vec=3 [action=NET_RX]"),
        line(9, "softirq_exit: vec=3 [action=NET_RX]"),
        line(10, "irq_handler_entry: irq=24 name=eth0"),
    ];
    let schedule: Schedule = text.concat().parse().expect("a trace");
    let guest = Guest { cpu: 0, thread: 7, begin: 1_000_002_000, end: 1_000_005_000 };
    assert_eq!(schedule.guests, [guest]);
    let names = |routines: &[Routine]| -> Vec<(u32, String)> {
        routines.iter().map(|routine| (routine.interrupt, routine.name.clone())).collect()
    };
    assert_eq!(names(&schedule.vectors), [(236, "local_timer".to_owned())]);
    assert_eq!(names(&schedule.soft), [(3, "NET_RX".to_owned())]);
    assert_eq!(names(&schedule.unfinished_routines), [(24, "eth0".to_owned())]);
    assert_eq!(schedule.priorities[&7], -1);
    assert_eq!(schedule.unfinished.len(), 1);
}

#[test]
fn a_buffer_that_was_overwritten_begins_where_the_last_processor_does() {
    let other = line(9, COMES).replace("[000]", "[001]").replace("pid=7", "pid=8");
    let whole = [line(1, COMES), line(5, COMES), other, line(12, COMES)].concat();
    let read = |counts: &str| -> Schedule {
        format!("# entries-in-buffer/entries-written: {counts}   #P:2\n{whole}")
            .parse()
            .expect("a trace")
    };
    assert_eq!((read("4/4").begin, read("4/4").is_cut), (1_000_001_000, false));
    let cut = read("4/9");
    assert_eq!((cut.begin, cut.is_cut), (1_000_009_000, true));
    assert!(cut.events.iter().all(|event| event.at >= cut.begin));
}

#[test]
fn what_other_programs_print_is_read() {
    let perf = "  idle  0 [000]  1.000001:  sched:sched_switch: prev_comm=idle prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a b next_pid=7 next_prio=9\n";
    let short = "cpus=1\n  <idle>-0  [000]  1.000001: sched_switch:     swapper/0:0 [120] R ==> a b:7 [9]\n";
    for text in [perf, short] {
        let schedule: Schedule = text.parse().expect("a trace");
        assert_eq!(schedule.names[&7], "a b", "{text}");
        assert_eq!(schedule.priorities[&7], 9, "{text}");
    }
    let gaps = [
        "CPU:1 [123 EVENTS DROPPED]",
        "CPU:0 [LOST 17 EVENTS]",
        "perf 1 [000] 1.000001: PERF_RECORD_LOST lost 5",
    ];
    for gap in gaps {
        let lost = gap.parse::<Schedule>().expect_err("a gap");
        assert_eq!(lost.why, "the kernel lost events", "{gap}");
    }
}

/// More than any name of a thread has: a line of nothing else would be read again from each.
#[test]
fn brackets_before_that_of_the_processor_are_few() {
    let event = "[000] d..2. 1.000001: sched_wakeup: comm=a pid=7 prio=1 target_cpu=000";
    let read =
        |brackets: usize| Reader::default().line(&format!("a{} {event}", " [".repeat(brackets)));
    assert_eq!(read(7), Ok(()));
    assert_eq!(read(20).map_err(|why| why.line), Err(1));
}

#[test]
fn time_that_goes_back_is_refused() {
    let text = [line(5, COMES), line(4, COMES)].concat();
    let refused = text.parse::<Schedule>().expect_err("time goes back");
    assert_eq!(refused, Malformed { line: 2, why: "the time of this processor goes back" });
}

#[test]
fn nine_digits_are_exact_to_a_nanosecond() {
    let text = line(1, COMES).replace("1.000001:", "1.000001234:");
    let schedule: Schedule = text.parse().expect("a trace");
    assert_eq!((schedule.begin, schedule.resolution), (1_000_001_234, 1));
}

/// Its memory has an end, wherever that of the trace is.
#[test]
fn more_events_than_are_kept_are_refused_with_their_line() {
    let mut reader = Reader::default();
    let line = "  a-1 [000] d.h. 1.000000: sched_waking: comm=b pid=2 prio=120 target_cpu=000";
    (0..MOST_EVENTS).for_each(|_| reader.line(line).expect("an event"));
    let refused = reader.line(line).expect_err("one too many").to_string();
    assert_eq!(refused, "line 2000001: these are more events than are kept: trace a shorter time");
}
