//! The processor of each interrupt.

use super::members::Reserved;
use super::planner::Planner;
use super::step::Step;
use crate::intent::Intent;
use crate::interrupts;
use crate::machine::{cpu_list, cpu_mask, cpus_of};
use vorrang_model::System;
use vorrang_model::system::{Selector, SupplyId, VECTORS};
use vorrang_quote::visible;

impl Planner<'_> {
    /// Interrupts of the description go to their cores, all others away from them.
    pub(super) fn interrupts(&mut self, system: &System, reserved: &[Reserved]) {
        let mut placed: Vec<(u32, u32, String)> = Vec::new();
        let notes: Vec<String> =
            reserved.iter().filter_map(|one| self.may_leave_its_thread(one)).collect();
        self.plan.notes.extend(notes);
        self.plan.notes.extend(system.cores().filter_map(|core| order_of_routines(system, core)));
        for (irq, cpu, label) in placed_interrupts(system, reserved) {
            let numbers = interrupts::named(self.kernel, irq);
            let problem = match &numbers {
                Ok(numbers) if !numbers.is_empty() => None,
                Ok(_) => Some(format!(
                    "this machine has no interrupt {} (see /proc/interrupts)",
                    visible(irq)
                )),
                Err(why) => {
                    Some(format!("it is unknown which interrupt is {}: {why}", visible(irq)))
                }
            };
            self.problems.extend(problem.map(|problem| format!("{label}: {problem}")));
            let numbers = numbers.unwrap_or_default();
            placed.extend(numbers.into_iter().map(|number| (number, cpu, label.clone())));
        }
        let default = "/proc/irq/default_smp_affinity".to_owned();
        let why = "interrupts go to the other processors, where the kernel permits it";
        let elsewhere = self.elsewhere();
        let others = Intent::Write { path: default, text: cpu_mask(&elsewhere) };
        self.plan.steps.push(Step { intent: others, why: why.to_owned(), must: false });
        let handled = interrupts::handled(self.kernel).unwrap_or_else(|why| {
            let text =
                format!("the interrupts of this machine, and their processors, are unknown: {why}");
            self.plan.doubts.push(text);
            Vec::new()
        });
        for number in handled {
            let path = format!("/proc/irq/{number}/smp_affinity_list");
            if let Some((_, cpu, label)) = placed.iter().find(|(known, ..)| *known == number) {
                self.write(&format!("{label} goes to processor {cpu}"), path, cpu.to_string());
                continue;
            }
            let now = self.kernel.read(&path).ok().and_then(|list| cpus_of(&list));
            let is_reserved = |cpu: &u32| self.online.contains(cpu) && !self.rest.contains(cpu);
            if now.is_none_or(|now| now.iter().any(is_reserved)) {
                let intent = Intent::Write { path, text: cpu_list(&elsewhere) };
                self.plan.steps.push(Step { intent, why: why.to_owned(), must: false });
            }
        }
    }

    /// The note on the thread of an interrupt whose work other threads may do.
    fn may_leave_its_thread(&self, one: &Reserved) -> Option<String> {
        let Selector::Irq(name) = &one.selector else { return None };
        let path = format!("/sys/class/net/{name}/threaded");
        let polls = self.kernel.read(&path).ok()?;
        let name = visible(name);
        let does = match polls.trim() {
            "0" => "ksoftirqd may do, unreserved",
            _ => "the threads that poll it do",
        };
        Some(format!(
            "{}: what the packets of {name} are for, {does}. `thread = \"napi:{name}\"` reserves the thread that polls the card; \
             `vorrang status` shows who does it.",
            one.label
        ))
    }
}

/// Every interrupt with a processor, stated or by its thread: its name on the machine, its processor, and its
/// name in the description.
pub(crate) fn placed_interrupts<'a>(
    system: &'a System,
    reserved: &'a [Reserved],
) -> impl Iterator<Item = (&'a String, u32, &'a String)> {
    let stated = system.interrupts.iter().filter_map(|interrupt| {
        let irq = system.host.interrupts.get(&interrupt.name)?;
        if VECTORS.contains(&irq.as_str()) {
            // A processor's own goes to no other one.
            return None;
        }
        let cpu = system.host.cpus.get(&system.supply(interrupt.on).name)?;
        Some((irq, *cpu, &interrupt.name))
    });
    stated.chain(reserved.iter().filter_map(|one| match &one.selector {
        Selector::Irq(irq) => Some((irq, one.cpu, &one.label)),
        _ => None,
    }))
}

/// The note that the order of several interrupts on one core is not set.
fn order_of_routines(system: &System, core: SupplyId) -> Option<String> {
    let interrupts = system.interrupts_on(core).map(|id| system.interrupt(id));
    let names: Vec<&str> =
        interrupts.filter(|own| own.is_external()).map(|own| own.name.as_str()).collect();
    (names.len() > 1).then(|| {
        format!(
            "Service routines of {} that are requested at the same time ({}) run in the order of the hardware's \
             vectors, which nothing sets; bounds take them first come, first served.",
            system.supply(core).name,
            names.join(", ")
        )
    })
}
