//! The steps of the guest beside the flood: for each case the task's jobs between two samples.

use super::case::{CPU, Case, PERIOD, WORK};
use crate::written::Scenario;
use vorrang_guest::{LoadedTask, Policy, Step, Work};

const MS: u64 = 1_000_000;
/// Jobs of the task for each case.
const JOBS: u32 = 20;
/// Until the queues of the card and of the program are full.
const FULL: u64 = 50 * MS;
/// From the creation of the task to the first look, and from there to its first release, so that no look
/// is in the way of a job; the second one follows the last period.
const BEFORE: u64 = 25 * MS;
const AFTER: u64 = 25 * MS;
/// From the beginning of a load to the first release: the look on the other processor slows this one down.
const OFFSET: u64 = 100 * MS;
/// Between two interrupts of the timer while it is measured.
pub(super) const MEASURED_TIMER: u64 = MS / 10;
/// The payload of a packet, as published.
pub(super) const PAYLOAD: u64 = 192;
/// The packets that the interface has taken from the card.
pub(super) const TAKEN: &str = "/sys/class/net/eth0/statistics/rx_packets";
/// The packets that programs have received.
pub(super) const DELIVERED: &str = "/proc/net/snmp";
/// The thread that polls, whatever its number.
pub(super) const HANDLER: &str = "napi/eth0-";

/// For how long each thread waited for locks, in microseconds.
pub(super) const WAITED: &str = "/sys/kernel/tracing/events/synthetic/waited/hist";
/// The features of the scheduler.
const FEATURES: &str = "/sys/kernel/debug/sched/features";

/// What ends runtimes of `SCHED_DEADLINE`.
pub(super) fn enforcement(of: &Scenario) -> Step {
    Step::Write { path: FEATURES.to_owned(), text: of.given("enforcement") }
}

/// Each case: the task's jobs between two samples.
pub(super) fn steps(cases: &[Case]) -> Vec<Step> {
    cases.iter().flat_map(of_case).collect()
}

pub(super) fn thread(name: &str, cpu: Option<usize>, policy: Policy) -> Step {
    Step::SetThread { name: name.to_owned(), cpu, policy }
}

fn of_case(case: &Case) -> Vec<Step> {
    let task = LoadedTask {
        name: "control".to_owned(),
        cpu: Some(CPU),
        policy: case.task,
        offset: OFFSET,
        period: PERIOD,
        jobs: JOBS,
        work: Work::Compute(WORK),
    };
    let handler = |policy| thread(&format!("{HANDLER}*"), None, policy);
    let mut looks = vec![
        Step::Sleep { time: BEFORE },
        account(),
        Step::Sleep { time: OFFSET + AFTER + u64::from(JOBS) * PERIOD },
        account(),
    ];
    // Otherwise jobs that it keeps from running would never end.
    if case.reservation().is_none() {
        looks.push(handler(Policy::Other));
    }
    let mut steps = vec![
        thread("receiver", None, case.receiver),
        handler(case.handler),
        Step::Sleep { time: FULL },
    ];
    steps.extend(case.every().map(|every| Step::StartInterrupts { cpu: CPU, every }));
    steps.push(Step::Meanwhile { tasks: vec![task], steps: looks });
    steps.extend(case.every().map(|_| Step::EndInterrupts));
    steps
}

pub(super) fn account() -> Step {
    let threads = [&format!("{HANDLER}*"), "irq/10-eth0", "ksoftirqd/1", "receiver"];
    Step::Account {
        threads: threads.map(str::to_owned).to_vec(),
        files: [TAKEN, DELIVERED, WAITED].map(str::to_owned).to_vec(),
    }
}
