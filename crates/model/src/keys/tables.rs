//! The keys of every table.

use super::asked::{
    AFTER, COMMUNICATION, LATEST_INTERARRIVAL, LEARNT, MIN_DISTANCES, PERIOD, POLLS, PREEMPTION,
    TASK_BLOCKING, TASK_OFFSET, WAKES,
};
use super::key::{Key, Kind, Noun, SUPPLIES, defaulted, optional, required};
use super::supply::{
    BANDWIDTH, BLOCKING, BUDGET, DEADLINE_LIMITS, EXT_SERVER, FAIR_SERVER, GUEST_SCHEDULER,
    KERNEL_RELEASE, MAX_PERIOD, MIN_BUDGET, MIN_PERIOD, OFFSET, PRIORITY, QUANTUM, RECLAIM,
    REFILLS, SERVER_DEADLINE, SERVER_KIND, SERVER_ON, SERVER_PERIOD, SHARE, THREAD, TIME_SLICE,
    WINDOWS,
};
use crate::limits;

/// Keys of what a kernel does by itself, in a profile, beside the tables of [`KERNEL_TABLES`].
pub const KERNEL: &[Key] = &[
    required("source", Kind::Sentence, "Which kernel it is about, and where the costs are from."),
    optional(
        "samples",
        Kind::Number(1, limits::WEIGHT),
        "Of how many the costs are the longest that was seen.",
    ),
    optional("release", Kind::Text, "With what its release begins (`uname -r`)."),
    optional(
        "machine",
        Kind::Sentence,
        "Which machine the times are from, for *Assumed*; the beginning of `source`, up to a semicolon, if left out.",
    ),
    optional("realtime", Kind::Flag, "Whether it is built with `PREEMPT_RT`."),
    optional(
        "interrupt-time",
        Kind::InterruptTime,
        "What service routines are charged to, where a core does not say.",
    ),
    optional(
        "fair-server",
        Kind::TableOrNone(&[
            required("budget", Kind::PositiveDuration, "Its runtime in every period."),
            required("period", Kind::PositiveDuration, "Its period."),
            SOURCE,
        ]),
        "What it keeps for `SCHED_OTHER`, where a core does not say.",
    ),
    optional(
        "deadline-limits",
        Kind::Table(&[MIN_PERIOD, MAX_PERIOD, BANDWIDTH, SOURCE]),
        "What it is set to take under SCHED_DEADLINE, where a core does not say.",
    ),
    optional(
        "overrun",
        Kind::Table(&[
            required("time", Kind::Duration, "The longest that a runtime is overrun."),
            SAMPLES,
            SOURCE,
        ]),
        "By how much runtimes of SCHED_DEADLINE are overrun, where a core does not say.",
    ),
    optional(
        "sections",
        Kind::Table(&[
            required("longest", Kind::Duration, "The longest section with either of them off."),
            SAMPLES,
            SOURCE,
        ]),
        "For how long preemption or interrupts are off, where a core does not say.",
    ),
];

/// Tables of a kernel whose names are free, each with the keys of one.
pub const KERNEL_TABLES: [(&str, &[Key]); 3] = [
    (
        "interrupt",
        &[
            required("isr", Kind::PositiveDuration, "Longest execution time of its routine."),
            required(
                "min-interarrival",
                Kind::PositiveDuration,
                "Least time between two arrivals.",
            ),
            defaulted("jitter", Kind::Duration, "0s", "Longest time from arrival to request."),
            SAMPLES,
            SOURCE,
        ],
    ),
    (
        "task",
        &[
            required("wcet", Kind::PositiveDuration, "Longest execution time of a job."),
            required("period", Kind::PositiveDuration, "Least time between two arrivals."),
            defaulted("jitter", Kind::Duration, "0s", "Longest time from arrival to release."),
            required("priority", Kind::Priority, "Its priority of SCHED_FIFO."),
            SAMPLES,
            SOURCE,
        ],
    ),
    (
        "not-counted",
        &[required("what", Kind::Sentence, "What it does besides, which no bound counts."), SOURCE],
    ),
];

const SAMPLES: Key = optional(
    "samples",
    Kind::Number(1, limits::WEIGHT),
    "Of how many it is the longest that was seen, where it was measured: `check` then says that it is no bound.",
);
const SOURCE: Key =
    required("source", Kind::Sentence, "How it was measured, or where in the kernel it was read.");

pub(super) const CORE: &[Key] = &[
    required("scheduler", Kind::CoreScheduler, "How it chooses among what is on it."),
    QUANTUM,
    TIME_SLICE,
    defaulted(
        "interrupts",
        Kind::InterruptOrder,
        "first-come",
        "Which of several requested service routines runs.",
    ),
    optional(
        "interrupt-time",
        Kind::InterruptTime,
        "What service routines are charged to; `charged` on `linux` and `apart` on `edf` if left out; of these two only.",
    ),
    defaulted("timers", Kind::TimerQueue, "hrtimer", "Which expired timers are handled when."),
    optional(
        "max-defer",
        Kind::PositiveDuration,
        "Longest time for which an expired timer waits because something more urgent runs; of `timershield` only; no limit if left out.",
    ),
    FAIR_SERVER,
    EXT_SERVER,
    optional(
        "rt-throttling",
        Kind::TableOrNone(&[
            required(
                "budget",
                Kind::PositiveDuration,
                "The time of real-time threads in every period (`sched_rt_runtime_us`).",
            ),
            required("period", Kind::PositiveDuration, "The period (`sched_rt_period_us`)."),
            optional(
                "late",
                Kind::Duration,
                "By how much throttling begins late at most: a tick, where the kernel has one; nothing if left out.",
            ),
        ]),
        "After how much time of a period Linux stops its real-time threads, or `\"none\"` where it does not; of `linux` only; what its release does if left out, and unknown without one.",
    ),
    KERNEL_RELEASE,
    optional(
        "kernel",
        Kind::Text,
        "What its kernel does by itself ([kernel.md](kernel.md)): a profile that is shipped, `6.12-rt` or `7.2-rt`, or a file with one, beside the description; of `linux` only, and nothing if left out.",
    ),
    optional(
        "overrun",
        Kind::Duration,
        "Longest time by which a runtime of SCHED_DEADLINE ends late; of `linux` only; what the `kernel` says if left out, or nothing.",
    ),
    optional(
        "sections",
        Kind::Duration,
        "Longest time for which the kernel goes on with something less urgent because preemption or interrupts are off; of `linux` only; what the `kernel` says if left out, or nothing.",
    ),
    DEADLINE_LIMITS,
    optional("cpu", Kind::Number(0, limits::CPU), "Its number on the machine."),
];

const CACHE_OF: Kind = Kind::Reference(&[Noun::Cache]);

pub(super) const SERVER: &[Key] = &[
    SERVER_ON,
    SERVER_KIND,
    BUDGET,
    SERVER_PERIOD,
    SERVER_DEADLINE,
    RECLAIM,
    REFILLS,
    MIN_BUDGET,
    OFFSET,
    WINDOWS,
    BLOCKING,
    PRIORITY,
    SHARE,
    GUEST_SCHEDULER,
    QUANTUM,
    TIME_SLICE,
    FAIR_SERVER,
    DEADLINE_LIMITS,
    EXT_SERVER,
    KERNEL_RELEASE,
    THREAD,
];

pub(super) const VCPU: &[Key] = &[
    optional("vm", Kind::Text, "The virtual machine it belongs to; one of its own if left out."),
    SERVER_ON,
    SERVER_KIND,
    BUDGET,
    SERVER_PERIOD,
    SERVER_DEADLINE,
    RECLAIM,
    REFILLS,
    MIN_BUDGET,
    OFFSET,
    WINDOWS,
    BLOCKING,
    PRIORITY,
    SHARE,
    GUEST_SCHEDULER,
    QUANTUM,
    TIME_SLICE,
    FAIR_SERVER,
    DEADLINE_LIMITS,
    EXT_SERVER,
    KERNEL_RELEASE,
    optional(
        "cache",
        CACHE_OF,
        "How its work progresses after the core ran something else; at full rate if left out.",
    ),
    THREAD,
];

pub(super) const TASK: &[Key] = &[
    required("on", Kind::Reference(SUPPLIES), "The supply it runs on.").or_open(),
    optional(
        "wcet",
        Kind::PositiveDuration,
        "Longest execution time of a job; required, but where `execution` says it or it `polls`.",
    ),
    optional(
        "bcet",
        Kind::PositiveDuration,
        "Shortest execution time of a job; `1ns`, or what `execution` says, if left out.",
    ),
    optional(
        "execution",
        Kind::Execution,
        "How often a job takes which time, each independently of the others; anything from `bcet` to `wcet` if left out.",
    ),
    PERIOD,
    MIN_DISTANCES,
    optional(
        "deadline",
        Kind::DurationOrNone,
        "Longest time from arrival to completion; the period if left out; \"none\" for best effort.",
    ),
    LATEST_INTERARRIVAL,
    TASK_OFFSET,
    COMMUNICATION,
    PREEMPTION,
    POLLS,
    defaulted("jitter", Kind::Duration, "0s", "Longest time from arrival to release."),
    TASK_BLOCKING,
    PRIORITY,
    SHARE,
    optional(
        "cache",
        CACHE_OF,
        "How its work progresses after the core ran something else; of a task outside virtual processors only; at full rate if left out.",
    ),
    THREAD,
    WAKES,
    AFTER,
    LEARNT,
];

pub(super) const DEVICE: &[Key] = &[
    required(
        "interrupt",
        Kind::Reference(&[Noun::Interrupt]),
        "The interrupt that it raises; the task that this wakes polls the ring.",
    ),
    required("ring", PACKETS_HELD, "Packets that the card holds."),
    optional(
        "coalesce-packets",
        PACKETS_HELD,
        "Packets after which the interrupt is raised, at most the ring; 1 if left out.",
    ),
    optional(
        "coalesce-time",
        Kind::PositiveDuration,
        "Time after which it is raised at the latest once a packet waits; the number alone counts if left out.",
    ),
    optional(
        "budget",
        PACKETS_HELD,
        "Packets that one job of the polling task takes at most; 64 if left out.",
    ),
    required(
        "per-packet",
        Kind::Duration,
        "Time of the polling task for each packet, on top of its `wcet` for each job.",
    ),
    optional(
        "socket",
        PACKETS_HELD,
        "Packets that the socket buffer holds; required with a `receiver`, and only there.",
    ),
    optional(
        "receiver",
        Kind::Reference(&[Noun::Task]),
        "The task that reads the socket, one job a packet; packets end with the polling task if left out.",
    ),
    required("packets", Kind::Table(PACKETS), "The packets that arrive."),
];

const PACKETS_HELD: Kind = Kind::Number(1, limits::PACKETS);

const PACKETS: &[Key] = &[
    required("arrive", Kind::Arrival, "When they arrive."),
    required("payload", Kind::Number(1, limits::PACKET_BYTES), "Bytes that the receiver gets."),
    optional(
        "interval",
        Kind::PositiveDuration,
        "Between two packets, or two bursts; the mean of `poisson`; not of `line-rate`, and required elsewhere.",
    ),
    optional("burst", PACKETS_HELD, "Packets at one instant; of `burst` only, and required there."),
    optional(
        "bits-per-second",
        Kind::Number(1, limits::BITS_PER_SECOND),
        "Speed of the link; of `line-rate` only, and required there.",
    ),
    optional(
        "framing",
        Kind::Number(0, limits::PACKET_BYTES),
        "Bytes on the link beside the payload, gaps included; of `line-rate` only, and required there.",
    ),
];

pub(super) const CACHE: &[Key] = &[
    required("model", Kind::CacheModel, "The curve."),
    required("useful", Kind::Part, "Share of the full rate right after a switch."),
    required(
        "sustained",
        Kind::PositiveDuration,
        "`flood`: time to the full rate; `exponential`: the time constant.",
    ),
];
