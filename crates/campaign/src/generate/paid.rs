//! Timers of guests that pseudo-VCPUs pay for: systems that are drawn already, with these besides.

use crate::random::Random;
use vorrang_model::system::{
    Activation, Priority, PseudoVcpu, PseudoVcpuRule, Scheduler, SupplyId, System, TaskId, Timer,
    TimerId,
};
use vorrang_time::Duration;

/// The stream of these, away from those of systems and of what else is drawn afterwards.
const STREAM: u64 = 1 << 45;

/// Half of the tasks in guests arm a timer, up to four; guests take all timers of their tasks, and pseudo-VCPUs pay for three
/// of four, as far as the host can schedule one.
pub(super) fn pay(seed: u64, index: u64, system: &mut System) {
    let mut random = Random::new(seed, STREAM + index);
    let in_guest = |&id: &TaskId| system.guest_around(system.task(id).on).is_some();
    let plain = |&id: &TaskId| !system.task(id).polls && !system.is_other(id);
    let tasks: Vec<TaskId> = system.task_ids().filter(in_guest).filter(plain).collect();
    for id in tasks {
        if system.timers.len() < 4 && random.chance(1, 2) {
            arm(&mut random, system, id);
        }
    }
    // A description delivers them in the order in which they are declared.
    let delivered = system.timer_ids().rfind(|&id| system.delivered_by(id).is_some());
    for id in system.timer_ids().filter(|&id| Some(id) > delivered) {
        let Some(vcpu) = system.guest_around(system.task(system.timer(id).armed_by).on) else {
            continue;
        };
        let period = system.timer(id).period;
        let isr = part(&mut random, period, 16);
        let payer = payer(&mut random, system, (id, vcpu, isr));
        system.deliver_timer(id, isr, payer);
        // With slices it is not defined which of equals comes first.
        let on = system.supply(vcpu).on();
        if let Some(on) = on.filter(|&on| system.pseudo_vcpu_beside_slices(on).is_some()) {
            system.supplies[on.0].time_slice = None;
        }
    }
}

/// What arrives by itself is woken by it in two of three cases.
fn arm(random: &mut Random, system: &mut System, armed_by: TaskId) {
    let task = system.task(armed_by);
    let is_plain = task.activation == Activation::Sporadic
        && task.distances.is_none()
        && task.offset.is_none()
        && task.wakes.is_empty();
    let period = task.min_interarrival;
    let wakes = is_plain && random.chance(2, 3);
    let id = TimerId(system.timers.len());
    let name = format!("timer.paid{}", id.0);
    system.timers.push(Timer { name, armed_by, period, wakes });
    if wakes {
        let task = &mut system.tasks[armed_by.0];
        (task.activation, task.jitter) = (Activation::Timer(id), Duration::ZERO);
    }
}

fn payer(
    random: &mut Random,
    system: &System,
    (id, vcpu, isr): (TimerId, SupplyId, Duration),
) -> Option<PseudoVcpu> {
    use PseudoVcpuRule::{Arrival, Deferrable, Released};
    use Scheduler::{Edf, FixedPriority, Linux};
    let on = system.supply(vcpu).on()?;
    let by_priority = matches!(system.supply(on).scheduler, FixedPriority | Linux | Edf);
    let throttles = system.supply(system.core_of(on)).rt_throttling.limit().is_some();
    if !by_priority || throttles || system.supply(vcpu).level().is_some() || !random.chance(3, 4) {
        return None;
    }
    let Timer { armed_by, period, wakes, .. } = *system.timer(id);
    let woken = if wakes { system.task(armed_by).wcet } else { Duration::ZERO };
    let one = isr + system.costs.vm_exit + woken;
    let credits = random.weighted(&[(4, 1), (2, 2), (1, 3)]);
    let more = if random.chance(1, 3) { part(random, one, 1) } else { Duration::ZERO };
    let budget = one * credits + more;
    let apart = match random.below(6) {
        0..=2 => period,
        3 => period * credits,
        4 => part(random, period * credits, 1),
        _ => period * credits + part(random, period, 2),
    };
    let rule = random.weighted(&[(4, Arrival), (1, Deferrable), (1, Released)]);
    let priority = random.chance(2, 3).then(|| random.between(1, 4));
    let priority = priority.map(|own| Priority(u32::try_from(own).expect("small")));
    Some(PseudoVcpu { budget, period: budget.max(apart), priority, rule })
}

/// Up to this part of a time.
fn part(random: &mut Random, time: Duration, of: u64) -> Duration {
    Duration::from_ns(random.between(1, (time.as_ns() / of).max(1)))
}
