//! Less urgent work that holds up the target, or a server around it.
//!
//! From the instant on that a history decides, the first job of the task that is released in each busy window of its level, or the
//! server when it becomes ready in it, is preceded by all of its `blocking`.

use super::instant::Choice;
use super::layout::{Layout, Part};
use super::state::State;
use vorrang_model::system::Scheduler;

impl Layout {
    /// Whether this work is what may be held up.
    pub(super) fn is_blocked(&self, id: usize) -> bool {
        self.blocked.is_some_and(|(part, _)| part == Part::Work(id))
    }

    /// Whether a history may decide now that sections begin: if it changes anything at all, now.
    pub(super) fn may_hold_up(&self, state: &State, choice: Choice) -> bool {
        let Some((part, _)) = self.blocked else { return false };
        let section = &state.section;
        !section.begun && !section.closed && self.may_be_held_up(part, choice)
    }

    fn may_be_held_up(&self, part: Part, choice: Choice) -> bool {
        match part {
            Part::Work(id) => self.is_released(id, choice),
            Part::Server(_) => true,
        }
    }

    fn is_released(&self, id: usize, choice: Choice) -> bool {
        let released = if self.work[id].jitter > 0 { choice.releases } else { choice.arrivals };
        released & 1 << id != 0
    }

    /// A section precedes the job that is released.
    pub(super) fn hold_up_job(&self, state: &mut State, choice: Choice) {
        let Some((Part::Work(id), length)) = self.blocked else { return };
        if state.section.begun && !state.section.closed && self.is_released(id, choice) {
            let jobs = u8::try_from(state.jobs[id].count()).expect("a few");
            (state.section.left, state.section.closed) = (length, true);
            state.section.before = jobs - 1;
        }
    }

    /// A section precedes the server that becomes ready.
    pub(super) fn hold_up_server(&self, state: &mut State, id: usize) {
        let Some((part, length)) = self.blocked else { return };
        if part == Part::Server(id) && state.section.begun && !state.section.closed {
            (state.section.left, state.section.closed) = (length, true);
        }
    }

    /// Whether a section runs in its place.
    pub(super) fn is_held_up(&self, state: &State, part: Part) -> bool {
        let is_next = self.blocked.is_some_and(|(blocked, _)| blocked == part);
        is_next && state.section.left > 0 && state.section.before == 0
    }

    /// Where nothing of the level is ready in this tick its busy window is over.
    pub(super) fn look_at_window(&self, state: &mut State) {
        let Some((part, _)) = self.blocked else { return };
        let on = match part {
            Part::Work(id) => self.work[id].on,
            Part::Server(id) => self.server(id).on,
        };
        let by_priority =
            matches!(self.supplies[on].scheduler, Scheduler::Linux | Scheduler::FixedPriority);
        let counts = |other: Part| {
            !by_priority
                || self.has_linux_deadline(other)
                || self.priority(other) >= self.priority(part)
        };
        let mut members = self.supplies[on].members.iter();
        let is_busy = self.routine_on(state, on).is_some()
            || members.any(|&other| self.is_ready(state, other) && counts(other));
        state.section.closed &= is_busy;
    }
}
