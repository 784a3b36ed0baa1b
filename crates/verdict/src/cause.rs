//! Why a requirement is undecided or refuted: codes beside the words, each with a page.
//!
//! U: undecided. 00 not represented, 01 no bound, 02 neither bound nor history decides, 03 a feature that
//! no analysis covers, 04 the check itself, 05 no bound on a probability. R: refuted. A code keeps its
//! meaning for ever; one that is no longer used is not given again (U0204: every analysis without a bound
//! names its reason; U0311: costs in turns are covered; U0101 and U0106: each feature, and each reason why a probability has no bound, has a code).

macro_rules! causes {
    ($($cause:ident = $code:literal, $title:literal, $help:expr;)*) => {
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

            /// What is covered instead, where an analysis does not cover something.
            pub const fn covered(self) -> Option<&'static str> {
                match self { $(Self::$cause => $help,)* }
            }

            /// Whether it is so whatever its parameters are: a feature that no analysis covers, or no end of one.
            pub(crate) const fn is_not_covered(self) -> bool {
                matches!(self.code().as_bytes(), [b'U', b'0', b'0' | b'3' | b'4', ..])
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
        None;
    NeverComplete = "R0002", "a job that does not complete",
        None;
    Unrepresented = "U0001", "a feature that is not represented yet",
        Some("leave the feature out, or move it to a core of its own");
    Overbooked = "U0102", "more is reserved or used than there is",
        None;
    BudgetLate = "U0103", "a server that receives its budget too late",
        None;
    BudgetNotGuaranteed = "U0104", "a server that is not guaranteed its budget",
        None;
    HeldBack = "U0105", "an interrupt that its pseudo-VCPU holds back",
        None;
    TooLong = "U0107", "a busy window that is too long",
        None;
    Effort = "U0108", "a search that reached its limit",
        None;
    Overload = "U0110", "more work than the supply provides",
        None;
    BoundAboveLimit = "U0201", "a bound above the limit",
        None;
    Reclaiming = "U0202", "a server that reclaims where more is reserved than there is",
        Some("reserve no more than the supply has, or leave out `reclaim`");
    ProbabilityAbove = "U0203", "a probability above what is allowed",
        None;
    Scheduler = "U0301", "turns of which more is wanted than there is",
        Some("use `weighted-round-robin` with the same shares");
    ServerKind = "U0302", "a kind of server without a bound",
        Some("use a kind that has a bound under this scheduler");
    NoBoundOfReclaiming = "U0303", "a server that reclaims beside others, without a bound",
        Some("leave out `reclaim`");
    TaskOnSlots = "U0304", "a task directly on slots",
        Some("put the task into a slot");
    NoDeadline = "U0305", "a task without a deadline under EDF",
        Some("give the task a deadline, perhaps a long one");
    BlockedInTurns = "U0306", "a task with `blocking` where members take turns",
        Some("leave `blocking` out, and count the section in `wcet`");
    BlockedServer = "U0307", "a server with `blocking` that is not scheduled by priority",
        Some("leave `blocking` of the server out");
    SharedSoftServer = "U0308", "several tasks in a soft constant-bandwidth server",
        Some("use `cbs-hard`, or a server for each task");
    PacketsInSoftServer = "U0309", "packets in a soft constant-bandwidth server",
        Some("use `cbs-hard`");
    WaitingInGuest = "U0310", "several interrupts of a pseudo-VCPU that wait in a server of the guest",
        Some("put the task directly on the `vcpu`");
    CostsOfPseudoVcpu = "U0312", "costs for a pseudo-VCPU",
        Some("take the cache of its `vcpu` away, or put the `vcpu` directly on the core");
    CostsOfFragments = "U0313", "replenishments whose number has no bound",
        Some("use `refill-queue`, whose replenishments are bounded");
    CostsInReservation = "U0314", "costs inside a reservation of the host",
        Some("use a `vcpu` instead of a `server`, or count the costs in `wcet`");
    ColdSoftServer = "U0315", "cold caches in a soft constant-bandwidth server",
        Some("use `cbs-hard`");
    ColdBesideLate = "U0317", "cold caches beside servers that may be late",
        Some("let the servers of the core keep their deadlines");
    RandomPackets = "U0318", "packets that arrive at random",
        Some("state packets with a least distance: `periodic`, `burst` or `line-rate`");
    CrowdedBurst = "U0319", "bursts with more packets than nanoseconds",
        Some("make bursts smaller or rarer");
    PaidCard = "U0321", "a network card whose interrupt has a pseudo-VCPU",
        Some("deliver the interrupt of the card without a pseudo-VCPU");
    BlockedPackets = "U0322", "a task with `blocking` that processes packets",
        Some("leave `blocking` out, and count the section in `wcet`");
    PacketsWithoutPriority = "U0323", "packets that are processed by deadline or in turns",
        Some("schedule both tasks of the card by priority");
    UnboundedCoalescing = "U0324", "packets that wait for others without a limit",
        Some("state a `coalesce-time`");
    Unconnected = "U0325", "a card without its tasks",
        Some("connect the card to the task that polls it");
    ThrottledBesideCosts = "U0326", "throttling beside costs of the kernel",
        Some("use less of the core than `rt-throttling` allows, or set sched_rt_runtime_us to -1 and state `rt-throttling = \"none\"`");
    ThrottledBesideReservations = "U0327", "throttling beside large reservations",
        Some("reserve less, or set sched_rt_runtime_us to -1 and state `rt-throttling = \"none\"`");
    Level = "U0328", "a server without a budget that takes an unknown time",
        Some("give it a budget, or leave out what its time is unknown beside");
    PseudoVcpuBesideSlices = "U0330", "a pseudo-VCPU with the priority of members with time slices",
        Some("give the pseudo-VCPU a priority of its own, or none");
    FullLoad = "U0331", "work that takes all of its supply",
        Some("use less of the supply, or give it and what is in it periods with a small common multiple");
    NoLatestInterarrival = "U0332", "a chain whose longest distances are not known",
        Some("state `latest-interarrival` of each task of the chain");
    NotOfAChain = "U0333", "a task that the analysis of chains does not cover",
        Some("leave the task out of the chain, or use `registers`");
    Kept = "U0334", "a task that is not preempted where that is not covered",
        Some("leave `preemption` out, or order the supply by priority without time slices, shields and pseudo-VCPUs");
    Polls = "U0335", "a response of a task that polls for ever",
        Some("state the requirement of the tasks beside it, or describe what it does for each item as a task");
    Interrupted = "U0401", "an analysis that was interrupted",
        Some("let it end");
    ChanceOfNoTask = "U0501", "a probability of something that is not a task",
        Some("require it without `probability`");
    ChanceOfPackets = "U0502", "a probability of a task that processes packets",
        Some("require it without `probability`");
    ChanceNotAlone = "U0503", "a probability of a task that shares a supply by deadline or in turns",
        Some("give the task a priority, or put it alone into a `cbs-hard` server");
    ChanceWithCharges = "U0504", "a probability in a server that is charged for interrupts",
        Some("give the task a priority, or move the interrupts to another core");
    ChanceWithLateRuntimes = "U0505", "a probability in a server whose runtimes end late",
        Some("give the task a priority, or require it without `probability`");
    ChanceWithDelivery = "U0506", "a probability in a server that an interrupt is delivered to",
        Some("deliver the interrupt to another guest");
    ChanceWithCosts = "U0507", "a probability in a server with costs of the machine",
        Some("count the costs in `execution`, and leave `costs` out");
    ChanceOfLateBudget = "U0508", "a probability in a server whose lateness has no bound",
        Some("reserve less on its core");
    ChanceOfWakes = "U0509", "a probability of a task whose activations have no bound",
        Some("wake the task by an interrupt without a pseudo-VCPU");
    ChanceTooDifferent = "U0510", "execution times that differ too much",
        Some("round the times of `execution` up to a common step");
    ChanceOfTooManyJobs = "U0511", "a busy window with too many jobs",
        Some("use less of the supply");
    ChanceBesideWakes = "U0512", "a probability beside tasks that tasks wake",
        Some("put the tasks that wake others on another core, or require it without `probability`");
}
