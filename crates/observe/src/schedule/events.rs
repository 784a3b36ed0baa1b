//! Events of a kernel that readers of its trace use, as tracefs names them: an event, or all of a system.

/// Without these nothing can be seen.
pub const NEEDED: [&str; 2] = ["sched/sched_switch", "sched/sched_waking"];
/// These are used where a kernel has them.
pub const OTHERS: [&str; 7] = [
    "sched/sched_wakeup",
    "sched/sched_wakeup_new",
    "irq/irq_handler_entry",
    "irq/irq_handler_exit",
    "irq/softirq_entry",
    "irq/softirq_exit",
    "irq_vectors",
];
/// The instants for which threads ask.
pub const ALARMS: &str = "timer/hrtimer_start";
