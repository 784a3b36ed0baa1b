//! The cases: one rule of the documentation of Linux each, in the files of `scenarios/conformance/`.

use super::case::Case;
use super::machine::{Kind, Source};
use crate::data;
use serde::Deserialize;
use std::iter;

/// Which are tried.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    all: Vec<Group>,
    shield: Vec<Group>,
}

/// Some of them, beside interrupts if these are stated.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    interrupts: Option<Kind>,
    #[serde(default)]
    rates: Vec<u64>,
    cases: Vec<String>,
}

impl Group {
    /// Each case at every rate.
    fn cases(&self) -> Vec<Case> {
        let sources = |kind| self.rates.iter().map(move |&khz| Some(Source { kind, khz }));
        let sources: Vec<Option<Source>> = self
            .interrupts
            .map_or_else(|| iter::once(None).collect(), |kind| sources(kind).collect());
        let of = |name: &String| {
            let case = one(name);
            sources.iter().map(move |&source| Case { source, ..case.clone() }).collect::<Vec<_>>()
        };
        self.cases.iter().flat_map(of).collect()
    }
}

/// The case of that name.
///
/// # Panics
/// There is no such file, or it is wrong.
pub fn one(name: &str) -> Case {
    let text = data::text(&format!("conformance/cases/{name}.toml"));
    let case = Case::read(name, &text).unwrap_or_else(|why| panic!("{why}"));
    let Some(like) = &case.like else { return case };
    let Case { shows, tables, .. } = one(like);
    Case { shows, tables, ..case }
}

fn lists() -> Lists {
    data::read("conformance/cases.toml")
}

/// Cases of the shield of timers, which need its module.
pub fn shield() -> Vec<Case> {
    lists().shield.iter().flat_map(Group::cases).collect()
}

/// All other cases.
pub fn all() -> Vec<Case> {
    lists().all.iter().flat_map(Group::cases).collect()
}
