//! The sooner of two bounds on one supply.
//!
//! **Model.** Two curves that are both below what a supply provides: work is done by the sooner time of both.
//!
//! **Assumptions.** 1. Both hold for the same windows.
//!
//! Theory: docs/theory/supply.md.

use super::Supply;
use crate::derivation::Derivation;
use crate::ground::NoBound;
use crate::ground::{Rate, Repetition, common_multiple};
use vorrang_time::Duration;

/// What two bounds say of a supply together.
#[derive(Clone, Copy)]
pub struct Sooner<'a> {
    one: &'a dyn Supply,
    other: &'a dyn Supply,
}

impl<'a> Sooner<'a> {
    /// Of `one` and the `other`.
    pub const fn of(one: &'a dyn Supply, other: &'a dyn Supply) -> Self {
        Self { one, other }
    }

    /// The one by which so much work is done sooner.
    fn for_work(&self, work: Duration) -> &'a dyn Supply {
        match (self.one.time_for(work), self.other.time_for(work)) {
            (Err(_), Ok(_)) => self.other,
            (Ok(one), Ok(other)) if other < one => self.other,
            _ => self.one,
        }
    }
}

impl Supply for Sooner<'_> {
    fn time_for(&self, work: Duration) -> Result<Duration, NoBound> {
        self.for_work(work).time_for(work)
    }

    fn rate_ceil(&self) -> Rate {
        self.one.rate_ceil().max(self.other.rate_ceil())
    }

    /// Over a common multiple of both, the longer time.
    fn repeats(&self) -> Option<Repetition> {
        let (one, other) = (self.one.repeats()?, self.other.repeats()?);
        let work = common_multiple(one.work, other.work)?;
        let time = |own: Repetition| own.time.checked_mul(work.div_floor(own.work));
        Some(Repetition { work, time: time(one)?.max(time(other)?) })
    }

    fn derive(&self, work: Duration, to: &mut Derivation) {
        self.for_work(work).derive(work, to);
    }

    fn derive_load(&self, window: Duration, to: &mut Derivation) {
        self.one.derive_load(window, to);
    }
}
