//! Lower numbers.

use crate::requirements::state_requirements;
use vorrang_model::system::{
    Activation, Interrupt, RtThrottling, Scheduler, ServerRule, Supply, SupplyId, SupplyKind,
    System, Task, TaskId,
};
use vorrang_time::Duration;

/// Smaller values of the numbered field; empty past the last field.
pub(super) fn lower(system: &System, field: usize) -> Vec<Option<System>> {
    let mut copy = system.clone();
    let Some(value) = fields(&mut copy).into_iter().nth(field) else { return Vec::new() };
    let (current, least) = (value.0.as_ns(), value.1);
    // The last step goes down by one in the second digit: a large number is not counted down.
    let unit = 10_u64.pow(current.max(1).ilog10().saturating_sub(1));
    let mut values = vec![least, current / 2, current / unit * unit, current.saturating_sub(unit)];
    values.retain(|&value| least <= value && value < current);
    values.dedup();
    let lowered = values.into_iter().map(|value| {
        let mut smaller = system.clone();
        *fields(&mut smaller).swap_remove(field).0 = Duration::from_ns(value);
        follow_wakers(&mut smaller);
        follow_fair_servers(&mut smaller);
        state_requirements(&mut smaller);
        valid(&smaller).then_some(smaller)
    });
    // Never empty for a field that exists.
    lowered.chain([None]).collect()
}

/// The activation of a task determines its rate.
fn follow_wakers(system: &mut System) {
    for id in 0..system.interrupts.len() {
        if let Some(timer) = system.interrupts[id].timer {
            let interrupt = &system.interrupts[id];
            let is_of_timer = Interrupt {
                min_interarrival: system.timer(timer).period,
                jitter: Duration::ZERO,
                isr: Duration::ZERO,
                ..interrupt.clone()
            };
            system.interrupts[id] = is_of_timer;
        }
    }
    for id in 0..system.tasks.len() {
        let root = system.root_of(TaskId(id));
        let (period, distances) = match system.task(root).activation {
            Activation::Interrupt(by) => {
                let interrupt = system.interrupt(by);
                (interrupt.min_interarrival, interrupt.distances.clone())
            }
            Activation::Timer(by) => (system.timer(by).period, None),
            _ => (system.task(root).min_interarrival, system.task(root).distances.clone()),
        };
        system.tasks[id].min_interarrival = period;
        if system.tasks[id].offset.is_some() {
            system.tasks[id].latest_interarrival = Some(period);
        }
        system.tasks[id].distances = distances;
    }
}

/// What stands for `SCHED_OTHER` asks for the whole of its server.
fn follow_fair_servers(system: &mut System) {
    for id in system.task_ids() {
        if !system.is_other(id) {
            continue;
        }
        let server = system.supply(system.task(id).on).server();
        let server = server.expect("it serves SCHED_OTHER");
        let (budget, period) = (server.budget, server.period);
        let task = &mut system.tasks[id.0];
        (task.wcet, task.min_interarrival) = (budget, period);
    }
}

/// Every number of a system with the least value that it may have.
fn fields(system: &mut System) -> Vec<(&mut Duration, u64)> {
    let mut fields = Vec::new();
    let numbered = |task: &&mut Task| !task.polls && !system.supplies[task.on.0].serves_other;
    for task in system.tasks.iter_mut().filter(numbered) {
        fields.extend([(&mut task.jitter, 0), (&mut task.blocking, 0), (&mut task.wcet, 1)]);
        // Distances of several are left out as a whole (`plain.rs`), or stay.
        if task.distances.is_none() {
            fields.push((&mut task.min_interarrival, 1));
        }
        fields.extend(task.deadline.as_mut().map(|deadline| (deadline, 1)));
        fields.extend(task.offset.as_mut().map(|offset| (offset, 0)));
    }
    for interrupt in &mut system.interrupts {
        fields.extend([(&mut interrupt.jitter, 0), (&mut interrupt.isr, 1)]);
        if interrupt.distances.is_none() {
            fields.push((&mut interrupt.min_interarrival, 1));
        }
        fields.extend(interrupt.storm.as_mut().map(|storm| (storm, 1)));
        if let Some(delivery) = &mut interrupt.delivery {
            fields.push((&mut delivery.isr, 1));
            if let Some(pseudo) = &mut delivery.pseudo_vcpu {
                fields.extend([(&mut pseudo.budget, 1), (&mut pseudo.period, 1)]);
            }
        }
    }
    fields.extend(system.timers.iter_mut().map(|timer| (&mut timer.period, 1)));
    for device in &mut system.devices {
        fields.extend([(&mut device.coalesce_time, 0), (&mut device.per_packet, 1)]);
    }
    fields.extend(system.caches.iter_mut().map(|cache| (&mut cache.sustained, 1)));
    let costs = &mut system.costs;
    fields.extend([(&mut costs.scheduler_call, 0), (&mut costs.context_switch, 0)]);
    fields.extend([(&mut costs.timer_expiry, 0), (&mut costs.vm_exit, 0)]);
    fields.extend([(&mut costs.interrupt_entry, 0), (&mut costs.interrupt_exit, 0)]);
    for supply in &mut system.supplies {
        if supply.scheduler.takes_turns() {
            fields.push((&mut supply.quantum, 1));
        }
        fields.extend(supply.time_slice.as_mut().map(|slice| (slice, 1)));
        if let RtThrottling::After(limit) = &mut supply.rt_throttling {
            fields.extend([(&mut limit.budget, 1), (&mut limit.period, 2), (&mut limit.late, 0)]);
        }
        if let SupplyKind::Server(server) = &mut supply.kind {
            // The budget of a table is that of its windows.
            if server.rule != ServerRule::Table {
                fields.push((&mut server.budget, 1));
            }
            fields.push((&mut server.period, 1));
            fields.push((&mut server.blocking, 0));
            match &mut server.rule {
                ServerRule::Slot { offset } => fields.push((offset, 0)),
                ServerRule::SchedDeadline { deadline: Some(own), .. } => fields.push((own, 1)),
                _ => {}
            }
        }
    }
    fields
}

/// The guarantees of the resolver about numbers; and no task or interrupt asks for more than a whole
/// core, so that queues do not grow without measure.
fn valid(system: &System) -> bool {
    let mut tasks = system.tasks.iter();
    let mut interrupts = system.interrupts.iter();
    let mut servers = system.supplies.iter().filter_map(Supply::server);
    let mut limits = system.supplies.iter().filter_map(|supply| supply.rt_throttling.limit());
    if !limits.all(|limit| limit.budget < limit.period) {
        return false;
    }
    let ends = |supply: &Supply| supply.windows.last().map(|own| own.offset + own.length);
    let leaves = |supply: &Supply| {
        supply.server().zip(ends(supply)).is_some_and(|(server, end)| server.period < end)
    };
    if system.supplies.iter().any(leaves) {
        return false;
    }
    servers.all(|server| {
        server.budget <= server.period
            && match server.rule {
                ServerRule::Slot { offset } => offset + server.budget <= server.period,
                ServerRule::SchedDeadline { deadline: Some(own), .. } => {
                    server.budget <= own && own <= server.period
                }
                _ => true,
            }
    }) && tasks.all(|task| {
        let latest = task.latest_interarrival;
        (task.bcet <= task.wcet && fits(task.wcet, task.cycle()))
            && latest.is_none_or(|latest| task.min_interarrival <= latest)
    }) && interrupts.all(|interrupt| valid_interrupt(system, interrupt))
        && !system.cores().any(|core| slots_overlap(system, core))
}

/// Whether what arrives so often is no more than a whole core.
fn fits(cost: Duration, (count, time): (u64, Duration)) -> bool {
    cost * count <= time
}

/// Its pseudo-VCPU can pay for one.
fn valid_interrupt(system: &System, interrupt: &Interrupt) -> bool {
    let woken = interrupt.wakes.map_or(Duration::ZERO, |task| system.task(task).wcet);
    let delivery = interrupt.delivery.as_ref();
    let pays = delivery.is_none_or(|delivery| {
        let credit = delivery.isr + system.costs.vm_exit + woken;
        let pseudo = delivery.pseudo_vcpu.as_ref();
        pseudo.is_none_or(|pseudo| credit <= pseudo.budget && pseudo.budget <= pseudo.period)
    });
    pays && fits(interrupt.isr, interrupt.cycle())
        && interrupt.storm.is_none_or(|storm| storm <= interrupt.min_interarrival)
}

fn slots_overlap(system: &System, core: SupplyId) -> bool {
    if system.supply(core).scheduler != Scheduler::Slots {
        return false;
    }
    let slots: Vec<[u64; 3]> = system
        .supplies
        .iter()
        .filter(|supply| supply.on() == Some(core))
        .flat_map(|supply| {
            let server = supply.server();
            let slot = server.and_then(|own| Some((own.slot_offset()?, own.budget)));
            let windows = supply.windows.iter().map(|own| (own.offset, own.length));
            let period = server.map_or(1, |own| own.period.as_ns());
            let all = slot.into_iter().chain(windows);
            all.map(move |(offset, length)| [offset.as_ns(), length.as_ns(), period])
                .collect::<Vec<_>>()
        })
        .collect();
    slots.iter().enumerate().any(|(index, &[first, first_length, first_period])| {
        slots[..index].iter().any(|&[second, second_length, second_period]| {
            // Starts of the two differ by every multiple of the common divisor of the periods.
            let common = gcd(first_period, second_period);
            let ahead = (second % common + common - first % common) % common;
            ahead < first_length || common - ahead < second_length
        })
    })
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
