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
        /// Whether it comes first at a stated time, which no description has.
        has_offset: bool,
    },
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
            has_offset: false,
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
    let offset = child(stimulus, "offset").map(time).transpose()?.unwrap_or(0);
    let deviation = child(stimulus, "jitter").or_else(|| child(stimulus, "stimulusDeviation"));
    let mut jitter = 0;
    if let Some(deviation) = deviation {
        let side = |key| bound(deviation, key).map(time).transpose();
        let (Some(least), Some(most)) = (side("lowerBound")?, side("upperBound")?) else {
            return Ok(None);
        };
        // From the earliest that it can come.
        let width = most.max(0).abs_diff(least.min(0)).div_ceil(1_000);
        jitter = u64::try_from(width).unwrap_or(u64::MAX);
    }
    Ok(Some(Arrival::Periodic { period, jitter, is_strict: true, has_offset: offset != 0 }))
}
