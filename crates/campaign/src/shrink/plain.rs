//! Systems in which something is plain that was special.

use super::leave_out::{Kept, restrict};
use vorrang_model::system::{
    Activation, Interrupt, InterruptId, InterruptOrder, InterruptTime, Member, Server, ServerRule,
    SupplyKind, System, TaskId, TimerQueue,
};
use vorrang_time::Duration;

/// One thing made plain in each.
pub(super) fn steps(system: &System) -> Vec<System> {
    let mut steps = Vec::new();
    let timers = system.timer_ids();
    steps.extend(timers.map(|gone| restrict(system, &Kept::all(system).without_timer(gone))));
    let devices = system.device_ids();
    steps.extend(devices.map(|gone| restrict(system, &Kept::all(system).without_device(gone))));
    for id in 0..system.interrupts.len() {
        steps.extend(plainer_interrupts(system, id));
    }
    for id in 0..system.supplies.len() {
        steps.extend(plainer_supplies(system, id));
    }
    for id in 0..system.tasks.len() {
        let mut smaller = system.clone();
        smaller.tasks[id].cache = None;
        smaller.tasks[id].share = 1;
        steps.push(smaller);
    }
    for id in 0..system.tasks.len() {
        let mut even = system.clone();
        let task = &mut even.tasks[id];
        (task.min_interarrival, task.distances) = (task.cycle().1, None);
        steps.push(even);
        let mut at_any_time = system.clone();
        at_any_time.tasks[id].offset = None;
        steps.push(at_any_time);
    }
    for id in 0..system.interrupts.len() {
        let mut even = system.clone();
        let interrupt = &mut even.interrupts[id];
        (interrupt.min_interarrival, interrupt.distances) = (interrupt.cycle().1, None);
        if let Some(task) = interrupt.wakes {
            let task = &mut even.tasks[task.0];
            (task.min_interarrival, task.distances) = (task.cycle().1, None);
        }
        steps.push(even);
    }
    steps.retain(|smaller| smaller != system);
    steps
}

fn plainer_interrupts(system: &System, id: usize) -> Vec<System> {
    let is_of_card = system.devices.iter().any(|device| device.interrupt == InterruptId(id));
    let mut steps = vec![system.clone(); 5];
    steps[0].interrupts[id].storm = None;
    take_back(&mut steps[4].interrupts[id]);
    if let Some(delivery) = &mut steps[1].interrupts[id].delivery {
        delivery.pseudo_vcpu = None;
    }
    if !is_of_card && system.interrupts[id].timer.is_none() {
        for smaller in &mut steps[2..4] {
            if let Some(TaskId(task)) = smaller.interrupts[id].wakes.take() {
                smaller.tasks[task].activation = Activation::Sporadic;
            }
        }
        steps[3].interrupts[id].delivery = None;
    }
    steps
}

/// What is posted where nothing polls any more has a routine.
pub(super) fn take_back_posts(system: &mut System) {
    for id in system.interrupt_ids() {
        let delivery = system.interrupt(id).delivery.as_ref();
        let polls = |member: &Member| matches!(member, Member::Task(id) if system.task(*id).polls);
        if !delivery.is_some_and(|to| system.supply(to.vcpu).members.iter().any(polls)) {
            take_back(&mut system.interrupts[id.0]);
        }
    }
}

fn take_back(interrupt: &mut Interrupt) {
    if interrupt.posted {
        (interrupt.posted, interrupt.isr) = (false, Duration::RESOLUTION);
    }
}

fn plainer_supplies(system: &System, id: usize) -> Vec<System> {
    let mut steps = vec![system.clone(); 9];
    steps[8].supplies[id].time_slice = None;
    steps[7].supplies[id].max_defer = None;
    steps[6].supplies[id].sections = Duration::ZERO;
    steps[5].supplies[id].overrun = Duration::ZERO;
    steps[4].supplies[id].interrupt_time = InterruptTime::Apart;
    steps[0].supplies[id].interrupt_order = InterruptOrder::FirstCome;
    (steps[1].supplies[id].timer_queue, steps[1].supplies[id].max_defer) =
        (TimerQueue::HrTimer, None);
    steps[2].supplies[id].cache = None;
    match &mut steps[3].supplies[id].kind {
        SupplyKind::Share(share) => share.weight = 1,
        SupplyKind::Server(Server {
            rule: ServerRule::SchedDeadline { deadline, reclaims },
            ..
        }) => (*deadline, *reclaims) = (None, false),
        SupplyKind::Level(level) => level.blocking = Duration::ZERO,
        SupplyKind::Core | SupplyKind::Server(_) => {}
    }
    steps
}
