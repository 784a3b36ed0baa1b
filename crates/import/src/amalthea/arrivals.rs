//! When tasks are released: the stimuli of a model.

use super::element::{bound, child, rounded_down, time, type_of};
use crate::refused::Refused;
use roxmltree::Node;

/// Of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// By another task.
    Woken,
    /// By a clock, or by what comes at least so long after the last one.
    Periodic {
        period: u64,
        jitter: u64,
        /// Whether it comes in each period.
        is_strict: bool,
        /// When it comes first, by the clock of the model.
        first: First,
    },
}

/// When a task comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// The model does not say.
    AtAnyTime,
    /// Then, and whole periods later.
    At(u64),
    /// It comes between two nanoseconds, which no description has.
    Between,
}

/// What a stimulus is, or nothing where no description has it.
///
/// # Errors
/// A time of it is none.
pub(super) fn arrival(stimulus: Node) -> Result<Option<Arrival>, Refused> {
    let least = |key| -> Result<Option<Arrival>, Refused> {
        let period = child(stimulus, key).and_then(|of| bound(of, "lowerBound").or(Some(of)));
        let period = period.map(time).transpose()?.and_then(rounded_down);
        Ok(period.map(|period| Arrival::Periodic {
            period,
            jitter: 0,
            is_strict: false,
            first: First::AtAnyTime,
        }))
    };
    match type_of(stimulus) {
        "InterProcessStimulus" => Ok(Some(Arrival::Woken)),
        "PeriodicStimulus" => periodic(stimulus),
        "SporadicStimulus" if child(stimulus, "occurrence").is_some() => least("occurrence"),
        "SporadicStimulus" => least("stimulusDeviation"),
        "RelativePeriodicStimulus" => least("nextOccurrence"),
        _ => Ok(None),
    }
}

fn periodic(stimulus: Node) -> Result<Option<Arrival>, Refused> {
    let recurrence = child(stimulus, "recurrence").map(time).transpose()?;
    let Some(period) = recurrence.and_then(rounded_down) else { return Ok(None) };
    let deviation = child(stimulus, "jitter").or_else(|| child(stimulus, "stimulusDeviation"));
    let (mut jitter, mut earliest) = (0, 0);
    if let Some(deviation) = deviation {
        let side = |key| bound(deviation, key).map(time).transpose();
        let (Some(least), Some(most)) = (side("lowerBound")?, side("upperBound")?) else {
            return Ok(None);
        };
        // From the earliest that it can come.
        earliest = least.min(0);
        let width = most.max(0).abs_diff(earliest).div_ceil(1_000);
        jitter = u64::try_from(width).unwrap_or(u64::MAX);
    }
    let offset = child(stimulus, "offset").map(time).transpose()?;
    let by_clock = offset.zip(recurrence).map(|(of, every)| first(of + earliest, every));
    let first = by_clock.unwrap_or(First::AtAnyTime);
    Ok(Some(Arrival::Periodic { period, jitter, is_strict: true, first }))
}

/// When it comes first of all instants that are whole periods from this one.
fn first(one: i128, period: i128) -> First {
    let one = if one < 0 { one.rem_euclid(period) } else { one };
    let is_exact = one % 1_000 == 0 && period % 1_000 == 0;
    let exact = is_exact.then(|| u64::try_from(one / 1_000).ok()).flatten();
    exact.map_or(First::Between, First::At)
}
