//! What a case of `timer_shield_threads` is, and the scene that most of them begin with.

use super::timer_shield::HELD;
use vorrang_guest::{Action, Clock, Meddling, Policy, Scene, Sleeper, Step, Urgent};

pub(super) const US: u64 = 1000;
pub(super) const MS: u64 = 1000 * US;
/// The processor that is shielded.
pub(super) const CPU: usize = 1;
/// For how long the urgent thread computes.
pub(super) const BUSY: u64 = 10 * MS;
/// When the sleeper's instant is.
pub(super) const DUE: u64 = MS;
/// When something happens.
pub(super) const THEN: u64 = 3 * MS;
/// When a thread of a case must run again.
#[derive(Clone, Copy)]
pub(super) enum Expected {
    /// When the urgent one has computed.
    Afterwards,
    /// At this instant, though the urgent one computes.
    At(u64),
    /// At this instant or later, as nothing else is stated.
    NotBefore(u64),
}

/// A case.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) scene: Scene,
    /// Of every thread that sleeps.
    pub(super) expected: Expected,
    /// By how much counters of the module grow, at least and at most.
    pub(super) counters: &'static [(&'static str, u64, u64)],
    /// How many timers the file shows whenever it is read during the scene.
    pub(super) shown: &'static [usize],
    /// What is done before the scene.
    pub(super) before: Vec<Step>,
    /// And after it.
    pub(super) after: Vec<Step>,
}

impl Case {
    pub(super) fn new(name: &'static str, scene: Scene, expected: Expected) -> Self {
        Self {
            name,
            scene,
            expected,
            counters: &[],
            shown: &[],
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    pub(super) fn counting(self, counters: &'static [(&'static str, u64, u64)]) -> Self {
        Self { counters, ..self }
    }

    pub(super) fn showing(self, shown: &'static [usize]) -> Self {
        Self { shown, ..self }
    }

    pub(super) fn between(self, before: impl Into<Vec<Step>>, after: impl Into<Vec<Step>>) -> Self {
        Self { before: before.into(), after: after.into(), ..self }
    }
}

pub(super) fn sleeper(name: &str, policy: Policy) -> Sleeper {
    let (name, cpu, clock) = (name.to_owned(), Some(CPU), Clock::Monotonic);
    Sleeper { name, cpu, policy, clock, until: DUE, parks: false, wants: false, roams: false }
}

pub(super) fn write(path: &str, text: &str) -> Step {
    Step::Write { path: path.to_owned(), text: text.to_owned() }
}

pub(super) fn beside(policy: Policy, sleepers: Vec<Sleeper>) -> Scene {
    let urgent = Some(Urgent { cpu: CPU, policy, time: BUSY });
    Scene { urgent, sleepers, from: CPU, ..Scene::default() }
}

pub(super) fn usual() -> Scene {
    beside(Policy::Fifo(80), vec![sleeper("sleeper", Policy::Fifo(10))])
}

pub(super) fn then(mut scene: Scene, what: Action) -> Scene {
    scene.meddling.push(Meddling { after: THEN, what });
    scene
}

pub(super) fn look(mut scene: Scene, after: u64) -> Scene {
    scene.meddling.push(Meddling { after, what: Action::Read { path: HELD.to_owned() } });
    scene.meddling.sort_by_key(|meddling| meddling.after);
    scene
}

// Timers that are held are those that sleepers sleep on, and the urgent thread's until the scene begins, if it is not under
// SCHED_DEADLINE, and one for each thing that happens from the same processor; the latter are taken away where it is compared.
pub(super) const HELD_BACK: &[(&str, u64, u64)] =
    &[("held", 1, 1), ("held-back", 1, 1), ("overdue", 0, 0)];
pub(super) const LET_THROUGH: &[(&str, u64, u64)] =
    &[("held", 1, 1), ("held-back", 0, 0), ("moved", 0, 0)];
