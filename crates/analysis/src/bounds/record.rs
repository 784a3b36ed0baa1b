//! Writing down what was found, with what it takes for granted.

use super::{Node, Walk, budget_timer, server_of};
use crate::coverage::kernel_takes;
use crate::effort::NoBound;
use crate::finding::{Assumption, Finding, Form, Local, Method, Reason};
use crate::utilisation::{Overbooked, occupied, overbooked};
use vorrang_model::system::{
    Costs, Interrupt, InterruptId, InterruptTime, Member, RequirementKind, Scheduler, ServerKind,
    Supply, SupplyId, System, TaskId, TimerId,
};
use vorrang_time::Duration;

impl Walk<'_> {
    /// Whether the bound of a task is what is put into words; it may be the last of what handles
    /// an interrupt.
    pub(super) fn is_target(&self, task: TaskId) -> bool {
        match self.target {
            Some(RequirementKind::Deadline(id)) => id == task,
            Some(RequirementKind::HandledWithin(id)) => {
                self.system.interrupt(id).wakes == Some(task)
            }
            None => false,
        }
    }

    pub(super) fn held_back(&self, id: InterruptId) -> Reason {
        Reason::HeldBack { interrupt: self.system.interrupt(id).name.clone() }
    }

    /// What the description allows an interrupt in a storm is left out of its own bound and of that
    /// of the task it wakes, and of no other.
    pub(super) fn assume_no_own_storms(&mut self) {
        for (id, interrupt) in self.system.interrupts.iter().enumerate() {
            let finding = match interrupt.wakes {
                Some(task) => &mut self.tasks[task.0],
                None => &mut self.interrupts[id],
            };
            if let Some(finding) = finding.as_mut().filter(|finding| finding.bound.is_some()) {
                finding.assumptions.extend(no_own_storm(self.system, interrupt));
            }
        }
    }

    /// An interrupt that wakes a task is handled when the task's job is complete.
    pub(super) fn woken_tasks_handle(&mut self) {
        for (id, interrupt) in self.system.interrupts.iter().enumerate() {
            if let Some(task) = interrupt.wakes {
                self.interrupts[id] = self.tasks[task.0].clone();
            }
        }
    }

    pub(super) fn no_bound(&self, supply: SupplyId, why: NoBound) -> Reason {
        let overbooked = if why == NoBound::Overload { self.overbooked(supply) } else { None };
        Reason::NoBound { supply: self.system.supply(supply).name.clone(), why, overbooked }
    }

    /// Who takes more of a supply than there is.
    fn overbooked(&self, supply: SupplyId) -> Option<Box<Overbooked>> {
        let occupied = self.occupied.get_or_init(|| occupied(self.system));
        overbooked(self.system, supply, &occupied[supply.0]).map(Box::new)
    }

    /// A server may need longer than its period for its budget, or has none at all: under an
    /// overload, or why ever.
    pub(super) fn no_guarantee(
        &mut self,
        id: SupplyId,
        form: Form,
        needs: Result<Duration, NoBound>,
    ) {
        let server = server_of(self.system, id);
        let overload = needs == Err(NoBound::Overload);
        let reason = Reason::NoGuarantee {
            server: self.system.supply(id).name.clone(),
            period: server.period,
            needs: needs.ok(),
            overbooked: if overload { self.overbooked(server.on) } else { None },
        };
        self.give_up_below(id, form, &reason);
    }

    pub(super) fn record_bound(
        &mut self,
        node: Node<'_>,
        task: TaskId,
        local: Local,
        found: Result<Duration, NoBound>,
    ) {
        let method = Method { local, form: node.form };
        let finding = match found {
            Ok(bound) => self.proven(node.id, method, bound),
            Err(why) => Finding::none(method, self.no_bound(node.id, why)),
        };
        self.record_task(task, finding);
    }

    pub(super) fn record_task(&mut self, task: TaskId, finding: Finding) {
        if self.is_target(task)
            && let Some(reason) = &finding.reason
        {
            self.lines.push(format!("{}: no bound: {reason}", self.system.task(task).name));
        }
        self.tasks[task.0] = Some(finding);
    }

    pub(super) fn record_interrupt(
        &mut self,
        id: InterruptId,
        on: SupplyId,
        method: Method,
        found: Result<Duration, Reason>,
    ) {
        let finding = match found {
            Ok(bound) => self.proven(on, method, bound),
            Err(reason) => {
                if self.target == Some(RequirementKind::HandledWithin(id)) {
                    self.lines
                        .push(format!("{}: no bound: {reason}", self.system.interrupt(id).name));
                }
                Finding::none(method, reason)
            }
        };
        self.interrupts[id.0] = Some(finding);
    }

    pub(super) fn proven(&self, supply: SupplyId, method: Method, bound: Duration) -> Finding {
        let assumptions = assumptions(self.system, supply, method);
        Finding { bound: Some(bound), method, assumptions, reason: None }
    }
}

/// What the bounds of an interrupt and of the task it wakes take for granted, if it may storm.
pub(super) fn no_own_storm(system: &System, interrupt: &Interrupt) -> Option<Assumption> {
    let apart = interrupt.min_interarrival;
    interrupt.storm.filter(|&storm| storm < apart).map(|storm| Assumption::NoOwnStorm {
        interrupt: interrupt.name.clone(),
        task: interrupt.wakes.map(|task| system.task(task).name.clone()),
        apart,
        storm,
    })
}

/// What a bound on the supply `id` takes for granted of the machine.
pub(super) fn about_costs(system: &System, id: SupplyId) -> Assumption {
    let costs_nothing =
        system.costs == Costs::default() && kernel_takes(system, system.core_of(id)).is_none();
    if costs_nothing { Assumption::NoCosts } else { Assumption::StatedCosts }
}

/// The timers of guests on a core that no routine of a guest takes, where the machine costs anything.
fn guest_timers(system: &System, core: SupplyId) -> Option<Assumption> {
    let is_taken = |id: &TimerId| {
        let task = system.task(system.timer(*id).armed_by);
        system.guest_around(task.on).is_none() || system.delivered_by(*id).is_some()
    };
    let timers = system.timers_on(core).filter(|id| !is_taken(id));
    let timers: Vec<String> = timers.map(|id| system.timer(id).name.clone()).collect();
    let costs = about_costs(system, core) == Assumption::StatedCosts;
    (costs && !timers.is_empty()).then_some(Assumption::GuestTimers { timers })
}

/// When runtimes on a supply end.
fn runtimes(supply: &Supply) -> Assumption {
    let Supply { name, overrun: by, kernel, .. } = supply;
    if by.is_zero() {
        return Assumption::Runtimes;
    }
    let kernel = kernel.as_ref().map(|kernel| kernel.name.clone());
    Assumption::LateRuntimes { core: name.clone(), by: *by, kernel }
}

/// For how long the kernel of a core goes on with something less urgent.
fn sections(supply: &Supply) -> Option<Assumption> {
    let Supply { name, sections: longest, kernel, .. } = supply;
    let kernel = kernel.as_ref().map(|kernel| kernel.name.clone());
    let stated = Assumption::Sections { core: name.clone(), longest: *longest, kernel };
    (!longest.is_zero()).then_some(stated)
}

/// What the kernel of a core does and no bound counts.
fn of_kernel(supply: &Supply) -> Option<Assumption> {
    let core = supply.name.clone();
    match &supply.kernel {
        _ if supply.scheduler != Scheduler::Linux => None,
        None => {
            Some(Assumption::UnknownKernel { core, counts_sections: !supply.sections.is_zero() })
        }
        Some(kernel) if kernel.not_counted.is_empty() => None,
        Some(kernel) => Some(Assumption::KernelBesides {
            core,
            kernel: kernel.name.clone(),
            what: kernel.not_counted.clone(),
        }),
    }
}

/// What is known of the kernel of a core from measurements only.
fn longest_seen(supply: &Supply) -> Option<Assumption> {
    let kernel = supply.kernel.as_ref().filter(|kernel| !kernel.longest_seen.is_empty())?;
    Some(Assumption::LongestSeen {
        core: supply.name.clone(),
        kernel: kernel.name.clone(),
        what: kernel.longest_seen.clone(),
    })
}

/// What a bound on the supply `id` takes for granted.
fn assumptions(system: &System, mut id: SupplyId, method: Method) -> Vec<Assumption> {
    let costs = about_costs(system, id);
    let mut found = vec![Assumption::Workload, costs.clone()];
    if method.local != Local::ServiceRoutine {
        found.push(Assumption::Blocking);
    }
    found.extend(sections(system.supply(system.core_of(id))));
    found.extend(of_kernel(system.supply(system.core_of(id))));
    found.extend(longest_seen(system.supply(system.core_of(id))));
    if budget_timer::uncounted(system, system.core_of(id)) {
        found.push(Assumption::BudgetTimers);
    }
    found.extend(guest_timers(system, system.core_of(id)));
    if system.interrupts_on(system.core_of(id)).next().is_some() {
        let on = system.supply(system.core_of(id));
        found.push(match on.interrupt_time {
            InterruptTime::Apart => Assumption::ServiceRoutines,
            InterruptTime::Charged => Assumption::ChargedRoutines,
        });
    }
    let interruptions_count =
        costs == Assumption::StatedCosts || found.contains(&Assumption::ChargedRoutines);
    if method.local != Local::ServiceRoutine {
        loop {
            let supply = system.supply(id);
            match supply.scheduler {
                Scheduler::Slots => found.push(Assumption::Slots),
                Scheduler::Edf => found.push(Assumption::EdfDeadlines),
                _ => {}
            }
            for &member in &supply.members {
                let Member::Server(id) = member else { continue };
                if interruptions_count && system.supply(id).serves_other {
                    found.push(Assumption::OtherInOnePiece);
                }
                match server_of(system, id).kind {
                    ServerKind::Sporadic => found.push(Assumption::SporadicActivations),
                    ServerKind::RefillQueue => found.push(Assumption::LeastRefill),
                    ServerKind::SchedDeadline => found.push(runtimes(supply)),
                    _ => {}
                }
            }
            match &supply.server {
                Some(server) => id = server.on,
                None => break,
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
