//! Systems with something left out, and everything that pointed at it.

use super::joins::mend_joins;
use vorrang_model::system::{
    Activation, DeviceId, InterruptId, Level, Member, Server, Share, SupplyId, SupplyKind, System,
    TaskId, TimerId,
};

/// The parts of a system that are kept, by id.
pub(super) struct Kept {
    supplies: Vec<bool>,
    tasks: Vec<bool>,
    interrupts: Vec<bool>,
    timers: Vec<bool>,
    devices: Vec<bool>,
}

impl Kept {
    pub(super) fn all(system: &System) -> Self {
        Self {
            supplies: vec![true; system.supplies.len()],
            tasks: vec![true; system.tasks.len()],
            interrupts: vec![true; system.interrupts.len()],
            timers: vec![true; system.timers.len()],
            devices: vec![true; system.devices.len()],
        }
    }

    pub(super) fn without_supply(mut self, gone: SupplyId) -> Self {
        self.supplies[gone.0] = false;
        self
    }

    pub(super) fn without_task(mut self, gone: TaskId) -> Self {
        self.tasks[gone.0] = false;
        self
    }

    pub(super) fn without_interrupt(mut self, gone: InterruptId) -> Self {
        self.interrupts[gone.0] = false;
        self
    }

    pub(super) fn without_timer(mut self, gone: TimerId) -> Self {
        self.timers[gone.0] = false;
        self
    }

    pub(super) fn without_device(mut self, gone: DeviceId) -> Self {
        self.devices[gone.0] = false;
        self
    }

    /// Parts that are on, or need, a removed part are removed, too.
    fn close(&mut self, system: &System) {
        for (id, supply) in system.supplies.iter().enumerate() {
            let parent = supply.on();
            self.supplies[id] &= parent.is_none_or(|parent| self.supplies[parent.0]);
        }
        for (id, task) in system.tasks.iter().enumerate() {
            self.tasks[id] &= self.supplies[task.on.0];
        }
        for (id, interrupt) in system.interrupts.iter().enumerate() {
            self.interrupts[id] &= self.supplies[interrupt.on.0];
        }
        for (id, timer) in system.timers.iter().enumerate() {
            self.timers[id] &= self.tasks[timer.armed_by.0];
        }
        for (id, interrupt) in system.interrupts.iter().enumerate() {
            self.interrupts[id] &= interrupt.timer.is_none_or(|timer| self.timers[timer.0]);
        }
        for (id, device) in system.devices.iter().enumerate() {
            let interrupt = system.interrupt(device.interrupt);
            let polled = interrupt.wakes.is_some_and(|task| self.tasks[task.0]);
            let delivered = interrupt.delivery.as_ref();
            let reached = delivered.is_none_or(|delivery| self.supplies[delivery.vcpu.0]);
            self.devices[id] &= self.interrupts[device.interrupt.0] && polled && reached;
        }
    }
}

/// New numbers of what is kept.
fn renumbered(kept: &[bool]) -> Vec<Option<usize>> {
    let mut next = 0;
    let number = |&kept: &bool| {
        next += usize::from(kept);
        kept.then(|| next - 1)
    };
    kept.iter().map(number).collect()
}

fn retain<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    list.retain(|_| *kept.next().expect("as many"));
}

/// The system with only what is kept.
pub(super) fn restrict(system: &System, kept: &Kept) -> System {
    let mut kept = Kept {
        supplies: kept.supplies.clone(),
        tasks: kept.tasks.clone(),
        interrupts: kept.interrupts.clone(),
        timers: kept.timers.clone(),
        devices: kept.devices.clone(),
    };
    kept.close(system);
    let mut smaller = system.clone();
    retain(&mut smaller.supplies, &kept.supplies);
    retain(&mut smaller.tasks, &kept.tasks);
    retain(&mut smaller.interrupts, &kept.interrupts);
    retain(&mut smaller.timers, &kept.timers);
    retain(&mut smaller.devices, &kept.devices);
    let new = New {
        supplies: renumbered(&kept.supplies),
        tasks: renumbered(&kept.tasks),
        interrupts: renumbered(&kept.interrupts),
        timers: renumbered(&kept.timers),
        devices: renumbered(&kept.devices),
    };
    new.rename(&mut smaller);
    mend_joins(&mut smaller);
    smaller
}

/// The new number of everything; `None` for what is gone.
struct New {
    supplies: Vec<Option<usize>>,
    tasks: Vec<Option<usize>>,
    interrupts: Vec<Option<usize>>,
    timers: Vec<Option<usize>>,
    devices: Vec<Option<usize>>,
}

impl New {
    fn supply(&self, id: SupplyId) -> Option<SupplyId> {
        self.supplies[id.0].map(SupplyId)
    }

    fn task(&self, id: TaskId) -> Option<TaskId> {
        self.tasks[id.0].map(TaskId)
    }

    fn rename(&self, system: &mut System) {
        const KEPT: &str = "what is kept stands on what is kept";
        for supply in &mut system.supplies {
            match &mut supply.kind {
                SupplyKind::Server(Server { on, .. })
                | SupplyKind::Share(Share { on, .. })
                | SupplyKind::Level(Level { on, .. }) => *on = self.supply(*on).expect(KEPT),
                SupplyKind::Core => {}
            }
            supply.members.retain_mut(|member| match member {
                Member::Task(id) => self.task(*id).map(|new| *id = new).is_some(),
                Member::Server(id) => self.supply(*id).map(|new| *id = new).is_some(),
            });
        }
        for task in &mut system.tasks {
            task.on = self.supply(task.on).expect(KEPT);
            task.activation = self.activation(task.activation);
            task.wakes.retain_mut(|id| self.task(*id).map(|new| *id = new).is_some());
        }
        for chain in &mut system.chains {
            chain.path = chain.path.iter().filter_map(|&id| self.task(id)).collect();
        }
        system.chains.retain(|chain| !chain.path.is_empty());
        for interrupt in &mut system.interrupts {
            interrupt.on = self.supply(interrupt.on).expect(KEPT);
            interrupt.wakes = interrupt.wakes.and_then(|id| self.task(id));
            interrupt.timer = interrupt.timer.and_then(|id| self.timers[id.0].map(TimerId));
            if let Some(delivery) = &mut interrupt.delivery {
                if let Some(vcpu) = self.supply(delivery.vcpu) {
                    delivery.vcpu = vcpu;
                } else {
                    (interrupt.delivery, interrupt.wakes) = (None, None);
                }
            }
        }
        for timer in &mut system.timers {
            timer.armed_by = self.task(timer.armed_by).expect(KEPT);
        }
        for device in &mut system.devices {
            device.interrupt = InterruptId(self.interrupts[device.interrupt.0].expect(KEPT));
            device.receiver = device.receiver.and_then(|id| self.task(id));
            if device.receiver.is_none() {
                device.socket = 0;
            }
        }
    }

    /// A task that nothing activates any more arrives by itself.
    fn activation(&self, activation: Activation) -> Activation {
        let new = match activation {
            Activation::Sporadic => None,
            Activation::Interrupt(id) => {
                self.interrupts[id.0].map(|new| Activation::Interrupt(InterruptId(new)))
            }
            Activation::Timer(id) => self.timers[id.0].map(|new| Activation::Timer(TimerId(new))),
            Activation::Device(id) => {
                self.devices[id.0].map(|new| Activation::Device(DeviceId(new)))
            }
            Activation::Task(id) => self.task(id).map(Activation::Task),
            Activation::Join => Some(Activation::Join),
        };
        new.unwrap_or(Activation::Sporadic)
    }
}
