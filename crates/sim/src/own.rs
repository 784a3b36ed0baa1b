//! What is on some cores, looked for once: histories of a few cores of many are tried by the hundred.

use crate::history::History;
use crate::packets;
use crate::places::tasks_on;
use vorrang_model::system::{
    DeviceId, InterruptId, ServerKind, Supply, SupplyId, System, TaskId, TimerId,
};
use vorrang_time::{Duration, Instant};

/// Everything on some cores.
#[derive(Debug)]
pub(crate) struct Own {
    /// At any depth.
    pub(crate) tasks: Vec<TaskId>,
    /// At any depth.
    pub(crate) servers: Vec<SupplyId>,
    /// That the cores take, one core after the other.
    pub(crate) interrupts: Vec<InterruptId>,
    /// Of their tasks.
    pub(crate) timers: Vec<TimerId>,
    /// That interrupt them.
    pub(crate) devices: Vec<DeviceId>,
    /// Arrivals, replenishments and turns per time that are the same in every history, with 64 binary places.
    rate: u128,
}

impl Own {
    pub(crate) fn of(system: &System, cores: &[SupplyId]) -> Self {
        let all = || cores.iter().copied();
        let on = |id: &SupplyId| cores.contains(&system.core_of(*id));
        let mut own = Self {
            tasks: tasks_on(system, cores),
            servers: system.supply_ids().filter(|id| !cores.contains(id) && on(id)).collect(),
            interrupts: all().flat_map(|core| system.requests_on(core)).collect(),
            timers: all().flat_map(|core| system.timers_on(core)).collect(),
            devices: all().flat_map(|core| system.devices_on(core)).collect(),
            rate: 0,
        };
        let within: Vec<SupplyId> = all().flat_map(|core| system.supplies_within(core)).collect();
        own.rate = own.rate_of_all_histories(system, &within);
        own
    }

    /// The first arrival of anything in a history.
    pub(crate) fn first_arrival(&self, system: &System, history: &History) -> Option<Instant> {
        let of_tasks = self.tasks.iter().map(|id| history.first_of(system, *id));
        let of_interrupts = self.interrupts.iter().map(|id| history.interrupts[id.0].first);
        let of_timers = self.timers.iter().map(|id| history.timers[id.0].first);
        let of_devices = self.devices.iter().map(|id| history.devices[id.0]);
        of_tasks.chain(of_interrupts).chain(of_timers).chain(of_devices).flatten().min()
    }

    /// The time in which about this many arrivals, replenishments and turns of a history occur.
    pub(crate) fn time_of(&self, system: &System, history: &History, jobs: u64) -> Duration {
        let distances = self.interrupts.iter().map(|&id| history.mean_distance(system, id));
        let rate = self.rate + distances.map(rate_of).sum::<u128>();
        let time = (u128::from(jobs) << 64) / rate.max(1);
        Duration::from_ns(u64::try_from(time).unwrap_or(u64::MAX))
    }

    /// All but interrupts, which may storm.
    fn rate_of_all_histories(&self, system: &System, within: &[SupplyId]) -> u128 {
        let supplies = || within.iter().map(|&id| system.supply(id));
        let of_tasks = self.tasks.iter().map(|&id| system.task(id).mean_distance());
        let of_servers = supplies().filter_map(Supply::server);
        let of_servers = of_servers.map(|server| match server.kind() {
            // Replenished whenever the budget is exhausted.
            ServerKind::CbsSoft => server.budget,
            ServerKind::Periodic
            | ServerKind::Polling
            | ServerKind::Deferrable
            | ServerKind::Sporadic
            | ServerKind::CbsHard
            | ServerKind::SchedDeadline
            | ServerKind::Slot
            | ServerKind::Table
            | ServerKind::PosixSporadic
            | ServerKind::RefillQueue
            | ServerKind::Share
            | ServerKind::Level => server.period,
        });
        let of_turns = supplies().map(|supply| supply.quantum).filter(|quantum| !quantum.is_zero());
        let of_timers = self.timers.iter().map(|&id| system.timer(id).period);
        let all = of_tasks.chain(of_servers).chain(of_timers).chain(of_turns);
        // The sum of at most 2^32 terms of 64 bits fits.
        let rate: u128 = all.map(rate_of).sum();
        let of_devices = self.devices.iter().map(|&id| system.device(id));
        rate + of_devices.map(packets::rate).sum::<u128>()
    }
}

/// How often something happens in a time, with 64 binary places.
fn rate_of(period: Duration) -> u128 {
    (1_u128 << 64) / u128::from(period.as_ns())
}
