//! Threads that poll for ever by a real-time priority: what else of their processor never runs.

use super::members::Reserved;
use super::planner::Planner;
use crate::machine::Policy;
use vorrang_model::System;

impl Planner<'_> {
    /// Says of each such thread what waits for it for ever.
    pub(super) fn endless(&mut self, system: &System, reserved: &[Reserved]) {
        let polls = |label: &str| system.tasks.iter().any(|task| task.polls && task.name == label);
        for one in reserved.iter().filter(|one| polls(&one.label)) {
            if one.policy.policy == Policy::DEADLINE {
                continue;
            }
            self.plan.doubts.push(format!(
                "{} polls for ever: nothing less urgent runs on processor {}, threads of the kernel included (ksoftirqd, \
                 rcuc, kworker), but in the server of SCHED_OTHER, where there is one. Keep their work off this \
                 processor (nohz_full=, rcu_nocbs=), or give the thread a reservation",
                one.label, one.cpu
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Kernel, Known};
    use vorrang_model::{Format, read};

    fn doubts(polls: &str) -> Vec<String> {
        let text = format!(
            "version = 1\n[core.0]\nscheduler = \"linux\"\ncpu = 1\n\
             [task.poll]\non = \"core.0\"\n{polls}\nthread = \"pid:1\"\npriority = 50\n"
        );
        let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"));
        let (reserved, _) = super::super::members::of(&system);
        let kernel = Known(|_: &str| None);
        let mut planner = Planner::of(&kernel as &dyn Kernel);
        planner.endless(&system, &reserved);
        planner.plan.doubts
    }

    #[test]
    fn a_thread_that_polls_by_priority_starves_its_processor() {
        assert!(doubts("wcet = \"1ms\"\nperiod = \"5ms\"").is_empty());
        let found = doubts("polls = true");
        assert!(found.len() == 1 && found[0].starts_with("task.poll polls for ever"), "{found:?}");
    }
}
