//! The points of a measurement, and their names.

use crate::machine::flush;
use crate::machine::walk::{Access, Order};
use std::time::Duration;

/// The state of the caches before a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Full of other lines that must be written back.
    Dirty,
    /// Full of other lines that need not.
    Clean,
    /// Without the lines of the working set.
    Flushed,
    /// As after a switch: another context has used a working set of the same size.
    Switched,
    /// As a previous run left them: the reference without loss.
    Warm,
}

impl State {
    /// Those that this processor has.
    pub fn existing() -> Vec<Self> {
        let all = [Self::Dirty, Self::Clean, Self::Flushed, Self::Switched, Self::Warm];
        all.into_iter().filter(|state| *state != Self::Flushed || flush::EXISTS).collect()
    }

    /// Whether a run from it begins with everything displaced: no switch costs more.
    pub fn is_worst(self) -> bool {
        matches!(self, Self::Dirty | Self::Clean | Self::Flushed)
    }

    /// The word in the names of caches.
    pub fn word(self) -> &'static str {
        match self {
            Self::Dirty => "dirty",
            Self::Clean => "clean",
            Self::Flushed => "flushed",
            Self::Switched => "switched",
            Self::Warm => "warm",
        }
    }
}

/// An access pattern over a working set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// The order.
    pub order: Order,
    /// The access.
    pub access: Access,
}

/// All of them; the one of the publication first.
pub const KINDS: [Kind; 9] = {
    use Access::{Modify, Read, Write};
    use Order::{Ascending, Chase, Descending};
    const fn kind(order: Order, access: Access) -> Kind {
        Kind { order, access }
    }
    [
        kind(Ascending, Write),
        kind(Ascending, Read),
        kind(Ascending, Modify),
        kind(Descending, Write),
        kind(Descending, Read),
        kind(Descending, Modify),
        kind(Chase, Write),
        kind(Chase, Read),
        kind(Chase, Modify),
    ]
};

impl Kind {
    /// `write`, `read-descending`, `modify-chase`.
    pub fn name(self) -> String {
        let access = match self.access {
            Access::Read => "read",
            Access::Write => "write",
            Access::Modify => "modify",
        };
        let order = match self.order {
            Order::Ascending => "",
            Order::Descending => "-descending",
            Order::Chase => "-chase",
        };
        format!("{access}{order}")
    }

    /// The kind of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.name() == name)
    }
}

/// A point of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Bytes of the working set.
    pub set_bytes: usize,
    /// Its access pattern.
    pub kind: Kind,
    /// The initial state.
    pub state: State,
}

impl Point {
    /// `write-64k-dirty`: the name of its cache in a profile.
    pub fn name(&self) -> String {
        self.name_with(self.state.word())
    }

    /// `write-64k-average`: the name of the cache that is fitted to what a switch costs on average.
    pub fn average_name(&self) -> String {
        self.name_with("average")
    }

    fn name_with(&self, word: &str) -> String {
        format!("{}-{}-{word}", self.kind.name(), size(self.set_bytes))
    }
}

/// Bytes as names have them: `64k`, `2m`.
pub fn size(bytes: usize) -> String {
    if bytes.is_multiple_of(1 << 20) {
        format!("{}m", bytes >> 20)
    } else {
        format!("{}k", bytes >> 10)
    }
}

/// The points, the processor and the duration.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The sets of each kind one after the other.
    pub points: Vec<Point>,
    /// Bytes of each flood.
    pub flood_bytes: usize,
    /// On which processor; the last permitted one if `None`.
    pub cpu: Option<usize>,
    /// Seed of the order of the rings.
    pub seed: u64,
    /// For how long.
    pub time: Duration,
}

/// The smallest working set.
pub const SMALLEST: usize = 2 << 10;

impl Plan {
    /// Sets from [`SMALLEST`], doubled up to `largest`, with these access patterns, from all states.
    pub fn of(largest: usize, kinds: &[Kind]) -> Vec<Point> {
        let sizes = || (0..).map(|step| SMALLEST << step).take_while(|size| *size <= largest);
        let mut points = Vec::new();
        for kind in kinds {
            for set_bytes in sizes() {
                let states = State::existing().into_iter();
                points.extend(states.map(|state| Point { set_bytes, kind: *kind, state }));
            }
        }
        points
    }
}
