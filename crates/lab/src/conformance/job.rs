//! A job of a script, as the file of a case says it.

use serde::Deserialize;
use vorrang_guest::{ScriptedJob, Work};

/// The unit of scripts and drawings.
pub const MS: u64 = 1_000_000;

/// A job of a script, in milliseconds: `[at, work]`, or a table.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(from = "Written")]
pub struct Job {
    /// When it arrives, or, of a task that others wake, its source does; in a kernel a thread that none wakes is ready from
    /// then on.
    pub at: u64,
    /// By how many microseconds later its thread is released in a kernel, where it must find another
    /// one already running.
    pub after: u64,
    /// By how much later it is released in the simulator: for so long a kernel defers a thread
    /// that is ready.
    pub deferred: u64,
    /// How long it computes.
    pub work: u64,
    /// Whether it then yields the rest of its budget.
    pub yields: bool,
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Written {
    Pair(u64, u64),
    #[serde(rename_all = "kebab-case")]
    Table {
        at: u64,
        work: u64,
        #[serde(default)]
        after: u64,
        #[serde(default)]
        deferred: u64,
        #[serde(default)]
        yields: bool,
    },
}

impl From<Written> for Job {
    fn from(written: Written) -> Self {
        match written {
            Written::Pair(at, work) => Self { at, after: 0, deferred: 0, work, yields: false },
            Written::Table { at, work, after, deferred, yields } => {
                Self { at, after, deferred, work, yields }
            }
        }
    }
}

impl Job {
    /// When its thread is released in a kernel.
    pub(super) fn release(&self) -> u64 {
        self.at * MS + self.after * 1_000
    }

    pub(super) fn in_a_kernel(&self) -> ScriptedJob {
        let time = self.work * MS;
        let work = if self.yields { Work::ComputeThenYield(time) } else { Work::Compute(time) };
        ScriptedJob { release: self.release(), work }
    }
}
