//! How a history begins, and what arrives and is released at an instant.

use super::instant::{Choice, TooMuch};
use super::layout::Layout;
use super::state::State;
use vorrang_model::system::ServerKind;

impl Layout {
    /// The states at instant zero: every phase of the servers that have one, and every length by which runtimes end late.
    pub fn first_states(&self) -> Vec<(State, Vec<u8>)> {
        let mut phases = vec![Vec::new()];
        for server in &self.servers {
            let with = |one: &Vec<u8>, phase| [one.as_slice(), &[phase]].concat();
            let more =
                |one: &Vec<u8>| (0..server.firsts()).map(|p| with(one, p)).collect::<Vec<_>>();
            phases = phases.iter().flat_map(more).collect();
        }
        let state = |phases: &Vec<u8>| {
            let mut state = State::default();
            for (own, work) in state.jobs.iter_mut().zip(&self.work) {
                own.gap = work.period.unwrap_or(0);
            }
            for ((own, server), &phase) in state.servers.iter_mut().zip(&self.servers).zip(phases) {
                *own = server.at_first(phase);
            }
            state
        };
        phases.into_iter().map(|phases| (state(&phases), phases)).collect()
    }

    /// The work that may arrive now, a bit for each.
    pub fn may_arrive(&self, state: &State) -> u8 {
        let may = |id: usize| {
            let (work, own) = (&self.work[id], &state.jobs[id]);
            // What may come back at once need not come before: it is ready all the same.
            let waits = work.period == Some(1) && own.are_ready();
            let started = self.is_started(state, work.on)
                && work.starts.is_none_or(|next| self.is_started(state, self.work[next].on));
            work.period == Some(own.gap) && !waits && started
        };
        (0..self.work.len()).filter(|&id| may(id)).fold(0, |bits, id| bits | 1 << id)
    }

    /// The work with jitter of which a job may be released, and that of which one has to be.
    pub fn may_release(&self, state: &State, arrivals: u8) -> (u8, u8) {
        let (mut may, mut must) = (0, 0);
        for (id, work) in self.work.iter().enumerate().filter(|(_, work)| work.jitter > 0) {
            let own = &state.jobs[id];
            may |= arrivals & 1 << id;
            if own.held {
                may |= 1 << id;
                must |= u8::from(own.ages[own.count() - 1] > work.jitter) << id;
            }
        }
        (may, must)
    }

    /// Step 4: what arrives, and what is released.
    ///
    /// # Errors
    /// Too many jobs wait.
    pub(super) fn arrive(&self, state: &mut State, choice: Choice) -> Result<(), TooMuch> {
        for (id, (work, own)) in self.work.iter().zip(&mut state.jobs).enumerate() {
            if choice.arrivals & 1 << id != 0 {
                own.gap = 0;
                own.push(1, work.wcet).ok_or(TooMuch)?;
                own.held = work.jitter > 0;
            }
            if choice.releases & 1 << id != 0 {
                own.held = false;
                if !work.has_ages {
                    *own.last_age() = 1;
                }
            }
        }
        Ok(())
    }

    fn is_started(&self, state: &State, mut supply: usize) -> bool {
        while supply > 0 {
            let server = self.server(supply);
            if server.kind == ServerKind::Periodic && !state.servers[supply - 1].awake {
                return false;
            }
            supply = server.on;
        }
        true
    }
}
