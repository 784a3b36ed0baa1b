//! One file, and what became of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use vorrang_model::Place;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::input::Refusal;
use vorrang_verdict::outcome::Verdict;

/// A file that was judged or refused.
pub struct Judged {
    /// The file, as it was given.
    pub file: PathBuf,
    /// Where it declares what.
    pub places: BTreeMap<String, Place>,
    /// What was found; or what is wrong with it.
    pub outcome: Result<Checked, Refusal>,
}

/// What is worst about some files; the worse, the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worst {
    /// Everything is proven.
    Proven,
    /// Something is neither proven nor refuted, or nothing is required.
    Undecided,
    /// It was ended before everything was known.
    Interrupted,
    /// A history breaks something.
    Refuted,
    /// A file is wrong: nothing is known of it.
    Wrong,
}

impl Judged {
    /// What is worst about this file.
    pub fn worst(&self) -> Worst {
        let Ok(checked) = &self.outcome else { return Worst::Wrong };
        match checked.verdict() {
            Some(Verdict::Refuted) => Worst::Refuted,
            _ if checked.interrupted => Worst::Interrupted,
            Some(Verdict::Proven) => Worst::Proven,
            Some(Verdict::Undecided) | None => Worst::Undecided,
        }
    }
}

impl Worst {
    /// About all of some files; where there are none, nothing is proven.
    pub fn of(judged: &[Judged]) -> Self {
        judged.iter().map(Judged::worst).max().unwrap_or(Self::Undecided)
    }

    /// As it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Undecided => "undecided",
            Self::Interrupted => "interrupted",
            Self::Refuted => "refuted",
            Self::Wrong => "wrong",
        }
    }
}
