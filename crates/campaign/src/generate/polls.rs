//! Threads that poll for ever: systems that are drawn already, of which one task or another has no end.

use crate::random::Random;
use vorrang_model::system::{
    Activation, InterruptId, Member, Priority, Scheduler, SupplyId, System, Task, TaskId,
};
use vorrang_time::Duration;

/// The stream of these, away from those of systems, of bursts and of tasks that are not preempted.
const STREAM: u64 = 1 << 42;

/// One of those that may, in half of the systems a third of the others besides; mostly the least urgent of its supply, so
/// that others have a bound.
pub(super) fn poll(seed: u64, index: u64, system: &mut System) {
    let mut random = Random::new(seed, STREAM + index);
    let may: Vec<TaskId> = system.task_ids().filter(|&id| may_poll(system, id)).collect();
    if may.is_empty() {
        return;
    }
    let is_in_guest = |id: &TaskId| may_be_posted(system, system.task(*id).on).next().is_some();
    let in_guests: Vec<TaskId> = may.iter().copied().filter(is_in_guest).collect();
    let of_guest = !in_guests.is_empty() && random.chance(1, 2);
    let chosen = random.one_of(if of_guest { &in_guests } else { &may });
    let alone = random.chance(1, 2);
    for id in may {
        if id != chosen && (alone || !random.chance(1, 3)) {
            continue;
        }
        let last = random.weighted(&[(6, Some(0)), (1, Some(1)), (3, None)]);
        let priority = match last {
            Some(above) => lowest(system, id, above),
            None => system.task(id).priority,
        };
        let Task { name, on, share, cache, .. } = system.task(id).clone();
        system.tasks[id.0] = Task {
            name,
            on,
            share,
            cache,
            priority,
            wcet: Task::ENDLESS,
            bcet: Task::ENDLESS,
            min_interarrival: Task::ENDLESS,
            polls: true,
            ..Task::default()
        };
        // It may be an equal now of a pseudo-VCPU, with which slices are not defined.
        if system.pseudo_vcpu_beside_slices(on).is_some() {
            system.supplies[on.0].time_slice = None;
        }
    }
    post(&mut random, system);
}

/// Most of the interrupts are posted that may, to guests that never sleep.
fn post(random: &mut Random, system: &mut System) {
    let polling = system.tasks.iter().filter(|task| task.polls).map(|task| task.on);
    let mut guests: Vec<SupplyId> = polling.collect();
    guests.dedup();
    for id in guests.iter().flat_map(|&on| may_be_posted(system, on)).collect::<Vec<_>>() {
        if random.chance(3, 4) {
            let interrupt = &mut system.interrupts[id.0];
            (interrupt.posted, interrupt.isr) = (true, Duration::ZERO);
            interrupt.priority = Priority::default();
        }
    }
}

/// The interrupts with a routine that are delivered to a supply, and that no pseudo-VCPU holds back.
fn may_be_posted(system: &System, to: SupplyId) -> impl Iterator<Item = InterruptId> + '_ {
    system.interrupt_ids().filter(move |&id| {
        let interrupt = system.interrupt(id);
        let delivery = interrupt.delivery.as_ref();
        interrupt.has_routine()
            && interrupt.is_external()
            && delivery.is_some_and(|own| own.vcpu == to && own.pseudo_vcpu.is_none())
    })
}

/// What nothing wakes and what wakes, arms and reads nothing; no deadline orders it.
fn may_poll(system: &System, id: TaskId) -> bool {
    let Task { on, activation, wakes, .. } = system.task(id);
    let is_free = *activation == Activation::Sporadic && wakes.is_empty() && !system.is_other(id);
    let by_deadline = system.supply(*on).scheduler == Scheduler::Edf;
    let times = system.timers.iter().any(|timer| timer.armed_by == id);
    let read = system.chains.iter().any(|chain| chain.path.contains(&id));
    is_free && !by_deadline && !times && !read
}

/// The least of the priorities on the supply of a task, or `above` more.
fn lowest(system: &System, id: TaskId, above: u32) -> Priority {
    let supply = system.supply(system.task(id).on);
    let of = |member: &Member| match *member {
        Member::Task(id) => Some(system.task(id).priority),
        Member::Server(id) if !system.supply(id).is_of_linux() => {
            Some(system.supply(id).priority())
        }
        Member::Server(_) => None,
    };
    let least = supply.members.iter().filter_map(of).min().unwrap_or_default();
    Priority(least.0 + above.min(least.0))
}
