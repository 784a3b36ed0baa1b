//! The words that a key may be set to, each with what it means.

use crate::system::ServerKind;

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
    word("refill-queue", ServerKind::RefillQueue, "the corrected sporadic server, as in seL4"),
    word("posix-sporadic", ServerKind::PosixSporadic, "SCHED_SPORADIC, with its defects"),
    word("share", ServerKind::Share, "its share of a supply that takes turns"),
    word("slot", ServerKind::Slot, "the same interval of every period"),
];

/// The text of a value.
pub(crate) fn text_of<T: PartialEq + 'static>(words: &[Word<T>], value: &T) -> &'static str {
    words.iter().find(|word| word.value == *value).expect("every value has a word").text
}
