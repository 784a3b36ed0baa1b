//! The selection of a result that is shown: which requirements, and how much of each.
//!
//! **Model.** The exit code and the sentence are about all requirements, whatever is shown. A result
//! fills a screen or two: beyond the numbers below, rows become a summary of cores, and reasons are
//! grouped by cause. `--all` shows everything.

use crate::outcome::Verdict;
use crate::ruling::Ruling;

/// As many rows fit a screen.
pub(super) const ROWS: usize = 40;
/// As many requirements have a paragraph each that says why they are refuted or undecided.
pub(super) const PARAGRAPHS: usize = 10;
/// As many causes are named.
pub(super) const CAUSES: usize = 8;
/// As many names stand behind a cause.
pub(super) const NAMES: usize = 6;
/// As many cores have a row in a summary.
pub(super) const CORES: usize = 20;

/// As many have one where how full they are is shown.
pub(super) const FULLEST: usize = 5;

/// The selection.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Requirements with these verdicts only; empty: all.
    pub only: Vec<Verdict>,
    /// Every requirement, reason and loss, however many there are.
    pub all: bool,
}

impl View {
    /// The requirements that are shown.
    pub fn of<'a>(&self, rulings: &'a [Ruling]) -> Vec<&'a Ruling> {
        let shown = |ruling: &&Ruling| self.only.is_empty() || self.only.contains(&ruling.verdict);
        rulings.iter().filter(shown).collect()
    }

    /// Whether something with so many parts is shown whole, where so many fit.
    pub(super) fn is_whole(&self, count: usize, fit: usize) -> bool {
        self.all || count <= fit
    }
}
