//! What follows from something else, on whatever core, as what comes by itself and is late: a task that another one
//! wakes, and a kick.
//!
//! **Model.** A woken job arrives with that of the source and is released when the job before it completes, or the last
//! of several: at most the longest of their response bounds later. So every history of the system is one of the *settled* system, in which the
//! woken task comes as often as the source, with that bound as its jitter (Tindell, Clark 1994). A kick is requested
//! when the routine of its interrupt ends, and comes likewise.
//!
//! **Assumptions.** 1. The jitter of each follower in the settled system is at least the response bound of what it
//! follows there: then none can be the first that is later. It is looked for from zero upwards. 2. Where it is not
//! found, nothing on the core of the follower has a bound.
//!
//! A woken task that waits for the one before it in any case is released with that instead (`precedence.rs`).
//!
//! **Does not cover** otherwise that what comes before on the same supply is over when the next begins: its work counts again.
//! Theory: docs/theory/propagation.md.

use super::circle::{Link, Waited, circle};
use super::precedence::released_with;
use super::{Bounds, Fold, Known};
use std::borrow::Cow;
use vorrang_model::system::{Activation, InterruptId, System, TaskId, Unsupported};
use vorrang_time::Duration;

/// How often jitter may grow.
const ROUNDS: usize = 64;

/// What follows from something else.
enum Follower {
    /// A task, from those that wake it.
    Woken(TaskId, Vec<TaskId>),
    /// A kick, from its interrupt.
    Kick(InterruptId, InterruptId),
}

/// The settled system; the system itself where nothing follows.
pub(super) fn settled<'s>(
    system: &'s System,
    known: Option<&Known<'_>>,
    is_end_wanted: &dyn Fn() -> bool,
) -> Cow<'s, System> {
    let followers: Vec<Follower> = followers(system).collect();
    if followers.is_empty() {
        return Cow::Borrowed(system);
    }
    let mut settled = system.clone();
    for follower in &followers {
        follower.comes_by_itself(&mut settled);
    }
    let of = |followers: &[Follower], place| {
        let links: Vec<Link<'_>> = followers.iter().map(|own| own.link(system)).collect();
        circle(system, &links, place)
    };
    for round in 0.. {
        let known = known.cloned();
        let bounds = Fold { known, is_end_wanted, ..Fold::new(&settled) }.bounds();
        let mut holds = true;
        for (place, follower) in followers.iter().enumerate() {
            let is_in_time = follower.is_in_time(&mut settled, &bounds, || of(&followers, place));
            // One that others wait for in vain has no bound in the next round, and they give up then.
            holds &= is_in_time
                || round >= ROUNDS && !follower.give_up(&mut settled, || of(&followers, place));
        }
        if holds {
            break;
        }
    }
    Cow::Owned(settled)
}

fn followers(system: &System) -> impl Iterator<Item = Follower> {
    let woken = system.task_ids().filter(|&id| system.task(id).activation.is_by_tasks());
    let woken = woken.map(|id| Follower::Woken(id, system.predecessors(id)));
    let kicks = system.interrupt_ids();
    woken.chain(kicks.filter_map(|id| Some(Follower::Kick(id, system.interrupt(id).raised_by?))))
}

impl Follower {
    fn comes_by_itself(&self, system: &mut System) {
        *self.jitter(system) = Duration::ZERO;
        match *self {
            Self::Woken(id, _) => {
                let offset = system.task(system.root_of(id)).offset;
                let task = &mut system.tasks[id.0];
                (task.activation, task.offset) = (Activation::Sporadic, offset);
            }
            Self::Kick(id, _) => system.interrupts[id.0].raised_by = None,
        }
    }

    /// What it waits for, by name.
    fn link<'s>(&self, system: &'s System) -> Link<'s> {
        let task = |id: TaskId| {
            let own = system.task(id);
            Waited { name: &own.name, task: Some(id), core: system.core_of(own.on) }
        };
        match self {
            Self::Woken(id, before) => {
                let Waited { name, task: own, core } = task(*id);
                let waits_for = before.iter().map(|&by| task(by)).collect();
                Link { name, task: own, core, waits_for }
            }
            Self::Kick(id, by) => {
                let own = system.interrupt(*id);
                let first = system.interrupt(*by);
                let waited = Waited { name: &first.name, task: None, core: first.on };
                Link { name: &own.name, task: None, core: own.on, waits_for: vec![waited] }
            }
        }
    }

    fn jitter<'s>(&self, system: &'s mut System) -> &'s mut Duration {
        match *self {
            Self::Woken(id, _) => &mut system.tasks[id.0].jitter,
            Self::Kick(id, _) => &mut system.interrupts[id.0].jitter,
        }
    }

    /// Whether it comes within its jitter, which grows where it does not.
    fn is_in_time(
        &self,
        system: &mut System,
        bounds: &Bounds,
        circle: impl FnOnce() -> Option<String>,
    ) -> bool {
        let late = match self {
            Self::Woken(id, before) => {
                let late = |&by| released_with(system, *id, by).or(bounds.task(by).bound());
                let all: Option<Vec<Duration>> = before.iter().map(late).collect();
                all.and_then(|all| all.into_iter().max())
            }
            Self::Kick(_, by) => bounds.interrupt(*by).bound(),
        };
        let Some(late) = late else { return !self.give_up(system, circle) };
        let jitter = self.jitter(system);
        let holds = late <= *jitter;
        *jitter = late.max(*jitter);
        holds
    }

    /// Nothing on its core has a bound; whether something had.
    fn give_up(&self, system: &mut System, circle: impl FnOnce() -> Option<String>) -> bool {
        let (what, on) = match *self {
            Self::Woken(id, _) => {
                let task = system.task(id);
                (format!("the wake-ups of {}", task.name), task.on)
            }
            Self::Kick(id, _) => {
                let interrupt = system.interrupt(id);
                (format!("the requests of {}", interrupt.name), interrupt.on)
            }
        };
        let core = Some(system.core_of(on));
        if system.unsupported.iter().any(|feature| feature.core == core) {
            return false;
        }
        let what = match circle() {
            Some(circle) => {
                format!("{what}, whose delay has no bound because it waits for itself ({circle}),")
            }
            None => format!("{what}, whose delay has no bound"),
        };
        system.unsupported.push(Unsupported { what, core });
        true
    }
}
