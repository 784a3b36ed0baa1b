//! Tasks, and routines of a core and of a guest, as numbers.

use vorrang_model::system::{Activation, InterruptId, Scheduler, System, TaskId};
use vorrang_time::Duration;

/// A task, the routine of an interrupt, or the routine of a guest.
#[derive(Clone, Debug)]
pub struct Work {
    /// What it is called in the system.
    pub of: Origin,
    /// Its supply; the core is zero.
    pub on: usize,
    /// It precedes all members of its supply.
    pub is_routine: bool,
    /// Longest and shortest execution.
    pub wcet: u8,
    /// See `wcet`.
    pub bcet: u8,
    /// Least distance of arrivals; `None`: something else starts it.
    pub period: Option<u8>,
    /// The longest time from an arrival to the release, less than a period.
    pub jitter: u8,
    /// Relative deadline, where the scheduler looks at it.
    pub deadline: Option<i16>,
    /// Larger is more urgent.
    pub priority: u32,
    /// What a job of it starts when it is complete.
    pub starts: Option<usize>,
    /// Time since arrivals is kept.
    pub has_ages: bool,
}

/// Where a [`Work`] comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A task.
    Task(TaskId),
    /// The routine of the core.
    Routine(InterruptId),
    /// The routine of the guest.
    GuestRoutine(InterruptId),
}

/// The name of what a [`Work`] is of.
pub fn name(system: &System, of: Origin) -> &str {
    match of {
        Origin::Task(id) => &system.task(id).name,
        Origin::Routine(id) | Origin::GuestRoutine(id) => &system.interrupt(id).name,
    }
}

/// A duration that is a small number of ticks.
pub(super) fn ticks(duration: Duration) -> Option<u8> {
    u8::try_from(duration.as_ns()).ok().filter(|ticks| *ticks < 100)
}

/// A task that is plain enough.
pub(super) fn of_task(system: &System, id: TaskId) -> Option<Work> {
    let task = system.task(id);
    let is_plain = task.activation == Activation::Sporadic
        && (task.jitter.is_zero() || task.jitter < task.min_interarrival)
        && task.distances.is_none()
        && task.offset.is_none()
        && task.cache.is_none();
    let by_deadline = system.supply(task.on).scheduler == Scheduler::Edf;
    Some(Work {
        of: Origin::Task(id),
        on: task.on.0,
        is_routine: false,
        wcet: ticks(task.wcet).filter(|_| is_plain)?,
        bcet: ticks(task.bcet)?,
        period: Some(ticks(task.min_interarrival)?),
        jitter: ticks(task.jitter)?,
        deadline: match task.deadline.filter(|_| by_deadline) {
            Some(deadline) => Some(i16::from(ticks(deadline)?)),
            None => None,
        },
        priority: task.priority.0,
        starts: None,
        has_ages: false,
    })
}

/// The routine of the core, and that of the guest that it may start: of the only interrupt, so that neither
/// waits for another.
pub(super) fn add_interrupt(system: &System, id: InterruptId, work: &mut Vec<Work>) -> Option<()> {
    let interrupt = system.interrupt(id);
    let guest = interrupt.delivery.as_ref();
    let is_plain = interrupt.wakes.is_none()
        && (interrupt.jitter.is_zero() || interrupt.jitter < interrupt.min_interarrival)
        && interrupt.storm.is_none()
        && interrupt.distances.is_none()
        && !interrupt.posted
        && guest.is_none_or(|guest| guest.pseudo_vcpu.is_none())
        && system.interrupts.len() == 1;
    let routine = |of, on, wcet| Work {
        of,
        on,
        is_routine: true,
        wcet,
        bcet: 1,
        period: None,
        jitter: 0,
        deadline: None,
        priority: 0,
        starts: None,
        has_ages: false,
    };
    let own = routine(Origin::Routine(id), 0, ticks(interrupt.isr).filter(|_| is_plain)?);
    let period = Some(ticks(interrupt.min_interarrival)?);
    let starts = guest.map(|_| work.len() + 1);
    let jitter = ticks(interrupt.jitter)?;
    work.push(Work { period, jitter, starts, ..own });
    if let Some(guest) = guest {
        work.push(routine(Origin::GuestRoutine(id), guest.vcpu.0, ticks(guest.isr)?));
    }
    Some(())
}
