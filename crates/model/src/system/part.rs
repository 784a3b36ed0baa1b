//! Parts of a system that nothing connects.
//!
//! **Model.** Cores that paths connect, with all that is on them, are a system by themselves: what happens there does not
//! depend on the others. Things keep their order and their names, and get other numbers.
//!
//! **Does not cover** what stands for things on the machine, and chains over several parts: a part has neither.

use super::{
    Activation, Chain, Device, DeviceId, Host, Interrupt, InterruptId, Member, Requirement,
    RequirementKind, Supply, SupplyId, SupplyKind, System, Task, TaskId, Timer, TimerId,
    Unsupported,
};
use std::collections::BTreeSet;

/// Some cores of a system, with all that paths connect to them.
#[derive(Clone, Debug)]
pub struct Part {
    /// They alone.
    pub system: System,
    /// The places of its requirements in the whole system.
    pub requirements: Vec<usize>,
}

/// The number of each thing in a part, if it is there.
struct Places {
    supplies: Vec<Option<usize>>,
    tasks: Vec<Option<usize>>,
    interrupts: Vec<Option<usize>>,
    timers: Vec<Option<usize>>,
    devices: Vec<Option<usize>>,
}

impl System {
    /// The parts that nothing connects, in the order of their first cores.
    pub fn parts(&self) -> Vec<Part> {
        let mut seen = BTreeSet::new();
        let mut parts = Vec::new();
        for core in self.cores() {
            if !seen.contains(&core) {
                let connected = self.connected(core);
                parts.push(self.part(&connected));
                seen.extend(connected);
            }
        }
        parts
    }

    fn part(&self, cores: &[SupplyId]) -> Part {
        let on = Places::of(self, cores);
        let places = self.requirements.iter().enumerate();
        let (requirements, required) =
            places.filter_map(|(at, of)| Some((at, on.requirement(of)?))).unzip();
        let unsupported = self.unsupported.iter().filter_map(|feature| {
            let core = match feature.core {
                Some(core) => Some(on.supply(core)?),
                None => None,
            };
            Some(Unsupported { core, ..feature.clone() })
        });
        let system = Self {
            supplies: kept(&self.supplies, &on.supplies, |own| on.of_supply(own)),
            tasks: kept(&self.tasks, &on.tasks, |own| on.of_task(own)),
            interrupts: kept(&self.interrupts, &on.interrupts, |own| on.of_interrupt(own)),
            timers: kept(&self.timers, &on.timers, |own| on.of_timer(own)),
            devices: kept(&self.devices, &on.devices, |own| on.of_device(own)),
            caches: self.caches.clone(),
            costs: self.costs,
            host: Host::default(),
            requirements: required,
            chains: self.chains.iter().filter_map(|chain| on.of_chain(chain)).collect(),
            unsupported: unsupported.collect(),
        };
        Part { system, requirements }
    }
}

impl Places {
    fn of(system: &System, cores: &[SupplyId]) -> Self {
        let is_on = |on: SupplyId| cores.contains(&system.core_of(on));
        let of_interrupt = |id: InterruptId| is_on(system.interrupt(id).on);
        let of_timer = |timer: &Timer| is_on(system.task(timer.armed_by).on);
        Self {
            supplies: numbered(system.supply_ids().map(is_on)),
            tasks: numbered(system.tasks.iter().map(|task| is_on(task.on))),
            interrupts: numbered(system.interrupt_ids().map(of_interrupt)),
            timers: numbered(system.timers.iter().map(of_timer)),
            devices: numbered(system.devices.iter().map(|own| of_interrupt(own.interrupt))),
        }
    }

    fn supply(&self, id: SupplyId) -> Option<SupplyId> {
        self.supplies[id.0].map(SupplyId)
    }

    fn task(&self, id: TaskId) -> Option<TaskId> {
        self.tasks[id.0].map(TaskId)
    }

    fn interrupt(&self, id: InterruptId) -> Option<InterruptId> {
        self.interrupts[id.0].map(InterruptId)
    }

    fn timer(&self, id: TimerId) -> Option<TimerId> {
        self.timers[id.0].map(TimerId)
    }

    fn of_supply(&self, own: &Supply) -> Option<Supply> {
        let mut own = own.clone();
        match &mut own.kind {
            SupplyKind::Core => {}
            SupplyKind::Server(server) => server.on = self.supply(server.on)?,
            SupplyKind::Share(share) => share.on = self.supply(share.on)?,
            SupplyKind::Level(level) => level.on = self.supply(level.on)?,
        }
        for member in &mut own.members {
            *member = match *member {
                Member::Task(id) => Member::Task(self.task(id)?),
                Member::Server(id) => Member::Server(self.supply(id)?),
            };
        }
        Some(own)
    }

    fn of_task(&self, own: &Task) -> Option<Task> {
        let activation = match own.activation {
            Activation::Sporadic => Activation::Sporadic,
            Activation::Interrupt(id) => Activation::Interrupt(self.interrupt(id)?),
            Activation::Timer(id) => Activation::Timer(self.timer(id)?),
            Activation::Device(id) => Activation::Device(DeviceId(self.devices[id.0]?)),
            Activation::Task(id) => Activation::Task(self.task(id)?),
            Activation::Join => Activation::Join,
        };
        let wakes = own.wakes.iter().map(|&id| self.task(id)).collect::<Option<_>>()?;
        Some(Task { on: self.supply(own.on)?, activation, wakes, ..own.clone() })
    }

    fn of_interrupt(&self, own: &Interrupt) -> Option<Interrupt> {
        let mut own = own.clone();
        own.on = self.supply(own.on)?;
        if let Some(id) = &mut own.wakes {
            *id = self.task(*id)?;
        }
        if let Some(id) = &mut own.timer {
            *id = self.timer(*id)?;
        }
        if let Some(id) = &mut own.raised_by {
            *id = self.interrupt(*id)?;
        }
        if let Some(delivery) = &mut own.delivery {
            delivery.vcpu = self.supply(delivery.vcpu)?;
        }
        Some(own)
    }

    fn of_timer(&self, own: &Timer) -> Option<Timer> {
        Some(Timer { armed_by: self.task(own.armed_by)?, ..own.clone() })
    }

    fn of_device(&self, own: &Device) -> Option<Device> {
        let mut own = own.clone();
        own.interrupt = self.interrupt(own.interrupt)?;
        if let Some(id) = &mut own.receiver {
            *id = self.task(*id)?;
        }
        Some(own)
    }

    fn of_chain(&self, own: &Chain) -> Option<Chain> {
        let path = own.path.iter().map(|&id| self.task(id)).collect::<Option<_>>()?;
        Some(Chain { path, ..own.clone() })
    }

    fn requirement(&self, own: &Requirement) -> Option<Requirement> {
        let kind = match own.kind {
            RequirementKind::Deadline(id) => RequirementKind::Deadline(self.task(id)?),
            RequirementKind::HandledWithin(id) => {
                RequirementKind::HandledWithin(self.interrupt(id)?)
            }
        };
        Some(Requirement { kind, ..own.clone() })
    }
}

/// The numbers of those that are kept.
fn numbered(are_kept: impl Iterator<Item = bool>) -> Vec<Option<usize>> {
    let mut next = 0;
    let number = |is_kept: bool| {
        let number = is_kept.then_some(next);
        next += usize::from(is_kept);
        number
    };
    are_kept.map(number).collect()
}

/// Those that are kept, with other numbers in them.
///
/// # Panics
/// Something in a part is connected with another one, which a description cannot say.
fn kept<T>(all: &[T], places: &[Option<usize>], renumbered: impl Fn(&T) -> Option<T>) -> Vec<T> {
    let kept = all.iter().zip(places).filter(|(_, place)| place.is_some());
    kept.map(|(own, _)| renumbered(own).expect("parts are not connected")).collect()
}
