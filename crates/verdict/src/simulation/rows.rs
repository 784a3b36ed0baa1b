//! Everything that has a distribution, in one list: responses first, then packets.

use crate::distribution::Distribution;
use crate::watch::{Row, Watch};

/// A distribution with its name.
pub(super) struct Named<'w> {
    /// As it is called in tables and files.
    pub(super) name: String,
    /// The task, interrupt or device.
    pub(super) subject: &'w str,
    /// Of completed jobs or packets.
    pub(super) distribution: &'w Distribution,
    /// What else is known of a task or an interrupt.
    pub(super) row: Option<&'w Row>,
}

/// All distributions of a core: tasks, interrupts, then round trips by device, and deliveries where
/// they are something else.
pub(super) fn all(watch: &Watch) -> Vec<Named<'_>> {
    let jobs = watch.responses.rows.iter().map(|row| Named {
        name: row.name.clone(),
        subject: &row.name,
        distribution: &row.completed,
        row: Some(row),
    });
    let packets = watch.traffic.devices.iter().flat_map(|device| {
        let named = |what: &str, distribution| Named {
            name: format!("{} {what}", device.name),
            subject: &device.name,
            distribution,
            row: None,
        };
        let delivery = device.has_receiver.then(|| named("delivery", &device.deliveries));
        [named("round trip", &device.round_trips)].into_iter().chain(delivery)
    });
    jobs.chain(packets).collect()
}
