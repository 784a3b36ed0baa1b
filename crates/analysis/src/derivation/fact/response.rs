//! What is said of a response.

use crate::ground::Reason;
use crate::ground::Source;
use vorrang_model::system::{DeviceId, SupplyId, TaskId};
use vorrang_time::Duration;

/// How long something takes to respond.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in the theorems")]
pub enum OfResponse {
    /// Nothing was found.
    NoBound {
        of: Source,
        reason: Reason,
    },
    /// The worst job of a busy window under fixed priority.
    BusyWindow {
        of: Source,
        count: u64,
        window: Duration,
        bound: Duration,
    },
    /// The worst job of all busy windows, where their beginnings are known.
    ByClock {
        of: Source,
        count: u64,
        begin: Duration,
        beginnings: u64,
        window: Duration,
        bound: Duration,
    },
    /// The worst job among those of the same priority.
    FirstCome {
        of: Source,
        released: Duration,
        until: Duration,
        window: Duration,
        bound: Duration,
    },
    /// The worst job of a task that is not preempted.
    Kept {
        of: Source,
        count: u64,
        begun: Duration,
        window: Duration,
        bound: Duration,
    },
    OwnWork {
        count: u64,
        cost: Duration,
    },
    /// The windows of the fixed-point iteration.
    Iteration(Vec<Duration>),
    /// The worst job under EDF.
    EdfJob {
        of: Source,
        released: Duration,
        window: Duration,
        bound: Duration,
    },
    /// The same of all windows, where their beginnings are known.
    EdfByClock {
        of: Source,
        count: u64,
        begin: Duration,
        windows: u64,
        window: Duration,
        bound: Duration,
    },
    /// The worst request of a routine.
    Request {
        of: Source,
        requested: Duration,
        window: Duration,
        bound: Duration,
    },
    /// The routine of a guest, from the request at its core on.
    FromRequest {
        of: Source,
        bound: Duration,
    },
    /// Of that, what the routine of the core takes.
    CoreRoutine {
        delay: Duration,
        wait: Duration,
        straight: Duration,
        own: Duration,
        is_kept: bool,
    },
    /// What a pseudo-VCPU does of the work.
    Credit {
        work: Duration,
        by: Duration,
    },
    /// What of a credit is lost to a cold cache.
    CreditLost {
        lost: Duration,
    },
    /// The result of the published formula, beside the stated value.
    PublishedBudget {
        asked: Duration,
        period: Duration,
        stated: Duration,
    },
    /// The jobs of a task that an interrupt wakes.
    Woken {
        task: TaskId,
        by: Vec<Source>,
        period: Duration,
        jitter: Duration,
    },
}

/// How packets are polled and read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in the theorems")]
pub enum OfPackets {
    /// The jobs of a task that reads packets.
    Reads {
        task: TaskId,
        at_once: u64,
        device: DeviceId,
        period: Duration,
        jitter: Duration,
    },
    Episode {
        device: DeviceId,
        wake: Duration,
        episode: u64,
    },
    EpisodeJob {
        last: u64,
        response: Duration,
    },
    PollingWork {
        packets: u64,
        budget: u64,
        round: Duration,
        packet: Duration,
        work: Duration,
    },
    Ring {
        delay: Duration,
        most: u64,
        ring: u64,
    },
}

/// When the only task of a constant-bandwidth server completes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the numbers have the names that they have in the theorems")]
pub enum OfLoneTask {
    /// The only task of a constant-bandwidth server.
    InServer {
        task: TaskId,
        job: u64,
        server: SupplyId,
        budgets: u64,
        period: Duration,
    },
    Pays {
        server: SupplyId,
        work: Duration,
        used: Duration,
    },
    Late {
        server: SupplyId,
        late: Duration,
    },
    Delivered {
        by: Duration,
        jitter: Duration,
        job: u64,
        apart: Duration,
        bound: Duration,
    },
    Sum {
        used: Duration,
        budget: Duration,
        period: Duration,
        late: Duration,
        job: u64,
        apart: Duration,
        bound: Duration,
    },
    /// In a deferrable server that has budget for a whole job.
    BudgetLasts {
        task: TaskId,
        server: SupplyId,
        jitter: Duration,
        bound: Duration,
    },
    /// In a deferrable server whose budget the job before used up.
    NextBudget {
        task: TaskId,
        server: SupplyId,
        before: Duration,
        period: Duration,
        apart: Duration,
        then: Duration,
        jitter: Duration,
        bound: Duration,
    },
}
