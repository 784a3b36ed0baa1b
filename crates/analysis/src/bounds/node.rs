//! A supply on the way down.

use crate::demand::Interference;
use crate::demand::Load;
use crate::finding::Form;
use crate::interrupt::Routines;
use crate::overhead::CoreInterference;
use crate::request::reserved::Reserved;
use crate::request::{Competitor, Urgency};
use crate::supply::Supply;
use vorrang_model::system::{Member, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// A supply on the way down, with what is known about it.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) id: SupplyId,
    pub(super) supply: &'a dyn Supply,
    pub(super) form: Form,
    /// Routines that come before every member: on fixed-priority supplies they are loads
    /// like any other; elsewhere `supply` is already what they leave.
    pub(super) routines: Routines<'a>,
    /// Of a core: what else comes before its members, treated in the same way.
    pub(super) machine: Option<&'a CoreInterference<'a>>,
    /// Inside a virtual processor with a cache: what is lost each time, and how often.
    pub(super) cold: Option<(Duration, &'a [Load<'a>])>,
    /// A core that interrupts leave whole.
    pub(super) bare_core: bool,
}

impl<'a> Node<'a> {
    /// What comes before a member where priority decides, besides routines.
    pub(super) fn before(&self, system: &System, member: Member) -> Interference<'a> {
        let urgency = Urgency::of_member(system, member);
        let own = Competitor::Member(member);
        self.machine.map(|machine| machine.before(own, urgency)).unwrap_or_default()
    }

    /// What comes before all alike, besides routines.
    pub(super) fn before_all(&self, system: &System) -> Interference<'a> {
        let scheduler = system.supply(self.id).scheduler;
        self.machine.map(|machine| machine.before_all(scheduler)).unwrap_or_default()
    }

    /// What comes before a pseudo-VCPU among its members, besides routines.
    pub(super) fn before_pseudo_vcpu(&self, system: &System, own: Reserved) -> Interference<'a> {
        let (own, urgency) = (Competitor::PseudoVcpu(own), Urgency::of_pseudo_vcpu(system, own));
        self.machine.map(|machine| machine.before(own, urgency)).unwrap_or_default()
    }

    /// Whether neither the machine nor a cold cache takes any of it.
    pub(super) fn takes_nothing(&self) -> bool {
        self.cold.is_none() && self.machine.is_none_or(CoreInterference::is_idle)
    }

    /// What the section takes besides its work that holds a task up.
    pub(super) fn around_section(&self, task: TaskId) -> Duration {
        let own = Member::Task(task);
        self.machine.map_or(Duration::ZERO, |machine| machine.around_section(own))
    }

    /// What a job of a task takes besides its work.
    pub(super) fn around_job(&self, task: TaskId) -> Duration {
        self.machine.map_or(Duration::ZERO, |machine| machine.around_job(task))
    }

    /// What service routines leave of it, and what else comes before all members alike.
    pub(super) fn after_routines<'b>(self, left: &'b dyn Supply) -> Node<'b>
    where
        'a: 'b,
    {
        Node { supply: left, routines: Routines::NONE, bare_core: false, ..self }
    }
}
