//! An event as it is stored, for those who need no text of it.
//!
//! **Model.** Its values have the places that they have in its text: of `sched_waking` the name of the thread is the first
//! and its number the second, as in `comm=… pid=… prio=… target_cpu=…`.

use crate::layout::{Kind, Layout};
use std::fmt;

pub(crate) const SHORT: &str = "an event is shorter than its format";

/// An event of a processor.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    /// The processor.
    pub cpu: usize,
    /// The instant, in nanoseconds.
    pub at: u64,
    pub(crate) layout: &'a Layout,
    pub(crate) bytes: &'a [u8],
    pub(crate) wakes: Option<u64>,
}

impl<'a> Record<'a> {
    /// What kind of event it is.
    pub const fn kind(&self) -> Kind {
        self.layout.kind
    }

    /// What its text calls it: `sched_switch`.
    pub fn name(&self) -> &'a [u8] {
        &self.layout.name
    }

    /// A number; `None`: there is none at this place, or the event is cut.
    pub fn number(&self, place: usize) -> Option<i64> {
        self.layout.number(place, self.bytes)
    }

    /// A text as it is stored, whatever is in it.
    pub fn text(&self, place: usize) -> Option<&'a [u8]> {
        self.layout.text(place, self.bytes)
    }

    /// The state of a thread: the first of its letters, and whether it could have gone on (`+`).
    pub fn state(&self, place: usize) -> Option<(u8, bool)> {
        self.layout.state(place, self.bytes)
    }

    /// Whether a function of a timer is the one that wakes a thread.
    pub fn is_waker(&self, place: usize) -> Option<bool> {
        self.layout.is_function(place, self.bytes, self.wakes)
    }

    /// Writes the line of the event; `None`: it is shorter than its format says.
    pub fn line(&self, text: &mut Vec<u8>) -> Option<()> {
        self.layout.line(self.cpu, self.at, self.bytes, self.wakes, text)
    }
}

impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Vec::new();
        let _ = self.line(&mut line);
        f.write_str(String::from_utf8_lossy(&line).trim())
    }
}
