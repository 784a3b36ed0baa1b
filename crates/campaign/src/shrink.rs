//! Makes a system that shows something as small as it still shows it.
//!
//! **Model.** Steps that each make the system smaller are tried until none of them keeps what is
//! to be shown: leave out a task, an interrupt or a server with all below it; put what is inside
//! a server onto its parent; lower a number.
//!
//! **Does not cover** a smallest system: only one that no single step makes smaller.

use crate::requirements::state_requirements;
use vorrang_model::system::{Interrupt, InterruptId, Member, Scheduler, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// So many systems are looked at in all, so that it ends within a minute or so.
const TRIES: usize = 10_000;

/// The smallest system that the steps lead to while `shows` holds.
pub fn shrink(system: &System, shows: impl Fn(&System) -> bool) -> System {
    let mut smallest = system.clone();
    let mut tries = 0;
    // Goes on where the last step helped: those before it have just failed.
    let mut start = 0;
    loop {
        let steps = steps(&smallest);
        let order = (0..steps.len()).map(|place| (place + start) % steps.len());
        let helps = order.take(TRIES - tries).find(|&place| {
            tries += 1;
            shows(&steps[place])
        });
        match helps {
            Some(place) => (smallest, start) = (steps[place].clone(), place),
            None => return smallest,
        }
    }
}

/// All systems that are one step smaller, the large steps first.
fn steps(system: &System) -> Vec<System> {
    let mut steps = Vec::new();
    let supplies = (0..system.supplies.len()).map(SupplyId);
    steps.extend(
        supplies.filter(|_| system.supplies.len() > 1).map(|id| without_supply(system, id)),
    );
    steps
        .extend((0..system.tasks.len()).map(|id| without_tasks(system, |task| task == TaskId(id))));
    steps.extend((0..system.interrupts.len()).map(|id| without_interrupt(system, InterruptId(id))));
    steps.retain(|smaller| smaller.cores().next().is_some());
    for field in 0.. {
        let lowered = lower(system, field);
        if lowered.is_empty() {
            return steps;
        }
        steps.extend(lowered.into_iter().flatten());
    }
    steps
}

/// Smaller values of the numbered field; empty past the last field.
fn lower(system: &System, field: usize) -> Vec<Option<System>> {
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
        state_requirements(&mut smaller);
        valid(&smaller).then_some(smaller)
    });
    // Never empty for a field that exists.
    lowered.chain([None]).collect()
}

/// Every number of a system with the least value that it may have.
fn fields(system: &mut System) -> Vec<(&mut Duration, u64)> {
    let mut fields = Vec::new();
    for task in &mut system.tasks {
        fields.extend([(&mut task.jitter, 0), (&mut task.blocking, 0), (&mut task.wcet, 1)]);
        fields.push((&mut task.min_interarrival, 1));
        fields.extend(task.deadline.as_mut().map(|deadline| (deadline, 1)));
    }
    for interrupt in &mut system.interrupts {
        fields.extend([(&mut interrupt.jitter, 0), (&mut interrupt.isr, 1)]);
        fields.push((&mut interrupt.min_interarrival, 1));
    }
    for server in system.supplies.iter_mut().filter_map(|supply| supply.server.as_mut()) {
        fields.push((&mut server.budget, 1));
        fields.push((&mut server.period, 1));
        fields.push((&mut server.offset, 0));
    }
    fields
}

/// What the resolver guarantees about numbers; and no task or interrupt asks for more than a whole
/// core, so that queues do not grow without measure.
fn valid(system: &System) -> bool {
    let mut tasks = system.tasks.iter();
    let mut interrupts = system.interrupts.iter();
    let servers = system.supplies.iter().filter_map(|supply| supply.server.as_ref());
    servers.clone().all(|server| server.budget <= server.period)
        && tasks.all(|task| task.wcet <= task.min_interarrival)
        && interrupts.all(|interrupt| interrupt.isr <= interrupt.min_interarrival)
        && servers.clone().all(|server| server.offset + server.budget <= server.period)
        && !system.cores().any(|core| slots_overlap(system, core))
}

fn slots_overlap(system: &System, core: SupplyId) -> bool {
    if system.supply(core).scheduler != Scheduler::Slots {
        return false;
    }
    let slots: Vec<_> =
        system.supplies.iter().filter_map(|supply| supply.server.as_ref()).collect();
    let slots: Vec<_> = slots.into_iter().filter(|server| server.on == core).collect();
    slots.iter().enumerate().any(|(index, first)| {
        slots[..index].iter().any(|second| {
            // Starts of the two differ by every multiple of the common divisor of the periods.
            let common = gcd(first.period.as_ns(), second.period.as_ns());
            let ahead =
                (second.offset.as_ns() % common + common - first.offset.as_ns() % common) % common;
            ahead < first.budget.as_ns() || common - ahead < second.budget.as_ns()
        })
    })
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Leaves a supply out with everything below it.
fn without_supply(system: &System, gone: SupplyId) -> System {
    let below = |mut id: SupplyId| loop {
        if id == gone {
            return true;
        }
        match &system.supply(id).server {
            Some(server) => id = server.on,
            None => return false,
        }
    };
    let mut smaller = without_tasks(system, |id| below(system.task(id).on));
    let kept = |interrupt: &Interrupt| !below(interrupt.on);
    smaller.interrupts.retain(kept);
    let new_id: Vec<Option<SupplyId>> = (0..system.supplies.len())
        .scan(0, |next, id| {
            Some((!below(SupplyId(id))).then(|| {
                *next += 1;
                SupplyId(*next - 1)
            }))
        })
        .collect();
    let renamed = |id: SupplyId| new_id[id.0].expect("what is kept stands on what is kept");
    let mut id = 0;
    smaller.supplies.retain(|_| {
        id += 1;
        new_id[id - 1].is_some()
    });
    for supply in &mut smaller.supplies {
        if let Some(server) = &mut supply.server {
            server.on = renamed(server.on);
        }
        supply.members.retain_mut(|member| match member {
            Member::Task(_) => true,
            Member::Server(id) => new_id[id.0].map(|new| *id = new).is_some(),
        });
    }
    for task in &mut smaller.tasks {
        task.on = renamed(task.on);
    }
    for interrupt in &mut smaller.interrupts {
        interrupt.on = renamed(interrupt.on);
    }
    state_requirements(&mut smaller);
    smaller
}

fn without_tasks(system: &System, gone: impl Fn(TaskId) -> bool) -> System {
    let mut smaller = system.clone();
    let mut new_id = Vec::new();
    smaller.tasks.clear();
    for (id, task) in system.tasks.iter().enumerate() {
        new_id.push((!gone(TaskId(id))).then_some(TaskId(smaller.tasks.len())));
        smaller.tasks.extend((!gone(TaskId(id))).then(|| task.clone()));
    }
    for supply in &mut smaller.supplies {
        supply.members.retain_mut(|member| match member {
            Member::Task(id) => new_id[id.0].map(|new| *id = new).is_some(),
            Member::Server(_) => true,
        });
    }
    state_requirements(&mut smaller);
    smaller
}

fn without_interrupt(system: &System, gone: InterruptId) -> System {
    let mut smaller = system.clone();
    smaller.interrupts.remove(gone.0);
    state_requirements(&mut smaller);
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn a_system_with_a_sporadic_server_shrinks_to_that_server() {
        let sporadic = |system: &System| {
            let servers = system.supplies.iter().filter_map(|supply| supply.server.as_ref());
            servers
                .into_iter()
                .any(|server| server.kind == vorrang_model::system::ServerKind::Sporadic)
        };
        let mut seen = 0;
        for index in 0..100 {
            let system = generate::system(2, index);
            if !sporadic(&system) {
                continue;
            }
            seen += 1;
            let small = shrink(&system, sporadic);
            assert!(small.tasks.is_empty() && small.interrupts.is_empty());
            assert!(small.supplies.len() <= 4);
            let server = small.supplies.last().unwrap().server.as_ref().unwrap();
            assert_eq!((server.budget.as_ns(), server.period.as_ns()), (1, 1));
        }
        assert!(seen > 10);
    }
}
