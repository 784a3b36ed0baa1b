//! Two looks at the accounts of a processor.

use crate::linux::{self, Shown};
use crate::running::Managed;
use std::io;
use vorrang_enforce::{Kernel as _, Linux};
use vorrang_time::Duration;

/// What the decisions of a dispatcher took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decisions {
    /// Its processor.
    pub cpu: u32,
    /// How many there were.
    pub count: u64,
    /// What each of them took in the middle.
    pub each: Duration,
    /// The longest since the description is run.
    pub longest: Duration,
}

/// The accounts of a processor, and the processor time of its dispatcher.
pub(super) struct Sample {
    pub(super) shown: Shown,
    pub(super) taken: Duration,
}

impl Sample {
    pub(super) fn of(process: i32, managed: &Managed) -> io::Result<Self> {
        let board = linux::shown(process, managed.memory)?;
        let (shown, dispatcher) = board(managed.members.len(), managed.interrupts.len());
        let taken = Linux.read(&format!("/proc/{process}/task/{dispatcher}/schedstat"));
        let taken = taken.ok().and_then(|text| text.split(' ').next()?.parse().ok());
        Ok(Self { shown, taken: Duration::from_ns(taken.unwrap_or(0)) })
    }
}

/// Two samples of a processor.
pub(super) struct Reading {
    pub(super) managed: Managed,
    pub(super) elapsed: Duration,
    pub(super) before: Sample,
    pub(super) after: Sample,
}

impl Reading {
    pub(super) fn taken(&self) -> Duration {
        self.after.taken.saturating_sub(self.before.taken)
    }

    pub(super) fn decisions(&self) -> Decisions {
        let (before, after) = (&self.before.shown.course, &self.after.shown.course);
        let count = after.steps - before.steps;
        Decisions {
            cpu: self.managed.cpu,
            count,
            each: Duration::from_ns(self.taken().as_ns() / count.max(1)),
            longest: after.longest_with_switches(before, self.taken()),
        }
    }
}
