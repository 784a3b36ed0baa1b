//! The derivation of the worst response of a routine.

use super::level::{Level, Queue, Since, Worst};
use crate::demand::Loads;
use crate::derivation::{Derivation, OfInterference, OfResponse};
use vorrang_model::system::InterruptOrder;
use vorrang_time::Duration;

impl Level<'_> {
    /// The derivation of the worst response of a routine; returns the work ahead and its own.
    pub(crate) fn derive(&self, index: usize, worst: &Worst, to: &mut Derivation) -> Duration {
        let own = self.routines[index].calm;
        let queue = if worst.merged { self.merging_queue(index, own) } else { None };
        let queue = queue.unwrap_or_else(|| self.queue(index, own));
        let Worst { bound, requested, window, .. } = *worst;
        to.push(OfResponse::Request { of: own.source, requested, window, bound });
        to.indented(|to| queue.derive(worst, to));
        to.cite(match (worst.merged, self.order) {
            (true, _) => "storms of any rate: at most one request of each that merges waits; docs/theory/storms.md",
            (_, InterruptOrder::FirstCome) => "first come, first served, George, Rivierre, Spuri 1996; docs/theory/interrupt-level.md",
            (_, InterruptOrder::Priority) => "non-preemptive fixed priority, Davis, Burns, Bril, Lukkien 2007; docs/theory/interrupt-level.md",
            (_, InterruptOrder::Nested) => "fixed priority, Lehoczky 1990; equal priorities first come, first served; docs/theory/interrupt-level.md",
        });
        queue.ahead(worst.requested, Since::Arrival).unwrap_or_default()
    }
}

impl Queue<'_> {
    fn derive(&self, worst: &Worst, to: &mut Derivation) {
        let Worst { requested, window, .. } = *worst;
        let own = self.own_work(requested, Since::Arrival).unwrap_or_default();
        to.push(OfInterference::OwnRequests(own));
        if !self.before.is_zero() {
            to.push(OfInterference::Begun(self.before));
        }
        if self.merged {
            to.push(OfInterference::Merging);
        }
        to.terms(Duration::ZERO, Loads::new(&self.equal), requested + Duration::RESOLUTION);
        let until = if self.stops { window } else { window - self.last + Duration::RESOLUTION };
        to.terms(Duration::ZERO, Loads::new(&self.higher), until);
    }
}
