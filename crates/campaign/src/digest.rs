//! Digests of the results of the analysis on drawn systems, which a refactoring must not change.
//!
//! Each system is written down in five parts (bounds, reasons, derivations, probabilities, losses), and each part
//! is hashed (FNV-1a, 64 bits), so two versions of the analysis can be compared without keeping gigabytes:
//! equal sums mean equal words, line by line, and a differing line names the system.
//!
//! **Assumptions.** 1. Two texts that differ have the same hash by accident only. 2. The public results of
//! the analysis are hashed: internal values are compared by their effects.

use crate::chance;
use crate::generate;
use core::fmt::Write as _;
use rayon::prelude::*;
use vorrang_analysis::{Bounds, Finding, bounds, derived_bounds_until, losses};
use vorrang_model::System;
use vorrang_model::system::RequirementKind;
use vorrang_time::Duration;

/// One in this many systems is accompanied by one that states probabilities.
const WITH_PROBABILITIES: u64 = 64;

/// The window of losses, from the start of a history.
const WINDOW: Duration = Duration::from_ms(200);

/// The names of the parts.
pub const PARTS: [&str; 5] = ["bounds", "reasons", "derivations", "probabilities", "losses"];

/// One number for each of [`PARTS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(pub [u64; PARTS.len()]);

impl Digest {
    fn of(parts: &[String; PARTS.len()]) -> Self {
        Self(parts.each_ref().map(|part| hash(part)))
    }

    /// The sum of several systems, independent of their order.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let mut sum = self;
        sum.0.iter_mut().zip(other.0).for_each(|(own, other)| *own = own.wrapping_add(other));
        sum
    }

    /// As one line.
    pub fn text(&self) -> String {
        self.0.map(|part| format!("{part:016x}")).join(" ")
    }
}

/// The digest of each of the systems `from..to` of a seed.
pub fn of_each(seed: u64, from: u64, to: u64) -> Vec<Digest> {
    (from..to).into_par_iter().map(|index| Digest::of(&words(seed, index))).collect()
}

/// The hashed texts of one system.
pub fn words(seed: u64, index: u64) -> [String; PARTS.len()] {
    let mut parts: [String; PARTS.len()] = Default::default();
    write(&generate::system(seed, index), &mut parts);
    if index.is_multiple_of(WITH_PROBABILITIES) {
        write(&chance::draw(seed, index).system, &mut parts);
        write(&chance::draw_among(seed, index).system, &mut parts);
    }
    // The number of the system, so that two that are exchanged are seen in the sum.
    parts.each_mut().map(|part| format!("{index}\n{part}"))
}

fn write(system: &System, parts: &mut [String; PARTS.len()]) {
    let (found, derived) = (bounds(system), derived_bounds_until(system, &|| false));
    let [values, reasons, derivations, probabilities, lost] = parts;
    let tasks = system.task_ids().map(RequirementKind::Deadline);
    let interrupts = system.interrupt_ids();
    for kind in tasks.chain(interrupts.map(RequirementKind::HandledWithin)) {
        let (name, finding) = of(system, &found, kind);
        line(values, &format!("{name}: {:?}", finding.bound()));
        line(reasons, &format!("{name}: {}", finding.method));
        finding.reason().iter().for_each(|reason| line(reasons, &reason.to_string()));
        finding.assumptions().iter().for_each(|assumed| line(reasons, &assumed.to_string()));
        derived.explanation(system, kind).lines().for_each(|of| line(derivations, of));
    }
    for id in system.supply_ids() {
        match found.reservation(system, id) {
            None => {}
            Some(Ok(late)) => line(values, &format!("{}: {late}", system.supply(id).name)),
            Some(Err(why)) => line(reasons, &format!("{}: {why}", system.supply(id).name)),
        }
    }
    let mut asked = system.requirements.iter().filter(|own| own.probability.is_some());
    for requirement in asked.clone() {
        line(probabilities, &format!("{:?}", found.chance(system, requirement)));
    }
    if let Some(first) = asked.next() {
        let explained = derived.explanation_of_chance(system, first);
        explained.lines().for_each(|of| line(derivations, of));
    }
    for core in system.cores() {
        match losses(system, core, WINDOW) {
            Ok(losses) => line(lost, &format!("{losses:?}")),
            Err(why) => line(lost, &why.to_string()),
        }
    }
}

fn of<'a>(system: &'a System, found: &'a Bounds, kind: RequirementKind) -> (&'a str, &'a Finding) {
    match kind {
        RequirementKind::Deadline(id) => (&system.task(id).name, found.task(id)),
        RequirementKind::HandledWithin(id) => (&system.interrupt(id).name, found.interrupt(id)),
    }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes all");
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_the_words_and_no_others() {
        assert_eq!((hash(""), hash("a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
        let each = of_each(3, 0, 24);
        assert_eq!(each, of_each(3, 0, 24));
        assert_eq!(each[7], Digest::of(&words(3, 7)));
        assert!(each.windows(2).all(|pair| pair[0] != pair[1]));
        let said = |part: usize| (0..24).any(|index| words(3, index)[part].lines().count() > 1);
        assert!((0..PARTS.len()).all(said), "every part says something");
    }
}
