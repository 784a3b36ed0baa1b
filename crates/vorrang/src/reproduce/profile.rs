//! The machine of a profile, as it stands beside published figures.

use crate::measure::profile;
use std::path::Path;
use vorrang_command::exit::Failure;
use vorrang_measure::fit::Model;
use vorrang_reproduce::Machine;
use vorrang_reproduce::cache_row::Row;
use vorrang_time::Duration;

/// # Errors
/// The profile cannot be read or is wrong.
pub(super) fn machine(path: &Path) -> Result<Machine, Failure> {
    let profile = profile(path)?;
    let floods = profile.caches.iter().filter(|(_, cache)| cache.model == Model::Flood);
    let caches = floods.map(|(name, cache)| {
        let row = Row {
            useful_ppm: cache.useful_ppm,
            sustained: Duration::from_ns(cache.sustained_ns),
            ..Row::default()
        };
        (name.clone(), row)
    });
    let numbers = profile.sections.iter().flat_map(|section| {
        let named = move |(name, _): &(String, _)| format!("{}.{name}", section.verb);
        section.numbers.iter().map(move |number| (named(number), whole(number.1.spread.median)))
    });
    let conditions = profile.sections.iter().flat_map(|section| {
        let named =
            |(name, value): &(String, String)| [&section.verb, name, value].map(Clone::clone);
        section.conditions.iter().map(named)
    });
    let conditions = conditions.collect();
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(Machine { name, conditions, caches: caches.collect(), medians: numbers.collect() })
}

/// Whole nanoseconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "below an hour, and not below zero"
)]
fn whole(ns: f64) -> u64 {
    ns.round().clamp(0.0, 3.6e12) as u64
}
