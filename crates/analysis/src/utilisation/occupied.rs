//! How much of each supply is reserved, how much its members use, and what is left.
//!
//! **Model.** Shares of a core, all in the long run and at the highest rate that is stated. What a
//! supply has is divided without overlap:
//!
//! ```text
//!   capacity = reserved (servers and pseudo-VCPUs on it) + tasks (directly on it)
//!            + interrupts (their routines on it) + costs (around these and its timers) + left
//!   tasks    = those directly on it, and what servers without a budget on it reserve or use
//! ```
//!
//! What polls for ever uses all that would be left otherwise.
//!
//! `used` goes across: what tasks and guests' routines on it and below it use.
//!
//! **Assumptions.**
//! 1. Interrupts behave; `storm` is what their routines take if all storm at once, at most the core.
//! 2. What a pseudo-VCPU pays for is no load of the virtual processor.
//! 3. Costs are the entry and the exit of each interrupt and timer, its callback, and the VM exit
//!    at the end of a guest's routine. A budget that returns once in a period has two timers in it.
//!
//! **Does not cover** scheduler calls, switches and cold caches, whose bounds are lost time
//! (`bounds/losses.rs`); what packets wake, which nothing bounds; and members that take turns, which
//! reserve nothing. It decides no verdict.
//!
//! Theory: docs/theory/utilisation.md.

use crate::ground::Bandwidth;
use crate::overhead::budgets_by_timers;
use vorrang_model::system::{
    Activation, Costs, Delivery, Interrupt, PseudoVcpu, Server, SupplyId, SupplyKind, System, Task,
    Timer,
};
use vorrang_time::Duration;

/// The shares of one supply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupied {
    /// The core or server.
    pub supply: SupplyId,
    /// What it has; `None` of a share and of a level.
    pub capacity: Option<Bandwidth>,
    /// What the servers and pseudo-VCPUs on it reserve.
    pub reserved: Bandwidth,
    /// What the tasks directly on it use, and all that is in levels on it.
    pub tasks: Bandwidth,
    /// What the routines on it use.
    pub interrupts: Bandwidth,
    /// The same while all interrupts storm.
    pub storm: Bandwidth,
    /// What the machine takes around these and for timers.
    pub costs: Bandwidth,
    /// What tasks and guests' routines use, on it and below it.
    pub used: Bandwidth,
    /// Whether packets wake a task of it: how much that uses is not known.
    pub woken_by_packets: bool,
    /// Whether something on it, or in a server without a budget on it, polls for ever.
    pub(crate) polls: bool,
}

impl Occupied {
    /// What is neither reserved nor used; `None` if that is not known.
    pub fn left(&self) -> Option<Bandwidth> {
        self.capacity.filter(|_| !self.woken_by_packets).map(|own| own.minus(self.taken()))
    }

    /// What is reserved or used.
    pub(crate) fn taken(&self) -> Bandwidth {
        self.reserved.plus(self.tasks).plus(self.interrupts).plus(self.costs)
    }
}

/// The shares of every supply, by [`SupplyId`].
pub fn occupied(system: &System) -> Vec<Occupied> {
    let ids = (0..system.supplies.len()).map(SupplyId);
    let mut all: Vec<Occupied> = ids.map(|id| empty(system, id)).collect();
    for id in (0..system.supplies.len()).map(SupplyId) {
        if let Some(Server { on, budget, period, .. }) = system.supply(id).server() {
            all[on.0].reserved = all[on.0].reserved.plus(Bandwidth::of(*budget, *period));
        }
    }
    let mut of_devices = vec![false; system.interrupts.len()];
    for device in &system.devices {
        of_devices[device.interrupt.0] = true;
    }
    for task in &system.tasks {
        if by_packets(task, &of_devices) {
            all[task.on.0].woken_by_packets = true;
        } else if task.polls {
            all[task.on.0].polls = true;
        } else {
            add_task(system, task, &mut all);
        }
    }
    for interrupt in &system.interrupts {
        add_interrupt(system, interrupt, &mut all);
    }
    let Costs { timer_expiry, interrupt_entry, interrupt_exit, .. } = system.costs;
    let takes = timer_expiry + interrupt_entry + interrupt_exit;
    for Timer { armed_by, period, .. } in &system.timers {
        let core = &mut all[system.core_of(system.task(*armed_by).on).0];
        core.costs = core.costs.plus(Bandwidth::of(takes, *period));
    }
    for core in system.cores() {
        for Server { period, .. } in budgets_by_timers(system, core) {
            all[core.0].costs = all[core.0].costs.plus(Bandwidth::of(takes * 2, *period));
        }
    }
    // What is in a supply is declared after it.
    for id in (0..system.supplies.len()).map(SupplyId).rev() {
        if let Some(level) = system.supply(id).level() {
            let inside = all[id.0].taken();
            all[level.on.0].tasks = all[level.on.0].tasks.plus(inside);
            all[level.on.0].woken_by_packets |= all[id.0].woken_by_packets;
        }
        if all[id.0].polls {
            take_the_rest(system, id, &mut all);
        }
    }
    all
}

/// What polls uses what nothing else does: of the supply around it where that has a budget, or is the core.
fn take_the_rest(system: &System, id: SupplyId, all: &mut [Occupied]) {
    if let (None, Some(on)) = (all[id.0].capacity, system.supply(id).on()) {
        all[on.0].polls = true;
        return;
    }
    let rest = all[id.0].left().unwrap_or(Bandwidth::ZERO);
    if rest.exceeds(Bandwidth::ZERO) {
        all[id.0].tasks = all[id.0].tasks.plus(rest);
        use_on(system, id, rest, all);
    }
}

fn empty(system: &System, supply: SupplyId) -> Occupied {
    Occupied {
        supply,
        capacity: capacity(system, supply),
        reserved: Bandwidth::ZERO,
        tasks: Bandwidth::ZERO,
        interrupts: Bandwidth::ZERO,
        storm: Bandwidth::ZERO,
        costs: Bandwidth::ZERO,
        used: Bandwidth::ZERO,
        woken_by_packets: false,
        polls: false,
    }
}

/// The share of a core that a supply has.
pub(crate) fn capacity(system: &System, supply: SupplyId) -> Option<Bandwidth> {
    match &system.supply(supply).kind {
        SupplyKind::Core => Some(Bandwidth::ONE),
        SupplyKind::Server(server) => Some(Bandwidth::of(server.budget, server.period)),
        SupplyKind::Share(_) | SupplyKind::Level(_) => None,
    }
}

fn add_task(system: &System, task: &Task, all: &mut [Occupied]) {
    let share = of_task(task);
    if !is_paid(system, task) {
        all[task.on.0].tasks = all[task.on.0].tasks.plus(share);
    }
    use_on(system, task.on, share, all);
}

/// What a task uses.
pub(crate) fn of_task(task: &Task) -> Bandwidth {
    let (count, time) = task.cycle();
    Bandwidth::of(task.wcet * count, time)
}

fn by_packets(task: &Task, of_devices: &[bool]) -> bool {
    match task.activation {
        Activation::Device(_) => true,
        Activation::Interrupt(id) => of_devices[id.0],
        Activation::Sporadic | Activation::Timer(_) | Activation::Task(_) | Activation::Join => {
            false
        }
    }
}

/// Whether a pseudo-VCPU pays for a task.
pub(crate) fn is_paid(system: &System, task: &Task) -> bool {
    let Activation::Interrupt(id) = task.activation else { return false };
    let delivery = &system.interrupt(id).delivery;
    delivery.as_ref().is_some_and(|delivery| delivery.pseudo_vcpu.is_some())
}

fn add_interrupt(system: &System, interrupt: &Interrupt, all: &mut [Occupied]) {
    let Costs { interrupt_entry, interrupt_exit, vm_exit, .. } = system.costs;
    let Interrupt { on, isr, storm, delivery, .. } = interrupt;
    let (count, time) = interrupt.cycle();
    let share = |work: Duration| Bandwidth::of(work * count, time);
    let in_storm = |work: Duration| storm.map_or(share(work), |apart| Bandwidth::of(work, apart));
    if interrupt.has_routine() {
        let core = &mut all[on.0];
        core.interrupts = core.interrupts.plus(share(*isr));
        core.storm = core.storm.plus(in_storm(*isr));
        core.storm = core.storm.at_most(Bandwidth::ONE);
        core.costs = core.costs.plus(share(interrupt_entry + interrupt_exit));
    }
    let Some(Delivery { vcpu, isr, pseudo_vcpu }) = delivery else { return };
    if let Some(PseudoVcpu { budget, period, .. }) = pseudo_vcpu {
        if let Some(parent) = system.supply(*vcpu).on() {
            all[parent.0].reserved = all[parent.0].reserved.plus(Bandwidth::of(*budget, *period));
        }
    } else {
        let guest = &mut all[vcpu.0];
        guest.interrupts = guest.interrupts.plus(share(*isr));
        guest.storm = guest.storm.plus(in_storm(*isr));
        guest.storm = guest.storm.at_most(Bandwidth::ONE);
        guest.costs = guest.costs.plus(share(interrupt.end_of_interrupt(vm_exit)));
    }
    use_on(system, *vcpu, share(*isr), all);
}

/// Work on a supply is used there and all the way up.
fn use_on(system: &System, mut supply: SupplyId, share: Bandwidth, all: &mut [Occupied]) {
    loop {
        all[supply.0].used = all[supply.0].used.plus(share);
        let Some(on) = system.supply(supply).on() else { return };
        supply = on;
    }
}
