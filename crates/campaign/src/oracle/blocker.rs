//! Less urgent work that blocks a member.

use super::Core;
use vorrang_model::system::{Member, Scheduler, SupplyId};

/// The sections of a history.
pub(super) struct Blocker {
    pub(super) member: Member,
    from: u64,
    /// The rest of the section.
    pub(super) left: u64,
    /// The number of the job that it blocks, of a task.
    pub(super) job: Option<usize>,
    /// No section has appeared yet in this busy window.
    open: bool,
    /// It has just ended.
    ends: bool,
}

impl Blocker {
    pub(super) fn new(member: Member, from: u64) -> Self {
        Self { member, from, left: 0, job: None, open: true, ends: false }
    }
}

impl Core<'_> {
    /// A section precedes the first job of the task that is released in a busy window.
    pub(super) fn place_blocker(&mut self) {
        let Some(blocker) = &mut self.blocker else { return };
        let Member::Task(task) = blocker.member else { return };
        if !blocker.open || self.now < blocker.from {
            return;
        }
        if let Some(number) = self.tasks[task.0].first_released(self.now) {
            blocker.job = Some(number);
            blocker.left = self.system.task(task).blocking.as_ns();
            blocker.open = false;
        }
    }

    /// A section precedes the server that becomes ready in a busy window.
    pub(super) fn block_server(&mut self, id: SupplyId) {
        let Some(blocker) = &mut self.blocker else { return };
        if blocker.member != Member::Server(id) || !blocker.open || self.now < blocker.from {
            return;
        }
        blocker.left = self.system.section(blocker.member).as_ns();
        blocker.open = false;
    }

    /// Whether a section blocks the chosen server.
    pub(super) fn is_held_up(&self, id: SupplyId) -> bool {
        let held = |blocker: &Blocker| blocker.member == Member::Server(id) && blocker.left > 0;
        self.blocker.as_ref().is_some_and(held)
    }

    /// A section has run for one tick.
    pub(super) fn work_on_section(&mut self, progress: u64) {
        let blocker = self.blocker.as_mut().expect("it runs");
        blocker.left -= progress;
        blocker.ends = progress > 0 && blocker.left == 0;
    }

    /// Step 1: a section is over.
    pub(super) fn end_of_section(&mut self) {
        let Some(blocker) = &mut self.blocker else { return };
        if core::mem::take(&mut blocker.ends) {
            let on = self.system.on(blocker.member);
            self.happens_on(on);
        }
    }

    /// In this tick nothing of the level may be ready: then its busy window is over.
    pub(super) fn look_at_window(&mut self) {
        let Some(member) = self.blocker.as_ref().map(|blocker| blocker.member) else { return };
        let is_over = !self.is_level_busy(member);
        if let Some(blocker) = &mut self.blocker {
            blocker.open |= is_over;
        }
    }

    /// Service routines on a core, and a guest's in a virtual processor, included.
    fn is_level_busy(&self, own: Member) -> bool {
        let supply = self.system.on(own);
        let mut members = self.system.supply(supply).members.iter();
        (supply == self.id && self.is_interrupted())
            || !self.guests[supply.0].is_empty()
            || self.pseudo_at_least(supply, self.priority(own))
            || members.any(|&member| self.place(member).ready && self.is_of_level(member, own))
    }

    /// Whether a member counts: under priorities one that is at least as urgent, else any.
    fn is_of_level(&self, member: Member, own: Member) -> bool {
        match self.system.supply(self.system.on(own)).scheduler {
            Scheduler::Linux if self.is_linux_server(member) => true,
            Scheduler::Linux | Scheduler::FixedPriority => {
                let own = self.priority(own);
                !self.place(member).background && !own.is_more_urgent_than(self.priority(member))
            }
            _ => true,
        }
    }
}
