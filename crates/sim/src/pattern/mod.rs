//! Patterns: histories with a name, chosen to hurt.
//!
//! **Model.** A [`Pattern`] is a pure function of a system and a core. Its text parses back, so a
//! witness that names it can be replayed by anybody:
//!
//! | text | history |
//! |---|---|
//! | `synchronous` | everything at one instant, jitter used for the densest burst |
//! | `exhausted:task.x:N` | the budget that serves a task is spent by others just before it is released; `N` numbers the ways to arrange everybody else |
//! | `blocked:task.x` | `synchronous` with less urgent sections that hold the task up |
//! | `blocked:task.x:N` | `exhausted:task.x:N` with such sections |
//! | `last:interrupt.x` | all other service routines are requested just before this one |
//! | `random:SEED` | offsets, phases, jitter, spacing and execution times by chance |
//! | `periodic:SEED` | offsets, phases and execution times by chance, strictly periodic |
//! | `storm:interrupt.x` | `synchronous` while this interrupt misbehaves |
//! | `storm:interrupt.x:SEED` | `random:SEED` while this interrupt misbehaves |
//! | `explicit:…` | phases and first arrivals by name, see [`text`] |
//!
//! **Does not cover** all histories: what no pattern finds may still happen.

mod arrangement;
mod exhausted;
mod kept;
mod path;
mod periodic;
mod probe;
mod random;
pub mod text;

pub(crate) use arrangement::pseudo_vcpu_period;
pub(crate) use exhausted::variants;
pub(crate) use probe::MOST_RELEASES;

use crate::counting::Counting;
use crate::coverage::NotCovered;
use crate::history::{Blocker, History};
use crate::observer::Source;
use crate::simulator::Simulator;
use arrangement::Arrangement;
use core::fmt;
use vorrang_model::system::{InterruptId, Member, SupplyId, System, TaskId};

/// A named history of one core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    form: Form,
}

/// What a pattern does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Everything at one instant.
    Synchronous,
    /// A task released when the budget that serves it is gone.
    Exhausted { task: TaskId, variant: u32 },
    /// A task held up by less urgent work; without a variant in the synchronous history.
    Blocked { task: TaskId, variant: Option<u32> },
    /// An interrupt behind all others.
    Last { interrupt: InterruptId },
    /// By chance.
    Random { seed: u64 },
    /// Strictly periodic.
    Periodic { seed: u64 },
    /// An interrupt misbehaves; without a seed in the synchronous history.
    Storm { interrupt: InterruptId, seed: Option<u64> },
    /// As written down.
    Explicit(Box<History>),
}

impl Pattern {
    pub(crate) fn new(system: &System, form: Form) -> Self {
        Self { text: text::write(system, &form), form }
    }

    /// A history as a pattern: names and numbers, to be replayed by hand. Only what concerns
    /// `core` is written.
    ///
    /// # Panics
    /// If it has a script, for which there is no text.
    pub fn explicit(system: &System, core: SupplyId, history: &History) -> Self {
        assert!(history.scripts.iter().all(Vec::is_empty), "a script has no text");
        Self::new(system, Form::Explicit(Box::new(text::only_on(system, core, history))))
    }

    pub(crate) fn form(&self) -> &Form {
        &self.form
    }

    /// Reads the text of a pattern.
    ///
    /// # Errors
    /// What is wrong with the text, for people.
    pub fn parse(text: &str, system: &System) -> Result<Self, ParsePatternError> {
        let form = text::parse(text, system)?;
        Ok(Self { text: text.to_owned(), form })
    }

    /// The history that the pattern means on a core.
    ///
    /// # Errors
    /// What on the core cannot be simulated: some patterns look for the instant at which a
    /// budget is gone.
    pub fn history(&self, system: &System, core: SupplyId) -> Result<History, NotCovered> {
        Ok(self.form.history(&mut Simulator::new(system, core)?))
    }

    /// Whether what is observed of a task or interrupt counts against its requirements: a section
    /// that blocks belongs to one member, and who misbehaves is promised nothing.
    pub fn counts(&self, system: &System, source: Source) -> bool {
        self.form.counting(system).counts(system, source)
    }
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
            | Self::Storm { seed: None, .. } => {
                history.with_worst_kernel(simulator.system(), simulator.core())
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

/// What is held up longest of a task and the servers that it is in; the task if nothing is.
pub(crate) fn blocked_member(system: &System, task: TaskId) -> Member {
    let mut longest = Member::Task(task);
    let mut supply = system.task(task).on;
    while let Some(server) = &system.supply(supply).server {
        if server.blocking > system.blocking(longest) {
            longest = Member::Server(supply);
        }
        supply = server.on;
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
    for other in arrangement.interrupts().filter(|&other| other <= interrupt) {
        arrangement.request(other, at + vorrang_time::Duration::RESOLUTION);
    }
    arrangement.history
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a text is not a pattern of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsePatternError {
    /// It begins with none of the known words.
    UnknownKind {
        /// The word.
        word: String,
    },
    /// It names something that the system does not have.
    UnknownName {
        /// The name.
        name: String,
    },
    /// A number, an instant or an option cannot be read.
    Malformed {
        /// The part that cannot be read.
        part: String,
    },
}

impl fmt::Display for ParsePatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKind { word } => write!(
                f,
                "{word:?} is no pattern; there are synchronous, exhausted:TASK:N, \
                 blocked:TASK[:N], last:INTERRUPT, random:SEED, periodic:SEED, \
                 storm:INTERRUPT[:SEED] and explicit:NAME=TIME;…"
            ),
            Self::UnknownName { name } => write!(f, "the system has no {name:?}"),
            Self::Malformed { part } => write!(f, "{part:?} cannot be read"),
        }
    }
}

impl core::error::Error for ParsePatternError {}
