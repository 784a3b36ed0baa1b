//! What was seen beside what was promised.
//!
//! **Model.** A time that was seen is exact to a resolution: two instants each, so twice that of an
//! instant for an interval, and for a sum as much for each piece.
//!
//! ```text
//!             bound
//!   below   ]───┼───(   above            ± the resolution
//!           at the bound
//! ```
//!
//! **Assumptions.** None; whether jobs may look like one is looked at where they are known.

use crate::pieces::Stretch;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A response time with its bound.
    Response,
    /// The time that a job received, or a routine took, with what is stated.
    Execution,
    /// What a reservation gave in a window with what it may.
    Budget,
}

impl What {
    /// As it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Response => "response",
            Self::Execution => "execution",
            Self::Budget => "budget",
        }
    }
}

/// What comes of a comparison; the worse, the later.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Less than promised.
    Below,
    /// As much, to the resolution.
    AtTheBound,
    /// It cannot be told; why, as a clause.
    Open(String),
    /// More than promised.
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

/// Where something was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// When.
    pub window: Stretch,
    /// On which processor.
    pub cpu: usize,
}

/// Something that was seen, and what was promised of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// How long.
    pub time: u64,
    /// How long it may be.
    pub bound: u64,
    /// To what the time is exact.
    pub resolution: u64,
    /// Where it was.
    pub place: Place,
    /// Whether more than one job may be in it, so that nothing can be said if it is too long.
    pub may_be_several: bool,
}

impl Sight {
    /// What comes of it.
    pub fn verdict(&self) -> Verdict {
        if self.time.saturating_add(self.resolution) <= self.bound {
            Verdict::Below
        } else if self.time <= self.bound.saturating_add(self.resolution) {
            Verdict::AtTheBound
        } else if self.may_be_several {
            Verdict::Open("jobs of it may have followed one another without a sleep".to_owned())
        } else {
            Verdict::Above
        }
    }

    fn excess(&self) -> i128 {
        i128::from(self.time) - i128::from(self.bound)
    }
}

/// What comes of all that was seen of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// What is compared.
    pub what: What,
    /// What comes of it.
    pub verdict: Verdict,
    /// What decides it: of the worst verdict the sight that is most above its bound, or least below.
    pub worst: Option<Sight>,
    /// How many were above.
    pub above: u64,
}

impl Comparison {
    /// Of what was seen.
    pub fn of(what: What, sights: &[Sight]) -> Self {
        let worst = sights.iter().max_by_key(|sight| (sight.verdict(), sight.excess()));
        let verdict = worst.map_or_else(
            || Verdict::Open("nothing of it was seen whole".to_owned()),
            Sight::verdict,
        );
        let above = sights.iter().filter(|sight| sight.verdict() == Verdict::Above).count() as u64;
        Self { what, verdict, worst: worst.copied(), above }
    }

    /// Of what nothing is promised; why, as a clause.
    pub fn open(what: What, why: String) -> Self {
        Self { what, verdict: Verdict::Open(why), worst: None, above: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(time: u64, bound: u64, may_be_several: bool) -> Sight {
        let place = Place { window: (0, time), cpu: 0 };
        Sight { time, bound, resolution: 2, place, may_be_several }
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
