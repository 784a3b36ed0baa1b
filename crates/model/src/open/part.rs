//! A description without some of its cores and servers.

use crate::description::{At, Declared, Description, Field, Interrupt, Reference, Task, Timer};
use crate::paid::{of_interrupt, of_timer};
use std::collections::BTreeSet;

/// Drops every core, server and task that is not kept, what is on it, and what has to do with that.
pub(super) fn keep(description: &mut Description, is_kept: &dyn Fn(&str) -> bool) {
    let woken_by = wakers(description);
    let Description { supplies, tasks, interrupts, timers, devices, requirements, chains, .. } =
        description;
    supplies.retain(|supply| is_kept(&supply.name));
    let mut left: BTreeSet<String> = supplies.iter().map(|supply| supply.name.clone()).collect();
    let is_left = |left: &BTreeSet<String>, reference: &Field<Reference>| {
        reference.get().is_some_and(|at| left.contains(&at.value.text))
    };
    tasks.retain(|task| is_left(&left, &task.body.on) && is_kept(&task.name));
    interrupts.retain(|interrupt| is_left(&left, &interrupt.body.on));
    // Without what would pay for it, an interrupt is not delivered.
    let is_paid =
        |of: &Declared<Interrupt>| of.body.pays().is_none() || is_kept(&of_interrupt(&of.name));
    let paid = interrupts.iter().filter(|of| is_paid(of)).map(|of| of.name.clone());
    let paid: BTreeSet<String> = paid.collect();
    without_wakers(tasks, &paid, &woken_by);
    left.extend(tasks.iter().map(|task| task.name.clone()));
    for interrupt in interrupts.iter_mut() {
        let body = &mut interrupt.body;
        let delivery = body.delivery.take().filter(|delivery| is_left(&left, &delivery.vcpu));
        body.delivery = delivery.filter(|_| paid.contains(&interrupt.name));
        if !is_left(&left, &body.wakes) {
            body.wakes = Field::Absent;
        }
    }
    left.extend(interrupts.iter().map(|interrupt| interrupt.name.clone()));
    // Without what would pay for it, the guest does not take a timer.
    timers.retain_mut(|timer| {
        let Timer { isr, pseudo_vcpu, .. } = &mut timer.body;
        if pseudo_vcpu.is_some() && !is_kept(&of_timer(&timer.name)) {
            *pseudo_vcpu = None;
            *isr = Field::Absent;
        }
        is_left(&left, &timer.body.armed_by)
    });
    // A routine of the host wakes, or one of a guest.
    let wakes = |of: &Interrupt| {
        let guest = of.delivery.as_ref().map(|delivery| &delivery.wakes);
        !guest.unwrap_or(&of.wakes).is_absent()
    };
    let woken = |name: &str| interrupts.iter().any(|of| of.name == name && wakes(&of.body));
    devices.retain(|device| {
        let receiver = &device.body.receiver;
        let polled = device.body.interrupt.get().is_some_and(|at| woken(&at.value.text));
        polled && (receiver.is_absent() || is_left(&left, receiver))
    });
    requirements.retain(|requirement| is_left(&left, &requirement.body.of));
    chains.retain(|chain| {
        let path = chain.body.path.get();
        path.is_some_and(|path| path.value.iter().all(|at| left.contains(&at.value.text)))
    });
}

/// The names of tasks, each with what wakes it.
fn wakers(description: &Description) -> Vec<(String, String)> {
    let of_tasks = description.tasks.iter().flat_map(|task| {
        let listed = |list: &Field<Vec<At<Reference>>>| -> Vec<String> {
            let all = list.get().map_or(&[][..], |list| &list.value);
            all.iter().map(|at| at.value.text.clone()).collect()
        };
        let woken = listed(&task.body.wakes).into_iter().map(|woken| (woken, task.name.clone()));
        let after = listed(&task.body.after).into_iter().map(|first| (task.name.clone(), first));
        woken.chain(after).collect::<Vec<_>>()
    });
    let of_interrupts = description.interrupts.iter().filter_map(|interrupt| {
        let body = &interrupt.body;
        let wakes = body.delivery.as_ref().map_or(&body.wakes, |delivery| &delivery.wakes);
        Some((wakes.get()?.value.text.clone(), interrupt.name.clone()))
    });
    of_tasks.chain(of_interrupts).collect()
}

/// Drops the tasks that nothing wakes any more, or not all that is to wake them together, and their names where they were
/// woken.
fn without_wakers(
    tasks: &mut Vec<Declared<Task>>,
    interrupts: &BTreeSet<String>,
    wakers: &[(String, String)],
) {
    loop {
        let names = tasks.iter().map(|task| task.name.clone());
        let left: BTreeSet<String> = names.chain(interrupts.iter().cloned()).collect();
        let before = tasks.len();
        tasks.retain(|task| {
            let mut own = wakers.iter().filter(|(woken, _)| *woken == task.name);
            own.all(|(_, waker)| left.contains(waker))
        });
        if tasks.len() == before {
            for task in tasks {
                let Field::Is(woken) = &mut task.body.wakes else { continue };
                woken.value.retain(|at| left.contains(&at.value.text));
                if woken.value.is_empty() {
                    task.body.wakes = Field::Absent;
                }
            }
            return;
        }
    }
}
