//! Texts of traces, and what is read from them.

use super::*;
use crate::schedule::{Guest, Inherited};

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

/// A switch to thread 7 and back, in each form, between `1.000001` and `1.000009`.
#[test]
fn forms_of_tracers_have_the_same_facts() {
    let latency = "\
# tracer: wakeup_rt
# latency: 8 us, #4/4, CPU#3 | (M:preempt_rt VP:0, KP:0, SP:0 HP:0 #P:4)
  <idle>-0         3dNh4.  1000001us+: sched_waking: comm=a us: b pid=7 prio=9 target_cpu=003
  <idle>-0         3dNh4.  1000001us :      0:120:R   + [003]     7:  9:R a us: b
  <idle>-0         3d..3.  1000001us!: sched_switch: prev_comm=swapper/3 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a us: b next_pid=7 next_prio=9
  <idle>-0         3d..3.  1000001us :      0:120:R ==> [003]     7:  9:R a us: b
  a us: b-7        3d..3.  1000009us#: sched_switch: prev_comm=a us: b prev_pid=7 prev_prio=9 prev_state=S ==> next_comm=swapper/3 next_pid=0 next_prio=120
  a us: b-7        3d..3.  1000009us : <stack trace>
 => __schedule+0x2f4/0x7e0
";
    let graph = "\
# tracer: function_graph
     1.000001 |   3)    <idle>-0    |               |  /* sched_waking: comm=a us: b pid=7 prio=9 target_cpu=003 */
     1.000001 |   3)    <idle>-0    |               |  /* sched_switch: prev_comm=swapper/3 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a us: b next_pid=7 next_prio=9 */
 ------------------------------------------
     1.000002 |   3)    <idle>-0    =>  a us: b-7
 ------------------------------------------
     1.000004 |   3)    a us: b-7   |   0.541 us    |  } /* do_nanosleep */
     1.000009 |   3)    a us: b-7   |               |  /* sched_switch: prev_comm=a us: b prev_pid=7 prev_prio=9 prev_state=S ==> next_comm=swapper/3 next_pid=0 next_prio=120 */
";
    for (text, skipped) in [(latency, 2), (graph, 4)] {
        let schedule: Schedule = text.parse().expect("a trace");
        let run = &schedule.runs[0];
        assert_eq!((run.cpu, run.thread, run.name.as_str()), (3, 7, "a us: b"), "{text}");
        assert_eq!((run.begin, run.end), (1_000_001_000, 1_000_009_000), "{text}");
        assert_eq!((schedule.runs.len(), schedule.skipped), (1, skipped), "{text}");
        assert_eq!(schedule.had[&(7, 9)], 1_000_001_000);
    }
    // Without an event, a wakeup tracer's own lines are all there is.
    let alone = "\
  <idle>-0       3d.h4    0us :      0:120:R   + [003]  2389: 94:R sleep
  <idle>-0       3d.h4    1us+: ttwu_do_activate.constprop.87 <-try_to_wake_up
  <idle>-0       3d..3    5us :      0:120:R ==> [003]  2389: 94:R sleep
";
    let schedule: Schedule = alone.parse().expect("a trace");
    assert_eq!((schedule.wakeups[0].at, schedule.unfinished[0].begin), (0, 5_000));
    assert_eq!((schedule.names[&2389].as_str(), schedule.priorities[&2389]), ("sleep", 94));
}

#[test]
fn lines_of_every_tracer_are_counted() {
    let lines = [
        " bash-1 [000] ....  1.000001: sys_clone+0x14/0x38 <-ret_fast_syscall+0x0/0x28",
        " bash-1 [000] ....  1.000001: function:             sys_clone <-- ret_fast_syscall",
        " bash-1 [000] ....  1.000002: <stack trace>",
        " => sys_clone+0x18/0x38",
        " => 0x7e87f7c0",
        "\tffffffff81a3c2f5 __schedule+0x2f5 ([kernel.kallsyms])",
        " <...>-867 [000] .....  1.000003: #1     context thread timer_latency     11700 ns",
        " osnoise/0-965 [000] ....  1.000004: 1000000        190  99.98100       9     18      0",
        " <...>-1729 [000] d...  1.000005: #1      inner/outer(us):   11/12    ts:1581527483.34 count:6",
        " kworker-9 [000] d...  1.000006:   8,0    D   W 8421 + 8 [kworker]",
        "  8,0    1        1     0.000000000   697  Q   W 223490 + 8 [kjournald]",
        "R 4 5.106776 1 0xb7801000 0xff 0x0 0",
        "MAP 1.2 1 0x1000 0xc4 0x20 0x0 0",
        " 0)               |  sys_open() {",
        " 0) + 16.500 us   |  } /* sys_open */",
        " ------------------------------------------",
    ];
    for line in lines {
        let text = format!("{line}\n");
        let schedule: Schedule = text.parse().unwrap_or_else(|why| panic!("{line}: {why}"));
        let told = schedule.skipped == 1 || line.contains("function:") || line.contains("inner");
        assert!(told && schedule.events.is_empty(), "{line}");
    }
    let refused = [
        (" 0)   |  /* sched_waking: comm=a pid=7 prio=9 target_cpu=003 */", "no time"),
        ("bash 4000 1 0 00000000 00010a95 [58127d26] 1720.415ms (+0.000ms): f (g)", "verbose"),
        (" bash-1 [000] d..2. 123456789: sched_waking: comm=a pid=7 prio=9", "trace_clock"),
        (" bash-1 [000] d..2. 1.000001: sched_switch prev_comm=a", "a value of the event"),
        ("It happens on my machine, too:", "this is no event"),
    ];
    for (line, why) in refused {
        let refused = line.parse::<Schedule>().expect_err(line);
        assert!(refused.why.contains(why), "{line}: {refused}");
    }
}

/// Programs for mail put `>` before what they quote, and break long lines.
#[test]
fn a_trace_in_a_mail_is_read() {
    let broken = [
        "> >           <idle>-0       [000] d..2.     1.000001: sched_switch:",
        "> > prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==>",
        "> > next_comm=low next_pid=7",
        "> > next_prio=9",
        ">           low-7       [000] d..2.     1.000002: sched_stat_runtime: comm=low pid=7",
        "> runtime=123 [ns]",
        "> low-7 [000] d..2. 1.000003: f+0x1/0x2",
        "> <-g+0x3/0x4",
        ">> low-7 [000] d..2. 1.000004: sched_wakeup: comm=b pid=8 prio=9",
        ">> target_cpu=001",
        "> >",
    ];
    let schedule: Schedule = broken.join("\n").parse().expect("a trace");
    assert_eq!(schedule.unfinished[0].name, "low");
    assert_eq!((schedule.wakeups[0].thread, schedule.wakeups[0].cpu), (8, 1));
    let cut = broken[..3].join("\n").parse::<Schedule>().expect_err("its end is missing");
    assert_eq!(cut, Malformed { line: 1, why: "a value of the event is missing" });
    let long = [&broken[..1], &[" a=1"; 9], &broken[1..4]].concat().join("\n");
    assert_eq!(long.parse::<Schedule>().expect_err("too many").line, 1);
}

#[test]
fn priorities_that_are_lent_are_noted() {
    let text = line(1, "sched_pi_setprio: comm=low pid=67 oldprio=120 newprio=9")
        + &line(2, "sched_pi_setprio: comm=low pid=67 oldprio=9 newprio=120");
    let schedule: Schedule = text.parse().expect("a trace");
    let lent = Inherited { at: 1_000_001_000, thread: 67, priority: 9 };
    assert_eq!(schedule.inherited, [lent]);
}
