//! The kinds of patterns, without their text.

use super::arrangement::Arrangement;
use super::{charged, exhausted, periodic, random};
use crate::counting::Counting;
use crate::history::{Blocker, History};
use crate::simulator::Simulator;
use std::sync::Arc;
use vorrang_model::system::{InterruptId, Member, SupplyId, System, TaskId};
use vorrang_time::Duration;

/// What a pattern does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Everything at one instant.
    Synchronous,
    /// A task is released when the budget that serves it is exhausted.
    Exhausted { task: TaskId, variant: u32 },
    /// A task is blocked by less urgent work; without a variant in the synchronous history.
    Blocked { task: TaskId, variant: Option<u32> },
    /// An interrupt is requested behind all others.
    Last { interrupt: InterruptId },
    /// All interrupts are requested when the runtime of a server is about to end that is charged for them.
    Charged { server: SupplyId },
    /// Drawn at random.
    Random { seed: u64 },
    /// Strictly periodic.
    Periodic { seed: u64 },
    /// An interrupt is in a storm; without a seed in the synchronous history.
    Storm { interrupt: InterruptId, seed: Option<u64> },
    /// As written down.
    Explicit(Arc<History>),
}

impl Form {
    pub(crate) fn counting(&self, system: &System) -> Counting {
        match self {
            Self::Blocked { task, .. } => {
                Counting { blocked: Some(blocked_member(system, *task)), ..Counting::default() }
            }
            Self::Storm { interrupt, .. } => {
                Counting { storms: vec![*interrupt], ..Counting::default() }
            }
            Self::Explicit(history) => history.counting(),
            _ => Counting::default(),
        }
    }

    pub(crate) fn history(&self, simulator: &mut Simulator) -> History {
        let history = self.arranged(simulator);
        match self {
            Self::Exhausted { .. }
            | Self::Blocked { .. }
            | Self::Last { .. }
            | Self::Charged { .. }
            | Self::Storm { seed: None, .. } => {
                history.with_worst_kernel(simulator.system(), simulator.cores())
            }
            _ => history,
        }
    }

    /// As the runtimes of servers end in time and nothing less urgent goes on, unless chance says
    /// otherwise.
    fn arranged(&self, simulator: &mut Simulator) -> History {
        match self {
            Self::Synchronous => synchronous(simulator),
            Self::Exhausted { task, variant } => exhausted::history(simulator, *task, *variant).0,
            Self::Blocked { task, variant: None } => {
                let from = Arrangement::new(simulator).earliest();
                let member = blocked_member(simulator.system(), *task);
                blocked(synchronous(simulator), Blocker { member, from })
            }
            Self::Blocked { task, variant: Some(variant) } => {
                let (history, from) = exhausted::history(simulator, *task, *variant);
                let member = blocked_member(simulator.system(), *task);
                blocked(history, Blocker { member, from })
            }
            Self::Last { interrupt } => last(simulator, *interrupt),
            Self::Charged { server } => charged::history(simulator, *server),
            Self::Random { seed } => random::history(simulator, *seed),
            Self::Periodic { seed } => periodic::history(simulator, *seed),
            Self::Storm { interrupt, seed } => {
                let mut history = match seed {
                    None => synchronous(simulator),
                    Some(seed) => random::history(simulator, *seed),
                };
                history.storms[interrupt.0] = true;
                history
            }
            Self::Explicit(history) => (**history).clone(),
        }
    }
}

/// Everything is released, and every period begins, at the first instant at which all jitter can
/// have been used.
fn synchronous(simulator: &Simulator) -> History {
    let mut arrangement = Arrangement::new(simulator);
    let at = arrangement.earliest();
    arrangement.release_all(at);
    arrangement.history
}

/// The member with the longest blocking: a task or a server that it is in; the task if none has any.
pub(crate) fn blocked_member(system: &System, task: TaskId) -> Member {
    let mut longest = Member::Task(task);
    let mut supply = system.task(task).on;
    while let Some(on) = system.supply(supply).on() {
        if system.section(Member::Server(supply)) > system.section(longest) {
            longest = Member::Server(supply);
        }
        supply = on;
    }
    longest
}

fn blocked(history: History, blocker: Blocker) -> History {
    History { blocker: Some(blocker), ..history }
}

/// Those declared after the interrupt are requested one nanosecond before it, the others with it.
fn last(simulator: &Simulator, interrupt: InterruptId) -> History {
    let mut arrangement = Arrangement::new(simulator);
    let at = arrangement.earliest();
    arrangement.release_all(at);
    for other in arrangement.interrupts().into_iter().filter(|&other| other <= interrupt) {
        arrangement.request(other, at + Duration::RESOLUTION);
    }
    arrangement.history
}
