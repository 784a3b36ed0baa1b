//! A case with a thread of the kernel: that of the console's interrupt, which transmits bytes.
//!
//! **Model.** A burst of bytes raises the interrupt, once for each byte; its thread works until all are
//! passed on. The time of that, with the service routines, is in the profile of the kernel, and is compared
//! with the same boot, while the thread's runtime is ample; then it is reserved with less, alone and beside
//! timers. A burst begins when all of it is in the buffer.
//!
//! **Assumptions.** 1. Filling the buffer takes less than the tolerance, and is not described. 2. The sender
//! never waits for the thread: it has the earliest deadline, so that it is done before the thread begins.
//! (Otherwise it would wait for the lock of the port, also while the thread is throttled, and the thread
//! would release and acquire that with every 16 bytes: 2 to 3 us each time, 0.1 to 0.2 ms in a burst, which
//! is not in the description.)

use super::body::Platform;
use super::case::Case;
use super::cases;
use super::course::{Completion, Course, Piece, stretches};
use super::job::{Job, MS};
use super::machine::{Kind, Source};
use crate::evidence::Evidence;
use vorrang_guest::{Policy, ScriptedJob, ScriptedThread, Work};

/// The prefix of the name of the interrupt's thread.
pub const THREAD: &str = "irq/4-";
/// A burst that fits into one buffer of the kernel.
const BYTES: usize = 1_100;
/// The case, and the task that the thread is; its jobs are the bursts.
const CASE: &str = "interrupt-thread";
const HANDLER: (usize, &str) = (0, "handler");
/// The thread that runs while that is throttled.
const OTHER: usize = 1;

/// The sender: with an earlier deadline than the thread, and done before it begins.
const SENDER: Policy =
    Policy::Deadline { runtime: MS, deadline: 2 * MS, period: 20 * MS, reclaims: false };

/// The reservation.
pub fn policy() -> Policy {
    unmeasured().threads("", None)[HANDLER.0].policy
}

/// One that a burst does not use up: what waits for the thread waits as it does while that is throttled.
pub const AMPLE: Policy =
    Policy::Deadline { runtime: 5 * MS, deadline: 10 * MS, period: 10 * MS, reclaims: false };

/// Additional interrupts, in thousands a second.
pub const RATES: [u64; 3] = [1, 10, 20];

/// The sender, and the thread that computes beside it.
pub fn threads(prefix: &str) -> Vec<ScriptedThread> {
    let case = unmeasured();
    let burst = |job: &Job| ScriptedJob { release: job.release(), work: Work::Send(BYTES) };
    let sender = ScriptedThread {
        name: format!("{prefix}sender"),
        cpu: None,
        policy: SENDER,
        after: Vec::new(),
        jobs: case.jobs(HANDLER.1).iter().map(burst).collect(),
    };
    let mut all = case.threads(prefix, None);
    vec![sender, all.swap_remove(OTHER)]
}

/// When the first burst with a prefix was sent.
fn origin(evidence: &Evidence, prefix: &str) -> Option<u64> {
    evidence.jobs(&format!("{prefix}sender")).0.first().map(|job| job.finish)
}

/// The case alone and beside timers, each with the prefix of its threads.
pub fn cases(case: &Case) -> Vec<(String, Case)> {
    let timer = |khz| Some(Source { kind: Kind::Timer, khz });
    let sources = [None].into_iter().chain(RATES.map(timer));
    let one = |(number, source)| (format!("r{number}."), Case { source, ..case.clone() });
    sources.enumerate().map(one).collect()
}

/// The case without its cost.
pub fn unmeasured() -> Case {
    taking(0)
}

/// The case, with the cost of a burst.
pub fn taking(burst: u64) -> Case {
    Case { measured: Some((HANDLER.1, burst)), ..cases::one(CASE) }
}

/// The cost of a burst: the largest of the bursts with that prefix.
pub fn burst(evidence: &Evidence, prefix: &str) -> Option<u64> {
    let origin = origin(evidence, prefix)?;
    let taken = |job: &Job| {
        let begin = origin + job.at * MS;
        let own = evidence.schedule.runs.iter().filter(|run| run.name.starts_with(THREAD));
        let within = own.filter(|run| run.begin >= begin && run.begin < begin + BURST_ENDS);
        within.map(|run| run.end - run.begin).sum()
    };
    unmeasured().jobs(HANDLER.1).iter().map(taken).max()
}

/// A burst that is not reserved is over by then.
const BURST_ENDS: u64 = 10 * MS;

/// A kernel that ran the case.
#[derive(Debug)]
pub struct Kernel<'a> {
    /// Its evidence.
    pub evidence: &'a Evidence,
    /// The prefix of its threads.
    pub prefix: &'a str,
}

impl Platform for Kernel<'_> {
    fn perform(&self, case: &Case) -> Result<Course, String> {
        let Self { evidence, prefix } = self;
        let bursts = case.jobs(HANDLER.1);
        let origin = origin(evidence, prefix).ok_or("no interrupt was sent")?;
        let other = format!("{prefix}other");
        let done = evidence.jobs(&other).0.first().ok_or("the other thread did not run")?;
        let end = origin + 2 * bursts[1].at * MS;
        let piece = |task: usize, run: &vorrang_observe::schedule::Run| Piece {
            task,
            begin: run.begin - origin,
            end: run.end - origin,
            preempted: run.preempted,
        };
        let runs = evidence.schedule.runs.iter();
        let runs = runs.filter(|run| run.begin >= origin && run.end < end);
        let pieces: Vec<Piece> = runs
            .filter_map(|run| match &run.name {
                name if name.starts_with(THREAD) => Some(piece(HANDLER.0, run)),
                name if *name == other && run.begin < done.finish + case.tolerance() => {
                    Some(piece(OTHER, run))
                }
                _ => None,
            })
            .collect();
        let stretches = stretches(&pieces, &case.reserved(), case.tolerance());
        let ended = Completion { task: OTHER, job: 0, arrival: 0, at: done.finish - origin };
        let mut completions = vec![ended];
        for (number, burst) in bursts.iter().enumerate() {
            // A kernel does not say when a burst is over: with the last stretch before the next one.
            let next =
                bursts.get(number + 1).map_or(u64::MAX, |next| next.at * MS - case.tolerance());
            let own = stretches.iter().filter(|one| one.task == HANDLER.0 && one.begin < next);
            let at = own.map(|one| one.end).max().ok_or("the interrupt's thread did not run")?;
            completions.push(Completion {
                task: HANDLER.0,
                job: number,
                arrival: burst.at * MS,
                at,
            });
        }
        let mut course = Course { stretches, completions };
        course.in_order();
        Ok(course)
    }

    fn name(&self) -> &'static str {
        "kernel"
    }
}
