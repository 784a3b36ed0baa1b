//! How much is tried of each system, and how systems are drawn.

use crate::generate;
use core::num::NonZeroU64;
use vorrang_model::system::System;
use vorrang_sim::Search;
use vorrang_time::Duration;

/// The effort for one system.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The search on the event-driven simulator; its seed is replaced.
    pub search: Search,
    /// One in this many systems has its invariants checked in every history of its search.
    pub watched_one_in: u64,
    /// One in this many tiny systems is compared with the oracle.
    pub compared_one_in: u64,
    /// Histories in which the simulator is compared with the oracle, on each core.
    pub compared: u64,
    /// One in this many tiny systems is tried by brute force.
    pub brute_one_in: u64,
    /// A grid of release offsets is tried in full up to this size.
    pub whole_grid: u64,
    /// Histories of a larger grid, and random ones.
    pub drawn: u64,
    /// One in this many systems is written and read back.
    pub text_one_in: u64,
    /// For one in this many systems a description with values left open is also drawn and designed.
    pub designed_one_in: u64,
    /// One in this many systems has a shield on every core, besides those that have one anyway.
    pub shielded_one_in: Option<NonZeroU64>,
    /// One in this many of the others has chains.
    pub chained_one_in: Option<NonZeroU64>,
    /// In one of this many systems half of what arrives comes in bursts.
    pub bursts_one_in: Option<NonZeroU64>,
    /// In one of this many systems half of what arrives has distances of a few later arrivals.
    pub distances_one_in: Option<NonZeroU64>,
    /// In one of this many systems half of the tasks by priority are not preempted.
    pub kept_one_in: Option<NonZeroU64>,
    /// In one of this many systems tasks wake tasks, and wait for several.
    pub forked_one_in: Option<NonZeroU64>,
    /// In one of this many systems threads poll for ever.
    pub polls_one_in: Option<NonZeroU64>,
    /// In one of this many systems tasks arrive by the clock.
    pub offsets_one_in: Option<NonZeroU64>,
    /// In one of this many systems pseudo-VCPUs pay for timers of guests.
    pub paid_timers_one_in: Option<NonZeroU64>,
}

impl Effort {
    /// For many systems: about three milliseconds each.
    pub fn quick() -> Self {
        Self {
            search: Search {
                seed: 1,
                runs: 4,
                horizon: Duration::from_ms(10_000),
                variants: 2,
                climbs: 3,
                work: 6_000,
                steps: Search::default().steps,
            },
            watched_one_in: 1,
            compared_one_in: 1,
            compared: 2,
            brute_one_in: 8,
            whole_grid: 600,
            drawn: 60,
            text_one_in: 16,
            designed_one_in: 16,
            shielded_one_in: None,
            chained_one_in: None,
            bursts_one_in: None,
            distances_one_in: None,
            kept_one_in: None,
            forked_one_in: None,
            polls_one_in: None,
            offsets_one_in: None,
            paid_timers_one_in: None,
        }
    }

    /// For very many systems: bounds against searched histories, the other checks for some systems. About
    /// half a millisecond each.
    pub fn brief() -> Self {
        let quick = Self::quick();
        Self {
            search: Search { runs: 2, work: 1_500, ..quick.search },
            watched_one_in: 32,
            compared_one_in: 16,
            brute_one_in: 64,
            drawn: 30,
            text_one_in: 512,
            designed_one_in: 256,
            ..quick
        }
    }

    /// The system with this index.
    pub fn system(&self, seed: u64, index: u64) -> System {
        let is_one = |one_in: NonZeroU64| index.is_multiple_of(one_in.get());
        let system = if self.shielded_one_in.is_some_and(is_one) {
            generate::shielded_system(seed, index)
        } else if self.chained_one_in.is_some_and(is_one) {
            generate::chained_system(seed, index)
        } else {
            generate::system(seed, index)
        };
        let system = if self.bursts_one_in.is_some_and(is_one) {
            generate::in_bursts(seed, index, system)
        } else {
            system
        };
        let system = if self.distances_one_in.is_some_and(is_one) {
            generate::with_distances(seed, index, system)
        } else {
            system
        };
        let system = if self.kept_one_in.is_some_and(is_one) {
            generate::with_kept(seed, index, system)
        } else {
            system
        };
        let system = if self.forked_one_in.is_some_and(is_one) {
            generate::with_forks(seed, index, system)
        } else {
            system
        };
        let system = if self.polls_one_in.is_some_and(is_one) {
            generate::with_polls(seed, index, system)
        } else {
            system
        };
        let system = if self.offsets_one_in.is_some_and(is_one) {
            generate::with_offsets(seed, index, system)
        } else {
            system
        };
        if self.paid_timers_one_in.is_some_and(is_one) {
            generate::with_paid_timers(seed, index, system)
        } else {
            system
        }
    }

    /// The options of the command by which systems are drawn, each after a blank.
    pub fn drawing(&self) -> String {
        let options = [
            ("--shielded-one-in", self.shielded_one_in),
            ("--chained-one-in", self.chained_one_in),
            ("--bursts-one-in", self.bursts_one_in),
            ("--distances-one-in", self.distances_one_in),
            ("--kept-one-in", self.kept_one_in),
            ("--forked-one-in", self.forked_one_in),
            ("--polls-one-in", self.polls_one_in),
            ("--offsets-one-in", self.offsets_one_in),
            ("--paid-timers-one-in", self.paid_timers_one_in),
        ];
        let option = |(name, one_in): (_, Option<NonZeroU64>)| Some(format!(" {name} {}", one_in?));
        options.into_iter().filter_map(option).collect()
    }

    /// For one system: a few seconds.
    pub fn thorough() -> Self {
        Self {
            search: Search::default(),
            watched_one_in: 1,
            compared_one_in: 1,
            compared: 200,
            brute_one_in: 1,
            whole_grid: 40_000,
            drawn: 2_000,
            text_one_in: 1,
            designed_one_in: 1,
            shielded_one_in: None,
            chained_one_in: None,
            bursts_one_in: None,
            distances_one_in: None,
            kept_one_in: None,
            forked_one_in: None,
            polls_one_in: None,
            offsets_one_in: None,
            paid_timers_one_in: None,
        }
    }
}
