//! What is said of a task that something wakes.

use super::Fold;
use crate::derivation::{Derivation, OfResponse};
use crate::ground::Source;
use vorrang_model::system::TaskId;
use vorrang_time::Duration;

impl Fold<'_> {
    /// How often and how late a task comes that something wakes.
    pub(super) fn derive_woken(
        &self,
        task: TaskId,
        (period, jitter): (Duration, Duration),
        to: &mut Derivation,
    ) {
        let by = match self.arrivals.woken(task) {
            Some(Ok((interrupt, _))) => vec![Source::Interrupt(interrupt)],
            Some(Err(_)) => Vec::new(),
            // The settled system has the wake-ups still, but no task that waits for them.
            None => {
                let wakes = |by: &TaskId| self.system.task(*by).wakes.contains(&task);
                self.system.task_ids().filter(wakes).map(Source::Task).collect()
            }
        };
        if !by.is_empty() {
            to.push(OfResponse::Woken { task, by, period, jitter });
        }
    }
}
