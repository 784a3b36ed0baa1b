//! The schedulers, each with its rule.

use super::Limits;
use crate::system::{Scheduler, ServerKind};
use core::ops::RangeInclusive;
use vorrang_time::Duration;

/// A scheduler that a description may be for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As messages call it.
    pub name: &'static str,
    /// The schedulers of a core that it is; the one that is meant in the first place comes first.
    pub schedulers: &'static [Scheduler],
    /// The kinds of server that it has on a core.
    pub servers: &'static [ServerKind],
    /// The priorities of tasks beside the servers, or of the servers where they have some; `None`: nothing has one.
    pub priorities: Option<RangeInclusive<u32>>,
    /// Whether tasks stand beside its servers.
    pub has_tasks: bool,
    /// Whether a server may have a deadline before the end of its period.
    pub has_deadlines: bool,
    /// The reservations that it takes where nothing is set.
    pub limits: Limits,
}

/// `SCHED_DEADLINE` before `SCHED_FIFO`: constant-bandwidth servers by deadline, then threads by priority.
pub const LINUX: Target = Target {
    name: "Linux",
    schedulers: &[Scheduler::Linux, Scheduler::FixedPriority, Scheduler::Edf],
    servers: &[ServerKind::SchedDeadline, ServerKind::Level],
    priorities: Some(1..=99),
    has_tasks: true,
    has_deadlines: true,
    limits: Limits {
        // Runtimes are scaled by 2^10.
        least_budget: Duration::from_ns(1 << 10),
        shortest_period: Duration::from_us(100),
        longest_period: Duration::from_us(1 << 22),
        unit: Duration::RESOLUTION,
    },
};

/// RTDS of Xen: virtual processors by deadline, each with a budget that is kept to the end of its period and then lost,
/// and with nothing beyond it, as long as `extratime` is off.
///
/// xen/common/sched/rt.c: `rt_update_deadline`, `rt_dom_cntl`.
pub const XEN: Target = Target {
    name: "Xen",
    schedulers: &[Scheduler::Edf],
    servers: &[ServerKind::Deferrable],
    priorities: None,
    has_tasks: false,
    has_deadlines: false,
    limits: Limits {
        least_budget: Duration::from_us(10),
        shortest_period: Duration::from_us(10),
        // A period is an u32 of microseconds.
        longest_period: Duration::from_us(u32::MAX as u64),
        unit: Duration::from_us(1),
    },
};

/// seL4 with MCS: sporadic scheduling contexts by priority.
///
/// `seL4_SchedControl_ConfigureFlags` takes microseconds; the least budget is twice the kernel's longest time, which is
/// of the board (`min-budget`).
pub const SEL4: Target = Target {
    name: "seL4",
    schedulers: &[Scheduler::FixedPriority],
    servers: &[ServerKind::RefillQueue],
    priorities: Some(0..=255),
    has_tasks: false,
    has_deadlines: false,
    limits: Limits {
        least_budget: Duration::from_us(1),
        shortest_period: Duration::from_us(1),
        longest_period: Duration::MAX_STATED,
        unit: Duration::from_us(1),
    },
};

impl Target {
    /// Whether it schedules a core like that.
    pub fn has_scheduler(&self, scheduler: Scheduler) -> bool {
        self.schedulers.contains(&scheduler)
    }

    /// Whether it has such servers on a core.
    pub fn has_server(&self, kind: ServerKind) -> bool {
        self.servers.contains(&kind)
    }

    /// Whether something may have this priority there.
    pub fn has_priority(&self, priority: u32) -> bool {
        self.priorities.as_ref().is_some_and(|own| own.contains(&priority))
    }
}
