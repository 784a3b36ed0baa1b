//! Observations compared with bounds and stated values.
//!
//! **Model.** An observed time has a resolution: twice that of an instant for an interval, and for a sum that
//! for each piece.
//!
//! ```text
//!             bound
//!   below   ]───┼───(   above            ± the resolution
//!           at the bound
//! ```
//!
//! **Assumptions.** None; what excuses a time that is too long is decided where jobs are known.

use crate::pieces::Stretch;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A response time with its bound.
    Response,
    /// The time that a job received, or a routine took, with the stated one.
    Execution,
    /// The supply of a reservation in a window, with the most that it may supply.
    Budget,
    /// The reaction time of a chain with its bound.
    Reaction,
    /// The data age of a chain with its bound.
    Age,
}

impl What {
    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::Execution => "execution",
            Self::Budget => "budget",
            Self::Reaction => "reaction",
            Self::Age => "age",
        }
    }

    /// The same in a sentence.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::Execution => "execution",
            Self::Budget => "use",
            Self::Reaction => "reaction time",
            Self::Age => "data age",
        }
    }
}

/// The result of a comparison; the worse, the later.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Below the bound.
    Below,
    /// Equal, within the resolution.
    AtTheBound,
    /// Open; the reason, as a clause.
    Open(String),
    /// Above the bound.
    Above,
}

impl Verdict {
    /// As it is written in tables and in JSON.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Below => "below",
            Self::AtTheBound => "at the bound",
            Self::Open(_) => "open",
            Self::Above => "ABOVE",
        }
    }
}

/// The place of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// From its beginning to its end.
    pub window: Stretch,
    /// On which processor.
    pub cpu: usize,
}

/// An observation with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// How long.
    pub time: u64,
    /// Its bound.
    pub bound: u64,
    /// The resolution of the time.
    pub resolution: u64,
    /// Where it was.
    pub place: Place,
    /// Why one that is too long is open, as a clause; none if it is above.
    pub excuse: Option<&'static str>,
}

/// Several jobs without a sleep between them look like one.
pub const SEVERAL: &str = "several of its jobs may have run without a sleep between them";

impl Sight {
    /// The result.
    pub fn verdict(&self) -> Verdict {
        if self.time.saturating_add(self.resolution) <= self.bound {
            Verdict::Below
        } else if self.time <= self.bound.saturating_add(self.resolution) {
            Verdict::AtTheBound
        } else {
            self.excuse.map_or(Verdict::Above, |why| Verdict::Open(why.to_owned()))
        }
    }

    fn excess(&self) -> i128 {
        i128::from(self.time) - i128::from(self.bound)
    }
}

/// The result of all observations of one entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// What is compared.
    pub what: What,
    /// The result.
    pub verdict: Verdict,
    /// The deciding observation: among those of the worst verdict the one that is most above its bound, or
    /// least below.
    pub worst: Option<Sight>,
    /// How many were above.
    pub above: u64,
}

impl Comparison {
    /// The result of these observations.
    pub fn of(what: What, sights: &[Sight]) -> Self {
        let worst = sights.iter().max_by_key(|sight| (sight.verdict(), sight.excess()));
        let verdict = worst.map_or_else(
            || Verdict::Open("no complete job of it was seen".to_owned()),
            Sight::verdict,
        );
        let above = sights.iter().filter(|sight| sight.verdict() == Verdict::Above).count() as u64;
        Self { what, verdict, worst: worst.copied(), above }
    }

    /// Without a bound; the reason, as a clause.
    pub fn open(what: What, why: String) -> Self {
        Self { what, verdict: Verdict::Open(why), worst: None, above: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(time: u64, bound: u64, may_be_several: bool) -> Sight {
        let place = Place { window: (0, time), cpu: 0 };
        let excuse = may_be_several.then_some(SEVERAL);
        Sight { time, bound, resolution: 2, place, excuse }
    }

    #[test]
    fn what_the_resolution_cannot_tell_is_at_the_bound() {
        let word = |time| sight(time, 10, false).verdict().word();
        assert_eq!(
            [7, 8, 9, 12, 13].map(word),
            ["below", "below", "at the bound", "at the bound", "ABOVE"]
        );
    }

    #[test]
    fn the_worst_decides() {
        let compared = Comparison::of(What::Response, &[sight(30, 10, true), sight(13, 10, false)]);
        assert_eq!((compared.verdict, compared.above), (Verdict::Above, 1));
        assert_eq!(compared.worst.expect("one").time, 13);
        let several = Comparison::of(What::Response, &[sight(30, 10, true), sight(1, 10, false)]);
        assert_eq!(several.verdict.word(), "open");
        assert_eq!(Comparison::of(What::Response, &[]).verdict.word(), "open");
    }
}
