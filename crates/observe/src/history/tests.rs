//! Threads of small traces.

use super::*;

/// A trace of one processor: an instant in microseconds and the event; thread 7 is evaluated.
fn schedule(lines: &[(u64, &str)]) -> Schedule {
    let line = |(at, what): &(u64, &str)| {
        let begin = format!("x-1 [000] d..2. 1.{at:06}: ");
        let event = match *what {
            "waking" => "sched_waking: comm=x pid=7 prio=9 target_cpu=000",
            "woken" => "sched_wakeup: comm=x pid=7 prio=9 target_cpu=000",
            "comes" => {
                "sched_switch: prev_comm=idle prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=x next_pid=7 next_prio=9"
            }
            "timer" => "local_timer_entry: vector=236",
            "timer ends" => "local_timer_exit: vector=236",
            state => {
                return format!(
                    "{begin}sched_switch: prev_comm=x prev_pid=7 prev_prio=9 prev_state={state} ==> next_comm=idle next_pid=0 next_prio=120\n"
                );
            }
        };
        format!("{begin}{event}\n")
    };
    lines.iter().map(line).collect::<String>().parse().expect("a trace")
}

fn history(lines: &[(u64, &str)]) -> History {
    History::of(&schedule(lines), 7)
}

/// Release and response in microseconds, and whether it is complete.
fn jobs(history: &History) -> Vec<(u64, u64, bool)> {
    let us =
        |job: &Job| ((job.release - 1_000_000_000) / 1000, job.response() / 1000, job.is_complete);
    history.jobs.iter().map(us).collect()
}

#[test]
fn a_job_lasts_from_the_wake_up_to_the_sleep() {
    let history = history(&[
        (10, "waking"),
        (12, "woken"),
        (15, "comes"),
        (20, "R"),
        (30, "comes"),
        (40, "S"),
        (50, "waking"),
        (60, "comes"),
    ]);
    assert_eq!(jobs(&history), [(10, 30, true), (50, 10, false)]);
    assert_eq!(history.jobs[0].executed, Amount { time: 15_000, pieces: 2 });
    assert_eq!((history.preempted, history.jobs[0].preempted), (1, 1));
    assert_eq!(history.shortest_distance(), Some(40_000));
}

#[test]
fn a_job_goes_on_while_its_thread_waits_for_a_lock() {
    let history = history(&[
        (10, "woken"),
        (11, "comes"),
        (12, "D"),
        (20, "woken"),
        (21, "comes"),
        (25, "S"),
    ]);
    assert_eq!(jobs(&history), [(10, 15, true)]);
    assert_eq!(history.wakes.len(), 2);
}

#[test]
fn a_job_that_began_before_the_trace_is_none() {
    assert_eq!(
        jobs(&history(&[(10, "comes"), (12, "S"), (20, "woken"), (30, "S")])),
        [(20, 10, true)]
    );
}

#[test]
fn who_is_woken_on_the_way_to_sleep_is_released_then() {
    let history = history(&[
        (10, "woken"),
        (11, "comes"),
        (18, "waking"),
        (19, "S"),
        (20, "woken"),
        (25, "S"),
    ]);
    assert_eq!(jobs(&history), [(10, 9, true), (18, 7, true)]);
}

#[test]
fn who_is_woken_before_the_sleep_goes_on() {
    let history =
        history(&[(10, "woken"), (11, "comes"), (18, "waking"), (18, "woken"), (25, "S")]);
    assert_eq!(jobs(&history), [(10, 15, true)]);
}

#[test]
fn time_of_service_routines_is_not_the_thread_s() {
    let history =
        history(&[(10, "woken"), (11, "comes"), (15, "timer"), (18, "timer ends"), (25, "S")]);
    assert_eq!(history.jobs[0].executed, Amount { time: 11_000, pieces: 2 });
}
