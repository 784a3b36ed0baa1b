//! What each bound takes for granted, by what is around it.

use crate::coverage::kernel_takes;
use crate::finding::{Local, Method};
use crate::ground::{Assumption, OfKernel};
use crate::overhead::{budget_timer, is_shielded};
use std::collections::BTreeMap;
use vorrang_model::percentage;
use vorrang_model::system::{
    Costs, Interrupt, InterruptTime, Member, Scheduler, ServerRule, Supply, SupplyId, System,
    TimerId,
};

/// What the bounds of an interrupt and of the task it wakes take for granted, if it may storm.
pub(crate) fn no_own_storm(system: &System, interrupt: &Interrupt) -> Option<Assumption> {
    let apart = interrupt.min_interarrival;
    interrupt.storm.filter(|&storm| storm < apart).map(|storm| Assumption::NoOwnStorm {
        interrupt: interrupt.name.clone(),
        task: interrupt.wakes.map(|task| system.task(task).name.clone()),
        apart,
        storm,
    })
}

/// What a bound on the supply `id` takes for granted of the machine.
pub(crate) fn about_costs(system: &System, id: SupplyId) -> Assumption {
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

/// What the processor of a core delivers to guests.
fn posted(system: &System, core: SupplyId) -> Option<Assumption> {
    let all = system.interrupts_of(core).map(|id| system.interrupt(id));
    let posted: Vec<String> = all.filter(|own| own.posted).map(|own| own.name.clone()).collect();
    (!posted.is_empty()).then_some(Assumption::Posted(posted))
}

/// How timers are handled that the shield of a core held back.
fn shielded(system: &System, core: SupplyId) -> Option<Assumption> {
    let name = || system.supply(core).name.clone();
    is_shielded(system, core).then(|| Assumption::ShieldedTimers { core: name() })
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

/// Which machine the times of the kernel of a core are from.
fn from_machine(supply: &Supply) -> Option<Assumption> {
    let kernel = supply.kernel.as_ref()?;
    let (core, machine) = (supply.name.clone(), kernel.origin.clone());
    Some(Assumption::OfKernel(OfKernel::FromMachine { core, kernel: kernel.name.clone(), machine }))
}

/// What was learnt, by margin. Cores wake each other's tasks, so that each bound may rest on any of it.
pub(crate) fn learnt(system: &System) -> Vec<Assumption> {
    let mut by_margin: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (name, margin) in &system.host.learnt {
        by_margin.entry(*margin).or_default().push(name.clone());
    }
    let assumed = |(margin, what)| Assumption::Learnt { what, margin: percentage(margin) };
    by_margin.into_iter().map(assumed).collect()
}

/// What a bound on the supply `id` takes for granted.
pub(crate) fn assumptions(system: &System, id: SupplyId, method: Method) -> Vec<Assumption> {
    of_bound(system, id, method.local != Local::ServiceRoutine)
}

/// What the guarantee of the budget of a server takes for granted of its parent.
pub(crate) fn of_reservation(system: &System, server: SupplyId) -> Vec<Assumption> {
    system.supply(server).on().map_or_else(Vec::new, |on| of_bound(system, on, true))
}

fn of_bound(system: &System, mut id: SupplyId, is_of_member: bool) -> Vec<Assumption> {
    let costs = about_costs(system, id);
    let mut found = vec![Assumption::Workload, costs.clone()];
    found.extend(learnt(system));
    if is_of_member {
        found.push(Assumption::Blocking);
    }
    found.extend(sections(system.supply(system.core_of(id))));
    found.extend(of_kernel(system.supply(system.core_of(id))));
    found.extend(longest_seen(system.supply(system.core_of(id))));
    found.extend(from_machine(system.supply(system.core_of(id))));
    if budget_timer::uncounted(system, system.core_of(id)) {
        found.push(Assumption::BudgetTimers);
    }
    found.extend(guest_timers(system, system.core_of(id)));
    found.extend(posted(system, system.core_of(id)));
    found.extend(shielded(system, system.core_of(id)));
    if system.interrupts_on(system.core_of(id)).next().is_some() {
        let on = system.supply(system.core_of(id));
        found.push(match on.interrupt_time {
            InterruptTime::Apart => Assumption::ServiceRoutines,
            InterruptTime::Charged => Assumption::ChargedRoutines,
        });
    }
    let interruptions_count =
        costs == Assumption::StatedCosts || found.contains(&Assumption::ChargedRoutines);
    if is_of_member {
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
                let Some(server) = system.supply(id).server() else { continue };
                found.extend(of_rule(server.rule, supply));
            }
            match supply.on() {
                Some(on) => id = on,
                None => break,
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What the rule of a server takes for granted.
fn of_rule(rule: ServerRule, on: &Supply) -> Option<Assumption> {
    match rule {
        ServerRule::Sporadic => Some(Assumption::SporadicActivations),
        ServerRule::RefillQueue { min_budget: None, .. } => Some(Assumption::LeastRefill),
        ServerRule::SchedDeadline { .. } => Some(runtimes(on)),
        ServerRule::Periodic
        | ServerRule::Polling
        | ServerRule::Deferrable
        | ServerRule::CbsHard
        | ServerRule::CbsSoft
        | ServerRule::Slot { .. }
        | ServerRule::Table
        | ServerRule::PosixSporadic
        | ServerRule::RefillQueue { min_budget: Some(_), .. } => None,
    }
}
