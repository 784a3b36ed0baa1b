//! Which observations of a history are valid, and which count against requirements.
//!
//! A pseudo-VCPU that is less urgent than its virtual processor may have a busy window with several of the virtual
//! processor's in it. A section that holds the latter up in a later one is work of something at least as urgent as the
//! pseudo-VCPU, so a history that adds it to that is none of its interrupt (docs/theory/pseudo-vcpu.md).
//!
//! The jobs of a task that reads packets are released by the task that polls them. A section before another member may be work of
//! that one, and then it is in its execution time already: a history that adds it is none of the reading task.

use crate::job::Source;
use vorrang_model::system::{
    Activation, InterruptId, Member, PseudoVcpuRule, SupplyId, System, TaskId,
};

/// Which observations are valid: a blocking section belongs to one member, and an interrupt in a storm has no
/// guarantee.
#[derive(Clone, Debug, Default)]
pub struct Counting {
    /// The one member that is blocked, if any.
    pub blocked: Option<Member>,
    /// The interrupts in a storm.
    pub storms: Vec<InterruptId>,
}

impl Counting {
    /// Whether what is observed of a task or interrupt is valid: blocking of a task concerns the task and the
    /// interrupt that it handles, blocking of a server everything in its guest but interrupts, and the tasks that they
    /// wake, for which something less urgent pays, and but tasks that read what another task polls.
    pub fn is_kept(&self, system: &System, source: Source) -> bool {
        self.blocked.is_none_or(|blocked| match source {
            Source::Task(id) => {
                let paid = matches!(system.task(id).activation, Activation::Interrupt(by)
                    if is_paid_for_below(system, by, blocked));
                let is_late =
                    poller_of(system, id).is_some_and(|by| is_held_up(system, by, blocked));
                // A section before it may be work of what wakes it, which is in its response already.
                let is_woken = system.task(id).activation.is_by_tasks();
                !paid && !is_late && !is_woken && is_task_of(system, id, blocked)
            }
            Source::Interrupt(id) if is_paid_for_below(system, id, blocked) => false,
            Source::Interrupt(id) => {
                let interrupt = system.interrupt(id);
                let guest = interrupt.delivery.as_ref().map(|delivery| delivery.vcpu);
                let handler = system
                    .task_ids()
                    .find(|&task| system.task(task).activation == Activation::Interrupt(id));
                match handler {
                    Some(task) => is_task_of(system, task, blocked),
                    None => guest.is_some_and(|guest| is_in(system, guest, blocked)),
                }
            }
        })
    }

    /// Whether it counts against its requirements.
    pub fn counts(&self, system: &System, source: Source) -> bool {
        let misbehaves = |&storm: &InterruptId| match source {
            Source::Interrupt(id) => id == storm,
            Source::Task(id) => system.interrupt(storm).wakes == Some(id),
        };
        self.is_kept(system, source) && !self.storms.iter().any(misbehaves)
    }
}

/// The task that polls what a task reads, if it reads packets.
fn poller_of(system: &System, reader: TaskId) -> Option<TaskId> {
    let card = system.devices.iter().find(|card| card.receiver == Some(reader))?;
    system.interrupt(card.interrupt).wakes
}

/// Whether a section before a member also delays that task, which is neither that member nor in it: unless what it runs through
/// is more urgent.
fn is_held_up(system: &System, task: TaskId, blocked: Member) -> bool {
    let (mut member, mut supply) = (Member::Task(task), system.task(task).on);
    while supply != system.on(blocked) {
        let Some(on) = system.supply(supply).on() else { return false };
        (member, supply) = (Member::Server(supply), on);
    }
    member != blocked && !system.priority(member).is_more_urgent_than(system.priority(blocked))
}

/// Whether the pseudo-VCPU of an interrupt, by *arrival*, is less urgent than that server, its virtual processor.
fn is_paid_for_below(system: &System, id: InterruptId, member: Member) -> bool {
    let Some(delivery) = &system.interrupt(id).delivery else { return false };
    let (Some(own), Some(vcpu)) = (&delivery.pseudo_vcpu, system.supply(delivery.vcpu).server())
    else {
        return false;
    };
    member == Member::Server(delivery.vcpu)
        && own.rule == PseudoVcpuRule::Arrival
        && own.priority.is_some_and(|priority| vcpu.priority.is_more_urgent_than(priority))
}

/// Whether it is that task, or is in that server.
fn is_task_of(system: &System, task: TaskId, member: Member) -> bool {
    member == Member::Task(task) || is_in(system, system.task(task).on, member)
}

/// Whether a supply is that server, or is in it.
fn is_in(system: &System, supply: SupplyId, member: Member) -> bool {
    let on = |id: &SupplyId| system.supply(*id).on();
    std::iter::successors(Some(supply), on).any(|id| member == Member::Server(id))
}
