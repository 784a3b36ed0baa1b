//! One file, and what became of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use vorrang_model::{Format, Place};
use vorrang_verdict::checked::Checked;
use vorrang_verdict::input::{Included, Refusal};
use vorrang_verdict::outcome::Verdict;

/// A file that was judged or refused.
pub struct Judged {
    /// The file, as it was given.
    pub file: PathBuf,
    /// Where it declares what.
    pub places: BTreeMap<String, Spot>,
    /// What was found; or what is wrong with it.
    pub outcome: Result<Checked, Refusal>,
}

/// A place in a file or in one that it includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The file that is included; `None`: it is in the description itself.
    pub file: Option<PathBuf>,
    /// Line and column.
    pub place: Place,
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
    /// What became of a file with these bytes.
    pub fn new(
        file: PathBuf,
        bytes: &[u8],
        format: Format,
        outcome: Result<Checked, Refusal>,
    ) -> Self {
        let included = match &outcome {
            Ok(checked) => &checked.input.included,
            Err(refusal) => &refusal.included,
        };
        let of = |file: Option<PathBuf>, bytes: &[u8], format| {
            let found = vorrang_model::places(bytes, format).into_iter();
            found.map(move |(name, place)| (name, Spot { file: file.clone(), place }))
        };
        let others = included.iter().flat_map(|Included { path, bytes, .. }| {
            of(Some(path.clone()), bytes, Format::of_path(path))
        });
        // What stands in the description itself counts.
        let places = others.chain(of(None, bytes, format)).collect();
        Self { file, places, outcome }
    }

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
