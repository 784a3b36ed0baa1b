//! The design that allows for the most work.
//!
//! **Model.** A design for execution times that are longer by some factor is one for those that are stated. So a
//! factor for which there is none ends the search upwards: it
//! doubles what is added until there is none, and then halves the rest, down to a thousandth. For the
//! largest factor the cheapest design is the result.
//!
//! **Assumptions.** 1. No bound falls when work grows.
//!
//! **Cost.** Some twenty searches, each with an equal share of the analyses that are left.

use crate::aim::{Aim, ONE};
use crate::answer::{Absence, Answer, Design, Limits, Reach};
use crate::objective::Weights;
use crate::placement::aimed;
use vorrang_model::Open;

/// The largest factor that is tried, in thousandths.
const MOST: u64 = 100 * ONE;
/// Searches among which analyses are divided: ten to go up, seventeen to halve.
const SEARCHES: u64 = 27;

/// The least factors for which there is no design, by all theorems and by the monotonic ones.
#[derive(Clone, Copy, Default)]
struct Excluded {
    none_from: Option<u64>,
    none_monotonic_from: Option<u64>,
}

struct Search<'o> {
    open: &'o mut Open,
    left: Limits,
    searches: u64,
    steps: u64,
}

impl Search<'_> {
    fn with_work(&mut self, factor: u64) -> Answer {
        let share = Limits { steps: self.left.steps / self.searches.max(1), ..self.left };
        let aim = Aim::new(Weights::PRICE).with_work(factor);
        let (answer, steps) = aimed(self.open, share, &aim);
        self.left.steps -= steps;
        self.searches = self.searches.saturating_sub(1);
        self.steps += steps;
        answer
    }
}

/// Chooses what is open so that all execution times may grow by the largest factor.
pub(crate) fn most_work(open: &mut Open, limits: Limits) -> Answer {
    let mut search = Search { open, left: limits, searches: SEARCHES, steps: 0 };
    let mut best = match search.with_work(ONE) {
        Answer::Design(found) => (ONE, found),
        absent @ Answer::Absent(_) => return absent,
    };
    // The first with which none was found, and the first with which there is none.
    let (mut missed, mut none) = (None, Excluded::default());
    let mut more = ONE / 8;
    while missed.is_none() && best.0 < MOST {
        let factor = (best.0 + more).min(MOST);
        more *= 2;
        missed = try_factor(&mut search, factor, &mut best, &mut none);
    }
    while let Some(above) = missed.filter(|above| above - best.0 > 1) {
        let middle = best.0 + (above - best.0) / 2;
        missed = try_factor(&mut search, middle, &mut best, &mut none).or(missed);
    }
    let (factor, mut found) = best;
    let Excluded { none_from, none_monotonic_from } = none;
    found.reach = Some(Reach { factor, none_from, none_monotonic_from });
    found.steps = search.steps;
    found.system = search.open.resolve(&found.chosen).expect("it was accepted");
    Answer::Design(found)
}

/// Looks for a design for a factor, which is returned where none was found.
fn try_factor(
    search: &mut Search<'_>,
    factor: u64,
    best: &mut (u64, Box<Design>),
    none: &mut Excluded,
) -> Option<u64> {
    match search.with_work(factor) {
        Answer::Design(found) => {
            *best = (factor, found);
            None
        }
        Answer::Absent(absence) => {
            let least = |none: Option<u64>| none.into_iter().chain([factor]).min();
            let is_impossible = matches!(absence, Absence::Impossible { .. });
            if is_impossible {
                none.none_from = least(none.none_from);
            }
            if is_impossible || matches!(absence, Absence::NotFound { by_monotonic: true, .. }) {
                none.none_monotonic_from = least(none.none_monotonic_from);
            }
            Some(factor)
        }
    }
}
