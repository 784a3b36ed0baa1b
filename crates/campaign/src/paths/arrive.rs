//! Arrivals, releases, and readings at arrivals.

use super::layout::{Followed, Layout};
use super::reach::Failed;
use super::state::{Job, Label, NEVER, Stage, State};

impl Layout {
    /// All states after the arrivals and releases of an instant. `follow`: at this instant something begins to be
    /// followed, or nothing does.
    pub(super) fn arrive(&self, state: State, follow: bool) -> Result<Vec<State>, Failed> {
        let mut all = vec![state];
        for task in 0..self.tasks.len() {
            let mut next = Vec::with_capacity(all.len() * 2);
            for state in all {
                self.arrive_one(state, task, &mut next)?;
            }
            all = next;
        }
        for state in &mut all {
            self.read_at_arrival(state, follow);
        }
        Ok(all)
    }

    fn arrive_one(&self, state: State, id: usize, next: &mut Vec<State>) -> Result<(), Failed> {
        let task = &self.tasks[id];
        if !task.after.is_empty() || task.polls {
            next.push(state);
            return Ok(());
        }
        let gap = state.tasks[id].gap;
        let (may, must) = match (gap, task.first) {
            (NEVER, Some(first)) => (state.now == first, state.now == first),
            (NEVER, None) => (true, false),
            _ => (gap >= task.least, Some(gap) == task.latest),
        };
        if !must {
            self.release(state, id, next);
        }
        if may {
            let mut state = state;
            let own = &mut state.tasks[id];
            own.gap = 0;
            let begins = if task.jitter > 0 { Stage::Held } else { Stage::Ready };
            if !own.push(Job { stage: begins, ..Job::default() }) {
                return Err(Failed::PilesUp);
            }
            self.release(state, id, next);
        }
        Ok(())
    }

    /// Jobs are released in order, each up to the jitter after its arrival.
    fn release(&self, mut state: State, id: usize, next: &mut Vec<State>) {
        let jitter = self.tasks[id].jitter;
        loop {
            let jobs = &mut state.tasks[id].jobs;
            let must = jobs.iter().any(|job| job.stage == Stage::Held && job.age >= jitter);
            if !must {
                next.push(state);
            }
            let jobs = &mut state.tasks[id].jobs;
            let Some(job) = jobs.iter_mut().find(|job| job.stage == Stage::Held) else { return };
            job.stage = Stage::Ready;
            if !self.tasks[id].has_ages {
                job.age = 0;
            }
        }
    }

    fn read_at_arrival(&self, state: &mut State, follow: bool) {
        for id in 0..self.tasks.len() {
            if state.tasks[id].gap != 0 || self.tasks[id].logical.is_none() {
                continue;
            }
            let label = self.reading(state, id, follow);
            let jobs = &mut state.tasks[id].jobs;
            let last = jobs.iter_mut().rev().find(|job| job.stage != Stage::None);
            last.expect("it has arrived now").label = label;
        }
    }

    /// What a reading of this task at this instant rests on. Of the first one of a path it may be the one that is
    /// followed from now on.
    pub(super) fn reading(&self, state: &mut State, id: usize, follow: bool) -> Label {
        let Followed::Path(path) = &self.followed else { return Label::Old };
        if path[0].0 != id {
            return self.tasks[id].reads.map_or(Label::Old, |from| state.tasks[from].output);
        }
        if state.follows {
            return Label::Newer;
        }
        let all_have_arrived = path.iter().all(|id| {
            let source = self.tasks[id.0].source;
            state.tasks[source].gap != NEVER
        });
        if !follow || !all_have_arrived {
            return Label::Old;
        }
        state.follows = true;
        Label::Followed
    }
}
