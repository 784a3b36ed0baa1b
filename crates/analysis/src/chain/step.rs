//! The two terms of one task of a chain.
//!
//! **Assumption.** While a job of a more urgent task is released and not complete, no job of a less urgent task of the
//! same supply starts: fixed priority, no blocking of the one, no sections of the kernel. The same holds for what is in
//! more and less urgent members of a supply, if the more urgent one is a server without a budget.
//!
//! Theory: docs/theory/chains.md.

use super::missing::Missing;
use super::run::Part;
use crate::compose::Bounds;
use crate::kind::{Sheet, Takes};
use vorrang_model::system::{
    Activation, Communication, Member, Scheduler, SupplyId, System, TaskId,
};
use vorrang_time::Duration;

/// What a value takes at one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The task.
    pub task: TaskId,
    /// Until it arrives again: the longest time between two arrivals. Nothing where one before it on the chain wakes it.
    pub distance: Duration,
    /// From there until the next one may arrive behind its output, or, of the last, until it writes. Where one before it
    /// wakes it, from the end of that.
    pub time: Duration,
    /// What ends that time.
    pub until: Until,
}

/// What ends the time of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// It completes: its response time.
    Completed,
    /// The same, but for what the next one waits for it anyway.
    Held,
    /// Its deadline.
    Deadline,
    /// It completes, and wakes the next one, or one from which that descends.
    Wakes,
}

impl Step {
    /// The terms of a task, and of the one that reads what it writes.
    pub(super) fn of(system: &System, bounds: &Bounds, part: &Part) -> Result<Self, Missing> {
        let task = part.task;
        if may_merge(system, task) {
            return Err(Missing::Merged(task));
        }
        let distance = distance(system, task)?;
        let response = part.ends.ok_or(Missing::Response(task))?;
        let own = system.task(task);
        if own.communication == Communication::Let {
            if own.activation != Activation::Sporadic || !own.jitter.is_zero() {
                return Err(Missing::Logical(task));
            }
            let deadline = own.deadline.unwrap_or(response);
            let time = response.max(deadline);
            return Ok(Self { task, distance, time, until: Until::Deadline });
        }
        let held = part.next.filter(|&next| !part.wakes_next && holds_up(system, task, next));
        let (end, until) = match held {
            Some(next) => {
                let rest = response.saturating_sub(self::distance(system, next)?);
                let released = released(system, bounds, task).ok_or(Missing::Response(task))?;
                (rest.max(released), Until::Held)
            }
            None if part.wakes_next => (response, Until::Wakes),
            None => (response, Until::Completed),
        };
        Ok(match part.begins {
            Some(begins) => {
                Self { task, distance: Duration::ZERO, time: end.saturating_sub(begins), until }
            }
            None => Self { task, distance, time: end, until },
        })
    }
}

/// The longest time between two arrivals of a task: of what its jobs descend from.
fn distance(system: &System, task: TaskId) -> Result<Duration, Missing> {
    let source = system.root_of(task);
    system.task(source).latest_interarrival.ok_or(Missing::Latest(source))
}

/// From the arrival to the release at most, of a task that comes by itself or that tasks wake.
fn released(system: &System, bounds: &Bounds, task: TaskId) -> Option<Duration> {
    let before = system.predecessors(task).into_iter().map(|by| bounds.task(by).bound());
    let before: Option<Vec<Duration>> = before.collect();
    before?.into_iter().chain([system.task(task).jitter]).max()
}

/// Whether what wakes a task may be counted once where it came twice.
fn may_merge(system: &System, task: TaskId) -> bool {
    match system.source_of(task) {
        Activation::Sporadic | Activation::Timer(_) | Activation::Task(_) | Activation::Join => {
            false
        }
        Activation::Device(_) => true,
        Activation::Interrupt(id) => {
            let delivery = system.interrupt(id).delivery.as_ref();
            delivery.is_some_and(|own| own.pseudo_vcpu.is_some())
                || system.devices.iter().any(|device| device.interrupt == id)
        }
    }
}

/// Whether a reader cannot start as long as the writer is ready: where they part, priorities decide, and what the
/// writer is in has no budget that could end. Not where deadlines or turns decide.
fn holds_up(system: &System, writer: TaskId, reader: TaskId) -> bool {
    let (own, other) = (system.task(writer), system.task(reader));
    let Some((above, below)) = parted(system, writer, reader) else { return false };
    let core = system.supply(system.core_of(own.on));
    is_more_urgent(system, above, below)
        && other.communication == Communication::Registers
        && (own.activation == Activation::Sporadic || own.activation.is_by_tasks())
        && system.blocking(Member::Task(writer)).is_zero()
        && system.blocking(above).is_zero()
        && core.sections.is_zero()
}

/// The members of one supply, the nearest to both, in which they are. `None`: on different cores, or the writer is
/// below it in something else than levels.
fn parted(system: &System, writer: TaskId, reader: TaskId) -> Option<(Member, Member)> {
    let mut above = Member::Task(writer);
    loop {
        let on = system.on(above);
        if let Some(below) = member_with(system, on, reader) {
            return Some((above, below));
        }
        system.supply(on).level()?;
        let is_free = system.blocking(Member::Server(on)).is_zero();
        is_free.then(|| above = Member::Server(on))?;
    }
}

/// The member of a supply that a task is, or is in.
fn member_with(system: &System, supply: SupplyId, task: TaskId) -> Option<Member> {
    let mut member = Member::Task(task);
    loop {
        let on = system.on(member);
        if on == supply {
            return Some(member);
        }
        system.supply(on).on()?;
        member = Member::Server(on);
    }
}

fn is_more_urgent(system: &System, above: Member, below: Member) -> bool {
    let supply = system.supply(system.on(above));
    let by_priority = matches!(supply.scheduler, Scheduler::FixedPriority | Scheduler::Linux);
    let comes_first = match below {
        Member::Task(_) => false,
        Member::Server(id) => Sheet::of_supply(system, id)
            .is_some_and(|sheet| matches!(sheet.takes, Some(Takes::BeforePriorities))),
    };
    by_priority
        && !comes_first
        && system.priority(above).is_more_urgent_than(system.priority(below))
}
