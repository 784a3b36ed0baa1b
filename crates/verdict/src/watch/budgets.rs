//! The use of budgets by servers and pseudo-VCPUs.
//!
//! **Model.** A server *reserves* its budget for each of its periods: budget · time / period. That
//! is not what its rule grants: a soft CBS or one that reclaims may use more, a polling server that
//! finds no work loses what it has.

use vorrang_model::System;
use vorrang_model::system::{InterruptId, SupplyId};
use vorrang_sim::{Observer, Payer};
use vorrang_time::{Duration, Instant};

/// What was seen of one budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Time charged to it.
    pub used: Duration,
    /// How often it was exhausted.
    pub exhausted: u64,
    /// Of a pseudo-VCPU: time that was credited to it.
    pub credited: Duration,
    /// Of a pseudo-VCPU: what it has now.
    left: Duration,
}

/// The budgets of one run of one core.
pub struct Budgets {
    /// By server; meaningless for cores and what is on others.
    servers: Vec<Account>,
    /// By interrupt; meaningless without a pseudo-VCPU.
    pseudo_vcpus: Vec<Account>,
    core: SupplyId,
}

impl Budgets {
    /// Nothing seen yet on this core.
    pub fn of_core(system: &System, core: SupplyId) -> Self {
        Self {
            servers: vec![Account::default(); system.supplies.len()],
            pseudo_vcpus: vec![Account::default(); system.interrupts.len()],
            core,
        }
    }

    /// The servers of the core, in the order of declaration.
    pub fn servers(&self, system: &System) -> Vec<(SupplyId, Account)> {
        let own = |&(id, _): &(SupplyId, Account)| {
            !system.supply(id).is_core() && system.core_of(id) == self.core
        };
        self.servers
            .iter()
            .enumerate()
            .map(|(index, account)| (SupplyId(index), *account))
            .filter(own)
            .collect()
    }

    /// The interrupts of the core that have a pseudo-VCPU, in the order of declaration.
    pub fn pseudo_vcpus(&self, system: &System) -> Vec<(InterruptId, Account)> {
        let has_one = |&id: &InterruptId| {
            system.interrupt(id).delivery.as_ref().is_some_and(|to| to.pseudo_vcpu.is_some())
        };
        let ids = system.interrupts_on(self.core).filter(has_one);
        ids.map(|id| (id, self.pseudo_vcpus[id.0])).collect()
    }
}

/// The reserved time of a budget in this much time, rounded down.
pub fn reserved(budget: Duration, period: Duration, time: Duration) -> Duration {
    let reserved = u128::from(budget.as_ns()) * u128::from(time.as_ns());
    let reserved = reserved / u128::from(period.as_ns());
    Duration::from_ns(u64::try_from(reserved).expect("a budget is at most its period"))
}

impl Observer for Budgets {
    fn exhausted(&mut self, server: SupplyId, _at: Instant) {
        self.servers[server.0].exhausted += 1;
    }

    #[inline]
    fn paid(&mut self, payer: Payer, from: Instant, to: Instant) {
        let account = match payer {
            Payer::Server(id) => &mut self.servers[id.0],
            Payer::PseudoVcpu(id) => &mut self.pseudo_vcpus[id.0],
        };
        account.used += to - from;
    }

    fn pseudo_vcpu_budget(&mut self, interrupt: InterruptId, left: Duration, _at: Instant) {
        let account = &mut self.pseudo_vcpus[interrupt.0];
        account.credited += left.saturating_sub(account.left);
        account.exhausted += u64::from(left.is_zero() && !account.left.is_zero());
        account.left = left;
    }
}
