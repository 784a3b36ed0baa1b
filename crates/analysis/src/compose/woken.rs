//! Tasks that other tasks wake, as tasks that come by themselves and are released late.
//!
//! **Model.** A woken job arrives with that of the source and is released when the job before it completes: at most
//! the response bound of that task later. So every history of the system is one of the *settled* system, in which the
//! woken task comes as often as the source, with that bound as its jitter (Tindell, Clark 1994).
//!
//! **Assumptions.** 1. The jitter of each woken task in the settled system is at least the response bound of what wakes
//! it there: then no job can be the first that is later. It is looked for from zero upwards. 2. Where it is not found,
//! nothing on the core of the woken task has a bound.
//!
//! **Does not cover** that what comes before on the same supply is over when the next begins: its work counts again.
//! Theory: docs/theory/propagation.md.

use super::{Bounds, Fold};
use std::borrow::Cow;
use vorrang_model::system::{Activation, System, TaskId, Unsupported};
use vorrang_time::Duration;

/// How often jitter may grow.
const ROUNDS: usize = 64;

/// The settled system; the system itself where no task wakes another.
pub(super) fn settled<'s>(system: &'s System, is_end_wanted: &dyn Fn() -> bool) -> Cow<'s, System> {
    let woken: Vec<(TaskId, TaskId)> = woken(system).collect();
    if woken.is_empty() {
        return Cow::Borrowed(system);
    }
    let mut settled = system.clone();
    for &(id, _) in &woken {
        let task = &mut settled.tasks[id.0];
        (task.activation, task.jitter) = (Activation::Sporadic, Duration::ZERO);
    }
    for _ in 0..ROUNDS {
        let bounds = Fold { is_end_wanted, ..Fold::new(&settled) }.bounds();
        let mut holds = true;
        for &(id, by) in &woken {
            holds &= is_in_time(&mut settled, &bounds, id, by);
        }
        if holds {
            return Cow::Owned(settled);
        }
    }
    for (id, _) in woken {
        give_up(&mut settled, id);
    }
    Cow::Owned(settled)
}

/// The tasks that others wake, each with what wakes it.
fn woken(system: &System) -> impl Iterator<Item = (TaskId, TaskId)> {
    system.task_ids().filter_map(|id| match system.task(id).activation {
        Activation::Task(by) => Some((id, by)),
        _ => None,
    })
}

/// Whether the jobs of a task are released within its jitter; it grows where they are not.
fn is_in_time(system: &mut System, bounds: &Bounds, id: TaskId, by: TaskId) -> bool {
    let Some(bound) = bounds.task(by).bound() else { return !give_up(system, id) };
    let jitter = &mut system.tasks[id.0].jitter;
    let holds = bound <= *jitter;
    *jitter = bound.max(*jitter);
    holds
}

/// Nothing on the core of a woken task has a bound; whether something had.
fn give_up(system: &mut System, id: TaskId) -> bool {
    let core = Some(system.core_of(system.task(id).on));
    if system.unsupported.iter().any(|feature| feature.core == core) {
        return false;
    }
    let what = format!("the wake-ups of {}, whose delay has no bound", system.task(id).name);
    system.unsupported.push(Unsupported { what, core });
    true
}
