//! Minimises a system that has some property.
//!
//! **Model.** Steps that each make the system smaller are tried until none of them keeps the property: leave
//! out a task, an interrupt, a timer, a card or a server with all below it; replace a special feature by a
//! plain one; lower a number.
//!
//! **Does not cover** a smallest system: only one that no single step makes smaller.

mod joins;
mod leave_out;
mod lower;
mod plain;

use crate::requirements::state_requirements;
use leave_out::{Kept, restrict};
use lower::lower;
use vorrang_model::system::System;

/// The most systems that are tried, so that it ends within about a minute.
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
    let supplies = system.supply_ids();
    let supplies = supplies.filter(|_| system.supplies.len() > 1);
    steps.extend(supplies.map(|gone| restrict(system, &Kept::all(system).without_supply(gone))));
    let tasks = system.task_ids().filter(|&id| !system.is_other(id));
    steps.extend(tasks.map(|gone| restrict(system, &Kept::all(system).without_task(gone))));
    let interrupts = system.interrupt_ids();
    steps.extend(
        interrupts.map(|gone| restrict(system, &Kept::all(system).without_interrupt(gone))),
    );
    steps.extend(plain::steps(system));
    steps.retain(|smaller| smaller.cores().next().is_some());
    for smaller in &mut steps {
        plain::take_back_posts(smaller);
        state_requirements(smaller);
    }
    for field in 0.. {
        let lowered = lower(system, field);
        if lowered.is_empty() {
            return steps;
        }
        steps.extend(lowered.into_iter().flatten());
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn a_system_with_a_sporadic_server_shrinks_to_that_server() {
        let sporadic = |system: &System| {
            let servers = system.supplies.iter().filter_map(vorrang_model::system::Supply::server);
            servers
                .into_iter()
                .any(|server| server.kind() == vorrang_model::system::ServerKind::Sporadic)
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
            let server = small.supplies.last().unwrap().server().unwrap();
            assert_eq!((server.budget.as_ns(), server.period.as_ns()), (1, 1));
        }
        assert!(seen > 10);
    }
}
