//! All states that any history reaches, and the longest response on the way.

use super::instant::{Choice, TooMuch};
use super::layout::Layout;
use super::state::State;

/// The longest response of the target in any history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Longest {
    /// In ticks.
    pub response: u8,
    /// A shortest history that shows it.
    pub shown_by: Script,
    /// How many states there are.
    pub states: usize,
}

/// A history, written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The first replenishment of each server; zero where there is none.
    pub phases: Vec<u8>,
    /// By task and routine: arrival and execution of each job.
    pub jobs: Vec<Vec<Planned>>,
    /// The instant at which the job is complete whose response it shows.
    pub until: u64,
}

/// A job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// When it arrives; of what something else starts: when that happens.
    pub arrival: u64,
    /// How long it executes.
    pub execution: u64,
}

/// A state, and how it was reached: from which one, by which choice.
#[derive(Clone, Copy)]
struct Step {
    state: State,
    from: u32,
    by: Choice,
}

/// No state before.
const NONE: u32 = u32::MAX;

/// The states reached so far, in the order in which they were, and where each is among them.
struct Reached {
    steps: Vec<Step>,
    /// A table of hashes with linear probing, a power of two long, of which at most half is used.
    places: Vec<u32>,
}

impl Reached {
    fn new() -> Self {
        Self { steps: Vec::new(), places: vec![NONE; 1 << 10] }
    }

    /// Adds the step if its state is new.
    fn add(&mut self, step: Step) {
        if self.steps.len() * 2 >= self.places.len() {
            self.grow();
        }
        let place = self.place(&step.state);
        if self.places[place] == NONE {
            self.places[place] = index(self.steps.len());
            self.steps.push(step);
        }
    }

    /// Where the state stands in the table, or would.
    fn place(&self, state: &State) -> usize {
        let last = self.places.len() - 1;
        let mut place = state.hash() & last;
        while self.places[place] != NONE && self.step(self.places[place]).state != *state {
            place = (place + 1) & last;
        }
        place
    }

    fn step(&self, number: u32) -> &Step {
        &self.steps[usize::try_from(number).expect("an index")]
    }

    fn grow(&mut self) {
        self.places = vec![NONE; self.places.len() * 4];
        for number in 0..self.steps.len() {
            let place = self.place(&self.steps[number].state);
            self.places[place] = index(number);
        }
    }
}

/// The number of a step.
fn index(number: usize) -> u32 {
    u32::try_from(number).expect("far fewer states")
}

/// Visits every reachable state; `None` if there are more than `limit`, or jobs pile up.
///
/// Breadth first, so that the history of the longest response is a shortest one.
pub fn longest(layout: &Layout, limit: usize) -> Option<Longest> {
    let mut reached = Reached::new();
    for (state, _) in layout.first_states() {
        reached.add(Step { state, from: NONE, by: Choice::default() });
    }
    let mut best: Option<(u8, Step)> = None;
    let mut next = 0;
    while next < reached.steps.len() {
        let from = index(next);
        let state = reached.steps[next].state;
        let mut visit = |by: Choice, to: State, response: Option<u8>| {
            let step = Step { state: to, from, by };
            if response > best.map(|(response, _)| response) {
                best = response.map(|response| (response, step));
            }
            reached.add(step);
        };
        visit_all(layout, &state, &mut visit).ok()?;
        next += 1;
        if reached.steps.len() > limit {
            return None;
        }
    }
    let (response, last) = best?;
    let states = reached.steps.len();
    Some(Longest { response, shown_by: script(layout, &reached, last), states })
}

/// Every choice in a state.
fn visit_all(
    layout: &Layout,
    state: &State,
    visit: &mut impl FnMut(Choice, State, Option<u8>),
) -> Result<(), TooMuch> {
    let may = layout.may_arrive(state);
    let mut arrivals = may;
    loop {
        let chosen = layout.choose(*state, arrivals)?;
        for ends_early in [false, true] {
            if ends_early && !layout.may_end(&chosen) {
                break;
            }
            let next = layout.finish(&chosen, ends_early)?;
            let of_target = next.complete.filter(|(id, _)| *id == layout.target);
            visit(Choice { arrivals, ends_early }, next.state, of_target.map(|(_, age)| age));
        }
        if arrivals == 0 {
            return Ok(());
        }
        // The next smaller subset.
        arrivals = (arrivals - 1) & may;
    }
}

/// The history that leads to a step.
fn script(layout: &Layout, reached: &Reached, last: Step) -> Script {
    let mut choices = Vec::new();
    let mut step = last;
    while step.from != NONE {
        choices.push(step.by);
        step = *reached.step(step.from);
    }
    choices.reverse();
    let (mut state, phases) = layout
        .first_states()
        .into_iter()
        .find(|(first, _)| *first == step.state)
        .expect("every way begins at a first state");
    let mut jobs: Vec<Vec<Planned>> = vec![Vec::new(); layout.work.len()];
    let mut done = vec![0; layout.work.len()];
    for (now, choice) in (0..).zip(&choices) {
        for (id, work) in layout.work.iter().enumerate() {
            if choice.arrivals & 1 << id != 0 {
                jobs[id].push(Planned { arrival: now, execution: u64::from(work.wcet) });
            }
        }
        let chosen = layout.choose(state, choice.arrivals).expect("it was chosen before");
        let next = layout.finish(&chosen, choice.ends_early).expect("it was chosen before");
        if let Some((id, _)) = next.complete {
            if choice.ends_early {
                let left = u64::from(chosen.left(id));
                jobs[id][done[id]].execution -= left;
            }
            done[id] += 1;
            if let Some(started) = layout.work[id].starts {
                let execution = u64::from(layout.work[started].wcet);
                jobs[started].push(Planned { arrival: now + 1, execution });
            }
        }
        state = next.state;
    }
    Script { phases, jobs, until: choices.len() as u64 }
}
