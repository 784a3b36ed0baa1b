//! The system of a description without errors.

use super::activation::{Activations, distances};
use super::blocking::Blocking;
use super::cache::cache;
use super::chain::latest;
use super::checked::{CHECKED, or, small, stated, value};
use super::kept::{Kept, rt_throttling, throttled_pseudo_vcpus};
use super::link::Links;
use super::server_rule::{server_rule, windows};
use super::tree::{Local, Tree, rule};
use super::urgency::Urgency;
use super::wakes::uncovered_wakes;
use crate::description::{self, Declared, Description};
use crate::keys::Noun;
use crate::system::{
    CacheId, Chain, Communication, Delivery, Device, Interrupt, InterruptId, InterruptOrder,
    InterruptTime, Level, Member, Packets, Preemption, Priority, PseudoVcpu, PseudoVcpuRule,
    Requirement, Scheduler, Server, ServerKind, Share, Supply, SupplyId, SupplyKind, System, Task,
    TaskId, Timer, TimerId, TimerQueue, Unsupported,
};
use crate::word::{Arrival, Rule};
use vorrang_time::Duration;

/// Everything that the checks found out.
pub(super) struct Resolved<'a> {
    pub(super) description: &'a Description,
    pub(super) tree: &'a Tree,
    pub(super) links: &'a Links,
    pub(super) urgency: &'a Urgency,
    pub(super) blocking: &'a Blocking,
    pub(super) activations: &'a Activations,
}

impl Resolved<'_> {
    pub(super) fn system(&self, requirements: Vec<Requirement>, chains: Vec<Chain>) -> System {
        let description = self.description;
        let profile = description.profile.iter().map(|file| Unsupported {
            what: format!("the machine profile {}", file.value),
            core: None,
        });
        let unsupported = profile.chain(self.unread_kernels());
        let mut system = System {
            supplies: self.tree.order.iter().map(|index| self.supply(*index)).collect(),
            tasks: (0..description.tasks.len()).map(|index| self.task(index)).collect(),
            interrupts: (0..description.interrupts.len()).map(|i| self.interrupt(i)).collect(),
            timers: (0..description.timers.len()).map(|index| self.timer(index)).collect(),
            devices: (0..description.devices.len()).map(|index| self.device(index)).collect(),
            caches: description.caches.iter().map(cache).collect(),
            costs: description.costs,
            host: super::host::host(description),
            requirements,
            chains,
            unsupported: unsupported.collect(),
        };
        self.deliver_timers(&mut system);
        system.add_kicks();
        self.add_kept(&mut system);
        let throttled: Vec<Unsupported> = throttled_pseudo_vcpus(&system).collect();
        system.unsupported.extend(throttled);
        let woken: Vec<Unsupported> = uncovered_wakes(&system).collect();
        system.unsupported.extend(woken);
        system
    }

    /// Timers that guests take, behind all interrupts that are declared.
    fn deliver_timers(&self, system: &mut System) {
        for (index, declared) in self.description.timers.iter().enumerate() {
            if let Some(isr) = stated(&declared.body.isr) {
                let payer = declared.body.pseudo_vcpu.as_ref().map(pseudo_vcpu);
                system.deliver_timer(TimerId(index), isr, payer);
            }
        }
    }

    /// Profiles of kernels that were not looked for.
    fn unread_kernels(&self) -> impl Iterator<Item = Unsupported> {
        let cores = self.description.supplies.iter().enumerate();
        let unread = cores.filter(|(_, core)| core.body.profile.is_none());
        unread.filter_map(|(index, core)| {
            let file = &core.body.kernel.get()?.value;
            let what = format!("the kernel profile {file}");
            Some(Unsupported { what, core: Some(self.tree.id(index)) })
        })
    }

    /// What supplies under Linux keep for other threads, behind everything that is declared.
    fn add_kept(&self, system: &mut System) {
        for &index in &self.tree.order {
            let id = self.tree.id(index);
            if system.supply(id).scheduler != Scheduler::Linux {
                continue;
            }
            let body = &self.description.supplies[index].body;
            let kept = Kept::of(body);
            if let Some(fair) = kept.fair_server {
                system.add_fair_server(id, fair);
            }
            if let Some(ext) = kept.ext_server {
                system.add_ext_server(id, ext);
            }
        }
    }

    fn supply(&self, index: usize) -> Supply {
        let declared = &self.description.supplies[index];
        let members = self.tree.members[index].iter().map(|member| match *member {
            Local::Task(index) => Member::Task(TaskId(index)),
            Local::Server(index) => Member::Server(self.tree.id(index)),
        });
        let scheduler = scheduler(rule(self.description, index).expect(CHECKED));
        let limits = declared.body.deadline_limits.get().map(|at| at.value);
        Supply {
            name: declared.name.clone(),
            kind: self.supply_kind(index),
            scheduler,
            members: members.collect(),
            vm: (declared.noun == Noun::Vcpu).then(|| machine(declared)),
            cache: self.links.supply_caches[index].map(CacheId),
            quantum: or(&declared.body.quantum, Duration::ZERO),
            time_slice: declared.body.time_slice.get().map(|at| at.value),
            interrupt_order: or(&declared.body.interrupts, InterruptOrder::default()),
            interrupt_time: interrupt_time(declared, scheduler),
            timer_queue: or(&declared.body.timers, TimerQueue::default()),
            max_defer: declared.body.max_defer.get().map(|at| at.value),
            overrun: or(&declared.body.overrun, Duration::ZERO),
            sections: or(&declared.body.sections, Duration::ZERO),
            deadline_limits: limits.unwrap_or_default(),
            kernel: declared.body.profile.clone(),
            rt_throttling: rt_throttling(&declared.body, scheduler),
            windows: declared.body.server.as_ref().map_or_else(Vec::new, windows),
            serves_other: false,
        }
    }

    fn supply_kind(&self, index: usize) -> SupplyKind {
        let Some(server) = &self.description.supplies[index].body.server else {
            return SupplyKind::Core;
        };
        let on = self.tree.id(self.tree.parent[index].expect(CHECKED));
        let (priority, blocking) = (self.urgency.supplies[index], self.blocking.supplies[index]);
        let kind = value(&server.kind);
        match kind.rule() {
            Some(plain) => SupplyKind::Server(Server {
                on,
                rule: server_rule(plain, server),
                budget: value(&server.budget),
                period: value(&server.period),
                priority,
                blocking,
            }),
            None if kind == ServerKind::Level => {
                SupplyKind::Level(Level { on, priority, blocking })
            }
            None => SupplyKind::Share(Share { on, weight: small(or(&server.share, 1)) }),
        }
    }

    fn task(&self, index: usize) -> Task {
        let declared = &self.description.tasks[index];
        let task = &declared.body;
        let period = self.activations.period[index].expect(CHECKED);
        let (is_endless, endless) = (task.polls(), Task::ENDLESS);
        Task {
            name: declared.name.clone(),
            on: self.tree.id(self.tree.task_parent[index].expect(CHECKED)),
            wcet: if is_endless { endless } else { task.longest().expect(CHECKED) },
            min_interarrival: period,
            distances: self.activations.distances[index].clone(),
            latest_interarrival: latest(task, period),
            offset: stated(&task.offset),
            communication: or(&task.communication, Communication::default()),
            preemption: or(&task.preemption, Preemption::default()),
            polls: is_endless,
            deadline: or(&task.deadline, (!is_endless).then_some(period)),
            jitter: or(&task.jitter, Duration::ZERO),
            blocking: if is_endless { Duration::ZERO } else { self.blocking.tasks[index] },
            priority: self.urgency.tasks[index],
            bcet: if is_endless { endless } else { task.shortest() },
            execution: task.execution.get().map(|at| at.value.clone()).unwrap_or_default(),
            share: small(or(&task.share, 1)),
            cache: self.links.task_caches[index].map(CacheId),
            wakes: self.links.wakes(index),
            activation: self.activations.of[index],
        }
    }

    fn interrupt(&self, index: usize) -> Interrupt {
        let declared = &self.description.interrupts[index];
        let link = &self.links.interrupts[index];
        let body = &declared.body;
        let delivery = body.delivery.as_ref().map(|delivery| Delivery {
            vcpu: self.supply_id(link.vcpu),
            isr: value(&delivery.isr),
            pseudo_vcpu: delivery.pseudo_vcpu.as_ref().map(pseudo_vcpu),
        });
        Interrupt {
            name: declared.name.clone(),
            on: self.supply_id(link.core),
            isr: or(&body.isr, Duration::ZERO),
            posted: or(&body.posted, false),
            min_interarrival: value(&body.min_interarrival),
            distances: distances(&body.min_distances),
            jitter: or(&body.jitter, Duration::ZERO),
            priority: or(&body.priority, Priority::default()),
            wakes: link.wakes.map(TaskId),
            delivery,
            storm: stated(&body.storm),
            ..Interrupt::default()
        }
    }

    fn supply_id(&self, supply: Option<usize>) -> SupplyId {
        self.tree.id(supply.expect(CHECKED))
    }

    fn timer(&self, index: usize) -> Timer {
        let declared = &self.description.timers[index];
        Timer {
            name: declared.name.clone(),
            armed_by: TaskId(self.links.timers[index].expect(CHECKED)),
            period: value(&declared.body.period),
            wakes: or(&declared.body.wakes, false),
        }
    }

    fn device(&self, index: usize) -> Device {
        const BUDGET: u64 = 64;
        let declared = &self.description.devices[index];
        let link = &self.links.devices[index];
        let body = &declared.body;
        let packets = body.packets.as_ref().expect(CHECKED);
        Device {
            name: declared.name.clone(),
            interrupt: InterruptId(link.interrupt.expect(CHECKED)),
            ring: small(value(&body.ring)),
            coalesce_packets: small(or(&body.coalesce_packets, 1)),
            coalesce_time: or(&body.coalesce_time, Duration::ZERO),
            budget: small(or(&body.budget, BUDGET)),
            per_packet: value(&body.per_packet),
            socket: small(or(&body.socket, 0)),
            receiver: link.receiver.map(TaskId),
            payload: small(value(&packets.payload)),
            packets: arrivals(packets),
        }
    }
}

/// The virtual machine of a virtual processor: one of its own if none is stated.
fn machine(declared: &description::Declared<description::Supply>) -> String {
    let stated = declared.body.server.as_ref().and_then(|server| server.vm.get());
    stated.map_or_else(|| declared.name.clone(), |at| at.value.clone())
}

/// Only a core has interrupts.
fn interrupt_time(declared: &Declared<description::Supply>, scheduler: Scheduler) -> InterruptTime {
    match declared.body.server {
        None => or(&declared.body.interrupt_time, InterruptTime::on(scheduler)),
        Some(_) => InterruptTime::default(),
    }
}

fn scheduler(rule: Rule) -> Scheduler {
    match rule {
        Rule::FixedPriority | Rule::RateMonotonic | Rule::DeadlineMonotonic => {
            Scheduler::FixedPriority
        }
        Rule::Edf => Scheduler::Edf,
        Rule::Slots => Scheduler::Slots,
        Rule::Vtrr => Scheduler::Vtrr,
        Rule::Stride => Scheduler::Stride,
        Rule::RoundRobin => Scheduler::RoundRobin,
        Rule::WeightedRoundRobin => Scheduler::WeightedRoundRobin,
        Rule::Linux => Scheduler::Linux,
    }
}

fn pseudo_vcpu(payer: &description::PseudoVcpu) -> PseudoVcpu {
    PseudoVcpu {
        budget: value(&payer.budget),
        period: value(&payer.period),
        priority: stated(&payer.priority),
        rule: or(&payer.rule, PseudoVcpuRule::default()),
    }
}

fn arrivals(packets: &description::Packets) -> Packets {
    match value(&packets.arrive) {
        Arrival::Periodic => Packets::Periodic { interval: value(&packets.interval) },
        Arrival::Burst => Packets::Burst {
            packets: small(value(&packets.burst)),
            interval: value(&packets.interval),
        },
        Arrival::Poisson => Packets::Poisson { mean: value(&packets.interval) },
        Arrival::LineRate => Packets::LineRate {
            bits_per_second: value(&packets.bits_per_second),
            framing: small(value(&packets.framing)),
        },
    }
}
