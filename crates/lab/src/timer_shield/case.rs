//! A case of `timer-shield-threads`: a scene on the second of two processors (`scenarios/timer_shield/cases.toml`).

use super::module::{HELD, MS, US};
use crate::data::{self, Time, ns};
use crate::written::Row;
use serde::Deserialize;
use std::collections::BTreeMap;
use vorrang_guest::{Action, Clock, Meddling, Policy, Scene, Sleeper, Urgent};

/// The processor that is shielded.
pub(super) const CPU: usize = 1;
/// For how long the urgent thread computes.
const BUSY: u64 = 10 * MS;
/// When something happens.
const THEN: u64 = 3 * MS;

/// When a thread of a case must run again.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Expected {
    /// When the urgent one has computed.
    Afterwards,
    /// At this instant, though the urgent one computes.
    At(#[serde(deserialize_with = "ns")] u64),
    /// At this instant or later, as nothing else is stated.
    NotBefore(#[serde(deserialize_with = "ns")] u64),
}

/// A case.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Case {
    pub(super) name: String,
    #[serde(default = "eighty")]
    urgent: Policy,
    #[serde(default)]
    alone: bool,
    #[serde(default = "one")]
    sleepers: Vec<Sleeping>,
    #[serde(default)]
    has_lock: bool,
    /// The processor from which things happen.
    #[serde(default = "shielded")]
    from: usize,
    #[serde(default)]
    then: Vec<Action>,
    #[serde(default)]
    looks: Vec<Time>,
    /// Of every thread that sleeps.
    #[serde(default = "afterwards")]
    pub(super) expected: Expected,
    /// By how much counters of the module grow, at least and at most.
    #[serde(default)]
    pub(super) counters: BTreeMap<String, (u64, u64)>,
    /// How many timers the file shows whenever it is read during the scene.
    #[serde(default)]
    pub(super) shown: Vec<usize>,
    /// What is done before the scene.
    #[serde(default)]
    pub(super) before: Vec<Row>,
    /// And after it.
    #[serde(default)]
    pub(super) after: Vec<Row>,
}

const fn eighty() -> Policy {
    Policy::Fifo(80)
}

const fn shielded() -> usize {
    CPU
}

const fn afterwards() -> Expected {
    Expected::Afterwards
}

fn one() -> Vec<Sleeping> {
    vec![Sleeping::default()]
}

/// A thread that sleeps, or so many of them.
#[derive(Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "as those of a scene")]
struct Sleeping {
    name: String,
    number: Option<u64>,
    /// Whether it may run on both processors.
    anywhere: bool,
    policy: Policy,
    clock: Clock,
    #[serde(deserialize_with = "ns")]
    until: u64,
    parks: bool,
    wants: bool,
    roams: bool,
}

impl Default for Sleeping {
    fn default() -> Self {
        Self {
            name: "sleeper".to_owned(),
            number: None,
            anywhere: false,
            policy: Policy::Fifo(10),
            clock: Clock::Monotonic,
            until: MS,
            parks: false,
            wants: false,
            roams: false,
        }
    }
}

impl Sleeping {
    fn sleepers(&self) -> Vec<Sleeper> {
        let Self { name, number, anywhere, policy, clock, until, parks, wants, roams } =
            self.clone();
        let cpu = (!anywhere).then_some(CPU);
        let one = Sleeper { name, cpu, policy, clock, until, parks, wants, roams };
        let Some(number) = number else { return vec![one] };
        let each = |place: u64| Sleeper {
            name: format!("{}-{place}", one.name),
            until: until + place * US,
            ..one.clone()
        };
        (0..number).map(each).collect()
    }
}

impl Case {
    pub(super) fn scene(&self) -> Scene {
        let urgent = Urgent { cpu: CPU, policy: self.urgent, time: BUSY };
        let then = self.then.iter().map(|what| Meddling { after: THEN, what: what.clone() });
        let look =
            |&Time(after): &Time| Meddling { after, what: Action::Read { path: HELD.to_owned() } };
        let mut meddling: Vec<Meddling> = then.chain(self.looks.iter().map(look)).collect();
        meddling.sort_by_key(|meddling| meddling.after);
        Scene {
            urgent: (!self.alone).then_some(urgent),
            sleepers: self.sleepers.iter().flat_map(Sleeping::sleepers).collect(),
            has_lock: self.has_lock,
            from: self.from,
            meddling,
        }
    }
}

/// All of them.
pub(super) fn cases() -> Vec<Case> {
    #[derive(Deserialize)]
    struct Cases {
        case: Vec<Case>,
    }
    data::read::<Cases>("timer_shield/cases.toml").case
}
