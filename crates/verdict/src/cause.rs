//! Why a requirement is undecided or refuted: codes beside the words, each with a page.
//!
//! U: undecided. 00 not represented, 01 no bound, 02 neither bound nor history decides, 03 a feature that
//! no analysis covers, 04 the check itself, 05 no bound on a probability. R: refuted. A code keeps its
//! meaning for ever; one that is no longer used is not given again (U0204: every analysis without a bound
//! names its reason; U0101 and U0106: each feature, and each reason why a probability has no bound, has a code).

macro_rules! causes {
    ($($cause:ident = $code:literal, $title:literal, $help:literal;)*) => {
        /// Why a requirement is not proven.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Cause {
            $(#[doc = $title] $cause,)*
        }

        impl Cause {
            /// All of them in the order of their codes.
            pub const ALL: &[Self] = &[$(Self::$cause,)*];

            /// As it is printed: `U0101`.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$cause => $code,)* }
            }

            /// What it is in a few words.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$cause => $title,)* }
            }

            /// The general remedy, if no specific one is known.
            pub const fn help(self) -> &'static str {
                match self { $(Self::$cause => $help,)* }
            }

            /// Whether it is a feature that no analysis covers.
            pub(crate) const fn is_not_covered(self) -> bool {
                matches!(self.code().as_bytes(), [b'U', b'0', b'3', ..])
            }

            /// Its meaning and remedies, in Markdown.
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Self::$cause => include_str!(concat!("causes/", $code, ".md")),)*
                }
            }
        }
    };
}

causes! {
    Missed = "R0001", "a history that exceeds the limit",
        "see the history with the command under the reason";
    NeverComplete = "R0002", "a job that does not complete",
        "use less of its supply";
    Unrepresented = "U0001", "a feature that is not represented yet",
        "leave the feature out, or move it to a core of its own";
    Overbooked = "U0102", "more is reserved or used than there is",
        "reserve or use less on that supply, or move something to another core";
    BudgetLate = "U0103", "a server that receives its budget too late",
        "give the server a higher priority, or others above it less";
    BudgetNotGuaranteed = "U0104", "a server that is not guaranteed its budget",
        "reserve less, or reduce the bursts of work of at least the same urgency";
    HeldBack = "U0105", "an interrupt that its pseudo-VCPU holds back",
        "give the pseudo-VCPU a credit for every arrival of the interrupt";
    TooLong = "U0107", "a busy window that is too long",
        "leave some of the supply unused";
    Effort = "U0108", "a search that reached its limit",
        "round periods so that they share a common multiple, or use less of the supply";
    Overload = "U0110", "more work than the supply provides",
        "use less of the supply";
    BoundAboveLimit = "U0201", "a bound above the limit",
        "give it more budget or a higher priority, or allow it more time";
    Reclaiming = "U0202", "a server that reclaims",
        "leave out `reclaim`";
    ProbabilityAbove = "U0203", "a probability above what is allowed",
        "give the task more time, or allow more late jobs";
    Scheduler = "U0301", "a scheduler without bounds",
        "use `weighted-round-robin` with the same shares";
    ServerKind = "U0302", "a kind of server without a bound",
        "use a kind that has a bound under this scheduler";
    NoBoundOfReclaiming = "U0303", "a server that reclaims, without a bound",
        "leave out `reclaim`";
    TaskOnSlots = "U0304", "a task directly on slots",
        "put the task into a slot";
    NoDeadline = "U0305", "a task without a deadline under EDF",
        "give the task a deadline, perhaps a long one";
    BlockedInTurns = "U0306", "a task with `blocking` where members take turns",
        "leave `blocking` out, and count the section in `wcet`";
    BlockedServer = "U0307", "a server with `blocking` that is not scheduled by priority",
        "leave `blocking` of the server out";
    SharedSoftServer = "U0308", "several tasks in a soft constant-bandwidth server",
        "use `cbs-hard`, or a server for each task";
    PacketsInSoftServer = "U0309", "packets in a soft constant-bandwidth server",
        "use `cbs-hard`";
    WaitingInGuest = "U0310", "several interrupts of a pseudo-VCPU that wait in a server of the guest",
        "put the task directly on the `vcpu`";
    CostsInTurns = "U0311", "costs on a core whose members take turns",
        "count the costs in `wcet` and budgets, and leave `costs` out";
    CostsOfPseudoVcpu = "U0312", "costs for a pseudo-VCPU",
        "take the cache of its `vcpu` away, or put the `vcpu` directly on the core";
    CostsOfFragments = "U0313", "replenishments whose number has no bound",
        "use `refill-queue`, whose replenishments are bounded";
    CostsInReservation = "U0314", "costs inside a reservation of the host",
        "use a `vcpu` instead of a `server`, or count the costs in `wcet`";
    ColdSoftServer = "U0315", "cold caches in a soft constant-bandwidth server",
        "use `cbs-hard`";
    ColdTurns = "U0316", "cold caches where members take turns",
        "schedule the members by priority or deadline";
    ColdBesideLate = "U0317", "cold caches beside servers that may be late",
        "let the servers of the core keep their deadlines";
    RandomPackets = "U0318", "packets that arrive at random",
        "state packets with a least distance: `periodic`, `burst` or `line-rate`";
    CrowdedBurst = "U0319", "bursts with more packets than nanoseconds",
        "make bursts smaller or rarer";
    CardBesideShield = "U0320", "a network card beside a shield of timers",
        "use the timer queue `hrtimer`";
    CardBesidePseudoVcpu = "U0321", "a network card in a guest with a pseudo-VCPU",
        "deliver the other interrupt without a pseudo-VCPU";
    BlockedPackets = "U0322", "a task with `blocking` that processes packets",
        "leave `blocking` out, and count the section in `wcet`";
    PacketsWithoutPriority = "U0323", "packets that are processed by deadline or in turns",
        "schedule both tasks of the card by priority";
    UnboundedCoalescing = "U0324", "packets that wait for others without a limit",
        "state a `coalesce-time`";
    Unconnected = "U0325", "a card without its tasks",
        "connect the card to the task that polls it";
    Interrupted = "U0401", "an analysis that was interrupted",
        "let it end";
    ChanceOfNoTask = "U0501", "a probability of something that is not a task",
        "require it without `probability`";
    ChanceOfPackets = "U0502", "a probability of a task that processes packets",
        "require it without `probability`";
    ChanceNotAlone = "U0503", "a probability of a task that shares a supply by deadline or in turns",
        "give the task a priority, or put it alone into a `cbs-hard` server";
    ChanceWithCharges = "U0504", "a probability in a server that is charged for interrupts",
        "give the task a priority, or move the interrupts to another core";
    ChanceWithLateRuntimes = "U0505", "a probability in a server whose runtimes end late",
        "give the task a priority, or require it without `probability`";
    ChanceWithDelivery = "U0506", "a probability in a server that an interrupt is delivered to",
        "deliver the interrupt to another guest";
    ChanceWithCosts = "U0507", "a probability in a server with costs of the machine",
        "count the costs in `execution`, and leave `costs` out";
    ChanceOfLateBudget = "U0508", "a probability in a server whose lateness has no bound",
        "reserve less on its core";
    ChanceOfWakes = "U0509", "a probability of a task whose activations have no bound",
        "wake the task by an interrupt without a pseudo-VCPU";
    ChanceTooDifferent = "U0510", "execution times that differ too much",
        "round the times of `execution` up to a common step";
    ChanceOfTooManyJobs = "U0511", "a busy window with too many jobs",
        "use less of the supply";
}
