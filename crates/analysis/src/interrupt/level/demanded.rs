//! All that is served before the end of a routine at its worst, by the length of the window.

use super::{Level, Queue, Since, Worst};
use crate::demand::Loads;
use crate::ground::NoBound;
use vorrang_time::Duration;

impl Level<'_> {
    /// What is served up to the end of the worst request of a routine, if that ends in such a window.
    pub(crate) fn demand_in(
        &self,
        index: usize,
        worst: &Worst,
        window: Duration,
    ) -> Result<Duration, NoBound> {
        let own = self.routines[index].calm;
        let queue = if worst.merged { self.merging_queue(index, own) } else { None };
        queue.unwrap_or_else(|| self.queue(index, own)).demand_in(worst.requested, window)
    }
}

impl Queue<'_> {
    /// What is served until its end, if that comes in such a window.
    fn demand_in(&self, requested: Duration, window: Duration) -> Result<Duration, NoBound> {
        let begins = window.saturating_sub(self.last) + Duration::RESOLUTION;
        let higher =
            Loads::new(&self.higher).in_window(if self.stops { window } else { begins })?;
        self.ahead(requested, Since::Arrival)?.checked_add(higher).ok_or(NoBound::TooLong)
    }
}
