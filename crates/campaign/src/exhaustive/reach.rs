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
    /// The first replenishment of each server, or by how much its runtimes end late; zero where there is neither.
    pub phases: Vec<u8>,
    /// By task and routine: arrival and execution of each job.
    pub jobs: Vec<Vec<Planned>>,
    /// From when on less urgent work holds up the one member that it may.
    pub held_up_from: Option<u64>,
    /// The instant at which the job is complete whose response it shows.
    pub until: u64,
}

/// A job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// When it arrives; of what something else starts: when that happens.
    pub arrival: u64,
    /// When it is released.
    pub release: u64,
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
    for arrivals in subsets(layout.may_arrive(state)) {
        let (may, must) = layout.may_release(state, arrivals);
        for more in subsets(may & !must) {
            let choice = Choice { arrivals, releases: must | more, ..Choice::default() };
            visit_ends(layout, state, choice, visit)?;
            if layout.may_hold_up(state, choice) {
                visit_ends(layout, state, Choice { holds_up: true, ..choice }, visit)?;
            }
        }
    }
    Ok(())
}

/// Both ends of a tick.
fn visit_ends(
    layout: &Layout,
    state: &State,
    choice: Choice,
    visit: &mut impl FnMut(Choice, State, Option<u8>),
) -> Result<(), TooMuch> {
    let Some(chosen) = layout.choose(*state, choice)? else { return Ok(()) };
    for ends_early in [false, true] {
        if ends_early && !layout.may_end(&chosen) {
            break;
        }
        let next = layout.finish(&chosen, ends_early)?;
        let of_target = next.complete.filter(|(id, _)| *id == layout.target);
        visit(Choice { ends_early, ..choice }, next.state, of_target.map(|(_, age)| age));
    }
    Ok(())
}

/// All subsets of some bits, the largest first.
fn subsets(all: u8) -> impl Iterator<Item = u8> {
    core::iter::successors(Some(all), move |&set| (set > 0).then(|| (set - 1) & all))
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
    let mut script = Script {
        phases,
        jobs: vec![Vec::new(); layout.work.len()],
        held_up_from: None,
        until: choices.len() as u64,
    };
    let mut done = vec![0; layout.work.len()];
    for (now, choice) in (0..).zip(&choices) {
        script.plan(layout, now, *choice);
        let chosen = layout.choose(state, *choice).ok().flatten().expect("it was chosen before");
        let next = layout.finish(&chosen, choice.ends_early).expect("it was chosen before");
        if let Some((id, _)) = next.complete {
            if choice.ends_early {
                let left = u64::from(chosen.left(id));
                script.jobs[id][done[id]].execution -= left;
            }
            done[id] += 1;
            if let Some(started) = layout.work[id].starts {
                let execution = u64::from(layout.work[started].wcet);
                let at = now + 1;
                script.jobs[started].push(Planned { arrival: at, release: at, execution });
            }
        }
        state = next.state;
    }
    script
}

impl Script {
    /// What arrives and is released at an instant. What is not released up to the end is as late as it may be.
    fn plan(&mut self, layout: &Layout, now: u64, choice: Choice) {
        for (id, (work, jobs)) in layout.work.iter().zip(&mut self.jobs).enumerate() {
            if choice.arrivals & 1 << id != 0 {
                let release = now + u64::from(work.jitter);
                jobs.push(Planned { arrival: now, release, execution: u64::from(work.wcet) });
            }
            if choice.releases & 1 << id != 0 {
                jobs.last_mut().expect("it has arrived").release = now;
            }
        }
        if choice.holds_up {
            self.held_up_from = Some(now);
        }
    }
}
