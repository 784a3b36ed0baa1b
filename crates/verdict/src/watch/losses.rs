//! Lost time, by context and cause.
//!
//! **Model.** The loss of a virtual processor counts for its virtual machine, that of a task outside
//! virtual machines for the task. Time that no context had belongs to no context.

use std::collections::BTreeMap;
use vorrang_model::System;
use vorrang_model::system::{Member, SupplyId};
use vorrang_sim::{Cause, Context, Observer};
use vorrang_time::{Duration, Instant};

/// All causes.
pub const CAUSES: [Cause; 6] = [
    Cause::ColdCache,
    Cause::SchedulerCall,
    Cause::ContextSwitch,
    Cause::TimerExpiry,
    Cause::InterruptEntry,
    Cause::VmExit,
];

/// A context that lost time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loser {
    /// A virtual machine or a task; `None`: no context.
    pub name: Option<String>,
    /// By cause, in the order of [`CAUSES`]: total time and count.
    pub lost: [(Duration, u64); 6],
}

impl Loser {
    /// All that was lost.
    pub fn total(&self) -> Duration {
        self.lost.iter().fold(Duration::ZERO, |sum, (amount, _)| sum + *amount)
    }
}

/// The losses of one run of one core.
pub struct Losses {
    /// Virtual processors, then tasks, then no context.
    lost: Vec<[(Duration, u64); 6]>,
    supplies: usize,
}

impl Losses {
    /// Nothing seen yet.
    pub fn of_core(system: &System) -> Self {
        let supplies = system.supplies.len();
        Self { lost: vec![Default::default(); supplies + system.tasks.len() + 1], supplies }
    }

    /// All contexts with losses: virtual machines by name, then tasks, then no context.
    pub fn losers(&self, system: &System) -> Vec<Loser> {
        let mut machines: BTreeMap<&str, Loser> = BTreeMap::new();
        for (supply, lost) in system.supplies.iter().zip(&self.lost) {
            let name = supply.vm.as_deref().unwrap_or(&supply.name);
            let machine = machines.entry(name).or_insert_with(|| Loser::new(Some(name)));
            machine.add(lost);
        }
        let tasks = system.tasks.iter().map(|task| Some(task.name.as_str())).chain([None]);
        let others = tasks.zip(&self.lost[self.supplies..]).map(|(name, lost)| {
            let mut loser = Loser::new(name);
            loser.add(lost);
            loser
        });
        machines.into_values().chain(others).filter(|loser| !loser.total().is_zero()).collect()
    }

    /// The same by members of cores: a loss in a reservation of the host counts for the reservation.
    pub fn losers_on_cores(&self, system: &System) -> Vec<Loser> {
        let mut members: BTreeMap<Option<&str>, Loser> = BTreeMap::new();
        let supplies = (0..self.supplies).map(SupplyId);
        let supplies = supplies.map(|id| system.supply(id).on().map(|_| Member::Server(id)));
        let tasks = system.task_ids().map(|id| Some(Member::Task(id)));
        let contexts = supplies.chain(tasks).chain([None]).zip(&self.lost);
        for (context, lost) in contexts.filter(|(_, lost)| **lost != <[_; 6]>::default()) {
            let name = context.map(|context| machine_name(system, on_core(system, context)));
            members.entry(name).or_insert_with(|| Loser::new(name)).add(lost);
        }
        members.into_values().filter(|loser| !loser.total().is_zero()).collect()
    }
}

/// The member of a core through which another one runs.
fn on_core(system: &System, mut member: Member) -> Member {
    let mut on = system.on(member);
    while let Some(parent) = system.supply(on).on() {
        (member, on) = (Member::Server(on), parent);
    }
    member
}

/// What a member of a core is called, or the virtual machine that it belongs to.
pub fn machine_name(system: &System, member: Member) -> &str {
    let vm = match member {
        Member::Task(_) => None,
        Member::Server(id) => system.supply(id).vm.as_deref(),
    };
    vm.unwrap_or_else(|| system.member_name(member))
}

impl Loser {
    fn new(name: Option<&str>) -> Self {
        Self { name: name.map(str::to_owned), lost: Default::default() }
    }

    fn add(&mut self, lost: &[(Duration, u64); 6]) {
        for ((amount, count), (more, times)) in self.lost.iter_mut().zip(lost) {
            *amount += *more;
            *count += times;
        }
    }
}

impl Observer for Losses {
    #[inline]
    fn lost(&mut self, context: Option<Context>, cause: Cause, amount: Duration, _at: Instant) {
        let place = match context {
            Some(Context::Vcpu(id) | Context::Section(Member::Server(id))) => id.0,
            Some(Context::Task(id) | Context::Section(Member::Task(id))) => self.supplies + id.0,
            None => self.lost.len() - 1,
        };
        let (sum, count) = &mut self.lost[place][cause as usize];
        *sum += amount;
        *count += 1;
    }
}
