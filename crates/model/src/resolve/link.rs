//! What interrupts, timers, devices and users of caches refer to.

use super::name::Names;
use crate::description::{At, Description, Field, Reference, Task};
use crate::diagnostic::collect::Errors;
use crate::system::TaskId;

/// Targets by their index in the description; `None` where there is none, or a wrong one, which
/// has been reported.
pub(super) struct Links {
    pub(super) interrupts: Vec<OfInterrupt>,
    /// The task that arms each timer.
    pub(super) timers: Vec<Option<usize>>,
    pub(super) devices: Vec<OfDevice>,
    /// The cache of each supply.
    pub(super) supply_caches: Vec<Option<usize>>,
    /// The cache of each task.
    pub(super) task_caches: Vec<Option<usize>>,
    /// What each task wakes, with the place of the name in its list.
    pub(super) woken: Vec<Vec<(usize, usize)>>,
    /// What each task comes after, likewise.
    pub(super) after: Vec<Vec<(usize, usize)>>,
    /// The tasks that come after each, those after it alone first.
    followed: Vec<Vec<usize>>,
}

#[derive(Clone, Copy)]
pub(super) struct OfInterrupt {
    pub(super) core: Option<usize>,
    /// The task that the routine wakes: the guest's routine, if there is one.
    pub(super) wakes: Option<usize>,
    pub(super) vcpu: Option<usize>,
}

#[derive(Clone, Copy)]
pub(super) struct OfDevice {
    pub(super) interrupt: Option<usize>,
    pub(super) receiver: Option<usize>,
}

impl Links {
    pub(super) fn of(description: &Description, names: &Names<'_>, errors: &mut Errors) -> Self {
        let mut listed = |of: fn(&Task) -> &Field<Vec<At<Reference>>>| {
            let tasks = description.tasks.iter();
            tasks.map(|task| self::listed(of(&task.body), names, errors)).collect::<Vec<_>>()
        };
        let (woken, after) = (listed(|task| &task.wakes), listed(|task| &task.after));
        let followed = followed(&after);
        let mut find =
            |reference: &Field<Reference>| names.find(reference, errors).map(|target| target.index);
        let interrupts = description.interrupts.iter().map(|declared| {
            let core = find(&declared.body.on);
            let of_host = find(&declared.body.wakes);
            let Some(delivery) = &declared.body.delivery else {
                return OfInterrupt { core, wakes: of_host, vcpu: None };
            };
            let vcpu = find(&delivery.vcpu);
            OfInterrupt { core, wakes: find(&delivery.wakes), vcpu }
        });
        let interrupts = interrupts.collect();
        let timers = description.timers.iter().map(|timer| find(&timer.body.armed_by)).collect();
        let devices = description.devices.iter().map(|declared| OfDevice {
            interrupt: find(&declared.body.interrupt),
            receiver: find(&declared.body.receiver),
        });
        let devices = devices.collect();
        let supply_caches = description
            .supplies
            .iter()
            .map(|supply| supply.body.server.as_ref().and_then(|server| find(&server.cache)));
        let supply_caches = supply_caches.collect();
        let task_caches = description.tasks.iter().map(|task| find(&task.body.cache)).collect();
        Self { interrupts, timers, devices, supply_caches, task_caches, woken, after, followed }
    }

    /// What the ends of jobs of a task release, alone or with others.
    pub(super) fn wakes(&self, task: usize) -> Vec<TaskId> {
        let woken = self.woken[task].iter().map(|&(_, woken)| woken);
        woken.chain(self.followed[task].iter().copied()).map(TaskId).collect()
    }
}

fn listed(
    references: &Field<Vec<At<Reference>>>,
    names: &Names<'_>,
    errors: &mut Errors,
) -> Vec<(usize, usize)> {
    let listed = references.get().into_iter().flat_map(|list| &list.value).enumerate();
    let found = listed.filter_map(|(place, at)| {
        let target = names.find(&Field::Is(at.clone()), errors)?;
        Some((place, target.index))
    });
    found.collect()
}

fn followed(after: &[Vec<(usize, usize)>]) -> Vec<Vec<usize>> {
    let mut followed = vec![Vec::new(); after.len()];
    for is_of_one in [true, false] {
        for (task, before) in after.iter().enumerate() {
            if (before.len() == 1) == is_of_one {
                for &(_, first) in before {
                    followed[first].push(task);
                }
            }
        }
    }
    followed
}
