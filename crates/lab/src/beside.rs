//! How long a processor stood still because the emulator ran others.
//!
//! **Model.** The emulator runs one processor at a time: while it runs one, time passes for all, and the kernel charges
//! the threads of the others for it. A thread whose processor stands still takes longer than its work, by as much as the
//! others ran; if that ends its budget, it is a period later still. Hardware does neither.
//!
//! **Assumptions.** 1. The schedule has the switches of all processors; service routines that interrupt an idle processor
//! are not counted.

use vorrang_observe::Schedule;

/// The time within an interval that threads of other processors than `cpu` ran.
pub(crate) fn ran(schedule: &Schedule, cpu: usize, begin: u64, end: u64) -> u64 {
    let others = schedule.all_runs().filter(|run| run.cpu != cpu && run.thread != 0);
    others.map(|run| run.end.min(end).saturating_sub(run.begin.max(begin))).sum()
}

#[cfg(test)]
mod tests {
    use super::ran;
    use vorrang_observe::Schedule;
    use vorrang_observe::schedule::Run;

    fn run(cpu: usize, thread: u32, begin: u64, end: u64) -> Run {
        Run { cpu, thread, name: format!("thread-{thread}"), begin, end, preempted: false }
    }

    #[test]
    fn threads_of_others_count_and_nothing_else_does() {
        let runs = vec![
            run(0, 0, 0, 1_000),
            run(1, 7, 100, 400),
            run(2, 8, 300, 500),
            run(2, 9, 700, 900),
        ];
        let schedule = Schedule { runs, ..Schedule::default() };
        assert_eq!(ran(&schedule, 1, 0, 1_000), 400, "idle processors and the own threads do not");
        assert_eq!(ran(&schedule, 1, 400, 800), 200, "parts within the interval");
        assert_eq!(ran(&schedule, 0, 500, 700), 0);
    }
}
