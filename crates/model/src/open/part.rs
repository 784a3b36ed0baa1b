//! A description without some of its cores and servers.

use crate::description::{Description, Field, Interrupt, Reference};
use std::collections::BTreeSet;

/// Drops every core, server and task that is not kept, what is on it, and what has to do with that.
pub(super) fn keep(description: &mut Description, is_kept: &dyn Fn(&str) -> bool) {
    let Description { supplies, tasks, interrupts, timers, devices, requirements, .. } =
        description;
    supplies.retain(|supply| is_kept(&supply.name));
    let mut left: BTreeSet<String> = supplies.iter().map(|supply| supply.name.clone()).collect();
    let is_left = |left: &BTreeSet<String>, reference: &Field<Reference>| {
        reference.get().is_some_and(|at| left.contains(&at.value.text))
    };
    tasks.retain(|task| is_left(&left, &task.body.on) && is_kept(&task.name));
    interrupts.retain(|interrupt| is_left(&left, &interrupt.body.on));
    left.extend(tasks.iter().map(|task| task.name.clone()));
    for interrupt in interrupts.iter_mut() {
        let body = &mut interrupt.body;
        body.delivery = body.delivery.take().filter(|delivery| is_left(&left, &delivery.vcpu));
        if !is_left(&left, &body.wakes) {
            body.wakes = Field::Absent;
        }
    }
    left.extend(interrupts.iter().map(|interrupt| interrupt.name.clone()));
    timers.retain(|timer| is_left(&left, &timer.body.armed_by));
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
}
