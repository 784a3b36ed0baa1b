//! The words that a key may be set to, each with what it means.

use crate::system::{
    CacheModel, Communication, InterruptOrder, InterruptTime, Preemption, PseudoVcpuRule,
    Scheduler, ServerKind, TimerQueue,
};

/// How a supply was told to divide its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    FixedPriority,
    RateMonotonic,
    DeadlineMonotonic,
    Edf,
    Slots,
    Vtrr,
    Stride,
    RoundRobin,
    WeightedRoundRobin,
    Linux,
}

impl Rule {
    /// The rule that a resolved scheduler is written as.
    pub(crate) fn of(scheduler: Scheduler) -> Self {
        match scheduler {
            Scheduler::FixedPriority => Self::FixedPriority,
            Scheduler::Edf => Self::Edf,
            Scheduler::Slots => Self::Slots,
            Scheduler::Vtrr => Self::Vtrr,
            Scheduler::Stride => Self::Stride,
            Scheduler::RoundRobin => Self::RoundRobin,
            Scheduler::WeightedRoundRobin => Self::WeightedRoundRobin,
            Scheduler::Linux => Self::Linux,
        }
    }

    /// Whether members take turns of a quantum.
    pub(crate) fn takes_turns(self) -> bool {
        matches!(self, Self::Vtrr | Self::Stride | Self::RoundRobin | Self::WeightedRoundRobin)
    }

    /// Whether turns depend on the shares of the members.
    pub(crate) fn has_shares(self) -> bool {
        self.takes_turns() && self != Self::RoundRobin
    }

    /// Whether members may have equal priorities.
    pub(crate) fn has_equals(self) -> bool {
        matches!(self, Self::FixedPriority | Self::Linux)
    }
}

/// How packets were told to arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    Periodic,
    Burst,
    Poisson,
    LineRate,
}

/// A word of the format with its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<T: 'static> {
    pub(crate) text: &'static str,
    pub(crate) value: T,
    pub(crate) doc: &'static str,
}

const fn word<T>(text: &'static str, value: T, doc: &'static str) -> Word<T> {
    Word { text, value, doc }
}

/// Schedulers of a core.
pub(crate) const CORE_SCHEDULERS: &[Word<Rule>] = &[
    word("fixed-priority", Rule::FixedPriority, "the highest `priority` first"),
    word("rate-monotonic", Rule::RateMonotonic, "the shortest `period` first"),
    word("deadline-monotonic", Rule::DeadlineMonotonic, "the shortest `deadline` first"),
    word("edf", Rule::Edf, "the earliest absolute deadline first"),
    word("vtrr", Rule::Vtrr, "virtual-time round-robin"),
    word("stride", Rule::Stride, "stride scheduling"),
    word("round-robin", Rule::RoundRobin, "one quantum each in turn"),
    word("weighted-round-robin", Rule::WeightedRoundRobin, "`share` quanta each in turn"),
    word("linux", Rule::Linux, "`sched-deadline` servers by deadline, then the highest `priority`"),
    word("slots", Rule::Slots, "fixed slots: only servers of kind `slot`"),
];

/// Schedulers inside a server: those of a core without `slots`.
pub(crate) fn guest_schedulers() -> &'static [Word<Rule>] {
    CORE_SCHEDULERS.split_last().expect("slots stand last").1
}

/// Kinds of server.
pub(crate) const SERVER_KINDS: &[Word<ServerKind>] = &[
    word("periodic", ServerKind::Periodic, "full budget every period, idled away"),
    word("polling", ServerKind::Polling, "full budget every period, lost when nothing is ready"),
    word("deferrable", ServerKind::Deferrable, "full budget every period, kept while idle"),
    word("sporadic", ServerKind::Sporadic, "what was used returns one period later"),
    word("cbs-hard", ServerKind::CbsHard, "constant bandwidth, waits for its deadline"),
    word("cbs-soft", ServerKind::CbsSoft, "constant bandwidth, postpones its deadline"),
    word("sched-deadline", ServerKind::SchedDeadline, "SCHED_DEADLINE of Linux"),
    word(
        "refill-queue",
        ServerKind::RefillQueue,
        "a sporadic scheduling context of seL4: a short queue of refills",
    ),
    word("posix-sporadic", ServerKind::PosixSporadic, "SCHED_SPORADIC, with its defects"),
    word("share", ServerKind::Share, "its share of a supply that takes turns"),
    word("none", ServerKind::Level, "no budget: all that more urgent members leave"),
    word("slot", ServerKind::Slot, "the same interval of every period"),
    word("table", ServerKind::Table, "several intervals of every period"),
];

/// Orders of the service routines of a core.
pub(crate) const INTERRUPT_ORDERS: &[Word<InterruptOrder>] = &[
    word("first-come", InterruptOrder::FirstCome, "first come, first served"),
    word("priority", InterruptOrder::Priority, "the highest `priority` when one ends"),
    word("nested", InterruptOrder::Nested, "the highest `priority`, which interrupts others"),
];

/// What service routines are charged to.
pub(crate) const INTERRUPT_TIMES: &[Word<InterruptTime>] = &[
    word("apart", InterruptTime::Apart, "no budget (`IRQ_TIME_ACCOUNTING` of Linux)"),
    word(
        "charged",
        InterruptTime::Charged,
        "the `sched-deadline` server of the core that is interrupted",
    ),
];

/// When tasks read and write.
pub(crate) const COMMUNICATIONS: &[Word<Communication>] = &[
    word("registers", Communication::Registers, "read when a job starts, write when it completes"),
    word(
        "let",
        Communication::Let,
        "read when a job arrives, write at its deadline (logical execution time)",
    ),
];

/// What other members of its supply do to a job that has begun.
pub(crate) const PREEMPTIONS: &[Word<Preemption>] = &[
    word("full", Preemption::Full, "more urgent members of its supply take the time from it"),
    word(
        "none",
        Preemption::None,
        "none of them does before it completes, but for `sched-deadline` servers",
    ),
];

/// Queues of timers.
pub(crate) const TIMER_QUEUES: &[Word<TimerQueue>] = &[
    word("hrtimer", TimerQueue::HrTimer, "all of them, when they expire"),
    word(
        "timershield",
        TimerQueue::TimerShield,
        "those of tasks less urgent than what runs wait until something less urgent gets the core",
    ),
];

/// Rules of pseudo-VCPUs.
pub(crate) const PSEUDO_VCPU_RULES: &[Word<PseudoVcpuRule>] = &[
    word(
        "arrival",
        PseudoVcpuRule::Arrival,
        "credit for one interrupt when it is requested, back a period later",
    ),
    word("deferrable", PseudoVcpuRule::Deferrable, "the full budget every period"),
    word(
        "released",
        PseudoVcpuRule::Released,
        "credit for each interrupt, dropped every period: as released with Linux/RK",
    ),
];

/// Curves of caches.
pub(crate) const CACHE_MODELS: &[Word<CacheModel>] = &[
    word(
        "flood",
        CacheModel::Flood,
        "the `useful` share for the time `sustained`, then the full rate: the worst case",
    ),
    word("exponential", CacheModel::Exponential, "exponential recovery: the average case"),
];

/// When packets arrive.
pub(crate) const ARRIVALS: &[Word<Arrival>] = &[
    word("periodic", Arrival::Periodic, "one every `interval`"),
    word("burst", Arrival::Burst, "`burst` of them at one instant, every `interval`"),
    word("poisson", Arrival::Poisson, "after exponentially distributed times of mean `interval`"),
    word("line-rate", Arrival::LineRate, "back to back on a link"),
];

/// The words, each with what it means.
pub(crate) fn texts<T>(words: &[Word<T>]) -> Vec<(&'static str, &'static str)> {
    words.iter().map(|word| (word.text, word.doc)).collect()
}

/// The text of a value.
pub(crate) fn text_of<T: PartialEq + 'static>(words: &[Word<T>], value: &T) -> &'static str {
    words.iter().find(|word| word.value == *value).expect("every value has a word").text
}

impl ServerKind {
    /// As it is written in a description.
    pub fn word(self) -> &'static str {
        text_of(SERVER_KINDS, &self)
    }
}

impl Scheduler {
    /// As it is written in a description; orders that are derived are fixed priority.
    pub fn word(self) -> &'static str {
        text_of(CORE_SCHEDULERS, &Rule::of(self))
    }
}
