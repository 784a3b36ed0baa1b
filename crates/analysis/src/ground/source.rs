//! What takes time of a supply, by its number in the system, without names.

use vorrang_model::system::{InterruptId, Member, SupplyId, TaskId, TimerId};

/// Where work comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The jobs of a task.
    Task(TaskId),
    /// The budgets of a server.
    Server(SupplyId),
    /// The routines of an interrupt, on its core or in its guest.
    Interrupt(InterruptId),
    /// The credits or budgets of the pseudo-VCPU of an interrupt.
    PseudoVcpu(InterruptId),
    /// The interrupts of a timer.
    Timer(TimerId),
    /// The callbacks of a timer.
    Callbacks(TimerId),
    /// The timer interrupts with which a budget returns.
    Returns(SupplyId),
    /// The timer interrupts with which a budget ends.
    Ends(SupplyId),
    /// Scheduler calls and context switches for a member of a core.
    Scheduling(Member),
    /// Scheduler calls and context switches for the pseudo-VCPU of an interrupt.
    SchedulingOfPseudoVcpu(InterruptId),
    /// Scheduler calls and context switches at the ends of slices of a supply.
    SliceEnds(SupplyId),
    /// Nothing of a description: a bare number of a theorem.
    Unnamed,
}

impl From<Member> for Source {
    fn from(member: Member) -> Self {
        match member {
            Member::Task(id) => Self::Task(id),
            Member::Server(id) => Self::Server(id),
        }
    }
}
