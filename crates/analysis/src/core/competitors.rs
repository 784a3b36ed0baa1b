//! The load of the competitors on a supply, by their arrivals.
//!
//! | rule of a pseudo-VCPU | as load in a window that begins when it is not ready |
//! |---|---|
//! | arrival | its credit g for each routine of the core that ends in it |
//! | deferrable | as a deferrable server (Q, T) |
//! | released | c for each routine that ends in it, and Q that was left |
//!
//! By *arrival* a credit whose interrupt wakes a task in a server of the guest may be kept while that server has no
//! budget: it counts as up to the least inter-arrival time later, which the bound of the task has to justify.
//!
//! **Assumptions.** Those of [`crate::demand`]. Derived in docs/theory/pseudo-vcpu-load.md.

use crate::core::Propagation;
use crate::coverage::kind_of_server;
use crate::demand::Load;
use crate::ground::Reason;
use crate::ground::Source;
use crate::ground::delivered_to;
use crate::request::reserved::{Reserved, keeps_until_handled};
use crate::request::{Competitor, Ranked};
use crate::request::{Requests, credit, granted};
use core::cmp::Reverse;
use vorrang_model::system::{Member, PseudoVcpu, PseudoVcpuRule, SupplyId};

impl<'s> Propagation<'s> {
    /// The members of a supply and its pseudo-VCPUs, the most urgent first.
    pub(crate) fn ranked(
        &self,
        on: SupplyId,
        members: &[Member],
    ) -> Result<Vec<Ranked<'s>>, Reason> {
        let mut ranked = Vec::with_capacity(members.len());
        for &member in members {
            let rank = u64::from(self.system.priority(member).0);
            let takes = self.takes(member)?;
            ranked.push(Ranked { who: Competitor::Member(member), rank, takes });
        }
        ranked.extend(self.pseudo_vcpus_on(on)?);
        ranked.sort_by_key(|own| core::cmp::Reverse(own.rank));
        Ok(ranked)
    }

    /// What a member takes.
    fn takes(&self, member: Member) -> Result<Requests<'s>, Reason> {
        let woken = match member {
            Member::Task(task) => {
                self.read_in_time(task)?;
                self.woken(task).transpose()?
            }
            Member::Server(_) => None,
        };
        Ok(match woken {
            Some((_, requests)) => requests,
            None => Requests::always(self.unwoken(member)?),
        })
    }

    /// What a member takes at its worst.
    pub(crate) fn load_of(&self, member: Member) -> Result<Load<'s>, Reason> {
        Ok(self.takes(member)?.storm)
    }

    /// What a member takes that no interrupt wakes.
    fn unwoken(&self, member: Member) -> Result<Load<'s>, Reason> {
        match member {
            Member::Task(task) => Ok(self.jobs[task.0]),
            Member::Server(id) => self.budgets(id),
        }
    }

    /// What a server takes.
    ///
    /// # Errors
    /// Its kind has no bound where priority decides.
    pub(crate) fn budgets(&self, id: SupplyId) -> Result<Load<'s>, Reason> {
        let load = Load::of_member(self.system, Member::Server(id));
        load.ok_or_else(|| Reason::not_covered(kind_of_server(self.system, id)))
    }

    /// The pseudo-VCPUs on a supply: those of the virtual processors among its members.
    pub(crate) fn pseudo_vcpus_on(&self, on: SupplyId) -> Result<Vec<Ranked<'s>>, Reason> {
        let system = self.system;
        let members = &system.supply(on).members;
        let mut found = Vec::new();
        let mut unranked = Vec::new();
        for &member in members {
            let Member::Server(vcpu) = member else { continue };
            for id in delivered_to(system, vcpu) {
                let Some(own) = Reserved::of(system, id) else { continue };
                let takes = self.taken_by(on, own)?;
                match own.by.priority {
                    Some(priority) => {
                        let rank = u64::from(priority.0);
                        found.push(Ranked { who: Competitor::PseudoVcpu(own), rank, takes });
                    }
                    None => unranked.push((own, takes)),
                }
            }
        }
        unranked.sort_unstable_by_key(|(own, _)| Reverse((own.by.period, own.interrupt)));
        for (above, (own, takes)) in (u64::from(u32::MAX) + 1..).zip(unranked) {
            found.push(Ranked { who: Competitor::PseudoVcpu(own), rank: above, takes });
        }
        Ok(found)
    }

    /// The load of a pseudo-VCPU on its parent supply.
    fn taken_by(&self, on: SupplyId, reserved: Reserved) -> Result<Requests<'s>, Reason> {
        let (id, own) = (reserved.interrupt, Source::PseudoVcpu(reserved.interrupt));
        let PseudoVcpu { budget, period, rule, .. } = reserved.by;
        if rule == PseudoVcpuRule::Deferrable {
            return Ok(Requests::always(Load::new(own, budget, period, period - budget)));
        }
        let stages = &self.stages[id.0];
        // Windows on a core begin when no routine is pending.
        let comes = if self.system.supply(on).is_core() {
            stages.at_core
        } else {
            stages.after_core.clone()?
        };
        if rule == PseudoVcpuRule::Released {
            let cost = credit(self.system, id);
            let more = comes.of(own, cost).after_more(budget.div_ceil(cost));
            let supply = self.system.supply(on).name.clone();
            return more.map_err(|why| Reason::NoBound { supply, why, overbooked: None });
        }
        let credits = comes.of(own, granted(self.system, id, &reserved.by));
        let kept = keeps_until_handled(self.system, id);
        Ok(kept.map_or(credits, |kept| credits.later(kept)))
    }
}
