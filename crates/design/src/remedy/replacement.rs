//! What is not covered, replaced by what is, where that proves a requirement.
//!
//! **Model.** One kind of thing is replaced everywhere in a system, the rest stays.
//!
//! **Assumptions.** Those of `remedy/mod.rs`: what is said was seen by the analysis.
//!
//! **Cost.** One analysis.

use super::{Remedies, TERMS_AGAIN};
use crate::asked::Asked;
use crate::proven::{Goal, Proven};
use vorrang_analysis::bounds_within;
use vorrang_model::system::{Level, Scheduler, Server, ServerRule, SupplyId, SupplyKind};
use vorrang_model::{Format, System, read, write_toml};

/// What is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Soft constant-bandwidth servers by hard ones.
    HardServers,
    /// Servers that reclaim by those that do not.
    NoReclaiming,
    /// Fair turns by weighted ones.
    WeightedTurns,
    /// Servers whose budget is their period by priorities without a budget.
    NoBudget,
}

impl Replacement {
    fn replace(self, system: &mut System) {
        for supply in &mut system.supplies {
            match self {
                Self::HardServers => change(supply.server_mut(), |server| {
                    if server.rule == ServerRule::CbsSoft {
                        server.rule = ServerRule::CbsHard;
                    }
                }),
                Self::NoReclaiming => change(supply.server_mut(), |server| {
                    if let ServerRule::SchedDeadline { reclaims, .. } = &mut server.rule {
                        *reclaims = false;
                    }
                }),
                Self::WeightedTurns => {
                    if matches!(supply.scheduler, Scheduler::Stride | Scheduler::Vtrr) {
                        supply.scheduler = Scheduler::WeightedRoundRobin;
                    }
                }
                Self::NoBudget => {
                    if let Some(level) = supply.server().and_then(unlimited) {
                        supply.kind = SupplyKind::Level(level);
                    }
                }
            }
        }
    }
}

fn change(server: Option<&mut Server>, how: impl FnOnce(&mut Server)) {
    if let Some(server) = server {
        how(server);
    }
}

/// The priority of a server whose budget limits nothing.
fn unlimited(server: &Server) -> Option<Level> {
    let Server { on, rule, budget, period, priority, blocking } = *server;
    let has_priority = !matches!(rule, ServerRule::SchedDeadline { .. });
    (has_priority && budget == period).then_some(Level { on, priority, blocking })
}

impl Remedies<'_> {
    /// Whether a requirement is proven with a replacement, and everything that is proven now; `None`: the system is too large to
    /// look, or has nothing to replace.
    pub fn is_proven_with(&self, requirement: usize, replacement: Replacement) -> Option<bool> {
        self.has_with(Goal::Requirement(requirement), replacement)
    }

    /// The same of the budget of a server.
    pub fn is_guaranteed_with(&self, server: SupplyId, replacement: Replacement) -> Option<bool> {
        self.has_with(Goal::Budget(server), replacement)
    }

    /// The same of what is required of a chain, by its place.
    pub fn is_kept_along_with(
        &self,
        (chain, of): (usize, Asked),
        replacement: Replacement,
    ) -> Option<bool> {
        self.has_with(Goal::Chain(chain, of), replacement)
    }

    fn has_with(&self, goal: Goal, replacement: Replacement) -> Option<bool> {
        if self.is_large() {
            return None;
        }
        let mut changed = self.system.clone();
        replacement.replace(&mut changed);
        if changed == *self.system {
            return None;
        }
        let Ok(described) = read(write_toml(&changed), Format::Toml) else { return Some(false) };
        // What is not represented is not written.
        let described = System { unsupported: changed.unsupported, ..described };
        let (found, _left) = bounds_within(&described, TERMS_AGAIN);
        let then = Proven::of(&described, &found);
        Some(then.has(goal) && then.has_all_of(&self.now))
    }
}
