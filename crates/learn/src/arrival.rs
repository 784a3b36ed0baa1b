//! How something arrives, as a description states it.
//!
//! **Model.** Three statements are learnt, and one is written: the periodic model where its jitter is at most half a period,
//! else the least distances where they say more than that of two, else the least distance. Where a periodic model is asked
//! for, three arrivals are enough for it; otherwise ten.
//!
//! When a period begins by the clock of the trace is said in a comment, and not as an `offset`: that would promise that no
//! arrival is ever anywhere else.
//!
//! **Guessed** is that what came a few times in all comes no more often: the distance to one more is the time of the trace.

use crate::said::{longer, short, shorter};
use crate::thread::Arrivals;
use std::fmt;
use std::str::FromStr;
use vorrang_model::system::{Distance, Distances};
use vorrang_time::Duration;

/// What is written of arrivals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Least distances of several.
    Curve,
    /// The least distance of two.
    Sporadic,
    /// Period and jitter.
    Periodic,
}

const WORDS: [(&str, Form); 3] =
    [("curve", Form::Curve), ("sporadic", Form::Sporadic), ("periodic", Form::Periodic)];

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = WORDS.iter().find(|(_, own)| own == self).map_or("", |(word, _)| word);
        f.write_str(word)
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = WORDS.iter().find(|(word, _)| *word == text).map(|(_, own)| *own);
        found.ok_or_else(|| "arrivals are written as curve, sporadic, periodic".to_owned())
    }
}

/// Releases that a period needs before it is believed.
const FEW: u64 = 10;
/// Distances that are written one after the other; of those beyond, what does not follow from them.
const WRITTEN: usize = 16;

/// Arrivals, with a margin and where they are from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stated {
    /// Period and jitter.
    Periodic(u64, u64),
    /// The least distance of two.
    Sporadic(u64),
    /// Least distances, each with how many releases further it is.
    Curve(Vec<(usize, u64)>),
}

/// What is written of arrivals that were seen for some time, and what is said of it.
pub(crate) fn stated(
    arrivals: &Arrivals,
    form: Option<Form>,
    margin: u32,
    time: u64,
) -> (Stated, String) {
    let count = arrivals.periodic.count();
    let seen = format!("{count} arrivals in {}", short(time));
    let Some(least) = arrivals.distances.sporadic() else {
        return (
            Stated::Sporadic(shorter(time, margin)),
            format!("{seen}, so the least distance is a guess"),
        );
    };
    let is_rare = count < WRITTEN as u64;
    let near = arrivals.distances.least().iter().copied().take(WRITTEN);
    let mut known: Vec<(usize, u64)> = (1..).zip(near).collect();
    if is_rare {
        known.push((known.len() + 1, time));
    }
    known.extend(arrivals.distances.far());
    let fit = arrivals.periodic.fit();
    let few = if form == Some(Form::Periodic) { 3 } else { FEW };
    let is_periodic = fit.is_some_and(|fit| count >= few && fit.jitter <= fit.period / 2);
    let distances = needed(increasing(&known, margin));
    let (_, first) = distances[0];
    let says_more = distances.iter().any(|(steps, all)| *all > first.saturating_mul(*steps as u64));
    let chosen = match form {
        Some(form @ (Form::Curve | Form::Sporadic)) => form,
        _ if is_periodic => Form::Periodic,
        _ if says_more => Form::Curve,
        _ => Form::Sporadic,
    };
    match (chosen, fit) {
        (Form::Periodic, Some(fit)) => {
            let jitter = longer(fit.jitter, margin);
            let said = format!(
                "{seen}, each within {} of its period, by the clock of the trace from {} on",
                short(fit.jitter),
                short(fit.phase())
            );
            (Stated::Periodic(fit.period, jitter), said)
        }
        (Form::Curve, _) => {
            let guess = if is_rare { "; the last distance is a guess" } else { "" };
            let said = format!("{seen}, two at least {} apart{guess}", short(least));
            (Stated::Curve(distances), said)
        }
        _ => (Stated::Sporadic(first), format!("{seen}, two at least {} apart", short(least))),
    }
}

/// Each longer than the one before, and none longer than it was.
fn increasing(least: &[(usize, u64)], margin: u32) -> Vec<(usize, u64)> {
    let each = |(steps, least): &(usize, u64)| (*steps, shorter(*least, margin));
    let mut distances: Vec<(usize, u64)> = least.iter().map(each).collect();
    for place in (1..distances.len()).rev() {
        distances[place - 1].1 =
            distances[place - 1].1.min(distances[place].1.saturating_sub(1)).max(1);
    }
    // Where several came at once, a nanosecond each is all that a description can say.
    for place in 1..distances.len() {
        distances[place].1 = distances[place].1.max(distances[place - 1].1 + 1);
    }
    distances
}

/// Without far ones that follow from those before them by adding up.
fn needed(all: Vec<(usize, u64)>) -> Vec<(usize, u64)> {
    let mut kept: Vec<Distance> = Vec::new();
    for (steps, least) in all {
        let own = Distance { steps, least: Duration::from_ns(least).min(Duration::MAX_STATED) };
        let is_next = steps == kept.len() + 1;
        let known = || Distances::some(&kept)?.after(steps as u64);
        if is_next || known().is_none_or(|known| known < own.least) {
            kept.push(own);
        }
    }
    kept.into_iter().map(|own| (own.steps, own.least.as_ns())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distances::Window;
    use proptest::prelude::*;

    proptest! {
        /// Bursts within bursts: what is stated never says fewer arrivals than there were in any window.
        #[test]
        fn no_window_has_more_than_is_stated(
            gaps in proptest::collection::vec((0_u64..4, 0_u64..40, 0_u64..3_000), 2..700),
            of_burst in 2_usize..60,
            margin in 0_u32..300_000,
        ) {
            let (mut at, mut times) = (0, Vec::new());
            for (nth, (near, far, longer)) in gaps.into_iter().enumerate() {
                let is_long = nth % (7 * of_burst) == 0;
                at += 20 + near + if is_long { longer } else if nth % of_burst == 0 { far } else { 0 };
                times.push(at);
            }
            let mut arrivals = Arrivals::default();
            for at in &times { arrivals.add(Window::exact(*at)); }
            let time = times[times.len() - 1];
            let (stated, _) = stated(&arrivals, Some(Form::Curve), margin, time);
            let Stated::Curve(all) = stated else { panic!("a curve is asked for") };
            let one = |&(steps, least): &(usize, u64)| Distance { steps, least: Duration::from_ns(least) };
            let model = Distances::some(&all.iter().map(one).collect::<Vec<_>>()).expect("distances");
            for (place, first) in times.iter().enumerate() {
                for (further, at) in (1..).zip(&times[place + 1..]) {
                    let least = model.after(further).expect("in range");
                    // The guess is about what did not happen.
                    let is_guess = times.len() < WRITTEN;
                    prop_assert!(is_guess || least.as_ns() <= at - first, "{} further: {}", further, least);
                }
            }
        }
    }

    /// A burst of a hundred in each second: it is not as if that went on.
    #[test]
    fn a_long_burst_ends() {
        let mut arrivals = Arrivals::default();
        for second in 0..60_u64 {
            for nth in 0..100 {
                arrivals.add(Window::exact(second * 1_000_000_000 + nth * 10_000));
            }
        }
        let (stated, _) = stated(&arrivals, Some(Form::Curve), 0, 60_000_000_000);
        let Stated::Curve(all) = stated else { panic!("a curve is asked for") };
        let far: Vec<(usize, u64)> = all[16..].to_vec();
        let second = 1_000_000_000;
        // Those to the 32nd, 64th and 256th follow from others, and so on.
        assert_eq!(far, [(128, second + 280_000), (512, 5 * second + 120_000)]);
    }
}
