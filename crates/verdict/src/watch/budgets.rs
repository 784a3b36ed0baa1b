//! The use of budgets by servers and pseudo-VCPUs.
//!
//! **Model.** A server *reserves* its budget for each of its periods: budget · time / period. That
//! is not what its rule grants: a soft CBS or one that reclaims may use more, a polling server that
//! finds no work loses what it has. An exhausted server of POSIX goes on in the *background*: what its members
//! ran without being charged.

use vorrang_model::System;
use vorrang_model::system::{InterruptId, Member, ServerKind, SupplyId};
use vorrang_sim::{Observer, Payer, Running};
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
    /// Of a server that goes on when it is exhausted: the time of its members.
    ran: Duration,
    /// And what was charged for them.
    charged: Duration,
}

impl Account {
    /// What its members ran in the background.
    pub fn background(&self) -> Duration {
        self.ran.saturating_sub(self.charged)
    }
}

/// The budgets of one run of one core.
pub struct Budgets {
    /// By server; meaningless for cores and what is on others.
    servers: Vec<Account>,
    /// By interrupt; meaningless without a pseudo-VCPU.
    pseudo_vcpus: Vec<Account>,
    /// By task: the servers around it that go on when they are exhausted.
    around_task: Vec<Vec<usize>>,
    /// By interrupt: the same around the guest that it is delivered to.
    around_guest: Vec<Vec<usize>>,
    core: SupplyId,
}

/// Whether a server goes on in the background when it is exhausted.
pub fn goes_on(system: &System, id: SupplyId) -> bool {
    system.supply(id).server_kind() == Some(ServerKind::PosixSporadic)
}

fn around(system: &System, on: SupplyId) -> Vec<usize> {
    let parent = |id: &SupplyId| system.supply(*id).on();
    let all = core::iter::successors(Some(on), parent);
    all.filter(|&id| goes_on(system, id)).map(|id| id.0).collect()
}

impl Budgets {
    /// Nothing seen yet on this core.
    pub fn of_core(system: &System, core: SupplyId) -> Self {
        Self {
            servers: vec![Account::default(); system.supplies.len()],
            pseudo_vcpus: vec![Account::default(); system.interrupts.len()],
            around_task: system.tasks.iter().map(|task| around(system, task.on)).collect(),
            around_guest: system
                .interrupts
                .iter()
                .map(|one| one.delivery.as_ref().map_or(Vec::new(), |to| around(system, to.vcpu)))
                .collect(),
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
        let ids = system.paid_on(self.core);
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
    fn ran(&mut self, from: Instant, to: Instant, what: Running) {
        let around: &[usize] = match what {
            Running::Task(id) | Running::Blocking(Member::Task(id)) => &self.around_task[id.0],
            Running::GuestRoutine(id) => &self.around_guest[id.0],
            _ => &[],
        };
        for &server in around {
            self.servers[server].ran += to - from;
        }
    }

    #[inline]
    fn paid(&mut self, payer: Payer, from: Instant, to: Instant) {
        let account = match payer {
            Payer::Server(id) => &mut self.servers[id.0],
            Payer::PseudoVcpu(id) => {
                for &server in &self.around_guest[id.0] {
                    self.servers[server].charged += to - from;
                }
                &mut self.pseudo_vcpus[id.0]
            }
        };
        account.used += to - from;
        account.charged += to - from;
    }

    fn pseudo_vcpu_budget(&mut self, interrupt: InterruptId, left: Duration, _at: Instant) {
        let account = &mut self.pseudo_vcpus[interrupt.0];
        account.credited += left.saturating_sub(account.left);
        account.exhausted += u64::from(left.is_zero() && !account.left.is_zero());
        account.left = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vorrang_sim::{Pattern, simulate};

    /// Of 3 ms every 20 ms, 1 ms is charged and 2 ms run in the background; a sporadic server lets them wait.
    #[test]
    fn time_in_the_background_is_what_runs_without_charge() {
        let of = |kind: &str| {
            let text = format!(
                r#"version = 1
                [core.0]
                scheduler = "fixed-priority"
                [server.s]
                on = "core.0"
                server = "{kind}"
                budget = "1ms"
                period = "10ms"
                priority = 2
                [task.t]
                on = "server.s"
                wcet = "3ms"
                period = "20ms"
                deadline = "none"
                [task.low]
                on = "core.0"
                wcet = "1ms"
                period = "20ms"
                priority = 1"#
            );
            let system = vorrang_model::read(&text, vorrang_model::Format::Toml).expect("a system");
            let core = system.cores().next().expect("a core");
            let history = Pattern::parse("synchronous", &system).expect("a pattern");
            let history = history.history(&system, core).expect("a history");
            let mut budgets = Budgets::of_core(&system, core);
            let end = Instant::ZERO + Duration::from_ms(20);
            simulate(&system, core, &history, end, &mut budgets).expect("it is covered");
            let (id, account) = budgets.servers(&system)[0];
            (goes_on(&system, id), account.used, account.background())
        };
        let ms = Duration::from_ms;
        assert_eq!(of("posix-sporadic"), (true, ms(1), ms(2)));
        assert!(!of("sporadic").0);
    }
}
