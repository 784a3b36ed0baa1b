//! Numbers of two profiles that differ beyond noise.
//!
//! **Model.** A number has moved if its ranges from the first to the ninth decile before and afterwards do
//! not overlap. Two measurements of the same machine have most of their values there, so a reported move is
//! significant; a small change under much noise is not seen.

use super::Profile;
use crate::statistics::Spread;
use std::collections::BTreeMap;

/// A number that both profiles have.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// `cache.write-64k-dirty`: verb and name.
    pub name: String,
    /// In the first profile.
    pub before: Spread,
    /// In the second.
    pub after: Spread,
}

impl Change {
    /// Whether it moved beyond noise.
    pub fn is_beyond_noise(&self) -> bool {
        !self.before.overlaps(&self.after)
    }

    /// The relative move of the median; `None` where that was zero.
    pub fn part(&self) -> Option<f64> {
        let part = self.after.median / self.before.median - 1.0;
        part.is_finite().then_some(part)
    }
}

/// Every number that both have, in the order of the first.
pub fn compare(before: &Profile, after: &Profile) -> Vec<Change> {
    let numbers = |profile: &Profile| {
        let named = profile.sections.iter().flat_map(|section| {
            let name = move |name: &str| format!("{}.{name}", section.verb);
            section.numbers.iter().map(move |(own, number)| (name(own), number.spread))
        });
        named.collect::<Vec<_>>()
    };
    let afterwards: BTreeMap<String, Spread> = numbers(after).into_iter().collect();
    let both = numbers(before).into_iter().filter_map(|(name, before)| {
        let after = *afterwards.get(&name)?;
        Some(Change { name, before, after })
    });
    both.collect()
}
