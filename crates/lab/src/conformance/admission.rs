//! The reservations that a kernel admits, and those that a description may state.
//!
//! **Model.** A kernel takes `SCHED_DEADLINE` threads on a processor if each has runtime <= deadline
//! <= period (else `EINVAL`) and the sum of runtime / period is at most its share for real-time threads, less
//! 5 % for `SCHED_OTHER` (else `EBUSY`). A description refuses the first as well; the second is no error,
//! because the described system need not run on Linux.
//!
//! **Not covered.** An admitted system need not be schedulable: with deadlines shorter than periods the sum
//! is not sufficient, and the analysis decides.

use super::body::guarantees;
use super::run::PAUSE;
use crate::check::Check;
use crate::evidence::Evidence;
use crate::written::Scenario;
use vorrang_guest::{Policy, Record, ScriptedThread, Step};
use vorrang_model::{Format, read};

/// The time of a second for real-time threads, in microseconds.
pub const LIMIT: &str = "/proc/sys/kernel/sched_rt_runtime_us";
/// The share of it that is kept for `SCHED_OTHER`, in percent.
const FAIR: u64 = 5;
const EBUSY: i32 = 16;
const EINVAL: i32 = 22;
/// How long the threads of a trial are there, so that they are there at once.
const WHILE: u64 = 20_000_000;

/// Some reservations at once.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Runtime, deadline and period of each, in microseconds.
    pub reservations: &'static [[u64; 3]],
}

/// All trials.
pub const TRIALS: &[Trial] = &[
    Trial { reservations: &[[9_000, 10_000, 10_000]] },
    Trial { reservations: &[[9_100, 10_000, 10_000]] },
    Trial { reservations: &[[9_500, 10_000, 10_000]] },
    Trial { reservations: &[[9_600, 10_000, 10_000]] },
    Trial { reservations: &[[5_000, 10_000, 10_000], [4_000, 10_000, 10_000]] },
    Trial { reservations: &[[5_000, 10_000, 10_000], [4_600, 10_000, 10_000]] },
    Trial { reservations: &[[11_000, 10_000, 10_000]] },
    Trial { reservations: &[[5_000, 4_000, 10_000]] },
    Trial { reservations: &[[5_000, 12_000, 10_000]] },
    // Both want 9 ms within 6: admitted, and late by 3 ms at most, which is within their periods.
    Trial { reservations: &[[4_000, 5_000, 10_000], [5_000, 6_000, 10_000]] },
];

/// What a kernel admits on a processor of its own, in percent: what it has for real-time threads
/// without the server of `SCHED_OTHER`.
fn admitted(evidence: &Evidence) -> Option<u64> {
    let text = evidence.texts(LIMIT).next()?;
    (text.trim().parse::<u64>().ok()? / 10_000).checked_sub(FAIR)
}

/// The name of the thread of a reservation.
fn name(trial: usize, number: usize) -> String {
    format!("a{trial}.{number}")
}

impl Trial {
    /// The steps of the guest.
    pub fn step(&self, trial: usize, cpu: usize) -> Step {
        let thread = |(number, &[runtime, deadline, period]): (usize, &[u64; 3])| ScriptedThread {
            name: name(trial, number),
            cpu: Some(cpu),
            policy: Policy::Deadline {
                runtime: runtime * 1_000,
                deadline: deadline * 1_000,
                period: period * 1_000,
                reclaims: false,
            },
            after: Vec::new(),
            jobs: Vec::new(),
        };
        let threads = self.reservations.iter().enumerate().map(thread).collect();
        Step::Script { threads, until: WHILE }
    }

    fn description(&self) -> String {
        let server = |(number, [runtime, deadline, period]): (usize, &[u64; 3])| {
            format!(
                "[server.s{number}]\non = \"core.0\"\nserver = \"sched-deadline\"\n\
                 budget = \"{runtime}us\"\ndeadline = \"{deadline}us\"\nperiod = \"{period}us\"\n\
                 [task.t{number}]\non = \"server.s{number}\"\nwcet = \"1us\"\nperiod = \"1s\"\n\
                 deadline = \"none\"\n"
            )
        };
        let servers: String = self.reservations.iter().enumerate().map(server).collect();
        format!("version = 1\n[core.0]\nscheduler = \"linux\"\nfair-server = \"none\"\n{servers}")
    }

    /// The expected answer of a kernel, by the description alone; and whether all budgets are guaranteed.
    fn foreseen(&self, admitted: u64) -> (i32, bool) {
        let Ok(system) = read(self.description().as_bytes(), Format::Toml) else {
            return (EINVAL, false);
        };
        let sum: u64 =
            self.reservations.iter().map(|[runtime, _, period]| runtime * 10_000 / period).sum();
        (if sum > admitted * 100 { EBUSY } else { 0 }, guarantees(&system))
    }

    /// The kernel's answer is the expected one.
    pub fn check(&self, trial: usize, evidence: &Evidence) -> Check {
        let names: Vec<String> =
            (0..self.reservations.len()).map(|number| name(trial, number)).collect();
        let answer = |name: &String| {
            evidence.records.iter().find_map(|record| match record {
                Record::Jobs { task, .. } if task == name => Some(0),
                Record::Refused { what, errno, .. } if *what == format!("task {name}") => {
                    Some(*errno)
                }
                _ => None,
            })
        };
        let answers: Option<Vec<i32>> = names.iter().map(answer).collect();
        let seen = answers.and_then(|answers| answers.into_iter().max());
        let Some(limit) = admitted(evidence) else {
            return Check::new("what a kernel admits", format!("{LIMIT} says nothing"), false);
        };
        let (foreseen, guaranteed) = self.foreseen(limit);
        let text =
            |[runtime, deadline, period]: &[u64; 3]| format!("{runtime}/{deadline}/{period}");
        let all: Vec<String> = self.reservations.iter().map(text).collect();
        Check::new(
            format!("reservations {} us", all.join(" and ")),
            format!(
                "{}; foreseen with {limit} %: {}; {}",
                seen.map_or("nothing was tried", said),
                said(foreseen),
                if guaranteed { "guaranteed" } else { "not guaranteed" }
            ),
            seen == Some(foreseen),
        )
    }
}

/// A thread that is pinned without a partition.
const OUTSIDE: &str = "outside";
const EPERM: i32 = 1;

/// It is tried.
pub(crate) fn outside(of: &Scenario) -> Step {
    let policy = Policy::Deadline {
        runtime: 1_000_000,
        deadline: 10_000_000,
        period: 10_000_000,
        reclaims: false,
    };
    let cpu = Some(of.given("cpu"));
    let thread = ScriptedThread {
        name: OUTSIDE.to_owned(),
        cpu,
        policy,
        after: Vec::new(),
        jobs: Vec::new(),
    };
    Step::Script { threads: vec![thread], until: 0 }
}

/// It is not admitted.
pub(crate) fn check_outside(evidence: &Evidence) -> Check {
    let error = evidence.records.iter().find_map(|record| match record {
        Record::Refused { what, errno, why } if *what == format!("task {OUTSIDE}") => {
            Some((*errno, why.as_str()))
        }
        _ => None,
    });
    let (errno, seen) = error.unwrap_or((0, "it was admitted"));
    Check::new("a pinned thread is not admitted without a partition", seen, errno == EPERM)
}

/// All trials, one after the other.
pub(crate) fn steps(of: &Scenario) -> Vec<Step> {
    let cpu = of.given("cpu");
    let trials = TRIALS.iter().enumerate();
    trials
        .flat_map(|(number, trial)| [trial.step(number, cpu), Step::Sleep { time: PAUSE }])
        .collect()
}

/// What the kernel answered to each.
pub(crate) fn checks(evidence: &Evidence) -> Vec<Check> {
    TRIALS.iter().enumerate().map(|(number, trial)| trial.check(number, evidence)).collect()
}

fn said(error: i32) -> &'static str {
    match error {
        0 => "admitted",
        EBUSY => "EBUSY",
        EINVAL => "EINVAL",
        _ => "another error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kernel_answers_is_foreseen_by_the_description() {
        let foreseen =
            |limit| -> Vec<i32> { TRIALS.iter().map(|trial| trial.foreseen(limit).0).collect() };
        let wrong = [EINVAL; 3];
        assert_eq!(foreseen(90)[..6], [0, EBUSY, EBUSY, EBUSY, 0, EBUSY]);
        assert_eq!(foreseen(95)[..6], [0, 0, 0, EBUSY, 0, EBUSY]);
        assert_eq!((&foreseen(90)[6..9], foreseen(90)[9]), (&wrong[..], 0));
    }

    #[test]
    fn what_is_admitted_need_not_be_guaranteed() {
        let guaranteed: Vec<bool> = TRIALS.iter().map(|trial| trial.foreseen(95).1).collect();
        let [yes, no] = [true, false];
        assert_eq!(guaranteed, [yes, yes, yes, yes, yes, yes, no, no, no, yes]);
    }
}
