//! What a bound is read off, kept while it is found.

use super::Fold;
use super::woken::settled;
use crate::demand::Loads;
use crate::ground::NoBound;
use crate::supply::Supply;
use crate::supply::curves::{Curves, Kept};
use vorrang_model::system::{RequirementKind, System, TaskId};
use vorrang_time::Duration;

/// Supply and demand of these requirements, where their bounds are read off one window.
pub fn curves(system: &System, wanted: &[RequirementKind]) -> Vec<Option<Curves>> {
    let system = &*settled(system, None, &|| false);
    let kinds: Vec<RequirementKind> = wanted.iter().map(|kind| decided_by(system, *kind)).collect();
    let drawn = Kept { wanted: kinds.clone(), ..Kept::default() };
    let mut fold = Fold { drawn, ..Fold::new(system) };
    fold.whole_system();
    let bound = |kind: &RequirementKind| match *kind {
        RequirementKind::Deadline(task) => fold.tasks[task.0].as_ref()?.bound(),
        RequirementKind::HandledWithin(id) => fold.interrupts[id.0].as_ref()?.bound(),
    };
    kinds.iter().map(|kind| fold.drawn.of(*kind, bound(kind)?).cloned()).collect()
}

/// What handles an interrupt may be the task that it wakes.
pub(super) fn decided_by(system: &System, kind: RequirementKind) -> RequirementKind {
    match kind {
        RequirementKind::HandledWithin(id) => {
            system.interrupt(id).wakes.map_or(kind, RequirementKind::Deadline)
        }
        RequirementKind::Deadline(_) => kind,
    }
}

impl Fold<'_> {
    /// Keeps what the bound of a task was read off: `work` and `loads` on a supply.
    pub(super) fn draw_task(
        &mut self,
        task: TaskId,
        (supply, window, bound): (&dyn Supply, Duration, Duration),
        (work, loads): (Duration, Loads<'_>),
    ) {
        let demand = |of| work.checked_add(loads.in_window(of)?).ok_or(NoBound::TooLong);
        self.draw(RequirementKind::Deadline(task), supply, &demand, (window, bound));
    }

    /// Keeps what a bound was read off: in `window` the supply meets the demand.
    pub(super) fn draw(
        &mut self,
        of: RequirementKind,
        supply: &dyn Supply,
        demand: &dyn Fn(Duration) -> Result<Duration, NoBound>,
        (window, bound): (Duration, Duration),
    ) {
        if self.drawn.wanted.is_empty() {
            return;
        }
        // The searches for bounds and those that look once more count their effort apart.
        let Self { effort, refinements, drawn, .. } = self;
        let sample = || {
            let Ok(work) = demand(window) else { return };
            drawn.keep(of, || Curves::sampled(supply, demand, (window, work), bound));
        };
        match refinements {
            Some(more) => effort.for_a_picture(|| more.for_a_picture(sample)),
            None => effort.for_a_picture(sample),
        }
    }
}
