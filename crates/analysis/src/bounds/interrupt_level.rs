//! What runs at interrupt level of a core, or of a guest, and what follows it.
//!
//! ```text
//!   at the core ── routine of the core ── after it ── routine of the guest ── after that
//! ```

use super::fixed_priority::Who;
use super::kernel::{Kernel, Occasion};
use super::label::Labels;
use super::machine::{Before, Machine, Urgency};
use super::pseudo_vcpu::urgency_of;
use super::{Node, Walk, release};
use crate::coverage::kernel_takes;
use crate::device::Card;
use crate::effort::NoBound;
use crate::finding::{Form, Local, Method, Reason};
use crate::interrupt::{Level, Requests, Routine};
use crate::load::Load;
use crate::supply::Dedicated;
use vorrang_model::system::{
    Activation, InterruptId, InterruptOrder, Member, Priority, RequirementKind, SupplyId, System,
    TaskId,
};
use vorrang_time::Duration;

/// The routines that come before all members of a supply.
#[derive(Clone, Copy)]
pub(super) struct Routines<'a> {
    pub(super) ids: &'a [InterruptId],
    pub(super) requests: &'a [Requests<'a>],
    /// What they take at their worst.
    pub(super) loads: &'a [Load<'a>],
}

impl<'a> Routines<'a> {
    pub(super) const NONE: Self = Self { ids: &[], requests: &[], loads: &[] };

    /// `loads`, which begin with these, where one interrupt behaves: that whose own requirement is
    /// looked at.
    pub(super) fn calmed<'b>(&self, loads: &[Load<'b>], own: InterruptId) -> Vec<Load<'b>>
    where
        'a: 'b,
    {
        let mut loads = loads.to_vec();
        if let Some(place) = self.ids.iter().position(|&id| id == own) {
            loads[place] = self.requests[place].calm;
        }
        loads
    }
}

/// What is known of an interrupt on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages<'s> {
    pub(super) at_core: Option<Requests<'s>>,
    pub(super) after_core: Option<Result<Requests<'s>, Reason>>,
    after_guest: Option<Result<Requests<'s>, Reason>>,
    /// The longest time from an arrival to the end of its routine in the guest, without what a pseudo-VCPU
    /// gives; where something of the guest may storm or wait for ever, none is claimed.
    pub(super) in_guest: Option<Duration>,
}

impl<'s> Walk<'s> {
    /// The requests of a core's routines.
    pub(super) fn requests_at_core(&mut self, ids: &[InterruptId]) -> Vec<Requests<'s>> {
        let of = |&id: &InterruptId| {
            let requests = Requests::at_core(self.system, id);
            self.stages[id.0].at_core = Some(requests);
            requests
        };
        ids.iter().map(of).collect()
    }

    /// What a core does before its members besides these routines.
    pub(super) fn machine_of_core<'a>(
        &self,
        core: SupplyId,
        routines: Routines<'_>,
        labels: &'a Labels,
    ) -> Result<Machine<'a>, NoBound>
    where
        's: 'a,
    {
        let system = self.system;
        let order = system.supply(core).interrupt_order;
        let all = self.routines(routines, |system, id| system.interrupt(id).priority);
        let mut machine = Machine::new(system, core, labels);
        let section = machine.section();
        let level = Level { supply: &Dedicated, order, routines: &all, timers: &[], section };
        let paid = self.pseudo_vcpus_on(core).map_err(|_| NoBound::TooLong)?;
        let more_urgent = |urgency, machine: &Machine<'a>| -> Before<'a> {
            let members = system.supply(core).members.iter();
            let members = members.filter(|&&member| Urgency::of_member(system, member) > urgency);
            let load = |&member: &Member| match member {
                Member::Task(id) if self.woken(id).is_none() => {
                    Some(release::jobs(system, id, machine, &self.delays))
                }
                _ => self.load_of(member).ok(),
            };
            let members = members.filter_map(load);
            let paid = paid.iter().filter(|own| match own.who {
                Who::PseudoVcpu(id) => urgency_of(system, id) > urgency,
                Who::Member(_) => false,
            });
            let loads = members.chain(paid.map(|own| own.takes.storm)).collect();
            let often = |occasion| self.often(occasion, machine, false);
            let kernel = Kernel::new(system, core, labels, often);
            let kernel = kernel.expect("beside a shield all is counted, as `not_covered` said");
            let kernel = kernel.map(|kernel| kernel.above(urgency));
            Before { loads, blocking: Duration::ZERO }.and(kernel)
        };
        let call = system.costs.scheduler_call;
        machine.handle(level, call, more_urgent, &self.effort.another())?;
        Ok(machine)
    }

    /// How often something makes a member of the core ready, in windows that begin when no routine
    /// is requested; in any window, if the routines are `known`.
    pub(super) fn often(&self, occasion: Occasion, machine: &Machine<'_>, known: bool) -> Load<'s> {
        let interrupt = match occasion {
            Occasion::Delivery(id) => id,
            Occasion::Release(task) => match self.system.task(task).activation {
                Activation::Interrupt(id) if Card::raising(self.system, id).is_none() => id,
                Activation::Interrupt(_) | Activation::Device(_) => {
                    return self.jobs_of_packets(task, machine, known);
                }
                _ => return release::jobs(self.system, task, machine, &self.delays),
            },
        };
        if let Some(timer) = self.system.interrupt(interrupt).timer {
            return release::expiries(self.system, timer, machine);
        }
        let Stages { at_core, after_core, .. } = &self.stages[interrupt.0];
        let ended = after_core.as_ref().and_then(|ends| ends.as_ref().ok());
        let requests = ended.filter(|_| known).or(at_core.as_ref());
        requests.expect("the core comes first").storm
    }

    /// Adds the kernel of a core, whose routines are known.
    pub(super) fn add_kernel<'a>(
        &self,
        core: SupplyId,
        machine: &mut Machine<'a>,
        labels: &'a Labels,
    ) -> Result<(), Reason>
    where
        's: 'a,
    {
        let often = |occasion| self.often(occasion, machine, true);
        if kernel_takes(self.system, core).is_none() {
            return Ok(());
        }
        for id in self.system.interrupts_on(core) {
            if let Some(Err(reason)) = &self.stages[id.0].after_core {
                return Err(reason.clone());
            }
        }
        for id in self.system.devices_on(core) {
            self.delays[id.0].clone()?;
        }
        if let Some(kernel) = Kernel::new(self.system, core, labels, often)? {
            machine.add(kernel);
        }
        Ok(())
    }

    /// Interrupts of one core delay each other.
    pub(super) fn routines_of_core(
        &mut self,
        core: SupplyId,
        routines: Routines<'_>,
        machine: &Machine<'_>,
    ) {
        let order = self.system.supply(core).interrupt_order;
        let all = self.routines(routines, |system, id| system.interrupt(id).priority);
        let timers = machine.timers();
        let section = machine.section();
        let level = Level { supply: &Dedicated, order, routines: &all, timers: &timers, section };
        for (index, &id) in routines.ids.iter().enumerate() {
            let ends = self.end_of(core, &level, index, id, Local::ServiceRoutine, Form::Core);
            self.stages[id.0].after_core = Some(ends);
        }
    }

    /// What is requested in a guest, by the interrupts that are delivered to it.
    pub(super) fn requests_in_guest(
        &self,
        vcpu: SupplyId,
    ) -> Result<(Vec<InterruptId>, Vec<Requests<'s>>), Reason> {
        let ids = delivered_to(self.system, vcpu);
        let requests: Result<Vec<_>, _> = ids.iter().map(|&id| self.in_guest(id)).collect();
        Ok((ids, requests?))
    }

    fn in_guest(&self, id: InterruptId) -> Result<Requests<'s>, Reason> {
        let system = self.system;
        let interrupt = system.interrupt(id);
        let isr = interrupt.delivery.as_ref().map_or(Duration::ZERO, |delivery| delivery.isr);
        let requests = self.stages[id.0].after_core.clone().expect("the core comes first")?;
        Ok(requests.of(&interrupt.name, isr + system.costs.vm_exit))
    }

    /// The routines of a guest are served first come, first served, in its time.
    pub(super) fn routines_of_guest(&mut self, node: Node<'_>) {
        let routines = node.routines;
        let all = self.routines(routines, |_, _| Priority::default());
        let order = InterruptOrder::FirstCome;
        let section = Duration::ZERO;
        let level = Level { supply: node.supply, order, routines: &all, timers: &[], section };
        let behave = routines.requests.iter().all(|requests| !requests.waits_for_ever)
            && all.iter().all(|routine| !routine.merges);
        for (index, &id) in routines.ids.iter().enumerate().filter(|_| behave && all.len() > 1) {
            self.effort.restart(all.len());
            let worst = level.response(index, Duration::ZERO, &self.effort);
            self.stages[id.0].in_guest = worst.ok().map(|worst| worst.bound);
        }
        for (index, &id) in routines.ids.iter().enumerate() {
            let ends = self.end_of(node.id, &level, index, id, Local::GuestRoutine, node.form);
            self.stages[id.0].after_guest = Some(ends);
        }
    }

    fn routines<'a, P: Fn(&System, InterruptId) -> Priority>(
        &self,
        routines: Routines<'a>,
        priority: P,
    ) -> Vec<Routine<'a>> {
        let of = |(&id, requests): (&InterruptId, &Requests<'a>)| Routine {
            calm: requests.calm,
            storm: requests.storm,
            merges: self.system.interrupt(id).storm.is_some(),
            priority: priority(self.system, id),
        };
        routines.ids.iter().zip(routines.requests).map(of).collect()
    }

    /// What follows a routine; where nothing does, its end is the requirement of its interrupt.
    fn end_of(
        &mut self,
        on: SupplyId,
        level: &Level<'_>,
        index: usize,
        id: InterruptId,
        local: Local,
        form: Form,
    ) -> Result<Requests<'s>, Reason> {
        let system = self.system;
        let interrupt = system.interrupt(id);
        let is_core = system.supply(on).server.is_none();
        let before = if is_core {
            self.stages[id.0].at_core.expect("the first stage")
        } else {
            self.in_guest(id)?
        };
        self.effort.restart(level.routines.len());
        let delay = level.delay(index, &self.effort).map_err(|why| self.no_bound(on, why));
        self.effort.restart(level.routines.len());
        let worst = level.response(index, Duration::ZERO, &self.effort);
        let worst = worst.map_err(|why| self.no_bound(on, why));
        let is_last = interrupt.wakes.is_none() && (!is_core || interrupt.delivery.is_none());
        if is_last {
            if !is_core && self.is_routine_paid_for(id, level, index, &worst, form) {
                return Ok(before);
            }
            let found = match &worst {
                _ if before.waits_for_ever => Err(self.held_back(id)),
                Ok(worst) => Ok(worst.bound),
                Err(why) => Err(why.clone()),
            };
            if self.target == Some(RequirementKind::HandledWithin(id))
                && let (Ok(worst), Ok(_)) = (&worst, &found)
            {
                let work = level.explain(index, worst, &mut self.lines);
                level.supply.explain(work, &mut self.lines);
            }
            self.record_interrupt(id, on, Method { local, form }, found);
        }
        let (worst, delay) = (worst?, delay?);
        let response = if before.waits_for_ever { before.calm.jitter + delay } else { worst.bound };
        Ok(before.after(response, delay))
    }

    /// When the jobs of a member of a supply that something wakes are released; `None`: nothing
    /// wakes it.
    pub(super) fn woken(
        &self,
        task: TaskId,
    ) -> Option<Result<(InterruptId, Requests<'s>), Reason>> {
        let system = self.system;
        let own = system.task(task);
        let Activation::Interrupt(id) = own.activation else { return None };
        let Stages { at_core, after_core, after_guest, .. } = &self.stages[id.0];
        let interrupt = system.interrupt(id);
        let last = interrupt.delivery.as_ref().map_or(interrupt.on, |delivery| delivery.vcpu);
        let requests = match (&interrupt.delivery, own.on == last) {
            (None, true) => Ok(at_core.expect("the core comes first")),
            (None, false) | (Some(_), true) => after_core.clone().expect("the core comes first"),
            (Some(_), false) => after_guest.clone().expect("the guest's routines come first"),
        };
        Some(requests.map(|requests| {
            let jobs = requests.of(&own.name, own.wcet);
            (id, self.polled(task, jobs))
        }))
    }
}

/// The interrupts that are delivered to a virtual processor.
pub(super) fn delivered_to(system: &System, vcpu: SupplyId) -> Vec<InterruptId> {
    let here = |id: &InterruptId| {
        system.interrupt(*id).delivery.as_ref().is_some_and(|delivery| delivery.vcpu == vcpu)
    };
    (0..system.interrupts.len()).map(InterruptId).filter(here).collect()
}
