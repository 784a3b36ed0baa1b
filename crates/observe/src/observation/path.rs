//! Jobs that other jobs wake, linked along their path.
//!
//! **Model.** A thread wakes another one while a job of it runs. So a job that is released during a job of the task before
//! it belongs to that one, and has its arrival:
//!
//! ```text
//!   before   woken ├──────────┤ sleeps
//!   task                  woken ├─────────┤ sleeps
//!            from here ......................  the response
//! ```
//!
//! **Assumptions.** 1. Of two jobs before that may have woken one, the later is taken: the response is no longer than the
//! true one. 2. A job before that may be several is taken for none.

use super::Look;
use crate::history::Job;
use vorrang_model::system::TaskId;

impl Look<'_> {
    /// From the beginning of its path, as far as that is seen, to its end.
    pub(super) fn end_to_end(&self, id: TaskId, job: &Job) -> u64 {
        job.end - self.begins(id, job)
    }

    /// The wake-up of the first job of its path; its own where nothing wakes it that the trace shows. Of several before
    /// it, all of one source, the latest.
    pub(super) fn begins(&self, id: TaskId, job: &Job) -> u64 {
        let before = self.system.predecessors(id);
        let begins = before.into_iter().map(|by| match self.job_before(by, job) {
            Some(before) => self.begins(by, before),
            None => job.release,
        });
        begins.max().unwrap_or(job.release)
    }

    /// The job of a task during which another one was woken.
    fn job_before(&self, by: TaskId, woken: &Job) -> Option<&Job> {
        let thread = self.matching.tasks[by.0].as_ref().ok()?;
        let jobs = &self.history(*thread).jobs;
        let later = jobs.partition_point(|job| job.release <= woken.release);
        let job = &jobs[later.checked_sub(1)?];
        let ends = job.end + self.resolution(1);
        let is_one = !(self.may_overlap(by) && self.may_be_several(by, job));
        (is_one && woken.release <= ends).then_some(job)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, Observation};
    use crate::comparison::What;
    use crate::matching::Matching;
    use crate::schedule::Schedule;
    use vorrang_time::Duration;

    const SYSTEM: &str = r#"
        version = 1
        [core.0]
        scheduler = "linux"
        cpu = 0
        [core.1]
        scheduler = "linux"
        cpu = 1
        [task.sensor]
        on = "core.0"
        priority = 10
        wcet = "3ms"
        period = "20ms"
        thread = "name:sensor"
        wakes = ["task.control"]
        [task.control]
        on = "core.1"
        priority = 9
        wcet = "3ms"
        deadline = "9ms"
        thread = "name:control"
    "#;

    /// `sensor` and `control`, each from wake-up to sleep, in milliseconds.
    fn seen(sensor: (u64, u64), control: (u64, u64), bound: u64) -> (u64, &'static str) {
        let system = vorrang_model::read(SYSTEM, vorrang_model::Format::Toml).expect("a system");
        let mut lines = Vec::new();
        let both = [("sensor", 7, 0, sensor), ("control", 8, 1, control)];
        for (name, number, cpu, (begin, end)) in both {
            let mut line = |at: u64, event: String| {
                lines.push((at, format!("x-1 [00{cpu}] d..2. 1.{:06}: {event}\n", at * 1000)));
            };
            line(
                begin,
                format!("sched_waking: comm={name} pid={number} prio=89 target_cpu=00{cpu}"),
            );
            line(
                begin,
                format!(
                    "sched_switch: prev_comm=idle prev_pid=0 prev_prio=120 prev_state=R ==> next_comm={name} next_pid={number} next_prio=89"
                ),
            );
            line(
                end,
                format!(
                    "sched_switch: prev_comm={name} prev_pid={number} prev_prio=89 prev_state=S ==> next_comm=idle next_pid=0 next_prio=120"
                ),
            );
        }
        lines.sort_by_key(|(at, _)| *at);
        let text: String = lines.into_iter().map(|(_, line)| line).collect();
        let schedule: Schedule = text.parse().expect("a trace");
        let matching = Matching::in_trace(&system, &schedule);
        let limits = Limits {
            tasks: vec![Ok(Duration::from_ms(bound)); 2],
            interrupts: Vec::new(),
            chains: Vec::new(),
        };
        let seen = Observation::of(&system, &schedule, &matching, &limits);
        let row = seen.rows.iter().find(|row| row.name == "task.control").expect("a row");
        let response = row.comparisons().iter().find(|one| one.what == What::Response);
        let response = response.expect("a comparison");
        (response.worst.expect("a job").time / 1_000_000, response.verdict.word())
    }

    #[test]
    fn a_woken_job_counts_from_the_beginning_of_its_path() {
        assert_eq!(seen((1, 4), (4, 6), 6), (5, "below"));
        // Each of the two is short, and the path is too long.
        assert_eq!(seen((1, 4), (4, 6), 4), (5, "ABOVE"));
        // It wakes the next one before its end.
        assert_eq!(seen((1, 4), (2, 6), 4), (5, "ABOVE"));
    }

    #[test]
    fn what_is_woken_by_something_else_counts_from_there() {
        assert_eq!(seen((1, 4), (5, 8), 4), (3, "below"));
        assert_eq!(seen((3, 4), (1, 3), 4), (2, "below"));
    }

    /// A job of the first that may be two tells nothing of where the path begins.
    #[test]
    fn a_job_that_may_be_several_is_not_gone_back_over() {
        assert_eq!(seen((1, 22), (22, 24), 25), (2, "below"));
        assert_eq!(seen((1, 4), (4, 6), 25), (5, "below"));
    }
}
