//! A step of a plan: the intended state, before the present one is known.

use crate::change::Change;
use crate::groups;
use crate::machine::{Kernel, cpus_of_mask, gone_is_none};
use crate::runtimes::{BY_TICK, BY_TIMER, FEATURES, RuntimesEnd, runtimes_end};
use crate::selector::Unresolved;
use crate::shield;
use crate::who::Who;
use crate::wish::Wish;
use std::io;
use vorrang_quote::visible;

/// The intended state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// A control group is to be there.
    MakeGroup {
        /// Its folder.
        path: String,
    },
    /// A controller is to be available in the groups below a folder.
    EnableCpuset {
        /// The folder.
        group: String,
    },
    /// A file is to hold a text.
    Write {
        /// The file.
        path: String,
        /// The text.
        text: String,
    },
    /// Runtimes are to end when they are exhausted.
    EndRuntimesByTimer,
    /// The module that shields processors from timers is to be loaded.
    LoadShield {
        /// Its file.
        path: String,
    },
    /// An attribute of a thread.
    Thread {
        /// The thread.
        who: Who,
        /// The attribute that it is to have.
        wish: Wish,
    },
}

/// Why a step could not be prepared.
#[derive(Debug)]
pub(crate) enum Unprepared {
    /// The thread is not there, or several are.
    Thread(Unresolved),
    /// The kernel did not answer.
    Kernel(io::Error),
}

impl From<io::Error> for Unprepared {
    fn from(why: io::Error) -> Self {
        Self::Kernel(why)
    }
}

impl Intent {
    /// The change with the present state; `None` if nothing has to be changed.
    pub(crate) fn prepare(&self, kernel: &dyn Kernel) -> Result<Option<Change>, Unprepared> {
        Ok(match self {
            Self::MakeGroup { path } => {
                // The existing object is not ours, and could not be restored.
                if gone_is_none(kernel.list(path))?.is_some() {
                    let why = "it exists already, of another program or of a journal that is lost; remove it";
                    return Err(io::Error::other(why).into());
                }
                Some(Change::MakeGroup { path: path.clone() })
            }
            Self::EnableCpuset { group } => {
                let path = format!("{group}/cgroup.subtree_control");
                let enabled = kernel.read(&path)?.split_whitespace().any(|name| name == "cpuset");
                let undo = (!groups::is_own(&path)).then(|| "-cpuset".to_owned());
                (!enabled).then(|| Change::Write { path, text: "+cpuset".to_owned(), undo })
            }
            Self::Write { path, text } => {
                let now = kernel.read(path)?.trim().to_owned();
                let differs = !is_same(path, &now, text);
                let undo = (!groups::is_own(path)).then_some(now);
                differs.then(|| Change::Write { path: path.clone(), text: text.clone(), undo })
            }
            Self::EndRuntimesByTimer => match runtimes_end(kernel) {
                RuntimesEnd::ByTimer => None,
                RuntimesEnd::ByTick => Some(Change::Write {
                    path: FEATURES.to_owned(),
                    text: BY_TIMER.to_owned(),
                    undo: Some(BY_TICK.to_owned()),
                }),
                RuntimesEnd::Unknown(why) => return Err(io::Error::other(why).into()),
            },
            Self::LoadShield { path } => {
                (!shield::is_loaded(kernel)?).then(|| Change::LoadShield { path: path.clone() })
            }
            Self::Thread { who, wish } => {
                let thread = who.find(kernel).map_err(Unprepared::Thread)?;
                wish.prepare(kernel, &who.label, thread)?
            }
        })
    }

    /// The call or write, as one line; a thread that does not exist yet by its name.
    pub fn exact(&self) -> String {
        visible(&match self {
            Self::MakeGroup { path } => format!("mkdir {path}"),
            Self::EnableCpuset { group } => {
                format!("write \"+cpuset\" to {group}/cgroup.subtree_control")
            }
            Self::Write { path, text } => format!("write \"{text}\" to {path}"),
            Self::EndRuntimesByTimer => format!("write \"{BY_TIMER}\" to {FEATURES}"),
            Self::LoadShield { path } => {
                format!("finit_module({path}), which shields no processor yet")
            }
            Self::Thread { who, wish } => wish.exact(who),
        })
    }
}

/// Whether a file holds a text already: masks of processors have zeros in front where there are many.
fn is_same(path: &str, now: &str, text: &str) -> bool {
    if path.ends_with("smp_affinity") {
        return cpus_of_mask(now) == cpus_of_mask(text);
    }
    now == text
}
