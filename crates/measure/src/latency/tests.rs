//! The real machine, for order only: latencies are above zero and counted as often as asked.

use super::*;
use std::time::Duration;

fn plan() -> Plan {
    let thread = ThreadPlan { cpu: None, priority: None, interval_us: 500 };
    Plan {
        threads: vec![thread; 2],
        loops: Some(50),
        time: None,
        break_us: None,
        histogram_us: None,
        locks_memory: false,
        keeps_awake: false,
    }
}

#[test]
fn every_wake_up_is_counted_and_late() {
    let measured = measure(&plan(), |_| true).unwrap();
    assert_eq!(measured.threads.len(), 2);
    for thread in &measured.threads {
        assert_eq!(thread.tally.count(), 50);
        assert!(thread.tally.least_ns() > 0 && thread.id > 0 && thread.priority == 0);
        assert!(thread.overflows.is_empty());
    }
    assert!(measured.broken.is_none());
}

#[test]
fn the_time_and_the_user_end_it() {
    let endless = Plan { loops: None, ..plan() };
    let timed = Plan { time: Some(Duration::from_millis(60)), ..endless.clone() };
    // On a busy machine there may be no wake-up before the end.
    assert_eq!(measure(&timed, |_| true).unwrap().threads.len(), 2);
    assert_eq!(measure(&endless, |_| false).unwrap().threads.len(), 2);
}

#[test]
fn the_first_latency_above_the_threshold_ends_it() {
    // No machine wakes within a microsecond of every time; where tracing is not permitted, this is reported.
    let plan = Plan { loops: Some(100_000), break_us: Some(1), ..plan() };
    let measured = measure(&plan, |_| true).unwrap();
    let broken = measured.broken.expect("a latency of a microsecond");
    assert!(broken.latency_ns > 1_000 && broken.thread < Some(2));
    match broken.trace {
        Ok(trace) => assert!(trace.contains("# tracer: nop"), "{trace}"),
        Err(why) => assert!(!why.is_empty() && broken.parts.is_empty()),
    }
}

#[test]
fn what_does_not_fit_into_the_histogram_is_named_by_its_place() {
    let plan = Plan { histogram_us: Some(1), ..plan() };
    for thread in measure(&plan, |_| true).unwrap().threads {
        let within: u64 = thread.tally.microseconds(1).iter().sum();
        let beyond = thread.tally.count() - within;
        assert_eq!(thread.overflows.len() as u64, beyond.min(1));
    }
}

#[test]
fn what_is_refused_is_said() {
    let mut plan = plan();
    plan.threads[0].priority = Some(1_000);
    let measured = measure(&plan, |_| true).unwrap();
    assert!(measured.remarks.iter().any(|remark| remark.contains("priority 1000")));
    plan.threads[0].cpu = Some(usize::MAX);
    assert!(measure(&plan, |_| true).is_err());
}
