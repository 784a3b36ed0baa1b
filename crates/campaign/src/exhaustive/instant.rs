//! From one instant to the next.
//!
//! ```text
//!   state ──▶ arrivals (4) ──▶ readiness (5) ──▶ one tick of what is chosen ──▶ ends (1), budgets (2, 3) ──▶ state
//! ```

use super::layout::{Layout, Part};
use super::state::State;
use vorrang_model::system::{Scheduler, ServerKind};

/// Ages beyond this are not counted: the job would never end.
const OLDEST: u8 = 200;

/// What a history decides at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The work that arrives, a bit for each.
    pub arrivals: u8,
    /// The work with jitter whose last job is released, a bit for each.
    pub releases: u8,
    /// From now on a section holds up a member in each busy window, now in this one.
    pub holds_up: bool,
    /// The job that runs ends after this tick, although it could go on.
    pub ends_early: bool,
}

/// A state in which it is decided what runs, and what that is.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    state: State,
    /// The task or routine that has the tick.
    pub ran: Option<usize>,
}

impl Chosen {
    /// What the first job of this work has left after the tick.
    pub fn left(&self, id: usize) -> u8 {
        self.state.jobs[id].left
    }
}

/// What follows from a choice.
#[derive(Clone, Copy, Debug)]
pub struct Next {
    /// The next state.
    pub state: State,
    /// The job that is complete: its work, and its age.
    pub complete: Option<(usize, u8)>,
}

/// Jobs wait without limit, as far as can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

impl Layout {
    /// Steps 4 and 5, and the tick, without what happens at its end; `None`: what would be held up is not there.
    ///
    /// # Errors
    /// Too many jobs wait.
    pub fn choose(&self, mut state: State, choice: Choice) -> Result<Option<Chosen>, TooMuch> {
        self.arrive(&mut state, choice)?;
        state.section.begun |= choice.holds_up;
        self.hold_up_job(&mut state, choice);
        self.settle(&mut state);
        if choice.holds_up && !state.section.closed {
            return Ok(None);
        }
        let ran = self.run(&mut state);
        self.look_at_window(&mut state);
        Ok(Some(Chosen { state, ran }))
    }

    /// Step 5, from the innermost out.
    fn settle(&self, state: &mut State) {
        for id in (1..self.supplies.len()).rev() {
            let guest = self.routine_on(state, id).is_some()
                || self.supplies[id].members.iter().any(|&part| self.is_ready(state, part));
            let (server, own) = (self.server(id), &mut state.servers[id - 1]);
            server.settle(own, guest);
            let wants = guest || server.kind.has_place() || server.kind == ServerKind::Periodic;
            let was_ready = own.ready;
            own.ready = wants && server.has_budget(own);
            if own.ready && !was_ready {
                self.hold_up_server(state, id);
            }
        }
        for supply in &self.supplies {
            if supply.has_equals {
                self.settle_places(state, &supply.members);
            }
        }
        self.settle_levels(state);
    }

    /// The order in which the members became ready.
    fn settle_places(&self, state: &mut State, members: &[Part]) {
        let mut queue: Vec<(u8, usize)> = Vec::with_capacity(members.len());
        for (declared, &part) in members.iter().enumerate() {
            let ready = self.is_ready(state, part);
            let (place, again) = place_of(state, part);
            let back = if place == 0 || again { u8::MAX } else { place };
            if ready {
                queue.push((back, declared));
            } else {
                set_place(state, part, 0);
            }
        }
        queue.sort_unstable();
        for (place, &(_, declared)) in (1..).zip(&queue) {
            set_place(state, members[declared], place);
        }
    }

    /// Whether a member is ready.
    pub fn is_ready(&self, state: &State, part: Part) -> bool {
        match part {
            Part::Work(id) => state.jobs[id].are_ready(),
            Part::Server(id) => state.servers[id - 1].ready,
        }
    }

    /// Whether it is scheduled by its deadline on a supply with priorities.
    pub fn has_linux_deadline(&self, part: Part) -> bool {
        matches!(part, Part::Server(id) if self.server(id).kind == ServerKind::SchedDeadline)
    }

    /// The routine that waits on a supply: one at most.
    pub fn routine_on(&self, state: &State, supply: usize) -> Option<usize> {
        let mut work = self.work.iter().zip(&state.jobs);
        work.position(|(work, own)| work.is_routine && work.on == supply && own.are_ready())
    }

    /// From the core down; every server on the way is charged for a tick.
    fn run(&self, state: &mut State) -> Option<usize> {
        let mut supply = 0;
        loop {
            if let Some(routine) = self.routine_on(state, supply) {
                break Some(match supply {
                    0 => self.interrupt(state, routine),
                    _ => execute(state, routine),
                });
            }
            let members = self.supplies[supply].members.iter().copied().enumerate();
            let ready = members.filter(|&(_, part)| self.is_ready(state, part));
            let first =
                ready.min_by_key(|&(declared, part)| self.rank(state, supply, declared, part));
            if supply == 0 {
                self.remember_chosen(state, first.map(|(_, part)| part));
            }
            match first {
                None => break None,
                Some((_, part)) if self.is_held_up(state, part) => {
                    state.section.left -= 1;
                    break None;
                }
                Some((_, Part::Work(id))) => break Some(execute(state, id)),
                Some((_, Part::Server(id))) => {
                    self.server(id).pay(&mut state.servers[id - 1]);
                    supply = id;
                }
            }
        }
    }

    /// The least runs.
    fn rank(
        &self,
        state: &State,
        supply: usize,
        declared: usize,
        part: Part,
    ) -> (bool, i64, u8, usize) {
        let scheduler = self.supplies[supply].scheduler;
        if scheduler == Scheduler::Edf || self.has_linux_deadline(part) {
            return (false, self.until_deadline(state, part), 0, declared);
        }
        let place = place_of(state, part).0;
        (true, -i64::from(self.priority(part)), place, declared)
    }

    fn until_deadline(&self, state: &State, part: Part) -> i64 {
        match part {
            Part::Server(id) => i64::from(state.servers[id - 1].clock),
            Part::Work(id) => {
                let deadline = self.work[id].deadline.expect("every task has one there");
                i64::from(deadline) - i64::from(state.jobs[id].ages[0] - 1)
            }
        }
    }

    /// Whether the job that runs may end although it could go on.
    pub fn may_end(&self, chosen: &Chosen) -> bool {
        chosen.ran.is_some_and(|id| {
            let (work, left) = (&self.work[id], chosen.state.jobs[id].left);
            left > 0 && work.wcet - left >= work.bcet
        })
    }

    /// The tick passes, then steps 1 to 3 of the next instant.
    ///
    /// # Errors
    /// Too many jobs wait, or one for too long.
    pub fn finish(&self, chosen: &Chosen, ends_early: bool) -> Result<Next, TooMuch> {
        let mut state = chosen.state;
        for (work, own) in self.work.iter().zip(&mut state.jobs) {
            own.gap = own.gap.saturating_add(1).min(work.period.unwrap_or(0));
            if work.has_ages {
                own.ages.iter_mut().filter(|age| **age > 0).for_each(|age| *age += 1);
                if own.ages[0] > OLDEST {
                    return Err(TooMuch);
                }
            } else if own.held {
                *own.last_age() += 1;
            }
        }
        for (server, own) in self.servers.iter().zip(&mut state.servers) {
            server.pass(own).ok_or(TooMuch)?;
        }
        let complete = self.complete(&mut state, chosen.ran, ends_early)?;
        for (server, own) in self.servers.iter().zip(&mut state.servers) {
            own.exhausted = server.exhaust(own) && self.supplies[server.on].has_equals;
            server.replenish(own);
        }
        Ok(Next { state, complete })
    }

    /// Step 1.
    fn complete(
        &self,
        state: &mut State,
        ran: Option<usize>,
        ends_early: bool,
    ) -> Result<Option<(usize, u8)>, TooMuch> {
        let Some(id) = ran.filter(|&id| state.jobs[id].left == 0 || ends_early) else {
            return Ok(None);
        };
        let work = &self.work[id];
        let age = state.jobs[id].pop(work.wcet);
        state.section.before = state.section.before.saturating_sub(u8::from(self.is_blocked(id)));
        let is_asleep = !state.jobs[id].are_ready();
        state.jobs[id].slept = is_asleep && self.supplies[work.on].has_equals;
        if let Some(next) = work.starts {
            let age = if self.work[next].has_ages { age } else { 1 };
            state.jobs[next].push(age, self.work[next].wcet).ok_or(TooMuch)?;
        }
        Ok(Some((id, age - 1)))
    }
}

/// A tick of its first job.
pub(super) fn execute(state: &mut State, id: usize) -> usize {
    state.jobs[id].left -= 1;
    id
}

/// Its place among its equals, and whether it loses it.
fn place_of(state: &State, part: Part) -> (u8, bool) {
    match part {
        Part::Work(id) => (state.jobs[id].place, state.jobs[id].slept),
        Part::Server(id) => (state.servers[id - 1].place, state.servers[id - 1].exhausted),
    }
}

fn set_place(state: &mut State, part: Part, place: u8) {
    match part {
        Part::Work(id) => {
            state.jobs[id].place = place;
            state.jobs[id].slept = false;
        }
        Part::Server(id) => {
            state.servers[id - 1].place = place;
            state.servers[id - 1].exhausted = false;
        }
    }
}
