//! A history under construction.

use crate::choice::{Arrivals, Delay};
use crate::history::History;
use crate::own::Own;
use crate::simulator::Simulator;
use std::sync::Arc;
use vorrang_model::system::{
    Activation, DeviceId, InterruptId, Member, Supply, SupplyId, System, TaskId, TimerId,
};
use vorrang_time::{Duration, Instant};

/// A history of the cores of a simulation under construction: at first, nothing ever arrives.
#[derive(Clone, Debug)]
pub(crate) struct Arrangement<'s> {
    pub(crate) system: &'s System,
    pub(crate) core: SupplyId,
    /// That core and those that paths connect to it.
    pub(crate) cores: Vec<SupplyId>,
    own: Arc<Own>,
    pub(crate) history: History,
}

impl<'s> Arrangement<'s> {
    pub(crate) fn new(simulator: &Simulator<'s>) -> Self {
        let system = simulator.system();
        let (core, cores) = (simulator.core(), simulator.cores().to_vec());
        let own = Arc::clone(simulator.own());
        Self { system, core, cores, own, history: History::quiet(system) }
    }

    /// The first instant at which every jitter of the cores can have been used in full, by jobs
    /// that arrive after all servers are started.
    pub(crate) fn earliest(&self) -> Instant {
        let of_tasks = self.tasks().into_iter().map(|id| self.system.task(id).jitter);
        let of_interrupts =
            self.interrupts().into_iter().map(|id| self.system.interrupt(id).jitter);
        let jitter = of_tasks.chain(of_interrupts).max().unwrap_or_default();
        if jitter.is_zero() {
            return Instant::ZERO;
        }
        let started =
            self.servers().into_iter().map(|id| self.periods_down_to(id)).max().unwrap_or_default();
        Instant::ZERO + started + jitter
    }

    /// The periods of a server and of all its parents: by then it is started.
    fn periods_down_to(&self, supply: SupplyId) -> Duration {
        let on = self.system.supply(supply).on();
        on.map_or(Duration::ZERO, |on| self.period_of(supply) + self.periods_down_to(on))
    }

    /// The period in which a server may begin. A share has none, and begins at once: of a nanosecond there is only
    /// one phase, so that a number is drawn for each server of a seed, whatever it is.
    pub(crate) fn period_of(&self, supply: SupplyId) -> Duration {
        let server = self.system.supply(supply).server();
        server.map_or(Duration::RESOLUTION, |server| server.period)
    }

    /// The tasks on the cores, at any depth.
    pub(crate) fn tasks(&self) -> Vec<TaskId> {
        self.own.tasks.clone()
    }

    /// The servers on the cores, at any depth.
    pub(crate) fn servers(&self) -> Vec<SupplyId> {
        self.own.servers.clone()
    }

    /// The interrupts that the cores take.
    pub(crate) fn interrupts(&self) -> Vec<InterruptId> {
        self.own.interrupts.clone()
    }

    /// The timers of the cores' tasks.
    pub(crate) fn timers(&self) -> Vec<TimerId> {
        self.own.timers.clone()
    }

    /// The devices that interrupt the cores.
    pub(crate) fn devices(&self) -> Vec<DeviceId> {
        self.own.devices.clone()
    }

    /// The task's first release is at `at`, as late as its jitter allows, and as often as
    /// allowed from then on. If it is activated, the activating event arrives at `at`.
    pub(crate) fn release(&mut self, task: TaskId, at: Instant) {
        match self.system.task(task).activation {
            Activation::Sporadic => {
                self.history.tasks[task.0] = burst(at, self.system.task(task).jitter);
            }
            Activation::Interrupt(interrupt) => self.request(interrupt, at),
            Activation::Timer(timer) => self.history.timers[timer.0] = Arrivals::from(at),
            Activation::Device(device) => self.history.devices[device.0] = Some(at),
            Activation::Task(_) | Activation::Join => self.release(self.system.root_of(task), at),
        }
    }

    /// The first arrival of a task, or of what activates it.
    fn first_of(&mut self, task: TaskId) -> &mut Option<Instant> {
        match self.system.task(task).activation {
            Activation::Sporadic => &mut self.history.tasks[task.0].first,
            Activation::Interrupt(interrupt) => {
                if let Some(timer) = self.system.interrupt(interrupt).timer {
                    return &mut self.history.timers[timer.0].first;
                }
                let origin = self.system.origin_of(interrupt);
                &mut self.history.interrupts[origin.0].first
            }
            Activation::Timer(timer) => &mut self.history.timers[timer.0].first,
            Activation::Device(device) => &mut self.history.devices[device.0],
            Activation::Task(_) | Activation::Join => self.first_of(self.system.root_of(task)),
        }
    }

    /// The same for an interrupt.
    pub(crate) fn request(&mut self, interrupt: InterruptId, at: Instant) {
        if let Some(timer) = self.system.interrupt(interrupt).timer {
            self.history.timers[timer.0] = Arrivals::from(at);
            return;
        }
        let origin = self.system.origin_of(interrupt);
        let jitter = self.system.interrupt(origin).jitter;
        self.history.interrupts[origin.0] = burst(at, jitter);
    }

    /// All interrupts of the cores, their timers and their devices; pseudo-VCPUs begin their periods.
    pub(crate) fn request_all(&mut self, at: Instant) {
        for interrupt in self.interrupts() {
            self.request(interrupt, at);
            if let Some(period) = pseudo_vcpu_period(self.system, interrupt) {
                self.history.pseudo_vcpu_phases[interrupt.0] = (at - Instant::ZERO).modulo(period);
            }
        }
        for timer in self.timers() {
            self.history.timers[timer.0] = Arrivals::from(at);
        }
        for device in self.devices() {
            self.history.devices[device.0] = Some(at);
        }
    }

    /// Replenishments of the server happen at `at` and whole periods from it.
    pub(crate) fn align(&mut self, server: SupplyId, at: Instant) {
        if has_phase(self.system.supply(server)) {
            let period = self.period_of(server);
            self.history.phases[server.0] = (at - Instant::ZERO).modulo(period);
        }
    }

    /// A member and everything inside it at `at`.
    pub(crate) fn release_member(&mut self, member: Member, at: Instant) {
        match member {
            Member::Task(task) => self.release(task, at),
            Member::Server(server) => {
                self.align(server, at);
                self.release_guest(server, at);
            }
        }
    }

    /// Moves all events of a member this much earlier, where there is room for it.
    pub(crate) fn advance(&mut self, member: Member, by: Duration) {
        match member {
            Member::Task(id) => {
                let first = self.first_of(id);
                if let Some(at) = first.filter(|&at| at - Instant::ZERO >= by) {
                    *first = Some(at - by);
                }
            }
            Member::Server(id) => {
                if has_phase(self.system.supply(id)) {
                    let (phase, period) = (self.history.phases[id.0], self.period_of(id));
                    self.history.phases[id.0] = (phase + period - by).modulo(period);
                }
                for &member in &self.system.supply(id).members {
                    self.advance(member, by);
                }
            }
        }
    }

    /// Everything inside a supply at `at`.
    pub(crate) fn release_guest(&mut self, supply: SupplyId, at: Instant) {
        for &member in &self.system.supply(supply).members {
            self.release_member(member, at);
        }
    }

    /// Everything on the cores at `at`.
    pub(crate) fn release_all(&mut self, at: Instant) {
        self.request_all(at);
        for core in self.cores.clone() {
            self.release_guest(core, at);
        }
    }
}

/// The period of an interrupt's pseudo-VCPU, if it has one.
pub(crate) fn pseudo_vcpu_period(system: &System, interrupt: InterruptId) -> Option<Duration> {
    let delivery = system.interrupt(interrupt).delivery.as_ref()?;
    Some(delivery.pseudo_vcpu.as_ref()?.period)
}

/// The densest arrivals whose first release is at `at`.
fn burst(at: Instant, jitter: Duration) -> Arrivals {
    if jitter.is_zero() || at - Instant::ZERO < jitter {
        return Arrivals::from(at);
    }
    Arrivals { delay: Delay::FirstLate, ..Arrivals::from(at - jitter) }
}

/// Whether it has periods that may begin at any time.
fn has_phase(supply: &Supply) -> bool {
    supply.server().is_some_and(|server| !server.kind().has_place())
}
