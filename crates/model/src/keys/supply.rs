//! The keys of supplies: of servers, of the schedulers in them, and of threads that they are.

use super::key::{Key, Kind, SUPPLIES, defaulted, optional, required};
use crate::limits;

pub(super) const SERVER_ON: Key =
    required("on", Kind::Reference(SUPPLIES), "The supply it takes its time from.").or_open();
pub(super) const SERVER_KIND: Key =
    required("server", Kind::ServerKind, "How budget is spent and replenished.").or_open();
pub(super) const BUDGET: Key = optional(
    "budget",
    Kind::PositiveDuration,
    "Time in every period; required, except for a `share` and for `none`, which have none, and a `table`, whose windows say it.",
)
.or_open();
pub(super) const SERVER_PERIOD: Key = optional(
    "period",
    Kind::PositiveDuration,
    "Replenishment period; required, except for a `share` and for `none`, which have none.",
)
.or_open();
pub(super) const SERVER_DEADLINE: Key = optional(
    "deadline",
    Kind::PositiveDuration,
    "Relative deadline, from the budget to the period; the period if left out; of `sched-deadline` only.",
);
pub(super) const RECLAIM: Key = optional(
    "reclaim",
    Kind::Flag,
    "Whether it reclaims bandwidth that is not used (GRUB); `false` if left out; of `sched-deadline` only.",
);
pub(super) const REFILLS: Key = optional(
    "refills",
    Kind::Number(2, limits::REFILLS),
    "Refills that its queue holds: two, and the extra ones of `seL4_SchedControl_ConfigureFlags`; 8 if left out; of `refill-queue` only.",
);
pub(super) const MIN_BUDGET: Key = optional(
    "min-budget",
    Kind::Duration,
    "Least budget of its kernel (`MIN_BUDGET` of seL4), at most `budget`: a refill with less left joins the next one; none is counted, which `check` says, if left out; of `refill-queue` only.",
);
pub(super) const OFFSET: Key = optional(
    "offset",
    Kind::Duration,
    "Start of a slot within its period; of a slot only, and required there.",
);
pub(super) const WINDOWS: Key = optional(
    "windows",
    Kind::Windows,
    "Intervals of each period, their starts with their lengths; of a table only, and required there.",
);
pub(super) const BLOCKING: Key = optional(
    "blocking",
    Kind::Duration,
    "Longest time that less urgent work of the same supply can hold it up, where it has a priority; if left out as for a task.",
);
pub(super) const PRIORITY: Key = optional(
    "priority",
    Kind::Priority,
    "Urgency on a fixed-priority supply, larger is more urgent; required where there is a choice.",
)
.or_open();
pub(super) const SHARE: Key = optional(
    "share",
    Kind::Number(1, limits::SHARE),
    "Weight on a supply that takes turns by shares (`weighted-round-robin`, `stride`, `vtrr`); required there.",
);
pub(super) const GUEST_SCHEDULER: Key = defaulted(
    "scheduler",
    Kind::GuestScheduler,
    "fixed-priority",
    "How it divides what it receives among what is on it.",
);
pub(super) const QUANTUM: Key = optional(
    "quantum",
    Kind::PositiveDuration,
    "Longest turn of a member; required where the scheduler takes turns, and only there.",
);
pub(super) const TIME_SLICE: Key = optional(
    "time-slice",
    Kind::PositiveDuration,
    "Time after which a member goes behind those of its priority (`SCHED_RR`); of `fixed-priority` and `linux` only; equals are served first come, first served, if left out.",
);
pub(super) const FAIR_SERVER: Key = optional(
    "fair-server",
    Kind::TableOrNone(FAIR_SERVER_KEYS),
    "What Linux keeps for `SCHED_OTHER` before `SCHED_FIFO`, or `\"none\"` where that is turned off; of `linux` only; what its release does if left out, and 50 ms every 1 s without one.",
);
pub(super) const EXT_SERVER: Key = optional(
    "ext-server",
    Kind::TableOrNone(FAIR_SERVER_KEYS),
    "What Linux keeps for threads of a loaded `sched_ext` scheduler before `SCHED_FIFO`, from 7.0 on; of `linux` only, and nothing if left out.",
);
pub(super) const KERNEL_RELEASE: Key = optional(
    "kernel-release",
    Kind::Text,
    "The release of its Linux, such as `6.6`: what it keeps from real-time threads follows from that where nothing else is stated; of `linux` only; that of the `kernel` if left out.",
);
pub(super) const FAIR_SERVER_KEYS: &[Key] = &[
    required("budget", Kind::PositiveDuration, "Its runtime in every period."),
    required("period", Kind::PositiveDuration, "Its period."),
];
pub(super) const DEADLINE_LIMITS: Key = optional(
    "deadline-limits",
    Kind::Table(DEADLINE_LIMITS_KEYS),
    "What its kernel is set to take under SCHED_DEADLINE ([targets.md](targets.md)); of `linux` only, what its version has if left out; changes no verdict.",
);
pub(super) const DEADLINE_LIMITS_KEYS: &[Key] = &[MIN_PERIOD, MAX_PERIOD, BANDWIDTH];
pub(super) const MIN_PERIOD: Key = optional(
    "min-period",
    Kind::PositiveDuration,
    "The shortest period (`sched_deadline_period_min_us`).",
);
pub(super) const MAX_PERIOD: Key = optional(
    "max-period",
    Kind::PositiveDuration,
    "The longest period (`sched_deadline_period_max_us`).",
);
pub(super) const BANDWIDTH: Key = optional(
    "bandwidth",
    Kind::Part,
    "The part of a processor that is admitted (`sched_rt_runtime_us` of `sched_rt_period_us`).",
);
pub(super) const THREAD: Key = optional(
    "thread",
    Kind::Text,
    "The thread that it is on the machine, for `vorrang apply` ([how it is named](apply.md#threads)); not inside virtual processors.",
);
