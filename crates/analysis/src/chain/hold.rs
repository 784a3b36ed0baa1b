//! What of a chain cannot begin as long as something else is ready.
//!
//! **Model.** Where a writer and its reader part, priorities decide, and what the writer is in has no budget that could
//! end. Or both are members of a supply by deadline, and descend from one arrival: then the deadlines of their jobs
//! compare as their relative ones do.
//!
//! **Assumption.** While a job of a more urgent task is released and not complete, no job of a less urgent task of the
//! same supply starts: no blocking of the one, no sections of the kernel. The same holds for what is in more and less
//! urgent members of a supply, if the more urgent one is a server without a budget.
//!
//! Theory: docs/theory/chains.md.

use crate::bounds::Bounds;
use crate::server_kind::{Sheet, Takes};
use vorrang_model::system::{
    Activation, Communication, Member, Scheduler, SupplyId, System, TaskId,
};
use vorrang_time::Duration;

/// Whether each job of `reader` begins when the one of `first` from the same arrival is complete.
pub(super) fn is_complete_before(system: &System, first: TaskId, reader: TaskId) -> bool {
    if first == reader {
        return false;
    }
    let before = system.predecessors(first);
    system.followers(first).contains(&reader)
        || !before.is_empty()
            && holds_its_own(system, first, reader)
            && before.iter().all(|&by| is_complete_before(system, by, reader))
}

/// From the arrival of a job of the writer at most, until its completion no job of the reader starts that did not start
/// before; `None`: what it waits for has no bound.
pub(super) fn covered_from(
    system: &System,
    bounds: &Bounds,
    writer: TaskId,
    reader: TaskId,
) -> Option<Duration> {
    let begin = |&by: &TaskId| {
        if holds(system, by, reader) {
            covered_from(system, bounds, by, reader)
        } else {
            bounds.task(by).bound()
        }
    };
    let all: Option<Vec<Duration>> = system.predecessors(writer).iter().map(begin).collect();
    all?.into_iter().chain([system.task(writer).jitter]).max()
}

/// Whether no job of a reader starts as long as one of the writer is ready, or, where both descend from one arrival, none
/// of that arrival or a later one.
fn holds(system: &System, writer: TaskId, reader: TaskId) -> bool {
    holds_up(system, writer, reader) || holds_its_own(system, writer, reader)
}

/// The same of what descends from one arrival.
pub(super) fn holds_its_own(system: &System, writer: TaskId, reader: TaskId) -> bool {
    system.root_of(writer) == system.root_of(reader)
        && (holds_up(system, writer, reader) || is_due_before(system, writer, reader))
}

/// Whether a reader cannot start as long as the writer is ready, by priority.
pub(super) fn holds_up(system: &System, writer: TaskId, reader: TaskId) -> bool {
    let Some((above, below)) = parted(system, writer, reader) else { return false };
    is_more_urgent(system, above, below)
        && is_let_alone(system, writer, reader)
        && system.blocking(above).is_zero()
}

/// Members of a supply by deadline, the one due before the other if they have one arrival.
fn is_due_before(system: &System, writer: TaskId, reader: TaskId) -> bool {
    let [own, other] = [writer, reader].map(|id| system.task(id));
    own.on == other.on
        && system.supply(own.on).scheduler == Scheduler::Edf
        && own.deadline.zip(other.deadline).is_some_and(|(own, other)| own < other)
        && is_let_alone(system, writer, reader)
}

/// Nothing else keeps the writer from being chosen once it is released, and the reader reads when it starts.
fn is_let_alone(system: &System, writer: TaskId, reader: TaskId) -> bool {
    let (own, other) = (system.task(writer), system.task(reader));
    other.communication == Communication::Registers
        && (own.activation == Activation::Sporadic || own.activation.is_by_tasks())
        && system.blocking(Member::Task(writer)).is_zero()
        && system.supply(system.core_of(own.on)).sections.is_zero()
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
