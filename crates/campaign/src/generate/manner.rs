//! The set of features that a system draws from.

use crate::random::Random;
use vorrang_model::system::{Scheduler, ServerKind};

/// The set of features that a system draws from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// The features that the analysis covers.
    Bounded,
    /// Of that: guests with interrupts, and time enough for them.
    Guests,
    /// Of that: guests whose interrupts each have a pseudo-VCPU, mostly of one priority, and costs.
    Credits,
    /// Of that: servers in servers, with periods shorter than the outer ones', and more work than budget.
    Inner,
    /// Of that: servers with deadlines beside interrupts.
    Reserved,
    /// The features that it covers with costs of scheduler calls, switches and cold caches.
    Charged,
    /// Of that: timers behind a shield, with costs, on every core. Drawn on request only.
    Shielded,
    /// All features.
    Everything,
}

const TURNS: [(u64, Scheduler); 4] = [
    (1, Scheduler::RoundRobin),
    (1, Scheduler::WeightedRoundRobin),
    (1, Scheduler::Stride),
    (1, Scheduler::Vtrr),
];

impl Manner {
    pub(super) fn draw(random: &mut Random) -> Self {
        random.weighted(&[
            (5, Self::Bounded),
            (2, Self::Guests),
            (1, Self::Credits),
            (1, Self::Inner),
            (2, Self::Reserved),
            (2, Self::Charged),
            (4, Self::Everything),
        ])
    }

    /// How many of ten members are servers, if usually so many are.
    pub(super) fn servers_in_ten(self, usually: u64) -> u64 {
        match self {
            Self::Guests | Self::Credits => usually.max(4),
            Self::Reserved | Self::Inner => usually.max(7),
            Self::Shielded => usually.min(3),
            _ => usually,
        }
    }

    /// Whether there are always interrupts, with guests that have time enough for them.
    pub(super) fn is_of_guests(self) -> bool {
        matches!(self, Self::Guests | Self::Credits)
    }

    /// Whether only what the analysis covers is drawn.
    pub(super) fn is_covered(self) -> bool {
        self != Self::Everything
    }

    pub(super) fn core_scheduler(self, random: &mut Random) -> Scheduler {
        match self {
            Self::Guests => random.weighted(&[
                (6, Scheduler::FixedPriority),
                (2, Scheduler::Linux),
                (1, Scheduler::Edf),
                (1, Scheduler::Slots),
            ]),
            Self::Credits => {
                random.weighted(&[(2, Scheduler::FixedPriority), (1, Scheduler::Linux)])
            }
            Self::Inner => random.weighted(&[
                (2, Scheduler::FixedPriority),
                (2, Scheduler::Linux),
                (1, Scheduler::Edf),
            ]),
            Self::Reserved => random.weighted(&[(2, Scheduler::Linux), (1, Scheduler::Edf)]),
            Self::Shielded => {
                random.weighted(&[(3, Scheduler::FixedPriority), (2, Scheduler::Linux)])
            }
            Self::Charged => random.weighted(&[
                (5, Scheduler::FixedPriority),
                (3, Scheduler::Edf),
                (3, Scheduler::Linux),
                (1, Scheduler::Slots),
                (1, Scheduler::RoundRobin),
                (1, Scheduler::WeightedRoundRobin),
            ]),
            Self::Bounded => random.weighted(&[
                (5, Scheduler::FixedPriority),
                (3, Scheduler::Edf),
                (2, Scheduler::Linux),
                (2, Scheduler::Slots),
                (1, Scheduler::RoundRobin),
                (1, Scheduler::WeightedRoundRobin),
            ]),
            Self::Everything => {
                let others = [
                    (6, Scheduler::FixedPriority),
                    (3, Scheduler::Edf),
                    (3, Scheduler::Linux),
                    (1, Scheduler::Slots),
                ];
                random.weighted(&[others, TURNS].concat())
            }
        }
    }

    pub(super) fn guest_scheduler(self, random: &mut Random) -> Scheduler {
        match self {
            Self::Inner => random.weighted(&[
                (3, Scheduler::FixedPriority),
                (1, Scheduler::Edf),
                (1, Scheduler::Linux),
            ]),
            Self::Bounded
            | Self::Guests
            | Self::Credits
            | Self::Reserved
            | Self::Charged
            | Self::Shielded => random.weighted(&[
                (3, Scheduler::FixedPriority),
                (2, Scheduler::Edf),
                (1, Scheduler::Linux),
                (1, Scheduler::RoundRobin),
                (1, Scheduler::WeightedRoundRobin),
            ]),
            Self::Everything => {
                let others = [
                    (4, Scheduler::FixedPriority),
                    (2, Scheduler::Edf),
                    (1, Scheduler::Linux),
                    (0, Scheduler::Slots),
                ];
                random.weighted(&[others, TURNS].concat())
            }
        }
    }

    /// The kinds of server that stand on a supply with that scheduler; of a core, if at no depth.
    pub(super) fn kinds_on(self, parent: Scheduler, depth: usize) -> &'static [ServerKind] {
        use ServerKind::{CbsHard, CbsSoft, Deferrable, Periodic, Polling, SchedDeadline};
        // Beside a shield the replenishment fragments of servers are not bounded.
        match (self, parent) {
            (Self::Shielded, Scheduler::FixedPriority) => &[Periodic, Polling, Deferrable],
            (Self::Shielded, Scheduler::Linux) => &[Periodic, Polling, Deferrable, SchedDeadline],
            (Self::Shielded, Scheduler::Edf) => {
                &[Periodic, Polling, Deferrable, CbsHard, CbsSoft, SchedDeadline]
            }
            _ => self.kinds(parent, depth),
        }
    }

    fn kinds(self, parent: Scheduler, depth: usize) -> &'static [ServerKind] {
        use ServerKind::{
            CbsHard, CbsSoft, Deferrable, Level, Periodic, Polling, RefillQueue, SchedDeadline,
            Share, Sporadic,
        };
        match (self, parent) {
            (Self::Everything, _) => all_kinds(parent),
            (Self::Charged, Scheduler::FixedPriority | Scheduler::Linux) => {
                charged_kinds(parent, depth)
            }
            (Self::Inner, Scheduler::FixedPriority | Scheduler::Linux) if depth > 0 => {
                &[Sporadic, Sporadic, Sporadic, Deferrable, Periodic, Polling, RefillQueue, Level]
            }
            (Self::Reserved, Scheduler::Linux) if depth == 0 => {
                &[SchedDeadline, SchedDeadline, SchedDeadline, Deferrable, Level]
            }
            (Self::Reserved, Scheduler::Edf) if depth == 0 => {
                &[SchedDeadline, SchedDeadline, CbsHard, CbsHard, Deferrable, Polling]
            }
            (_, Scheduler::Edf) => {
                &[Periodic, Polling, Deferrable, CbsHard, CbsSoft, SchedDeadline]
            }
            (_, Scheduler::Linux) => &[
                Periodic,
                Polling,
                Deferrable,
                Sporadic,
                RefillQueue,
                SchedDeadline,
                SchedDeadline,
                SchedDeadline,
                Level,
                Level,
            ],
            // What is inside a polling server loses its budget when it waits for an interrupt.
            (Self::Guests | Self::Credits, Scheduler::FixedPriority) => {
                &[Periodic, Polling, Polling, Deferrable, Sporadic, RefillQueue, Level]
            }
            (_, Scheduler::FixedPriority) => {
                &[Periodic, Polling, Deferrable, Sporadic, RefillQueue, RefillQueue, Level, Level]
            }
            _ => &[Share],
        }
    }
}

/// On a supply with that scheduler, some twice: newer features are tested more often.
fn all_kinds(parent: Scheduler) -> &'static [ServerKind] {
    use ServerKind::{
        CbsHard, CbsSoft, Deferrable, Level, Periodic, Polling, PosixSporadic, RefillQueue,
        SchedDeadline, Share, Sporadic,
    };
    match parent {
        Scheduler::Edf => {
            &[Periodic, Polling, Deferrable, CbsHard, CbsSoft, CbsSoft, SchedDeadline]
        }
        Scheduler::FixedPriority => &[
            Periodic,
            Polling,
            Deferrable,
            Sporadic,
            PosixSporadic,
            PosixSporadic,
            RefillQueue,
            Level,
        ],
        Scheduler::Linux => &[
            Periodic,
            Polling,
            Deferrable,
            Sporadic,
            PosixSporadic,
            RefillQueue,
            SchedDeadline,
            SchedDeadline,
            Level,
        ],
        _ => &[Share],
    }
}

/// In guests the replenishment fragments of a sporadic server are not bounded.
fn charged_kinds(parent: Scheduler, depth: usize) -> &'static [ServerKind] {
    use ServerKind::{Deferrable, Level, Periodic, Polling, RefillQueue, SchedDeadline, Sporadic};
    match (parent, depth) {
        (Scheduler::Linux, 0) => {
            &[Periodic, Polling, Deferrable, Sporadic, RefillQueue, SchedDeadline, Level]
        }
        (Scheduler::Linux, _) => &[Periodic, Polling, Deferrable, SchedDeadline, Level],
        (_, 0) => &[Periodic, Polling, Deferrable, Sporadic, Sporadic, RefillQueue, Level, Level],
        _ => &[Periodic, Polling, Deferrable, RefillQueue, Level],
    }
}
