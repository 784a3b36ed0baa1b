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
/// Distances that are written.
const WRITTEN: usize = 16;

/// Arrivals, with a margin and where they are from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stated {
    /// Period and jitter.
    Periodic(u64, u64),
    /// The least distance of two.
    Sporadic(u64),
    /// Least distances.
    Curve(Vec<u64>),
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
    let mut known = arrivals.distances.least().to_vec();
    if is_rare {
        known.push(time);
    }
    let fit = arrivals.periodic.fit();
    let few = if form == Some(Form::Periodic) { 3 } else { FEW };
    let is_periodic = fit.is_some_and(|fit| count >= few && fit.jitter <= fit.period / 2);
    let distances = increasing(&known, margin);
    let says_more = (2_u64..)
        .zip(distances.iter().skip(1))
        .any(|(steps, all)| *all > distances[0].saturating_mul(steps));
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
        _ => {
            (Stated::Sporadic(distances[0]), format!("{seen}, two at least {} apart", short(least)))
        }
    }
}

/// Each longer than the one before, and none longer than it was.
fn increasing(least: &[u64], margin: u32) -> Vec<u64> {
    let mut distances: Vec<u64> =
        least.iter().take(WRITTEN).map(|distance| shorter(*distance, margin)).collect();
    for place in (1..distances.len()).rev() {
        distances[place - 1] = distances[place - 1].min(distances[place].saturating_sub(1)).max(1);
    }
    // Where several came at once, a nanosecond each is all that a description can say.
    for place in 1..distances.len() {
        distances[place] = distances[place].max(distances[place - 1] + 1);
    }
    distances
}
