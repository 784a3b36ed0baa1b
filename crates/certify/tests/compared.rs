//! Certificates of all that is required, and what histories show of each.

use vorrang_certificate::Certificate;
use vorrang_certify::{Search as Windows, Uncertified, of_interrupt, of_task};
use vorrang_model::System;
use vorrang_sim::{Search, search};

/// That of each task, then of each interrupt, with steps enough to look for windows.
pub(crate) fn certified(system: &System) -> Vec<Result<Certificate, Uncertified>> {
    let mut windows = Windows::new(4_000_000);
    let tasks = system.task_ids().map(|id| of_task(system, id, &mut windows));
    let mut found: Vec<_> = tasks.collect();
    found.extend(system.interrupt_ids().map(|id| of_interrupt(system, id, &mut windows)));
    found
}

/// The longest response of each task and interrupt in histories that were looked for.
pub(crate) fn seen(system: &System, seed: u64) -> Vec<Option<u64>> {
    let limits = Search { seed, runs: 12, climbs: 12, work: 20_000, ..Search::default() };
    let found = search(system, &limits);
    let worst = found.tasks.iter().chain(&found.interrupts);
    worst.map(|of| of.as_ref().map(|worst| worst.response.as_ns())).collect()
}
