//! All states that any history reaches, and the longest ways from what begins to be followed.

use super::layout::Layout;
use super::state::{Budget, State};

/// The longest of all histories, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    /// The reaction time of a path, or the response of a job.
    pub until_over: Option<u16>,
    /// The data age of a path.
    pub age: Option<u16>,
    /// How many states there are.
    pub states: usize,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// Jobs wait without limit, as far as can be seen.
    PilesUp,
    /// Too many states.
    TooLarge,
    /// Something never ends.
    Endless,
}

/// The longest ways from a state on.
#[derive(Clone, Copy, Debug, Default)]
struct Ways {
    until_over: Option<u16>,
    age: Option<u16>,
}

impl Ways {
    fn take(&mut self, other: Self) {
        self.until_over = self.until_over.max(other.until_over);
        self.age = self.age.max(other.age);
    }
}

/// States in the order in which they were found, with a table of hashes, of which at most half is used.
struct Known {
    states: Vec<State>,
    places: Vec<u32>,
}

/// Nothing stands there.
const NONE: u32 = u32::MAX;

impl Known {
    fn new() -> Self {
        Self { states: Vec::new(), places: vec![NONE; 1 << 10] }
    }

    /// The number of a state, and whether it is new.
    fn add(&mut self, state: &State) -> (usize, bool) {
        if self.states.len() * 2 >= self.places.len() {
            self.places = vec![NONE; self.places.len() * 4];
            for number in 0..self.states.len() {
                let place = self.place(&self.states[number]);
                self.places[place] = u32::try_from(number).expect("far fewer states");
            }
        }
        let place = self.place(state);
        if self.places[place] != NONE {
            return (usize::try_from(self.places[place]).expect("an index"), false);
        }
        self.places[place] = u32::try_from(self.states.len()).expect("far fewer states");
        self.states.push(*state);
        (self.states.len() - 1, true)
    }

    fn place(&self, state: &State) -> usize {
        let last = self.places.len() - 1;
        let mut place = state.hash() & last;
        while self.places[place] != NONE
            && self.states[usize::try_from(self.places[place]).expect("an index")] != *state
        {
            place = (place + 1) & last;
        }
        place
    }
}

/// Visits every state.
///
/// # Errors
/// There are more than `limit`, or something never ends.
pub fn longest(layout: &Layout, limit: usize) -> Result<Longest, Failed> {
    let mut quiet = Known::new();
    for state in layout.first_states() {
        quiet.add(&state);
    }
    let mut search = Search { layout, limit, known: Known::new(), ways: Vec::new() };
    let mut longest = Ways::default();
    let mut number = 0;
    while number < quiet.states.len() {
        let state = quiet.states[number];
        number += 1;
        for next in layout.instant(state, false)? {
            quiet.add(&next.state);
        }
        longest.take(search.after(state, true)?);
        if quiet.states.len() > limit {
            return Err(Failed::TooLarge);
        }
    }
    let states = quiet.states.len() + search.known.states.len();
    Ok(Longest { until_over: longest.until_over, age: longest.age, states })
}

/// The longest ways while something is followed.
struct Search<'a> {
    layout: &'a Layout,
    limit: usize,
    known: Known,
    /// By number of the state; `None`: it is being looked at.
    ways: Vec<Option<Ways>>,
}

impl Search<'_> {
    fn after(&mut self, state: State, follow: bool) -> Result<Ways, Failed> {
        let mut ways = Ways::default();
        for next in self.layout.instant(state, follow)? {
            let now = |is: bool| is.then_some(1);
            ways.take(Ways { until_over: now(next.is_over), age: now(next.is_aged) });
            if !next.is_over {
                let later = self.from(&next.state)?;
                let more = |way: Option<u16>| way.map(|ticks| ticks + 1);
                ways.take(Ways { until_over: more(later.until_over), age: more(later.age) });
            }
        }
        Ok(ways)
    }

    fn from(&mut self, state: &State) -> Result<Ways, Failed> {
        let (number, is_new) = self.known.add(state);
        if !is_new {
            return self.ways[number].ok_or(Failed::Endless);
        }
        if number > self.limit {
            return Err(Failed::TooLarge);
        }
        self.ways.push(None);
        let ways = self.after(*state, false)?;
        self.ways[number] = Some(ways);
        Ok(ways)
    }
}

impl Layout {
    /// All phases of the budgets.
    fn first_states(&self) -> Vec<State> {
        let mut all = vec![State::default()];
        for (id, supply) in self.supplies.iter().enumerate() {
            let Some((left, period)) = supply.budget else { continue };
            let phases = |state: State| {
                (1..=period).map(move |due| {
                    let mut state = state;
                    state.budgets[id] = Budget { left, due };
                    state
                })
            };
            all = all.into_iter().flat_map(phases).collect();
        }
        all
    }
}
