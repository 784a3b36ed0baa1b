//! Text of the tracer, from `Documentation/trace/timerlat-tracer.rst` of Linux; and some that this
//! program recorded on a real-time kernel, 6.12 of Debian.

use super::*;

const PLAIN: &str = "
# tracer: timerlat
#         TASK-PID      CPU# ||||   TIMESTAMP    ID            CONTEXT                LATENCY
          <idle>-0       [000] d.h1    54.029328: #1     context    irq timer_latency       932 ns
           <...>-867     [000] ....    54.029339: #1     context thread timer_latency     11700 ns
          <idle>-0       [001] dNh1    54.029346: #1     context    irq timer_latency      2833 ns
           <...>-868     [001] ....    54.029353: #1     context thread timer_latency      9820 ns
          <idle>-0       [000] d.h1    54.030328: #2     context    irq timer_latency       769 ns
           <...>-867     [000] ....    54.030330: #2     context thread timer_latency      3070 ns
";

const BROKEN: &str = "
             cc1-87882   [005] d..h...   548.771078: #402268 context    irq timer_latency     13585 ns
             cc1-87882   [005] dNLh1..   548.771082: irq_noise: local_timer:236 start 548.771077442 duration 7597 ns
             cc1-87882   [005] dNLh2..   548.771099: irq_noise: qxl:21 start 548.771085017 duration 7139 ns
             cc1-87882   [005] d...3..   548.771102: thread_noise:      cc1:87882 start 548.771078243 duration 9909 ns
      timerlat/5-1035    [005] .......   548.771104: #402268 context thread timer_latency     39960 ns
";

#[test]
fn latencies_are_counted_by_processor_and_context() {
    let mut cpus = BTreeMap::new();
    for line in PLAIN.lines() {
        count(line, &mut cpus);
    }
    let numbers = |tally: &Tally| (tally.count(), tally.least_ns(), tally.most_ns());
    let found: Vec<_> =
        cpus.iter().map(|(cpu, of)| (*cpu, numbers(&of.irq), numbers(&of.thread))).collect();
    let expected =
        [(0, (2, 769, 932), (2, 3_070, 11_700)), (1, (1, 2_833, 2_833), (1, 9_820, 9_820))];
    assert_eq!(found, expected);
}

#[test]
fn what_the_kernel_measured_in_between_is_the_cause() {
    let (cpu, latency_ns, parts) = cause(BROKEN, 25_000).unwrap();
    assert_eq!((cpu, latency_ns), (5, 39_960));
    let expected = [
        (Culprit::Masked("cc1".into()), 13_585),
        (Culprit::Thread("cc1".into()), 9_909),
        (Culprit::Interrupt("local_timer".into()), 7_597),
        (Culprit::Interrupt("qxl".into()), 7_139),
    ];
    let expected = expected.map(|(culprit, ns)| Part { culprit, ns });
    assert_eq!(parts, expected);
    // None of them took that long, and no other cause is reported.
    assert_eq!(cause(BROKEN, 50_000), None);
    assert_eq!(cause("", 1), None);
}

const RECORDED: &str = "
       ktimers/0-18      [000] d.H12    22.424059: irq_noise: local_timer:236 start 22.423865026 duration 42414 ns
          <idle>-0       [000] d.h1.    22.425803: #2     context    irq timer_latency   1326900 ns
";

#[test]
fn an_interrupt_that_came_late_stops_the_trace_before_the_thread_runs() {
    let asleep = Part { culprit: Culprit::Asleep, ns: 1_326_900 };
    // The noise ended before the time that was asked for.
    assert_eq!(cause(RECORDED, 400_000), Some((0, 1_326_900, vec![asleep])));
}

#[test]
fn what_began_before_is_charged_from_the_time_that_was_asked_for() {
    let text = "irq_noise: eth0:21 start 548.771000000 duration 80000 ns";
    let part = noise(text, 548_771_060_000).unwrap();
    assert_eq!(part, Part { culprit: Culprit::Interrupt("eth0".into()), ns: 20_000 });
    for other in ["sample_threshold: start 1.0 duration 5 ns", "irq_noise: start x", "nothing"] {
        assert_eq!(noise(other, 0), None, "{other}");
    }
    let soft = noise("softirq_noise:      RCU:9 start 5.000000001 duration 7 ns", 0).unwrap();
    assert_eq!(soft, Part { culprit: Culprit::SoftInterrupt("RCU".into()), ns: 7 });
}
