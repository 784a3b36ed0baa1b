//! The three values of a verdict, and why one is neither proof nor refutation.

use crate::cause::Cause;
use crate::screen::Tone;

/// What is known about a requirement; the worse, the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It holds in every history.
    Proven,
    /// Neither a proof nor a history against it was found.
    Undecided,
    /// A history breaks it.
    Refuted,
}

impl Verdict {
    /// All of them, the best first.
    pub const ALL: [Self; 3] = [Self::Proven, Self::Undecided, Self::Refuted];

    /// As it is written in tables and in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Undecided => "undecided",
            Self::Refuted => "refuted",
        }
    }
}

/// What is proven of the average, and not of every job.
pub const ON_AVERAGE: &str = "proven on average";

/// As it is written, in its colour.
pub const fn toned(verdict: Verdict) -> (&'static str, Tone) {
    let tone = match verdict {
        Verdict::Proven => Tone::Good,
        Verdict::Undecided => Tone::Open,
        Verdict::Refuted => Tone::Bad,
    };
    (verdict.word(), tone)
}

/// Why a requirement is undecided, as clauses without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// What is missing, without the numbers of the requirement, so that equal reasons have equal texts.
    pub cause: String,
    /// With its numbers, and why it is not refuted.
    pub text: String,
    /// Which kind of reason it is.
    pub of: Cause,
}

impl Why {
    /// A reason that does not depend on the requirement.
    pub(crate) fn unrepresented(text: &str) -> Self {
        Self { cause: text.to_owned(), text: text.to_owned(), of: Cause::Unrepresented }
    }
}
