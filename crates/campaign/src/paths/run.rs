//! What runs, and what ends.

use super::layout::{Followed, Layout};
use super::reach::Failed;
use super::state::{Job, Label, NEVER, Stage, State};
use vorrang_model::system::{Member, SupplyId, TaskId};

/// Ages beyond this are not counted: the job would never end.
const OLDEST: u8 = 120;

/// What follows from an instant and its tick.
#[derive(Clone, Copy, Debug)]
pub struct Next {
    /// The next state.
    pub state: State,
    /// The last task writes over what rests on the reading that is followed.
    pub is_aged: bool,
    /// It writes what rests on a later one, or the job that is followed ends.
    pub is_over: bool,
}

impl Layout {
    /// All that may follow, with something that begins to be followed at this instant, or without.
    ///
    /// # Errors
    /// Jobs pile up.
    pub fn instant(&self, state: State, follow: bool) -> Result<Vec<Next>, Failed> {
        let mut all = Vec::new();
        for state in self.arrive(state, follow)? {
            if let Some(state) = self.followed_job(state, follow) {
                self.tick(state, follow, &mut all)?;
            }
        }
        Ok(all)
    }

    /// The job that arrives now may be the one that is followed.
    fn followed_job(&self, mut state: State, follow: bool) -> Option<State> {
        if let (Followed::Job(TaskId(id)), true) = (&self.followed, follow) {
            // A job of a task that others wake arrives with that from which it descends.
            let source = self.tasks[*id].source;
            if state.follows || state.tasks[source].gap != 0 {
                return None;
            }
            let jobs = &mut state.tasks[source].jobs;
            let last = jobs.iter_mut().rev().find(|job| job.stage != Stage::None);
            last.expect("it has arrived now").label = Label::Followed;
            state.follows = true;
        }
        Some(state)
    }

    fn tick(&self, mut state: State, follow: bool, all: &mut Vec<Next>) -> Result<(), Failed> {
        let mut ran = Vec::new();
        for core in (0..self.supplies.len()).filter(|&id| self.supplies[id].on.is_none()) {
            ran.extend(self.run(&mut state, core, follow));
        }
        if follow && !state.follows {
            return Ok(());
        }
        self.pass(&mut state)?;
        let first = Next { state, is_aged: false, is_over: false };
        let mut ends = vec![first];
        for (id, job) in ran {
            let (least, most) = self.tasks[id].execution;
            let mut next = Vec::with_capacity(2);
            for own in ends {
                let used = own.state.tasks[id].jobs[job].used;
                if used < most {
                    next.push(own);
                }
                if used >= least {
                    next.push(self.complete(own, id, job)?);
                }
            }
            ends = next;
        }
        all.extend(ends.into_iter().map(|own| self.write_by_deadline(own)));
        Ok(())
    }

    /// The tick of a core: its task, and which of its jobs.
    fn run(&self, state: &mut State, core: usize, follow: bool) -> Option<(usize, usize)> {
        let mut supply = core;
        let id = loop {
            match self.chosen(state, supply)? {
                Member::Task(TaskId(id)) => break id,
                Member::Server(SupplyId(id)) => supply = id,
            }
            if self.supplies[supply].budget.is_some() {
                state.budgets[supply].left -= 1;
            }
        };
        // One that polls has no job that could end.
        let job = state.tasks[id].ready()?;
        if state.tasks[id].jobs[job].stage == Stage::Ready {
            if self.tasks[id].logical.is_none() && matches!(self.followed, Followed::Path(_)) {
                let label = self.reading(state, id, follow);
                state.tasks[id].jobs[job].label = label;
            }
            state.tasks[id].jobs[job].stage = Stage::Begun;
        }
        state.tasks[id].jobs[job].used += 1;
        Some((id, job))
    }

    fn chosen(&self, state: &State, supply: usize) -> Option<Member> {
        let own = &self.supplies[supply];
        let ready = own.members.iter().filter(|&&member| self.is_ready(state, member));
        ready.copied().min_by_key(|&member| match member {
            Member::Task(TaskId(id)) if own.by_deadline => {
                let job = state.tasks[id].ready().expect("it is ready");
                let deadline = self.tasks[id].deadline.expect("it goes by it");
                i32::from(deadline) - i32::from(state.tasks[id].jobs[job].age)
            }
            Member::Task(TaskId(id)) => -i32::try_from(self.tasks[id].priority).expect("small"),
            Member::Server(SupplyId(id)) => {
                -i32::try_from(self.supplies[id].priority).expect("small")
            }
        })
    }

    fn is_ready(&self, state: &State, member: Member) -> bool {
        match member {
            Member::Task(TaskId(id)) => self.tasks[id].polls || state.tasks[id].ready().is_some(),
            Member::Server(SupplyId(id)) => {
                let own = &self.supplies[id];
                let has_time = own.budget.is_none() || state.budgets[id].left > 0;
                has_time && own.members.iter().any(|&member| self.is_ready(state, member))
            }
        }
    }

    /// A tick passes.
    fn pass(&self, state: &mut State) -> Result<(), Failed> {
        state.now = (state.now + 1).min(self.begun);
        for (task, own) in self.tasks.iter().zip(&mut state.tasks) {
            if own.gap != NEVER {
                own.gap = (own.gap + 1).min(task.latest.unwrap_or(task.least));
            }
            for job in own.jobs.iter_mut().filter(|job| job.stage != Stage::None) {
                if job.stage == Stage::Held || task.has_ages {
                    job.age += 1;
                }
                if job.age > OLDEST {
                    return Err(Failed::PilesUp);
                }
            }
        }
        for (supply, own) in self.supplies.iter().zip(&mut state.budgets) {
            let Some((budget, period)) = supply.budget else { continue };
            own.due -= 1;
            if own.due == 0 {
                (own.left, own.due) = (budget, period);
            }
        }
        Ok(())
    }

    fn complete(&self, mut own: Next, id: usize, job: usize) -> Result<Next, Failed> {
        let complete = own.state.tasks[id].jobs[job];
        if let Followed::Job(TaskId(followed)) = self.followed {
            let label = own.state.tasks[id].pop().label;
            own.is_over |= label == Label::Followed && id == followed;
        } else if self.tasks[id].logical.is_some() {
            own.state.tasks[id].jobs[job].stage = Stage::Complete;
        } else {
            let label = own.state.tasks[id].pop().label;
            self.write(&mut own, id, label);
        }
        self.wake(&mut own.state, id, complete)?;
        Ok(own)
    }

    /// What waits for a job of this one, alone or with one of another, has the arrival of that.
    fn wake(&self, state: &mut State, id: usize, complete: Job) -> Result<(), Failed> {
        for (woken, task) in self.tasks.iter().enumerate() {
            let Some(place) = task.after.iter().position(|&first| first == id) else { continue };
            if task.after.len() > 1 {
                let ahead = &mut state.tasks[woken].ahead;
                ahead[place] += 1;
                if ahead[1 - place] == 0 {
                    continue;
                }
                *ahead = ahead.map(|count| count - 1);
            }
            let age = if task.has_ages { complete.age } else { 0 };
            // Of a path every job reads for itself.
            let label = match self.followed {
                Followed::Job(_) => complete.label,
                Followed::Path(_) => Label::Old,
            };
            if !state.tasks[woken].push(Job { stage: Stage::Ready, age, used: 0, label }) {
                return Err(Failed::PilesUp);
            }
        }
        Ok(())
    }

    /// Logical execution times are over.
    fn write_by_deadline(&self, mut own: Next) -> Next {
        for (id, task) in self.tasks.iter().enumerate() {
            let Some(logical) = task.logical else { continue };
            while let first = own.state.tasks[id].jobs[0]
                && first.stage == Stage::Complete
                && first.age >= logical
            {
                let label = own.state.tasks[id].pop().label;
                self.write(&mut own, id, label);
            }
        }
        own
    }

    fn write(&self, own: &mut Next, id: usize, label: Label) {
        let Followed::Path(path) = &self.followed else { return };
        let output = &mut own.state.tasks[id].output;
        if own.state.follows && path.last() == Some(&TaskId(id)) {
            own.is_aged |= *output == Label::Followed;
            own.is_over |= label == Label::Newer;
        }
        *output = label;
    }
}
