//! The verdicts on chains: does every value arrive in time?
//!
//! **Model.** As for requirements (`weigh`), with the bound on a chain and the longest reaction time or data age of a
//! history of all its cores.
//!
//! **Does not cover** what a remedy would be where there is a bound (`nearest.rs`); its terms say which part
//! is the longest.

mod document;
mod ruling;
mod text;

pub use document::document;
pub use ruling::{Asked, ChainRuling, SeenOnce};
pub use text::{replays, sentence, statement, text};

use crate::cause::Cause;
use crate::evidence::{Compared, Observed};
use crate::help::Help;
use crate::outcome::Verdict;
use crate::overreserved::overreserved;
use crate::reason::coded;
use crate::weigh::Grounds;
use vorrang_analysis::{Bounds, ChainBound, Missing, chain_bound};
use vorrang_model::System;
use vorrang_model::system::{Chain, SupplyId, TaskId};
use vorrang_sim::{ChainSeen, Observations, Seen};
use vorrang_time::Duration;

/// Of every chain, the reaction time first.
pub fn all(system: &System, bounds: &Bounds, observations: &Observations) -> Vec<ChainRuling> {
    let mut rulings = Vec::new();
    for (place, (chain, seen)) in system.chains.iter().zip(&observations.chains).enumerate() {
        let found = chain_bound(system, bounds, chain);
        for asked in Asked::BOTH {
            let Some(limit) = asked.limit(chain) else { continue };
            let evidence = Evidence { system, bounds, observations, place, chain, found: &found };
            rulings.push(evidence.ruling(asked, limit, seen.as_ref()));
        }
    }
    rulings
}

/// The verdicts of all of them.
pub fn verdicts(rulings: &[ChainRuling]) -> impl Iterator<Item = Verdict> + '_ {
    rulings.iter().map(|ruling| ruling.verdict)
}

/// Every chain with a bound and an observation, with or without a limit for it.
pub fn compared(system: &System, bounds: &Bounds, observations: &Observations) -> Vec<Compared> {
    let mut all = Vec::new();
    for (chain, seen) in system.chains.iter().zip(&observations.chains) {
        let (Ok(bound), Some(seen)) = (chain_bound(system, bounds, chain).found, seen) else {
            continue;
        };
        let core = system.core_of(system.task(chain.path[0]).on);
        all.extend([&seen.reaction, &seen.age].map(|seen| Compared {
            name: chain.name.clone(),
            core,
            bound,
            observed: Observed {
                response: seen.time,
                finished: true,
                pattern: seen.pattern.text(),
                arrival: seen.from,
            },
        }));
    }
    all
}

struct Evidence<'a> {
    system: &'a System,
    bounds: &'a Bounds,
    observations: &'a Observations,
    place: usize,
    chain: &'a Chain,
    found: &'a ChainBound,
}

impl Evidence<'_> {
    fn ruling(&self, asked: Asked, limit: Duration, seen: Option<&ChainSeen>) -> ChainRuling {
        let cores = self.cores();
        let seen = seen.map(|seen| ruling::seen_of(asked, seen));
        let (verdict, reason) = self.grounds(limit, seen, &cores).weigh();
        ChainRuling {
            name: self.chain.name.clone(),
            place: self.place,
            asked,
            limit,
            bound: self.found.found.ok(),
            observed: seen.map(|seen| SeenOnce {
                time: seen.time,
                from: seen.from,
                pattern: seen.pattern.text(),
            }),
            verdict,
            reason,
            help: self.found.found.err().and_then(|missing| self.help(missing)).map(Help::of),
            steps: self.found.steps.clone(),
            by: self.found.by,
            assumptions: self.found.assumptions.iter().map(ToString::to_string).collect(),
            cores,
        }
    }

    fn cores(&self) -> Vec<SupplyId> {
        let tasks = self.chain.path.iter();
        let mut cores: Vec<SupplyId> =
            tasks.map(|&id| self.system.core_of(self.system.task(id).on)).collect();
        cores.sort_unstable();
        cores.dedup();
        cores
    }

    fn grounds(&self, limit: Duration, seen: Option<&Seen>, cores: &[SupplyId]) -> Grounds {
        let unrepresented = self
            .system
            .unsupported
            .iter()
            .find(|feature| feature.core.is_none_or(|of| cores.contains(&of)));
        let uncovered = self.observations.not_covered.iter().find(|(core, _)| cores.contains(core));
        let over = cores.iter().find_map(|&core| overreserved(self.system, core));
        Grounds {
            limit,
            bound: self.found.found.map_err(|missing| self.missing(missing)),
            observed: seen.map(|seen| seen.time),
            unrepresented: unrepresented
                .map(|feature| format!("{} is not represented yet", feature.what)),
            not_simulated: uncovered.map(|(_, what)| what.to_string()),
            overreserved: over,
        }
    }

    /// What would give it a bound.
    fn help(&self, missing: Missing) -> Option<String> {
        let name = |task: TaskId| &self.system.task(task).name;
        let covered = self.missing(missing).0.covered();
        match missing {
            Missing::Latest(task) => Some(format!(
                "state the longest time between two arrivals of {} as its `latest-interarrival`: its `period`, if \
                 arrivals are exactly that far apart",
                name(task)
            )),
            Missing::Response(task) => Some(match covered {
                Some(instead) => format!("of {}: {instead}", name(task)),
                None => format!(
                    "of {}: let it have less to wait for, until its response has a bound",
                    name(task)
                ),
            }),
            Missing::Merged(_) | Missing::Logical(_) | Missing::TooLong => {
                covered.map(str::to_owned)
            }
        }
    }

    /// A task without a bound says why itself.
    fn missing(&self, missing: Missing) -> (Cause, String) {
        let text = missing.text(self.system);
        match missing {
            Missing::Response(task) => match self.bounds.task(task).reason() {
                Some(reason) => {
                    let (cause, why) = coded(reason);
                    (cause, format!("{text}: {why}"))
                }
                None => (Cause::TooLong, text),
            },
            Missing::Latest(_) => (Cause::NoLatestInterarrival, text),
            Missing::Merged(_) | Missing::Logical(_) => (Cause::NotOfAChain, text),
            Missing::TooLong => (Cause::TooLong, text),
        }
    }
}
