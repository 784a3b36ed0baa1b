//! The two terms of one task of a chain.
//!
//! **Assumption.** While a job of a more urgent task is released and not complete, no job of a less urgent task of the
//! same supply starts: fixed priority, no blocking of the one, no sections of the kernel. The same holds for what is in
//! more and less urgent members of a supply, if the more urgent one is a server without a budget.
//!
//! Theory: docs/theory/chains.md.

use super::missing::Missing;
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
    /// Until it arrives again: the longest time between two arrivals.
    pub distance: Duration,
    /// From there until the next one may arrive behind its output, or, of the last, until it writes.
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
}

impl Step {
    /// The terms of a task, and of the one that reads what it writes.
    pub(super) fn of(
        system: &System,
        bounds: &Bounds,
        task: TaskId,
        next: Option<TaskId>,
    ) -> Result<Self, Missing> {
        if may_merge(system, task) {
            return Err(Missing::Merged(task));
        }
        let distance = distance(system, task)?;
        let response = bounds.task(task).bound().ok_or(Missing::Response(task))?;
        let own = system.task(task);
        if own.communication == Communication::Let {
            if own.activation != Activation::Sporadic || !own.jitter.is_zero() {
                return Err(Missing::Logical(task));
            }
            let deadline = own.deadline.unwrap_or(response);
            let time = response.max(deadline);
            return Ok(Self { task, distance, time, until: Until::Deadline });
        }
        let held = next.filter(|&next| holds_up(system, task, next));
        let (time, until) = match held {
            Some(next) => {
                let rest = response.saturating_sub(self::distance(system, next)?);
                (rest.max(own.jitter), Until::Held)
            }
            None => (response, Until::Completed),
        };
        Ok(Self { task, distance, time, until })
    }
}

fn distance(system: &System, task: TaskId) -> Result<Duration, Missing> {
    system.task(task).latest_interarrival.ok_or(Missing::Latest(task))
}

/// Whether what wakes a task may be counted once where it came twice.
fn may_merge(system: &System, task: TaskId) -> bool {
    match system.task(task).activation {
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
        && own.activation == Activation::Sporadic
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
